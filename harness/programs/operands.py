"""A line of a program as its operands and arguments, of which one may be changed."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from harness.programs.code_tokens import Token, depths, tokens_of_line, variables

TABLES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("edits.toml").read_text(encoding="utf-8"))
POWER = {"python": "**", "r": "^", "julia": "^"}
_WORDS: Collection[str] = frozenset(TABLES["words"])
_ASSIGNS = frozenset({"<-", "=", "+=", "-=", "*=", "/=", ".=", ".+=", ".-=", ".*=", "./=", "return"})
_WITHIN = frozenset({"*", "/", "//", "%", "@", "%*%", ".*", "./", "÷", "⋅"})
"""Operators within a term."""
_POWERS = frozenset({"**", "^", ".^"})


class Edit(NamedTuple):
    """A line with one thing changed: the new text, and what stands there for what (either may be empty)."""

    text: str
    old: str
    new: str
    sort: str


class Operands:
    """The words of a line, and where its operands and arguments begin and end.

    Parameters
    ----------
    language : str
        Of the program.
    line : str
        The line.
    """

    def __init__(self, language: str, line: str) -> None:
        self.language, self.line = language, line
        self.tokens = tokens_of_line(line)
        self.depths = depths(self.tokens)
        self.begin = self._assigned()

    def _assigned(self) -> int:
        """Where what is computed begins: behind the variable that it is assigned to, or its index in it."""
        if self.at(0) in ("if", "while"):
            return 0
        inside: int | None = None
        for n, one in enumerate(self.tokens):
            if one.text == "[" and inside is None:
                inside = n + 1
            if self.depths[n] == 0 and one.text in _ASSIGNS:
                behind = n if one.text not in ("<-", "=", "return") else n + 1
                return behind if inside is None or one.text == "return" else inside
        return 0

    def at(self, n: int) -> str:
        """The text of a token; empty where there is none."""
        return self.tokens[n].text if 0 <= n < len(self.tokens) else ""

    def edit(self, start: int, end: int, new: str, sort: str) -> Edit:
        """The line with something else between two places."""
        return Edit(self.line[:start] + new + self.line[end:], self.line[start:end], new, sort)

    def own(self) -> list[tuple[int, Token]]:
        """The tokens of what is computed."""
        return [(n, one) for n, one in enumerate(self.tokens) if n >= self.begin]

    def variables(self) -> list[Token]:
        """The variables of what is computed."""
        return [self.tokens[n] for n in variables(self.tokens, _WORDS) if n >= self.begin]

    def called(self) -> list[tuple[int, str]]:
        """The functions that are called: which tokens, and the last parts of their names."""
        return [
            (n, one.text.rpartition(".")[2] if self.language != "r" else one.text)
            for n, one in self.own()
            if one.kind == "name" and self.at(n + 1) == "("
        ]

    def whole(self) -> Iterator[tuple[int, int]]:
        """Where all that is computed begins and ends, where it is assigned or returned."""
        if self.begin < len(self.tokens) and self.at(self.begin - 1) in ("=", "<-", "return"):
            yield self.tokens[self.begin].start, self.tokens[-1].end

    def operands(self) -> Iterator[tuple[int, int]]:
        """Where each operand of an expression begins and ends."""
        for n, one in self.own():
            # What stands last in Julia is written as a word.
            last = one.text == "end" and (":" in (self.at(n - 1), self.at(n + 1)) or self.at(n + 1) == "]")
            if one.kind in ("name", "number") and (last or one.text not in _WORDS):
                end = self.operand_after(n - 1)
                if end is not None and self.at(n + 1) != "=":
                    yield one.start, self.tokens[end].end
            if one.text == "(" and not (n and self.tokens[n - 1].kind == "name"):
                end = self.operand_after(n - 1)
                if end is not None:
                    yield one.start, self.tokens[end].end

    def dot(self, start: int, end: int) -> str:
        """A dot where an operator beside an operand takes each element, as Julia writes it."""
        first = next(n for n, one in enumerate(self.tokens) if one.start == start)
        last = next(n for n, one in enumerate(self.tokens) if one.end == end)
        beside = (self.tokens[n] for n in (first - 1, last + 1) if 0 <= n < len(self.tokens))
        return "." if any(one.kind == "operator" and one.text[0] == "." for one in beside) else ""

    def operand_before(self, n: int) -> int | None:
        """Where the operand begins that ends before a token; None where there is none."""
        k = n - 1
        while self.at(k) == "'":
            k -= 1
        if k < self.begin:
            return None
        if self.tokens[k].opens < 0:
            opening = (n for n in range(k, self.begin - 1, -1) if self.depths[n] == self.depths[k + 1])
            if (k := next(opening, -1)) < 0:
                return None
            while k - 1 >= self.begin and self._joined(k - 1) and self.tokens[k - 1].kind == "name":
                k -= 1
        elif self.tokens[k].kind not in ("name", "number"):
            return None
        k -= self._is_multiple(k - 1)
        if self.at(k - 1) in _POWERS:
            return self.operand_before(k - 1)
        return self.tokens[k].start

    def _joined(self, k: int) -> bool:
        return self.tokens[k].end == self.tokens[k + 1].start

    def _is_multiple(self, k: int) -> bool:
        """Whether a token is a number before what it multiplies, as in ``2x``."""
        if not (0 <= k < len(self.tokens) - 1) or self.tokens[k].kind != "number" or not self._joined(k):
            return False
        return self.tokens[k + 1].kind == "name" or self.at(k + 1) == "("

    def operand_after(self, n: int) -> int | None:
        """At which token the operand ends that begins behind one; None where there is none."""
        k = n + 1
        if self.at(k) in ("-", "!"):
            k += 1
        k += self._is_multiple(k)
        if k >= len(self.tokens):
            return None
        if self.tokens[k].kind in ("name", "number"):
            k += 1
        elif self.tokens[k].opens <= 0:
            return None
        while k < len(self.tokens) and (self.tokens[k].opens > 0 or self.at(k) in (".", "$", "'")):
            if self.tokens[k].opens > 0 and k > n + 1 and self.tokens[k - 1].end != self.tokens[k].start:
                break
            if self.at(k) in (".", "$"):
                k += 2
                continue
            if self.at(k) == "'":
                k += 1
                continue
            end = self.closing(k)
            if end is None:
                return None
            k = end + 1
        if self.at(k) in _POWERS:
            return self.operand_after(k)
        return k - 1 if k <= len(self.tokens) else None

    def term_after(self, n: int) -> int | None:
        """At which token the term ends that begins behind one: all that is multiplied or divided."""
        end = self.operand_after(n)
        while end is not None and self.at(end + 1) in _WITHIN and (more := self.operand_after(end + 1)):
            end = more
        return end

    def term_before(self, n: int) -> int | None:
        """Where the term begins that ends before a token."""
        start = self.operand_before(n)
        while start is not None:
            first = next(k for k, one in enumerate(self.tokens) if one.start == start)
            more = self.operand_before(first - 1) if self.at(first - 1) in _WITHIN else None
            if more is None:
                break
            start = more
        return start

    def closing(self, n: int) -> int | None:
        """Which token closes the brackets that one opens; None where the line ends before."""
        return next((k for k in range(n, len(self.tokens)) if self.depths[k + 1] == self.depths[n]), None)

    def argument_end(self, n: int) -> int | None:
        """Which token ends an argument that begins at one: a comma or a bracket."""
        for k in range(n, len(self.tokens)):
            more = self.depths[k + 1] - self.depths[n]
            if more < 0 or (more == 0 and self.at(k) == ","):
                return k
        return None
