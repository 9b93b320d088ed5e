"""Whether Python computes a number by sums, products and quotients alone: no machine changes its digits."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from functools import lru_cache

from harness.documents.continued import parsed

_FUNCTIONS = (print, range, len, int, float, abs, str, repr, enumerate, zip, list, tuple, min, max, sorted)
_PLAIN = frozenset(function.__name__ for function in _FUNCTIONS)
"""Functions of the language that compute no fraction, or round none."""
_PLAIN_METHODS = frozenset({"format", "append", "items", "keys", "values", "join"})
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)


def differs_in_exact_digits(pairs: Sequence[tuple[str, str]], code: str) -> bool:
    """Whether a number is published that no Python prints of its code, be it in the last of its digits.

    Parameters
    ----------
    pairs : sequence of (str, str)
        Numbers as published and as printed.
    code : str
        The code that they are of, with all that it depends on.
    """
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    return bool(apart) and not any(_is_printed_by_an_earlier(*pair) for pair in apart) and _is_exact(code)


def _is_printed_by_an_earlier(published: str, produced: str) -> bool:
    """Whether a number is one with the 17 or the 12 digits that were printed before Python 2.7 and 3.1."""
    return published in (f"{float(produced):.17g}", f"{float(produced):.12g}")


@lru_cache(maxsize=1024)
def _is_exact(code: str) -> bool:
    tree = parsed(code)
    if tree is None:
        return False
    bound = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    bound |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return all(_keeps_digits(node, bound) for node in ast.walk(tree))


def _keeps_digits(node: ast.AST, bound: set[str]) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.ClassDef() | ast.Await() | ast.With():
            return False
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator):
            return isinstance(operator, _OPERATORS)
        case ast.Call(func=ast.Name(id=name)):
            return name in _PLAIN or name in bound
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _PLAIN_METHODS
        case ast.Call():
            return False
        case ast.Name(id=name, ctx=ast.Load()):
            return name in bound or hasattr(builtins, name)
        case _:
            return True
