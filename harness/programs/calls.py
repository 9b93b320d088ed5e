"""Small changes of the calls of a line: named arguments, and functions that are put around something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from harness.programs.operands import TABLES, Edit, Operands

_TAKEN_OFF = frozenset(TABLES["taken_off"])
_PUT_ON: Mapping[str, Sequence[str]] = TABLES["put_on"]
_ARGUMENTS: Mapping[str, Mapping[str, str]] = TABLES["arguments"]


def of_calls(line: Operands, module: str) -> Iterator[Edit]:
    """The line with an argument or a function more, or without one.

    Parameters
    ----------
    line : Operands
        Of a program.
    module : str
        What stands before the name of a function of mathematics, in Python; empty where there is no such.
    """
    yield from _without_argument(line)
    yield from _with_argument(line)
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


def _with_argument(line: Operands) -> Iterator[Edit]:
    for n, name in line.called():
        end = _closing(line, n + 1)
        if end is None:
            continue
        inside = {line.at(k) for k in range(n + 2, end)}
        gap = ", " if inside else ""
        for more in _ARGUMENTS.get(line.language, {}).get(name, "").split(";"):
            if more and more.partition("=")[0].strip() not in inside:
                at = line.tokens[end].start
                yield line.edit(at, at, gap + more.strip(), "argument more")


def _closing(line: Operands, n: int) -> int | None:
    """Which token closes the brackets that one opens."""
    end = line.argument_end(n + 1)
    while end is not None and line.at(end) == ",":
        end = line.argument_end(end + 1)
    return end


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
