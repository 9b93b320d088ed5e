"""What a piece of Python's syntax names, reads and does."""

from __future__ import annotations

import ast
import re
from collections import deque
from collections.abc import Sequence
from typing import Any

_OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@", ast.Mod: "%",
    ast.FloorDiv: "//", ast.USub: "neg", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==",
    ast.NotEq: "!=", ast.And: "and", ast.Or: "or", ast.Not: "not",
}  # fmt: skip

_VIEWS = frozenset({"loc", "iloc", "at", "iat", "values", "flat", "T", "data", "real", "imag"})
"""Attributes through which what they are of is changed."""
_BETWEEN = re.compile(r"\s*([-+*/@%<>=!&|^\[]|(and|or|not|in|is)\b)")
"""What a line begins with that goes on behind an operand."""
_GETTING = frozenset({"setdefault", "get"})


def dotted(node: ast.AST) -> str:
    """A name, with the attributes that it is followed by; empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (base := dotted(node.value)):
        return f"{base}.{node.attr}"
    return ""


def root_of(node: ast.expr) -> ast.expr:
    """What a subscript is of."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def variable_of(node: ast.expr) -> str:
    """The variable that a target is a part of, as ``df`` of ``df.loc[0]``."""
    while True:
        if isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr in _VIEWS):
            node = node.value
        elif (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _GETTING
        ):
            node = node.func.value
        else:
            return dotted(node)


def named_element(node: ast.expr) -> str:
    """Which element of a variable a target is, where it is named by a text: a column of a table."""
    named = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and dotted(node.value)
    key = node.slice.value if named else None  # type: ignore[attr-defined]
    return f"[{key!r}]" if isinstance(key, str) else ""


def declared_beyond(node: ast.AST) -> set[str]:
    """Names that a function says are variables of the program, or of a function around it."""
    found: set[str] = set()
    left = [*ast.iter_child_nodes(node)]
    while left:
        inner = left.pop()
        if isinstance(inner, (ast.Global, ast.Nonlocal)):
            found |= {*inner.names}
        elif not isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            left += ast.iter_child_nodes(inner)
    return found


def leaves(node: ast.expr) -> list[ast.expr]:
    """The targets that a target is made of."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return [leaf for item in node.elts for leaf in leaves(item)]
    return [node.value] if isinstance(node, ast.Starred) else [node]


def defaults_of(given: ast.arguments) -> list[tuple[ast.arg, list[Any], int]]:
    """The parameters of a function that may have a default; the list where that is, and its index."""
    named = [*given.posonlyargs, *given.args]
    named = named[len(named) - len(given.defaults) :]
    found: list[tuple[ast.arg, list[Any], int]] = [
        (argument, given.defaults, at) for at, argument in enumerate(named)
    ]
    return found + [(argument, given.kw_defaults, at) for at, argument in enumerate(given.kwonlyargs)]


def parse(name: str) -> ast.expr:
    """The expression that a text is."""
    return ast.parse(name, mode="eval").body


def load(node: ast.expr) -> ast.expr:
    """A target as an expression that reads it."""
    return ast.parse(ast.unparse(node), mode="eval").body


def is_plain_index(node: ast.Subscript) -> bool:
    """Whether an index can be evaluated once more without an effect."""
    return not any(isinstance(inner, (ast.Call, ast.NamedExpr)) for inner in ast.walk(node.slice))


def line_of(node: ast.AST, lines: Sequence[str]) -> int:
    """The line of what an expression does: that of the operator, of the function, of the method's name.

    Parameters
    ----------
    node : ast.AST
        Any expression, which may go over several lines.
    lines : sequence of str
        The program's.
    """
    begins: int = getattr(node, "lineno", 1)
    match node:
        case ast.Call(func=ast.Attribute() as method):
            return method.end_lineno or begins
        case ast.BinOp(left=before, right=after) | ast.Compare(left=before, comparators=[after, *_]):
            pass
        case ast.BoolOp(values=[before, after, *_]):
            pass
        case ast.Subscript(value=before, slice=after):
            pass
        case _:
            return begins
    if isinstance(after, (ast.Name, ast.Constant)) or _BETWEEN.match(lines[after.lineno - 1]):
        return after.lineno
    return before.end_lineno or begins


def read_by(node: ast.Assign | ast.AnnAssign | ast.AugAssign, targets: Sequence[ast.expr]) -> ast.AST:
    """What an assignment reads: its value, the indices of its targets, and for ``+=`` the target too."""
    read: list[ast.expr] = [node.value] if node.value is not None else []
    for target in targets:
        read += [inner.slice for inner in ast.walk(target) if isinstance(inner, ast.Subscript)]
    if isinstance(node, ast.AugAssign):
        read.append(ast.BinOp(load(node.target), node.op, ast.Constant("")))
    return ast.List(read, ast.Load())


def reads_of(node: ast.AST | None) -> dict[str, None]:
    """Names that are read in a piece of syntax, in order, dotted ones too; hooks are none.

    Of what is only read by a text in brackets, as ``log['late']``, it is that column.
    """
    names: dict[str, None] = {}
    left = deque([node] if node is not None else [])
    while left:
        inner = left.popleft()
        if isinstance(inner, ast.Subscript) and (column := _column(inner)):
            names[column] = None
            continue
        if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Load) and (whole := dotted(inner)):
            names[whole] = None
        elif isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Call):
            # A field of what a call gives, whichever object that is.
            names[f".{inner.attr}"] = None
        elif (
            isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load) and not inner.id.startswith("_hr")
        ):
            names[inner.id] = None
        left.extend(ast.iter_child_nodes(inner))
    return names


def _column(node: ast.Subscript) -> str:
    """What is read of a variable by a text in brackets; empty where it is read otherwise."""
    if isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load) and (named := named_element(node)):
        return "" if re.search(r"[\s\[\]]", named[1:-1]) else node.value.id + named
    return ""


def operators_of(node: ast.AST | None) -> dict[str, None]:
    """Operators, functions and numbers of a piece of syntax."""
    found: dict[str, None] = {}
    of_hooks: set[ast.expr] = set()
    for inner in ast.walk(node) if node is not None else ():
        if inner in of_hooks:
            continue
        if isinstance(inner, (ast.BinOp, ast.AugAssign, ast.UnaryOp, ast.BoolOp)):
            found[_OPERATORS.get(type(inner.op), "?")] = None
        elif isinstance(inner, ast.Compare):
            found |= dict.fromkeys(_OPERATORS.get(type(op), "?") for op in inner.ops)
        elif isinstance(inner, ast.Call):
            name = dotted(inner.func).rpartition(".")[2] or getattr(inner.func, "attr", "")
            if name.startswith("_hr"):
                # The number of a site is none of the program's.
                of_hooks.update(inner.args[:2])
            elif name:
                found[name] = None
        elif isinstance(inner, ast.Attribute) and inner.attr in ("T", "size", "shape"):
            found[inner.attr] = None
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, (int, float)):
            found[f"#{float(inner.value):g}"] = None
    return found
