"""Cases, contexts, observations and true values made by hand, for the tests of what is judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from harness.conformance.judge import judge_against
from harness.conformance.judging_context import JudgingContext
from harness.model import (
    Array,
    Case,
    Cell,
    Check,
    Failure,
    Fixture,
    Implementation,
    KnownDivergence,
    Mode,
    Observation,
    Precision,
    Stage,
    Tolerance,
    Truth,
    Value,
)

Observations = dict[tuple[str, str], Observation | Failure]
ULPS = Tolerance(rule="ulp", value=2, reason="test")
EXACT = Tolerance(rule="exact")
ONES = np.array([1.0, 1.0, 1.0])
SIZES = {"default": {"n": 3}}


def value(name: str, **changes: Any) -> Value:
    """A vector of n elements."""
    return Value(**{"name": name, "shape": ("n",), **changes})


def stated(name: str, **changes: Any) -> Value:
    """A vector of n elements that may be two ULP off."""
    return value(name, **{"tolerance": ULPS, **changes})


def case_of(*stages: Stage, **changes: Any) -> Case:
    """A case of these stages, with one input x."""
    common = {"name": "toy", "title": "", "origin": "", "fixture": "f", "inputs": (value("x"),)}
    return Case(**{**common, "stages": stages, **changes})


def chain(*values: Value, **changes: Any) -> Case:
    """A case of a stage for each value, which takes the value before it."""
    names = ("x", *(value.name for value in values))
    stages = [
        Stage(name=value.name, inputs=(names[at],), outputs=(value,)) for at, value in enumerate(values)
    ]
    return case_of(*stages, **changes)


def implementation(name: str) -> Implementation:
    return Implementation(id=name, runtime=name, language=name.upper(), path=Path(f"toy.{name}"))


def context(
    of: Case, who: str = "r", precision: Precision = Precision.FLOAT64, *, n: int = 3
) -> JudgingContext:
    """An implementation's context; n elements in each sample."""
    sizes = {sample: {"n": n} for sample in ("default", "s", "t")}
    return JudgingContext(case=of, implementation=implementation(who), precision=precision, sizes=sizes)


def observation(seconds: float = 0.5, **outputs: Any) -> Observation:
    return Observation(outputs={name: np.asarray(array) for name, array in outputs.items()}, seconds=seconds)


def observed(sample: str = "default", **arrays: Any) -> Observations:
    """What stages of one output returned, each called as its output; a failure is itself."""
    return {
        (sample, name): array if isinstance(array, Failure) else observation(**{name: array})
        for name, array in arrays.items()
    }


def fixture_of(samples: dict[str, dict[str, Array]], **shared: Any) -> Fixture:
    arrays = {name: np.asarray(array) for name, array in shared.items()}
    return Fixture(name="f", version=1, sha256="0", origin="", licence="", shared=arrays, samples=samples)


def truth(high: Any, limit: Any, **changes: Any) -> Truth:
    """True values that are themselves, each with its limit, or all with one."""
    high = np.array(high)
    limits = np.broadcast_to(np.asarray(limit), high.shape).astype(np.float64)
    return Truth(**{"high": high, "low": np.zeros(high.shape), "limit": limits, "worst": 3.0, **changes})


def judge(actual: Any, expected: Any, *, check: Check = Check.REFERENCE, **changes: Any) -> Cell:
    (cell,) = judge_against(
        context(chain(stated("a", **changes))), Mode.CHAINED, check, observed(a=actual), observed(a=expected)
    )
    return cell


def known(**changes: Any) -> KnownDivergence:
    size = {"measure": "absolute", "at_least": 0.5, "at_most": 1.5}
    return KnownDivergence(
        **{"id": "k", "cause": "", "evidence": "", "ends_when": "never", **size, **changes}
    )
