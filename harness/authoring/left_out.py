"""Which statements of a program a copy leaves out: those that run it, not those that it is made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from harness.sessions.statements import Statement, text_of

_SETTING = re.compile(
    r"seed\(|set_printoptions|seterr|path\.(insert|append)\(|options\(|set_default_dtype|setwd\(|^\s*(\"|'|r\"|#=)"
)
"""What changes how functions work, or is a text that says what the file is."""


def inner_names(statements: Sequence[Statement]) -> frozenset[str]:
    """Names that functions read from outside of themselves."""
    return frozenset(name for each in statements for name in each.inner)


def behind(statements: Sequence[Statement], names: Iterable[str]) -> frozenset[str]:
    """These names, and those from which statements outside of functions make them."""
    found = frozenset(names)
    while more := {
        name
        for each in statements
        if each.kind == "other" and each.sets & found
        for name in each.reads - found
    }:
        found |= more
    return found


def left_out(text: str, statements: Sequence[Statement]) -> tuple[tuple[int, int], ...]:
    """First and last lines of the statements that no function needs."""
    kept = [each for each in statements if each.kind != "other" or _SETTING.search(text_of(text, each))]
    needed = {name for each in kept for name in each.inner | each.reads}
    others = [each for each in statements if each not in kept]
    while found := [each for each in others if each.sets & needed]:
        kept += found
        needed |= {name for each in found for name in each.inner | each.reads}
        others = [each for each in others if each not in found]
    lines = {line for each in kept for line in range(each.line, each.end_line + 1)}
    return tuple(
        (each.line, each.end_line) for each in others if not lines & set(range(each.line, each.end_line + 1))
    )


def without(text: str, gone: Sequence[tuple[int, int]]) -> str:
    """The text with these lines as comments; every other line keeps its number."""
    lines = text.split("\n")
    for first, last in gone:
        for at in range(first - 1, min(last, len(lines))):
            lines[at] = f"# {lines[at]}".rstrip()
    return "\n".join(lines)
