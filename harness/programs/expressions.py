"""Expressions of Python, R and Julia as trees of one form, from the words of a line."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from harness.programs.code_tokens import Token, tokens_of_line

_BINARY = {
    operator: force
    for operators, force in (
        ("or || | .|", 1), ("and && & .&", 2), ("< <= > >= == != .< .<= .> .>= .== .!= ≤ ≥ ≠", 4),
        ("+ - .+ .-", 10), ("* / .* ./ // % @ ÷ ⋅", 11), ("%*% %% %/%", 12), ("** ^ .^", 16),
    )
    for operator in operators.split()
}  # fmt: skip
"""How tightly operators bind."""
_BITWISE = {"|": 7, "&": 9}
"""The same of Python, where it is otherwise."""
_RANGE = {"r": 13, "julia": 8}
_SAME = {
    "||": "or", "|": "or", ".|": "or", "&&": "and", "&": "and", ".&": "and", "≤": "<=", "≥": ">=",
    "≠": "!=", "÷": "//", "%/%": "//", "⋅": "@", "%*%": "@", "^": "**",
}  # fmt: skip
_POWER, _SIGN, _JUXTAPOSED = 16, 14, 12
_NO_NAMES = frozenset(
    {"for", "if", "else", "in", "lambda", "function", "end", "do", "is", "begin", "let", "while", "return"}
)


class Node(NamedTuple):
    """A part of an expression.

    ``sort`` is name, number, text, call, method, index, unary, binary, range, slice, list, tuple, named,
    choice, or none for what is left out; ``text`` is what it is called or written as.
    """

    sort: str
    text: str
    parts: tuple[Node, ...] = ()


NOTHING = Node("none", "")


class _Unread(Exception):
    """What is written there is no expression that is understood."""


def expression(language: str, text: str, modules: Collection[str] = ()) -> Node | None:
    """The tree of an expression; None where it is none that is understood.

    Parameters
    ----------
    language : str
        ``python``, ``r`` or ``julia``.
    text : str
        The expression.
    modules : collection of str
        Names that what stands before a dot may be without being a variable.
    """
    reader = _Reader(language, text, tokens_of_line(text), modules)
    try:
        node = reader.read(0)
    except (_Unread, RecursionError):
        return None
    return node if reader.at == len(reader.tokens) else None


class _Reader:
    def __init__(self, language: str, text: str, tokens: Sequence[Token], modules: Collection[str]) -> None:
        self.language, self.line, self.tokens, self.at = language, text, tokens, 0
        self._modules = modules
        self._in_index = 0

    def _text(self, ahead: int = 0) -> str:
        n = self.at + ahead
        return self.tokens[n].text if n < len(self.tokens) else ""

    def _joined(self) -> bool:
        """Whether the next word stands right behind the one before."""
        return self.tokens[self.at - 1].end == self.tokens[self.at].start

    def _take(self, text: str) -> None:
        if self._text() != text:
            raise _Unread(text)
        self.at += 1

    def read(self, least: float) -> Node:
        """What begins here and is bound at least so tightly."""
        left = self._first()
        while self.at < len(self.tokens):
            text = self._text()
            if text == "?" and self.language == "julia" and least <= 0:
                self.at += 1
                first = self.read(9)
                self._take(":")
                left = Node("choice", "", (left, first, self.read(0)))
                continue
            if text == "if" and self.language == "python" and least <= 0:
                self.at += 1
                test = self.read(1)
                self._take("else")
                left = Node("choice", "", (test, left, self.read(0)))
                continue
            if text == ":" and self.language in _RANGE:
                force = _RANGE[self.language]
                if force < least or (self._in_index and self._text(1) in ("]", ",")):
                    break
                self.at += 1
                left = Node("range", "", (left, self.read(force + 1)))
                continue
            force = _BINARY.get(text, 0)
            if self.language == "python":
                force = _BITWISE.get(text, force)
            if not force or force < least:
                break
            self.at += 1
            left = Node("binary", self._operator(text), (left, self.read(force + (force != _POWER))))
        return left

    def _operator(self, text: str) -> str:
        bare = text[1:] if text[0] == "." else text
        if bare == "*" and text == "*" and self.language == "julia":
            return "times"
        if bare == "%":
            return "rem" if self.language == "julia" else "%"
        return "%" if bare == "%%" else _SAME.get(bare, bare)

    def _first(self) -> Node:
        if self.at >= len(self.tokens):
            raise _Unread("end")
        one = self.tokens[self.at]
        if one.text in ("-", "+", "!", "not", ".!", ".-"):
            self.at += 1
            if one.text in ("!", "not", ".!"):
                return Node("unary", "not", (self.read(3 if one.text != ".!" else _SIGN),))
            inner = self.read(_SIGN)
            return inner if one.text == "+" else Node("unary", "-", (inner,))
        self.at += 1
        if one.kind == "number":
            node = Node("number", one.text.replace("_", "").rstrip("L"))
            after = self.tokens[self.at] if self.at < len(self.tokens) else None
            if self.language == "julia" and after and self._joined() and (
                after.text == "(" or (after.kind == "name" and after.text not in _NO_NAMES)
            ):  # fmt: skip
                return Node("binary", "*", (node, self.read(_JUXTAPOSED)))
            return node
        if one.kind == "text":
            return self._behind(Node("text", one.text))
        if one.kind == "name":
            if one.text in _NO_NAMES and not (one.text == "end" and self._in_index):
                raise _Unread(one.text)
            return self._behind(Node("name", one.text))
        if one.text == "(":
            parts, comma = self._items(")")
            if len(parts) == 1 and not comma:
                return self._behind(parts[0])
            return self._behind(Node("tuple", "", tuple(parts)))
        if one.text == "[":
            parts, _ = self._items("]")
            return self._behind(Node("list", "", tuple(parts)))
        raise _Unread(one.text)

    def _items(self, closing: str) -> tuple[list[Node], bool]:
        found: list[Node] = []
        comma = False
        kept, self._in_index = self._in_index, 0
        while self._text() != closing:
            found.append(self._item())
            if self._text() in (",", ";"):
                self.at += 1
                comma = True
            elif self._text() != closing:
                raise _Unread(self._text())
        self.at += 1
        self._in_index = kept
        return found, comma

    def _item(self) -> Node:
        if self.at < len(self.tokens) and self.tokens[self.at].kind == "name" and self._text(1) == "=":
            name = self._text()
            self.at += 2
            return Node("named", name, (self.read(0),))
        return self.read(0)

    def _indices(self, closing: str) -> list[Node]:
        found: list[Node] = []
        self._in_index += 1
        while True:
            found.append(self._index_item())
            if self._text() == ",":
                self.at += 1
                continue
            self._take(closing)
            self._in_index -= 1
            return found

    def _index_item(self) -> Node:
        if self._text() in (",", "]"):
            return NOTHING
        if self.at < len(self.tokens) and self.tokens[self.at].kind == "name" and self._text(1) == "=":
            return self._item()
        if self._text() == ":":
            self.at += 1
            last = NOTHING if self._text() in (",", "]", ":") else self.read(1)
            return self._stepped(Node("slice", "", (NOTHING, last)))
        first = self.read(1)
        if self._text() == ":":
            self.at += 1
            last = NOTHING if self._text() in (",", "]", ":") else self.read(1)
            return self._stepped(Node("slice", "", (first, last)))
        return first

    def _stepped(self, node: Node) -> Node:
        if self._text() == ":":
            raise _Unread("step")
        return NOTHING if node.parts == (NOTHING, NOTHING) else node

    def _behind(self, node: Node) -> Node:
        """With what is called, indexed, or taken of it."""
        while self.at < len(self.tokens):
            text = self._text()
            if text == "(" and self._joined():
                self.at += 1
                node = self._called(node, self._items(")")[0])
            elif text == "[" and self._joined():
                self.at += 1
                double = self.language == "r" and self._text() == "["
                self.at += double
                parts = self._indices("]")
                if double:
                    self._take("]")
                node = self._indexed(node, parts)
            elif text in (".", "$") and self._text(1) and self.tokens[self.at + 1].kind == "name":
                name = self._text(1)
                self.at += 2
                if node.sort == "name":
                    node = Node("name", node.text + text + name)
                elif text == "." and self._text() == "(":
                    node = Node("attribute", name, (node,))
                else:
                    raise _Unread(name)
            elif text == "'" and self.language == "julia" and self._joined():
                self.at += 1
                node = Node("call", "transpose", (node,))
            else:
                return node
        return node

    def _called(self, node: Node, parts: list[Node]) -> Node:
        if node.sort == "attribute":
            return Node("method", node.text, (*node.parts, *parts))
        if node.sort != "name":
            raise _Unread("call")
        head, _, last = node.text.rpartition(".")
        if self.language == "python" and head and head.partition(".")[0] not in self._modules:
            return Node("method", last, (Node("name", head), *parts))
        return Node("call", node.text, tuple(parts))

    def _indexed(self, node: Node, parts: list[Node]) -> Node:
        if node.sort == "name" and len(parts) == 1 and parts[0].sort == "text":
            return Node("name", f"{node.text}[{parts[0].text}]")
        return Node("index", "", (node, *parts))
