"""Put the values of one program into the other, run that again, and see which results become alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from harness.numerics.layouts import layouts, plain
from harness.programs.budget import PATIENCE, Budget
from harness.programs.launch import Recorded, record
from harness.programs.orders import Orders
from harness.programs.sequences import Sequence as Values
from harness.programs.sequences import compare
from harness.programs.shows import element_of
from harness.programs.trace import Plan, Trace, Value
from harness.programs.units import Unit, values_of
from harness.sessions.sandbox import Limits, Sandbox

REPLACEABLE = frozenset(
    {"set", "element", "return", "param", "default", "test", "shown", "container", "iterates", "part"}
)
Replacement = Sequence[tuple[int, int, int]]
_MOST_TIMES = 10_000
_CLOSE = 1e-6
BASE = {"python": 0, "r": 1, "julia": 1}
"""What each language counts from."""


class Side(NamedTuple):
    """One program as it was recorded, with its units."""

    recorded: Recorded
    units: list[Unit]

    @property
    def language(self) -> str:
        """Of its file."""
        return self.recorded.program.language


class Trial(NamedTuple):
    """What became of the results when values were put in: those that agree now, of those that did not."""

    fixed: frozenset[int]
    due: int
    broken: int

    @property
    def complete(self) -> bool:
        """Whether all that differed agrees, and nothing that agreed differs."""
        return len(self.fixed) == self.due and not self.broken


class Replacer:
    """Runs one of the two programs, the receiver, with values of the other, the giver.

    Parameters
    ----------
    receiver, giver : Side
        The two programs.
    due, kept : sequence of (int, int)
        Pairs of units, receiver's first: those that should agree then, and those that agree already.
    sandbox, limits
        How the receiver is run.
    budget : Budget, optional
        After which nothing is run any more.
    """

    def __init__(
        self, receiver: Side, giver: Side, due: Sequence[tuple[int, int]], kept: Sequence[tuple[int, int]],
        sandbox: Sandbox, limits: Limits, budget: Budget | None = None,
    ) -> None:  # fmt: skip
        self._receiver, self._giver = receiver, giver
        self._due, self._kept = due, kept
        shown = [receiver.units[number] for number, _ in (*due, *kept)]
        self._results = {unit.site.number for unit in shown}
        self._results |= {receiver.units[one.unit].site.number for unit in shown for one in unit.elements}
        # Whether a value has changed in place is only known where all are looked at.
        changed = any(unit.kind == "mutated" for unit in shown)
        self._kept_sites = frozenset[int]() if changed else frozenset(self._results)
        self._sandbox, self._limits, self.budget = sandbox, limits, budget or Budget()
        self._values: dict[int, Values] = {}
        self._seconds = receiver.recorded.processor_seconds
        self.runs = 0
        self._trial_seconds: list[float] = []
        self._known: dict[Replacement, Trial | None] = {}
        self._orders = Orders(receiver.units, giver.units)

    @property
    def seconds(self) -> float:
        """What a trial takes of processor time."""
        if self._trial_seconds:
            return max(0.01, sum(self._trial_seconds) / self.runs)
        return max(0.01, self._seconds)

    def options(self, into: int, given: int) -> int:
        """How many layouts there are in which a giver's unit can be put into a receiver's."""
        return len(self._converted(self._receiver.units[into], self._giver.units[given]))

    def reordered(self, into: int, given: int) -> int | None:
        """Which of the layouts has the giver's elements in the order in which the receiver has others."""
        unit, other = self._receiver.units[into], self._giver.units[given]
        if self._in_other_order(unit, self._source(unit, other)) is None:
            return None
        return self.options(into, given) - 1

    def trials(self, many: Sequence[Replacement]) -> list[Trial | None]:
        """Run once for each replacement; None where it cannot be made, or the program fails of it.

        Parameters
        ----------
        many : sequence of Replacement
            For each trial: receiver's units, giver's units, and which of the layouts.
        """
        keys = [tuple(sorted(pairs)) for pairs in many]
        plans = {key: self._plan(key) for key in dict.fromkeys(keys) if key not in self._known}
        due = [(key, plan) for key, plan in plans.items() if plan]
        self._known |= dict.fromkeys(plans)
        trials = self._run([plan for _, plan in due])
        self._known |= {key: trial for (key, _), trial in zip(due, trials, strict=True)}
        return [self._known[key] for key in keys]

    def _run(self, plans: Sequence[Plan]) -> list[Trial | None]:
        # Julia has no processes that go on from here: each trial starts it anew.
        size = 1 if self._receiver.language == "julia" else max(1, len(plans))
        made: list[Trial | None] = []
        for start in range(0, len(plans), size):
            part = plans[start : start + size]
            left = self.budget.left
            if left <= 0:
                made += [None] * len(part)
                continue
            # It may not end any more with values that it never had.
            again = record(
                self._receiver.recorded.program,
                self._sandbox,
                limits=msgspec.structs.replace(
                    self._limits, chunk_seconds=min(self._limits.chunk_seconds, PATIENCE * left)
                ),
                plans=part,
                trial_seconds=min(30.0, 1 + self._seconds),
                kept=self._kept_sites,
            )
            self.runs += len(part)
            self.budget.take(again.processor_seconds)
            self._trial_seconds.append(again.processor_seconds)
            for number in range(1, len(part) + 1):
                trace = again.trials.get(number, again.trace if size == 1 else None)
                ended = trace is not None and trace.complete and not trace.error
                made.append(self._judged(trace) if trace is not None and ended else None)
        return made

    def spread(self, into: Sequence[int], given: Sequence[int]) -> bool:
        """Whether all results agree with one unit's occurrences in several units, or the other way round."""
        plan: dict[int, Sequence[Value | None]] = {}
        if len(into) == 1:
            unit = self._receiver.units[into[0]]
            values = [self._giver.units[number].values[0] for number in given]
            plan[unit.site.number] = [
                self._one(value, own, 0) for value, own in zip(values, unit.values, strict=True)
            ]
        else:
            values = self._giver.units[given[0]].values
            for number, value in zip(into, values, strict=True):
                unit = self._receiver.units[number]
                plan[unit.site.number] = [self._one(value, unit.values[0], 0)]
        trial = self._run([plan])[0]
        return trial is not None and trial.complete

    def _plan(self, pairs: Replacement) -> Plan:
        plan: dict[int, Sequence[Value | None]] = {}
        for into, given, option in pairs:
            unit = self._receiver.units[into]
            converted = self._converted(unit, self._giver.units[given])
            if option < len(converted) and unit.site.number not in plan:
                plan[unit.site.number] = converted[option]
        return plan

    def _judged(self, trace: Trace) -> Trial:
        by_key = values_of(trace, self._results)
        fixed = frozenset(number for number, pair in enumerate(self._due) if self.agree(by_key, pair))
        broken = sum(not self.agree(by_key, pair) for pair in self._kept)
        return Trial(fixed, len(self._due), broken)

    def agree(self, by_key: Mapping[tuple[int, str], Unit], pair: tuple[int, int]) -> bool:
        """Whether a pair agrees, with the receiver's values from a new run."""
        own = self._receiver.units[pair[0]]
        if own.elements:
            return self._printed_alike(by_key, own, self._giver.units[pair[1]])
        unit = by_key.get((own.site.number, own.path))
        if unit is None:
            return False
        other = self._values.setdefault(pair[1], Values(self._giver.units[pair[1]]))
        return compare(Values(unit), other).agrees

    def _printed_alike(self, by_key: Mapping[tuple[int, str], Unit], own: Unit, other: Unit) -> bool:
        """Whether numbers that are printed agree, as far as they are."""
        for one, due in zip(own.elements, other.values[0].ravel().tolist(), strict=True):
            shown = self._receiver.units[one.unit]
            unit = by_key.get((shown.site.number, shown.path))
            if unit is None or one.k >= len(unit.values):
                return False
            value = one.scale * element_of(unit.values[one.k], one.at, one.in_text)
            near = value == due or abs(value - due) <= max(one.slack, _CLOSE * abs(due))
            if not near and not (value != value and due != due):
                return False
        return True

    def _converted(self, into: Unit, given: Unit) -> list[Sequence[Value | None]]:
        """The giver's values as the receiver would have them, in each layout that fits."""
        source = self._source(into, given)
        if all(value is None for value in source):
            return []
        made = self._laid(into, source, self._shift(into, given))
        other = self._in_other_order(into, source)
        return made if other is None else [*made, *self._laid(into, [other], 0)[:1]]

    def _in_other_order(self, into: Unit, source: Sequence[Value | None]) -> Value | None:
        if len(into.values) != 1 or len(source) != 1 or source[0] is None:
            return None
        return self._orders.reordered(source[0])

    def _source(self, into: Unit, given: Unit) -> list[Value | None]:
        """The giver's values for each time that the receiver sets one."""
        if into.kind not in REPLACEABLE or into.path or not given.values:
            return []
        mine, theirs = into.values, given.values
        count = max(into.occurrences)
        source: list[Value | None] = [*theirs]
        if (rows := _split(theirs, mine)) is not None or (rows := _regrouped(theirs, mine)) is not None:
            source = [*rows]
        elif len(theirs) == 1 and len(mine) > 1:
            # Set once there: here each time, or the last time if the others have another shape.
            alike = theirs[0].shape == mine[0].shape
            source = [theirs[0] if alike else None] * (min(count, _MOST_TIMES) - 1) + [theirs[0]]
        elif len(mine) == 1 and len(theirs) > 1:
            same = len({value.shape for value in theirs}) == 1 and theirs[0].dtype != object
            source = [np.stack(theirs) if same and mine[0].size > theirs[-1].size else theirs[-1]]
        return source

    def _laid(self, into: Unit, source: Sequence[Value | None], shift: int) -> list[Sequence[Value | None]]:
        """Values in each layout that fits."""
        mine, count = into.values, max(into.occurrences)
        first = next(value for value in source if value is not None)
        options = self._layouts(first, mine[0])
        made: list[Sequence[Value | None]] = []
        for option in range(options):
            values: list[Value | None] = []
            for number, value in enumerate(source):
                own = mine[min(number, len(mine) - 1)]
                values.append(
                    None if value is None else self._one(value + shift if shift else value, own, option)
                )
            placed: list[Value | None] = values
            if len(mine) == len(source) and into.occurrences != list(range(1, len(mine) + 1)):
                placed = [None] * count
                for occurrence, value in zip(into.occurrences, values, strict=True):
                    placed[occurrence - 1] = value
            made.append(placed)
        return made

    def _shift(self, into: Unit, given: Unit) -> int:
        if into.kind not in ("loop", "iterates") and given.kind not in ("loop", "iterates"):
            return 0
        if any(value.dtype.kind not in "iu" for value in (*into.values[:1], *given.values[:1])):
            return 0
        return BASE[self._receiver.language] - BASE[self._giver.language]

    @staticmethod
    def _layouts(value: Value, own: Value) -> int:
        shape = plain(own).shape
        if plain(value).size != plain(own).size:
            return 1
        return max(1, len(_distinct(value, shape)))

    @staticmethod
    def _one(value: Value, own: Value, option: int) -> Value:
        shape = plain(own).shape
        options = _distinct(value, shape) if value.size == own.size else []
        if not options:
            return value
        chosen = options[min(option, len(options) - 1)]
        return chosen.reshape(own.shape) if chosen.size == own.size else chosen


def _split(theirs: Sequence[Value], mine: Sequence[Value]) -> Sequence[Value] | None:
    """One value as a loop sets it, part by part, where it is of as many elements in all."""
    if len(theirs) != 1 or not 2 <= len(mine) <= _MOST_TIMES or theirs[0].dtype == object:
        return None
    value, shape = theirs[0], mine[0].shape
    if any(one.shape != shape for one in mine) or value.size != len(mine) * mine[0].size:
        return None
    if mine[0].size == 1:
        return list(value.reshape(len(mine), *shape))
    for axis in range(value.ndim):
        if value.shape[axis] == len(mine):
            return [part.reshape(shape) for part in np.moveaxis(value, axis, 0)]
    return None


def _regrouped(theirs: Sequence[Value], mine: Sequence[Value]) -> Sequence[Value] | None:
    """The numbers of an inner loop as one vector each time, or such vectors number by number."""
    if (
        min(len(theirs), len(mine)) < 2
        or len(theirs) == len(mine)
        or max(len(theirs), len(mine)) > _MOST_TIMES
    ):
        return None
    alone = {max(value.size for value in values) for values in (theirs, mine)}
    if 1 not in alone or any(value.dtype == object for value in (*theirs, *mine)):
        return None
    if sum(value.size for value in theirs) != sum(value.size for value in mine):
        return None
    numbers = np.concatenate([value.ravel() for value in theirs])
    ends = np.cumsum([value.size for value in mine])
    return [part.reshape(value.shape) for part, value in zip(np.split(numbers, ends[:-1]), mine, strict=True)]


def _distinct(value: Value, shape: tuple[int, ...]) -> list[Value]:
    found: list[Value] = []
    for _, laid in layouts(value, shape):
        if laid.dtype == object:
            return [laid]
        if not any(np.array_equal(laid, other) for other in found):
            found.append(laid)
    return found[:3]
