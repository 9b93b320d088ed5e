"""The variables of a recorded program, each with all its values, and what they are computed from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

import msgspec

from harness.programs.flow import Flow
from harness.programs.handed_on import HandedOn, parts_read
from harness.programs.trace import Site, Trace, Value


class Element(NamedTuple):
    """A number that a program prints, and where it is recorded: a value of a unit, and which element of it.

    Of a text it is which of the numbers in it. ``scale`` turns it into the number that is compared.
    """

    unit: int
    k: int
    at: int
    in_text: bool
    scale: float
    slack: float


class Unit(msgspec.Struct):
    """What one place of a program sets, over all its occurrences.

    Attributes
    ----------
    number : int
        Its place in the list of units, which is that of its first value.
    site : Site
        Where it is set.
    path : str
        Which part of the value it is; empty for the whole.
    values : list of ndarray
        Its values, in order.
    occurrences : list of int
        Which occurrence of the site each value is.
    inputs, users : set of int
        Units that it is computed from, and those computed from it.
    places : list of int
        The event of each value.
    sources : list of set of int
        The events that each value was computed from.
    calls : list of int
        Of a parameter, the event of the statement that called its function, or -1.
    elements : tuple of Element
        Of numbers that are printed, where they are recorded.
    divided : bool
        Whether it is shown in parts, of which each is a unit of its own.
    """

    number: int
    site: Site
    path: str
    values: list[Value]
    occurrences: list[int]
    inputs: set[int]
    users: set[int]
    places: list[int]
    sources: list[frozenset[int]]
    calls: list[int]
    elements: tuple[Element, ...] = ()
    divided: bool = False

    @property
    def first(self) -> int:
        """The place of its first event."""
        return self.places[0]

    @property
    def last(self) -> int:
        """The place of its last event."""
        return self.places[-1]

    @property
    def name(self) -> str:
        """As its language writes it."""
        if self.site.element:
            return self.site.name.removesuffix("[]") + self.site.element + self.path
        return self.site.name + self.path

    @property
    def kind(self) -> str:
        """What sort of place it is."""
        return self.site.kind

    @property
    def is_scalar(self) -> bool:
        """Whether all its values are single numbers."""
        return all(value.size == 1 for value in self.values)


def units_of(trace: Trace) -> list[Unit]:
    """All units of a trace, in the order of their first values.

    Parameters
    ----------
    trace : Trace
        Of a whole or a broken run.
    """
    flows = Flow(trace)
    units: list[Unit] = []
    by_key: dict[tuple[int, str], Unit] = {}
    of_event: dict[int, list[int]] = {}
    for event in trace.events:
        site = trace.sites.get(event.site)
        if site is None:
            continue
        for path, value in event.parts.items():
            unit = by_key.get((event.site, path))
            if unit is None:
                unit = Unit(len(units), site, path, [], [], set(), set(), [], [], [])
                by_key[event.site, path] = unit
                units.append(unit)
            unit.values.append(value)
            unit.occurrences.append(event.occurrence)
            unit.places.append(event.place)
            unit.calls.append(flows.call_of.get(event.place, -1))
            unit.sources.append(frozenset(flows.inputs.get(event.place, ())))
            of_event.setdefault(event.place, []).append(unit.number)
    handed_on = HandedOn(trace, flows.inputs)
    at = [0] * len(units)
    for event in trace.events:
        own = of_event.get(event.place, [])
        sources = {
            by_key[source.site, path].number
            for place in (flows.inputs.get(event.place, ()) if own else ())
            for source in (trace.events[place],)
            if source.site in trace.sites
            for path in parts_read(trace.sites[event.site], trace.sites[source.site], [*source.parts])
        }
        for number in own:
            unit = units[number]
            at[number] += 1
            taken = handed_on(event, unit.path) if len(own) > 1 else None
            if taken is None:
                unit.inputs |= sources - {number}
                continue
            unit.sources[at[number] - 1] = frozenset(taken)
            unit.inputs |= {
                by_key[trace.events[place].site, path].number
                for place, paths in taken.items()
                for path in paths
            } - {number}
    for unit in units:
        for number in unit.inputs:
            units[number].users.add(unit.number)
    return units


def values_of(trace: Trace, sites: Collection[int]) -> dict[tuple[int, str], Unit]:
    """The values of some sites, by site and part, without what they are computed from."""
    found: dict[tuple[int, str], Unit] = {}
    for event in trace.events:
        site = trace.sites.get(event.site)
        if site is None or event.site not in sites:
            continue
        for path, value in event.parts.items():
            unit = found.setdefault(
                (event.site, path), Unit(len(found), site, path, [], [], set(), set(), [], [], [])
            )
            unit.values.append(value)
            unit.occurrences.append(event.occurrence)
            unit.places.append(event.place)
    return found


def without_parts(units: list[Unit]) -> list[Unit]:
    """The units that are no parts of expressions, numbered anew; what parts are computed from is theirs."""
    numbers = {unit.number: new for new, unit in enumerate(one for one in units if one.kind != "part")}
    made: list[Unit] = []
    for unit in units:
        if unit.kind != "part":
            own = {
                numbers[number] for number in through_parts(units, unit.inputs, lambda one: one.inputs)
            } - {numbers[unit.number]}
            made.append(msgspec.structs.replace(unit, number=numbers[unit.number], inputs=own, users=set()))
    for unit in made:
        for number in unit.inputs:
            made[number].users.add(unit.number)
    return made


def through_parts(units: list[Unit], begin: Iterable[int], further: Callable[[Unit], set[int]]) -> set[int]:
    """The units that are reached from some, where what expressions are made of is gone through."""
    found: set[int] = set()
    left = [*begin]
    seen = {*left}
    while left:
        number = left.pop()
        if units[number].kind != "part":
            found.add(number)
            continue
        left += further(units[number]) - seen
        seen |= further(units[number])
    return found


def ancestors(units: list[Unit], start: int) -> set[int]:
    """Units that one is computed from, directly or not; without itself unless it is computed from itself."""
    return _reach(units, start, lambda unit: unit.inputs)


def descendants(units: list[Unit], start: int) -> set[int]:
    """Units that are computed from one, directly or not."""
    return _reach(units, start, lambda unit: unit.users)


def _reach(units: list[Unit], start: int, step) -> set[int]:  # type: ignore[no-untyped-def]
    found: set[int] = set()
    left = [start]
    while left:
        for number in step(units[left.pop()]):
            if number not in found:
                found.add(number)
                left.append(number)
    return found
