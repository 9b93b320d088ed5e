"""Variables that a statement changes in place, without assigning them."""

from __future__ import annotations

import ast
import re

_SHOWS = frozenset({"print", "display", "show", "len", "assert", "repr", "str"})
_TAKES = frozenset(
    [
        *("pop", "popitem", "popleft", "append", "extend", "insert", "update", "add", "remove", "discard"),
        *("clear", "setdefault", "sort", "reverse", "fit", "train", "step", "backward", "fill_", "zero_"),
        *("readline", "read", "fill", "resize", "put", "send"),
    ]
)
"""Methods that change their object."""
_BANG = re.compile(r"(?<![\w.])[^\W\d][\w.]*!\(\s*([^\W\d][\w]*)")


def changed_in(code: str, language: str, reads: frozenset[str]) -> frozenset[str]:
    """Names of variables that code may change in place.

    Parameters
    ----------
    code : str
        A statement.
    language : str
        ``python``, ``r``, whose values do not change in place, or ``julia``.
    reads : frozenset of str
        The names that it reads.
    """
    if language == "r":
        return frozenset()
    if language == "julia":
        changed = set(_BANG.findall(code))
        if re.match(r"\s*(@|print|show|display)", code) is None and re.match(r"\s*[\w.]+\(", code):
            changed |= reads if "=" not in code.split("(", 1)[0] else set()
        return frozenset(changed & reads)
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return frozenset()
    finder = _Changes()
    finder.visit(tree)
    return frozenset(finder.found)


class _Changes(ast.NodeVisitor):
    def __init__(self) -> None:
        self.found: set[str] = set()

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        """What is inside is not run here."""

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef

    def visit_Expr(self, node: ast.Expr) -> None:
        call = node.value
        if isinstance(call, ast.Call):
            name = call.func.id if isinstance(call.func, ast.Name) else ""
            if isinstance(call.func, ast.Attribute):
                self._root(call.func.value)
            if name not in _SHOWS:
                for part in (*call.args, *(each.value for each in call.keywords)):
                    self._root(part)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute) and node.func.attr in _TAKES:
            self._root(node.func.value)
        if (isinstance(node.func, ast.Name) and node.func.id == "next") or _is_heap(node.func):
            for part in node.args[:1]:
                self._root(part)
        for each in node.keywords:
            if each.arg == "out":
                self._root(each.value)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._root(node.target)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._root(node.target)
        self.generic_visit(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self._root(target)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                self._root(part)
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        self._root(node.target)
        self.generic_visit(node)

    def _root(self, node: ast.AST) -> None:
        while isinstance(node, (ast.Subscript, ast.Attribute, ast.Starred)):
            node = node.value
        if isinstance(node, ast.Name):
            self.found.add(node.id)


def _is_heap(function: ast.AST) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return str(name).startswith("heap")
