"""The largest errors of libraries' functions, measured and published, and the error that a limit allows."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from harness.oracle.unknown import NotUnderstood

TABLE = Path(__file__).with_name("function_errors.toml")

PRECISIONS = {2.0**-53: "float64", 2.0**-24: "float32", 2.0**-11: "float16", 2.0**-8: "bfloat16"}
"""Names of precisions by the unit roundoff."""

LARGEST = {2.0**-53: 2.0**1023 * 1.9999, 2.0**-24: 2.0**128, 2.0**-11: 2.0**16, 2.0**-8: 2.0**128}
"""The end of the range by the unit roundoff."""

DERIVED = {"degrees": 1.5, "radians": 1.5}
"""Errors in units in the last place of derived functions, where pi, a factor and a product are rounded."""

WITHOUT_LIMIT = frozenset({"gammaln_negative"})
"""Functions that were measured but have no limit: errors next to their zeros have no bound."""

GROWING_WITH_ARGUMENT = {"erfc": ("scipy",), "gamma": ("r",)}
"""Libraries whose error grows with the argument: `harness.oracle.special` bounds it."""

POWERS = ("power", "power_-0.5", "power_0.5", "power_1.5")
"""Powers with exponents that are not integers and that every precision represents."""


@cache
def table() -> Mapping[str, Any]:
    """The content of `TABLE`: how it was measured, and the largest errors by function and precision."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


@cache
def limit_of(function: str, unit: float) -> float:
    """The largest error of a function in any library, in units in the last place of its value.

    Parameters
    ----------
    function : str
        NumPy's name, or SciPy's; ``power`` has the largest error over all exponents.
    unit : float
        Unit roundoff of the precision.

    Raises
    ------
    NotUnderstood
        If the function was not measured in that precision, or has no limit.
    """
    if function in DERIVED:
        return DERIVED[function]
    return max(_granted(name, unit) for name in (POWERS if function == "power" else (function,)))


def _granted(function: str, unit: float) -> float:
    known = _entry(function, unit)
    published: dict[str, float] = known.get("published", {"": 0.0})
    # Units of the last place of 1 + |value|, where a value of 0 has libraries' terms in it.
    # PyTorch's gelu is one kernel with an erf of its own.
    errors = known.get("with_one", known["measured"]) | known.get("in_gelu_away", {})
    steady = [error for kind, error in errors.items() if kind not in GROWING_WITH_ARGUMENT.get(function, ())]
    return max(with_margin(steady), *published.values())


@cache
def erf_near_zero(unit: float) -> float:
    """The largest error of erf where its value is below 0.5 in magnitude, in unit roundoffs.

    R has erf by a normal distribution alone, 2 P(x √2) - 1, which is 4 of them off; the one inside of
    PyTorch's gelu, and its erf in bfloat16, are as far off near 0 as next to 1.

    Parameters
    ----------
    unit : float
        Unit roundoff of the precision.

    Raises
    ------
    NotUnderstood
        If erf was not measured in that precision.
    """
    known = _entry("erf", unit).get("in_gelu_near_zero", {})
    return max(4.0, 2.0 * with_margin(known.values())) if known else 4.0


def with_margin(errors: Iterable[float]) -> float:
    """The largest measured error, rounded up to half a unit, plus half a unit, since it is from a sample."""
    return math.ceil(2.0 * max(errors)) / 2.0 + 0.5


def overflows_early(function: str, unit: float) -> bool:
    """Whether a library returns infinity where the true value is in the upper half of the range."""
    return function not in DERIVED and "overflows_early" in _entry(function, unit)


def _entry(function: str, unit: float) -> Mapping[str, Any]:
    precision = PRECISIONS.get(unit, f"a precision of unit roundoff {unit}")
    known: Mapping[str, Any] | None = table()["functions"].get(function, {}).get(precision)
    if known is None or function in WITHOUT_LIMIT:
        raise NotUnderstood(f"{function} in {precision}")
    return known
