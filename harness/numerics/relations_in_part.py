"""What one value is to another that it agrees with in part, or that is computed of all of it.

Moved along, the same but for some elements, without some, added up, to another power, on another scale. As in
`harness.numerics.relations` nothing is said that chance makes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.numerics.layouts import information, information_of_fractions

Numbers = npt.NDArray[Any]
Flags = npt.NDArray[np.bool_]

_NEAR = 1e-9
_ENOUGH = 20.0
"""Bits that the numbers which agree must have."""
_LONGEST = 5_000
_FEW, _SOME = 4, 2
"""One in how many may differ, where nothing is said of those that do, and where something is."""
_MOST_MOVED = 20
"""Rows or columns by which a matrix may be moved."""
_TURNS = {2 * math.pi: "2 pi", math.pi: "pi", 360.0: "360", 180.0: "180"}
_POWERS = {
    2.0: "the square", 3.0: "the third power",
    math.log(10): "on base 10, for base e,", math.log(2): "on base 2, for base e,",
}  # fmt: skip
_EDGES = "its edges"
_PARTS = 12
"""Largest denominator of a ratio that is said of a single number."""


@np.errstate(all="ignore")
def relations_in_part(a: Numbers, b: Numbers, names: tuple[str, str]) -> Iterator[str]:
    """Relations of two values of one shape; missing elements are NaN.

    Parameters
    ----------
    a, b : ndarray
        Of floats, without axes of length one.
    names : tuple of str
        What the two are called.
    """
    if np.iscomplexobj(a) or np.iscomplexobj(b) or a.size > _LONGEST:
        return
    if a.size == 1:
        yield from _of_one(float(a), float(b), names)
        return
    if np.isfinite(a).all() and np.isfinite(b).all():
        yield from _computed(a, b, names)
    yield from _moved(a, b)
    yield from _same_but(a, b, names)


@np.errstate(all="ignore")
def without_some(longer: Numbers, shorter: Numbers) -> str:
    """That a vector is another without some of its elements; empty where it is not."""
    gap = longer.size - shorter.size
    if not (longer.ndim == shorter.ndim == 1 and longer.size <= _LONGEST and 2 * gap <= longer.size):
        return ""
    if not _telling(shorter):
        return ""
    at, left = 0, []
    for item in longer.tolist():
        if at < shorter.size and _equal(np.asarray(item), shorter[at]).item():
            at += 1
        else:
            left.append(item)
    if at < shorter.size:
        return ""
    values = np.array(left)
    alike = _one_value(values)
    if alike and not _equal(values[0], shorter).any():
        return f"without the {gap} elements that are {alike}"
    return f"without {gap} of {longer.size} elements"


def _of_one(a: float, b: float, names: tuple[str, str]) -> Iterator[str]:
    """Of two numbers of full precision: a ratio of small whole numbers, or a whole or half offset."""
    if not (math.isfinite(a) and math.isfinite(b)) or not a or not b:
        return
    if not all(information(np.array(one)) >= _PARTS - 2 for one in (a, b)):
        return
    for low in range(1, _PARTS + 1):
        top = round(b / a * low)
        if 0 < abs(top) <= _PARTS and abs(b / a * low - top) <= _NEAR * abs(top):
            yield f"factor {top}/{low}" if low > 1 else f"factor {top}"
            return
    step = round(2 * (b - a)) / 2
    if step and abs(b - a - step) <= _NEAR * max(abs(a), abs(b)) < 1e-6:
        yield f"offset {step:+g}"
    for period, name in _TURNS.items():
        turns = round((b - a) / period)
        if turns and abs(b - a - turns * period) <= _NEAR * max(abs(a), abs(b)):
            yield f"whole turns: they differ by {turns} times {name}"
            return


def _computed(a: Numbers, b: Numbers, names: tuple[str, str]) -> Iterator[str]:
    if np.unique(a).size < 4 or np.unique(b).size < 4:
        return
    yield from _added_up(a, b, names)
    total = a + b
    if np.all(np.abs(total - total.flat[0]) <= _NEAR * np.abs(a).max()) and _telling(a):
        yield f"complement: they add up to {total.flat[0]:.6g}"
    for one, other, which in ((a, b, names[1]), (b, a, names[0])):
        if (one > 0).all() and (other > 0).all():
            power = np.log(other) / np.log(one)
            for due, said in _POWERS.items():
                if np.all(np.abs(power - due) <= _NEAR * due) and _telling(one):
                    yield f"power: {which} is the other {said} to the power {due:.6g}"
    apart = b - a
    for period, name in _TURNS.items():
        turns = np.round(apart / period)
        if turns.any() and _same(apart, turns * period, max(np.abs(a).max(), period)) and _telling(a):
            yield f"whole turns: some differ by multiples of {name}"
            break
    yield from _linear(a, b, names)
    if a.ndim == 2 and min(a.shape) > 2:
        for turned, what in ((False, "rows"), (True, "columns")):
            one, other = (a.T, b.T) if turned else (a, b)
            steps = other - one
            if _same(steps, steps[:, :1], np.abs(a).max()):
                yield f"{what} moved: each by an offset of its own"
            rates = other / one
            if np.isfinite(rates).all() and _same(rates, rates[:, :1], np.abs(rates).max()):
                yield f"{what} scaled: each by its own factor"


def _added_up(a: Numbers, b: Numbers, names: tuple[str, str]) -> Iterator[str]:
    if a.ndim != 1 or not _telling(a):
        return
    for one, other, which in ((a, b, names[1]), (b, a, names[0])):
        scale = np.abs(other).max()
        if any(_same(np.diff(other), part, scale) for part in (one[1:], one[:-1])):
            yield f"cumulative: {which} is the running sum of the other"
        rates = other[1:] / other[:-1]
        if np.isfinite(rates).all() and any(_same(rates, part, 1.0) for part in (one[1:], one[:-1])):
            yield f"cumulative: {which} is the running product of the other"


def _linear(a: Numbers, b: Numbers, names: tuple[str, str]) -> Iterator[str]:
    """A factor and an offset at once, of five elements or more."""
    one, other = a.ravel() - a.mean(), b.ravel() - b.mean()
    size = float(one @ one)
    if a.size < 5 or not size or not _telling(a):
        return
    rate = float(one @ other) / size
    spread = np.abs(other).max()
    if rate and spread > 1e-6 * np.abs(b).max() and _same(rate * one, other, spread):
        yield f"linear: {names[1]} is {rate:.8g} times {names[0]} {b.mean() - rate * a.mean():+.8g}"


def _moved(a: Numbers, b: Numbers) -> Iterator[str]:
    """Along an axis, with other elements where it begins or ends."""
    if a.ndim == 1:
        for k in _steps(a, b):
            one, other = (a[k:], b[:-k]) if k > 0 else (a[:k], b[-k:])
            if _overlap(one, other, a.size):
                places = f"{abs(k)} places" if abs(k) > 1 else "one place"
                yield f"shifted by {places}, with other elements at the ends"
    elif a.ndim == 2:
        for axis, what in ((0, "row"), (1, "column")):
            first, second = (a, b) if axis == 0 else (a.T, b.T)
            for k in range(1, min(len(first) // 2, _MOST_MOVED) + 1):
                if any(_overlap(x[k:], y[:-k], a.size) for x, y in ((first, second), (second, first))):
                    yield f"shifted by {k} {what}{'s' if k > 1 else ''}"


def _steps(a: Numbers, b: Numbers) -> list[int]:
    """By how much a vector may be moved, as an element from its middle is found in the other."""
    middle = a.size // 2
    order = sorted(range(a.size), key=lambda n: abs(n - middle))
    start = next((n for n in order if math.isfinite(a[n]) and a[n]), None)
    if start is None:
        return []
    found = np.flatnonzero(_equal(a[start], b))
    return [start - int(n) for n in found[:3] if 0 < abs(start - int(n)) <= a.size // 2]


def _overlap(one: Numbers, other: Numbers, size: int) -> bool:
    both = np.isfinite(one) & np.isfinite(other)
    return bool(2 * both.sum() >= size and _equal(one, other)[both].all() and _telling(one[both]))


def _same_but(a: Numbers, b: Numbers, names: tuple[str, str]) -> Iterator[str]:
    """The same but for some elements, and which these are, or what they are in one of the two."""
    off = ~_equal(a, b)
    count, size = int(off.sum()), a.size
    if size < 5 or not 0 < count < size or not _sure(a, b, off):
        return
    where = _where(off)
    if _SOME * count > size and where != _EDGES:
        return
    what = ""
    for value, which in ((a, names[0]), (b, names[1])):
        if alike := _one_value(value[off]):
            what = f", {'each' if count > 1 else 'which is'} {alike} in {which}"
    if where or what or _FEW * count <= size:
        yield f"the same but for {where or f'{count} of {size} elements'}{what}"


def _where(off: Flags) -> str:
    """Whether the elements that are marked are those at the ends, or around a matrix."""
    count = int(off.sum())
    many = f"{count} elements" if count > 1 else "element"
    if off.ndim == 1:
        if off[:count].all():
            return f"the first {many}"
        if off[-count:].all():
            return f"the last {many}"
        return "those at both ends" if not off[1:-1].any() else ""
    if off.ndim == 2 and min(off.shape) > 3 and not off[1:-1, 1:-1].any():
        return _EDGES
    if off.ndim == 2 and off.any(axis=1).sum() == 1:
        return f"row {int(off.any(axis=1).argmax()) + 1} of {off.shape[0]}"
    if off.ndim == 2 and off.any(axis=0).sum() == 1:
        return f"column {int(off.any(axis=0).argmax()) + 1} of {off.shape[1]}"
    return ""


def _one_value(values: Numbers) -> str:
    """What all of some elements are, if they are one thing."""
    if np.isnan(values).all():
        return "missing"
    return f"{values.flat[0]:.6g}" if values.size > 1 and np.all(values == values.flat[0]) else ""


def _sure(a: Numbers, b: Numbers, off: Flags) -> bool:
    """Whether so many elements do not agree by chance."""
    if _telling(a[~off]):
        return True
    ones, counts = np.unique(a[np.isfinite(a)], return_counts=True)
    share = sum(float(np.mean(b == one)) * count for one, count in zip(ones, counts, strict=True)) / a.size
    equal = 1 - float(off.mean())
    if not share < equal < 1:
        return False
    said = equal * math.log2(equal / share) if share else math.inf
    return a.size * (said + (1 - equal) * math.log2((1 - equal) / (1 - share))) >= _ENOUGH


def _telling(values: Numbers) -> bool:
    """Whether numbers are not there by chance: fractions that have enough digits."""
    return information_of_fractions(values) >= _ENOUGH


def _equal(one: Numbers, other: Numbers) -> Flags:
    near = np.abs(one - other) <= _NEAR * np.maximum(np.abs(one), np.abs(other))
    return np.asarray(near | (one == other) | (np.isnan(one) & np.isnan(other)))


def _same(one: Numbers, other: Numbers, scale: float) -> bool:
    return bool(np.all(np.abs(one - other) <= _NEAR * scale))
