"""Whether two variables take the same values: each in turn, the last ones, or a loop's against a vector's."""

from __future__ import annotations

from collections.abc import Sequence as Sequence_
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from harness.numerics.layouts import close, information, layouts, plain, same_up_to_layout
from harness.programs.signatures import (
    Flags,
    Signatures,
    can_be_same,
    signatures_of,
    signatures_of_stack,
)
from harness.programs.trace import Value
from harness.programs.units import Unit

_MOST_COMPARED = 4000


class Compared(NamedTuple):
    """How two variables compare.

    ``form`` is ``each``, ``last``, ``stacked`` or ``prefix``; ``occurrence`` is the first (from 0) that
    differs; ``share`` is how much of the occurrences agree; ``bits`` is what the agreement is worth.
    """

    agrees: bool
    form: str = ""
    layout: str = ""
    occurrence: int = 0
    share: float = 0.0
    bits: float = 0.0


class Sequence:
    """The values of a unit, and what of them is needed again and again."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.values = [plain(value) for value in unit.values[:_MOST_COMPARED]]
        self.last = plain(unit.values[-1])
        shapes = {value.shape for value in self.values}
        texts = any(value.dtype == object for value in self.values)
        mixed = texts and not all(value.dtype == object for value in self.values)
        self.stack: Value | None = None
        if len(self.values) > 1 and len(shapes) == 1 and not mixed:
            self.stack = np.stack(self.values)
        self.features = [_feature(self.last)]
        if self.stack is not None:
            self.features.append(_feature(plain(self.stack)))
        elif len(self.values) > 1 and not texts:
            joined = np.concatenate([value.ravel() for value in self.values])
            self.features.append(_feature(joined))
        whole = self.stack if self.stack is not None else self.last
        self.bits = information(whole)
        self.last_bits = information(self.last)
        self.is_text = self.last.dtype == object
        self.is_whole = _is_whole(self.last)

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def each(self) -> Signatures:
        """The signatures of its values."""
        if self.stack is not None and not self.is_text and len({value.dtype for value in self.values}) == 1:
            return signatures_of_stack(self.stack)
        return signatures_of(self.values)


def _is_whole(value: Value) -> bool:
    if value.dtype.kind == "f" and np.isfinite(value).all():
        return bool(np.all(value == np.floor(value)))
    return value.dtype.kind in "iu"


def _feature(value: Value) -> tuple[float, float, float, bool]:
    """Size, spread and sum of absolute values: the same for every layout."""
    if value.dtype == object:
        return float(value.size), float(sum(map(len, map(str, value.ravel().tolist())))), 0.0, True
    numbers = np.abs(value.astype(complex if value.dtype.kind == "c" else float)).ravel()
    whole = value.dtype.kind in "iu"
    with np.errstate(all="ignore"):
        return float(numbers.size), float(numbers.sum()), float((numbers * numbers).sum()), whole


def may_agree(ones: Sequence_[Sequence], others: Sequence_[Sequence]) -> Flags:
    """Which variables it is worth to look at with which others: some features are near each other."""
    first, second = _features(ones), _features(others)
    found = np.zeros((len(ones), len(others)), dtype=bool)
    for one in first:
        for other in second:
            found |= _near(one[:, :, None], other[:, None, :])
    return found


def _features(sequences: Sequence_[Sequence]) -> npt.NDArray[np.float64]:
    """By which feature, what of it, and variable; NaN, which is near nothing, where there is no other."""
    made = np.full((2, 4, len(sequences)), np.nan)
    for at, sequence in enumerate(sequences):
        for number, feature in enumerate(sequence.features):
            made[number, :, at] = feature
    return made


def _near(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> Flags:
    size, total, squares, whole = zip(one, other, strict=True)
    near = np.ones(np.broadcast_shapes(one.shape[1:], other.shape[1:]), dtype=bool)
    with np.errstate(all="ignore"):
        for first, second in (total, squares):
            finite = np.isfinite(first), np.isfinite(second)
            apart = np.abs(first - second) > 4e-3 * np.maximum(np.abs(first), np.abs(second)) + 1e-9
            near &= (finite[0] == finite[1]) & ~(finite[0] & apart)
        shifted = (whole[0] == 1) & (whole[1] == 1) & (np.abs(total[0] - total[1]) == size[0])
    return np.asarray((size[0] == size[1]) & (near | shifted))


def may_share(ones: Sequence_[Sequence], others: Sequence_[Sequence]) -> Flags:
    """Which of some variables `compare` may find to have some value of which of others; it finds no more."""
    first, second = _Table(ones), _Table(others)
    beginning = can_be_same(first.begin[:, None], second.begin[None, :])
    single = (first.count == 1)[:, None] | (second.count == 1)[None, :]
    found = beginning | (single & can_be_same(first.end[:, None], second.end[None, :]))
    for one, other in ((first.stack, second.end), (first.end, second.stack), (first.stack, second.stack)):
        found |= can_be_same(one[:, None], other[None, :])
    for count in np.intersect1d(first.count[first.count > 1], second.count[second.count > 1]).tolist():
        rows, columns = (np.flatnonzero(table.count == count).tolist() for table in (first, second))
        each = np.stack([others[column].each for column in columns])
        for row in rows:
            found[row, columns] |= can_be_same(ones[row].each[None, :], each).any(axis=1)
    return np.asarray(found)


class _Table:
    """How many values some variables have, and the signatures of the first, the last and all as one."""

    def __init__(self, sequences: Sequence_[Sequence]) -> None:
        self.count = np.array([len(one) for one in sequences], dtype=int)
        self.begin = signatures_of([one.values[0] for one in sequences])
        self.end = signatures_of([one.last for one in sequences])
        self.stack = signatures_of([one.stack for one in sequences])


def compare(one: Sequence, other: Sequence) -> Compared:
    """Compare two variables in every form that their numbers of values allow."""
    if len(one) == len(other):
        return _each(one, other)
    layout = same_up_to_layout(one.last, other.last)
    bits = min(one.last_bits, other.last_bits)
    for first, second in ((one, other), (other, one)):
        if (first.stack is not None and second.stack is None) or (
            len(second) == 1 and first.stack is not None
        ):
            stacked = same_up_to_layout(first.stack, second.last)
            if stacked:
                return Compared(True, "stacked", stacked, 0, 1.0, min(first.bits, second.last_bits))
    if one.stack is not None and other.stack is not None and one.stack.size == other.stack.size:
        stacked = same_up_to_layout(one.stack, other.stack)
        if stacked:
            return Compared(True, "stacked", stacked, 0, 1.0, min(one.bits, other.bits))
    if layout and (len(one) == 1 or len(other) == 1):
        return Compared(True, "last", layout, 0, 1.0, bits)
    shorter = min(len(one), len(other))
    common = 0
    while common < shorter and same_up_to_layout(one.values[common], other.values[common]):
        common += 1
    share = common / max(len(one), len(other))
    if layout and common == shorter and share > 0.3 and bits > 5:
        return Compared(True, "last", layout, 0, share, bits)
    return Compared(False, "prefix", layout, common, share, 0.0)


def _each(one: Sequence, other: Sequence) -> Compared:
    if one.stack is not None and other.stack is not None and one.stack.shape == other.stack.shape:
        if one.values[0].ndim < 2 and close(one.stack, other.stack):
            return Compared(True, "each", "same", 0, 1.0, min(one.bits, other.bits))
        if one.stack.ndim == 1 and one.stack.dtype.kind == other.stack.dtype.kind == "i":
            shift = int(other.stack[0]) - int(one.stack[0])
            if abs(shift) == 1 and np.array_equal(one.stack + shift, other.stack):
                return Compared(True, "each", "shifted", 0, 1.0, min(one.bits, other.bits))
    agreeing, found = np.zeros(len(one), dtype=bool), ""
    options: tuple[str, ...] | None = None
    for number in np.flatnonzero(can_be_same(one.each, other.each)).tolist():
        value, second = one.values[number], other.values[number]
        layout = _layout_among(value, second, options)
        if layout:
            agreeing[number] = True
            found = found or layout
            if options is None and information(value) > 4:
                options = (layout,)
    agrees = bool(agreeing.all())
    first = 0 if agrees else int(agreeing.argmin())
    share = int(agreeing.sum()) / max(1, len(one))
    return Compared(
        agrees, "each", found or "same", first, share, min(one.bits, other.bits) if agrees else 0.0
    )


def _layout_among(one: Value, other: Value, options: tuple[str, ...] | None) -> str:
    if options is None:
        return same_up_to_layout(one, other)
    for layout, value in layouts(one, other.shape):
        if layout in options and close(value, other):
            return layout
    return same_up_to_layout(one, other) if "shifted" in options else ""
