"""Whether two variables take the same values: each in turn, the last ones, or a loop's against a vector's."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from harness.numerics.layouts import close, information, layouts, plain, same_up_to_layout
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


def may_agree(one: Sequence, other: Sequence) -> bool:
    """Whether it is worth a look: some of their features are near each other."""
    return any(_near(first, second) for first in one.features for second in other.features)


def _near(one: tuple[float, float, float, bool], other: tuple[float, float, float, bool]) -> bool:
    if one[0] != other[0]:
        return False
    if one[3] and other[3] and abs(one[1] - other[1]) == one[0]:
        return True
    for first, second in ((one[1], other[1]), (one[2], other[2])):
        if np.isfinite(first) and np.isfinite(second):
            if abs(first - second) > 4e-3 * max(abs(first), abs(second)) + 1e-9:
                return False
        elif np.isfinite(first) != np.isfinite(second):
            return False
    return True


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
    agreeing, first, found = 0, -1, ""
    options: tuple[str, ...] | None = None
    for number, (value, second) in enumerate(zip(one.values, other.values, strict=True)):
        layout = _layout_among(value, second, options)
        if layout:
            agreeing += 1
            found = found or layout
            if options is None and information(value) > 4:
                options = (layout,)
        elif first < 0:
            first = number
    agrees = agreeing == len(one)
    share = agreeing / max(1, len(one))
    return Compared(
        agrees, "each", found or "same", max(first, 0), share, min(one.bits, other.bits) if agrees else 0.0
    )


def _layout_among(one: Value, other: Value, options: tuple[str, ...] | None) -> str:
    if options is None:
        return same_up_to_layout(one, other)
    for layout, value in layouts(one, other.shape):
        if layout in options and close(value, other):
            return layout
    return same_up_to_layout(one, other) if "shifted" in options else ""
