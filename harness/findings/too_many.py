"""How many accusations are too many for one document: then one way of writing is more likely the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.documents.model import Chunk
from harness.findings.causes import Cause
from harness.findings.judging_state import JudgingState, Key
from harness.findings.names import upstream
from harness.findings.random_numbers import draw_in, seeds
from harness.model.article import Answer

_FEW = 2
_TENTH = 10


def are_too_many(accused: int, reproduced: int) -> bool:
    """Whether so many accusations stand in one document that one way of writing is more likely the reason."""
    return accused > max(_FEW, reproduced // _TENTH)


def roots_of(state: JudgingState, causes: Sequence[Cause]) -> int:
    """Count accusations, but once what is drawn in one place, and what is computed from what is accused.

    Parameters
    ----------
    state : JudgingState
        The document.
    causes : sequence of Cause
        What is accused in it.
    """
    roots: set[int] = set()
    drawn: set[int] = set()
    for cause in sorted(causes, key=lambda one: one.chunk.index):
        behind = {part.index for part in upstream(state.chunks, cause.chunk)}
        if not (roots | drawn) & behind:
            roots.add(cause.chunk.index)
            drawn |= drawn_beside(state, cause.chunk)
    return len(roots)


def drawn_beside(state: JudgingState, chunk: Chunk) -> set[int]:
    """The indices of chunks that show what is drawn, if one is of them: all of it follows from one seed.

    Parameters
    ----------
    state : JudgingState
        The document.
    chunk : Chunk
        One of its chunks.
    """
    alike = [part for part in state.chunks if part.language == chunk.language]
    drawing = {part.index for part in alike if draw_in(part.code, part.language) is not None}
    if not any(seeds(part.code, part.language) for part in alike):
        return set()
    if not drawing & {one.index for one in upstream(state.chunks, chunk)}:
        return set()
    return {part.index for part in alike if drawing & {one.index for one in upstream(state.chunks, part)}}


def reproduced_in(state: JudgingState, answers: Mapping[Key, tuple[Answer, str]], language: str) -> int:
    """Count the outputs of a language that are reproduced.

    Parameters
    ----------
    state : JudgingState
        The document.
    answers : mapping
        What is said of each output.
    language : str
        The language.
    """
    said = (answer for (index, _), (answer, _) in answers.items() if state.chunks[index].language == language)
    return sum(answer is Answer.REPRODUCED for answer in said)


def unless_too_many(
    state: JudgingState, found: Sequence[tuple[Key, Cause]], answers: Mapping[Key, tuple[Answer, str]]
) -> Sequence[tuple[Key, Cause]]:
    """Return accusations of outputs; none where there are too many, with those that stand already.

    Parameters
    ----------
    state : JudgingState
        The document, judged.
    found, answers : sequence of (Key, Cause), mapping
        Outputs, each with its cause, which may be of several; what is said of all outputs so far.
    """
    if not found:
        return ()
    again = {key for key, _ in found}
    wrong = (cause for cause in state.causes.all() if cause.answer is Answer.WRONG)
    standing = (cause for cause in wrong if cause.outputs.keys() - again)
    accused = {id(cause) for cause in (*standing, *(cause for _, cause in found))}
    right = reproduced_in(state, answers, state.chunks[found[0][0][0]].language)
    return () if are_too_many(len(accused), right) else found
