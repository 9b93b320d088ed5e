"""Small changes of the calls of a line: named arguments, and functions that are put around something."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from harness.programs.operands import TABLES, Edit, Operands

_TAKEN_OFF = frozenset(TABLES["taken_off"])
_PUT_ON: Mapping[str, Sequence[str]] = TABLES["put_on"]
_ARGUMENTS: Mapping[str, Mapping[str, str]] = TABLES["arguments"]


_BASES = {"python": ("np.exp", "10 ** ("), "r": ("exp", "10^("), "julia": ("exp", "10 ^ (")}
"""The exponential, and a power of ten."""


@lru_cache(maxsize=2)
def arguments_of(language: str, lines: tuple[str, ...]) -> Mapping[str, Collection[str]]:
    """The named arguments with which a program calls each function.

    Parameters
    ----------
    language : str
        Of the program.
    lines : tuple of str
        Of the program.
    """
    found: dict[str, dict[str, None]] = {}
    for text in lines:
        line = Operands(language, text)
        for n, name in line.called():
            k: int | None = n + 1
            while k is not None and line.at(k) in ("(", ","):
                end = line.argument_end(k + 1)
                if end is not None and line.at(k + 2) == "=":
                    more = text[line.tokens[k + 1].start : line.tokens[end].start].strip()
                    found.setdefault(name, {})[more] = None
                k = end
    return found


def of_calls(line: Operands, module: str, arguments: Mapping[str, Collection[str]]) -> Iterator[Edit]:
    """The line with an argument or a function more, or without one.

    Parameters
    ----------
    line : Operands
        Of a program.
    module : str
        What stands before the name of a function of mathematics, in Python; empty where there is no such.
    arguments : mapping of str to collection of str
        From `arguments_of`.
    """
    yield from _without_argument(line)
    yield from _with_argument(line, arguments)
    yield from _to_another_base(line)
    for n, name in line.called():
        if name in _TAKEN_OFF:
            yield line.edit(line.tokens[n].start, line.tokens[n + 1].end - 1, "", "unwrapped")
    yield from _wrapped(line, module)


def _without_argument(line: Operands) -> Iterator[Edit]:
    for n, one in line.own():
        if one.text in (",", ";", "(") and line.at(n + 2) == "=" and (end := line.argument_end(n + 1)):
            last = line.tokens[end]
            if one.text == "(":
                yield line.edit(one.end, last.end if last.text == "," else last.start, "", "argument")
            else:
                yield line.edit(one.start, last.start, "", "argument")


def _with_argument(line: Operands, arguments: Mapping[str, Collection[str]]) -> Iterator[Edit]:
    """With one that is often forgotten, or that another call of the function has."""
    for n, name in line.called():
        end = line.closing(n + 1)
        if end is None:
            continue
        inside = {line.at(k) for k in range(n + 2, end)}
        gap = ", " if inside else ""
        known = _ARGUMENTS.get(line.language, {}).get(name, "").split(";")
        for more in (*known, *arguments.get(name, ())):
            if more and more.partition("=")[0].strip() not in inside:
                at = line.tokens[end].start
                yield line.edit(at, at, gap + more.strip(), "argument more")


def _to_another_base(line: Operands) -> Iterator[Edit]:
    """An exponential as a power of ten, and the other way."""
    name, power = _BASES[line.language]
    for n, one in line.own():
        if one.kind == "name" and one.text in (name, "math.exp") and line.at(n + 1) == "(":
            bracket = line.tokens[n + 1]
            new = power.replace("^", ".^") if line.line[bracket.start] == "." else power
            yield line.edit(one.start, bracket.end, new, "base")
        if one.text in ("10", "10.0") and line.at(n + 1) in ("**", "^", ".^") and line.at(n + 2) == "(":
            dot = "." if line.at(n + 1) == ".^" else ""
            yield line.edit(one.start, line.tokens[n + 2].end, f"{name}{dot}(", "base")


def _wrapped(line: Operands, module: str) -> Iterator[Edit]:
    """With a function of one argument around an operand, or around all."""
    before = module if line.language == "python" else ""
    whole = {*line.whole()}
    for start, end in (*whole, *line.operands()):
        text = line.line[start:end]
        if text[0].isdigit():
            continue
        sort = (
            ("copy wrapped" if text.isidentifier() else "all wrapped") if (start, end) in whole else "wrapped"
        )
        for name in _PUT_ON.get(line.language, ()):
            if line.language != "python" or module:
                yield line.edit(start, end, f"{before}{name}({text})", sort)
