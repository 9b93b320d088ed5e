"""Records made by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from harness.model import (
    Absent,
    Cell,
    Check,
    ErrorStats,
    Footer,
    Header,
    Mode,
    Pair,
    Precision,
    Record,
    RuntimeInfo,
    Source,
    Verdict,
)

NOWHERE = {Verdict.NOT_RUN, Verdict.UNSUPPORTED}


@pytest.fixture
def cell() -> Callable[..., Cell]:
    def make(stage: str, verdict: str, implementation: str = "r", **more: Any) -> Cell:
        source = Source.NONE if Verdict(verdict) in NOWHERE else Source.LIVE
        defaults: dict[str, Any] = {
            "case": "four_word",
            "language": implementation.partition(".")[0].title(),
            "mode": Mode.CHAINED,
            "precision": Precision.FLOAT64,
            "check": Check.REFERENCE,
            "against": "numpy",
            "source": source,
        }
        return Cell(stage=stage, implementation=implementation, verdict=Verdict(verdict), **defaults | more)

    return make


@pytest.fixture
def pair() -> Callable[..., Pair]:
    def make(left: str, right: str, agree: bool, max_abs: float = 0.0) -> Pair:
        stats = ErrorStats(count=4, max_abs=max_abs)
        return Pair(
            case="four_word",
            stage="Q",
            precision=Precision.FLOAT64,
            left=left,
            right=right,
            agree=agree,
            stats=stats,
        )

    return make


@pytest.fixture
def record() -> Callable[..., Record]:
    def make(*cells: Cell, pairs: tuple[Pair, ...] = (), footer: Footer | None = None, **more: Any) -> Record:
        runtimes = {
            name: RuntimeInfo(runtime=name, language=name.title(), version="1.2.3", hosting=f"by {name}")
            for name in ("numpy", "torch", "r")
        }
        header: dict[str, Any] = {
            "schema": 1,
            "harness": "0.1.0",
            "protocol": 1,
            "started": "2026-01-01T00:00:00+00:00",
            "suite": "reference_impls",
            "python": "3.11.2",
            "platform": "Linux",
            "cpu": "a CPU",
            "cores": 2,
            "locale": "C",
            "runtimes": runtimes,
            "absent": (
                Absent(runtime="julia", language="Julia", reason="no julia here", advice=("get it",)),
            ),
        }
        footer = Footer(partial=False, seconds=1.5) if footer is None else footer
        return Record(header=Header(**header | more), cells=cells, pairs=pairs, footer=footer)

    return make
