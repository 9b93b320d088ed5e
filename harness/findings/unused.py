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
    """Arguments of functions that are called, in every call replaced by what must not be read."""
    for one in tracks(runs):
        definitions = {
            name: each
            for each in one.statements
            if each.kind == "definition"
            for name in each.sets
            if _called(one, name)
        }
        if definitions:
            yield from _found(one, definitions)


def _found(one: Track, definitions: dict[str, Statement]) -> Iterator[Finding]:
    with one.runs.session(one.language) as trial:
        one.prepared(trial)
        unused: dict[str, list[str]] = {}
        for name, each in definitions.items():
            code = _code(one, each)
            if one.language == "python":
                unused[name] = _python(code)
            else:
                unused[name] = trial.code(call(one.language, "unused", code)).text.split()
        unused = {name: given for name, given in unused.items() if given}
        if not unused:
            return
        steps = one.replay(trial, lambda chunk: _blanked(one, chunk, definitions, unused), stop=True)
        if len(steps) < len(one.chunks) or steps[-1].error is not None:
            return
        said = trial.code(call(one.language, "calls")).text
    for name, count in rows(said, "calls", 2):
        if name in unused:
            yield _finding(one, definitions[name], name, unused[name], int(count))


def _called(one: Track, name: str) -> bool:
    return any(name in each.reads | each.inner for each in one.statements)


def _code(one: Track, statement: Statement) -> str:
    return text_of(one.runs.code(one.chunk_of(statement)), statement)


def _python(code: str) -> list[str]:
    """Arguments that the body of a function does not name; defaults may be there for others to give."""
    (node, *_) = ast.parse(code).body
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return []
    given = node.args
    plain = [each.arg for each in (*given.posonlyargs, *given.args)]
    names = {each.id for part in node.body for each in ast.walk(part) if isinstance(each, ast.Name)}
    empty = all(isinstance(part, (ast.Pass, ast.Expr, ast.Raise)) for part in node.body)
    return [] if empty else [each for each in plain if each not in names and not each.startswith("_")]


def _blanked(
    one: Track, chunk: Chunk, definitions: dict[str, Statement], unused: dict[str, list[str]]
) -> str | None:
    lines = one.code(chunk).split("\n")
    mine = {name: each for name, each in definitions.items() if name in unused and each.chunk == chunk.index}
    for name, each in mine.items():
        arguments = " ".join(unused[name])
        if one.language == "julia":
            added = call("julia", "blanked", name, arguments, _code(one, each))
        else:
            added = f'{name} = {probed(one.language, "blanked")}({name}, "{name}", "{arguments}")'
        lines[each.end_line - 1] += f"\n{added}"
    return "\n".join(lines) if mine else None


def _finding(one: Track, statement: Statement, name: str, arguments: list[str], count: int) -> Finding:
    chunk = one.chunk_of(statement)
    listed = ", ".join(arguments)
    several = len(arguments) > 1
    return one.runs.finding(
        chunk,
        Kind.DEAD_CODE,
        Severity.NOTE,
        f"{name} does not read {listed}: in {count} {'call' if count == 1 else 'calls'}{one.shortened}, with "
        f"something in {'their' if several else 'its'} place that fails when it is read, everything runs",
        f"{'they look' if several else 'it looks'} like a part of the computation, and "
        f"{'are' if several else 'is'} none",
        line=one.line_of(statement),
        smallest=_code(one, statement).strip().split("\n")[0],
    )
