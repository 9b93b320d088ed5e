"""A case of one stage of which the oracle knows nothing, for the tests of coarse comparisons."""

from __future__ import annotations

from typing import Any

import numpy as np

from harness.conformance.coarse import judge_coarsely
from harness.model import Case, Cell, Failure, Fixture, Mode, Stage, Truth, Verdict
from tests.unit.conformance.by_hand import (
    Observations,
    case_of,
    context,
    fixture_of,
    observation,
    truth,
    value,
)

UNKNOWN = Failure(verdict=Verdict.NOT_RUN, reason="the oracle: np.linalg.lstsq is not understood (line 5)")


SIZES = {sample: {"n": 3} for sample in ("s", "t")}


def case(kind: str = "float", **more: Any) -> Case:
    return case_of(Stage(name="fit", inputs=("x",), outputs=(value("b", dtype=kind),)), **more)


def observed(**samples: Any) -> Observations:
    return {
        (sample, "fit"): array if isinstance(array, Failure) else observation(b=array)
        for sample, array in samples.items()
    }


def fixture(x: Any) -> Fixture:
    return fixture_of({"s": {}, "t": {}}, x=x)


def judge(ours: Any, theirs: Any, *, x: Any = (1.0, 1.0, 1.0), of: Case | None = None, **more: Any) -> Cell:
    (cell,) = judge_coarsely(
        context(of or case(), **more),
        Mode.CHAINED,
        observed(s=ours),
        observed(s=theirs),
        {("s", "b"): UNKNOWN},
        fixture(x),
    )
    return cell


def ones(**more: Any) -> Truth:
    """True values of three ones."""
    return truth(**{"high": np.ones(3), "limit": 1e-15, "worst": 1e-15, **more})
