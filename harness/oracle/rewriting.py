"""Rewriting of a reference's file: operators become calls, so that the oracle sees operations on numbers."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from types import CodeType

OPERATED = "__operated__"
"""Name of the built-in function that is called with the operator's name and both operands."""

OPERATORS: Mapping[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.Mod: "mod",
}
"""Names in the module operator; other operators round nothing."""


def rewritten(text: bytes, path: str) -> CodeType:
    """A file with ``a + b`` as ``__operated__("add", a, b)``, and ``a += b`` likewise.

    Every call has the place of the operation that it stands for, so that errors name the user's own lines.

    Parameters
    ----------
    text : bytes
        The file.
    path : str
        Where it is.

    Raises
    ------
    SyntaxError
        As `compile` raises it.
    """
    tree = ast.fix_missing_locations(_Rewriter().visit(ast.parse(text, path)))
    code: CodeType = compile(tree, path, "exec", dont_inherit=True)
    return code


class _Rewriter(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """``a + b``."""
        self.generic_visit(node)
        name = OPERATORS.get(type(node.op))
        return node if name is None else _called(name, node.left, node.right, node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt | list[ast.stmt]:
        """``a[i] += b``: the array and the index are evaluated once, as in Python."""
        self.generic_visit(node)
        name = OPERATORS.get(type(node.op))
        if name is None:
            return node
        before: list[ast.stmt] = []
        target = node.target
        if isinstance(target, ast.Attribute):
            target.value = _once(target.value, before)
        elif isinstance(target, ast.Subscript):
            target.value = _once(target.value, before)
            target.slice = _index(target.slice, before)
        read = copy.deepcopy(target)
        read.ctx = ast.Load()
        value = _called(f"i{name}", read, node.value, node)
        return [*before, ast.copy_location(ast.Assign([target], value), node)]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        """The value alone: an annotation is no arithmetic."""
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.MatchValue:
        """Unchanged: a pattern is no arithmetic."""
        return node


def _called(name: str, left: ast.expr, right: ast.expr, where: ast.AST) -> ast.expr:
    call = ast.Call(ast.Name(OPERATED, ast.Load()), [ast.Constant(name), left, right], [])
    return ast.copy_location(call, where)


def _once(node: ast.expr, before: list[ast.stmt]) -> ast.expr:
    """An expression that can be evaluated twice: a name, set by a statement before if necessary."""
    if isinstance(node, (ast.Name, ast.Constant)):
        return node
    name = f"operated_{len(before)}__"
    before.append(ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], node), node))
    return ast.copy_location(ast.Name(name, ast.Load()), node)


def _index(node: ast.expr, before: list[ast.stmt]) -> ast.expr:
    if isinstance(node, ast.Tuple):
        node.elts = [_index(item, before) for item in node.elts]
        return node
    if isinstance(node, ast.Slice):
        for end in ("lower", "upper", "step"):
            there = getattr(node, end)
            if there is not None:
                setattr(node, end, _once(there, before))
        return node
    return _once(node, before)
