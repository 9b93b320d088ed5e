"""Whether code that failed left another session to an output: what is reproduced below it vouches for it."""

from __future__ import annotations

import re
from collections.abc import Sequence

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
from harness.findings.steady import DATA_NAMES
from harness.model.article import BlockKind, BlockVerdict

_ENOUGH = 3
"""Outputs below a failure that are as published, without which they vouch for nothing."""
_MASKS = """
as.Date date density filter first intersect julian lag last mode months quarters scale setdiff stack union
units weekdays
"""
_MASKED = frozenset(_MASKS.split())
"""Functions of R of which packages attach others of the same name that do something else."""
_CHANGES_R = re.compile(
    r"\boptions\(|\bSys\.set\w+\(|\bRNG(?:kind|version)\(|\bset(?:Method|Generic|Class)\(|\bregisterS3method\("
    r"|(?:[\w.]\.\w+|`[^`]*`)\s*(?:<<?-|=)\s*function"
)
"""What changes how R's own functions compute and print: options, and methods."""
_OF_R = re.compile(
    r"\b(?:prcomp|princomp|hclust|kmeans|cutree|cmdscale|factanal|eigen|spline(?:fun)?|approx(?:fun)?|loess"
    r"|acf|arima|ts|window|str|as\.(?:dist|dendrogram|hclust)|cophenetic|nchar|system\.time)(?=\()"
)
"""Functions that come with R, whatever versions make of them."""
_SETS_UNSEEN = re.compile(
    r"\b(?:source|sys\.source|load|attach|data|evalq?|assign|list2env|set(?!\.seed)\w*)\(|<<-|:="
)
"""What sets names that its text does not show, or changes a table in its place."""
_ARGUMENT = re.compile(r"(?<=[(,])\s*[A-Za-z.][\w.]*\s*=(?!=)")
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
    if session is not None and not (
        _is_of_r_alone(state, session, chunk, behind) or _is_vouched_for(state, session, chunk, behind)
    ):
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
    below = _verdicts_below(state, session, chunk)
    many = sum(verdict.kind in LIKE for _, verdict in below)
    wrong = sum(verdict.kind is BlockKind.DIFFERS for _, verdict in below)
    if many < _ENOUGH or wrong - 1 > many // 4:
        return False
    known = _words_reproduced(state, below) | _set_between(state, session.chunk.index, chunk)
    return _words(behind) <= known


def _is_of_r_alone(state: JudgingState, session: Cause, chunk: Chunk, behind: str) -> bool:
    """Whether an output is of functions of R that keep their names, and of what is set below the failures.

    What a package attaches, or a script sets, that is not here hides other functions and data; R's own do in
    each session the same, unless an option or a method changes them.
    """
    above = [part for part in state.chunks[: chunk.index + 1] if part.language == "r"]
    below = _verdicts_below(state, session, chunk)
    enough = sum(verdict.kind in LIKE for _, verdict in below) >= _ENOUGH
    if chunk.language != "r" or not enough:
        return False
    undone = [part for part in above if _is_undone(state, part)]
    words = _words(_ARGUMENT.sub("", behind))
    if _CHANGES_R.search("\n".join(part.code for part in undone)) or words & _MASKED:
        return False
    if not calls_the_language_alone(_OF_R.sub("mean", behind), "\n".join(part.code for part in above), "r"):
        return False
    unseen = max((part.index for part in undone if _SETS_UNSEEN.search(part.code)), default=-1)
    if not names_in(behind, "r").sets <= _set_between(state, unseen, chunk):
        return False
    return words & DATA_NAMES["r"] <= _words_reproduced(state, below)


def _is_undone(state: JudgingState, part: Chunk) -> bool:
    run = state.runs.published.of(part)
    return run.left is None or run.error is not None or bool(run.lacking)


def _verdicts_below(state: JudgingState, session: Cause, chunk: Chunk) -> list[tuple[int, BlockVerdict]]:
    """The outputs of a language below a failure, by their chunks."""
    return [
        (index, verdict)
        for (index, _), verdict in state.verdicts.items()
        if state.chunks[index].language == chunk.language and index > session.chunk.index
    ]


def _words_reproduced(state: JudgingState, below: Sequence[tuple[int, BlockVerdict]]) -> set[str]:
    right = {index for index, verdict in below if verdict.kind in LIKE}
    return _words("\n".join(state.chunks[index].code for index in sorted(right)))


def _set_between(state: JudgingState, index: int, chunk: Chunk) -> set[str]:
    """The names that code sets below a chunk, and down to another one."""
    return {
        name
        for part in state.chunks[index + 1 : chunk.index + 1]
        if part.language == chunk.language
        for name in names_in(part.code, part.language).sets
    }


def _words(code: str) -> set[str]:
    return set(_WORD.findall(without_texts(code)))


def _is_of_julia_alone(state: JudgingState, chunk: Chunk, behind: str) -> bool:
    """Whether an output calls nothing that a package of Julia may bring: none takes a name of Base's."""
    if chunk.language != "julia" or state.context.other_generation("julia"):
        return chunk.language == "julia"
    above = (part.code for part in state.chunks[: chunk.index + 1] if part.language == "julia")
    return calls_the_language_alone(behind, "\n".join(above), "julia")
