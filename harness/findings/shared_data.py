"""Outputs that are accused for one reason: data from which nothing right comes, or a value that is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from harness.findings.causes import Cause
from harness.findings.closures import Closure, closure_of
from harness.findings.judging_state import JudgingState, Key
from harness.findings.names import last_line
from harness.findings.random_numbers import without_comments
from harness.model.article import Answer

_DATA = re.compile(
    r"\s*[^\W\d][\w.]*\s*(?:<-|=)\s*(?:\b(?:c|list)\(|\"[^\"]*\"|'[^']*'|\b(?:NA|TRUE|FALSE|True|False|true|false)\b"
    r"|[\d\s.,:()\[\]{}+-])+"
)
"""A line that gives a name to values which are written there: no version reads them otherwise."""

Line = tuple[int, int]
"""The index of a chunk, and one of its lines."""


def by_data(
    state: JudgingState,
    answers: Mapping[Key, tuple[Answer, str]],
    found: Sequence[tuple[Key, Cause, Closure]],
) -> Iterator[tuple[Key, Cause]]:
    """Yield accused outputs, each with its cause: with that of another where both need the same data.

    Parameters
    ----------
    state : JudgingState
        The document, judged.
    answers : mapping
        What is said of each output: data that one which is reproduced needs are right.
    found : sequence of (Key, Cause, Closure)
        The outputs, what each is accused of, and the statements that it needs.
    """
    right = _needed_by_the_right(state, answers) if len(found) > 1 else frozenset()
    shown = {_shown_at(state, key) for key, _, _ in found}
    causes: dict[Line, Cause] = {}
    for key, own, closure in found:
        needed = set(_lines(closure))
        # What a statement sets and shows is of one reason with what is computed from it.
        lines = {at for at in needed if _is_data(state, at)} - right | needed & shown
        cause = next((causes[at] for at in sorted(lines) if at in causes), own)
        causes |= dict.fromkeys(lines, cause)
        yield key, cause


def _shown_at(state: JudgingState, key: Key) -> Line:
    chunk = state.chunks[key[0]]
    return key[0], chunk.output[key[1]].after or last_line(chunk)


def _needed_by_the_right(state: JudgingState, answers: Mapping[Key, tuple[Answer, str]]) -> frozenset[Line]:
    keys = [key for key, (answer, _) in answers.items() if answer is Answer.REPRODUCED]
    closures = (closure_of(state.runs.published, state.chunks[index], place) for index, place in keys)
    return frozenset(at for closure in closures if closure is not None for at in _lines(closure))


def _lines(closure: Closure) -> Iterator[Line]:
    return ((index, line) for index, lines in closure.lines.items() for line in lines)


def _is_data(state: JudgingState, at: Line) -> bool:
    return _DATA.fullmatch(without_comments(state.chunks[at[0]].code.split("\n")[at[1] - 1])) is not None
