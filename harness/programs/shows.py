"""Which recorded value each number of a printout shows."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from harness.numerics.layouts import information
from harness.programs.tokens import Token, tokens_of
from harness.programs.trace import Value
from harness.programs.units import Unit

_SCALES = (1.0, 100.0)
"""A share may be printed as per cent."""
_HALF = 0.51
"""Of a unit of the last digit, how far the number that is printed may be from the value."""
_ROUNDING = 1e-9
_MOST = 50_000
"""Elements that are shown and looked at."""
_OPTIONS = 100
"""Of these, how many may be one number of the printout."""
_DEEP = 6
"""Steps of the flow from a text back to the number in it."""
_PRECISE = 10.0
"""Bits of such a number."""
_MOST_OCCURRENCES = 200
_LARGEST = 1000
_DIGITS = 4
"""Digits of a number that is looked for in all that was recorded."""


class Origin(NamedTuple):
    """A number of a printout: the recorded value that shows it, and the number with all its digits.

    ``sources`` are the events that it was computed from, which are those that have just this number
    where there are such.
    """

    unit: int
    k: int
    at: int
    in_text: bool
    scale: float
    value: Any
    sources: frozenset[int]
    name: str


class _Shown(NamedTuple):
    key: tuple[int, int, int]
    unit: int
    k: int
    at: int
    in_text: bool
    value: Any


def names_of(origins: Mapping[int, Origin]) -> dict[int, str]:
    """Return the names of what numbers show; a statement that shows a value without a name has none.

    Parameters
    ----------
    origins : mapping of int to Origin
        Of the numbers, by their place among the tokens.
    """
    return {n: one.name for n, one in origins.items() if one.name != "shown"}


def origins_of(tokens: Sequence[Token], units: Sequence[Unit]) -> dict[int, Origin]:
    """Find where the numbers of a printout come from.

    Parameters
    ----------
    tokens : sequence of Token
        Of the printout.
    units : sequence of Unit
        Of the program.

    Returns
    -------
    dict of int to Origin
        By the token; those without one are missing.
    """
    return _Origins(units).of(tokens)


def was(units: Sequence[Unit], origin: Origin, token: Token) -> bool:
    """Whether what is shown, or a number that it was computed from, is printed like this.

    Parameters
    ----------
    units : sequence of Unit
        Of the program that shows it.
    origin : Origin
        Of the number that it prints.
    token : Token
        A number that the other program prints in its place, with more digits.
    """
    if _fits(token, origin.value * origin.scale) == 1:
        return True
    return _Origins(units).back(token, origin.sources, (1.0,)) is not None


class _Origins:
    def __init__(self, units: Sequence[Unit]) -> None:
        self._units = units
        self._of_event: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for unit in units:
            for k, place in enumerate(unit.places):
                self._of_event[place].append((unit.number, k))
        self._having: dict[float, list[int]] | None = None

    def of(self, tokens: Sequence[Token]) -> dict[int, Origin]:
        """The origin of each token: what is shown, in the order in which it is; else what has its value."""
        shown = list(self._elements())
        numbers = [n for n, token in enumerate(tokens) if token.is_number]
        lookup = _Lookup(shown)
        chosen = _in_order({n: lookup.options(tokens[n]) for n in numbers}, numbers)
        found = {n: self._from_shown(tokens[n], *option) for n, option in chosen.items()}
        for n in numbers:
            if n not in found and (origin := self._by_value(tokens[n])) is not None:
                found[n] = origin
        return found

    def _elements(self) -> Iterator[_Shown]:
        """All that is shown, element by element, in the order of printing; tables row by row."""
        count = 0
        for unit in self._units:
            # Of a vector with names, the whole is enough; of a table, its columns.
            if unit.kind != "shown" or (
                unit.path.startswith("[") and unit.values[0].size == 1 and self._whole(unit)
            ):
                continue
            for k, value in enumerate(unit.values):
                for index, (item, in_text) in enumerate(_items(value)):
                    yield _Shown((unit.places[k], index, unit.number), unit.number, k, index, in_text, item)
                    count += 1
                if count > _MOST:
                    return

    def _whole(self, unit: Unit) -> bool:
        own = self._of_event[unit.places[0]]
        return any(not self._units[number].path for number, _ in own)

    def _from_shown(self, token: Token, one: _Shown, scale: float) -> Origin:
        unit = self._units[one.unit]
        value, sources = one.value, unit.sources[one.k]
        name = unit.site.name
        if one.in_text:
            back = self.back(token, sources)
            if back is not None:
                value, place, name, scale = back
                return Origin(one.unit, one.k, one.at, True, scale, value, frozenset({place}), name)
            return Origin(one.unit, one.k, one.at, True, 1.0, value, sources, name)
        exact = {place for place in sources if self._has(place, value)}
        if not exact and not any(self._of_event.get(place) for place in sources):
            # A function that hands on what it is given, whatever that is.
            exact = self._latest(value, unit.places[one.k])
        if len(exact) == 1:
            name = self._name(next(iter(exact)), name)
        return Origin(
            one.unit, one.k, one.at, False, scale, value,
            frozenset(exact or {unit.places[one.k]}), name,
        )  # fmt: skip

    def _latest(self, value: Any, before: int) -> set[int]:
        """The last variable that has had just this number, of those that chance does not make twice."""
        if self._having is None:
            self._having = defaultdict(list)
            for unit in self._units:
                if unit.kind not in ("set", "container", "mutated", "element"):
                    continue
                for k, own in enumerate(unit.values[:_MOST_OCCURRENCES]):
                    if own.dtype.kind == "f" and own.size <= _LARGEST:
                        for item in own.ravel().tolist():
                            self._having[item].append(unit.places[k])
        if not isinstance(value, float) or information(np.asarray(value)) < _PRECISE:
            return set()
        places = [place for place in self._having.get(value, ()) if place < before]
        return {max(places)} if places else set()

    def _has(self, place: int, value: Any) -> bool:
        return any(
            own.dtype != object and bool((own == value).any())
            for number, k in self._of_event.get(place, ())
            for own in (self._units[number].values[k],)
        )

    def _name(self, place: int, default: str) -> str:
        names = {self._units[number].site.name for number, _ in self._of_event.get(place, ())}
        return names.pop() if len(names) == 1 else default

    def back(
        self, token: Token, sources: frozenset[int], scales: Sequence[float] = _SCALES
    ) -> tuple[Any, int, str, float] | None:
        """From a text, the nearest number in what it was made of that is printed like this."""
        left, seen = sorted(sources, reverse=True), set(sources)
        for _ in range(_DEEP):
            further: set[int] = set()
            for place in left:
                for number, k in self._of_event.get(place, ()):
                    unit = self._units[number]
                    further |= unit.sources[k]
                    if unit.values[k].dtype == object or unit.values[k].size > _MOST:
                        continue
                    for item in unit.values[k].ravel().tolist():
                        scale = _fits(token, item)
                        if scale in scales:
                            return item, place, unit.site.name, scale
            left = sorted(further - seen, reverse=True)
            seen |= further
        return None

    def _by_value(self, token: Token) -> Origin | None:
        """What has this value, of all that was recorded: the smallest whole variable, the latest."""
        digits = len(token.text.lower().partition("e")[0].replace(".", "").lstrip("+-0"))
        if digits < _DIGITS:
            return None
        best: tuple[tuple[int, int], Origin] | None = None
        for unit in self._units:
            if unit.kind in ("part", "shown", "test", "iterates"):
                continue
            for k in range(max(0, len(unit.values) - 3), len(unit.values)):
                value = unit.values[k]
                if value.dtype.kind not in "fiu" or value.size > 1000:
                    continue
                with np.errstate(invalid="ignore"):
                    away = np.abs(value.ravel().astype(float) - token.value)
                near = np.flatnonzero(away <= _HALF * token.unit + _ROUNDING * abs(token.value))
                if near.size:
                    index, place = int(near[0]), unit.places[k]
                    item = value.ravel()[index].item()
                    exact = {source for source in unit.sources[k] if self._has(source, item)}
                    own = next(iter(exact)) if len(exact) == 1 and value.size == 1 else place
                    name = self._name(own, unit.site.name)
                    origin = Origin(unit.number, k, index, False, 1.0, item, frozenset({own}), name)
                    rank = (value.size, -place)
                    if best is None or rank < best[0]:
                        best = rank, origin
        return best[1] if best is not None else None


def _items(value: Value) -> Iterator[tuple[Any, bool]]:
    """The numbers of a value in the order in which they are printed, and whether they are in a text."""
    if value.dtype == object:
        for text in value.ravel().tolist():
            for token in tokens_of(str(text)):
                if token.is_number:
                    yield token.value, True
    elif value.dtype.kind in "fiub":
        for item in value.ravel().tolist():
            yield item, False


def element_of(value: Value, index: int, in_text: bool) -> float:
    """A number of a value, as it was counted when its origin was found; NaN where there is none."""
    for at, (item, _) in enumerate(_items(value)):
        if at == index:
            return float(item)
    return float("nan")


def _fits(token: Token, item: Any) -> float:
    """The scale at which a number is printed like this; 0 where it is not."""
    if not isinstance(item, (int, float)):
        return 0.0
    if item != item or token.value != token.value:
        return 1.0 if item != item and token.value != token.value else 0.0
    for scale in _SCALES:
        slack = _HALF * token.unit + _ROUNDING * abs(token.value)
        if scale * item == token.value or abs(scale * item - token.value) <= slack:
            return scale
    return 0.0


class _Lookup:
    """What is shown, to be looked up by how it is printed."""

    def __init__(self, shown: Sequence[_Shown]) -> None:
        self._shown = shown
        self._values = np.array([float(one.value) for one in shown], dtype=float)
        self._order = np.argsort(self._values)
        self._sorted = self._values[self._order]

    def options(self, token: Token) -> list[tuple[_Shown, float]]:
        """What may be this number, with the scale at which it is."""
        if token.value != token.value:
            return [(self._shown[n], 1.0) for n in np.flatnonzero(np.isnan(self._values))[:_OPTIONS]]
        slack = _HALF * token.unit + _ROUNDING * abs(token.value)
        for scale in _SCALES:
            low = np.searchsorted(self._sorted, (token.value - slack) / scale, "left")
            high = np.searchsorted(self._sorted, (token.value + slack) / scale, "right")
            if high > low:
                return [(self._shown[n], scale) for n in sorted(self._order[low:high])[:_OPTIONS]]
        return []


def _in_order(
    options: dict[int, list[tuple[_Shown, float]]], numbers: Sequence[int]
) -> dict[int, tuple[_Shown, float]]:
    """Choose one option for as many numbers as can be, in the order in which they were shown."""
    tails: list[tuple[int, int, int]] = []
    chain: list[tuple[int, tuple[_Shown, float]]] = []
    before: list[int] = []
    ends: list[int] = []
    for n in numbers:
        for option in sorted(options[n], key=lambda option: option[0].key, reverse=True):
            key = option[0].key
            at = bisect_left(tails, key)
            chain.append((n, option))
            before.append(ends[at - 1] if at else -1)
            if at == len(tails):
                tails.append(key)
                ends.append(len(chain) - 1)
            else:
                tails[at] = key
                ends[at] = len(chain) - 1
    found: dict[int, tuple[_Shown, float]] = {}
    at = ends[-1] if ends else -1
    while at >= 0:
        n, option = chain[at]
        found[n] = option
        at = before[at]
    return found
