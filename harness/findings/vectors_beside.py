"""Whether a document's plain vectors of R are as they are printed, but for those that an accusation is about.

What differs of a function's text, of messages or of a package's tables tells of another version. How R
prints vectors has not changed: where all others are as printed, they were read rightly.
"""

from __future__ import annotations

from collections.abc import Mapping

from harness.findings.causes import Cause
from harness.findings.firm_ground import READ_RIGHTLY, Rest
from harness.findings.judging_state import JudgingState, Key
from harness.findings.outputs import piece, produced
from harness.findings.plain_vectors import differs_as_no_version_does, is_vector
from harness.findings.which_session import set_in_several
from harness.model.article import Answer, Kind

_ENOUGH = 6
_OTHERWISE = (Answer.HERE, Answer.WRONG)


def vectors_are_right(
    state: JudgingState, answers: Mapping[Key, tuple[Answer, str]], cause: Cause, rest: Rest
) -> bool:
    """Whether an accusation is of plain vectors alone, and all others of its document are as printed.

    Parameters
    ----------
    state : JudgingState
        The document, judged.
    answers : mapping
        What is said of each output.
    cause : Cause
        The accusation.
    rest : Rest
        What became of the other outputs: what cannot be read may be why.
    """
    if cause.kind is Kind.CHUNK_FAILS or not cause.outputs or rest.unread:
        return False
    if not all(_is_plain(state, key) for key in cause.outputs):
        return False
    said = [
        answer
        for key, (answer, why) in answers.items()
        if key not in cause.outputs and _is_vector(state, key) and not why.startswith(READ_RIGHTLY)
    ]
    return said.count(Answer.REPRODUCED) >= _ENOUGH and not any(answer in _OTHERWISE for answer in said)


def _is_vector(state: JudgingState, key: Key) -> bool:
    chunk = state.chunks[key[0]]
    return chunk.language == "r" and is_vector(chunk.output[key[1]].text)


def _is_plain(state: JudgingState, key: Key) -> bool:
    """Whether a vector stands in the place of another as in no version, and its values are set once."""
    chunk = state.chunks[key[0]]
    shown = piece(chunk, key[1])
    printed = produced(chunk, state.runs.published.of(chunk), key[1])
    plain = _is_vector(state, key) and differs_as_no_version_does(
        chunk.output[key[1]].text, printed, chunk.code
    )
    return plain and not set_in_several(state.runs.document, chunk, state.verdicts, shown)
