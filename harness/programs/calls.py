"""Small changes of the calls of a line: named arguments, and functions that are put around something."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from harness.programs.operands import POWER, TABLES, Edit, Operands

_TAKEN_OFF = frozenset(TABLES["taken_off"])
_PUT_ON: Mapping[str, Sequence[str]] = TABLES["put_on"]
_ARGUMENTS: Mapping[str, Mapping[str, str]] = TABLES["arguments"]


_HALVED = frozenset({"floor", "int", "trunc"})
"""Functions that cut off what people round by adding a half."""
_ANGLES = {"python": ("arctan", "arctan2"), "r": ("atan", "atan2"), "julia": ("atan", "atan")}
"""The angle of a quotient, and of a point."""
_TEXTS = tuple(tuple(texts.split()) for texts in TABLES["alike_texts"])
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
    yield from _of_angles(line)
    yield from _of_squares(line)
    yield from _of_texts(line)
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


def _of_texts(line: Operands) -> Iterator[Edit]:
    """Another of the words that an argument can be."""
    for _, one in line.own():
        if one.kind == "text":
            quote, word = one.text[-1], one.text[1:-1]
            for other in dict.fromkeys(text for group in _TEXTS if word in group for text in group):
                if other != word:
                    yield line.edit(one.start, one.end, quote + other + quote, "function")


def _of_angles(line: Operands) -> Iterator[Edit]:
    """The angle of a point for that of a quotient, which knows two quadrants, and the other way."""
    of_quotient, of_point = _ANGLES[line.language]
    for n, name in line.called():
        end = line.closing(n + 1)
        first = line.operand_after(n + 1)
        if end is None or first is None or name.replace("math.", "") not in (of_quotient, of_point):
            continue
        head = line.at(n).removesuffix(name)
        second = line.operand_after(first + 1)
        if second != end - 1:
            continue
        start, stop = line.tokens[n].start, line.tokens[end].end
        bracket, sign = line.line[line.tokens[n].end : line.tokens[n + 1].end], line.at(first + 1)
        parts = [
            line.line[line.tokens[n + 2].start : line.tokens[first].end],
            line.line[line.tokens[first + 2].start : line.tokens[second].end],
        ]
        if sign in ("/", "./") and name == of_quotient:
            yield line.edit(start, stop, f"{head}{of_point}{bracket}{', '.join(parts)})", "angle")
        if sign == "," and name == of_point:
            divided = " ./ " if bracket.startswith(".") else " / "
            yield line.edit(start, stop, f"{head}{of_quotient}{bracket}{divided.join(parts)})", "angle")


def _of_squares(line: Operands) -> Iterator[Edit]:
    """A square for an absolute value, and the other way; a half more in what is cut off."""
    power = POWER[line.language]
    for n, name in line.called():
        end = line.closing(n + 1)
        if end is None:
            continue
        inside = line.line[line.tokens[n + 1].end : line.tokens[end].start]
        dot = "." if line.line[line.tokens[n + 1].start] == "." else ""
        if name in ("abs", "fabs", "absolute"):
            start, stop = line.tokens[n].start, line.tokens[end].end
            yield line.edit(start, stop, f"({inside}) {dot}{power} 2", "squared")
        if name in _HALVED and "," not in inside:
            at = line.tokens[end].start
            yield line.edit(at, at, f" {dot}+ 0.5", "half")
    for n, one in line.own():
        if one.text in (power, f".{power}") and line.at(n + 1) == "2" and n:
            # What stands before a power is an operand without one.
            begun = line.operand_before(n)
            if begun is not None and not line.line[begun].isdigit():
                text, dot = line.line[begun : line.tokens[n - 1].end], one.text[: -len(power)]
                module = "np." if line.language == "python" and "np." in line.line else ""
                yield line.edit(begun, line.tokens[n + 1].end, f"{module}abs{dot}({text})", "absolute")


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
