"""All values of a program, to be looked up whole, as parts of a matrix, or by their elements."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import numpy as np

from harness.numerics.layouts import information, plain, same_up_to_layout
from harness.programs.trace import Value
from harness.programs.units import Unit

Asked = TypeVar("Asked")

MOST = 100
"""Occurrences of a unit that are looked at."""
_MOST_SLICES = 20
"""Rows or columns of a matrix that are looked up one by one."""
FEW = 4
"""Occurrences up to which a unit's values are looked at in parts too."""
_PRECISE = 10.0
"""Bits of a number that chance does not make twice."""
_ROW = 12.0
"""Bits from which on all values of a loop, in order, are known where the program has such a vector."""
_ROW_THAT_LACKS = 6.0
"""The same where it has not: what is there by chance takes more than what is not."""
_FEW_ELEMENTS = 16
"""Elements up to which a value is known by what it is, and not by which array it is."""
_LARGEST = 5_000
"""Elements of a value whose parts are looked up."""


class Pool:
    """The values of some units; what was looked up is kept, so no value may be changed afterwards.

    Parameters
    ----------
    units : iterable of Unit
        Of one program.
    """

    def __init__(self, units: Iterable[Unit]) -> None:
        self._whole, self._slices = _Index(), _Index()
        self._elements: set[float] = set()
        self._in_place: dict[tuple[int, int], set[float]] = defaultdict(set)
        self._answers: dict[tuple[str, object], tuple[object, bool]] = {}
        self._bits: dict[object, tuple[Value, float]] = {}
        for unit in units:
            few = len(unit.values) <= FEW
            if (stack := stacked(unit)) is not None:
                self._whole.add(stack)
            for value in unit.values[:MOST]:
                if value.dtype == object or not value.size:
                    continue
                self._whole.add(value)
                if value.size <= _LARGEST and few:
                    for part in (*_along(value, 0), *_along(value, 1)):
                        self._slices.add(part)
                if few and 2 < value.size <= MOST and plain(value).ndim == 1:
                    for k, item in enumerate(_rounded(value)[: value.size]):
                        self._in_place[value.size, k].add(item)
                if value.size <= _LARGEST and (few or value.size == 1):
                    self._elements.update(_rounded(value))

    def has(self, value: Value) -> bool:
        """Whether the program has it, in whatever layout."""
        return self._once("has", value, self._whole.has)

    def has_marks(self, count: int) -> bool:
        """Whether the program has any truth values of which there are as many."""
        return self._whole.has_marks(count)

    def only_turned(self, value: Value) -> bool:
        """Whether it is a square matrix that the program has only transposed, which may be the mistake."""
        return self._once("only turned", value, self._only_turned)

    def _only_turned(self, value: Value) -> bool:
        own = plain(value)
        if own.ndim != 2 or own.shape[0] != own.shape[1] or np.array_equal(own, own.T):
            return False
        return self._whole.layouts(value) == {"transposed"}

    def has_in_other_order(self, value: Value) -> bool:
        """Whether there is a value of just the same numbers, in whatever order."""
        return self._once("order", value, self._whole.permuted)

    def has_slice(self, value: Value) -> bool:
        """Whether it is a row or a column of a matrix."""
        return self._once("slice", value, self._slices.has)

    def has_slices(self, value: Value) -> bool:
        """Whether all rows or all columns of a matrix are there, or say nothing."""
        return self._once("slices", value, self._has_slices)

    def _has_slices(self, value: Value) -> bool:
        return any(
            all(information(part) < 1 or self._whole.has(part) or self._slices.has(part) for part in parts)
            for parts in (_along(value, 0), _along(value, 1))
            if parts
        )

    def has_pieces(self, value: Value) -> bool:
        """Whether it is vectors of the program that say something, one behind the other."""
        return self._once("pieces", value, self._has_pieces)

    def _has_pieces(self, value: Value) -> bool:
        own = plain(value)
        if own.ndim != 1 or own.size > MOST:
            return False
        at = 0
        while at < own.size:
            sizes = self._whole.sizes(min(own.size - at, own.size - 1))
            pieces = (own[at : at + size] for size in sizes)
            found = next((one for one in pieces if self.bits(one) >= _ROW and self._whole.has(one)), None)
            if found is None:
                return False
            at += found.size
        return True

    def has_element(self, value: Value) -> bool:
        """Whether a single number of full precision is an element of something."""
        return value.size == 1 and information(value) >= _PRECISE and self.has_elements(value)

    def has_in_place(self, value: Value, k: int, count: int) -> bool:
        """Whether the ``k``-th (from 0) of so many numbers is the ``k``-th of a vector of as many."""
        return value.size == 1 and _rounded(value)[0] in self._in_place.get((count, k), ())

    def has_elements(self, value: Value) -> bool:
        """Whether all of its elements are somewhere, as of a table that was read in another form."""
        return value.size <= _LARGEST and self._elements.issuperset(_rounded(value))

    def has_scattered(self, value: Value) -> bool:
        """Whether its numbers, of full precision, are all there, in values of other sizes."""
        return self._once("scattered", value, self._has_scattered)

    def has_row(self, unit: Unit) -> tuple[bool, bool]:
        """Whether all values of a loop say something, in order, and whether the program has such a vector."""

        def telling(unit: Unit) -> bool:
            stack = stacked(unit)
            return stack is not None and information(plain(stack)) >= _ROW

        def there(unit: Unit) -> bool:
            stack = stacked(unit)
            return stack is not None and self._whole.has(stack)

        says = self._once("telling", unit, telling)
        return says, says and self._once("row", unit, there)

    def lacks_row(self, unit: Unit) -> bool:
        """Whether all values of a loop, in order, are no vector of the program, though they say something."""

        def lacking(unit: Unit) -> bool:
            stack = stacked(unit)
            return stack is not None and self.bits(stack) >= _ROW_THAT_LACKS and not self._whole.has(stack)

        return self._once("lacks", unit, lacking)

    def bits(self, value: Value) -> float:
        """How much a value says, be it of this program or not."""
        key = _key(value)
        if key not in self._bits:
            self._bits[key] = value, information(plain(value))
        return self._bits[key][1]

    def _once(self, what: str, asked: Asked, answer: Callable[[Asked], bool]) -> bool:
        """An answer that is kept, with what was asked for, so that no other takes its identity."""
        key = what, _key(asked)
        if key not in self._answers:
            self._answers[key] = asked, answer(asked)
        return self._answers[key][1]

    def _has_scattered(self, value: Value) -> bool:
        if value.size < 2 or value.dtype.kind not in "fc" or not self.has_elements(value):
            return False
        telling = sum(
            information(np.asarray(item)) >= _PRECISE for item in value.ravel()[:_MOST_SLICES].tolist()
        )
        if 2 * telling < min(value.size, _MOST_SLICES):
            return False
        return not self._whole.permuted(value) and not self._whole.mostly(value)


def _key(asked: object) -> object:
    """What the answer depends on: small values are asked for again and again, each time as another array."""
    if isinstance(asked, np.ndarray) and asked.dtype != object and asked.size <= _FEW_ELEMENTS:
        return asked.shape, asked.dtype.str, asked.tobytes()
    return id(asked)


def selected(value: Value, sources: Iterable[Value]) -> bool:
    """Whether a value is only taken out of one that it is computed from: which elements, they do not say."""
    return any(
        whole.dtype.kind == value.dtype.kind and whole.size > value.size and bool(np.isin(value, whole).all())
        for whole in sources
        if whole.dtype != object
    )


def stacked(unit: Unit) -> Value | None:
    """All values of a unit as one, where they are of one shape: a loop's, which the other has as a vector."""
    values = unit.values
    if not 2 < len(values) <= _LARGEST or any(value.dtype == object for value in values):
        return None
    if len({value.shape for value in values}) > 1 or values[0].size * len(values) > _LARGEST:
        return None
    return np.stack(values)


class _Index:
    """Values by their size and sum."""

    def __init__(self) -> None:
        self._rows: dict[int, list[tuple[float, float, Value]]] = defaultdict(list)
        self._sorted: set[int] = set()
        self._marks: set[int] = set()

    def add(self, value: Value) -> None:
        self._rows[value.size].append((*_moments(value), value))
        self._sorted.discard(value.size)
        if value.dtype.kind == "b":
            self._marks.add(value.size)

    def has_marks(self, count: int) -> bool:
        return count in self._marks

    def sizes(self, most: int) -> list[int]:
        """The sizes of values, the largest first."""
        return sorted((size for size in self._rows if size <= most), reverse=True)

    def has(self, value: Value) -> bool:
        return next(self._found(value), "") != ""

    def layouts(self, value: Value) -> set[str]:
        return set(self._found(value))

    def permuted(self, value: Value) -> bool:
        """Whether there is a value of the same numbers, in whatever order."""
        total, squares = _moments(value)
        return any(
            abs(one[0] - total) <= 1e-9 * abs(total) and abs(one[1] - squares) <= 1e-9 * squares
            for one in self._rows.get(value.size, ())
        )

    def mostly(self, value: Value) -> bool:
        """Whether there is a value of which most elements, and not all, are the same in the same places."""
        own = value.ravel()
        for _, _, other in self._rows.get(value.size, ())[:MOST]:
            if other.dtype.kind in "fc":
                same = np.isclose(own, other.ravel(), rtol=1e-6, atol=0.0)
                if 0.5 <= float(same.mean()) < 1:
                    return True
        return False

    def _found(self, value: Value) -> Iterator[str]:
        rows = self._rows.get(value.size)
        if rows is None:
            return
        if value.size not in self._sorted:
            rows.sort(key=lambda row: row[0])
            self._sorted.add(value.size)
        total, squares = _moments(value)
        whole = value.dtype.kind in "iub"
        slack = 1e-4 * abs(total) + 1e-9 + (value.size if whole else 0)
        low = bisect_left(rows, total - slack, key=lambda row: row[0])
        high = bisect_right(rows, total + slack, key=lambda row: row[0])
        # A lone number of double precision is held to what rounding can do before it is looked at closely.
        near = 2e-6 * total + 1e-12 if value.size == 1 and value.dtype == np.float64 else math.inf
        for sum_, own, other in rows[low:high]:
            if abs(sum_ - total) > near and other.dtype == np.float64:
                continue
            if whole or abs(own - squares) <= 4e-3 * squares + 1e-9:
                layout = same_up_to_layout(other, value)
                if layout:
                    yield layout


def _along(value: Value, axis: int) -> list[Value]:
    own = plain(value)
    if own.ndim != 2 or not 2 <= own.shape[axis] <= _MOST_SLICES:
        return []
    return list(np.moveaxis(own, axis, 0))


def _rounded(value: Value) -> list[float]:
    if value.dtype.kind == "c":
        return [float(f"{part:.9g}") for item in value.ravel().tolist() for part in (item.real, item.imag)]
    return [float(f"{item:.9g}") for item in value.astype(float).ravel().tolist()]


def _moments(value: Value) -> tuple[float, float]:
    """The sum of absolute values, and that of their squares: the same for every layout."""
    if value.size == 1:
        # Most values of loops are one number, for which NumPy takes ten times as long.
        item = value.item()
        size = math.hypot(item.real, item.imag)
        return (size, size * size) if math.isfinite(size * size) else (0.0, 0.0)
    with np.errstate(all="ignore"):
        sizes = np.abs(value.astype(complex if value.dtype.kind == "c" else float))
        total, squares = float(np.nansum(sizes)), float(np.nansum(sizes * sizes))
    return (total, squares) if np.isfinite(total) and np.isfinite(squares) else (0.0, 0.0)
