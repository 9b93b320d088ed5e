"""Whether a line that is missing is lost, or left out by an author who shows a part of what code prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from harness.findings.doubts import ONLY_A_PART
from harness.findings.judging_state import JudgingState, Key
from harness.findings.left_out import is_kept_whole, is_printed_whole, is_said_to_be_a_part
from harness.findings.one_place import lacks_an_end, lacks_one_of_its_kind, row_left_out
from harness.findings.torn import is_torn
from harness.model.article import Answer

_WHOLE = 8
"""Outputs of several lines that are shown whole: then their author shows all of each."""


def lost_line(
    state: JudgingState, answers: Mapping[Key, tuple[Answer, str]], key: Key, printed: str
) -> Literal["lost", "left out", ""]:
    """Say what became of a first or last line, or of one without which R prints no such thing.

    Parameters
    ----------
    state : JudgingState
        The document, judged.
    answers : mapping
        What is said of each output.
    key, printed : Key, str
        The output, and what its code prints.

    Returns
    -------
    str
        Nothing where no such line alone is missing, or others say more of it.
    """
    chunk = state.chunks[key[0]]
    published = chunk.output[key[1]].text
    at_an_end, torn = lacks_an_end(published, printed), chunk.language == "r" and is_torn(published, printed)
    if not (at_an_end or torn):
        return ""
    of_its_kind = lacks_one_of_its_kind(published, printed)
    printed_whole = is_printed_whole(chunk, published, printed)
    if at_an_end and printed_whole and not chunk.cell:
        return "lost"
    # A notebook keeps the value of a cell as something of its own, and not always as a text.
    if printed_whole or is_kept_whole(chunk, published):
        return "lost" if of_its_kind else ""
    if is_said_to_be_a_part(state.runs.document, chunk, published, printed):
        return "left out"
    if torn or (of_its_kind and _shows_all(state, answers, key)):
        return "lost"
    return "" if row_left_out(published, printed) else "left out"


def _shows_all(state: JudgingState, answers: Mapping[Key, tuple[Answer, str]], key: Key) -> bool:
    """Whether many other outputs of several lines are as printed, and of none only a part is shown."""
    language = state.chunks[key[0]].language
    whole = 0
    for (index, place), (answer, why) in answers.items():
        if (index, place) == key or state.chunks[index].language != language:
            continue
        if why == ONLY_A_PART:
            return False
        text = state.chunks[index].output[place].text.strip()
        whole += answer is Answer.REPRODUCED and "\n" in text
    return whole >= _WHOLE
