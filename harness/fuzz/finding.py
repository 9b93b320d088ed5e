"""What is found: an implementation that is off on an input, and how two such inputs are told apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec
import numpy as np

from harness.fuzz.judge import Accusation, Judged
from harness.fuzz.observe import Mask
from harness.model import Array, Case, Verdict
from harness.model.outcome import NO_ANSWER

Kind = Literal["value", "no answer"]
Key = tuple[str, str, Kind]
"""An implementation, a stage, and what is wrong there."""

Traits = frozenset[str]
SIZE = "size "
"""What the name of a trait of the size begins with."""
MOST = 3
"""Findings of one key: who is off everywhere is off in many ways."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """An implementation that is off on an input, in the smallest form that was found.

    ``batch`` and ``place`` say where it was drawn; both are -1 for an input that had been kept.
    """

    kind: Kind
    accusation: Accusation
    judged: Judged
    inputs: Mapping[str, Array]
    batch: int
    place: int

    @property
    def key(self) -> Key:
        """Whom it accuses, where and of what."""
        return *self.accusation.place, self.kind


def kind_of(accusation: Accusation) -> Kind:
    """Whether an implementation is accused of its values, or of giving none."""
    return "no answer" if accusation.verdict.verdict in NO_ANSWER else "value"


def is_fault(finding: Finding) -> bool:
    """Whether an implementation gave no answer: it raised an error, crashed or did not end."""
    return finding.accusation.verdict.verdict in (Verdict.ERROR, Verdict.TIMEOUT)


def traits_of(stacks: Mapping[str, Array]) -> dict[str, Mask]:
    """By trait which of some inputs have it; they lie along the first dimension of each array."""
    traits: dict[str, Mask] = {}

    def note(trait: str, mask: Mask) -> None:
        traits[trait] = traits[trait] | mask if trait in traits else mask

    for name, stack in stacks.items():
        count = len(stack)
        for axis, size in enumerate(stack.shape[1:]):
            if size < 2:
                note(f"{SIZE}{axis} of {name}: {size}", np.ones(count, dtype=bool))
        if stack.dtype.kind not in "fiu" or not stack[0:1].size:
            continue
        flat = stack.reshape(count, -1)
        ordered = np.sort(flat, axis=1)
        note("equal numbers", (ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
        if stack.dtype.kind != "f":
            continue
        info = np.finfo(stack.dtype.name)
        size = np.abs(flat)
        marked: tuple[tuple[str, Mask], ...] = (
            ("a zero", flat == 0.0),
            ("a negative zero", (flat == 0.0) & np.signbit(flat)),
            ("NaN", np.isnan(flat)),
            ("an infinity", np.isinf(flat)),
            ("a subnormal number", (size > 0.0) & (size < info.tiny)),
            ("a huge number", np.isfinite(flat) & (size > np.sqrt(info.max))),
        )
        for trait, places in marked:
            note(trait, np.asarray(places.any(axis=1)))
    return traits


class Known:
    """Which inputs a finding explains: those with all the traits that it has been seen to need."""

    def __init__(self, case: Case) -> None:
        self._traits: dict[Key, list[Traits]] = {}
        self._taken = {stage.name: inputs_behind(case, stage.name) for stage in case.stages}

    def __contains__(self, key: Key) -> bool:
        return key in self._traits

    def explains(self, key: Key, inputs: Mapping[str, Array]) -> bool:
        """Whether what is off on an input is what was found."""
        return bool(self.explained(key, {name: array[None] for name, array in inputs.items()}, 1)[0])

    def explained(self, key: Key, stacks: Mapping[str, Array], count: int) -> Mask:
        """On which inputs of a batch what is off is what was found."""
        found = self._traits.get(key, [])
        if len(found) >= MOST:
            return np.ones(count, dtype=bool)
        traits = traits_of(self._of(key, stacks))
        mask = np.zeros(count, dtype=bool)
        for needed in found:
            having = np.ones(count, dtype=bool)
            for trait in needed:
                having &= traits.get(trait, np.zeros(count, dtype=bool))
            mask |= having
        return mask

    def add(self, key: Key, small: Mapping[str, Array], drawn: Mapping[str, Array], *, general: bool) -> None:
        """Note a finding: its inputs need what is special in both; in a general one no numbers."""
        needed = traits_in(self._of(key, small)) & traits_in(self._of(key, drawn))
        if general:
            needed = frozenset(trait for trait in needed if trait.startswith(SIZE))
        self._traits.setdefault(key, []).append(needed)

    def share(self, key: Key, small: Mapping[str, Array], drawn: Mapping[str, Array]) -> bool:
        """Whether there is anything special in both."""
        return bool(traits_in(self._of(key, small)) & traits_in(self._of(key, drawn)))

    def needs_less(self, key: Key, small: Mapping[str, Array], drawn: Mapping[str, Array]) -> bool:
        """Whether an input whose smallest form is a finding's has something of what that one needs.

        No more than that is needed then.
        """
        at, least = traits_in(self._of(key, drawn)), traits_in(self._of(key, small))
        found = self._traits.get(key, [])
        same = [place for place, needed in enumerate(found) if needed <= least and needed & at]
        for place in same:
            found[place] &= at
        return bool(same)

    def needs_nothing(self, key: Key) -> None:
        """Note that what was found shows on all inputs."""
        self._traits.setdefault(key, []).append(frozenset())

    def _of(self, key: Key, inputs: Mapping[str, Array]) -> dict[str, Array]:
        """The inputs that the stage depends on."""
        return {name: array for name, array in inputs.items() if name in self._taken[key[1]]}


def inputs_behind(case: Case, stage: str) -> set[str]:
    """What a stage of a case depends on, inputs and outputs."""
    needed = {name for known in case.stages if known.name == stage for name in known.inputs}
    for other in reversed(case.stages):
        if needed & {value.name for value in other.outputs}:
            needed |= set(other.inputs)
    return needed


def traits_in(inputs: Mapping[str, Array]) -> Traits:
    """What is special in one input."""
    masks = traits_of({name: array[None] for name, array in inputs.items()})
    return frozenset(trait for trait, mask in masks.items() if mask[0])
