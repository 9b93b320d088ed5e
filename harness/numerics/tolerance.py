"""From a tolerance and the expected values to an absolute limit."""

from __future__ import annotations

from typing import assert_never

import numpy as np

from harness.model import Array, Tolerance


def limit(tolerance: Tolerance, expected: Array) -> float | Array:
    """Return the largest error that the rule allows.

    Parameters
    ----------
    tolerance : Tolerance
        The rule.
    expected : ndarray
        The values that others are held against, of any real, complex, integer or boolean dtype.

    Returns
    -------
    float or ndarray of float64
        One limit for all elements, or, for the ``relative`` rule, one for each, in the shape of ``expected``.

    Raises
    ------
    ValueError
        The rule is ``derived``: that limit does not follow from the expected values.
    """
    match tolerance.rule:
        case "derived":
            raise ValueError("a derived limit comes from the truth: truth.hold")
        case "exact":
            return 0.0
        case "absolute":
            return tolerance.value
        case "relative":
            with np.errstate(invalid="ignore"):
                return np.where(np.isfinite(expected), tolerance.value * np.abs(expected), 0.0).astype(
                    np.float64
                )
        case "ulp":
            return tolerance.value * last_place(expected)
        case _:
            assert_never(tolerance.rule)


def last_place(expected: Array) -> float:
    """Return the unit in the last place of the largest finite magnitude; 1 for integers and booleans."""
    if expected.dtype.kind not in "fc":
        return 1.0
    parts = expected.view(expected.real.dtype) if expected.dtype.kind == "c" else expected
    magnitudes = np.abs(parts[np.isfinite(parts)])
    return float(np.spacing(magnitudes.max())) if magnitudes.size else 0.0
