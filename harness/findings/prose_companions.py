"""Numbers in prose that stand among others of an output, and are the one beside these but for a digit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from harness.documents.prose_numbers import Printed, numbers_written
from harness.documents.written_numbers import digits_of, like, plain, rounds_to
from harness.findings.prose import is_meant
from harness.findings.prose_beside import Beside, Claim, Output

_LONG = 3
"""Digits of a number that a text has from an output for certain."""
_SHORT = 10
"""Numbers of an output that are taken together; of a longer one, those of a line are."""
_DENIES = re.compile(r"\bnot\b|n't\b|\b(?:instead|rather|would)\b", re.IGNORECASE)
_AROUND = 40
"""Characters in front of a number among which a word says that it is another."""


def other_companions(beside: Beside, known: frozenset[str]) -> Iterator[Claim]:
    """Yield numbers that are one of an output but for a digit, where the text has those that stand beside it.

    Words that compare say nothing here: a text that tells an output goes through its numbers.

    Parameters
    ----------
    beside : Beside
        A paragraph and the outputs beside it.
    known : frozenset of str
        The numbers of all code and outputs: what is there is meant for that.
    """
    text = beside.paragraph.text
    found = [(one.start(), one[0].strip()) for one in numbers_written(text)]
    told = [written for _, written in found if digits_of(written) >= _LONG]
    for start, written in found if len(found) > 1 else ():
        denied = _DENIES.search(text[max(0, start - _AROUND) : start])
        if plain(written).lstrip("-") in known or denied or beside.holds(written):
            continue
        for output in beside.outputs:
            meant = list(_meant(output, written, told)) if output.sure else []
            if len({one.number.value for one in meant}) == 1:
                yield Claim(start, written, meant[0].number.text, output)
                break


def _meant(output: Output, written: str, told: list[str]) -> Iterator[Printed]:
    """Numbers that one of a text is but for a digit, that it does not tell, and beside which it tells one."""
    short = len(output.numbers) <= _SHORT
    for one in output.numbers:
        form = like(one.number, written)
        if not form or not is_meant(written, form) or any(rounds_to(one.number, other) for other in told):
            continue
        near = [other.number for other in output.numbers if short or other.number.line == one.number.line]
        if any(rounds_to(other, number) for other in near for number in told):
            yield one
