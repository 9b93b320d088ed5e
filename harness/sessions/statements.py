"""What each top-level statement of Python, R and Julia code sets and reads; the code is parsed, never run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import msgspec

from harness.model import Frozen

NOT_PARSED = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What `ast.parse` raises; the last two where code is nested too deeply."""
StatementKind = Literal["definition", "import", "constant", "other"]


class Statement(Frozen, frozen=True, kw_only=True):
    """One top-level statement.

    Attributes
    ----------
    chunk : int
        The index of the code that it stands in.
    line, end_line : int
        In that code, counted from 1.
    kind : str
        A function or class, an import, a variable declared constant, or anything else.
    sets, reads : frozenset of str
        Names that it assigns, and that it reads at top level.
    inner : frozenset of str
        Names that functions in it read from outside of themselves.
    unread : str
        Why its names are not known, where it could not be read; else empty.
    """

    chunk: int
    line: int
    end_line: int
    kind: StatementKind
    sets: frozenset[str]
    reads: frozenset[str]
    inner: frozenset[str]
    unread: str = ""


@lru_cache(maxsize=4096)
def python_statements(chunk: int, code: str) -> tuple[Statement, ...]:
    """Read the statements of Python code; none where it cannot be parsed."""
    return tuple(_python_statements(chunk, code))


def _python_statements(chunk: int, code: str) -> Iterator[Statement]:
    try:
        tree = ast.parse(code)
    except NOT_PARSED:
        return
    for node in tree.body:
        names = _PythonNames()
        names.visit(node)
        kind: StatementKind = "other"
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            kind = "definition"
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            kind = "import"
        yield Statement(
            chunk=chunk,
            line=node.lineno,
            end_line=node.end_lineno or node.lineno,
            kind=kind,
            sets=frozenset(names.sets),
            reads=frozenset(names.reads),
            inner=frozenset(names.inner),
        )


def session_statements(
    chunk: int, code: str, language: str, evaluate: Callable[[str], str]
) -> Iterator[Statement]:
    """Read the statements of R or Julia code with the language's own parser.

    Parameters
    ----------
    chunk : int
        The index that they get.
    code, language : str
        The code, and ``r`` or ``julia``.
    evaluate : callable
        Evaluates code in a session that has evaluated `probe`; returns what was printed.
    """
    printed = evaluate(call(language, "statements", code))
    read = [
        Statement(
            chunk=chunk,
            line=int(line),
            end_line=int(end),
            kind=msgspec.convert(kind, StatementKind),
            sets=frozenset(sets.split()),
            reads=frozenset(reads.split()),
            inner=frozenset(inner.split()),
        )
        for line, end, kind, sets, reads, inner in rows(printed, "statement", 6)
    ]
    nothing: frozenset[str] = frozenset()
    unread = [
        Statement(
            chunk=chunk,
            line=int(line),
            end_line=int(end),
            kind="other",
            sets=nothing,
            reads=nothing,
            inner=nothing,
            unread=why,
        )
        for line, end, why in rows(printed, "unread", 3)
    ]
    yield from sorted([*read, *unread], key=lambda statement: statement.line)


def without(code: str, gone: Iterable[Statement]) -> str:
    """A chunk's code with statements blanked out; every other line keeps its number."""
    lines = code.split("\n")
    for statement in gone:
        for place in range(statement.line - 1, min(statement.end_line, len(lines))):
            lines[place] = ""
    return "\n".join(lines)


def text_of(code: str, statement: Statement) -> str:
    """Return the lines of a statement."""
    return "\n".join(code.split("\n")[statement.line - 1 : statement.end_line])


def probe(language: str) -> str:
    """Return the source of the harness's functions for a session of this language."""
    name = {"r": "probe.R", "julia": "probe.jl", "python": "probe.py"}[language]
    return files(__package__).joinpath("probes", name).read_text(encoding="utf-8")


def call(language: str, function: str, *texts: str) -> str:
    """Return the code that calls one of `probe`'s functions with texts."""
    arguments = ", ".join(quoted(text, language) for text in texts)
    called = f"{probed(language, function)}({arguments})"
    match language:
        case "r":
            return f"invisible({called})"
        case "julia":
            return f"{called};"
        case _:
            return called


def probed(language: str, function: str) -> str:
    """Return the qualified name of one of `probe`'s functions, which works anywhere in a document."""
    match language:
        case "r":
            return f'getOption("harness.probe")${function}'
        case "julia":
            return f"Main.HarnessProbe.{function}"
        case _:
            return f"__harness_probe__.{function}"


def rows(text: str, kind: str, fields: int) -> Iterator[list[str]]:
    """Return the fields of all rows of one kind and length that a function of `probe` printed."""
    for row in text.splitlines():
        first, *others = row.split("\t")
        if first == kind and len(others) == fields:
            yield others


def quoted(text: str, language: str) -> str:
    """Return a text as a string literal of the language, in ASCII."""
    special = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    if language == "julia":
        special["$"] = "\\$"
    plain = (special.get(char) or (char if " " <= char <= "~" else f"\\U{ord(char):08x}") for char in text)
    return f'"{"".join(plain)}"'


class _PythonNames(ast.NodeVisitor):
    """Names at top level, and those that functions take from outside."""

    def __init__(self) -> None:
        self.sets: set[str] = set()
        self.reads: set[str] = set()
        self.inner: set[str] = set()

    def visit_Name(self, node: ast.Name) -> None:
        (self.reads if isinstance(node.ctx, ast.Load) else self.sets).add(node.id)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        for target in ast.walk(node.target):
            if isinstance(target, ast.Name):
                self.reads.add(target.id)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        # x[i] = ... and x.a = ... change x.
        for target in node.targets:
            root: ast.AST = target
            while isinstance(root, (ast.Subscript, ast.Attribute)):
                root = root.value
            if root is not target and isinstance(root, ast.Name):
                self.sets.add(root.id)
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        self.sets |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.sets |= {alias.asname or alias.name for alias in node.names}

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.sets.add(node.name)
        for part in (*node.bases, *(each.value for each in node.keywords), *node.decorator_list):
            self.visit(part)
        inside = _PythonNames()
        for statement in node.body:
            inside.visit(statement)
        self.inner |= inside.inner | (inside.reads - inside.sets)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.sets.add(node.name)
        given = node.args
        every = (*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg)
        for part in (*node.decorator_list, *given.defaults, *given.kw_defaults):
            if part is not None:
                self.visit(part)
        said = _PythonNames()
        for part in (*(each.annotation for each in every if each is not None), node.returns):
            if part is not None:
                said.visit(part)
        # The letters of def f[T](x: T) are its own.
        self.reads |= said.reads - {each.name for each in getattr(node, "type_params", ())}
        self._function(given, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        for part in (*node.args.defaults, *node.args.kw_defaults):
            if part is not None:
                self.visit(part)
        self._function(node.args, [node.body])

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        inside = _PythonNames()
        inside.generic_visit(node)
        self.reads |= inside.reads - inside.sets
        self.inner |= inside.inner - inside.sets

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def _function(self, given: ast.arguments, body: Sequence[ast.AST]) -> None:
        names = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        local = {arg.arg for arg in (*names, given.vararg, given.kwarg) if arg is not None}
        inside = _PythonNames()
        for statement in body:
            inside.visit(statement)
        self.inner |= (inside.reads | inside.inner) - local - inside.sets
