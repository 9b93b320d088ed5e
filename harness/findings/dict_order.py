"""Whether code of Python goes through a dict, whose order was left open before Python 3.7."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

_OTHERS = re.compile(
    r"(?<!\.format\()\*\*\w|\bdefaultdict\b|\bCounter\(|\b(?:globals|locals|vars)\(|__dict__|\bjson\b|\bDict\("
)
_ASKED = frozenset({"get", "setdefault", "update", "copy"})
"""Methods of a dict that show no order."""


@lru_cache(maxsize=4096)
def goes_through_a_dict(code: str) -> bool:
    """Whether code may show in which order a dict holds its keys: all that it does but to look keys up.

    Parameters
    ----------
    code : str
        Some statements of Python; of those that cannot be read it may.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return True
    if _OTHERS.search(code):
        return True
    named: set[str] = set()
    bound: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _is_dict(node.value) and isinstance(node.targets[0], ast.Name):
            named.add(node.targets[0].id)
            bound.add(id(node.value))
    if any(_is_dict(node) and id(node) not in bound for node in ast.walk(tree)):
        return True
    looked_up = set(_looked_up(tree))
    return any(
        isinstance(node, ast.Name)
        and node.id in named
        and isinstance(node.ctx, ast.Load)
        and id(node) not in looked_up
        for node in ast.walk(tree)
    )


def _is_dict(node: ast.AST) -> bool:
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict"
    return called or isinstance(node, ast.Dict | ast.DictComp)


def _looked_up(tree: ast.AST) -> Iterator[int]:
    """Yield the ids of the names of which a key is asked for."""
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=ast.Name() as name):
                yield id(name)
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Name() as name]):
                yield id(name)
            case ast.Call(func=ast.Attribute(value=ast.Name() as name, attr=method)) if method in _ASKED:
                yield id(name)
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as name]):
                yield id(name)
            case ast.Call(
                func=ast.Attribute(attr="format"), keywords=[ast.keyword(arg=None, value=ast.Name() as name)]
            ):
                yield id(name)
            case _:
                pass
