"""What follows from a difference that rounding may explain accuses nobody."""

from __future__ import annotations

from typing import Any

import pytest

from harness.conformance.unjudged import leave_unjudged
from harness.model import (
    Basis,
    Case,
    Cell,
    Check,
    ErrorStats,
    Mode,
    Precision,
    SampleVerdict,
    Source,
    Stage,
    Value,
    Verdict,
)

CASE = Case(
    name="tsne",
    title="",
    origin="",
    fixture="f",
    inputs=(Value(name="X", shape=("n",)),),
    stages=tuple(
        Stage(name=name, inputs=(given,), outputs=(Value(name=name, shape=("n",)),))
        for name, given in (
            ("distance", "X"),
            ("affinity", "distance"),
            ("clipped", "affinity"),
            ("loss", "clipped"),
            ("other", "X"),
        )
    ),
)
FAR = "differs from numpy by up to 0.025 of its largest value; 22 of 81 elements beyond the limit"


def cell(stage: str, verdict: str, *samples: str, reason: str = FAR, **more: Any) -> Cell:
    """A chained coarse cell, with this verdict in these samples, and PASS in t."""
    by_sample = [SampleVerdict(sample=sample, verdict=Verdict(verdict), reason=reason) for sample in samples]
    given: dict[str, Any] = {
        "mode": Mode.CHAINED,
        "check": Check.REFERENCE,
        "basis": Basis.COARSE,
        "inherited": verdict == "FAIL",
        "stats": ErrorStats(count=81, max_abs=0.01),
        "by_sample": (*by_sample, SampleVerdict(sample="t", verdict=Verdict.PASS)),
    }
    return Cell(
        case="tsne",
        stage=stage,
        implementation="torch",
        language="PyTorch",
        precision=Precision.FLOAT32,
        against="numpy",
        source=Source.LIVE,
        verdict=Verdict(verdict),
        reason=reason,
        **given | more,
    )


def test_what_follows_names_the_stage_where_it_begins() -> None:
    cells = [cell("affinity", "NOT_RUN", "s"), cell("clipped", "FAIL", "s"), cell("loss", "FAIL", "s")]
    first, *others = leave_unjudged(cells, CASE)
    assert first == cells[0]
    for other in others:
        assert (other.verdict, other.source) == ("NOT_RUN", "none")
        assert other.reason.startswith("follows from affinity, where rounding of the inputs may explain")
        assert other.reason.endswith(FAR)
        assert [sample_verdict.verdict for sample_verdict in other.by_sample] == ["NOT_RUN", "PASS"]


@pytest.mark.parametrize(
    "cells",
    [
        # It is off by itself, in another sample, or by NaN.
        [cell("affinity", "NOT_RUN", "s"), cell("clipped", "FAIL", "s", inherited=False)],
        [cell("affinity", "NOT_RUN", "s"), cell("clipped", "FAIL", "s", "u")],
        [
            cell("affinity", "NOT_RUN", "s"),
            cell("clipped", "FAIL", "s", reason=f"{FAR}; NaN in 1 place on one side only"),
        ],
        [
            cell("affinity", "NOT_RUN", "s"),
            cell("clipped", "FAIL", "s", reason="shape (2) where (n) is expected"),
        ],
        # It does not follow from it.
        [cell("affinity", "NOT_RUN", "s"), cell("other", "FAIL", "s")],
        [cell("clipped", "FAIL", "s"), cell("loss", "FAIL", "s")],
        [cell("affinity", "NOT_RUN", "s", stats=None), cell("clipped", "FAIL", "s")],
        # What comes before is proved wrong; or the limit is known, or stated.
        [
            cell("distance", "FAIL", "s", check=Check.ORACLE, basis=Basis.DERIVED, inherited=False),
            cell("affinity", "NOT_RUN", "s"),
            cell("clipped", "FAIL", "s"),
        ],
        [cell("affinity", "NOT_RUN", "s"), cell("clipped", "FAIL", "s", basis=Basis.STATED)],
        [cell("affinity", "NOT_RUN", "s"), cell("clipped", "FAIL", "s", mode=Mode.ISOLATED)],
    ],
)
def test_every_other_difference_stays(cells: list[Cell]) -> None:
    assert leave_unjudged(cells, CASE) == cells
