"""What all implementations return for a batch: the reference along its own chain, others on its values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import msgspec
import numpy as np

from harness.fuzz.draw import Batch
from harness.fuzz.observe import Mask, Places, StageValues, Subject, has_nan
from harness.model import ANY_DIMENSIONS, Array, Stage


class ReferenceValues(msgspec.Struct, frozen=True, kw_only=True):
    """What the reference returned for a batch.

    ``values`` are inputs and outputs by name; ``sound`` says for which inputs of the batch they are values
    that somebody can be compared with.
    """

    batch: Batch
    stages: Mapping[str, StageValues]
    values: Mapping[str, Array]
    sound: Mapping[str, Mask]

    def inputs(self, stage: Stage) -> tuple[Places, dict[str, Array]]:
        """The places of the inputs that a stage can be run on, and the arrays that it takes."""
        return taken(stage, self.values, self.sound, self.batch.count)


def taken(
    stage: Stage, values: Mapping[str, Array], sound: Mapping[str, Mask], count: int
) -> tuple[Places, dict[str, Array]]:
    """The places at which all that a stage takes is there, and the arrays there."""
    mask = np.ones(count, dtype=bool)
    for name in stage.inputs:
        mask &= sound.get(name, np.zeros(count, dtype=bool))
    places = np.flatnonzero(mask)
    return places, {name: values[name][places] for name in stage.inputs} if places.size else {}


def observe_reference(
    subject: Subject, stages: Sequence[Stage], batch: Batch, until: float = math.inf
) -> Iterator[ReferenceValues]:
    """The reference's values of a batch, stage by stage: at once, or by the sizes that a stage gives back.

    An input goes no further where the reference raises, returns something that is not declared, or NaN where
    the case expects none. Where the size of a result depends on the numbers, those of the same size come
    together, the most frequent first.

    Raises
    ------
    TimeIsUp
        It is ``until``, as `time.perf_counter` has it.
    """
    rest: Batch | None = batch
    while rest is not None:
        found, rest = _one_size(subject, stages, rest, until)
        yield found


def _one_size(
    subject: Subject, stages: Sequence[Stage], batch: Batch, until: float
) -> tuple[ReferenceValues, Batch | None]:
    """The values of inputs whose results have the same sizes, and the other inputs."""
    values: dict[str, Array] = dict(batch.arrays)
    sound = {name: np.ones(batch.count, dtype=bool) for name in values}
    here = np.ones(batch.count, dtype=bool)
    of_stages = {}
    for stage in stages:
        # What is left for a batch of its own takes no part in what is the usual size of a later stage.
        places, given = taken(stage, values, {name: mask & here for name, mask in sound.items()}, batch.count)
        if not places.size:
            continue
        by_size = _has_own_size(stage, batch.sizes)
        found = subject.stage(stage, places, given, batch.sizes, by_size=by_size, until=until)
        of_stages[stage.name] = found
        here[places[sorted(found.elsewhere)]] = False
        usual = found.usual
        for value in stage.outputs:
            if not found.stacks:
                continue
            stack = found.stacks[value.name]
            whole = np.zeros((batch.count, *stack.shape[1:]), stack.dtype)
            whole[places] = stack
            mask = np.zeros(batch.count, dtype=bool)
            mask[places] = usual & (value.nan or ~has_nan(stack))
            values[value.name], sound[value.name] = whole, mask
    whole_batch = ReferenceValues(batch=batch, stages=of_stages, values=values, sound=sound)
    if here.all():
        return whole_batch, None
    return _rows(whole_batch, here), batch.rows(~here)


def _has_own_size(stage: Stage, sizes: Mapping[str, int]) -> bool:
    """Whether the size of an output may depend on numbers: no input has its symbol."""
    return any(
        isinstance(symbol, str) and symbol != ANY_DIMENSIONS and symbol not in sizes
        for value in stage.outputs
        for symbol in value.shape
    )


def _rows(found: ReferenceValues, here: Mask) -> ReferenceValues:
    """The values of some inputs of a batch."""
    renumbered = np.cumsum(here) - 1
    stages = {}
    for name, values in found.stages.items():
        kept = here[values.places]
        positions = np.cumsum(kept) - 1
        stages[name] = StageValues(
            places=renumbered[values.places[kept]],
            stacks={output: stack[kept] for output, stack in values.stacks.items()},
            odd={int(positions[place]): odd for place, odd in values.odd.items() if kept[place]},
            unseen=frozenset(int(positions[place]) for place in values.unseen if kept[place]),
        )
    return ReferenceValues(
        batch=found.batch.rows(here),
        stages=stages,
        values={name: array[here] for name, array in found.values.items()},
        sound={name: mask[here] for name, mask in found.sound.items()},
    )


def observe_others(
    subject: Subject, stages: Sequence[Stage], reference: Sequence[ReferenceValues]
) -> list[dict[str, StageValues]]:
    """What another implementation returns for a batch, by the sizes of the reference's results."""
    return [observe_other(subject, stages, ours) for ours in reference]


def observe_other(
    subject: Subject, stages: Sequence[Stage], reference: ReferenceValues
) -> dict[str, StageValues]:
    """What another implementation returns on the reference's values, by stage."""
    found = {}
    for stage in stages:
        places, given = reference.inputs(stage)
        if places.size:
            found[stage.name] = subject.stage(stage, places, given, reference.batch.sizes)
    return found
