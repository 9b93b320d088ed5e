"""Small changes of a line of a program, as people make them by mistake and to mend one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from harness.programs.calls import arguments_of, of_calls
from harness.programs.code_tokens import Token, columns_of, tokens_of_line, unread, variables
from harness.programs.groups import of_groups, of_slices, of_targets
from harness.programs.operands import POWER, TABLES, Edit, Operands
from harness.programs.selections import of_selections
from harness.programs.together import of_all, of_all_calls, of_equal_operands, of_pairs

__all__ = ["Edit", "edits"]
_INSTEAD: Mapping[str, Sequence[str]] = TABLES["instead"]
_INSTEAD_IN: Mapping[str, Mapping[str, Sequence[str]]] = TABLES["instead_in"]
_ALIKE = tuple(
    (tuple(names.split()), sort)
    for table, sort in (("alike", "function"), ("alike_seldom", "seldom function"))
    for names in TABLES[table]
)
_COMPARISONS = frozenset({"<", "<=", ">", ">=", ".<", ".<=", ".>", ".>="})
_BETWEEN, _WORDS, _NEVER = (frozenset(TABLES[name]) for name in ("between", "words", "never"))
_REVERSED = {"r": "rev", "julia": "reverse"}
_ORDERED = frozenset({"-", "/", "@", "%*%", "./", ".-", "\\"})
"""Operators whose operands cannot be exchanged."""
_TERMS = frozenset({"+", "-", ".+", ".-"})
"""Operators between terms."""
_RANGES = frozenset({"range", "arange", "seq", "seq_len", "linspace"})
_DEFINES = re.compile(r"^\s*(?:def|function) +(\w+)\(|^\s*([\w.]+) *(?:<-|=) *function\b")
_NEAR = 12
"""Lines above and below, whose names may be meant."""
_MOST_NAMES = 12


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
    made = _Line(language, lines, number, numbers)
    seen = {"".join(made.line.split())}
    for edit in made.all():
        key = "".join(edit.text.split())
        if key not in seen:
            seen.add(key)
            yield edit


def _sort_of(old: str, new: str) -> str:
    if {old, new} <= _COMPARISONS:
        return "border" if old.rstrip("=") == new.rstrip("=") else "turned"
    return "sign" if {old, new} <= {"+", "-", ".+", ".-", "+=", "-="} else "operator"


class _Listing(NamedTuple):
    """What is the same for all lines of a program."""

    tokens: tuple[list[Token], ...]
    defined: frozenset[str]
    unread: Mapping[str, range]
    columns: Mapping[str, Mapping[str, None]]
    module: str


@lru_cache(maxsize=2)
def _listing(lines: tuple[str, ...]) -> _Listing:
    tokens = tuple(map(tokens_of_line, lines))
    columns: dict[str, dict[str, None]] = {}
    for of_line in tokens:
        for base, one in columns_of(of_line):
            columns.setdefault(base, {})[one.text] = None
    defined = frozenset(found[1] or found[2] for line in lines for found in _DEFINES.finditer(line))
    module = next((name for name in ("np.", "math.") if any(name in line for line in lines)), "")
    return _Listing(tokens, defined, unread(lines), columns, module)


def _names(listing: _Listing, number: int) -> list[str]:
    """Names of variables that the lines around have, the nearest first."""
    found: dict[str, None] = {}
    for distance in range(_NEAR + 1):
        for at in {number - 1 - distance, number - 1 + distance}:
            if 0 <= at < len(listing.tokens):
                tokens = listing.tokens[at]
                found.update(dict.fromkeys(tokens[n].text for n in variables(tokens, _WORDS)))
    return [*found]


class _Line(Operands):
    def __init__(self, language: str, lines: Sequence[str], number: int, numbers: Sequence[str]) -> None:
        super().__init__(language, lines[number - 1])
        listing = _listing(tuple(lines))
        self._names, self._lacking = _names(listing, number), numbers
        self._defined, self._columns, self._module = listing.defined, listing.columns, listing.module
        self._arguments = arguments_of(language, tuple(lines))
        self._forgotten = [name for name, where in listing.unread.items() if number in where]

    def all(self) -> Iterator[Edit]:
        if self._reaches_outside():
            return
        parts = (
            self._numbers, self._operators, self._functions, self._left_out, self._own_names,
            self._bounds, self._added, self._unread, self._like_another, self._order, self._reversed,
            self._other_columns, self._other_names,
        )  # fmt: skip
        for part in parts:
            yield from part()
        yield from of_groups(self)
        yield from of_targets(self)
        yield from of_slices(self)
        yield from of_calls(self, self._module, self._arguments)
        yield from of_pairs(self)
        yield from of_all_calls(self)
        yield from of_all(self)
        yield from of_equal_operands(self)
        yield from of_selections(self, self._names)

    def _reaches_outside(self) -> bool:
        """Whether it names a function that does; a column, or a function of one's own, may be called so."""
        bare = (one.text for n, one in enumerate(self.tokens) if self.at(n - 1) not in ("$", "."))
        called = (name for _, name in self.called())
        return bool(_NEVER & {*bare, *called} - self._defined)

    def _numbers(self) -> Iterator[Edit]:
        for n, one in self.own():
            if one.kind != "number":
                continue
            for other in self._lacking:
                yield self.edit(one.start, one.end, other, "their number")
            if re.fullmatch(r"\d+L?", one.text):
                value = int(one.text.rstrip("L"))
                near = (
                    [value + 1, value - 1, 2 * value, *([value // 2] if value > 2 else [])] if value else [1]
                )
                for beside in near:
                    yield self.edit(one.start, one.end, str(beside), "number")
                if value == 1 and self.at(n - 1) != "-":
                    yield self.edit(one.start, one.end, "-1", "number")

    def _operators(self) -> Iterator[Edit]:
        for n, one in self.own():
            others = (*_INSTEAD.get(one.text, ()), *_INSTEAD_IN.get(self.language, {}).get(one.text, ()))
            for other in others:
                if one.text in ("+", "-") and not self.operand_before(n):
                    continue
                if one.kind == "operator":
                    yield self.edit(one.start, one.end, other, _sort_of(one.text, other))

    def _functions(self) -> Iterator[Edit]:
        for _, one in self.own():
            head, dot, last = one.text.rpartition(".")
            for group, sort in _ALIKE:
                own = one.text if one.text in group else last
                if one.kind == "name" and own in group:
                    for other in group:
                        if other != own:
                            new = other if own == one.text else head + dot + other
                            yield self.edit(one.start, one.end, new, sort)

    def _left_out(self) -> Iterator[Edit]:
        """Without an operator and what is behind it, or before it."""
        for n, one in self.own():
            if one.kind != "operator" or one.text not in _BETWEEN:
                continue
            before, after = self.operand_before(n), self.operand_after(n)
            if before is None or after is None:
                continue
            sort = "factor left out" if one.text.lstrip(".") in ("*", "/") else "left out"
            yield self.edit(self.tokens[n - 1].end, self.tokens[after].end, "", sort)
            if one.text in _TERMS and (term := self.term_after(n)) not in (None, after):
                yield self.edit(self.tokens[n - 1].end, self.tokens[term].end, "", sort)
            if one.text in ("*", ".*"):
                yield self.edit(before, self.tokens[n + 1].start, "", "left out")
            elif one.text in _TERMS:
                sign = "-" if one.text.endswith("-") else ""
                yield self.edit(before, self.tokens[n + 1].start, sign, "first left out")

    def _own_names(self) -> Iterator[Edit]:
        own = {one.text: one.kind for one in self.variables()}
        for one in self.variables():
            for other, kind in own.items():
                if other != one.text and kind == one.kind:
                    yield self.edit(one.start, one.end, other, "own name")

    def _bounds(self) -> Iterator[Edit]:
        """With a range that begins or ends one earlier or later."""
        for start, end in self.operands():
            n = next(n for n, one in enumerate(self.tokens) if one.start == start)
            last = next(n for n, one in enumerate(self.tokens) if one.end == end)
            around = self.at(n - 1), self.at(last + 1)
            if ":" in around or (set(around) & {"(", ","} and self._in_range(n)):
                for more in ("+ 1", "- 1"):
                    yield self.edit(start, end, f"({self.line[start:end]} {more})", "bound")

    def _in_range(self, n: int) -> bool:
        """Whether a token is in the brackets of a range."""
        opened = next((k for k in range(n - 1, -1, -1) if self.depths[k] < self.depths[n]), 0)
        return self.at(opened - 1).rpartition(".")[2] in _RANGES

    def _added(self) -> Iterator[Edit]:
        """With a small step more."""
        power = POWER[self.language]
        for start, end in self.operands():
            text, dot = self.line[start:end], self.dot(start, end)
            if text[0].isdigit():
                continue
            yield self.edit(start, end, f"({text} {dot}- 1)", "less one")
            if text.isidentifier():
                yield self.edit(start, end, f"(1 {dot}- {text})", "to one")
            for more in (
                f"({text} {dot}+ 1)", f"-{text}", f"(2 * {text})", f"({text} / 2)", f"{text} {dot}{power} 2"
            ):  # fmt: skip
                yield self.edit(start, end, more, "added")

    def _unread(self) -> Iterator[Edit]:
        """With a variable that is set above and read nowhere, where an operand is without it."""
        for name in self._forgotten:
            for start, end in self.operands():
                text, dot = self.line[start:end], self.dot(start, end)
                for operator in ("*", "-", "+", "/"):
                    sort = "unread" if operator in "*-" else "unread added"
                    yield self.edit(start, end, f"({text} {dot}{operator} {name})", sort)
            for one in self.variables():
                yield self.edit(one.start, one.end, name, "unread")

    def _like_another(self) -> Iterator[Edit]:
        """With what is done to another operand in brackets, to one that stands in them alone, or to a sum."""
        more: dict[str, bool] = {}
        alone, sums = [], []
        for n, one in self.own():
            if one.text == "(" and (first := self.operand_after(n)) is not None:
                if self.at(first + 1) == ")":
                    alone.append(self.tokens[first].end)
                elif self.at(first + 1) in _BETWEEN and (last := self.operand_after(first + 1)) is not None:
                    more[self.line[self.tokens[first].end : self.tokens[last].end]] = (
                        self.at(first + 1) in _TERMS
                    )
                    sums += self._sum(n)
        for end in alone:
            for one_more in more:
                yield self.edit(end, end, one_more, "like another")
        for start, end in sums:
            for one_more, adds in more.items():
                if not adds:
                    yield self.edit(start, end, f"({self.line[start:end]}){one_more}", "like another")

    def _sum(self, n: int) -> list[tuple[int, int]]:
        """Where the sum begins and ends that is all that stands in a bracket."""
        end = self.closing(n)
        inside = [self.at(k) for k in range(n + 1, end or n) if self.depths[k] == self.depths[n + 1]]
        if end is None or "," in inside or not _TERMS & set(inside[1:]):
            return []
        return [(self.tokens[n].end, self.tokens[end].start)]

    def _reversed(self) -> Iterator[Edit]:
        """With a sequence from its end, or no more from it."""
        if self.language == "python":
            for one in self.variables():
                yield self.edit(one.end, one.end, "[::-1]", "reversed")
            if (at := self.line.find("[::-1]")) >= 0:
                yield self.edit(at, at + len("[::-1]"), "", "reversed")
        elif reverse := _REVERSED.get(self.language):
            for one in self.variables():
                yield self.edit(one.start, one.end, f"{reverse}({one.text})", "reversed")

    def _order(self) -> Iterator[Edit]:
        """With two arguments or operands in the other order, or from the other end."""
        for n, one in self.own():
            if one.text == "," or (one.kind == "operator" and (one.text in _ORDERED or self._of_matrices(n))):
                before, after = self.operand_before(n), self.operand_after(n)
                if before is None or after is None:
                    continue
                first = self.line[before : self.tokens[n - 1].end]
                second = self.line[self.tokens[n + 1].start : self.tokens[after].end]
                gap = self.line[self.tokens[n - 1].end : self.tokens[n + 1].start]
                sort = "arguments" if one.text == "," else "operands"
                yield self.edit(before, self.tokens[after].end, second + gap + first, sort)
                term = self.term_after(n) if one.text in _TERMS else None
                begin = self.term_before(n) if one.text in _TERMS else None
                if term is not None and begin is not None and (term, begin) != (after, before):
                    first = self.line[begin : self.tokens[n - 1].end]
                    second = self.line[self.tokens[n + 1].start : self.tokens[term].end]
                    yield self.edit(begin, self.tokens[term].end, second + gap + first, sort)
        yield from self._transposed()

    def _of_matrices(self, n: int) -> bool:
        """Whether a token multiplies matrices in Julia: one is transposed, or has a name of capitals."""
        before, after = self.operand_before(n), self.operand_after(n)
        if self.language != "julia" or self.at(n) != "*" or before is None or after is None:
            return False
        return self.at(n - 1) == "'" or self.at(after) == "'" or self.line[before].isupper()

    def _transposed(self) -> Iterator[Edit]:
        if self.language == "julia":
            for start, end in self.operands():
                if not self.line[start].isdigit():
                    more = "" if self.line[end - 1] == "'" else "'"
                    at = end if more else end - 1
                    yield self.edit(at, end, more, "transposed")
        if self.language == "python":
            for one in self.variables():
                yield self.edit(one.start, one.end, one.text + ".T", "transposed")
            for n, one in self.own():
                if one.kind == "name" and one.text.endswith(".T"):
                    yield self.edit(one.start, one.end, one.text.removesuffix(".T"), "transposed")
                if one.text == "." and self.at(n + 1) == "T":
                    yield self.edit(one.start, self.tokens[n + 1].end, "", "transposed")

    def _other_columns(self) -> Iterator[Edit]:
        """With another column of a table."""
        for base, one in columns_of(self.tokens):
            if one.start >= self.tokens[min(self.begin, len(self.tokens) - 1)].start:
                for other in self._columns.get(base, ()):
                    if other != one.text:
                        yield self.edit(one.start, one.end, other, "other column")

    def _other_names(self) -> Iterator[Edit]:
        own = {one.text for one in self.variables()}
        for is_text in (True, False):
            others = [name for name in self._names if name not in own and (name[-1] in "\"'") == is_text]
            for other in others[:_MOST_NAMES]:
                for one in self.variables():
                    if (one.kind == "text") == is_text:
                        yield self.edit(one.start, one.end, other, "other name")
                yield from self._everywhere(other, is_text)

    def _everywhere(self, other: str, is_text: bool) -> Iterator[Edit]:
        """With a name in the place of one that stands there twice or more."""
        places: dict[str, list[Token]] = {}
        for one in self.variables():
            if (one.kind == "text") == is_text:
                places.setdefault(one.text, []).append(one)
        for found in places.values():
            if len(found) > 1:
                between = [self.line[one.end : more.start] for one, more in pairwise(found)]
                text = other + "".join(gap + other for gap in between)
                yield self.edit(found[0].start, found[-1].end, text, "other name")
