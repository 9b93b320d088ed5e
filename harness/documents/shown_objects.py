"""Objects as Python writes them, in comments: ``Point(x=1, y=2)``, perhaps behind words that are printed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from harness.documents.continued import parsed
from harness.documents.values_below import is_prose

_OBJECT = re.compile(r"(?:[a-z]\w*\.){0,2}_?[A-Z]\w*[a-z]\w*\(.*\)", re.DOTALL)
"""The names of orders and distributions, such as O(1), are letters alone."""
_EXPLAINED = re.compile(r"(?P<value>.*?\))(?: *： *| *: +)\S.*")
"""An object with what explains it, behind a colon."""
_LAYERS = re.compile(r"[A-Z]\w*\(\n(?:  +\(\w+\): .*\n|  +\)\n)*\)")
"""A module of PyTorch with its parts, one a line."""
_VALUES = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp, ast.unaryop, ast.expr_context)
_CALLED = (ast.Call, ast.keyword, ast.Name, ast.Attribute)
_OPEN, _CLOSED = "([{", ")]}"


def object_in(text: str) -> str:
    """Return the object that a remark is, without what explains it; empty where it is something else.

    Parameters
    ----------
    text : str
        A remark of one line, or of several.
    """
    explained = _EXPLAINED.fullmatch(text)
    for said in (text, explained["value"] if explained is not None else ""):
        if _OBJECT.fullmatch(said) and _is_written(said):
            return said
    return ""


def ends_with_object(text: str) -> bool:
    """Whether an object stands at the end of a remark, behind other words."""
    starts = (found.end() for found in re.finditer(r"\S\s+(?=[\w.]+\()", text))
    return any(object_in(text[start:]) == text[start:] for start in starts)


def object_below(lines: Sequence[str], number: int, last: int = 0) -> list[str]:
    """Return the object that comments right below a line are, where that line only shows a value.

    Parameters
    ----------
    lines : sequence of str
        Those of the code. What stands below a call may be another call that is commented out.
    number : int
        The line of the first comment, counted from 1.
    last : int
        The last line of code above it, where that is not the one right above.
    """
    last = last or number - 1
    if last < 1 or not _only_shows(lines[last - 1]):
        return []
    found = _comments(lines, number)
    whole = "\n".join(found)
    if len(found) == 1 and (said := object_in(whole.strip())):
        return [said]
    return found if _LAYERS.fullmatch(whole) else []


def led_below(lines: Sequence[str], number: int) -> list[str] | None:
    """Return the comments below a call of ``print`` that begin with the words that it prints first.

    Parameters
    ----------
    lines : sequence of str
        Those of the code.
    number : int
        The line of the first comment, counted from 1.

    Returns
    -------
    list of str, or None
        Empty where they do not; None where they do, and which of them are printed cannot be told.
    """
    words = _first_words(lines[number - 2]) if number > 1 else ""
    found = _comments(lines, number)
    if not words or not found[0].startswith(f"{words} ") or not found[0][len(words) :].strip():
        return []
    count = next((n for n, _ in enumerate(found, 1) if _closed("\n".join(found[:n]))), len(found))
    if not _closed("\n".join(found[:count])):
        return None
    return found[:count] if all(map(is_prose, found[count:])) else None


def _comments(lines: Sequence[str], number: int) -> list[str]:
    margin = lines[number - 1][: len(lines[number - 1]) - len(lines[number - 1].lstrip())]
    found = []
    for line in lines[number - 1 :]:
        if not line.startswith(f"{margin}#"):
            break
        found.append(line.strip()[1:].removeprefix(" ").rstrip())
    return found


def _is_written(text: str) -> bool:
    """Whether a text is a call of names with nothing but values in it."""
    tree = parsed(text)
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return False
    call = tree.body[0].value
    return isinstance(call, ast.Call) and all(_names_nothing(part) for part in _arguments(call))


def _arguments(call: ast.Call) -> Iterator[ast.expr]:
    yield from call.args
    yield from (keyword.value for keyword in call.keywords)


def _names_nothing(value: ast.expr) -> bool:
    """Whether a value is written out: names stand only where an object inside is called."""
    called = {
        id(name) for part in ast.walk(value) if isinstance(part, ast.Call) for name in ast.walk(part.func)
    }
    return all(
        isinstance(part, _VALUES)
        or (isinstance(part, _CALLED) and (id(part) in called or isinstance(part, ast.Call | ast.keyword)))
        for part in ast.walk(value)
    )


def _only_shows(line: str) -> bool:
    """Whether a line is a name, an attribute or an item, or a call of ``print``."""
    tree = parsed(line.strip())
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        return False
    shown = tree.body[0].value
    return isinstance(shown, ast.Name | ast.Attribute | ast.Subscript) or _prints(shown)


def _prints(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"


def _first_words(line: str) -> str:
    """The text that a call of ``print`` on a line begins with, where more stands behind it."""
    tree = parsed(line.strip())
    node = tree.body[0] if tree is not None and len(tree.body) == 1 else None
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not _prints(call) or len(call.args) < 2 or call.keywords:
        return ""
    first = call.args[0]
    said = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
    return said if re.search(r"\w", said) and said == said.strip() and "\n" not in said else ""


def _closed(text: str) -> bool:
    return all(text.count(a) == text.count(b) for a, b in zip(_OPEN, _CLOSED, strict=True))
