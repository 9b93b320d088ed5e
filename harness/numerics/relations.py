"""What one value is to another, where that is certain: a factor, another order, another unit, rounded.

Only relations that chance does not make are said: a value needs enough digits or elements, and a factor
that has a name is looked for among the sizes that the programs have.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.numerics.formats import spacing
from harness.numerics.layouts import Value, information, layouts, plain
from harness.numerics.relations_in_part import relations_in_part, without_some

Numbers = npt.NDArray[Any]

_NEAR = 1e-9
_MOVED = 0.05
"""Units of the last place by which rounding moves one number of several, at the least."""
_ENOUGH = 8.0
"""Bits that a value must have before anything is said of it."""
_CONSTANTS = {
    math.pi / 180: "radians for degrees",
    180 / math.pi: "degrees for radians",
    math.log(10): "log base: the natural logarithm for that to base 10",
    1 / math.log(10): "log base: the logarithm to base 10 for the natural one",
    math.log(2): "log base: the natural logarithm for that to base 2",
    1 / math.log(2): "log base: the logarithm to base 2 for the natural one",
    math.sqrt(2): "factor sqrt(2)",
    math.sqrt(0.5): "factor 1/sqrt(2)",
    100.0: "factor 100: percent",
    0.01: "factor 1/100: percent",
}


@np.errstate(all="ignore")
def relation_of(
    one: Value, other: Value, sizes: Iterable[int] = (), names: tuple[str, str] = ("the first", "the second")
) -> str:
    """What the second of two values is to the first; an empty text where nothing is certain.

    Parameters
    ----------
    one, other : ndarray
        The values of the two programs.
    sizes : iterable of int
        Sizes that the programs have, one of which may be the n of a factor n/(n - 1).
    names : tuple of str
        What the two values are called.
    """
    if one.dtype == object or other.dtype == object:
        return ""
    first, second = plain(one), plain(other)
    if first.size == 0 or second.size == 0:
        return ""
    if min(information(first), information(second)) < _ENOUGH:
        return _of_whole(first, second)
    if first.size != second.size:
        return _of_sizes(first, second)
    a, b = _as_floats(first), _as_floats(second)
    if not np.isfinite(a).all() or not np.isfinite(b).all():
        return next(relations_in_part(a, b, names), "") if first.shape == second.shape else ""
    if _close(a, b):
        # They differ by less than what tells one relation from another: only a rounding shows.
        return next(_rounded(a, b, names), "")
    if laid := _of_layouts(a, b):
        return laid
    if first.shape != second.shape:
        return ""
    return next(_relations(a, b, sorted(set(sizes)), names), "")


@np.errstate(all="ignore")
def relation_of_shapes(one: Value, other: Value) -> str:
    """What a value is to another of which it should have the shape: in another layout or of another size.

    Parameters
    ----------
    one, other : ndarray
        As in `relation_of`, which may find more: numbers of another shape have no factor.
    """
    first, second = plain(one), plain(other)
    if first.size == 0 or second.size == 0 or min(information(first), information(second)) < _ENOUGH:
        return ""
    if first.size != second.size:
        return _of_sizes(first, second)
    a, b = _as_floats(first), _as_floats(second)
    if not np.isfinite(a).all() or not np.isfinite(b).all() or _close(a, b):
        return ""
    return _of_layouts(a, b)


def _as_floats(value: Numbers) -> Numbers:
    return value.astype(complex if value.dtype.kind == "c" else float)


def _of_layouts(a: Numbers, b: Numbers) -> str:
    laid = (layout for layout, laid in layouts(a, b.shape) if layout != "same" and _close(laid, b))
    layout = next(laid, "")
    return layout and f"{layout}: the same numbers in another layout"


def _of_whole(first: Numbers, second: Numbers) -> str:
    """Of small whole numbers next to nothing is certain."""
    if (
        first.size >= 3
        and first.shape == second.shape
        and first.dtype.kind in "iu"
        and second.dtype.kind in "iu"
    ):
        steps = np.unique(second - first)
        if steps.size == 1 and steps[0]:
            return f"offset {int(steps[0]):+d}"
    return ""


def _of_sizes(first: Numbers, second: Numbers) -> str:
    longer, shorter = (first, second) if first.size > second.size else (second, first)
    if longer.ndim == shorter.ndim == 1 and shorter.size >= 3:
        gap = longer.size - shorter.size
        if _close(longer[gap:], shorter):
            return f"without the first {gap}" if gap > 1 else "without the first element"
        if _close(longer[: shorter.size], shorter):
            return f"without the last {gap}" if gap > 1 else "without the last element"
    return without_some(_as_floats(longer), _as_floats(shorter))


def _relations(a: Numbers, b: Numbers, sizes: list[int], names: tuple[str, str]) -> Iterator[str]:
    if _close(a, -b):
        yield "sign: one is the negative of the other"
    yield from _rounded(a, b, names)
    if np.iscomplexobj(a) or np.iscomplexobj(b):
        if _close(a, np.conj(b)):
            yield "conjugate"
        return
    yield from _factor(a, b, sizes)
    yield from _order(a, b)
    ratio = _constant(b, a)
    if ratio is not None and a.size >= 3 and abs(ratio - 1) > 1e-7:
        yield f"factor {ratio:.8g}"
    if a.size >= 4 and _close(b - a, np.full(a.shape, (b - a).flat[0])):
        yield f"offset {(b - a).flat[0]:+.6g}"
    yield from _functions(a, b, names)
    if a.ndim == 2 and min(a.shape) > 1:
        signs = np.sign((a * b).sum(axis=0))
        if _close(a * signs, b):
            yield "sign of columns"
        ratios = [_constant(b[:, k], a[:, k]) for k in range(a.shape[1])]
        if all(ratio is not None for ratio in ratios) and a.shape[0] > 2:
            yield "columns scaled: each by its own factor"
    yield from relations_in_part(a, b, names)
    if a.size >= 6 and (np.all((a == b) | (b == 0)) or np.all((a == b) | (a == 0))):
        yield "masked: some are zero in one alone"


def _factor(a: Numbers, b: Numbers, sizes: list[int]) -> Iterator[str]:
    ratio = _constant(b, a)
    if ratio is None or abs(ratio - 1) < 1e-7:
        return
    for constant, name in _CONSTANTS.items():
        if abs(ratio / constant - 1) < _NEAR:
            yield name
    named = _named_factor(ratio, sizes)
    if named:
        yield named
    for small in (2, 0.5, 3, 4, 0.25):
        if abs(ratio / small - 1) < _NEAR:
            yield f"factor {small:g}"


def _named_factor(ratio: float, sizes: list[int]) -> str:
    for n in sizes:
        if n < 3:
            continue  # two, a half and their roots have many other reasons
        for value, name in (
            (n / (n - 1), "n/(n - 1)"), ((n - 1) / n, "(n - 1)/n"), (float(n), "n"), (1 / n, "1/n"),
        ):  # fmt: skip
            for power, said in ((1.0, name), (0.5, f"sqrt({name})")):
                if abs(ratio / value**power - 1) < _NEAR:
                    why = ": ddof, the divisor n or n - 1" if "- 1" in name else ""
                    return f"factor {ratio:.8g} = {said} with n = {n}{why}"
    for n in sizes:
        for k in range(2, min(8, n)):
            for value, name, inverse in (
                (n / (n - k), "n/(n - k)", "(n - k)/n"),
                ((n - 1) / (n - k), "(n - 1)/(n - k)", "(n - k)/(n - 1)"),
            ):
                for turned, said in ((value, name), (1 / value, inverse)):
                    for power, text in ((1.0, said), (0.5, f"sqrt({said})")):
                        # Small fractions have many such names.
                        telling = Fraction(turned).limit_denominator(10_000).denominator > 5
                        if telling and abs(ratio / turned**power - 1) < _NEAR:
                            return (
                                f"factor {ratio:.8g} = {text} with n = {n}, k = {k}: the degrees of freedom"
                            )
    return ""


def _order(a: Numbers, b: Numbers) -> Iterator[str]:
    if a.size < 4 or np.unique(a).size < 3:
        return
    if a.ndim == 1:
        if _close(a[::-1], b):
            yield "reversed: in the opposite order"
        for step in (1, -1):
            if _close(np.roll(a, step), b):
                yield "shifted by one: the same numbers, one place on, around the end"
        if a.size >= 5 and (_close(a[1:], b[:-1]) or _close(a[:-1], b[1:])):
            yield "shifted by one place"
    elif a.ndim == 2:
        if _close(a[::-1], b) or _close(a[:, ::-1], b):
            yield "reversed: rows or columns in the opposite order"
        for axis in (0, 1):
            laid, also = (a, b) if axis == 0 else (a.T, b.T)
            if _close(laid[np.lexsort(laid.T)], also[np.lexsort(also.T)]):
                yield f"permuted: the same {'rows' if axis == 0 else 'columns'} in another order"
    if _close(np.sort(a, axis=None), np.sort(b, axis=None)):
        yield "permuted: the same numbers in another order"


def _rounded(a: Numbers, b: Numbers, names: tuple[str, str]) -> Iterator[str]:
    if np.iscomplexobj(a) or np.iscomplexobj(b):
        return
    for one, other, which in ((a, b, names[1]), (b, a, names[0])):
        single = one.astype(np.float32)
        # What moves numbers by far less than half a unit is no rounding: they had so few digits before.
        moved = np.abs(one - other)
        if np.array_equal(single.astype(float), other) and np.any(moved > _MOVED * spacing(np.abs(single))):
            yield f"rounded to float32 in {which}"
        least = (digits for digits in range(7) if np.array_equal(np.round(one, digits), other))
        digits = next(least, None)
        if digits is not None and moved.max() > _MOVED * 10.0**-digits and np.abs(other).max() > 0:
            yield f"rounded to {digits} digits in {which}"


def _functions(a: Numbers, b: Numbers, names: tuple[str, str]) -> Iterator[str]:
    for one, other, which in ((a, b, names[1]), (b, a, names[0])):
        for value, name in (
            (one * one, "square"), (np.exp(one), "exponential"), (np.log1p(one), "log(1 + x)"),
            (1 / one, "reciprocal"), (1 - one, "complement to 1"), (np.abs(one), "absolute value"),
            (np.log10(one), "logarithm to base 10"), (np.log2(one), "logarithm to base 2"),
        ):  # fmt: skip
            if np.isfinite(value).all() and _close(value, other):
                yield f"{name}: {which} is the {name} of the other"


def _constant(b: Numbers, a: Numbers) -> float | None:
    """The one factor between two arrays, or None."""
    used = (a != 0) | (b != 0)
    if not used.any() or (a[used] == 0).any() or (b[used] == 0).any():
        return None
    ratio = b[used] / a[used]
    middle = float(np.median(ratio))
    return middle if np.all(np.abs(ratio - middle) <= 1e-8 * abs(middle)) else None


def _close(a: Numbers, b: Numbers) -> bool:
    if a.shape != b.shape:
        return False
    scale = float(np.max(np.abs(b), initial=0.0))
    return bool(np.all(np.abs(a - b) <= _NEAR * np.abs(b) + 1e-12 * scale)) and scale > 0
