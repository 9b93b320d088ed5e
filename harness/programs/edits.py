"""Small changes of a line of a program, as people make them by mistake and to mend one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from harness.programs.code_tokens import Token, tokens_of_line, variables

_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_TABLES = tomllib.loads(Path(__file__).with_name("edits.toml").read_text(encoding="utf-8"))
_INSTEAD: Mapping[str, Sequence[str]] = _TABLES["instead"]
_ALIKE = tuple(tuple(names.split()) for names in _TABLES["alike"])
_BETWEEN, _TAKEN_OFF, _WORDS, _NEVER = (
    frozenset(_TABLES[name]) for name in ("between", "taken_off", "words", "never")
)
_POWER = {"python": "**", "r": "^", "julia": "^"}
_RANGES = frozenset({"range", "arange", "seq", "seq_len", "linspace"})
_NEAR = 12
"""Lines above and below, whose names may be meant."""
_MOST_NAMES = 12


class Edit(NamedTuple):
    """A line with one thing changed: the new text, and what stands there for what (either may be empty)."""

    text: str
    old: str
    new: str
    sort: str


def edits(language: str, lines: Sequence[str], number: int, numbers: Sequence[str] = ()) -> Iterator[Edit]:
    """Changes of one line, the likely ones first.

    Parameters
    ----------
    language : str
        Of the program.
    lines : sequence of str
        Of the program.
    number : int
        Of the line, from 1; one that writes, removes or starts something has none.
    numbers : sequence of str
        That the other program has and this one lacks.
    """
    line = lines[number - 1]
    made = _Line(language, line, _names(lines, number), numbers)
    seen = {"".join(line.split())}
    for edit in made.all():
        key = "".join(edit.text.split())
        if key not in seen:
            seen.add(key)
            yield edit


def _sort_of(old: str, new: str) -> str:
    if old[0] in "<>" and new[0] == old[0]:
        return "border"
    return "sign" if {old, new} <= {"+", "-", ".+", ".-", "+=", "-="} else "operator"


def _names(lines: Sequence[str], number: int) -> list[str]:
    """Names of variables that the lines around have, the nearest first."""
    found: dict[str, None] = {}
    for distance in range(_NEAR + 1):
        for at in {number - 1 - distance, number - 1 + distance}:
            if 0 <= at < len(lines):
                tokens = tokens_of_line(lines[at])
                found.update(dict.fromkeys(tokens[n].text for n in variables(tokens, _WORDS)))
    return [*found]


class _Line:
    def __init__(self, language: str, line: str, names: Sequence[str], numbers: Sequence[str]) -> None:
        self._language, self._line, self._names, self._lacking = language, line, names, numbers
        self._tokens = tokens_of_line(line)
        self._begin = self._assigned()

    def _assigned(self) -> int:
        """Where what is computed begins: behind the variable that it is assigned to."""
        depth = 0
        for n, one in enumerate(self._tokens):
            depth += (one.text in _OPEN) - (one.text in _CLOSE)
            if depth == 0 and one.text in ("<-", "=", "+=", "-=", "*=", "/=", ".=", ".+=", "return"):
                return n if one.text not in ("<-", "=", "return") else n + 1
        return 0

    def all(self) -> Iterator[Edit]:
        names = {one.text for one in self._tokens if one.kind == "name"}
        if _NEVER & (names | {name.rpartition(".")[2] for name in names}):
            return
        parts = (
            self._numbers, self._operators, self._functions, self._left_out, self._arguments,
            self._unwrapped, self._own_names, self._bounds, self._added, self._order, self._other_names,
        )  # fmt: skip
        for part in parts:
            yield from part()

    def _edit(self, start: int, end: int, new: str, sort: str) -> Edit:
        return Edit(self._line[:start] + new + self._line[end:], self._line[start:end], new, sort)

    def _own(self) -> list[tuple[int, Token]]:
        return [(n, one) for n, one in enumerate(self._tokens) if n >= self._begin]

    def _at(self, n: int) -> str:
        return self._tokens[n].text if 0 <= n < len(self._tokens) else ""

    def _numbers(self) -> Iterator[Edit]:
        for n, one in self._own():
            if one.kind != "number":
                continue
            for other in self._lacking:
                yield self._edit(one.start, one.end, other, "their number")
            if re.fullmatch(r"\d+L?", one.text):
                value = int(one.text.rstrip("L"))
                near = [value + 1, value - 1] if value else [1]
                for beside in near:
                    yield self._edit(one.start, one.end, str(beside), "number")
                if value == 1 and self._at(n - 1) != "-":
                    yield self._edit(one.start, one.end, "-1", "number")

    def _operators(self) -> Iterator[Edit]:
        for n, one in self._own():
            for other in _INSTEAD.get(one.text, ()):
                if one.text in ("+", "-") and not self._operand_before(n):
                    continue
                if one.kind == "operator":
                    yield self._edit(one.start, one.end, other, _sort_of(one.text, other))

    def _functions(self) -> Iterator[Edit]:
        for _, one in self._own():
            head, dot, last = one.text.rpartition(".")
            for group in _ALIKE:
                own = one.text if one.text in group else last
                if one.kind == "name" and own in group:
                    for other in group:
                        if other != own:
                            new = other if own == one.text else head + dot + other
                            yield self._edit(one.start, one.end, new, "function")

    # ---- operands ------------------------------------------------------------------------------------

    def _operand_before(self, n: int) -> int | None:
        """Where the operand begins that ends before a token; None where there is none."""
        k = n - 1
        if k < self._begin:
            return None
        if self._at(k) in _CLOSE or self._at(k) == "'":
            depth = 0
            while k >= self._begin:
                depth += (self._at(k) in _CLOSE) - (self._at(k) in _OPEN)
                if depth == 0:
                    break
                k -= 1
            if k < self._begin:
                return None
            while k - 1 >= self._begin and self._joined(k - 1) and self._tokens[k - 1].kind == "name":
                k -= 1
            return self._tokens[k].start
        return self._tokens[k].start if self._tokens[k].kind in ("name", "number") else None

    def _joined(self, k: int) -> bool:
        return self._tokens[k].end == self._tokens[k + 1].start

    def _operand_after(self, n: int) -> int | None:
        """At which token the operand ends that begins behind one; None where there is none."""
        k = n + 1
        if self._at(k) in ("-", "!"):
            k += 1
        if k >= len(self._tokens):
            return None
        if self._tokens[k].kind in ("name", "number"):
            k += 1
        elif self._at(k) not in _OPEN:
            return None
        while k < len(self._tokens) and (self._at(k) in _OPEN or self._at(k) in (".", "$")):
            if self._at(k) in _OPEN and k > n + 1 and self._tokens[k - 1].end != self._tokens[k].start:
                break
            if self._at(k) in (".", "$"):
                k += 2
                continue
            depth = 0
            while k < len(self._tokens):
                depth += (self._at(k) in _OPEN) - (self._at(k) in _CLOSE)
                k += 1
                if depth == 0:
                    break
            else:
                return None
        if self._at(k) in ("**", "^", ".^"):
            return self._operand_after(k)
        return k - 1

    def _left_out(self) -> Iterator[Edit]:
        """Without an operator and what is behind it, or before it."""
        for n, one in self._own():
            if one.kind != "operator" or one.text not in _BETWEEN:
                continue
            before, after = self._operand_before(n), self._operand_after(n)
            if before is None or after is None:
                continue
            yield self._edit(self._tokens[n - 1].end, self._tokens[after].end, "", "left out")
            if one.text in ("+", "*", "-", ".*", ".+", ".-"):
                sign = "-" if one.text.endswith("-") else ""
                yield self._edit(before, self._tokens[n + 1].start, sign, "left out")

    def _arguments(self) -> Iterator[Edit]:
        """Without a named argument, or another of an argument."""
        for n, one in self._own():
            if one.text in (",", "(") and self._at(n + 2) == "=" and (end := self._argument_end(n + 1)):
                last = self._tokens[end]
                if one.text == ",":
                    yield self._edit(one.start, last.start, "", "argument")
                else:
                    yield self._edit(one.end, last.end if last.text == "," else last.start, "", "argument")
            if one.kind == "name" and self._at(n + 1) == "(" and self._language == "python":
                name = one.text.rpartition(".")[2]
                if name in ("std", "var"):
                    more = "ddof=1" if self._at(n + 2) == ")" else "ddof=1, "
                    end = self._tokens[n + 1].end
                    yield self._edit(end, end, more, "argument")

    def _argument_end(self, n: int) -> int | None:
        """Which token ends an argument that begins at one: a comma or a bracket."""
        depth = 0
        for k in range(n, len(self._tokens)):
            depth += (self._at(k) in _OPEN) - (self._at(k) in _CLOSE)
            if depth < 0 or (depth == 0 and self._at(k) == ","):
                return k
        return None

    def _unwrapped(self) -> Iterator[Edit]:
        for n, one in self._own():
            if one.kind != "name" or self._at(n + 1) != "(":
                continue
            if one.text.rpartition(".")[2] in _TAKEN_OFF:
                yield self._edit(one.start, one.end, "", "unwrapped")

    def _own_names(self) -> Iterator[Edit]:
        own = {one.text: one.kind for one in self._own_variables()}
        for one in self._own_variables():
            for other, kind in own.items():
                if other != one.text and kind == one.kind:
                    yield self._edit(one.start, one.end, other, "own name")

    def _own_variables(self) -> list[Token]:
        return [self._tokens[n] for n in variables(self._tokens, _WORDS) if n >= self._begin]

    def _operands(self) -> Iterator[tuple[int, int]]:
        """Where each operand of an expression begins and ends."""
        for n, one in self._own():
            if one.kind in ("name", "number") and one.text not in _WORDS:
                end = self._operand_after(n - 1)
                if end is not None and self._at(n + 1) != "=":
                    yield one.start, self._tokens[end].end
            if one.text == "(" and not (n and self._tokens[n - 1].kind == "name"):
                end = self._operand_after(n - 1)
                if end is not None:
                    yield one.start, self._tokens[end].end

    def _bounds(self) -> Iterator[Edit]:
        """With a range that begins or ends one earlier or later."""
        for start, end in self._operands():
            n = next(n for n, one in enumerate(self._tokens) if one.start == start)
            last = next(n for n, one in enumerate(self._tokens) if one.end == end)
            around = self._at(n - 1), self._at(last + 1)
            if ":" in around or (set(around) & {"(", ","} and self._in_range(n)):
                for more in ("+ 1", "- 1"):
                    yield self._edit(start, end, f"({self._line[start:end]} {more})", "bound")

    def _in_range(self, n: int) -> bool:
        """Whether a token is in the brackets of a range."""
        depth = 0
        for k in range(n - 1, -1, -1):
            depth += (self._at(k) in _OPEN) - (self._at(k) in _CLOSE)
            if depth > 0:
                return self._at(k - 1).rpartition(".")[2] in _RANGES
        return False

    def _added(self) -> Iterator[Edit]:
        """With a small step more."""
        power = _POWER[self._language]
        for start, end in self._operands():
            text = self._line[start:end]
            yield self._edit(start, end, f"({text} - 1)", "less one")
            for more in (f"({text} + 1)", f"-{text}", f"2 * {text}", f"{text} / 2", f"{text} {power} 2"):
                yield self._edit(start, end, more, "added")

    def _order(self) -> Iterator[Edit]:
        """With two arguments or operands in the other order, or from the other end."""
        for n, one in self._own():
            if one.text == "," or (one.kind == "operator" and one.text in ("-", "/", "@", "%*%", "./", ".-")):
                before, after = self._operand_before(n), self._operand_after(n)
                if before is None or after is None:
                    continue
                first = self._line[before : self._tokens[n - 1].end]
                second = self._line[self._tokens[n + 1].start : self._tokens[after].end]
                gap = self._line[self._tokens[n - 1].end : self._tokens[n + 1].start]
                sort = "arguments" if one.text == "," else "operands"
                yield self._edit(before, self._tokens[after].end, second + gap + first, sort)
        if self._language == "python":
            for one in self._own_variables():
                yield self._edit(one.start, one.end, one.text + ".T", "transposed")
            for n, one in self._own():
                if one.kind == "name" and one.text.endswith(".T"):
                    yield self._edit(one.start, one.end, one.text.removesuffix(".T"), "transposed")
                if one.text == "." and self._at(n + 1) == "T":
                    yield self._edit(one.start, self._tokens[n + 1].end, "", "transposed")

    def _other_names(self) -> Iterator[Edit]:
        own = {one.text for one in self._own_variables()}
        for is_text in (True, False):
            others = [name for name in self._names if name not in own and (name[-1] in "\"'") == is_text]
            for other in others[:_MOST_NAMES]:
                for one in self._own_variables():
                    if (one.kind == "text") == is_text:
                        yield self._edit(one.start, one.end, other, "other name")
