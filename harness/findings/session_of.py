"""Whether code that failed left another session to an output: what is reproduced below it vouches for it."""

from __future__ import annotations

import re

from harness.documents.model import Chunk
from harness.findings.causes import Cause
from harness.findings.judging_state import JudgingState
from harness.findings.names import names_in, upstream
from harness.findings.outputs import LIKE
from harness.findings.random_numbers import draw_in, without_comments, without_own_streams
from harness.findings.reached import shown_by
from harness.findings.slices import statements_behind
from harness.findings.slips import without_texts
from harness.findings.sources import calls_the_language_alone
from harness.model.article import BlockKind

_ENOUGH = 3
"""Outputs below a failure that are as published, without which they vouch for nothing."""
_WORD = re.compile(r"[^\W\d][\w.]*")


def failed_before(state: JudgingState, chunk: Chunk, place: int) -> Cause | None:
    """Return the cause of an output where code above it failed that may have changed what all code does.

    Parameters
    ----------
    state : JudgingState
        What is known of the document.
    chunk, place : Chunk, int
        The output: its chunk, and its place among the chunk's outputs.
    """
    session, stream = state.other_session(chunk), state.other_stream(chunk)
    if session is None and stream is None:
        return None
    behind = without_comments(statements_behind(upstream(state.chunks, chunk), shown_by(chunk, place)))
    if _is_of_julia_alone(state, chunk, behind):
        return None
    if session is not None and not _is_vouched_for(state, session, chunk, behind):
        return state.causes.known(session)
    # What has a seed of its own draws the same, whatever was drawn before.
    own = draw_in(behind, chunk.language) and not draw_in(without_own_streams(behind), chunk.language)
    return None if own else stream


def needs_no_package(state: JudgingState, chunk: Chunk, place: int) -> bool:
    """Whether an output of Julia calls nothing that a package may bring: none takes a name of Base's.

    Parameters
    ----------
    state : JudgingState
        What is known of the document.
    chunk, place : Chunk, int
        The output: its chunk, and its place among the chunk's outputs.
    """
    if chunk.language != "julia":
        return False
    behind = without_comments(statements_behind(upstream(state.chunks, chunk), shown_by(chunk, place)))
    above = (part.code for part in state.chunks[: chunk.index + 1] if part.language == "julia")
    return calls_the_language_alone(behind, "\n".join(above), "julia")


def _is_vouched_for(state: JudgingState, session: Cause, chunk: Chunk, behind: str) -> bool:
    """Whether outputs below a failure are as published, which use all that this one uses.

    An option, a method or a function that hides another one changes what is printed wherever it is used.
    """
    right: set[int] = set()
    many = wrong = 0
    for (index, _), verdict in state.verdicts.items():
        other = state.chunks[index]
        if other.language != chunk.language or index <= session.chunk.index:
            continue
        many += verdict.kind in LIKE
        wrong += verdict.kind is BlockKind.DIFFERS
        right |= {index} if verdict.kind in LIKE else set()
    if many < _ENOUGH or wrong - 1 > many // 4:
        return False
    code = "\n".join(state.chunks[index].code for index in sorted(right))
    known = _words(code) | {
        name
        for part in state.chunks[session.chunk.index + 1 : chunk.index + 1]
        if part.language == chunk.language
        for name in names_in(part.code, part.language).sets
    }
    return _words(behind) <= known


def _words(code: str) -> set[str]:
    return set(_WORD.findall(without_texts(code)))


def _is_of_julia_alone(state: JudgingState, chunk: Chunk, behind: str) -> bool:
    """Whether an output calls nothing that a package of Julia may bring: none takes a name of Base's."""
    if chunk.language != "julia" or state.context.other_generation("julia"):
        return chunk.language == "julia"
    above = (part.code for part in state.chunks[: chunk.index + 1] if part.language == "julia")
    return calls_the_language_alone(behind, "\n".join(above), "julia")
