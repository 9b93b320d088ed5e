"""Where languages part: differences that the reference's own sensitivity to rounding does not explain.

It accuses nobody: what parts is judged by true values. It only has to let through what need not be judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from harness.fuzz.observe import Mask, StageValues
from harness.model import Array, Observation, Stage
from harness.numerics.formats import spacing

Floats = npt.NDArray[np.float64]
Spread = Callable[[Mask], Mapping[str, Floats]]
"""For some inputs, how far each element of each output moves when the inputs move by a last place."""

STEPS = 4.0
"""Units in the last place that two right implementations may always be apart."""
TIMES = 16.0
"""So many times the reference's own movement is taken for rounding."""


def apart(stage: Stage, reference: StageValues, other: StageValues, spread: Spread) -> Floats:
    """How far each input parts two implementations: above 1 it has to be judged.

    Parameters
    ----------
    stage : Stage
        Of both.
    reference, other : StageValues
        For the same inputs.
    spread : callable
        Asked of those that are not near each other.

    Returns
    -------
    ndarray
        The largest distance over what rounding explains; infinite where one has values and the other has
        none, or another form, or another number of NaN. 0 where the reference has none.
    """
    count = len(reference.places)
    scores = np.zeros(count)
    ours, theirs = reference.usual, other.usual
    for position, found in reference.odd.items():
        # A value of the wrong form is the reference's own fault; one that raises takes no such input.
        scores[position] = np.inf if isinstance(found, Observation) else 0.0
    unseen = np.zeros(count, dtype=bool)
    unseen[list(other.unseen)] = True
    scores[ours & ~theirs & ~unseen] = np.inf
    both = ours & theirs
    if not both.any():
        return scores
    if any(reference.stacks[value.name].shape != other.stacks[value.name].shape for value in stage.outputs):
        # Another number of elements; of none at all no element would show it.
        scores[both] = np.inf
        return scores
    distances = {
        value.name: _distance(reference.stacks[value.name], other.stacks[value.name])
        for value in stage.outputs
    }
    near = both.copy()
    for value in stage.outputs:
        near &= _rows(distances[value.name] <= _steps(reference.stacks[value.name]))
    far = both & ~near
    if not far.any():
        return scores
    moved = spread(far)
    for value in stage.outputs:
        distance = distances[value.name][far]
        with np.errstate(all="ignore"):
            allowed = TIMES * moved[value.name] + _steps(reference.stacks[value.name][far])
            share = np.where(distance > 0.0, distance / allowed, 0.0)
        share = np.where(np.isnan(share), np.inf, share)
        scores[far] = np.maximum(scores[far], share.reshape(len(share), -1).max(axis=1, initial=0.0))
    return scores


def nudged(array: Array, salt: int) -> Array:
    """Every number moved by a last place up or down, equal ones alike; zeros and whole numbers' kinds stay.

    Parameters
    ----------
    array : ndarray
        Of any dtype; only floats and complex numbers are moved.
    salt : int
        Another one moves them otherwise.
    """
    if array.dtype.kind == "c":
        parts = array.view(array.real.dtype)
        return nudged(parts, salt).view(array.dtype)
    if array.dtype.kind != "f":
        return array
    bits = np.ascontiguousarray(array).view(f"i{array.dtype.itemsize}")
    with np.errstate(over="ignore"):
        mixed = (bits.astype(np.uint64) + np.uint64(salt)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
    up = (mixed >> np.uint64(63)).astype(bits.dtype) * 2 - 1
    still = (array == 0.0) | ~np.isfinite(array)
    moved = (bits + np.where(still, 0, up).astype(bits.dtype)).view(array.dtype)
    # The largest number would become infinite.
    return np.where(np.isfinite(moved) | still, moved, array)


def _distance(ours: Array, theirs: Array) -> Floats:
    """How far elements lie apart; 0 where they are equal, or NaN alike, and infinite where only one is."""
    if ours.dtype.kind not in "fc" or theirs.dtype.kind not in "fc":
        return np.where(ours == theirs, 0.0, np.inf)
    with np.errstate(over="ignore", invalid="ignore"):
        distance = np.abs(theirs.astype(np.result_type(ours.dtype, np.float64)) - ours).astype(np.float64)
    nan = np.isnan(ours), np.isnan(theirs)
    distance = np.where((ours == theirs) | (nan[0] & nan[1]), 0.0, distance)
    return np.where(np.isnan(distance), np.inf, distance)


def _steps(ours: Array) -> Floats:
    """The distance that is always let through."""
    if ours.dtype.kind not in "fc":
        return np.zeros(ours.shape)
    with np.errstate(invalid="ignore", over="ignore"):
        size = np.abs(ours)
        return STEPS * np.where(np.isfinite(size), spacing(size), 0.0).astype(np.float64)


def _rows(mask: Mask) -> Mask:
    return np.asarray(mask.reshape(len(mask), -1).all(axis=1))
