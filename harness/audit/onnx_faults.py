"""Faults in the nodes of an ONNX model: a program that reads it makes them."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from harness.audit.types import Change, InjectedFault
from harness.errors import ImplementationError
from harness.workers.declared_arrays import read_stages

_PROGRAM = Path(__file__).parents[1] / "workers" / "onnx_faults.py"


def changes(path: Path) -> tuple[list[Change], Mapping[str, frozenset[str]]]:
    """Every fault in every node of a model where it can be, and by stage the values that it computes.

    Parameters
    ----------
    path : Path
        The model; a case.toml lies beside it.

    Raises
    ------
    ImplementationError
        It cannot be read.
    """
    stages = {
        name: [[value.name for value in stage.inputs], [value.name for value in stage.outputs]]
        for name, stage in read_stages(path).items()
    }
    done = subprocess.run(
        [sys.executable, "-P", str(_PROGRAM), str(path), json.dumps(stages)],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["nothing was said"])[-1]
        raise ImplementationError(f"its nodes cannot be changed: {why}", kind="load", path=path)
    first, *lines = done.stdout.splitlines()
    made_of = json.loads(first)
    return list(_read(lines)), {name: frozenset(values) for name, values in made_of.items()}


def _read(lines: list[str]) -> Iterator[Change]:
    for line in lines:
        kind, definition, was, now, data = json.loads(line)
        yield Change(
            fault=InjectedFault[kind],
            definition=definition,
            was=was,
            now=now,
            data=base64.b64decode(data),
        )
