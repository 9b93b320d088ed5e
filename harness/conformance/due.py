"""What is expected of an output, and how far each element may be off: for scripts and test vectors."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from harness.conformance.expected import expected_limit
from harness.conformance.shown import Due
from harness.model import Array, Expected, Fixture, Precision, Tolerance, Truth, Value
from harness.numerics import tolerance
from harness.numerics.truth import enclosed


def due_of_truth(truth: Truth) -> tuple[Due, Array | None]:
    """Return the true values with their limits, and the elements that are not judged."""
    known = enclosed(truth)
    return Due(high=known.high, low=known.low, limit=known.limit.astype(np.float64)), known.undecided


def due_of_reference(expected: Array, rule: Tolerance, precision: Precision, *, coarse: bool) -> Due:
    """Return the reference's values with the limits of a rule of one sample, or coarse ones."""
    limit = _coarse(expected, precision, rule.horizon) if coarse else limit_of(rule, expected, precision)
    return Due(high=expected, low=np.zeros(expected.shape), limit=limit)


def due_of_data(value: Value, expected: Array, sample: str, fixture: Fixture, precision: Precision) -> Due:
    """Return expected values that are given as data, which have a tolerance, with their limits."""
    data = value.expected
    assert isinstance(data, Expected)
    assert data.tolerance is not None
    limit = expected_limit(data.tolerance, expected, sample, fixture, precision)
    whole = np.broadcast_to(np.float64(limit), expected.shape)
    return Due(high=expected, low=np.zeros(expected.shape), limit=whole)


def beyond_horizon(shape: tuple[int, ...], horizon: int | None) -> npt.NDArray[np.bool_] | None:
    """Mark the elements beyond a horizon; None where there is none."""
    if horizon is None:
        return None
    marks = np.zeros(shape, dtype=bool)
    marks[horizon:] = True
    return marks


def limit_of(rule: Tolerance, expected: Array, precision: Precision) -> Array:
    """The limits up to the horizon, from what is expected there; zeros beyond it."""
    limit = np.zeros(expected.shape)
    within: Array = expected if rule.horizon is None else expected[: rule.horizon]
    limit[... if rule.horizon is None else slice(rule.horizon)] = tolerance.limit(rule, within, precision)
    return limit


def _coarse(expected: Array, precision: Precision, horizon: int | None) -> Array:
    within: Array = expected if horizon is None else expected[:horizon]
    limit: Array = np.broadcast_to(np.float64(tolerance.coarse_limit(within, precision)), expected.shape)
    return limit
