"""A program that is all in one function without arguments, as if the body stood at the top level."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from harness.sessions.statements import Statement

_CALL = re.compile(
    r"""^\s*(?:if\s+__name__\s*==\s*["']__main__["']\s*:\s*|if\s*\(\s*!?\s*(?:interactive\(\)|sys\.nframe\(\)\s*==\s*0L?)\s*\)\s*\{?\s*"""
    r"""|abspath\(PROGRAM_FILE\)\s*==\s*@__FILE__\s*&&\s*)?(?:sys\.exit\(|invisible\()?(?P<name>[^\W\d][\w.]*)\(\s*\)\)?\s*\}?\s*;?\s*$"""
)
_GUARD = re.compile(r"""^if\s+__name__\s*==\s*["']__main__["']\s*:\s*$""")
_HEADS = {
    "python": r"def\s+{name}\s*\(\s*\)\s*(->[^:]*)?:\s*$",
    "r": r"{name}\s*(<-|=)\s*function\s*\(\s*\)\s*\{{\s*$",
    "julia": r"function\s+{name}\s*\(\s*\)\s*$",
}
_ENDS = {"python": None, "r": "}", "julia": "end"}
_RETURN = re.compile(r"^\s*return\b")


def unfolded(text: str, statements: Sequence[Statement], language: str) -> tuple[str, str]:
    """The text with the body in the place of the function, on the same lines; and the function's name.

    The name is empty where there is no such function: the text is as it was then, but for Python's
    ``if __name__ == "__main__":``, which holds.
    """
    lines = text.split("\n")
    others = [each for each in statements if each.kind == "other"]
    last = others[-1] if others else None
    if last is None:
        return text, ""
    whole = "\n".join(lines[last.line - 1 : last.end_line])
    called = _CALL.match(" ".join(whole.split("\n")))
    if called is None:
        if language == "python" and _GUARD.match(lines[last.line - 1]):
            body = textwrap.dedent("\n".join(lines[last.line : last.end_line])).split("\n")
            return "\n".join([*lines[: last.line - 1], "", *body, *lines[last.end_line :]]), "__main__"
        return text, ""
    name = called["name"]
    own = [each for each in statements if each.kind == "definition" and name in each.sets]
    if len(own) != 1:
        return text, ""
    head = re.compile(_HEADS[language].format(name=re.escape(name)))
    end = _ENDS[language]
    first, stop = own[0].line, own[0].end_line
    while first < stop and not lines[first - 1].strip():
        first += 1
    if not head.match(lines[first - 1]) or (end is not None and lines[stop - 1].strip() != end):
        return text, ""
    body = textwrap.dedent("\n".join(lines[first : stop - 1 if end is not None else stop])).split("\n")
    for at in range(len(body) - 1, -1, -1):
        if body[at].strip() and not body[at].strip().startswith("#"):
            if _RETURN.match(body[at]):
                body[at] = ""
            break
    if any(_RETURN.match(line) for line in body if not line.startswith((" ", "\t"))):
        return text, ""
    for number in range(last.line - 1, last.end_line):
        lines[number] = ""
    lines[first - 1 : stop] = ["", *body, *([""] if end is not None else [])]
    return "\n".join(lines), name
