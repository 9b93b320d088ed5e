"""Numbers that lack a last digit which every machine prints.

Julia and Python print the shortest number that is read as the same double, and no shorter one: what rounds to
the printed number, and is read as another double, a hand has cut. A notebook's outputs are what was printed,
and so is an output elsewhere that has another number in full.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from harness.documents.written_numbers import digits_of
from harness.findings.apart import values_apart
from harness.findings.causes import Cause
from harness.findings.elementary import NEARLY_ALL, no_machine_computes
from harness.findings.exact_arithmetic import differs_in_exact_digits
from harness.findings.judging_state import JudgingState, Key
from harness.findings.names import last_line, upstream
from harness.findings.number_pairs import number_pairs
from harness.findings.outputs import differs, piece, produced
from harness.findings.slices import statements_behind
from harness.model.article import Answer

_FRACTION = re.compile(r"[-+]?\d+\.\d+(?P<exponent>e[-+]?\d+)?")
_WITH_EXPONENT = 9
"""Those of a number with an exponent: arrays show six, and single precision has no more."""


def cut_digits(state: JudgingState, answers: Mapping[Key, tuple[Answer, str]]) -> Iterator[tuple[Key, Cause]]:
    """Yield the outputs of which one number is cut that all machines compute alike, and why each is wrong.

    Parameters
    ----------
    state : JudgingState
        The document, judged.
    answers : mapping
        What is said of each output.
    """
    for key, (answer, _) in list(answers.items()):
        chunk = state.chunks[key[0]]
        block = chunk.output[key[1]]
        if answer not in (Answer.REPRODUCED, Answer.HERE) or chunk.doubtful or block.example:
            continue
        printed = produced(chunk, state.runs.published.of(chunk), key[1])
        pairs = number_pairs(block.text, printed) or ()
        apart = [pair for pair in pairs if pair[0] != pair[1]]
        if len(apart) != 1 or not _is_cut(*apart[0]):
            continue
        whole = any(digits_of(left) > NEARLY_ALL for left, right in pairs if left == right)
        if not (chunk.cell or whole):
            continue
        # All else is as published, be it under a head that versions name otherwise.
        if answer is Answer.HERE and values_apart(block.text, printed) != ():
            continue
        code = statements_behind(upstream(state.chunks, chunk), piece(chunk, key[1]))
        exact = differs_in_exact_digits(pairs, code, chunk.language)
        if not exact and not no_machine_computes(apart, code, chunk.language):
            continue
        if not differs(state.runs.published, state.runs.again, chunk, key[1]):
            said = f"{apart[0][0]} is published, and the code prints {apart[0][1]}, of which no digit is free"
            yield key, Cause(Answer.WRONG, chunk, block.after or last_line(chunk), said)


def _is_cut(published: str, printed: str) -> bool:
    """Whether a number with nearly all its digits is another double than the longer one that is printed."""
    left, right = _FRACTION.fullmatch(published), _FRACTION.fullmatch(printed)
    if left is None or right is None or left["exponent"] != right["exponent"]:
        return False
    enough = digits_of(published) >= (_WITH_EXPONENT if left["exponent"] else NEARLY_ALL)
    return enough and len(published) < len(printed) and float(published) != float(printed)
