"""The grammar of R: code as a tree, with the lines of its statements."""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from harness.findings.flow import NotRead

_TOKEN = re.compile(
    r"(?P<blank>[ \t\f\r\u00a0]+|\#[^\n]*)|(?P<newline>\n)"
    r"|(?P<string>[rR](?P<quote>[\"'])(?P<dashes>-*)(?:\((?:.|\n)*?\)(?P=dashes)(?P=quote)"
    r"|\[(?:.|\n)*?\](?P=dashes)(?P=quote)|\{(?:.|\n)*?\}(?P=dashes)(?P=quote))"
    r"|\"(?:\\.|[^\"\\]|\\\n)*\"|'(?:\\.|[^'\\]|\\\n)*')"
    r"|(?P<number>0[xX][\da-fA-F]+L?|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[Li]?)"
    r"|(?P<name>(?:[^\W\d_]|\.(?!\d))[\w.]*|_(?!\w)|`[^`\n]+`)"
    r"|(?P<op>->>|->|<<-|<-|:=|<=|>=|==|!=|&&|\|\|?>?|\|>|:::|::|%[^%\n]*%|\*\*|\[\[|[-+*/^<>=!&~?:$@(){}\[\],;\\])",
)
_BINARY = {
    "?": (1, 2), "<-": (10, 9), "<<-": (10, 9), ":=": (10, 9), "->": (11, 12), "->>": (11, 12), "=": (8, 7),
    "~": (13, 14), "||": (15, 16), "|": (15, 16), "&&": (17, 18), "&": (17, 18), "==": (21, 22),
    "!=": (21, 22), "<": (21, 22), ">": (21, 22), "<=": (21, 22), ">=": (21, 22), "+": (23, 24),
    "-": (23, 24), "*": (25, 26), "/": (25, 26), "|>": (27, 28), ":": (29, 30), "^": (34, 33), "**": (34, 33),
}  # fmt: skip
"""How tightly operators bind, to the left and to the right."""
_SPECIAL = (27, 28)
_UNARY = {"-": 31, "+": 31, "!": 19, "~": 14, "?": 2}
_POSTFIX = 40
_CLOSING = {"(": ")", "[": "]", "[[": "]"}
_CONSTANTS = frozenset({"TRUE", "FALSE", "NULL", "NA", "NaN", "Inf", "break", "next", "T", "F"})


class Node(msgspec.Struct, frozen=True):
    """An expression: a name, string, constant, call, index, member, function, loop, block or operator.

    ``text`` is the name or operator, ``parts`` are what it is made of, and ``names`` what these are called.
    """

    kind: str
    text: str = ""
    parts: tuple[Node, ...] = ()
    names: tuple[str, ...] = ()


class Statement(NamedTuple):
    """A top-level expression with its lines, counted from 1."""

    line: int
    end_line: int
    node: Node


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


def r_statements(code: str) -> list[Statement]:
    """Read code of R.

    Parameters
    ----------
    code : str
        Any number of whole statements.

    Raises
    ------
    NotRead
        It is none, or goes on behind its end.
    """
    try:
        return _Reader(_tokens(code)).statements()
    except RecursionError as error:
        raise NotRead from error


def _tokens(code: str) -> list[_Token]:
    found: list[_Token] = []
    at, line = 0, 1
    while at < len(code):
        match = _TOKEN.match(code, at)
        if match is None:
            raise NotRead(f"line {line}")
        kind = (
            match.lastgroup
            if match.lastgroup in ("blank", "newline", "string", "number", "name", "op")
            else ""
        )
        kind = kind or "string"
        text = match[0]
        if kind != "blank":
            found.append(_Token(kind, text, line))
        line += text.count("\n")
        at = match.end()
    found.append(_Token("end", "", line))
    return found


class _Reader:
    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens = tokens
        self.at = 0

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def take(self, text: str = "") -> _Token:
        token = self.next
        if token.kind == "end" or (text and token.text != text):
            raise NotRead(f"line {token.line}: {token.text!r} where {text!r} is wanted")
        self.at += 1
        return token

    def over_newlines(self) -> None:
        while self.next.kind == "newline":
            self.at += 1

    def statements(self) -> list[Statement]:
        found: list[Statement] = []
        while True:
            while self.next.kind == "newline" or self.next.text == ";":
                self.at += 1
            if self.next.kind == "end":
                return found
            line = self.next.line
            node = self.expression(0, inside=False)
            last = self.tokens[self.at - 1]
            found.append(Statement(line, last.line + last.text.count("\n"), node))
            if self.next.kind not in ("newline", "end") and self.next.text != ";":
                raise NotRead(f"line {self.next.line}: {self.next.text!r}")

    def expression(self, least: int, *, inside: bool) -> Node:
        """Read an expression; ``inside`` of brackets, it goes on over the end of a line."""
        if inside:
            self.over_newlines()
        left = self.first(inside=inside)
        while True:
            if inside:
                self.over_newlines()
            token = self.next
            if token.kind != "op":
                return left
            if token.text in _CLOSING or token.text in ("$", "@", "::", ":::"):
                left = self.behind(left, token, inside=inside)
                continue
            bound = _SPECIAL if token.text.startswith("%") else _BINARY.get(token.text)
            if bound is None or bound[0] < least:
                return left
            self.take()
            self.over_newlines()
            right = self.expression(bound[1], inside=inside)
            left = Node("operator", token.text, (left, right))

    def behind(self, left: Node, token: _Token, *, inside: bool) -> Node:
        self.take()
        if token.text in _CLOSING:
            names, parts = self.arguments(_CLOSING[token.text])
            if token.text == "[[":
                self.over_newlines()
                self.take("]")
            return Node("call" if token.text == "(" else "index", token.text, (left, *parts), names)
        self.over_newlines()
        if self.next.text == "(":
            self.take()
            part = self.expression(0, inside=True)
            self.over_newlines()
            self.take(")")
        else:
            part = self.atom(self.take())
        return Node("member", token.text, (left, part))

    def arguments(self, closing: str) -> tuple[tuple[str, ...], tuple[Node, ...]]:
        names: list[str] = []
        parts: list[Node] = []
        while True:
            self.over_newlines()
            if self.next.text == closing:
                self.take()
                return tuple(names), tuple(parts)
            if self.next.text == ",":
                self.take()
                continue
            name = ""
            if self.next.kind in ("name", "string"):
                ahead = self.at + 1
                while self.tokens[ahead].kind == "newline":
                    ahead += 1
                if self.tokens[ahead].text == "=":
                    name = _bare(self.take().text)
                    self.over_newlines()
                    self.take("=")
                    self.over_newlines()
                    if self.next.text in (",", closing):
                        continue
            parts.append(self.expression(0, inside=True))
            names.append(name)
            self.over_newlines()
            if self.next.text not in (",", closing):
                raise NotRead(f"line {self.next.line}: {self.next.text!r}")

    def first(self, *, inside: bool) -> Node:
        token = self.take()
        if token.kind == "newline":
            raise NotRead(f"line {token.line}: it goes on behind its end")
        if token.kind in ("string", "number"):
            return self.atom(token)
        if token.text in _UNARY and token.kind == "op":
            self.over_newlines()
            return Node("operator", token.text, (self.expression(_UNARY[token.text], inside=inside),))
        if token.text == "(":
            node = self.expression(0, inside=True)
            self.over_newlines()
            self.take(")")
            return Node("block", "(", (node,))
        if token.text == "{":
            return self.block()
        if token.text in ("function", "\\"):
            return self.function(inside=inside)
        if token.text == "if":
            return self.condition(inside=inside)
        if token.text in ("for", "while", "repeat"):
            return self.loop(token.text, inside=inside)
        if token.kind == "name":
            return self.atom(token)
        raise NotRead(f"line {token.line}: {token.text!r}")

    def atom(self, token: _Token) -> Node:
        if token.kind == "string":
            return Node("string", token.text)
        if token.kind == "number" or token.text in _CONSTANTS:
            return Node("constant", token.text)
        if token.kind == "name":
            return Node("name", _bare(token.text))
        raise NotRead(f"line {token.line}: {token.text!r}")

    def block(self) -> Node:
        parts: list[Node] = []
        while True:
            while self.next.kind == "newline" or self.next.text == ";":
                self.at += 1
            if self.next.text == "}":
                self.take()
                return Node("block", "{", tuple(parts))
            parts.append(self.expression(0, inside=False))
            self._else_below(parts)
            if self.next.kind != "newline" and self.next.text not in (";", "}"):
                raise NotRead(f"line {self.next.line}: {self.next.text!r}")

    def _else_below(self, parts: list[Node]) -> None:
        """Inside of braces, ``else`` may stand on a line of its own."""
        while parts[-1].kind == "if":
            ahead = self.at
            while self.tokens[ahead].kind == "newline":
                ahead += 1
            if self.tokens[ahead].text != "else":
                return
            self.at = ahead + 1
            self.over_newlines()
            other = self.expression(_BINARY["="][1], inside=False)
            parts[-1] = Node("other", "", (*parts[-1].parts, other))

    def function(self, *, inside: bool) -> Node:
        self.over_newlines()
        self.take("(")
        names: list[str] = []
        parts: list[Node] = []
        while True:
            self.over_newlines()
            token = self.take()
            if token.text == ")":
                break
            if token.text == ",":
                continue
            if token.kind != "name":
                raise NotRead(f"line {token.line}: {token.text!r}")
            names.append(_bare(token.text))
            self.over_newlines()
            if self.next.text == "=":
                self.take()
                parts.append(self.expression(_BINARY["="][0] + 1, inside=True))
        self.over_newlines()
        body = self.expression(_BINARY["="][1], inside=inside)
        return Node("function", "", (body, *parts), tuple(names))

    def condition(self, *, inside: bool) -> Node:
        parts = [self.bracketed()]
        self.over_newlines()
        parts.append(self.expression(_BINARY["="][1], inside=inside))
        ahead = self.at
        while inside and self.tokens[ahead].kind == "newline":
            ahead += 1
        if self.tokens[ahead].text != "else":
            return Node("if", "", tuple(parts))
        self.at = ahead + 1
        self.over_newlines()
        parts.append(self.expression(_BINARY["="][1], inside=inside))
        # What is nested ends with it: an else below belongs to nothing.
        return Node("other" if parts[-1].kind != "if" else "if", "", tuple(parts))

    def loop(self, word: str, *, inside: bool) -> Node:
        names: tuple[str, ...] = ()
        parts: list[Node] = []
        if word == "for":
            self.over_newlines()
            self.take("(")
            self.over_newlines()
            names = (_bare(self.take().text),)
            self.over_newlines()
            self.take("in")
            parts.append(self.expression(0, inside=True))
            self.over_newlines()
            self.take(")")
        elif word == "while":
            parts.append(self.bracketed())
        self.over_newlines()
        parts.append(self.expression(_BINARY["="][1], inside=inside))
        return Node("for", word, tuple(parts), names)

    def bracketed(self) -> Node:
        self.over_newlines()
        self.take("(")
        node = self.expression(0, inside=True)
        self.over_newlines()
        self.take(")")
        return node


def _bare(text: str) -> str:
    return text.strip("`\"'")
