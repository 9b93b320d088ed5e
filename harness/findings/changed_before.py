"""A statement that changed a value in place, where outputs below it show the value as it was before."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import partial

import msgspec

from harness.documents.continued import parsed
from harness.documents.model import Chunk
from harness.findings.causes import Cause
from harness.findings.judging_state import JudgingState
from harness.findings.names import upstream
from harness.findings.outputs import LIKE, verdicts
from harness.model.article import Answer

_NAMED = "append extend insert remove pop clear sort reverse update add discard popitem setdefault"
_METHODS = frozenset(_NAMED.split())
_FUNCTIONS = frozenset({"shuffle", "heapify", "heappush", "heappop", "insort"})
_IN_JULIA = re.compile(r"^[^\W\d][\w.]*!\(\s*(?P<name>[^\W\d]\w*)\b.*\)\s*$", re.MULTILINE)
_MOST = 3
"""Statements that are tried for an output, from the last one up."""


class Change(msgspec.Struct, frozen=True):
    """A statement of a chunk's top level that changes a value in place; lines are counted from 1."""

    chunk: Chunk
    line: int
    end_line: int
    name: str
    text: str


def changed_above(state: JudgingState, chunk: Chunk, place: int) -> Cause | None:
    """Return the statement without which an output is what is published; None where there is none.

    Parameters
    ----------
    state : JudgingState
        The document.
    chunk, place : Chunk, int
        An output that is accused. All outputs that agree with the value as it was before have one cause.
    """
    changes = list(changes_in(upstream(state.chunks, chunk)[:-1]))
    for change in changes[: -_MOST - 1 : -1]:
        make = partial(state.runs.without, change.chunk, change.line, change.end_line)
        run = state.runs.once(("without", change.chunk.index, change.line), make)
        if run is not None and verdicts(chunk, run.of(chunk))[place].kind in LIKE:
            said = f"`{change.text}` changes {change.name} in place, and what is shown below is as before it"
            cause = Cause(Answer.WRONG, change.chunk, change.line, said)
            return state.causes.get(("changed", change.chunk.index, change.line), cause)
    return None


def changes_in(chunks: Sequence[Chunk]) -> Iterator[Change]:
    """Yield the statements of chunks that change a value in place, in order."""
    for chunk in chunks:
        if chunk.language == "julia":
            for found in _IN_JULIA.finditer(chunk.code):
                line = chunk.code.count("\n", 0, found.start()) + 1
                yield Change(chunk, line, line, found["name"], found[0].strip())
        tree = parsed(chunk.code) if chunk.language == "python" else None
        for statement in tree.body if tree is not None else ():
            name = _changed_by(statement)
            if name:
                text = (ast.get_source_segment(chunk.code, statement) or "").split("\n")[0]
                yield Change(chunk, statement.lineno, statement.end_lineno or statement.lineno, name, text)


def _changed_by(statement: ast.stmt) -> str:
    """The name of which a statement of Python changes the value; empty where it changes none."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method), args=given)):
            if method in _METHODS:
                return name
            return given[0].id if method in _FUNCTIONS and given and isinstance(given[0], ast.Name) else ""
        case ast.Expr(value=ast.Call(func=ast.Name(id=function), args=[ast.Name(id=name), *_])):
            return name if function in _FUNCTIONS else ""
        case (
            ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))])
            | ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name)))
        ):
            return name
        case ast.Delete(targets=[ast.Subscript(value=ast.Name(id=name))]):
            return name
        case _:
            return ""
