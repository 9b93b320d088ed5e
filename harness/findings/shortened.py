"""One number of R's with fewer digits than are printed, in a document that shows all of every other.

How many digits R prints an option says, which holds for all numbers of a session, and all that stand in one
vector or column have as many decimals. Where it shortens one number alone, nobody printed that. What stands
behind a name in a line of words, as ``W = 0.99366``, a method for a class has rounded as it likes: that for
tests to four decimals before R 3.2, and otherwise once more in 3.6, by R's NEWS.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from harness.documents.written_numbers import digits_of
from harness.findings.causes import Cause
from harness.findings.doubts import FEWER_DIGITS
from harness.findings.judging_state import JudgingState, Key
from harness.findings.names import last_line
from harness.findings.number_pairs import number_pairs
from harness.findings.outputs import differs, piece, produced
from harness.model.article import Answer

_SEVERAL = 4
"""Outputs with more digits that show which option the author had."""
_PRINTS_FEWER = re.compile(
    r"\bsummary\((?!.*\)\$)|\b(?:quantile|fivenum|str|format\w*|print\.\w+|glance|tidy|kable|options)\(|\bdigits\b"
)
"""What shows as many digits as it is told to, or as its version does."""
_OF_A_TIBBLE = re.compile(r"<(?:dbl|int|chr|fct|date|dttm|lgl)>")
_OWN_WORDS = re.compile(r"\b(?:cat|paste0?|message|writeLines)\(")
"""What prints a number beside the document's words with as many digits as the option says."""
_FRACTION = re.compile(r"(?<![\w.])[-+]?\d+\.\d+(?:[eE][-+]?\d+)?(?![\w.])")


def shortened(state: JudgingState, answers: Mapping[Key, tuple[Answer, str]]) -> Iterator[tuple[Key, Cause]]:
    """Yield the output of R in which alone one number has fewer digits than are printed, with its accusation.

    Parameters
    ----------
    state : JudgingState
        The document, judged.
    answers : mapping
        What is said of each output.
    """
    mine = {key: said for key, said in answers.items() if state.chunks[key[0]].language == "r"}
    right = [key for key, (answer, _) in mine.items() if answer is Answer.REPRODUCED]
    fewer = [key for key in right if "digits" in state.verdicts[key].formatting]
    fewer += [key for key, (_, why) in mine.items() if why.startswith(FEWER_DIGITS)]
    if len(fewer) != 1:
        return
    key = fewer[0]
    chunk = state.chunks[key[0]]
    block, shown = chunk.output[key[1]], piece(chunk, key[1])
    printed = produced(chunk, state.runs.published.of(chunk), key[1])
    pairs = [pair for pair in number_pairs(block.text, printed) or () if pair[0] != pair[1]]
    if len(pairs) != 1 or not block.certain or block.example or chunk.doubtful or block.info == "value":
        return
    if _PRINTS_FEWER.search(shown) or _OF_A_TIBBLE.search(printed):
        return
    texts = (state.chunks[index].output[place].text for index, place in right if (index, place) != key)
    more = [
        max(map(digits_of, _FRACTION.findall(text)), default=0) > digits_of(pairs[0][0]) for text in texts
    ]
    if sum(more) < _SEVERAL or differs(state.runs.published, state.runs.again, chunk, key[1]):
        return
    published, computed = pairs[0]
    if _is_named(computed, printed) and not _OWN_WORDS.search(shown):
        return
    said = f"{published} is published, and the code prints {computed}; no other number lacks a digit"
    yield key, Cause(Answer.WRONG, chunk, block.after or last_line(chunk), said)


def _is_named(number: str, text: str) -> bool:
    """Whether a number stands behind a name and a sign in a line of a text."""
    return re.search(rf"[=:<] *{re.escape(number)}(?![\w.])", text) is not None
