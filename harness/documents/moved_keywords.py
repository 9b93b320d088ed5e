"""Arguments that NumPy and pandas renamed or took away, where another spelling says the same in all versions.

``np.reshape(a=x, newshape=s)`` is ``np.reshape(x, s)``, ``df.fillna(method='ffill')`` is ``df.ffill()``, and
``df.drop('x', 1)`` is ``df.drop('x', axis=1)``. Code that cannot be read is left as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from harness.documents.continued import parsed


class Moved(NamedTuple):
    """A call, by its first place in the code and the one behind it, and how it is spelled in all versions."""

    start: int
    end: int
    spelled: str


_POSITIONAL = {"reshape": ("a", "newshape")}
"""Arguments of NumPy's functions that have no name, or another one, in newer versions."""
_RENAMED = {("histogram", "normed"): "density", ("histogram2d", "normed"): "density"}
_NAMED = {"drop": (1, "axis"), "concat": (1, "axis"), "any": (0, "axis"), "all": (0, "axis")}
"""Arguments of pandas' that newer versions take by name alone: their place, and their name."""
_FILLS = {"ffill": "ffill", "pad": "ffill", "bfill": "bfill", "backfill": "bfill"}


def moved_arguments(code: str, *, numpy: bool, pandas: bool) -> Iterator[Moved]:
    """Yield the calls of some code that newer versions do not understand, each in as many lines as it had.

    Parameters
    ----------
    code : str
        Code of Python.
    numpy, pandas : bool
        Whether the document imports these.
    """
    tree = parsed(code)
    for node in ast.walk(tree) if tree is not None else ():
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        other = (numpy and _of_numpy(node, node.func)) or (pandas and _of_pandas(node, node.func))
        if other and node.end_lineno and node.end_col_offset is not None:
            start = _place(code, node.lineno, node.col_offset)
            end = _place(code, node.end_lineno, node.end_col_offset)
            lines = "\n" * code.count("\n", start, end)
            yield Moved(start, end, f"{ast.unparse(other)[:-1]}{lines})")


def _of_numpy(call: ast.Call, function: ast.Attribute) -> ast.Call | None:
    if not (isinstance(function.value, ast.Name) and function.value.id in ("np", "numpy")):
        return None
    names = [keyword.arg for keyword in call.keywords]
    order = _POSITIONAL.get(function.attr, ())
    here = order[len(call.args) :]
    if here and names[: len(here)] == list(here):
        given = [*call.args, *(keyword.value for keyword in call.keywords[: len(here)])]
        return ast.Call(function, given, call.keywords[len(here) :])
    renamed = {
        name: _RENAMED[function.attr, name] for name in names if name and (function.attr, name) in _RENAMED
    }
    if not renamed:
        return None
    keywords = [ast.keyword(renamed.get(one.arg or "", one.arg), one.value) for one in call.keywords]
    return ast.Call(function, call.args, keywords)


def _of_pandas(call: ast.Call, function: ast.Attribute) -> ast.Call | None:
    names = {keyword.arg: keyword.value for keyword in call.keywords}
    if function.attr == "fillna" and not call.args and "value" not in names:
        method = names.get("method")
        fills = _FILLS.get(str(method.value)) if isinstance(method, ast.Constant) else None
        rest = [keyword for keyword in call.keywords if keyword.arg != "method"]
        return ast.Call(ast.Attribute(function.value, fills), [], rest) if fills else None
    if function.attr == "groupby" and isinstance(names.get("axis"), ast.Constant):
        rest = [keyword for keyword in call.keywords if keyword.arg != "axis"]
        axis = names["axis"]
        return ast.Call(function, call.args, rest) if getattr(axis, "value", None) in (0, "index") else None
    place, name = _NAMED.get(function.attr, (0, ""))
    module = isinstance(function.value, ast.Name) and function.value.id in ("np", "numpy", "torch")
    if not name or module or len(call.args) != place + 1 or not isinstance(call.args[-1], ast.Constant):
        return None
    if call.args[-1].value not in (0, 1) or isinstance(call.args[-1].value, bool) or name in names:
        return None
    return ast.Call(function, call.args[:-1], [ast.keyword(name, call.args[-1]), *call.keywords])


def _place(code: str, line: int, column: int) -> int:
    """Where a place of Python's grammar is in a text; columns are counted in bytes."""
    lines = code.split("\n")
    before = sum(len(text) + 1 for text in lines[: line - 1])
    return before + len(lines[line - 1].encode()[:column].decode())
