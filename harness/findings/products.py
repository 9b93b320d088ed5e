"""Products of matrices in code: where both factors stand, so that each can be measured."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

import msgspec

from harness.findings.around import blanked
from harness.sessions.statements import NOT_PARSED

_MODULES = frozenset({"np", "numpy", "torch", "jnp", "cp", "tf", "linalg", "F"})
_FUNCTIONS = frozenset({"dot", "matmul", "mm", "bmm"})
_TRANSPOSING = re.compile(
    r"(?:[\w.]+\.)?(?:t|transpose|adjoint|permutedims|aperm|swapaxes)\s*\(|.*(?:'|\.m?T|\.t\(\))$", re.DOTALL
)
_OPERATOR = {"r": re.compile(r"%\*%"), "julia": re.compile(r"(?<![.*\\^])\*(?![*=])")}
_NAME = {"r": re.compile(r"[A-Za-z.][\w.]*"), "julia": re.compile(r"[^\W\d][\w!₀-₉]*")}


class Factor(msgspec.Struct, frozen=True):
    """An operand, from one place in its code to another.

    Attributes
    ----------
    start, end : int
        Places in the code.
    text : str
        What stands there.
    """

    start: int
    end: int
    text: str

    @property
    def transposed(self) -> bool:
        """Whether it is another matrix turned over: what its text normalises is the other way round."""
        return _TRANSPOSING.match(self.text) is not None


class Product(msgspec.Struct, frozen=True):
    """A product of two factors; ``row`` is its line in the code, counted from 1."""

    row: int
    left: Factor
    right: Factor


def products(code: str, language: str) -> list[Product]:
    """Return the products of two operands in code; none where it cannot be read.

    Parameters
    ----------
    code, language : str
        Whole statements of ``python``, ``r`` or ``julia``. In Julia, numbers are multiplied alike.
    """
    return list(_of_python(code) if language == "python" else _of_text(code, language))


def measured(code: str, given: Iterable[tuple[str, Factor]], function: str) -> str:
    """Return code in which factors are handed, with a text for each, to a function that returns them."""
    marks: list[tuple[int, int, str]] = []
    for key, factor in given:
        # Of two that begin at one place the longer one is outside.
        marks += [(factor.start, -factor.end, f'{function}("{key}", '), (factor.end, 0, ")")]
    for place, _, text in sorted(marks, key=lambda mark: (mark[0], mark[1]), reverse=True):
        code = code[:place] + text + code[place:]
    return code


def _of_python(code: str) -> Iterator[Product]:
    try:
        tree = ast.parse(code)
    except NOT_PARSED:
        return
    starts = [0]
    for line in code.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    lines = code.split("\n")

    def place(row: int, column: int) -> int:
        return starts[row - 1] + len(lines[row - 1].encode()[:column].decode(errors="ignore"))

    def factor(node: ast.expr) -> Factor:
        start = place(node.lineno, node.col_offset)
        end = place(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
        return Factor(start, end, code[start:end])

    for node in ast.walk(tree):
        match node:
            case ast.BinOp(op=ast.MatMult(), left=left, right=right):
                pass
            case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name), args=[left, right]) if (
                module in _MODULES and name in _FUNCTIONS
            ):
                pass
            case ast.Call(func=ast.Attribute(value=left, attr=name), args=[right]) if name in _FUNCTIONS:
                if isinstance(left, ast.Name) and left.id in _MODULES:
                    continue
            case _:
                continue
        if not isinstance(right, ast.Starred):
            yield Product(node.lineno, factor(left), factor(right))


def _of_text(code: str, language: str) -> Iterator[Product]:
    text = blanked(code, language)
    for match in _OPERATOR[language].finditer(text):
        left = _before(text, match.start(), language)
        right = _behind(text, match.end(), language)
        if left is not None and right is not None:
            yield Product(text.count("\n", 0, match.start()) + 1, left, right)


def _before(text: str, end: int, language: str) -> Factor | None:
    """The name, call or expression in brackets that ends before a place."""
    end = len(text[:end].rstrip(" \t"))
    start = end
    if text[start - 1 : start] in (")", "'"):
        turned = text[start - 1] == "'"
        start -= turned
        if text[start - 1 : start] == ")":
            depth = 0
            while start > 0:
                start -= 1
                depth += (text[start] == ")") - (text[start] == "(")
                if not depth:
                    break
    name = re.search(rf"(?:{_NAME[language].pattern})$", text[:start])
    start = name.start() if name is not None else start
    if start == end or (name is not None and name[0] in ("if", "while", "for", "return", "in", "function")):
        return None
    # A part of something larger, which is not read here.
    if re.search(r"[\w.$@:^'!]$", text[:start]):
        return None
    return Factor(start, end, text[start:end])


def _behind(text: str, start: int, language: str) -> Factor | None:
    """The name or call that begins behind a place, with the brackets behind it."""
    start += len(text[start:]) - len(text[start:].lstrip(" \t"))
    name = _NAME[language].match(text, start)
    if name is None and text[start : start + 1] != "(":
        return None
    end = name.end() if name is not None else start
    while text[end : end + 1] in ("(", "["):
        depth = 0
        for place in range(end, len(text)):
            depth += (text[place] in "([") - (text[place] in ")]")
            if not depth:
                break
        else:
            return None
        end = place + 1
    if language == "julia" and text[end : end + 1] == "'":
        end += 1
    if text[end : end + 1] and text[end] in "^.$@'":
        return None
    return Factor(start, end, text[start:end])
