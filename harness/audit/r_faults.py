"""Faults in the syntax tree of an R file: R itself parses it, walks it and writes it down again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from harness.audit.types import Change, InjectedFault
from harness.conformance.loading import LOAD_DEADLINE
from harness.runtimes.process import Worker

_WALKER = Path(__file__).with_name("mutants.R")
_FIELD, _RECORD = "\x1f", "\x1e"


def changes(worker: Worker, path: Path) -> Iterator[Change]:
    """Every fault in every place of an R file where it can be.

    Parameters
    ----------
    worker : Worker
        R's.
    path : Path
        The file.

    Yields
    ------
    Change
        The whole source with one fault.

    Raises
    ------
    ImplementationError
        It cannot be parsed.
    """
    for record in _records(worker, "mutants", path):
        fault, definition, line, was, now, text = record
        yield Change(
            fault=InjectedFault[fault],
            definition=definition,
            line=int(line),
            was=was,
            now=now,
            text=f"{text}\n",
        )


def uses(worker: Worker, path: Path) -> Mapping[str, frozenset[str]]:
    """Return, by top-level definition, the names that it uses."""
    return {record[0]: frozenset(record[1:]) for record in _records(worker, "uses", path) if record[0]}


def _records(worker: Worker, function: str, path: Path) -> list[list[str]]:
    loaded = worker.load(_WALKER, {function: 1}, deadline=LOAD_DEADLINE)
    letters = np.array([ord(letter) for letter in str(path.resolve())], dtype=np.int32)
    (array,), _ = worker.call(loaded.handle, function, [letters], outputs=1, deadline=LOAD_DEADLINE)
    text = "".join(map(chr, array.tolist()))
    return [record.split(_FIELD) for record in text.split(_RECORD)] if text else []
