"""Propagation of errors through a function: draws by its derivatives, and more where it is not linear."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle.arithmetic import finite
from harness.oracle.draws import LAMBDA
from harness.oracle.rounding import Rounded

Array = npt.NDArray[Any]


def propagated(
    value: Array,
    operands: Sequence[Rounded],
    slopes: Sequence[Any],
    bound: Callable[..., Array],
    roundoff: Array,
    overflows: Any = False,
) -> Rounded:
    """A function's value with the errors of its operands and its own.

    Draws are multiplied by the derivatives. Over `LAMBDA` times their spread, which a limit allows, a
    function may be far from linear, as a root or an even power is at 0. Where its bound over that range
    exceeds the linear error, further draws cover the difference. Where it has no bound, as a logarithm next
    to 0, the element is undecided.

    Parameters
    ----------
    value : ndarray
        The function's value.
    operands : sequence of Rounded
    slopes : sequence of array_like
        Derivatives by each operand. A derivative that is not finite counts as 0.
    bound : callable
        From an error of each operand to a bound on the error of the value.
    own : ndarray
        The function's own error.
    overflows : array_like of bool
        Where an infinite value is an overflow, which is undecided. Elsewhere it is a pole, which another
        computation may miss, as it may have a number where the value is NaN.

    Returns
    -------
    Rounded
    """
    first = operands[0]
    shape = value.shape
    worst = _known(bound(*(operand.worst for operand in operands)), operands)
    draws: Array | None = None
    for rounded, slope in zip(operands, slopes, strict=True):
        carried = rounded._carried(np.where(np.isfinite(slope), slope, 0.0), value.ndim)
        if carried is not None:
            draws = carried if draws is None else draws + carried
    numbers = overflows & finite(*operands)
    if draws is None:
        return _decided(
            first._made(value, worst, None, roundoff, roundoff, numbers=numbers), worst, operands, overflows
        )
    spread = type(first)(value, 0.0, np.broadcast_to(draws, (len(draws), *shape))).probable()
    ranges = [np.minimum(operand.worst, LAMBDA * operand.probable()) for operand in operands]
    probable = _known(bound(*ranges), operands) / LAMBDA
    # A difference of one part in a hundred counts as linear.
    bends = np.where(probable > 1.01 * spread, probable, 0.0)
    rest = np.sqrt(np.maximum(bends - spread, 0.0)) * np.sqrt(bends + spread)
    bounded = np.isfinite(probable)
    spread = np.where(bounded, np.hypot(roundoff, rest), roundoff)
    made = first._made(value, worst, draws, roundoff, spread, numbers=numbers)
    return _decided(made, probable, operands, overflows)


def _decided(made: Rounded, bound: Array, operands: Sequence[Rounded], overflows: Any) -> Rounded:
    """The result, undecided without a bound and at poles that may be missed; a NaN may be a number."""
    inherited = ~_exact(operands)
    lost = np.isnan(made.value) & inherited
    if lost.any():
        made._loses()
        made = type(made)(made.value, np.where(lost, np.inf, made.worst), made.draws)
    poles = np.isinf(made.value) & inherited & ~np.asarray(overflows)
    unknown = np.isinf(bound) & np.isfinite(made.value) | poles
    if not unknown.any():
        return made.as_undecided(lambda: _doubtful(operands))
    # An operand that is undecided has its reason already.
    if (unknown & ~_doubtful(operands)).any():
        made.branches.unbounded()
    return made.spoiled(unknown).as_undecided(lambda: _doubtful(operands))


def _doubtful(operands: Sequence[Rounded]) -> Array:
    doubts: Array = np.logical_or.reduce(np.broadcast_arrays(*(operand.doubtful() for operand in operands)))
    return doubts


def _known(bound: Array, operands: Sequence[Rounded]) -> Array:
    """A bound with 0 for exact operands, and infinity where it is NaN."""
    known: Array = np.where(_exact(operands), 0.0, np.where(np.isnan(bound), np.inf, bound))
    return known


def _exact(operands: Sequence[Rounded]) -> Array:
    exact: Array = np.logical_and.reduce(np.broadcast_arrays(*(operand.worst == 0 for operand in operands)))
    return exact
