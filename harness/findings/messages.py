"""Errors and warnings that a document shows: are they what the code says, word for word?

A document wraps them to its width, leaves out their last lines, or shows below them what called what. What it
shows of a line is compared as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

MARKS = re.compile(r"^\s*(?:#+>?|>)?\s*", re.MULTILINE)
_LOADING = re.compile(r"(?:LoadError: )+")
_ANNOUNCES = re.compile(r"^(?:(?:Warning|Error)(?: messages?)?:? ?)?(?:\d+: )?(?:[Ii]n )?")
"""What stands in front of the call."""
_CUT_CALL = 30
"""Characters from which on a call may be cut."""
_CUT = re.compile(r"\.\.\.|…")


def words(text: str) -> str:
    """Return a text without comment marks, line ends and kinds of quotation marks.

    Parameters
    ----------
    text : str
        What is said, as it was published or printed.
    """
    return " ".join(re.sub(r"[‘’`´']", "'", MARKS.sub("", text)).split())


def are_lines_of(published: str, said: str) -> bool:
    """Whether a text is one or several whole lines of another that stand together, however it is wrapped.

    Parameters
    ----------
    published, said : str
        Two texts.
    """
    lines = [line for line in map(words, said.split("\n")) if line]
    wanted = words(published)
    if not wanted:
        return not lines
    for first in range(len(lines)):
        joined = ""
        for line in lines[first:]:
            joined = f"{joined} {line}".strip()
            if len(joined) >= len(wanted):
                break
        if joined == wanted:
            return True
    return False


def is_error(published: str, message: str, kind: str, language: str) -> bool:
    """Whether a published error is one that the code gives: its lines, or the first of them.

    Parameters
    ----------
    published : str
        The error, perhaps with its kind or its call, and with more lines below.
    message, kind : str
        What the code gives.
    language : str
        That of the code.
    """
    given = list(_forms(message, kind, language))
    return any(
        _begin_alike(shown, said, language) for shown in _forms(published, kind, language) for said in given
    )


def is_another_kind(shown: str, kind: str) -> bool:
    """Whether an error that is called by its kind is another than the one that the code gives.

    Parameters
    ----------
    shown, kind : str
        Two kinds of errors; the first is empty where none is shown. IJulia calls those of a file otherwise.
    """
    return bool(shown) and shown != "LoadError" and shown.split(".")[-1] != kind.split(".")[-1]


def ends_with(published: str, message: str) -> bool:
    """Whether R announces a message so: alone, or behind the call that it is of.

    Parameters
    ----------
    published, message : str
        An error or a warning as R shows it, and what it says.
    """
    said, given = words(published), words(message)
    return said == given or (bool(given) and said.endswith((f": {given}", f":{given}", f": ! {given}")))


def is_another_call(published: str, message: str, call: str) -> bool:
    """Whether R names another call in front of a message than it does here, where both are known.

    Parameters
    ----------
    published, message : str
        An error or a warning as R shows it, perhaps with more lines below, and what it says.
    call : str
        The call that is named here; empty where there is none, or it is not known.
    """
    before = words(published).partition(words(message))[0] if message.strip() else ""
    named = [_bare_call(text) for text in (_ANNOUNCES.sub("", before.rstrip(" :!")), call)]
    if not all(named) or named[0].startswith("eval("):
        return False
    shorter, longer = sorted(named, key=len)
    # A long call is cut.
    return named[0] != named[1] and not (len(shorter) >= _CUT_CALL and longer.startswith(shorter))


def _bare_call(text: str) -> str:
    return re.sub(r"[\s'\"`]", "", words(text))


def _forms(text: str, kind: str, language: str) -> Iterator[Sequence[str]]:
    """Yield the lines of a message, with and without its kind in front."""
    plain = _LOADING.sub("", text) if language == "julia" else text
    yield _lines(plain)
    if language == "r":
        return
    if kind and plain.startswith(f"{kind}: "):
        yield _lines(plain.removeprefix(f"{kind}: "))
    if language == "julia" and (inner := re.fullmatch(rf'(?:\w+: )?{re.escape(kind)}\("(.*)"\)', plain)):
        yield _lines(inner[1])


def _lines(text: str) -> Sequence[str]:
    return [line for line in map(words, text.strip().split("\n")) if line]


def _begin_alike(published: Sequence[str], said: Sequence[str], language: str) -> bool:
    """Whether one of two texts is the other, or the first lines of it."""
    mine, theirs = (_from_the_first(lines) for lines in (published, said))
    if not mine or not theirs:
        return mine == theirs
    alike = ends_with if language == "r" else str.__eq__
    if any(alike(mine[-1], text) for text in theirs) or any(alike(text, theirs[-1]) for text in mine):
        return True
    shortened = ".*".join(map(re.escape, _CUT.split(mine[-1])))
    return _CUT.search(mine[-1]) is not None and any(re.fullmatch(shortened, text) for text in theirs)


def _from_the_first(lines: Sequence[str]) -> list[str]:
    return [" ".join(lines[:end]).removesuffix(":") for end in range(1, len(lines) + 1)]
