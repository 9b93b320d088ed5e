"""How far a value that is not the author's reaches: statement by statement, where the code can be read."""

from __future__ import annotations

import ast
from collections.abc import Callable, Set
from functools import lru_cache

from harness.documents.continued import parsed
from harness.documents.model import Chunk
from harness.findings.carried import statements, without_magics
from harness.findings.gives_new import is_plot
from harness.findings.names import names_in, parts_set_in
from harness.findings.outputs import piece
from harness.findings.parts import parts_of
from harness.findings.slices import statements_behind
from harness.sessions.statements import python_statements


def reached_names(
    code: str, language: str, tainted: Set[str], begins: Callable[[str], bool]
) -> frozenset[str]:
    """Return the names that code sets to what is computed from others; all that it sets where it is not read.

    Parameters
    ----------
    code, language : str
        The code of a chunk.
    tainted : set of str
        The names whose values are not the author's.
    begins : callable
        Whether a statement makes such a value by itself, as one that draws does.
    """
    if not _is_read(code, language):
        return names_in(code, language).sets | parts_set_in(code, language)
    carriers, found = set(tainted), set()
    for sets, uses, text in statements(code, language):
        changed = sets | names_in(text, language).sets | parts_set_in(text, language)
        if uses & carriers or begins(text):
            carriers |= changed
            found |= changed
        else:
            carriers -= sets
            found -= sets
    return frozenset(found)


def handed_to(code: str, called: Set[str]) -> frozenset[str]:
    """Return the names that code of Python hands to calls and operators of others, which may change them.

    Parameters
    ----------
    code : str
        The code.
    called : set of str
        Names of functions and types that are not here.
    """
    tree = parsed(code)
    handed: set[str] = set()
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Call) and _root(node.func) in called and not is_plot(node):
            values = [*node.args, *(keyword.value for keyword in node.keywords)]
        elif isinstance(node, ast.BinOp) and (_root(node.left) in called or _root(node.right) in called):
            values = [node.left, node.right]
        else:
            continue
        handed |= {value.id for value in values if isinstance(value, ast.Name)} - called
    return frozenset(handed)


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def depends_on(chunk: Chunk, place: int, tainted: Set[str]) -> bool:
    """Whether an output is of code that uses one of these names, as far as that can be told.

    Parameters
    ----------
    chunk, place : Chunk, int
        The output.
    tainted : set of str
        The names whose values are not the author's where the chunk begins.
    """
    if not _is_read(chunk.code, chunk.language):
        return True
    behind = statements_behind((chunk,), shown_by(chunk, place))
    return bool(names_in(behind, chunk.language).uses & tainted)


def shown_by(chunk: Chunk, place: int) -> str:
    """Return the code that an output is of: of a cell's value, its last statement."""
    code = piece(chunk, place)
    if chunk.output[place].info != "result" or not _is_read(code, chunk.language):
        return code
    if (parts := parts_of(code, chunk.language)) is not None:
        return "\n".join(code.split("\n")[parts[-1].line - 1 :]) if parts else code
    last = python_statements(0, without_magics(code))[-1]
    return "\n".join(code.split("\n")[last.line - 1 :])


@lru_cache(maxsize=4096)
def _is_read(code: str, language: str) -> bool:
    if language == "python":
        return bool(python_statements(0, without_magics(code)))
    return parts_of(code, language) is not None
