"""The values that a report draws: those that a case marks with ``show``."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

import numpy as np

from harness.conformance.gather import FinishedUnit
from harness.model import Array, Exhibit, Observation, Show, Value

LARGEST = 4096
"""Numbers of one exhibit; an array with more is not shown."""


def exhibits(item: FinishedUnit) -> Iterator[Exhibit]:
    """The marked values of one implementation, chained, in the first of the case's precisions."""
    case = item.planned.case
    if item.precision is not case.precisions[0]:
        return
    for stage in case.stages:
        for value in stage.outputs:
            if value.show is None:
                continue
            for sample in item.planned.fixture.samples:
                observation = item.chained.get((sample, stage.name))
                if not fnmatchcase(sample, value.show_samples) or not isinstance(observation, Observation):
                    continue
                array = observation.outputs[value.name]
                if not drawable(array, value.show):
                    continue
                yield Exhibit(
                    case=case.name,
                    stage=value.name,
                    sample=sample,
                    implementation=item.implementation.id,
                    precision=item.precision,
                    show=value.show,
                    shape=array.shape,
                    values=tuple(array.astype(np.float64).ravel().tolist()),
                    labels=_labels(item, value, sample, array),
                )


def drawable(array: Array, show: Show) -> bool:
    """Whether an array is a curve, or one or several maps, of real numbers, and not too large."""
    dimensions = array.ndim == 1 if show == "curve" else array.ndim >= 2
    return dimensions and array.dtype.kind in "fiub" and 0 < array.size <= LARGEST


def _labels(item: FinishedUnit, value: Value, sample: str, array: Array) -> tuple[str, ...]:
    words = item.planned.fixture.labels.get(value.labels or sample, ())
    return words if array.shape[-2:] == (len(words), len(words)) else ()
