"""Entries of Python's prompt that go on in lines without ``...``: which lines below are code."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Sequence

import msgspec

from harness.sessions.statements import NOT_PARSED

_MORE = re.compile(r"\.\.\.(?: |$)")
_PROMPT = 4
"""Columns that a prompt takes; editors indent what stands below it by as many more."""
_FAILS = re.compile(r"\b\w*Error\b|Traceback")
_BODY = f"\n{' ' * 200}pass\n"
_OF_A_COMPOUND = re.compile(r"(?:elif|else|except|finally)\b.*:\s*(?:#.*)?$")


class Continued(msgspec.Struct, frozen=True):
    """What follows an entry: its further lines of code, and why what it does cannot be told, if so."""

    lines: tuple[str, ...] = ()
    why: str = ""


def continued(code: str, below: Sequence[str]) -> Continued:
    """Say how many of the lines below an entry are its code.

    Parameters
    ----------
    code : str
        What stands behind the prompts, ``>>>`` and ``...``.
    below : sequence of str
        The lines down to the next ``>>>``.

    Returns
    -------
    Continued
        Nothing where the entry is complete as it stands, or the document shows that it fails.
    """
    if is_python(code):
        return Continued()
    opens = is_python(code.rstrip() + _BODY)
    run = _body(code, below) if opens else tuple(below)
    sizes = range(len(run), 0, -1) if opens else range(1, len(run) + 1)
    for size in sizes:
        for lines in _readings(run[:size]):
            if is_python("\n".join((code, *lines))):
                rest = run[size:] if opens else ()
                left = any(line.strip() for line in rest)
                return Continued(lines, "where the code ends and its output begins cannot be told" * left)
    if any(map(_FAILS.search, below)):
        return Continued()
    if opens and not run:
        return Continued(why="what stands below it is left to the reader")
    if opens or (_begins(code) and any(line[:1] in " \t" for line in below if line.strip())):
        return Continued(why="where the code ends and its output begins cannot be told")
    return Continued()


def parsed(code: str) -> ast.Module | None:
    """Return the syntax of a text in Python; None where it is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(code)
    except NOT_PARSED:
        return None


def is_python(code: str) -> bool:
    """Say whether a text is Python as it stands."""
    return parsed(code) is not None


def _body(code: str, below: Sequence[str]) -> tuple[str, ...]:
    """The lines that may be a body: those that are indented, of a function or class past blank ones too."""
    past_blanks = re.search(r"(?m)^\s*(?:async\s+)?(?:def|class)\b", code) is not None
    size = 0
    for place, line in enumerate(below):
        indented = line[:1] in (" ", "\t") and line.strip() != ""
        if indented or _MORE.match(line) or (size and _OF_A_COMPOUND.match(line)):
            size = place + 1
        elif line.strip() or not (past_blanks and size):
            break
    return tuple(below[:size])


def _readings(lines: Sequence[str]) -> list[tuple[str, ...]]:
    """The lines without ``...``: as they stand, and without the columns that the prompt takes."""
    plain = tuple(_MORE.sub("", line, count=1) for line in lines)
    if not all(line[:_PROMPT].isspace() or not line.strip() or _MORE.match(line) for line in lines):
        return [plain]
    moved = tuple(
        text if _MORE.match(line) else text[_PROMPT:] for line, text in zip(lines, plain, strict=True)
    )
    return [plain, moved]


def _begins(code: str) -> bool:
    """Whether code has a bracket or a text that is still open at its end."""
    try:
        ast.parse(code)
    except SyntaxError as error:
        return "was never closed" in error.msg or "unterminated" in error.msg or "EOF" in error.msg
    except NOT_PARSED:
        return False
    return False
