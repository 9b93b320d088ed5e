"""What two values that differ have to do with what their lines read: left out, or in the place of another.

As in `harness.numerics.relations` nothing is said that chance makes: the third value needs digits, and the
difference has to be as large as to have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from harness.numerics.layouts import information, information_of_fractions, plain
from harness.programs.trace import Value
from harness.programs.units import Unit, descendants

Numbers = npt.NDArray[Any]

_NEAR = 1e-9
_LEAST = 1e-5
"""Of the larger one, which a difference has to be for its digits to say what it is."""
_ENOUGH = 10.0
"""Bits of a third value, below which chance may have made it."""
_LARGEST, _MOST_CALLS, _MOST = 5_000, 200, 40
"""Elements of a value, values of a statement, and other values that are looked at."""
_LONGEST_NAME = 48


class _Third(NamedTuple):
    """A value that one of two lines reads or makes on its way, and what it is called there."""

    name: str
    value: Numbers


def relation_to_operands(
    a: Sequence[Unit], b: Sequence[Unit], one: Unit, other: Unit, values: tuple[Value, Value]
) -> str:
    """What a third value makes of the difference of two; empty where none is certain.

    Parameters
    ----------
    a, b : sequence of Unit
        Of the two programs.
    one, other : Unit
        Of the two statements.
    values : tuple of ndarray
        That stand for them, where they are no numbers over all times that they run.
    """
    calls = _calls(one, other)
    pair = _of_calls(one, calls), _of_calls(other, calls)
    if pair[0] is None or pair[1] is None:
        calls, pair = 0, (_floats(values[0]), _floats(values[1]))
    first, second = pair
    if first is None or second is None or first.shape != second.shape or not first.size:
        return ""
    thirds = [_thirds(units, unit, pair, calls) for units, unit in ((a, one), (b, other))]
    with np.errstate(all="ignore"):
        return next(_relations(first, second, thirds[0], thirds[1]), "")


def _relations(one: Numbers, other: Numbers, of_a: list[_Third], of_b: list[_Third]) -> Iterator[str]:
    scale = float(np.abs([one, other]).max())
    apart = other - one
    if not np.abs(apart).max() > _LEAST * scale or information(one) < _ENOUGH or information(other) < _ENOUGH:
        return
    both = [*of_a, *of_b]
    for third in both:
        v = third.value
        if v.shape not in ((), one.shape):
            continue
        for lower, upper, names in ((one, other, _TURNED[0]), (other, one, _TURNED[1])):
            if _same(upper - lower, v, scale):
                yield f"term: {names[1]} is {names[0]} plus `{third.name}`"
            if np.abs(v).min() > 0 and _same(upper, lower * v, np.abs(upper).max()):
                yield f"factor: {names[1]} is {names[0]} times `{third.name}`"
    for third in both:
        yield from _elsewhere(one, other, third)
    for x in of_a:
        for y in of_b:
            shapes = {one.shape, x.value.shape, y.value.shape} - {()}
            if len(shapes) > 1 or _same(x.value, y.value, np.abs(y.value).max()):
                continue
            if any(_same(apart, step, scale) for step in (y.value - x.value, x.value - y.value)):
                yield f"term: `{x.name}` in the first for `{y.name}` in the second"
            if _same(other * x.value, one * y.value, np.abs(one * y.value).max()):
                yield f"factor: `{x.name}` in the first for `{y.name}` in the second"
            if _same(other * y.value, one * x.value, np.abs(one * x.value).max()):
                yield f"divisor: `{x.name}` in the first for `{y.name}` in the second"


_TURNED = (("the first", "the second"), ("the second", "the first"))


def _elsewhere(one: Numbers, other: Numbers, third: _Third) -> Iterator[str]:
    """Another element of a third value; or of several elements, some that are those of a third."""
    v = third.value
    if one.size == 1 and v.ndim == 1 and v.size > 2:
        places = [np.flatnonzero(np.abs(v - item) <= _NEAR * np.abs(v)) for item in (one, other)]
        if all(place.size == 1 for place in places) and places[0][0] != places[1][0]:
            first, second = (int(place[0]) + 1 for place in places)
            yield f"another element of `{third.name}`: the {first}. in the first, the {second}. in the second"
    if one.size > 4 and v.shape == one.shape:
        off = np.abs(one - other) > _NEAR * np.abs([one, other]).max(axis=0)
        if not 2 <= off.sum() <= one.size / 2 or information(np.unique(v[off])) < 2 * _ENOUGH:
            return
        for value, name in ((one, "the first"), (other, "the second")):
            if np.all(np.abs(value - v)[off] <= _NEAR * np.abs(v)[off]):
                yield f"the same but for {off.sum()} of {off.size} elements: there {name} is `{third.name}`"


def _thirds(
    units: Sequence[Unit], unit: Unit, pair: tuple[Numbers | None, Numbers | None], calls: int
) -> list[_Third]:
    """What a line reads and makes on its way, variables first, without the two and what is made of them."""
    line = [one for one in units if (one.site.file, one.site.line) == (unit.site.file, unit.site.line)]
    read = {number for one in line for number in one.inputs}
    order = [*(units[number] for number in sorted(read) if units[number].kind != "part"), *line]
    found: dict[bytes, _Third] = {}
    made_of_it = {unit.number, *descendants([*units], unit.number)}
    for one in order:
        name = " ".join(one.name.split())
        value = _of_calls(one, calls) if calls else None
        if value is None and len(one.values) == 1:
            value = _floats(one.values[0])
        if value is None or one.number in made_of_it or len(name) > _LONGEST_NAME:
            continue
        if information_of_fractions(value) < _ENOUGH:
            continue
        if any(which is not None and _equal(which, value) for which in pair):
            continue
        found.setdefault(value.tobytes(), _Third(name, value))
    return [*found.values()][:_MOST]


def _calls(one: Unit, other: Unit) -> int:
    """How many values both take, where that is more than one and all are numbers."""
    count = len(one.values)
    return count if 1 < count == len(other.values) <= _MOST_CALLS else 0


def _of_calls(unit: Unit, calls: int) -> Numbers | None:
    """All values of a statement that takes so many single numbers."""
    if not calls or len(unit.values) != calls or not unit.is_scalar:
        return None
    numbers = [_floats(value) for value in unit.values]
    return None if any(one is None for one in numbers) else np.array(numbers, dtype=float)


def _floats(value: Value) -> Numbers | None:
    if value.dtype.kind not in "fiu" or not 0 < value.size <= _LARGEST:
        return None
    own = plain(value).astype(float)
    return own if np.isfinite(own).all() else None


def _same(one: Numbers, other: Numbers, scale: float) -> bool:
    if one.shape != other.shape and other.size != 1:
        return False
    return bool(np.all(np.abs(one - other) <= _NEAR * scale))


def _equal(one: Numbers, other: Numbers) -> bool:
    return one.shape == other.shape and _same(np.abs(one), np.abs(other), float(np.abs(one).max()))
