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
