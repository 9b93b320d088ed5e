"""The numbers that two programs print, paired by their places, as results of both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from harness.numerics.layouts import information
from harness.programs.beside import beside
from harness.programs.equal_tokens import Place
from harness.programs.left_over import alone, left_over, without_others
from harness.programs.match import Matching, Pair
from harness.programs.partner_origins import lacking_origins
from harness.programs.places import in_place
from harness.programs.replace import BASE, Side
from harness.programs.sequences import Compared, compare
from harness.programs.sequences import Sequence as Values
from harness.programs.shown_variables import with_shown
from harness.programs.shows import Origin, names_of, origins_of, was
from harness.programs.tokens import Token, tokens_of
from harness.programs.trace import Value
from harness.programs.units import Element, Unit

_PAIRED = 0.6
"""Share of the numbers of the shorter printout that have a place in the other, from which on both are held
against each other."""
_LINKED = 0.5
"""The same, of those of which it is known where they come from."""
_SCORE = 0.95
_CLOSE = 1e-6
_OF_OFF = 0.02
"""Of how far two results are apart: so near each other they are the same, as far as they are printed."""


class Printed(NamedTuple):
    """Two programs with what they print as units, and the pairs of those; empty where they do not compare.

    ``agreeing`` and ``apart`` count the numbers that agree and that differ; ``alone`` are those of each that
    have no place in the other.
    """

    a: Side
    b: Side
    matching: Matching
    pairs: list[Pair]
    agreeing: int
    apart: int
    alone: tuple[list[Token], list[Token]] = ([], [])


class _Both(NamedTuple):
    place: Place
    tokens: tuple[Token, Token]
    origins: tuple[Origin, Origin]


def with_printed(a: Side, b: Side, matching: Matching) -> Printed:
    """Pair what two programs print, and add it to their units.

    Parameters
    ----------
    a, b : Side
        The two programs.
    matching : Matching
        Of their units.
    """
    tokens = tokens_of(a.recorded.printed, a.language), tokens_of(b.recorded.printed, b.language)
    shift = BASE[b.language] - BASE[a.language]
    places = in_place(*tokens, shift)
    shorter = min(sum(one.is_number for one in side) for side in tokens)
    if not places:
        return Printed(a, b, matching, [], 0, 0)
    origins = origins_of(tokens[0], a.units), origins_of(tokens[1], b.units)
    names = names_of(origins[0]), names_of(origins[1])
    straight = set(places)
    lacking = [one for one in places if not one.agrees]
    for side, own in enumerate(lacking_origins(tokens, lacking, origins, (a.units, b.units), matching)):
        origins[side].update(own)
    places = beside(*tokens, places, names)
    if len(places) < _PAIRED * shorter:
        return Printed(a, b, matching, [], 0, 0)
    places += left_over(tokens, places, origins, (a.units, b.units), matching)
    places = without_others(tokens, places, origins, (a.units, b.units), matching, straight)
    linked = [
        _Both(one, (tokens[0][one.a], tokens[1][one.b]), (origins[0][one.a], origins[1][one.b]))
        for one in places if one.a in origins[0] and one.b in origins[1]
    ]  # fmt: skip
    linked = [_held(one, (a.units, b.units)) for one in linked]
    judged = {one.place.a: one.place for one in linked}
    places = [judged.get(one.a, one) for one in places]
    off = [one for one in places if not one.agrees]
    known = sum(not one.place.agrees for one in linked)
    if len(linked) < _LINKED * len(places) or (off and not known):
        return Printed(a, b, matching, [], 0, 0)
    made = _Adding(a, b, matching, linked).done(len(places) - len(off), len(off))
    return made._replace(alone=alone(tokens, places, (a.units, b.units), shift))


def _held(both: _Both, units: tuple[Sequence[Unit], Sequence[Unit]]) -> _Both:
    """The same two numbers, which differ where one is whole and nothing that it was made of is the other."""
    place, sides = both.place, ((0, 1), (1, 0))
    for whole, other in sides:
        one, fraction = both.tokens[whole], both.tokens[other]
        if (
            place.agrees and place.scale == 1 and one.unit >= 1 > fraction.unit
            and one.value != fraction.value and not was(units[whole], both.origins[whole], fraction)
        ):  # fmt: skip
            return both._replace(place=place._replace(agrees=False))
    return both


class _Adding:
    """Groups the numbers by where they come from, and makes units and pairs of them."""

    def __init__(self, a: Side, b: Side, matching: Matching, linked: Sequence[_Both]) -> None:
        self._a, self._b, self._matching = a, b, matching
        self._units = [*a.units], [*b.units]
        self._groups: dict[tuple[object, ...], list[_Both]] = defaultdict(list)
        for one in linked:
            self._groups[self._key(one)].append(one)
        self._pairs: list[Pair] = []
        self._whole: set[tuple[int, int]] = set()
        self._of_event: tuple[dict[int, list[int]], ...] = (defaultdict(list), defaultdict(list))
        for units, of_event in zip(self._units, self._of_event, strict=True):
            for unit in units:
                for place in unit.places:
                    of_event[place].append(unit.number)

    @staticmethod
    def _key(one: _Both) -> tuple[object, ...]:
        first, second = one.origins
        return (
            first.unit, second.unit, one.place.agrees, first.in_text, second.in_text,
            first.name, second.name, one.place.scale, first.scale, second.scale,
        )  # fmt: skip

    def done(self, agreeing: int, apart: int) -> Printed:
        """Both programs with these units."""
        of_pair: dict[tuple[int, int], list[list[_Both]]] = defaultdict(list)
        touched: tuple[dict[int, int], dict[int, int]] = (defaultdict(int), defaultdict(int))
        for group in self._groups.values():
            first, second = group[0].origins
            of_pair[first.unit, second.unit].append(group)
            touched[0][first.unit] += len(group)
            touched[1][second.unit] += len(group)
        for (i, j), groups in of_pair.items():
            if len(groups) == 1 and self._is_whole(i, j, groups[0], touched):
                self._take_whole(i, j, groups[0])
                continue
            for group in groups:
                self._add(group)
        whole_a, whole_b = {i for i, _ in self._whole}, {j for _, j in self._whole}
        for units, numbers, whole in zip(self._units, touched, (whole_a, whole_b), strict=True):
            for number in numbers:
                if number not in whole and units[number].kind == "shown":
                    self._divide(units, number)
        matching = self._extended()
        sides = self._a._replace(units=self._units[0]), self._b._replace(units=self._units[1])
        return Printed(*sides, matching, self._pairs, agreeing, apart)

    @staticmethod
    def _divide(units: list[Unit], number: int) -> None:
        """Of a value that is shown in parts, neither it nor its named parts are results themselves."""
        site = units[number].site.number
        for at, unit in enumerate(units):
            if unit.site.number == site and unit.kind == "shown":
                units[at] = msgspec.structs.replace(unit, divided=True)

    def _is_whole(self, i: int, j: int, group: Sequence[_Both], touched: tuple[dict[int, int], ...]) -> bool:
        """Whether a group is all that two units show, and they compare as their numbers do."""
        one, other = self._units[0][i], self._units[1][j]
        if one.kind != "shown" or other.kind != "shown" or any(part.in_text for part in group[0].origins):
            return False
        for unit, counts in ((one, touched[0]), (other, touched[1])):
            if sum(value.size for value in unit.values) != len(group) or counts[unit.number] != len(group):
                return False
        return compare(Values(one), Values(other)).agrees == group[0].place.agrees

    def _take_whole(self, i: int, j: int, group: Sequence[_Both]) -> None:
        compared = compare(Values(self._units[0][i]), Values(self._units[1][j]))
        self._whole.add((i, j))
        self._pairs.append(self._pair(i, j, compared))

    def _pair(self, i: int, j: int, compared: Compared) -> Pair:
        worth = 1 - float(np.exp(-compared.bits / 8))
        evidence = {"values": round(worth, 2), "names": 1.0, "flow": 0.0, "operators": 0.0}
        return Pair(i, j, compared, _SCORE, evidence)

    def _add(self, group: Sequence[_Both]) -> None:
        numbers = [self._unit(side, [both.origins[side] for both in group], group) for side in (0, 1)]
        bits = information(self._units[0][numbers[0]].values[0])
        agrees = group[0].place.agrees
        compared = Compared(agrees, "each", "same", 0, float(agrees), bits if agrees else 0.0)
        self._pairs.append(self._pair(numbers[0], numbers[1], compared))

    def _unit(self, side: int, origins: Sequence[Origin], group: Sequence[_Both]) -> int:
        units = self._units[side]
        first = origins[0]
        turn = group[0].place.scale if side else 1.0
        scales = [one.scale * turn for one in origins]
        sources = frozenset[int]().union(*(one.sources for one in origins))
        elements = []
        for one, both, scale in zip(origins, group, scales, strict=True):
            last = both.tokens[0].unit + both.tokens[1].unit * both.place.scale
            distance = _distance(both)
            slack = last if both.place.agrees or distance != distance else min(last, _OF_OFF * distance)
            elements.append(
                # A text is read as it is printed, whatever it was made of.
                Element(one.unit, one.k, one.at, one.in_text, turn if one.in_text else scale, slack)
            )
        values = [one.value for one in origins]
        made: Value = np.array(values)
        if any(scale != 1 for scale in scales):
            made = np.array(values, dtype=float) * np.array(scales)
        if made.size == 1:
            made = made.reshape(())
        site = msgspec.structs.replace(units[first.unit].site, kind="printed", name=first.name)
        place = 1 + max((unit.last for unit in units), default=0)
        inputs = {number for source in sources for number in self._of_event[side].get(source, ())}
        unit = Unit(
            len(units), site, "", [made], [1], inputs, set(), [place], [sources], [-1], tuple(elements)
        )
        for number in inputs:
            units[number].users.add(unit.number)
        units.append(unit)
        return unit.number

    def _extended(self) -> Matching:
        """The matching, with these pairs in place of those of what is shown."""
        matching = self._matching
        sizes = len(self._units[0]), len(self._units[1])
        equal, differing = np.zeros(sizes, dtype=bool), np.zeros(sizes)
        old = matching.equal.shape
        equal[: old[0], : old[1]], differing[: old[0], : old[1]] = matching.equal, matching.differing
        taken_a, taken_b = {pair.a for pair in self._pairs}, {pair.b for pair in self._pairs}
        kept = [
            pair for pair in matching.pairs
            if pair.a not in taken_a and pair.b not in taken_b
            and not self._units[0][pair.a].divided and not self._units[1][pair.b].divided
        ]  # fmt: skip
        compared = dict(matching.compared)
        for pair in self._pairs:
            equal[pair.a, pair.b] = pair.agrees
            differing[pair.a, pair.b] = 0.0 if pair.agrees else _SCORE
            compared[pair.a, pair.b] = pair.compared
        variables = with_shown(*self._units, matching.variables, self._pairs)
        return Matching([*kept, *self._pairs], variables, equal, differing, compared)


def _distance(both: _Both) -> float:
    """How far two numbers are apart, with all their digits."""
    first, second = both.origins
    return abs(float(first.value * first.scale - second.value * second.scale * both.place.scale))
