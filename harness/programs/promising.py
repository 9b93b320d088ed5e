"""The small changes of two programs that are tried, in the order of what they promise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from harness.programs.borrowing import Borrowing
from harness.programs.code_tokens import numbers_of
from harness.programs.code_words import CodeWords
from harness.programs.edits import Edit, edits
from harness.programs.replace import Side

_MOST_LACKING = 8
_FLAT = 0.4
"""Power of a line's likelihood: what is likely stands first already, and it may be another."""
_FROM_OTHER = 3.0
"""How much likelier what the other program writes is: it has this one's names, so words say nothing of it."""
WORTH = {
    "border": 30.0, "argument": 15.0, "argument more": 15.0, "turned": 6.0, "unwrapped": 2.0,
    "function": 8.0, "left out": 4.0, "sign": 3.0, "their number": 3.0, "operands": 2.4,
    "number": 2.0, "arguments": 2.0, "factor left out": 0.8, "bound": 1.6, "other column": 1.4,
    "operator": 1.1, "less one": 1.0, "seldom function": 0.5, "like another": 0.5, "first left out": 0.15,
    "reversed": 0.25, "transposed": 0.2, "added": 0.16, "own name": 0.15, "to one": 0.13,
    "other name": 0.1, "copy wrapped": 3.0, "all wrapped": 0.4, "wrapped": 0.05, "unread": 1.0,
    "unread added": 0.2, "base": 5.0, "borrowed": 10.0, "borrowed step": 0.15, "grouped": 1.7,
    "ungrouped": 0.5, "moved": 1.6, "exchanged": 1.0, "accumulated": 1.0, "other end": 5.0,
    "other target": 8.0, "copied": 8.0, "functions": 3.4, "swapped alike": 1.0, "swapped numbers": 2.0,
    "swapped": 0.03, "everywhere": 0.3, "of all": 0.3, "all taken": 0.4, "like selected": 5.0, "all but": 0.6,
    "first": 0.9, "name for index": 1.3, "name for number": 0.15, "angle": 7.0, "squared": 5.0,
    "absolute": 0.3, "half": 3.5,
}  # fmt: skip
"""How often, in per cent, a change of a sort undoes a planted one of its line. Borrowed steps were a third of
15,000 changes that were run: six in ten failed, one in 5,000 made all agree; of formulas one in 260 did."""


class Repair(NamedTuple):
    """A change of a line (0 is the first program's) with which all printed numbers agree."""

    side: int
    line: int
    edit: Edit

    @property
    def said(self) -> str:
        """What it shows."""
        return f"if it were {self.edit.text.strip()}, all that is printed would agree"


def promising(
    sides: tuple[Side, Side],
    lines: tuple[Sequence[str], Sequence[str]],
    likely: tuple[Mapping[int, float], Mapping[int, float]],
    partners: tuple[Mapping[int, Sequence[int]], Mapping[int, Sequence[int]]] = ({}, {}),
    borrowing: Borrowing | None = None,
) -> list[tuple[float, Repair]]:
    """All changes of likely lines and what each promises, the most promising first.

    Parameters
    ----------
    sides : tuple of Side
        The two programs.
    lines : tuple of sequence of str
        Of both, as they are run.
    likely, partners
        As for `Repairs.found`.
    borrowing : Borrowing, optional
        Writes lines as the other program has them.
    """
    found = []
    for number, (side, of_line) in enumerate(zip(sides, likely, strict=True)):
        if not of_line:
            continue
        lacking = _lacking(lines[number], lines[1 - number])[:_MOST_LACKING]
        words = CodeWords(lines[number], lines[1 - number])
        for line, share in of_line.items():
            weight = share**_FLAT
            others = partners[number].get(line, ())
            borrowed = _borrowed(borrowing, number, line, others)
            # What this program has elsewhere may be what this line lacks.
            near = _lacking([lines[number][line - 1]], [lines[1 - number][other - 1] for other in others])
            meant = [*dict.fromkeys((*near[:_MOST_LACKING], *lacking))]
            for at, edit in enumerate((*borrowed, *edits(side.language, lines[number], line, meant))):
                from_other = edit.sort.startswith("borrowed")
                likelier = _FROM_OTHER if from_other else words.likelier(line, edit.text)
                worth = weight * WORTH[edit.sort] * likelier
                worth /= 1 + at if edit.sort == "borrowed" else 1
                found.append((worth, Repair(number, line, edit)))
    return sorted(found, key=lambda one: -one[0])


def _lacking(own: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """The numbers that some lines have and others lack."""
    known = numbers_of(own)
    return [text for value, text in numbers_of(theirs).items() if value not in known]


def _borrowed(borrowing: Borrowing | None, side: int, line: int, others: Sequence[int]) -> list[Edit]:
    """A line as the other program has it, the likeliest first."""
    if borrowing is None:
        return []
    made = [borrowing.edits(side, line, other) for other in others]
    turns = [edit for turn in zip_longest(*made) for edit in turn if edit is not None]
    return [*{"".join(edit.text.split()): edit for edit in turns}.values()]
