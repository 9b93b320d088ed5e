"""Proofs that a change is equivalent: equal bits, equal true values, or values without such digits."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from harness.audit.boundary import Injected, same_bits, single, wide
from harness.conformance.lookup import rule_of
from harness.model import Array, Case, Failure, Observed, Tolerance, Truth, Truths, UpTo
from harness.numerics.equivalence import facing

TRUTH_BITS = 90
"""True values that agree to so many bits are equal; they are known to more."""


def all_derived(case: Case) -> Case:
    """Return the case without stated tolerances, so that the oracle computes all its values."""
    return derived_in(case, frozenset(stage.name for stage in case.stages))


def derived_in(case: Case, names: frozenset[str]) -> Case:
    """Return the case with derived tolerances in these stages only, so that the oracle computes no others."""
    exact = Tolerance(rule="exact")
    return msgspec.structs.replace(
        case,
        stages=tuple(
            msgspec.structs.replace(
                stage,
                outputs=tuple(
                    msgspec.structs.replace(value, tolerance=None if stage.name in names else exact)
                    for value in stage.outputs
                ),
            )
            for stage in case.stages
        ),
    )


def is_derived(case: Case) -> bool:
    """Whether the oracle is asked about any value of a case."""
    return any(rule_of(value).rule == "derived" for value in case.values.values())


def proof_by_bits(before: Array, after: Array) -> str:
    """Prove equivalence by equal bits."""
    return "not one bit changes" if same_bits(before, after) else ""


def proof_by_horizon(horizon: int | None, before: Array, after: Array) -> str:
    """All that changes is beyond the horizon, where the case has nothing judged but that it is a number."""
    if horizon is None or before.shape != after.shape or not same_bits(before[:horizon], after[:horizon]):
        return ""
    return f"not one bit changes in the first {horizon} of the first axis, and the case has no others judged"


def proof_by_equivalence(up_to: UpTo | None, before: Array, after: Array) -> str:
    """The case says that the two values are the same: what faces the changed one is the changed one."""
    if up_to is None or before.dtype != after.dtype:
        return ""
    same = np.array_equal(facing(up_to, before, after), after)
    return f"the case says that the two are the same, up to {up_to}" if same else ""


def proof_by_truth(injected: Injected, truth: Truth | Failure | None, other: Truth | Failure | None) -> str:
    """The fault leaves the true values as they are: those of the whole graph, evaluated in balls.

    Parameters
    ----------
    injected : Injected
        The fault, which moves elements, or gives another stage's.
    truth, other : Truth or Failure or None
        The true values of the stage, and of the other stage.
    """
    if not isinstance(truth, Truth):
        return ""
    if injected.move is not None:
        high, low = injected.move(truth.high), injected.move(truth.low)
    elif isinstance(other, Truth):
        high, low = other.high, other.low
    else:
        return ""
    return f"the true values stay the same to 2^-{TRUTH_BITS}" if same_truth(truth, high, low) else ""


def same_truth(truth: Truth, high: Any, low: Any) -> bool:
    """Whether two sums of two doubles are one number, beside the largest of them."""
    ours_high: Any = truth.high
    ours_low: Any = truth.low
    if high.shape != ours_high.shape:
        return False
    finite = np.isfinite(ours_high) & np.isfinite(high)
    if not np.array_equal(ours_high[~finite], high[~finite]):
        return False
    scale = np.abs(ours_high[finite]).max(initial=0.0)
    apart = np.abs((ours_high[finite] - high[finite]) + (ours_low[finite] - low[finite]))
    return bool((apart <= 2.0**-TRUTH_BITS * scale).all())


def within_zero(array: Array, limit: float | Array) -> bool:
    """Whether no element that has a limit is larger than that, and one has a limit."""
    limits = np.broadcast_to(np.asarray(limit, dtype=np.float64), array.shape)
    judged = ~np.isnan(limits)
    return bool(judged.any() and (np.abs(wide(array))[judged] <= limits[judged]).all())


def proof_by_digits(injected: Injected, expected: Array, limit: float | Array, rule: Tolerance) -> str:
    """No element is known so well that the fault could show; undecided ones, without a limit, are not judged.

    A derived limit says so itself: what a sound evaluation may lose. A fault of up to two of them may end
    within the limit, since what it moves may be one away on the other side. By a stated limit, all elements
    have to be within it of zero, whatever the fault.
    """
    share, allowed = (injected.share, 2.0) if rule.rule == "derived" else (1.0, 1.0)
    limits = np.broadcast_to(np.asarray(limit, dtype=np.float64), expected.shape)
    judged = ~np.isnan(limits)
    limits, sizes = limits[judged], np.abs(wide(expected))[judged]
    if not sizes.size or not np.isfinite(sizes).all() or (limits <= 0)[sizes > 0].any():
        return ""
    most = float((sizes / np.where(limits > 0, limits, 1.0)).max())
    return f"no element is larger than {most:.3g} times its limit" if most * share <= allowed else ""


def proof_by_identity(case: Case, name: str, other: str) -> str:
    """Prove equivalence by an identity of the case: every run checks that the two values are equal."""
    known = {divergence.identity for divergence in case.known_divergences}
    for identity in case.identities:
        if {identity.left, identity.right} == {name, other} and identity.id not in known:
            return f"the case's identity {identity.id!r}, which holds, says that the two are equal"
    return ""


def tells_float32(limit: float | Array, rule: Tolerance) -> str:
    """Which elements tell a rounding to float32 that a stated limit lets through; empty if none can."""
    if rule.rule != "absolute":
        return ""
    # Rounding moves a number of 2^e by up to 2^(e-24).
    least = 2.0**25 * float(np.max(limit))
    return f"elements beyond {least:.3g}, of which float32's rounding is more than the limit"


def same_truths(sound: Truths, changed: Truths) -> bool:
    """Whether a changed source has the same true values everywhere."""
    if not sound or sound.keys() != changed.keys():
        return False
    for key, truth in sound.items():
        other = changed[key]
        if not isinstance(truth, Truth) or not isinstance(other, Truth):
            return False
        if not same_truth(truth, other.high, other.low):
            return False
    return True


def proof_by_rounding(before: Observed, after: Observed, truths: Truths) -> str:
    """The change does no more than to round what is returned to float32, which the true values are."""
    for (sample, stage), observation in before.items():
        also = after[sample, stage]
        if isinstance(observation, Failure) or isinstance(also, Failure):
            return ""
        for name, array in observation.outputs.items():
            truth = truths.get((sample, name))
            if not isinstance(truth, Truth) or not same_bits(single(array), also.outputs[name]):
                return ""
            if not same_truth(truth, single(truth.high), single(truth.low)):
                return ""
    return "it rounds what is returned to float32, and the true values are such numbers"
