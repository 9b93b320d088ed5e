"""The first statement that differs although what it reads agrees, proved by putting the other's values in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from harness.programs.borrowing import Borrowing
from harness.programs.budget import Budget
from harness.programs.grounds import Grounds
from harness.programs.match import Matching, Pair
from harness.programs.printouts import all_in_both
from harness.programs.repairs import Repairs
from harness.programs.replace import Replacer, Side
from harness.programs.results import (
    both_show,
    by_chance,
    comparable,
    in_place,
    in_same_place,
    left_over,
    meant_as_result,
    meant_as_same,
    results_of,
    shown_in_order,
    unknown,
)
from harness.programs.rounding import Explained, explained
from harness.programs.shared_causes import Suspect
from harness.programs.telling import Telling
from harness.programs.wording import Wording
from harness.sessions.sandbox import Limits, Sandbox

__all__ = ["Located", "Suspect", "locate"]
_SPEED = {"python": 0, "r": 1, "julia": 2}
_SLOWER = 2.0
"""By how much the second of two programs in one language may be slower to be the one that is run again."""


class Located(NamedTuple):
    """The suspects, the likeliest first; the pairs of results that differ; how often a program was run.

    ``unpaired`` counts results of one program that have no counterpart although the other has such too;
    ``rounding`` is there where rounding explains all that differs, and nothing else is looked for;
    ``stopped`` says that the time was over before all had been tried; ``repairs`` are small changes that
    were tried, or may be.
    """

    suspects: list[Suspect]
    results: list[Pair]
    runs: int
    unpaired: int = 0
    rounding: Explained | None = None
    stopped: bool = False
    repairs: Repairs | None = None


class Due(NamedTuple):
    """Pairs of results that differ; that may be none; that agree; and how many have no counterpart."""

    off: list[Pair]
    weak: list[Pair]
    kept: list[Pair]
    alone: int


def locate(
    a: Side,
    b: Side,
    matching: Matching,
    sandbox: Sandbox,
    limits: Limits,
    printed: Sequence[Pair] = (),
    budget: Budget | None = None,
    given: Mapping[str, str] | None = None,
) -> Located:
    """Find where two programs part.

    Parameters
    ----------
    a, b : Side
        The two programs.
    matching : Matching
        Of their units.
    sandbox, limits
        How a program is run again.
    printed : sequence of Pair
        What both print, from `with_printed`: where there is any, it is the results.
    budget : Budget, optional
        After which nothing more is tried.
    given : mapping of str to str, optional
        As in `match`: what somebody says to be the same is a result, printed or not.
    """
    due = due_of(a, b, matching, printed, given or {})
    if not due.off and not due.weak:
        return Located([], [], 0, due.alone)
    return _searched(a, b, matching, due, sandbox, limits, budget or Budget())


def due_of(
    a: Side,
    b: Side,
    matching: Matching,
    printed: Sequence[Pair] = (),
    given: Mapping[str, str] = MappingProxyType({}),
) -> Due:
    """Which results are held against each other; parameters as in `locate`."""
    last = {
        given[a.units[pair.a].name]: pair for pair in (*matching.pairs, *matching.variables)
        if given.get(a.units[pair.a].name) == b.units[pair.b].name
    }  # fmt: skip
    told = [pair for pair in last.values() if not pair.agrees]
    if printed:
        off = [*(pair for pair in printed if not pair.agrees), *told]
        kept = [pair for pair in printed if pair.agrees and not by_chance(a, b, pair, off)]
        return Due(off, [], kept, 0)
    ends_a, ends_b = results_of(a.units), results_of(b.units)
    at_end = [pair for pair in matching.pairs if pair.a in ends_a and pair.b in ends_b]
    off = [
        pair for pair in at_end
        if not pair.agrees and comparable(a, b, pair) and meant_as_result(a, b, pair)
    ]  # fmt: skip
    off = shown_in_order(a, b, off, matching)
    kept = [pair for pair in at_end if pair.agrees]
    if all_in_both(a.recorded.printed, b.recorded.printed):
        # They print the same in another order: only what both show and surely means the same can be off.
        off = [pair for pair in off if both_show(a, b, pair) and pair not in told]
        if not off and not told:
            return Due([], [], kept, 0)
    off += [pair for pair in told if pair not in off]
    weak = [] if off else left_over(a, b, ends_a, ends_b, matching)
    if sure := [
        pair for pair in weak
        if meant_as_same(a, b, pair, matching) or in_same_place(a, b, pair, matching)
    ]:  # fmt: skip
        off, weak = sure, []
    alone = min(len(unknown(a, b, "a", ends_a, matching)), len(unknown(a, b, "b", ends_b, matching)))
    return Due(off, weak, kept, alone)


def search_of(
    a: Side, b: Side, matching: Matching, due: Due, sandbox: Sandbox, limits: Limits, budget: Budget
) -> Callable[[bool], Telling]:
    """What searches for where two programs part, by putting values into the second or into the first."""
    off = due.off or due.weak
    placed = in_place(a, b, matching)
    wording = None
    if a.language == b.language:
        texts = a.recorded.program.lines, b.recorded.program.lines
        wording = Wording(a.units, b.units, placed.pairs, a.language, texts)
    grounds = Grounds(a.units, b.units, placed, off, wording)
    repairs = Repairs((a, b), sandbox, limits, budget, Borrowing((a, b), placed)) if due.off else None

    def search(into_b: bool) -> Telling:
        receiver, giver = (b, a) if into_b else (a, b)
        turned = [
            [(pair.b, pair.a) if into_b else (pair.a, pair.b) for pair in pairs] for pairs in (off, due.kept)
        ]
        replacer = Replacer(receiver, giver, turned[0], turned[1], sandbox, limits, budget)
        telling = Telling(a, b, placed, grounds, replacer, into_b, off, 60 if due.off else 16)
        telling.guessed, telling.repairs = not due.off, repairs
        return telling

    return search


def first_into_b(a: Side, b: Side) -> bool:
    """Whether values are put into the second first: into what runs faster."""
    if _SPEED[a.language] == _SPEED[b.language] and a.language != "julia":
        # What one of them imports may be slower than all that they compute.
        return b.recorded.processor_seconds <= _SLOWER * a.recorded.processor_seconds
    return _SPEED[b.language] <= _SPEED[a.language]


def _searched(
    a: Side, b: Side, matching: Matching, results: Due, sandbox: Sandbox, limits: Limits, budget: Budget
) -> Located:
    off, weak, _, alone = results
    due = off or weak
    if off and (rounding := explained(a, b, matching, off, sandbox, limits, budget)) is not None:
        return Located([], off, rounding.runs, alone, rounding)
    search, into_b = search_of(a, b, matching, results, sandbox, limits, budget), first_into_b(a, b)
    chosen = search(into_b)
    suspects, runs = chosen.suspects(), chosen.runs
    if (
        not chosen.complete
        and not chosen.mended
        and chosen.in_time
        and "julia" not in (a.language, b.language)
    ):
        # What one program computes of it, the other may compute in another way.
        other = search(not into_b)
        others = other.suspects()
        runs += other.runs
        if other.complete:
            chosen, suspects = other, others
    stopped = budget.left <= 0
    if weak and not chosen.proved:
        # That these are the same results is not known: nothing is said of them but that.
        return Located([], [], runs, max(alone, len(weak)), stopped=stopped)
    return Located(suspects, due, runs, stopped=stopped, repairs=chosen.repairs)
