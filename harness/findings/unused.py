"""Arguments that a function does not use: each call is given something that fails when it is read."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from harness.documents.model import Chunk
from harness.findings.runs import DocumentRuns
from harness.findings.track import Track, tracks
from harness.model.article import Finding, Kind, Severity
from harness.sessions.statements import Statement, call, probed, rows, text_of


def unused_arguments(runs: DocumentRuns) -> Iterator[Finding]:
    """Replace each argument, in every call, by an object that fails when it is read."""
    for track in tracks(runs):
        definitions = {
            name: statement
            for statement in track.statements
            if statement.kind == "definition"
            for name in statement.sets
            if _called(track, name)
        }
        if definitions:
            yield from _findings(track, definitions)


def _findings(track: Track, definitions: dict[str, Statement]) -> Iterator[Finding]:
    with track.runs.session(track.language) as trial:
        track.prepared(trial)
        unused: dict[str, list[str]] = {}
        for name, statement in definitions.items():
            code = _code(track, statement)
            if track.language == "python":
                unused[name] = _python(code)
            else:
                unused[name] = trial.code(call(track.language, "unused", code)).text.split()
        unused = {name: given for name, given in unused.items() if given}
        if not unused:
            return
        steps = track.replay(trial, lambda chunk: _blanked(track, chunk, definitions, unused), stop=True)
        if len(steps) < len(track.chunks) or steps[-1].error is not None:
            return
        said = trial.code(call(track.language, "calls")).text
    for name, count in rows(said, "calls", 2):
        if name in unused:
            yield _finding(track, definitions[name], name, unused[name], int(count))


def _called(track: Track, name: str) -> bool:
    return any(name in statement.reads | statement.inner for statement in track.statements)


def _code(track: Track, statement: Statement) -> str:
    return text_of(track.runs.code(track.chunk_of(statement)), statement)


def _python(code: str) -> list[str]:
    """Return the arguments, keyword-only ones left out, that the body of a function does not name."""
    (node, *_) = ast.parse(code).body
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return []
    given = node.args
    plain = [arg.arg for arg in (*given.posonlyargs, *given.args)]
    names = {n.id for part in node.body for n in ast.walk(part) if isinstance(n, ast.Name)}
    empty = all(isinstance(part, (ast.Pass, ast.Expr, ast.Raise)) for part in node.body)
    return [] if empty else [name for name in plain if name not in names and not name.startswith("_")]


def _blanked(
    track: Track, chunk: Chunk, definitions: dict[str, Statement], unused: dict[str, list[str]]
) -> str | None:
    lines = track.code(chunk).split("\n")
    mine = {
        name: statement
        for name, statement in definitions.items()
        if name in unused and statement.chunk == chunk.index
    }
    for name, statement in mine.items():
        arguments = " ".join(unused[name])
        if track.language == "julia":
            added = call("julia", "blanked", name, arguments, _code(track, statement))
        else:
            added = f'{name} = {probed(track.language, "blanked")}({name}, "{name}", "{arguments}")'
        lines[statement.end_line - 1] += f"\n{added}"
    return "\n".join(lines) if mine else None


def _finding(track: Track, statement: Statement, name: str, arguments: list[str], count: int) -> Finding:
    chunk = track.chunk_of(statement)
    listed = ", ".join(arguments)
    several = len(arguments) > 1
    return track.runs.finding(
        chunk,
        Kind.DEAD_CODE,
        Severity.NOTE,
        f"{name} does not read {listed}:"
        f" in {count} {'call' if count == 1 else 'calls'}{track.shortened}, with "
        f"something in {'their' if several else 'its'} place that fails when it is read, everything runs",
        f"{'they look' if several else 'it looks'} like a part of the computation, and "
        f"{'are' if several else 'is'} none",
        line=track.line_of(statement),
        smallest=_code(track, statement).strip().split("\n")[0],
    )
