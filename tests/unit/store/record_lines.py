"""Lines of a record, and a record of them; ways to spoil its file."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from harness.errors import ExitCode, RecordError
from harness.model import (
    Absent,
    Cell,
    Check,
    ErrorStats,
    Exhibit,
    Footer,
    Header,
    Mode,
    Pair,
    Precision,
    RuntimeInfo,
    Source,
    Verdict,
)
from harness.store.record import RecordWriter, read_record

HEADER = Header(
    schema=4,
    harness="0.1.0",
    protocol=1,
    started="2026-01-01T00:00:00Z",
    suite="reference_impls",
    python="3.11",
    platform="Linux",
    cpu="some",
    cores=2,
    locale="C.UTF-8",
    runtimes={"r": RuntimeInfo(runtime="r", language="R", version="4.2.2", dtypes=("float64",))},
    absent=(Absent(runtime="julia", language="Julia", reason="not found", advice=("install it",)),),
    fixtures={"toy": "00"},
)


def cell(stage: str = "Q", **changes: Any) -> Cell:
    whole = Cell(
        case="toy",
        stage=stage,
        implementation="r",
        language="R",
        mode=Mode.CHAINED,
        precision=Precision.FLOAT64,
        check=Check.REFERENCE,
        against="numpy",
        source=Source.LIVE,
        verdict=Verdict.PASS,
        stats=ErrorStats(count=12, max_abs=1e-300, max_abs_index=(0, 2), ulp_histogram=(11, 1)),
        limit=4.5e-16,
        worst_sample="default",
        samples=1,
        seconds=0.001,
    )
    return msgspec.structs.replace(whole, **changes)


def pair(stage: str = "Q", **changes: Any) -> Pair:
    whole = Pair(case="toy", stage=stage, precision=Precision.FLOAT64, left="r", right="torch", agree=True)
    return msgspec.structs.replace(whole, **changes)


CELLS = (cell(), cell(mode=Mode.ISOLATED), cell("K", verdict=Verdict.FAIL, reason="über <script>\n\"'\u202e"))


PAIRS = (pair(), pair("K", agree=False, stats=ErrorStats(count=1)))


FOOTER = Footer(partial=False, seconds=1.5, start_up={"r": 0.5}, busy={"r": 0.25}, complaints=("slow",))


def write(path: Path, lines: tuple[Cell | Pair, ...] = CELLS + PAIRS, footer: Footer = FOOTER) -> Path:
    with RecordWriter(path) as writer:
        writer.header(HEADER)
        for line in lines:
            writer.write(line)
        writer.footer(footer)
    return path


EXHIBITS = (
    Exhibit(
        case="toy",
        stage="weights",
        sample="one",
        implementation="r",
        precision=Precision.FLOAT64,
        show="heatmap",
        shape=(1, 4),
        values=(0.1, math.inf, -math.inf, 5e-324),
        labels=("good", "bad"),
    ),
)


def refused(path: Path) -> RecordError:
    with pytest.raises(RecordError) as caught:
        read_record(path)
    assert caught.value.path == path
    assert caught.value.exit_code is ExitCode.USAGE
    return caught.value


def edit(change: Callable[[list[bytes]], None]) -> Callable[[Path], None]:
    def apply(path: Path) -> None:
        lines = path.read_bytes().split(b"\n")
        change(lines)
        path.write_bytes(b"\n".join(lines))

    return apply


def put(index: int, old: bytes, new: bytes) -> Callable[[list[bytes]], None]:
    def change(lines: list[bytes]) -> None:
        assert old in lines[index]
        lines[index] = lines[index].replace(old, new, 1)

    return change
