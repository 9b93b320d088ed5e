"""Python that shows what ``print`` gives in a text of several lines below the call."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from itertools import pairwise

from harness.documents.comment_runs import Run
from harness.documents.continued import parsed

_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def texts_below(code: str) -> list[Run]:
    """Return such texts; ``after`` is the last line of the call, and of the whole loop or block around both.

    Parameters
    ----------
    code : str
        Any text; nothing is found in what is no Python.
    """
    tree = parsed(code) if '"""' in code or "'''" in code else None
    return [] if tree is None else list(_texts(tree, 0, True))


def _texts(node: ast.AST, after: int, margin: bool) -> Iterator[Run]:
    for body in _bodies(node):
        for above, below in pairwise(body):
            text = _text(below) if _prints(above) and below.lineno == (above.end_lineno or 0) + 1 else ""
            if text:
                ends = (above.end_lineno or 0) if not after else after if below.end_lineno == after else -1
                yield Run(below.lineno, "text", textwrap.dedent(text).strip("\n").split("\n"), ends, margin)
        for inner in body:
            inside = -1 if isinstance(inner, _DEFINES) or after < 0 else after or inner.end_lineno or 0
            yield from _texts(inner, inside, False)


def _bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        if isinstance(body, list) and body:
            yield body
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield part.body


def _prints(node: ast.stmt) -> bool:
    called = node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    return isinstance(called, ast.Name) and called.id in ("print", "pprint")


def _text(node: ast.stmt) -> str:
    """The text of a statement that is nothing else, and begins on a line of its own."""
    value = node.value.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) else ""
    return value if isinstance(value, str) and value.startswith("\n") else ""
