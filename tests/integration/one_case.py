"""A suite of one case with one input x, written and run with real workers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.conformance.observers import Replaying
from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.conformance.take_snapshots import record as take_snapshots
from harness.model import OF_A_STAGE, Cell, Mode, Record
from harness.store.fixture_writer import write_fixture


def write_case(suite: Path, name: str, text: str, sources: Mapping[str, str], x: npt.ArrayLike) -> None:
    """Write the case, its sources and its fixture."""
    case = suite / name
    case.mkdir(parents=True, exist_ok=True)
    (case / "case.toml").write_text(text, encoding="utf-8")
    for file, source in sources.items():
        (case / file).write_text(source, encoding="utf-8")
    write_fixture(
        suite / "fixtures" / name,
        version=1,
        title="x",
        origin="here",
        licence="MIT",
        generator=[{"kind": "by hand"}],
        arrays={"x": np.asarray(x)},
        origins={"x": "here"},
    )


def run_case(
    suite: Path,
    name: str,
    text: str,
    sources: Mapping[str, str],
    x: npt.ArrayLike,
    *,
    replay: Replaying = "never",
    **options: Any,
) -> Record:
    """Write the case, its sources and its fixture, and run it; a replay is of snapshots taken before."""
    write_case(suite, name, text, sources, x)
    plan = make_plan(suite)
    if replay != "never":
        complaints: list[str] = []
        list(take_snapshots(plan, complaints.append))
        assert complaints == []
    return run(plan, out=None, replay=replay, **options)


def with_faults(numpy: str, r: str, faults: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """The sources of toy, and one in R for each stage with a fault: what it replaces, and by what."""
    sources = {"toy.py": numpy, "toy.R": r}
    for stage, (old, new) in faults.items():
        assert r.count(old) == 1, stage
        sources[f"toy.{stage}.R"] = r.replace(old, new)
    return sources


def alone(record: Record, implementation: str) -> list[Cell]:
    """The cells of its stages on the reference's inputs."""
    return [
        cell
        for cell in record.cells
        if cell.implementation == implementation and cell.mode is Mode.ISOLATED and cell.check in OF_A_STAGE
    ]
