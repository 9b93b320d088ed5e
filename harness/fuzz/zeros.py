"""Inputs on which nothing but the sign of a zero differs, where the case states that each bit counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from harness.fuzz.draw import batch_of
from harness.fuzz.frames import ReferenceValues, observe_other, observe_reference
from harness.fuzz.observe import Mask, StageValues, Subject
from harness.model import Array, Case, Stage


def exact_outputs(stage: Stage) -> tuple[str, ...]:
    """The outputs of floats whose tolerance is stated as exact."""
    return tuple(
        value.name
        for value in stage.outputs
        if value.dtype in ("float", "complex") and value.tolerance and value.tolerance.rule == "exact"
    )


def signs_differ(stage: Stage, reference: ReferenceValues, other: StageValues) -> Mask:
    """On which inputs of a batch two implementations have equal numbers, and a zero of another sign."""
    mask = np.zeros(reference.batch.count, dtype=bool)
    ours = reference.stages.get(stage.name)
    names = exact_outputs(stage)
    if ours is None or any(
        name not in other.stacks or other.stacks[name].shape != ours.stacks[name].shape
        for name in (ours.stacks and names)
    ):
        return mask
    equal, signs = ours.usual & other.usual, np.zeros(len(ours.places), dtype=bool)
    if not equal.any():
        return mask
    for name in names:
        a, b = _reals(ours.stacks[name]), _reals(other.stacks[name])
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        equal &= _rows(same).all(axis=1)
        signs |= _rows((a == 0.0) & (b == 0.0) & (np.signbit(a) != np.signbit(b))).any(axis=1)
    mask[ours.places] = equal & signs
    return mask


def signs_differ_on(
    case: Case, stage: Stage, reference: Subject, other: Subject, inputs: Sequence[Mapping[str, Array]]
) -> list[bool]:
    """The same of inputs of the same shapes that are not yet evaluated."""
    batch = batch_of(case, {name: np.stack([given[name] for given in inputs]) for name in inputs[0]})
    shown = [False] * len(inputs)
    for ours in observe_reference(reference, case.stages, batch):
        theirs = observe_other(other, (stage,), ours).get(stage.name)
        if theirs is not None:
            for place in np.flatnonzero(signs_differ(stage, ours, theirs)).tolist():
                shown[ours.batch.place(place)] = True
    return shown


def _reals(stack: Array) -> Array:
    """The numbers of an array, of complex ones both parts, along a last dimension."""
    if stack.dtype.kind == "c":
        return np.stack([stack.real, stack.imag], axis=-1)
    return stack


def _rows(mask: Mask) -> Mask:
    return mask.reshape(len(mask), -1)
