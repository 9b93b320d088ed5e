"""The rule that an output is judged by, in words."""

from __future__ import annotations

from typing import assert_never

from harness.model import Value
from harness.model.tolerance import Limit


def rule_text(value: Value) -> str:
    """The rule of an output, with its numbers and the reason for them, and those of other samples."""
    tolerance = value.tolerance
    rules = ["derived"] if tolerance is None else [_text(tolerance)]
    others = () if tolerance is None else tolerance.by_sample
    rules += [f"in {other.samples} {_text(other)}" for other in others]
    return "; ".join([f"up to {value.up_to}", *rules] if value.up_to is not None else rules)


def _text(limit: Limit) -> str:
    text = limit_text(limit)
    if limit.horizon is not None:
        text += f" in the first {limit.horizon} of the first axis"
    return f"{text}: {limit.reason}" if limit.reason else text


def limit_text(limit: Limit) -> str:
    """A rule with its numbers."""
    match limit.rule:
        case "derived" | "exact":
            return limit.rule
        case "ulp":
            return f"{limit.value:g} ULP"
        case "relative" | "absolute":
            return f"{limit.value:g} {limit.rule}"
        case "allclose":
            return f"allclose, {limit.atol:g} + {limit.rtol:g} of what is expected"
        case "norm":
            return f"{limit.value:g} of the largest magnitude{f' of {limit.of}' if limit.of else ''}"
        case "digits":
            return f"{limit.digits} significant digits"
        case _:
            assert_never(limit.rule)
