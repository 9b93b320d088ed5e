"""Looks up an implementation's value, its true value, and the rule that it is judged by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

import numpy as np

from harness.conformance.no_number import with_no_numbers
from harness.model import Array, Failure, Observed, Stage, Tolerance, Truth, Truths, Value, Verdict
from harness.model.outcome import NOTHING_DUE


def value_of(observed: Observed, sample: str, stage: Stage, value: Value) -> Array | Failure:
    """One value of one sample, or why there is none."""
    result = observed.get((sample, stage.name))
    if result is None:
        return Failure(verdict=Verdict.NOT_RUN, reason="not observed")
    if isinstance(result, Failure):
        return result
    return result.invalid.get(value.name, result.outputs[value.name])


def rule_of(value: Value) -> Tolerance:
    """The declared tolerance; where none is declared, it is derived."""
    return value.tolerance or Tolerance(rule="derived")


def is_unknown(truth: Truth | Failure) -> TypeGuard[Failure]:
    """Whether the truth is not known; where the harness failed on it, that is an error."""
    return isinstance(truth, Failure) and truth.verdict is not Verdict.ERROR


def unknown_samples(truths: Iterable[tuple[str, Truth | Failure]]) -> dict[str, str]:
    """Return the samples whose true values are not known, with the reason; ``truths`` are pairs by sample."""
    return {sample: f"{NOTHING_DUE}{truth.reason}" for sample, truth in truths if is_unknown(truth)}


def is_decided(truth: Truth | Failure | None) -> bool:
    """Whether the true value and limit of every element are known."""
    return isinstance(truth, Truth) and truth.undecided is None


def truth_of(
    truths: Truths,
    sample: str,
    value: Value,
    theirs: Array | Failure | None = None,
    ours: Array | Failure | None = None,
) -> Truth | Failure:
    """The true values of an output in one sample, or why there are none by which anybody can be judged.

    Where every element is undecided, they are the bounds of the branches, if every element has such bounds.
    With ``theirs``, the reference's output, NaN and poles of exact operands are expected where it has them;
    ``ours`` is the output that is judged: see `with_no_numbers`.
    """
    truth = truths.get((sample, value.name))
    if truth is None:
        return Failure(verdict=Verdict.NOT_RUN, reason="the oracle was not asked")
    if theirs is not None:
        truth = with_no_numbers(truth, theirs, theirs if ours is None else ours)
    if isinstance(truth, Truth) and is_undecided(truth) and not _is_bounded(truth):
        return Failure(verdict=Verdict.NOT_RUN, reason=truth.why or "no element's true value is decided")
    return truth


def _is_bounded(truth: Truth) -> bool:
    """Whether it is known of every element how far any branch may lead."""
    return truth.reach is not None and bool(np.isfinite(truth.reach).all())


def is_undecided(truth: Truth) -> bool:
    """Whether there are elements, and all of them are undecided."""
    return truth.undecided is not None and truth.high.size > 0 and bool(truth.undecided.all())
