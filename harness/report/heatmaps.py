"""Heat maps of what every implementation returned, on one scale, and how far they are apart in ULP."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import msgspec
import numpy as np
import numpy.typing as npt

from harness.model import Exhibit, Precision, Record
from harness.report import view

SHADES = 10
"""How many colours a scale has."""

LARGEST = 40
"""Rows and columns of a map that are drawn."""

Floats = npt.NDArray[np.float64]


class Square(msgspec.Struct, frozen=True, kw_only=True):
    """One element: its shade, and its digits."""

    shade: int
    text: str


class Map(msgspec.Struct, frozen=True, kw_only=True):
    """One implementation's map, or the map of its distances from the reference in ULP."""

    implementation: str
    title: str
    rows: tuple[tuple[Square, ...], ...]
    distance: bool
    cut: bool = False


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """All maps of one stage of one sample, on one scale."""

    stage: str
    scale: str
    labels: tuple[str, ...]
    maps: tuple[Map, ...]
    differences: tuple[Map, ...]


class Gallery(msgspec.Struct, frozen=True, kw_only=True):
    """The panels that show the same words."""

    case: str
    sample: str
    words: str
    panels: tuple[Panel, ...]


def galleries(record: Record) -> tuple[Gallery, ...]:
    """All heat maps of a record: by case, sample and words, each stage with all its implementations."""
    order = {name: place for place, name in enumerate(view.implementations(record))}
    groups: dict[tuple[str, str, tuple[str, ...]], dict[str, list[Exhibit]]] = {}
    for exhibit in sorted(record.exhibits, key=lambda e: (e.case, order.get(e.implementation, len(order)))):
        if exhibit.show == "heatmap" and _sound(exhibit):
            stages = groups.setdefault((exhibit.case, exhibit.sample, exhibit.labels), {})
            stages.setdefault(exhibit.stage, []).append(exhibit)
    references = {case.name: case.reference for case in record.header.cases}
    return tuple(
        Gallery(
            case=case,
            sample=sample,
            words=" ".join(labels),
            panels=tuple(
                panel
                for stage, exhibits in stages.items()
                for panel in _panels(stage, exhibits, references.get(case, ""))
            ),
        )
        for (case, sample, labels), stages in groups.items()
    )


def ulp_distance(left: Floats, right: Floats, precision: Precision) -> Floats:
    """How many representable numbers lie between two arrays, element by element; NaN to NaN is 0.

    Parameters
    ----------
    left, right : ndarray of float64
        Of one shape.
    precision : Precision
        The format whose numbers are counted.

    Returns
    -------
    ndarray of float64
        Infinity where one side only is NaN.
    """
    counted = [_ordered(side, precision) for side in (left, right)]
    distance = np.abs(np.subtract(*(side.astype(np.longdouble) for side in counted))).astype(np.float64)
    nan = np.isnan(left), np.isnan(right)
    array: Floats = np.where(nan[0] & nan[1], 0.0, np.where(nan[0] | nan[1], np.inf, distance))
    return array


def _ordered(values: Floats, precision: Precision) -> npt.NDArray[np.int64]:
    dtype = np.dtype(precision.numpy_dtype)
    pattern = np.dtype(f"i{dtype.itemsize}")
    with np.errstate(over="ignore"):
        bits = values.astype(dtype).view(pattern).astype(np.int64)
    if precision is Precision.BFLOAT16:
        bits, pattern = bits >> 16, np.dtype(np.int16)
    return np.where(bits < 0, np.int64(np.iinfo(pattern).min) - bits, bits)


def _sound(exhibit: Exhibit) -> bool:
    if len(exhibit.shape) < 2 or not math.prod(exhibit.shape) == len(exhibit.values) > 0:
        return False
    return not exhibit.labels or exhibit.shape[-2:] == (len(exhibit.labels),) * 2


def _panels(stage: str, exhibits: Sequence[Exhibit], reference: str) -> Iterable[Panel]:
    """One panel for each of the maps that a stage holds: the last two dimensions are drawn."""
    shape = exhibits[0].shape
    exhibits = [exhibit for exhibit in exhibits if exhibit.shape == shape]
    first = next((exhibit for exhibit in exhibits if exhibit.implementation == reference), exhibits[0])
    arrays = {exhibit.implementation: np.array(exhibit.values).reshape(shape) for exhibit in exhibits}
    low, high = _range(arrays.values())
    for lead in product(*map(range, shape[:-2])):
        name = f"{stage}{list(lead)}" if math.prod(shape[:-2]) > 1 else stage
        slices = {who: array[lead] for who, array in arrays.items()}
        maps = tuple(_map(who, name, array, low, high) for who, array in slices.items())
        away = {
            who: ulp_distance(array, slices[first.implementation], first.precision)
            for who, array in slices.items()
            if who != first.implementation
        }
        yield Panel(
            stage=name,
            scale=f"{low:.6g} to {high:.6g}",
            labels=exhibits[0].labels,
            maps=maps,
            differences=tuple(_distances(who, first.implementation, array) for who, array in away.items()),
        )


def _range(arrays: Iterable[Floats]) -> tuple[float, float]:
    finite = [array[np.isfinite(array)] for array in arrays]
    seen = np.concatenate(finite) if finite else np.zeros(0)
    return (float(seen.min()), float(seen.max())) if seen.size else (0.0, 0.0)


def _map(who: str, stage: str, array: Floats, low: float, high: float) -> Map:
    size = high - low
    # As many digits as distinguish the colours.
    digits = min(max(math.ceil(-math.log10(size)) + 1, 0), 6) if 0 < size < math.inf else 3

    def square(value: float) -> Square:
        if not math.isfinite(value):
            return Square(shade=-1, text="NaN" if math.isnan(value) else "∞" if value > 0 else "-∞")
        share = (value - low) / size if 0 < size < math.inf else 0.0
        text = f"{value:.{digits}f}" if abs(value) < 1e4 else f"{value:.0e}"
        return Square(
            shade=min(int(share * SHADES), SHADES - 1),
            text=text.replace("0.", ".", 1) if text[0] == "0" else text,
        )

    return Map(
        implementation=who,
        title=f"{stage} of {who}",
        rows=tuple(tuple(map(square, row)) for row in array[:LARGEST, :LARGEST].tolist()),
        distance=False,
        cut=max(array.shape) > LARGEST,
    )


def _distances(who: str, reference: str, array: Floats) -> Map:
    def square(value: float) -> Square:
        if math.isinf(value):
            return Square(shade=SHADES - 1, text="NaN")
        shade = 0 if value == 0 else min(1 + int(math.log2(value)), SHADES - 1)
        return Square(shade=shade, text=f"{value:.0f}" if value < 1e4 else f"{value:.0e}".replace("e+0", "e"))

    return Map(
        implementation=who,
        title=f"ULP between {who} and {reference}",
        rows=tuple(tuple(map(square, row)) for row in array[:LARGEST, :LARGEST].tolist()),
        distance=True,
        cut=max(array.shape) > LARGEST,
    )


def curves_of(record: Record) -> Mapping[tuple[str, str, str], dict[str, tuple[float, ...]]]:
    """All curves of a record: by case, sample and stage, those of every implementation."""
    order = {name: place for place, name in enumerate(view.implementations(record))}
    curves: dict[tuple[str, str, str], dict[str, tuple[float, ...]]] = {}
    for exhibit in sorted(record.exhibits, key=lambda e: order.get(e.implementation, len(order))):
        if exhibit.show == "curve" and exhibit.values:
            curves.setdefault((exhibit.case, exhibit.sample, exhibit.stage), {})[exhibit.implementation] = (
                exhibit.values
            )
    return curves
