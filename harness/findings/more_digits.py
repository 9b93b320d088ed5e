"""Numbers of R, and of round() in Python, that are rounded falsely, as code shows that prints more of them.

What a number is beyond the digits that are printed is not in the text: 7.245 may be 7.24494, of which 7.25 is
no rounding, or 7.24506. The code of the output is run once more with more digits, and without the rounding
that its last statement asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation

import msgspec

from harness.documents.model import Document
from harness.findings.causes import Cause
from harness.findings.closures import closure_of
from harness.findings.judging_state import JudgingState, Key
from harness.findings.names import last_line
from harness.findings.number_pairs import number_pairs
from harness.findings.outputs import differs, produced
from harness.findings.proof import document_of
from harness.findings.rounding import ITERATES
from harness.findings.shortened import shortened
from harness.findings.too_many import unless_too_many
from harness.model.article import Answer

_AT_A_HALF = "a number halfway between two"
"""How reasons begin by which a number may be rounded to either side."""
_MORE_ONCE = "fewer digits than published"
_ROUNDS = {"r": re.compile(r"\b(?:round|signif)(?=\()"), "python": re.compile(r"(?<![\w.])round(?=\()")}
_AS_IT_IS = {"r": "(function(x, ...) x)", "python": "(lambda x, *_, **__: x)"}
_SHOWS = {"r": "options(digits = 15, pillar.sigfig = 15); ", "python": ""}
_HALF = Decimal("0.5")
_FREE = Decimal("1e-4")
"""Of a unit of the last digit, by how much another machine may compute a number otherwise."""
_MOST = 4
"""Outputs of a document of which more digits are asked for."""


def falsely_rounded(
    state: JudgingState, answers: Mapping[Key, tuple[Answer, str]]
) -> Iterator[tuple[Key, Cause]]:
    """Yield the outputs with a number that no rounding of the computed one gives, and why each is wrong.

    Parameters
    ----------
    state : JudgingState
        The document, judged.
    answers : mapping
        What is said of each output.
    """
    found = list(shortened(state, answers))
    tried = [key for key, (answer, why) in answers.items() if _may_be_rounded(state, key, answer, why)]
    for key in tried[:_MOST]:
        chunk = state.chunks[key[0]]
        closure = closure_of(state.runs.published, chunk, key[1])
        if closure is None or closure.masked or ITERATES.search(closure.text):
            continue
        more = state.runs.alone(_with_more_digits(document_of(state, closure, key, sure=True), key[0]))
        if more is None or differs(state.runs.published, state.runs.again, chunk, key[1]):
            continue
        printed, computed = (
            produced(runs.document.chunks[key[0]], runs.published.of(chunk), key[1])
            for runs in (state.runs, more)
        )
        pair = _no_rounding(chunk.output[key[1]].text, computed)
        # What is printed here has to be a rounding of it: else it is of something else.
        if pair is not None and number_pairs(printed, computed) and not _no_rounding(printed, computed):
            value = f"{Decimal(pair[1]):f}"
            said = f"{pair[0]} is published, and the code computes {value}, of which that is no rounding"
            line = chunk.output[key[1]].after or last_line(chunk)
            found.append((key, Cause(Answer.WRONG, chunk, line, said)))
    yield from unless_too_many(state, found, answers)


def _may_be_rounded(state: JudgingState, key: Key, answer: Answer, why: str) -> bool:
    """Whether one number is, by what is printed here, halfway between two as they are published.

    Python prints all digits of a number that it does not round.
    """
    chunk = state.chunks[key[0]]
    block = chunk.output[key[1]]
    if chunk.doubtful or block.example or not block.certain:
        return False
    if answer is Answer.HERE:
        return why.startswith(_AT_A_HALF) and chunk.language in _ROUNDS
    if chunk.language != "r":
        return False
    formatting = state.verdicts[key].formatting
    # What tibbles showed once, and show here with three digits.
    if answer is not Answer.REPRODUCED or _MORE_ONCE in formatting:
        return answer is Answer.REPRODUCED
    if "digits" not in formatting:
        return False
    pairs = number_pairs(block.text, produced(chunk, state.runs.published.of(chunk), key[1])) or ()
    return any(_apart(*pair) == _HALF for pair in pairs)


def _apart(published: str, produced: str) -> Decimal:
    """How far a number is from another, in units of its own last digit."""
    try:
        one, other = Decimal(published), Decimal(produced)
    except InvalidOperation:
        return Decimal(0)
    exponent = one.as_tuple().exponent
    if not (isinstance(exponent, int) and other.is_finite()):
        return Decimal(0)
    return abs(one - other).scaleb(-exponent)


def _no_rounding(published: str, produced: str) -> tuple[str, str] | None:
    """The first number that is no rounding of the one that stands in its place."""
    pairs = number_pairs(published, produced) or ()
    # Zeros that are left out, or filled up, are no digits.
    return next((pair for pair in pairs if "." in pair[0] and _apart(*pair) > _HALF + _FREE), None)


def _with_more_digits(part: Document, index: int) -> Document:
    """The statements of an output, of which the last rounds nothing, and prints all digits."""
    chunks = list(part.chunks)
    lines = chunks[index].code.split("\n")
    filled = [at for at, line in enumerate(lines) if line.strip()]
    language = chunks[index].language
    lines[filled[-1]] = _ROUNDS[language].sub(_AS_IT_IS[language], lines[filled[-1]])
    lines[filled[0]] = f"{_SHOWS[language]}{lines[filled[0]]}"
    chunks[index] = msgspec.structs.replace(chunks[index], code="\n".join(lines))
    return msgspec.structs.replace(part, chunks=tuple(chunks))
