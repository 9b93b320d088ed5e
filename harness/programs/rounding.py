"""Whether rounding explains that results differ: programs are run again with last digits changed.

Monte Carlo arithmetic, at the level of values (D. S. Parker, 1997): what a program reads or first computes
is moved by one unit in the last place, up or down at random, and the run shows how far that carries, along
whatever data flow there is. Two programs that are no farther apart than that are both right: a chaotic loop
has a horizon.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from harness.numerics.layouts import information, layouts, plain, same_up_to_layout
from harness.programs.budget import Budget
from harness.programs.launch import record
from harness.programs.match import Matching, Pair
from harness.programs.replace import REPLACEABLE, Side
from harness.programs.shows import element_of
from harness.programs.trace import Plan, Trace, Value
from harness.programs.units import Unit, ancestors, values_of
from harness.sessions.sandbox import Limits, Sandbox

RUNS = 3
"""Of a program, with other signs; one of Julia's, which starts anew for each."""
ROUNDINGS = 1000.0
"""How many times as far apart two programs may be: each rounds at every step, and was moved once."""
FAR = 1e6
"""The same where one run of one program is to tell that rounding is no reason at all."""
_TELLING = 8.0
"""Bits of a value that two programs do not have by chance."""
_MOST = 10_000
"""Occurrences of a place that are moved."""
_SHARE = 0.25
"""Of the time that is left for the search, in which all runs are made and not one."""

Spread = Mapping[int, Sequence[npt.NDArray[np.float64]]]
"""Of each unit, how far each of its values went."""


class Horizon(NamedTuple):
    """Two variables that rounding drives apart; the first ``agreeing`` of ``total`` values agree."""

    a: int
    b: int
    agreeing: int
    total: int


class Explained(NamedTuple):
    """That rounding explains what differs, where that begins to show, and how often programs were run."""

    horizons: tuple[Horizon, ...]
    runs: int


def explained(
    a: Side,
    b: Side,
    matching: Matching,
    off: Sequence[Pair],
    sandbox: Sandbox,
    limits: Limits,
    budget: Budget | None = None,
) -> Explained | None:
    """Say that rounding explains what differs; None where it does not, or that cannot be told.

    Parameters
    ----------
    a, b : Side
        The two programs.
    matching : Matching
        Of their units.
    off : sequence of Pair
        Results that differ.
    sandbox, limits
        How a program is run again.
    budget : Budget, optional
        Of the search: what takes much of what is left is run less often.
    """
    plans = _plans(a, b)
    pairs = [(pair.a, pair.b) for pair in off]
    own = budget or Budget()
    left = own.left

    def spreads_of(numbers: Sequence[tuple[int, int]], *, all_sites: bool) -> list[Spread]:
        return [
            _spread(side, few, {pair[at] for pair in numbers}, sandbox, limits, own, all_sites=all_sites)
            for at, (side, few) in enumerate(zip((a, b), plans, strict=True))
        ]

    # Mostly results stand as they are when last digits change: one run, of the quicker program, tells.
    seconds = [side.recorded.processor_seconds for side in (a, b)]
    quick = min((at for at, own in enumerate(plans) if own), key=seconds.__getitem__, default=0)
    every, plans = plans, [own[:1] if at == quick else [] for at, own in enumerate(plans)]
    mutated = any(a.units[i].kind == "mutated" or b.units[j].kind == "mutated" for i, j in pairs)
    spreads = spreads_of(pairs, all_sites=mutated) if left > 0 else []
    if left <= 0 or not all(_explains(spreads, a.units[i], b.units[j], FAR) for i, j in pairs):
        return None
    runs = 1
    if sum(len(own) * one for own, one in zip(every, seconds, strict=True)) < _SHARE * left:
        plans = every
    behind = _behind(a, b, off)
    parting = _parting(a.units, b.units, matching, behind)
    pairs += [(pair.a, pair.b) for pair in matching.pairs if pair.a in behind[0] and pair.b in behind[1]]
    pairs += [(one.a, one.b) for one in parting]
    spreads = spreads_of(pairs, all_sites=True)
    if not all(_explains(spreads, a.units[i], b.units[j]) for i, j in dict.fromkeys(pairs)):
        return None
    return Explained(tuple(parting), runs + sum(map(len, plans)))


def _plans(a: Side, b: Side) -> list[list[Plan]]:
    """The runs of each program; none of Julia's, which starts anew for each, where the other is not."""
    made: list[list[Plan]] = []
    for side, other in ((a, b), (b, a)):
        count = RUNS if side.language != "julia" else int(other.language == "julia" and side is a)
        made.append([plan for seed in range(count) if (plan := plan_of(side.units, seed))])
    return made


def _behind(a: Side, b: Side, off: Sequence[Pair]) -> tuple[set[int], set[int]]:
    """What the results that differ are computed from, in each program."""
    first = set().union(*(ancestors(a.units, pair.a) for pair in off))
    second = set().union(*(ancestors(b.units, pair.b) for pair in off))
    return first, second


def _parting(
    a: Sequence[Unit], b: Sequence[Unit], matching: Matching, behind: tuple[set[int], set[int]]
) -> list[Horizon]:
    """Variables of loops that are the same at first, each with the one that it is the longest with."""
    best: dict[int, Horizon] = {}
    for (i, j), compared in matching.compared.items():
        if compared.agrees or compared.form != "each" or i not in behind[0] or j not in behind[1]:
            continue
        # Of whole numbers, the first are the same by chance.
        if not compared.occurrence or information(plain(a[i].values[compared.occurrence - 1])) < _TELLING:
            continue
        one = Horizon(i, j, compared.occurrence, len(a[i].values))
        if i not in best or _closeness(a, b, best[i]) < _closeness(a, b, one):
            best[i] = one
    return sorted(best.values(), key=lambda one: a[one.a].first)


def _closeness(a: Sequence[Unit], b: Sequence[Unit], one: Horizon) -> tuple[int, bool]:
    return one.agreeing, a[one.a].kind == b[one.b].kind


def plan_of(units: Sequence[Unit], seed: int) -> Plan:
    """The values that are moved: broken numbers that are computed from none that is moved already.

    Parameters
    ----------
    units : sequence of Unit
        Of a program.
    seed : int
        Of the signs.
    """
    signs = np.random.default_rng(seed)
    events = sorted((place, unit.number, k) for unit in units for k, place in enumerate(unit.places))
    sources: dict[int, frozenset[int]] = {}
    for place, number, k in events:
        sources[place] = units[number].sources[k] | sources.get(place, frozenset())
    reached: set[int] = set()
    plan: dict[int, list[Value | None]] = {}
    for place, number, k in events:
        unit = units[number]
        behind = sources[place] | sources.get(unit.calls[k], frozenset())
        if place in reached or behind & reached:
            reached.add(place)
            continue
        if unit.kind not in REPLACEABLE or unit.path or unit.elements or unit.occurrences[k] > _MOST:
            continue
        moved = _moved(unit.values[k], signs)
        if moved is not None:
            reached.add(place)
            own = plan.setdefault(unit.site.number, [])
            own += [None] * (unit.occurrences[k] - len(own))
            own[unit.occurrences[k] - 1] = moved
    return plan


def _moved(value: Value, signs: np.random.Generator) -> Value | None:
    """A value with its broken numbers moved; whole ones may count something. None where it has none."""
    if value.dtype.kind not in "fc":
        return None
    unit = float(np.finfo(value.dtype).eps)
    # R's NA is a NaN that signals.
    with np.errstate(invalid="ignore"):
        broken = np.isfinite(value) & (value != np.round(value))
        moved = np.where(broken, value * (1 + unit * signs.choice([-1.0, 1.0], value.shape)), value)
    return np.asarray(moved) if broken.any() else None


def _spread(
    side: Side,
    plans: Sequence[Plan],
    numbers: set[int],
    sandbox: Sandbox,
    limits: Limits,
    budget: Budget,
    *,
    all_sites: bool,
) -> Spread:
    """How far the values of some units went in any of some runs; nothing where one did not end."""
    if not plans:
        return {}
    seconds = min(60.0, 5 + 2 * side.recorded.processor_seconds)
    numbers = numbers | {one.unit for number in numbers for one in side.units[number].elements}
    sites = {side.units[number].site.number for number in numbers}
    again = record(
        side.recorded.program, sandbox, limits=limits, plans=plans, trial_seconds=seconds,
        kept=() if all_sites else sites,
    )  # fmt: skip
    budget.take(again.processor_seconds)
    traces: list[Trace | None] = [again.trials.get(number) for number in range(1, len(plans) + 1)]
    if side.language == "julia":
        traces = [again.trace]
    tables = []
    for trace in traces:
        if trace is None or not trace.complete or trace.error:
            return {}
        tables.append(values_of(trace, sites))
    found: dict[int, Sequence[npt.NDArray[np.float64]]] = {}
    for unit in (side.units[number] for number in numbers):
        each = [_values_in(table, unit, side.units) for table in tables]
        found[unit.number] = [
            np.max([_distance(value, values, k) for values in each], axis=0)
            for k, value in enumerate(unit.values)
        ]
    return found


def _values_in(table: Mapping[tuple[int, str], Unit], unit: Unit, units: Sequence[Unit]) -> list[Value]:
    """The values of a unit in another run; of what is printed, those of the places that it shows."""
    if not unit.elements:
        other = table.get((unit.site.number, unit.path))
        return other.values if other is not None else []
    numbers = []
    for one in unit.elements:
        shown = table.get((units[one.unit].site.number, units[one.unit].path))
        if shown is None or one.k >= len(shown.values):
            return []
        numbers.append(one.scale * element_of(shown.values[one.k], one.at, one.in_text))
    return [np.array(numbers).reshape(unit.values[0].shape)]


def _distance(value: Value, others: Sequence[Value], k: int) -> npt.NDArray[np.float64]:
    """How far each number of a value is from that of another run; infinitely where it has none."""
    if k >= len(others) or others[k].shape != value.shape or object in (value.dtype, others[k].dtype):
        return np.full(value.shape, np.inf)
    with np.errstate(all="ignore"):
        apart = np.abs(value.astype(complex) - others[k].astype(complex))
    same = (value == others[k]) | ((value != value) & (others[k] != others[k]))
    return np.asarray(np.where(same, 0.0, np.where(np.isnan(apart), np.inf, apart)), dtype=float)


def _explains(spreads: Sequence[Spread], one: Unit, other: Unit, roundings: float = ROUNDINGS) -> bool:
    """Whether two variables are no farther apart, number by number, than last digits carry."""
    count = min(len(one.values), len(other.values))
    places = [(k, k) for k in range(count)]
    if len(one.values) != len(other.values):
        # A loop that rounding ends sooner or later: what it arrives at.
        places = [(len(one.values) - 1, len(other.values) - 1)]
    return all(_is_near(spreads, one, other, i, j, roundings) for i, j in places)


def _is_near(spreads: Sequence[Spread], one: Unit, other: Unit, i: int, j: int, roundings: float) -> bool:
    first, second = plain(one.values[i]), plain(other.values[j])
    if same_up_to_layout(first, second) and not {"f", "c"} & {first.dtype.kind, second.dtype.kind}:
        # Counted from 0 or 1, texts, truth values.
        return True
    if object in (first.dtype, second.dtype) or first.size != second.size:
        return False
    own, theirs = (
        plain(spread[unit.number][k]) if unit.number in spread else np.zeros(plain(unit.values[k]).shape)
        for spread, unit, k in ((spreads[0], one, i), (spreads[1], other, j))
    )
    for (_, laid), (_, moved) in zip(layouts(first, second.shape), layouts(own, second.shape), strict=True):
        with np.errstate(all="ignore"):
            apart = np.abs(laid.astype(complex) - second.astype(complex))
            size = np.maximum(np.abs(laid), np.abs(second))
            limit = roundings * (moved + theirs + _unit(first, second) * size)
        equal = (laid == second) | ((laid != laid) & (second != second))
        if (equal | (apart <= limit)).all():
            return True
    return False


def _unit(*values: Value) -> float:
    """A unit in the last place of one, in the coarsest of some formats."""
    return max(float(np.finfo(value.dtype).eps) if value.dtype.kind in "fc" else 0.0 for value in values)
