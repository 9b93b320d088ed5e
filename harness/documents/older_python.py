"""Code that Python 3 cannot read only for a few lines: Python 2's ``print x``, and magics of notebooks."""

from __future__ import annotations

import ast
import io
import re
import tokenize

from harness.sessions.statements import NOT_PARSED

_PRINT = re.compile(r"(?P<indent>\s*)print\b(?P<rest>[^(=].*|)")
_MAGIC = re.compile(r"(?P<indent>\s*)(?:%%?|!+)\s*[A-Za-z.].*")
_CAUGHT = re.compile(r"(?P<head>\s*except [\w.]+), ?(?P<name>\w+:.*)")
_MOST = 200
"""Lines that are looked at; each costs one more reading of the code."""


def readable(code: str) -> str:
    """Return code in which such lines are others of the same kind, so that its statements can be told.

    Parameters
    ----------
    code : str
        Code in Python, of any generation.

    Returns
    -------
    str
        As many lines, with the comments that they have; the code as it was where something else in it cannot
        be read. It is not for running: ``print x`` becomes a call that prints nothing of x.
    """
    lines = code.split("\n")
    for _ in range(_MOST):
        text = "\n".join(lines)
        try:
            ast.parse(text)
        except SyntaxError as error:
            place = (error.lineno or 0) - 1
            other = _other(lines[place]) if 0 <= place < len(lines) else None
            if other is None:
                return code
            lines[place] = other
        except NOT_PARSED:
            return code
        else:
            return text
    return code


def _other(line: str) -> str | None:
    """Return a line that Python 3 reads in place of another; None where it is none of the known ones."""
    if found := _PRINT.fullmatch(line):
        return f"{found['indent']}print()  {_comment(found['rest'])}".rstrip()
    if found := _MAGIC.fullmatch(line):
        return f"{found['indent']}pass"
    if found := _CAUGHT.fullmatch(line):
        return f"{found['head']} as {found['name']}"
    return None


def _comment(line: str) -> str:
    """Return the comment that a line ends with."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(line.strip()).readline):
            if token.type == tokenize.COMMENT:
                return token.string
    except (*NOT_PARSED, tokenize.TokenError):
        return ""
    return ""


def with_print_calls(code: str) -> str | None:
    """Return code whose ``print x`` are calls, so that Python 3 runs it.

    Parameters
    ----------
    code : str
        Code in Python.

    Returns
    -------
    str or None
        As many lines. None where nothing is to be changed, or where something else
        in it cannot be read.
    """
    lines, probe, changed = code.split("\n"), code.split("\n"), False
    for _ in range(_MOST):
        try:
            ast.parse("\n".join(probe))
        except SyntaxError as error:
            place = (error.lineno or 0) - 1
            if not 0 <= place < len(lines):
                return None
            if found := _MAGIC.fullmatch(probe[place]):
                probe[place] = f"{found['indent']}pass"
                continue
            called = _called(lines, place)
            if called is None:
                return None
            lines[place : place + len(called)] = probe[place : place + len(called)] = called
            changed = True
        except NOT_PARSED:
            return None
        else:
            return "\n".join(_ALONE.sub(r"\g<0>()", line) for line in lines) if changed else None
    return None


_ALONE = re.compile(r"^\s*print(?=\s*$)")
_STATEMENT = re.compile(r"(?P<head>\s*(?:[^#\"']*[:;]\s*)?)print\b\s*(?P<rest>.*)")


def _called(lines: list[str], place: int) -> list[str] | None:
    """Return the lines of a statement of Python 2 as those of one that Python 3 reads."""
    if caught := _CAUGHT.fullmatch(lines[place]):
        return [f"{caught['head']} as {caught['name']}"]
    found = _STATEMENT.fullmatch(lines[place])
    if found is None:
        return None
    for end in range(place + 1, min(len(lines), place + _LONGEST) + 1):
        last = found["rest"] if end == place + 1 else lines[end - 1]
        remark = _comment(last)
        last = last[: len(last) - len(remark)].rstrip() if remark else last.rstrip()
        stays = ', end=" "' if last.endswith(",") else ""
        middle = [found["rest"], *lines[place + 1 : end - 1]] if end > place + 1 else []
        given = [*middle, last.rstrip(",") if stays else last]
        try:
            ast.parse("f(" + "\n".join([*given[:-1], given[-1] + ")"]))
        except NOT_PARSED:
            continue
        except SyntaxError:
            continue
        given[-1] = f"{given[-1]}{stays}){'  ' + remark if remark else ''}"
        return [f"{found['head']}print({given[0]}", *given[1:]]
    return None


_LONGEST = 12
"""Lines of one such statement."""
