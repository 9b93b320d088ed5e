"""The values of a program by the lines that set them, and from which lines each is computed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.numerics.layouts import information, plain
from harness.programs.evidence import WEAK
from harness.programs.handed_on import dotted, parts_read
from harness.programs.pool import selected
from harness.programs.trace import Value
from harness.programs.units import Unit

Line = tuple[str, int]
"""A file and a line of it."""
Shares = npt.NDArray[np.floating[Any]]
"""Parts of something, from 0 to 1."""

NOWHERE: Line = ("", 0)
"""The line of what no line sets."""
_HELD_BACK = 0.85
"""How much of what is wrong a value holds back that both programs have for certain."""
_AMONG_OTHERS = 0.2
"""How much a right value speaks for a column of a table that was read whole for it."""
_SURELY_BOTH = 0.7
"""Evidence from which on a value speaks for what it was computed from."""
_TELLING = 5.0
"""Bits from which on what a container is filled with says more than where it is set."""
_NOT_COMPUTED = frozenset({"param", "container", "loop", "mutated", "printed", "shown"})


class LineTable:
    """Every value of a program: its evidence, its line, and from which lines it is computed.

    ``reached[n, m]`` says that value ``n`` is computed from what line ``m`` sets and the other may lack;
    ``doubtful`` are lines of which both have a value that this program only makes wrong ones of;
    ``computes`` are lines that do more than to count or to go through something;
    ``local`` has for each line how surely it sets what only this program has of what both have.
    """

    def __init__(
        self,
        units: Sequence[Unit],
        evidence: Sequence[Sequence[float]],
        wrong: Collection[tuple[int, int]] = (),
        opposed: Collection[int] = (),
    ) -> None:
        self._units, self._wrong = units, wrong
        self._columns = [_column(unit) for unit in units]
        self.lines: dict[Line, int] = {}
        self.where = self._places()
        self.rows = sorted((place, unit.number, k) for unit in units for k, place in enumerate(unit.places))
        self._of_event: dict[int, list[int]] = defaultdict(list)
        self._as_wrong: dict[int, float] = {}
        self._known_sources: dict[tuple[int, int], list[int]] = {}
        numbers: dict[tuple[object, ...], int] = {}
        self._identity: list[int] = []
        for n, (place, number, k) in enumerate(self.rows):
            self._of_event[place].append(n)
            self._identity.append(numbers.setdefault(content(units[number].values[k]), len(numbers)))
        self._rows_of = {(number, k): n for n, (_, number, k) in enumerate(self.rows)}
        size = len(self.rows)
        self.lines.setdefault(NOWHERE, len(self.lines))
        self.reached = np.zeros((size, len(self.lines)), dtype=np.float32)
        self.evidence = np.zeros(size)
        self.line_of = np.zeros(size, dtype=int)
        self.local = np.zeros(len(self.lines))
        self.doubtful = np.zeros(len(self.lines), dtype=bool)
        self.computes = np.zeros(len(self.lines), dtype=bool)
        for unit in units:
            if unit.kind not in ("loop", "iterates"):
                self.computes[self.where[unit.number]] = True
        self._clouded = np.zeros(size, dtype=bool)
        self._filled: dict[tuple[str, str, str], Shares] = {}
        self._latest: dict[str, int] = {}
        self._doubted = self._doubtful(evidence)
        acquitted = self._acquitted(evidence) - self._as_wrong.keys()
        for n, (_, number, k) in enumerate(self.rows):
            sources = self._made_from(n)
            self._take_over(n, sources, right=evidence[number][k] > WEAK)
            value = 0.0 if n in acquitted else evidence[number][k]
            if n in self._as_wrong:
                value = min(value, -self._as_wrong[n])
            filled_so = units[number].kind == "container" and not self._clouded[n] and number not in opposed
            if value < 0 and filled_so and self._speak(sources):
                # It was filled with what both have.
                value = 0.0
            # A column that a statement leaves as it is has no line.
            left = units[number].path and self._is_handed_on(n, sources)
            self._note(n, value, self.lines[NOWHERE] if left else self.where[number][k])

    def _made_from(self, n: int) -> list[int]:
        """The values that one was computed from; of a container that is as it was before, that one."""
        _, number, k = self.rows[n]
        unit = self._units[number]
        before = self._latest.get(unit.name)
        self._latest[unit.name] = n
        sources = self._sources(number, k)
        same = unit.kind == "container" and before is not None and self._is_handed_on(n, [before])
        return [before] if same and before is not None else sources

    def _take_over(self, n: int, sources: Sequence[int], right: bool) -> None:
        """Take over from which lines the sources of a value are computed, and what is wrong with them."""
        unit = self._units[self.rows[n][1]]
        others = self._only_among_others(sources, unit) if right else frozenset[int]()
        for source in sources:
            # What both have does not hand on what is wrong.
            held = 0.0 if source in self._doubted else max(0.0, float(self.evidence[source]))
            share = (1 - _HELD_BACK * held) * (_AMONG_OTHERS if source in others else 1.0)
            np.maximum(self.reached[n], share * self.reached[source], out=self.reached[n])
        self._clouded[n] = any(
            self.evidence[source] < -WEAK or (self.evidence[source] == 0 and self._clouded[source])
            for source in sources
        )
        if unit.kind == "container" and (filled := self._filled.get(_filling(unit))) is not None:
            # Any of the elements may be wrong, not just the last.
            np.maximum(self.reached[n], filled, out=self.reached[n])
            self._clouded[n] = True

    def _note(self, n: int, value: float, line: int) -> None:
        """Note the evidence of a value, and what it says of its line."""
        unit = self._units[self.rows[n][1]]
        self.evidence[n], self.line_of[n] = value, line
        self.doubtful[line] |= n in self._doubted
        if (value <= WEAK or n in self._doubted) and unit.kind != "mutated":
            self.reached[n, line] = 1.0
        if unit.kind == "element" and value < -WEAK:
            filled = self._filled.setdefault(_filling(unit), np.zeros_like(self.reached[n]))
            np.maximum(filled, self.reached[n], out=filled)
        if value < -WEAK and not self._clouded[n]:
            self.local[line] = max(self.local[line], -value)

    def _is_handed_on(self, n: int, sources: Sequence[int]) -> bool:
        return any(self._identity[source] == self._identity[n] for source in sources)

    def _speak(self, sources: Sequence[int]) -> bool:
        """Whether what a container is filled with says something; of marks, it is where they are set."""
        return any(information(plain(self._value(source))) >= _TELLING for source in sources)

    def _doubtful(self, evidence: Sequence[Sequence[float]]) -> set[int]:
        """Values that both have, of which only such are computed that this program alone has."""
        alone: set[int] = set()
        kept: set[int] = set()
        for n, (_, number, k) in reversed([*enumerate(self.rows)]):
            into = alone if evidence[number][k] < -WEAK else kept
            if (evidence[number][k] != 0 or n in self._as_wrong) and not self._units[number].divided:
                sources = self._sources(number, k)
                wrong = -evidence[number][k] if into is alone else self._as_wrong.get(n, 0.0)
                if into is kept and (n not in alone or n in kept):
                    wrong = 0.0
                    self._as_wrong.pop(n, None)
                if wrong:
                    # What is only handed on is used for what becomes of it, and for nothing else.
                    same = {source for source in sources if self._hands_on(source, n)}
                    self._as_wrong.update(dict.fromkeys(same, wrong))
                    alone |= same
                    sources = [source for source in sources if source not in same]
                into.update(sources)
        self._as_wrong = {n: wrong for n, wrong in self._as_wrong.items() if n in alone and n not in kept}
        return {n for n in alone - kept if self._is_computed(*self.rows[n][1:])}

    def _hands_on(self, source: int, n: int) -> bool:
        """Whether a value is another's, or one of the elements that fill it."""
        one, whole = self._value(source), self._value(n)
        if self._identity[source] == self._identity[n]:
            return True
        kinds = self._units[self.rows[source][1]].kind, self._units[self.rows[n][1]].kind
        filling = kinds == ("element", "container") and one.dtype != object and whole.dtype != object
        return filling and one.size == 1 and bool(np.isin(one, whole).all())

    def _acquitted(self, evidence: Sequence[Sequence[float]]) -> set[int]:
        """Values that only this program has, of which what both have is computed: of another form."""
        found: set[int] = set()
        for n, (place, number, k) in enumerate(self.rows):
            unit = self._units[number]
            if evidence[number][k] < _SURELY_BOTH or unit.kind in _NOT_COMPUTED:
                continue
            if any(self._alone_here(evidence, other) for other in self._of_event[place] if other != n):
                # Of a record of which some parts are wrong, the others say nothing.
                continue
            sources = self._sources(number, k)
            # How many rows a table has says nothing of its columns.
            others = self._only_among_others(sources, unit)
            for source in sources:
                _, one, at = self.rows[source]
                if evidence[one][at] >= 0 or (one, at) in self._wrong or source in others:
                    continue
                if not selected(unit.values[k], [self._value(source)]):
                    found.add(source)
        return found

    def _alone_here(self, evidence: Sequence[Sequence[float]], n: int) -> bool:
        _, number, k = self.rows[n]
        return evidence[number][k] < -WEAK

    def _is_computed(self, number: int, k: int) -> bool:
        unit = self._units[number]
        return unit.kind in ("set", "element") and (bool(unit.sources[k]) or unit.values[k].size == 1)

    def _places(self) -> list[list[int]]:
        """The line of each value; what a function is given belongs to the line that calls it."""
        of_event: dict[int, int] = {}
        for unit in self._units:
            number = self.lines.setdefault(line_of(unit), len(self.lines))
            for place in unit.places:
                of_event.setdefault(place, number)
        return [
            [
                of_event.get(call, of_event[place]) if unit.kind == "param" else of_event[place]
                for place, call in zip(unit.places, unit.calls, strict=True)
            ]
            for unit in self._units
        ]

    def _sources(self, number: int, k: int) -> list[int]:
        """The values that one was computed from; of an event with parts, the part that it is."""
        found = self._known_sources.get((number, k))
        if found is not None:
            return found
        found = self._known_sources[number, k] = []
        unit = self._units[number]
        for place in unit.sources[k]:
            own = self._of_event.get(place, [])
            if len(own) > 1:
                own = self._parts(own, unit, k)
            found += own
        found[:] = self._of_column(found, unit)
        return found

    def _of_column(self, found: Sequence[int], unit: Unit) -> list[int]:
        """Of tables that have it too, a column comes from the same one, and from those that are read by name.

        A table that is selected from, sorted or grouped is read whole, with columns that were set one by one.
        """
        if len(found) < 2:
            return [*found]
        own = self._columns[unit.number][1] if unit.path else ""
        columns = [self._columns[self.rows[n][1]] for n in found]
        tables = {table for table, name in columns if own and table and name == own}
        others = self._only_among_others(found, unit)
        return [
            n for n, (table, _) in zip(found, columns, strict=True) if table not in tables or n not in others
        ]

    def _only_among_others(self, found: Sequence[int], unit: Unit) -> set[int]:
        """Columns of tables that are read whole, none of which is read by its name or is the same column."""
        if len(found) < 2:
            return set()
        own = self._columns[unit.number][1] if unit.path else ""
        columns = {n: self._columns[self.rows[n][1]] for n in found}
        counts = Counter(table for table, _ in set(columns.values()) if table)
        reads = {dotted(name) for name in unit.site.reads} if counts else set[str]()
        # Through what has no value of its own, as groups of a table, columns are read as well.
        reads |= {name.partition("['")[2].removesuffix("']") for name in unit.site.reads if "['" in name}
        return {
            n for n, (table, name) in columns.items()
            if counts[table] > 1 and name != own and reads.isdisjoint((name, f"{table}.{name}"))
        }  # fmt: skip

    def _parts(self, own: list[int], unit: Unit, k: int) -> list[int]:
        """Of the parts of a source, which a value is: the same, of the same label, or with its numbers."""
        value, identity = unit.values[k], self._identity[self._rows_of[unit.number, k]]
        same = [n for n in own if self._identity[n] == identity]
        if same:
            return same
        if unit.kind == "printed":
            return [
                n for n in own if self._value(n).dtype != object and np.isin(self._value(n), value).any()
            ] or own
        if unit.kind == "part":
            # An expression names the columns that it reads.
            labels = {n: _label(self._units[self.rows[n][1]]) for n in own}
            if named := [n for n in own if labels[n] and labels[n] in unit.site.name]:
                return named
        label = _label(unit)
        units = [self._units[self.rows[n][1]] for n in own]
        read = parts_read(unit.site, units[0].site, [one.path for one in units])
        if len(read) < len(own):
            return [n for n, one in zip(own, units, strict=True) if one.path in read]
        return [n for n in own if label and _label(self._units[self.rows[n][1]]) == label] or own

    def _value(self, n: int) -> Value:
        _, number, k = self.rows[n]
        return self._units[number].values[k]

    def reaching(self, number: int) -> Shares:
        """From which lines a result is computed, where it is wrong."""
        own = [n for place in self._units[number].places for n in self._of_event[place]]
        own = [n for n in own if self.rows[n][1] == number]
        wrong = [n for n in own if self.evidence[n] < 0] or own[-1:]
        return np.asarray(self.reached[wrong].mean(0))


def _filling(unit: Unit) -> tuple[str, str, str]:
    """What a container, and each of the elements that fill it, is of."""
    return unit.site.function, unit.site.name.removesuffix("[]"), unit.path


def _label(unit: Unit) -> str:
    """Of a part of a table, the column that it is."""
    return unit.path.strip("[]$'\"")


def _column(unit: Unit) -> tuple[str, str]:
    """The table that a value is a column of, and its name there; no table where it is none."""
    table, _, name = dotted(unit.site.name + unit.path).rpartition(".")
    return ("" if unit.kind == "part" else table), name


def line_of(unit: Unit) -> Line:
    """The line of a unit; a variable that is only shown is made elsewhere."""
    if unit.kind == "printed" or (unit.kind == "shown" and unit.site.name != "shown"):
        return NOWHERE
    return unit.site.file, unit.site.line


def content(value: Value) -> tuple[object, ...]:
    """What makes a value the same as another, in whatever shape."""
    if value.dtype == object:
        return (value.size, *map(repr, value.ravel().tolist()))
    return value.size, value.dtype.str, value.tobytes()
