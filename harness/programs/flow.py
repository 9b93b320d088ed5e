"""Which recorded values each recorded value was computed from."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from harness.programs.targets import Turns, is_beside, read_by
from harness.programs.trace import Event, Site, Trace

_MOST_RETURNED = 50
"""Values that one statement's calls returned, of which any may be what a later one was given."""
_MOST_FILLED = 200
"""Elements that one statement has set of a variable, of which each is a part of what it is then."""
_OF_R = (".r", ".rmd", ".qmd")
_SETS = frozenset({"set", "loop", "param", "container", "mutated", "element"})


class Flow:
    """For each event, the events whose values it read.

    Parameters
    ----------
    trace : Trace
        Of a whole or a broken run.

    Attributes
    ----------
    inputs : dict of int to set of int
        By an event's place, the places of those.
    call_of : dict of int to int
        Of a parameter, the event of the statement that called its function.
    """

    def __init__(self, trace: Trace) -> None:
        self.inputs: dict[int, set[int]] = {}
        self.call_of: dict[int, int] = {}
        self._trace = trace
        self._latest: dict[int, dict[str, int]] = defaultdict(dict)
        self._fills: dict[tuple[int, str], dict[int, list[int]]] = defaultdict(dict)
        self._columns: dict[tuple[int, str], dict[str, int]] = defaultdict(dict)
        self._attributes: dict[str, int] = {}
        self._gone_over: dict[tuple[int, str], tuple[str, ...]] = {}
        self._items: dict[str, list[int]] = {}
        self._returned: dict[int, list[int]] = defaultdict(list)
        self._params: dict[int, list[Event]] = defaultdict(list)
        self._otherwise: dict[int, set[int]] = {}
        self._last: dict[int, int] = {}
        self._calls: dict[int, list[int]] = {}
        self._turns = Turns()
        self._given: dict[int, list[Event]] = {}
        self._frames_of: dict[str, list[int]] = defaultdict(list)
        self._of_site: dict[int, int] = {}
        self._contents: dict[int, set[tuple[object, ...]]] = {}
        # In R a dot is a letter like another.
        files = {site.file.lower() for site in trace.sites.values()}
        self._separator = "$" if any(file.endswith(_OF_R) for file in files) else "."
        for event in trace.events:
            site = trace.sites.get(event.site)
            if site is not None:
                self._take(event, site)
        # Of functions that are called last nothing comes.
        for frame, given in self._params.items():
            self._of_parameters([one for one in given if one.parts], set(), [], frame)
        self._go_through()

    def _go_through(self) -> None:
        """What has no value itself, as a call, or an argument that is not evaluated yet, is what it reads."""
        empty = {event.place for event in self._trace.events if not event.parts}
        for event in self._trace.events if empty else ():
            own = self.inputs.get(event.place, set())
            if not own & empty:
                continue
            left, seen, found = [*own], set(own), set[int]()
            while left:
                place = left.pop()
                if place not in empty:
                    found.add(place)
                    continue
                further = self.inputs.get(place, set()) - seen
                seen |= further
                left += further
            self.inputs[event.place] = {place for place in found if place < event.place}

    def _take(self, event: Event, site: Site) -> None:
        frame = event.frame
        if site.kind == "default":
            # It is looked at when its function is made, or called: no statement of that frame is.
            self._of_site[site.number] = event.place
            self.inputs[event.place] = {*self._of_sites(site, frame)}
            self.inputs[event.place] |= {
                place for name in read_by(site) for place in self._lookup(frame, name, site.around)
            }
            return
        if site.around or site.function:
            known = self._frames_of[site.function]
            if not known or known[-1] != frame:
                known.append(frame)
        found = {place for name in read_by(site) for place in self._lookup(frame, name, site.around)}
        # Frames that this one called since its last event: they belong to this statement.
        returned = self._returned.pop(frame, [])
        last = self._trace.events[self._last[frame]].site if frame in self._last else None
        if not returned and last is not None and is_beside(self._trace.sites[last], site):
            # Of several variables that one statement sets, each is of what its calls returned.
            returned = self._calls[frame]
        self._calls[frame] = returned
        given = self._params.pop(frame, [])
        parts = set(self._of_sites(site, frame))
        if site.kind == "param":
            self._otherwise[event.place], parts = parts, set()
        if site.kind == "part" and (later := [one for one in given if not one.parts]):
            # Arguments that are evaluated late are the whole statement's.
            self._params[frame], given = later, [one for one in given if one.parts]
        if given:
            self._given[frame] = given
            for late in (one for one in given if not one.parts):
                self.inputs.setdefault(late.place, set()).update(found, returned, parts)
            self._of_parameters([one for one in given if one.parts], found | parts, returned, frame)
            self.call_of.update(dict.fromkeys((parameter.place for parameter in given), event.place))
        if site.kind == "loop":
            found |= set(self._yielded(event))
        self._last[frame] = event.place
        found |= set(returned)
        found |= parts
        if site.kind == "container" or site.kind == "mutated":
            found |= set(self._lookup(frame, f"{site.name}[]"))
        if site.kind == "mutated":
            found |= set(self._in_calls(frame, site.name))
        if site.kind == "container":
            found |= {place for place in self._lookup(frame, site.name) if self._keeps(event, place)}
            for each in self._fills.get((frame, f"{site.name}[]"), {}).values():
                found.update(each[-_MOST_FILLED:])
        self.inputs[event.place] = {place for place in found if place != event.place}
        self._of_site[site.number] = event.place
        self._turns.take(site, event.place)
        if site.kind in _SETS:
            owner = self._owner(frame, site) if site.beyond else frame
            self._latest[owner][site.name] = event.place
            self._filled(owner, event, site)
            table, _, column = site.name.partition("$")
            if column:
                self._columns[owner, table][column] = event.place
            if attribute := self._attribute(site.name):
                self._attributes[attribute] = event.place
            self._fill_what_is_gone_over(owner, event, site)
        if site.kind == "param":
            self._params[self._trace.parents.get(frame, 0)].append(event)
        if site.kind == "return" and frame:
            self._returned[self._trace.parents.get(frame, 0)].append(event.place)
        elif site.kind == "return":
            self._returned[0].append(event.place)

    def _filled(self, owner: int, event: Event, site: Site) -> None:
        """Of a variable that is filled element by element, those that each statement has set."""
        if site.kind == "element":
            self._fills[owner, site.name].setdefault(event.site, []).append(event.place)
        elif site.kind != "mutated":
            self._fills.pop((owner, f"{site.name}[]"), None)

    def _fill_what_is_gone_over(self, frame: int, event: Event, site: Site) -> None:
        """What a loop changes of the item that it is at is a part of what it goes over; R copies the item."""
        root = site.name.removesuffix("[]")
        if site.kind == "loop":
            self._gone_over[frame, root] = tuple(name for name in read_by(site) if name != root)
        elif site.kind in ("set", "param"):
            self._gone_over.pop((frame, root), None)
            self._items.pop(self._attribute(root), None)
        elif site.kind in ("container", "mutated") and self._separator != "$":
            for name in self._gone_over.get((frame, root), ()):
                at = next((at for at in self._outward(frame) if name in self._latest.get(at, {})), -1)
                whole = self._trace.events[self._latest[at][name]].parts if at >= 0 else {}
                if any(part.size > 1 for part in whole.values()):
                    self._latest[at][f"{name}[]"] = event.place
                    self._fills[at, f"{name}[]"].setdefault(event.site, []).append(event.place)
                    if attribute := self._attribute(name):
                        self._attributes[attribute] = event.place
                        self._items.setdefault(attribute, []).append(event.place)

    def _outward(self, frame: int) -> Iterator[int]:
        """A frame, and those that called it."""
        seen = set()
        while frame not in seen:
            seen.add(frame)
            yield frame
            frame = self._trace.parents.get(frame, 0)

    def _owner(self, frame: int, site: Site) -> int:
        """The frame whose variable a function sets that is not its own: one around it, or the program's."""
        root = site.name.removesuffix("[]").partition("$")[0].partition(".")[0]
        for around in self._around(frame, site.around):
            if self._latest.get(around, {}).keys() & {root, f"{root}[]"}:
                return around
        return 0

    def _around(self, frame: int, functions: tuple[str, ...]) -> Iterator[int]:
        """The frames that a function sees by where it is written: each the latest of its function."""
        for function in functions:
            frame = next((one for one in reversed(self._frames_of[function]) if one != frame), 0)
            if frame:
                yield frame

    def _yielded(self, event: Event) -> Iterator[int]:
        """What generators have made since a frame was last seen that is just what its loop is given."""
        contents = _contents(event)
        begun = max(self._last.get(event.frame, -1), event.place - _MOST_RETURNED)
        for place in range(event.place - 1, begun, -1):
            one = self._trace.events[place]
            if self._trace.sites[one.site].kind in ("part", "return") and contents == _contents(one) != set():
                yield place

    def _in_calls(self, frame: int, name: str) -> Iterator[int]:
        """What functions set that were given a variable and have changed it in place."""
        before = {*self._lookup(frame, name)}
        for given in self._given.get(frame, ()):
            if before & self.inputs.get(given.place, set()):
                own = self._trace.sites[given.site].name
                for key, place in self._latest.get(given.frame, {}).items():
                    if place > given.place and (key in (own, f"{own}[]") or key.startswith(f"{own}.")):
                        yield place

    def _keeps(self, event: Event, place: int) -> bool:
        """Whether a value of which elements were set keeps others of what it was before."""
        before = self._trace.events[place].parts
        return any(
            path in before
            and before[path].shape == value.shape
            and bool(np.any((before[path] == value) & (value != 0)))
            for path, value in event.parts.items()
        )

    def _of_sites(self, site: Site, frame: int) -> Iterator[int]:
        """The latest events of what controls a site, and of what its expression is made of."""
        for number in site.control:
            place = self._of_site.get(number)
            if place is None:
                continue
            if self._trace.sites[number].kind == "part" and self._trace.events[place].frame != frame:
                continue
            yield from self._turns.of(number)[-_MOST_RETURNED:] or (place,)

    def _of_parameters(
        self, parameters: list[Event], read: set[int], returned: list[int], frame: int
    ) -> None:
        """What is given to functions: of what the calling statement has by then, what has the same value."""
        events = self._trace.events
        known: dict[tuple[object, ...], list[int]] = defaultdict(list)
        for place in [*read, *returned]:
            for content in _contents(events[place]):
                known[content].append(place)
        for places in known.values():
            places.sort()
        for parameter in parameters:
            contents = _contents(parameter)
            having = [_before(known.get(content, []), parameter.place) for content in contents]
            same = {place for places in having for place in places}
            if same and not all(having):
                # Of several values that are given as one, some are computed in the call.
                same |= {place for place in read if place < parameter.place}
            # The same as where nothing is given for it.
            same |= {p for p in self._otherwise.get(parameter.place, ()) if contents & _contents(events[p])}
            if not same:
                # A statement that only calls a function leaves no event of its own.
                same = self._in_frame(frame, parameter)
            if not same:
                same = {place for place in read if place < parameter.place}
                same |= set(_before(returned, parameter.place))
            self.inputs.setdefault(parameter.place, set()).update(same)

    def _in_frame(self, frame: int, parameter: Event) -> set[int]:
        """What the calling function has by then that is just what a function is given."""
        contents = _contents(parameter)
        found: set[int] = set()
        for place in set(self._latest.get(frame, {}).values()):
            if place < parameter.place:
                if place not in self._contents:
                    self._contents[place] = _contents(self._trace.events[place])
                if contents & self._contents[place]:
                    found.add(place)
        return found

    def _lookup(self, frame: int, name: str, functions: tuple[str, ...] = ()) -> Iterator[int]:
        seen = set()
        table = name.partition("$")[0]
        attribute = self._attributes.get(self._attribute(name), -1)
        # What a function sees by where it is written stands before what its callers have.
        scopes = [frame, *self._around(frame, functions)][::-1]
        while scopes or frame not in seen:
            frame = scopes.pop() if scopes else frame
            seen.add(frame)
            own = self._latest.get(frame)
            if own is not None:
                places = [own[key] for key in (name, f"{name}[]") if key in own]
                whole = max((own[key] for key in (table, f"{table}[]") if key in own), default=-1)
                if table != name and whole > max(places, default=-1):
                    # Of a column that is not set by itself since, the table.
                    places = [whole]
                if places:
                    yield max(places)
                    fills = self._fills.get((frame, f"{name}[]" if f"{name}[]" in own else name), {})
                    for number, each in fills.items():
                        # Each item of a loop is another; of elements of its own the last stands for all.
                        is_own = self._trace.sites[number].name.removesuffix("[]") == name.removesuffix("[]")
                        yield from each[-1 if is_own else -_MOST_FILLED :]
                    if attribute > max(places) and self._by_reference(attribute, frame):
                        yield attribute
                    if len(places) == 2 and places[1] > places[0]:
                        yield places[0]
                    if table == name:
                        columns = self._columns.get((frame, name), {}).values()
                        yield from (place for place in columns if place > min(places))
                    return
                if table == name and (frame, name) in self._columns:
                    # A table that began without columns.
                    yield from self._columns[frame, name].values()
                    return
            frame = self._trace.parents.get(frame, 0)
        if attribute >= 0:
            yield attribute
            yield from self._items.get(self._attribute(name), ())[-_MOST_FILLED:]

    def _attribute(self, name: str) -> str:
        """The last part of a name, where it is one of an object; empty for a plain name."""
        _, found, last = name.rpartition(self._separator)
        return last if found else ""

    def _by_reference(self, place: int, frame: int) -> bool:
        """Whether a function has set a field of an object, and not of a value that it was given."""
        event = self._trace.events[place]
        root = self._trace.sites[event.site].name.partition(self._separator)[0]
        own = self._latest.get(event.frame, {})
        return event.frame != frame and root not in own and f"{root}[]" not in own


def _before(places: list[int], limit: int) -> list[int]:
    """The last few of some places, in order, that are before one."""
    end = bisect_left(places, limit)
    return places[max(0, end - _MOST_RETURNED) : end]


def _contents(event: Event) -> set[tuple[object, ...]]:
    """The values of an event, to be looked up."""
    return {
        (value.shape, value.dtype.kind, str(value.tolist()) if value.dtype == object else value.tobytes())
        for value in event.parts.values()
    }
