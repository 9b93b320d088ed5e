"""How well each line of a program, if it were wrong, would explain which values differ and which do not.

What a wrong line sets, and what is computed from that, differs from the other program's; what is not, agrees.
So each line is scored by the values that are computed from it: those that only this program has, against
those that both have. It does not say that a line is wrong: it says in which order to look.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np

from harness.programs.evidence import WEAK
from harness.programs.line_table import NOWHERE, Line, LineTable, Shares, line_of
from harness.programs.match import Matching
from harness.programs.units import Unit
from harness.programs.wording import Wording

_LINES = 12
"""Lines of each program that are paired."""

# Logarithms of how much likelier each is where the line is wrong: about 0.98 against 0.2 for a value that
# only this program has, 0.03 against 0.8 for one that both have; what a trial says; how alike two lines are.
_EXPLAINED, _CONTRADICTED, _OWN, _COVERED, _LOCAL = 1.6, 3.3, 2.0, 6.0, 5.0
_NOTHING = 4.0
"""What a line loses that sets nothing of which it is known that only this program has it."""
_COUNTER = 3.0
"""What a line loses that only counts or goes through something: it is seldom what is wrong."""
_LIKENESS = 2.0
_RELATED = 6.0
"""What a pair of lines gains of which one sets a relative of what the other sets."""
_NEARLY = 6.0
"""What a pair of lines gains that is worded the same but for one thing."""
_WORDED = 6.0
"""What a line loses that the other program words the same."""
_OUTSIDE = 10.0


class Suspicion(NamedTuple):
    """The lines from which a wrong result is computed, with their scores, and the units of each line."""

    scores: dict[Line, float]
    units: dict[Line, list[int]]


def ranked(
    of_a: Suspicion,
    of_b: Suspicion,
    matching: Matching,
    related: Callable[[int, int], float],
    within: tuple[Collection[int], Collection[int]] | None = None,
    wording: Wording | None = None,
) -> list[tuple[int, int]]:
    """Pairs of units, the likeliest first: those whose lines would explain best what differs.

    Parameters
    ----------
    of_a, of_b : Suspicion
        Of the two programs.
    matching : Matching
        Of their units.
    related : callable
        From `Relatives`.
    within : tuple of collection of int
        Units of each that a trial has left; others are unlikely.
    wording : Wording, optional
        Of two programs in one language: lines that are worded the same are unlikely, nearly the same likely.
    """
    scores_a = _limited(of_a, within[0] if within is not None else None)
    scores_b = _limited(of_b, within[1] if within is not None else None)
    if wording is not None:
        scores_a, scores_b = _reworded(scores_a, wording.same[0]), _reworded(scores_b, wording.same[1])
    found: list[tuple[float, Line, Line, tuple[int, int]]] = []
    for first in sorted(scores_a, key=lambda line: -scores_a[line])[:_LINES]:
        for second in sorted(scores_b, key=lambda line: -scores_b[line])[:_LINES]:
            likeness, pair = max(
                (_LIKENESS * float(matching.differing[i, j]) + _RELATED * related(i, j), (i, j))
                for i in of_a.units[first] for j in of_b.units[second]
            )  # fmt: skip
            if wording is not None:
                likeness += _NEARLY * wording.near(first, second)
            found.append((scores_a[first] + scores_b[second] + likeness, first, second, pair))
    found.sort(key=lambda one: -one[0])
    made: list[tuple[int, int]] = []
    taken_a: set[Line] = set()
    taken_b: set[Line] = set()
    for _, first, second, pair in found:
        if first not in taken_a and second not in taken_b:
            taken_a.add(first)
            taken_b.add(second)
            made.append(pair)
    return made


def _reworded(scores: dict[Line, float], same: Collection[Line]) -> dict[Line, float]:
    """What both programs do in the same way is not what is wrong."""
    return {line: score - (_WORDED if line in same else 0.0) for line, score in scores.items()}


def _limited(suspicion: Suspicion, within: Collection[int] | None) -> dict[Line, float]:
    if within is None:
        return suspicion.scores
    return {
        line: score - (0 if any(number in within for number in suspicion.units[line]) else _OUTSIDE)
        for line, score in suspicion.scores.items()
    }


def suspicion(
    units: Sequence[Unit],
    evidence: Sequence[Sequence[float]],
    off: Collection[int],
    wrong: Collection[tuple[int, int]] = (),
    opposed: Collection[int] = (),
) -> Suspicion:
    """Score the lines of one program.

    Parameters
    ----------
    units : sequence of Unit
        Of the program.
    evidence : sequence of sequence of float
        From `evidence_of`.
    off : collection of int
        Units that are results and differ.
    wrong : collection of (int, int)
        From `wrong_values`.
    opposed : collection of int
        Units of which the other program has what they may be, made wrong: what they are filled with does not
        speak for them.
    """
    table = LineTable(units, evidence, wrong, opposed)
    bad, good = np.maximum(-table.evidence, 0), np.maximum(table.evidence, 0)
    count = len(table.lines)
    group = np.zeros((count, len(table.rows)), dtype=np.float32)
    group[table.line_of, np.arange(len(table.rows))] = 1.0
    reached = table.reached
    bad_of, good_of = group * bad, group * good
    worst, best = bad_of.max(1, initial=0.0), good_of.max(1, initial=0.0)
    total_bad, total_good = bad_of.sum(1), good_of.sum(1)
    explained = (_ratio(bad_of @ reached, total_bad[:, None]) * worst[:, None]).sum(0)
    # What a line sets mostly right, though sometimes wrong, does not speak for what it comes from.
    kept = best * _ratio(total_good, total_good + total_bad)
    against = _ratio(good_of @ reached, total_good[:, None]) * kept[:, None]
    np.fill_diagonal(against, 0.0)
    own = _ratio(total_good, total_good + total_bad) * best * ~table.doubtful
    covered = np.mean([table.reaching(number) for number in off], axis=0) if off else np.zeros(count)
    scores = (
        _EXPLAINED * explained - _CONTRADICTED * against.sum(0) - _OWN * own
        + _COVERED * covered + _LOCAL * table.local - _NOTHING * ((worst <= WEAK) & ~table.doubtful)
        - _COUNTER * ~table.computes
    )  # fmt: skip
    of_line: dict[Line, list[int]] = defaultdict(list)
    given: dict[Line, list[int]] = defaultdict(list)
    names = {number: line for line, number in table.lines.items()}
    for unit in units:
        for number in dict.fromkeys(table.where[unit.number]):
            # What a function is given is shown as what the line has that calls it, where it has something.
            # Nor is what is seen there to have changed before.
            own = of_line if line_of(unit) == names[number] and unit.kind != "mutated" else given
            own[names[number]].append(unit.number)
    of_line = defaultdict(list, given | of_line)
    made = {
        line: float(scores[number]) for line, number in table.lines.items()
        if covered[number] > 0 and line != NOWHERE
    }  # fmt: skip
    return Suspicion(made, of_line)


def _ratio(one: Shares, other: Shares) -> Shares:
    empty = np.zeros(np.broadcast_shapes(one.shape, other.shape))
    return np.asarray(np.divide(one, other, out=empty, where=other > 0))
