"""A case of two stages, what they return, and cells of them, for the tests of whole lines of the record."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from harness.conformance.judging_context import JudgingContext
from harness.model import (
    Case,
    Cell,
    Check,
    ErrorStats,
    Failure,
    Mode,
    Observation,
    Precision,
    SampleTolerance,
    Source,
    Stage,
    Tolerance,
    Verdict,
)
from tests.unit.conformance.by_hand import EXACT, Observations, case_of, context, value

NEAR = Tolerance(
    rule="absolute",
    value=1.0,
    reason="test",
    by_sample=(SampleTolerance(samples="t", rule="absolute", value=4.0, reason="test"),),
)


SIZES = {"s": {"n": 2}, "t": {"n": 2}}


CHAINED, ISOLATED = Mode.CHAINED, Mode.ISOLATED


CRASH = Failure(verdict=Verdict.ERROR, reason="it ended", detail="trace")


def case(**changes: Any) -> Case:
    """The stage one has the outputs a (stated) and b (derived); two has c (exact)."""
    first = Stage(name="one", inputs=("x",), outputs=(value("a", tolerance=NEAR), value("b")))
    second = Stage(name="two", inputs=("a",), outputs=(value("c", tolerance=EXACT),))
    return case_of(first, second, **changes)


def subject(of: Case | None = None, **changes: Any) -> JudgingContext:
    return context(of or case(), n=2, **changes)


def first_stage(
    sample: str, a: Any, b: Any, source: Source = Source.LIVE, seconds: float = 0.5
) -> Observations:
    """What the first stage returned for a sample."""
    outputs = {"a": np.array(a), "b": np.array(b)}
    return {(sample, "one"): Observation(outputs=outputs, seconds=seconds, source=source)}


def second_stage(sample: str, c: Any) -> Observations:
    return {(sample, "two"): Observation(outputs={"c": np.array(c)}, seconds=0.125)}


def base(**changes: Any) -> Cell:
    return Cell(
        **{
            "case": "toy",
            "stage": "a",
            "implementation": "r",
            "language": "R",
            "mode": CHAINED,
            "precision": Precision.FLOAT64,
            "check": Check.REFERENCE,
            "against": "numpy",
            "source": Source.LIVE,
            "verdict": Verdict.PASS,
            "samples": 2,
            **changes,
        }
    )


# From 1 to 2, and from 2 to 4, there are 2**52 numbers.
STEPS = 2.0**52


def far(count: int = 2, **changes: Any) -> ErrorStats:
    """The errors of [1, 4] where [1, 2] is expected."""
    histogram = [1] + [0] * 52 + [1]
    return ErrorStats(
        **{
            "count": count,
            "max_abs": 2.0,
            "max_abs_index": (1,),
            "max_rel": 1.0,
            "max_rel_index": (1,),
            "max_ulp": STEPS,
            "max_ulp_index": (1,),
            "mean_abs": 1.0,
            "rms": math.sqrt(2.0),
            "ulp_histogram": tuple(histogram),
            **changes,
        }
    )
