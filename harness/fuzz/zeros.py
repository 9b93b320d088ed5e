"""Inputs on which nothing but the sign of a zero differs, where the case states that each bit counts."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np

from harness.fuzz.finding import inputs_behind
from harness.fuzz.frames import ReferenceValues
from harness.fuzz.judge import Judge
from harness.fuzz.observe import Mask, StageValues
from harness.model import Array, Case, Stage, Verdict


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


class Sign(msgspec.Struct, frozen=True, kw_only=True):
    """An input on which nothing but the sign of a zero differs, and what a run says of it.

    ``inputs`` are those that the stage depends on.
    """

    implementation: str
    stage: str
    reason: str
    inputs: Mapping[str, Array]


class Signs:
    """Looks at the signs of zeros in a search.

    Parameters
    ----------
    case : Case
        Some of whose stages may state that each bit counts.
    """

    def __init__(self, case: Case) -> None:
        self.stages = [stage for stage in case.stages if exact_outputs(stage)]
        self.told: list[Sign] = []
        self._behind = {stage.name: inputs_behind(case, stage.name) for stage in self.stages}
        self._smallest: dict[tuple[str, str], dict[str, Array]] = {}
        self._drawn: dict[tuple[str, str], dict[str, Array]] = {}

    def look(self, reference: ReferenceValues, found: Mapping[str, Mapping[str, StageValues]]) -> int:
        """On how many inputs of a batch nothing else differs at a stage; the smallest of all is kept."""
        differ = np.zeros(reference.batch.count, dtype=bool)
        for stage in self.stages:
            for name, values in found.items():
                if stage.name not in values:
                    continue
                here = signs_differ(stage, reference, values[stage.name])
                if not here.any():
                    continue
                differ |= here
                drawn = reference.batch.one(int(np.argmax(here)))
                one = {name: array for name, array in drawn.items() if name in self._behind[stage.name]}
                known = self._smallest.get((name, stage.name))
                if known is None or _size(one) < _size(known):
                    self._smallest[name, stage.name] = one
                    self._drawn[name, stage.name] = drawn
        return int(differ.sum())

    def judge(self, judge: Judge) -> None:
        """Judge what was kept as the case states it; what a run would fail on is told."""
        names = {f"sign_{place}": key for place, key in enumerate(sorted(self._smallest))}
        if not names:
            return
        judged = judge({sample: self._drawn[key] for sample, key in names.items()}, as_stated=True)
        self.told = []
        for sample, (implementation, stage) in names.items():
            for accusation in judged.accusations:
                at = (accusation.sample, *accusation.place)
                if at == (sample, implementation, stage) and accusation.verdict.verdict is Verdict.FAIL:
                    inputs = self._smallest[implementation, stage]
                    reason = accusation.verdict.reason
                    self.told.append(
                        Sign(implementation=implementation, stage=stage, reason=reason, inputs=inputs)
                    )
                    break


def _size(inputs: Mapping[str, Array]) -> int:
    return sum(array.size for array in inputs.values())


def _reals(stack: Array) -> Array:
    """The numbers of an array, of complex ones both parts, along a last dimension."""
    if stack.dtype.kind == "c":
        return np.stack([stack.real, stack.imag], axis=-1)
    return stack


def _rows(mask: Mask) -> Mask:
    return mask.reshape(len(mask), -1)
