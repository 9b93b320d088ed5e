"""How well each line of a program, if it were wrong, would explain which values differ and which do not.

What a wrong line sets, and what is computed from that, differs from the other program's; what is not, agrees.
So each line has clues in the values that are computed from it: those that only this program has, and
those that both have. What each clue is worth is in `harness.programs.weights`. It does not say that a line
is wrong: it says in which order to look.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from harness.programs.line_table import NOWHERE, Line, LineTable, Shares, line_of
from harness.programs.units import Unit, ancestors
from harness.programs.weights import OF_LINE


class Suspicion(NamedTuple):
    """The lines from which a wrong result is computed, with their scores and clues, and the units of each.

    ``order`` has of each line when it is first run, from 0 to 1; ``clues`` what its score was summed from.
    """

    scores: dict[Line, float]
    units: dict[Line, list[int]]
    order: dict[Line, float]
    clues: dict[Line, dict[str, float]]


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
    of_each = [np.flatnonzero(table.line_of == number) for number in range(count)]
    worst, best = (np.array([values[own].max(initial=0.0) for own in of_each]) for values in (bad, good))
    total_bad, total_good = (np.array([values[own].sum() for own in of_each]) for values in (bad, good))

    def summed(values: Shares) -> Shares:
        """For each line, from which lines its own values come, weighed."""
        return np.stack([values[own] @ table.reached[own] for own in of_each])

    # Of what each line sets wrong, how much is computed from which other.
    comes = _ratio(summed(bad), total_bad[:, None])
    # What a line sets mostly right, though sometimes wrong, does not speak for what it comes from.
    right = _ratio(total_good, total_good + total_bad) * best
    against = _ratio(summed(good), total_good[:, None]) * right[:, None]
    np.fill_diagonal(against, 0.0)
    covered = np.mean([table.reaching(number) for number in off], axis=0) if off else np.zeros(count)
    above = comes - np.diag(np.diag(comes))
    clues = {
        "explained": _ratio((comes * worst[:, None]).sum(0), np.full(count, worst.sum())),
        "against": np.log1p(against.sum(0)),
        "own": right * ~table.doubtful,
        "covered": covered,
        "local": table.local,
        "counter": np.asarray(~table.computes, dtype=float),
        "follows": (above * table.local[None, :]).max(1, initial=0.0),
    }
    of_line = _units_of(units, table)
    leading = set(off).union(*(ancestors([*units], number) for number in off))
    made: dict[Line, dict[str, float]] = {}
    for line, number in table.lines.items():
        own = of_line.get(line, [])
        if line != NOWHERE and own and (covered[number] > 0 or not leading.isdisjoint(own)):
            made[line] = {name: float(values[number]) for name, values in clues.items()}
            made[line]["data"] = float(not any(units[i].inputs for i in own))
    scores = {
        line: sum(OF_LINE[name] * value for name, value in values.items()) for line, values in made.items()
    }
    return Suspicion(scores, of_line, _order(units, table, made), made)


def _units_of(units: Sequence[Unit], table: LineTable) -> dict[Line, list[int]]:
    of_line: dict[Line, list[int]] = defaultdict(list)
    given: dict[Line, list[int]] = defaultdict(list)
    names = {number: line for line, number in table.lines.items()}
    for unit in units:
        for number in dict.fromkeys(table.where[unit.number]):
            # What a function is given is shown as what the line has that calls it, where it has something.
            # Nor is what is seen there to have changed before.
            own = of_line if line_of(unit) == names[number] and unit.kind != "mutated" else given
            own[names[number]].append(unit.number)
    return given | of_line


def _order(units: Sequence[Unit], table: LineTable, lines: Collection[Line]) -> dict[Line, float]:
    first: dict[int, int] = {}
    for unit in units:
        for number in table.where[unit.number]:
            first[number] = min(first.get(number, unit.first), unit.first)
    ordered = sorted(lines, key=lambda line: first[table.lines[line]])
    return {line: at / max(1, len(ordered) - 1) for at, line in enumerate(ordered)}


def _ratio(one: Shares, other: Shares) -> Shares:
    empty = np.zeros(np.broadcast_shapes(one.shape, other.shape))
    return np.asarray(np.divide(one, other, out=empty, where=other > 0))
