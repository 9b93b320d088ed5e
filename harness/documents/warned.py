"""R's warnings and the values that stand with them in one listing, told apart."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from harness.documents.model import OutputBlock

_MARK = re.compile(r"^\s*(?:#>|##)(?: |$)")
_HEAD = re.compile(r"Warning(?: messages?)?s?(?: in \S[^\n]*?)? ?:")
_ANNOUNCED = re.compile(r"(?:Warning(?: messages?)?s? ?:)?")
_OPEN = re.compile(r"(?:Warning(?: messages?)?s?|In \S.*)(?: in \S.*)? ?:\s*$|In \S.* ?:\s*$")
_CALL = re.compile(r"(?:\d+: )?In \S.*? ?:(?= |$)|\d+: ")
_LISTED = re.compile(r"\d+: |In \S.* ?:|  +\S")
_BULLET = re.compile(
    r"(?:[ℹ✖✔•!→*] |[ix] [A-Z]|Caused by|This warning is displayed|Please use|(?:generated|Call `lifecycle))"
)
_VALUE = re.compile(
    r"\s*\[+\d+[,\]]|\s*\[,\d|# A (?:tibble|data)|'data\.frame':|List of \d|\$|NULL$|Call:|<environment"
    r"|Error\b|\s*(?:num|int|chr|logi|cplx|Factor|Named) "
)
_ROW = re.compile(r"(?:\d+|\[\d+,\]) +\S")
_FULL = 62
"""Characters from which on the next word of a message would not fit on its line."""


def warnings_apart(block: OutputBlock) -> tuple[OutputBlock, ...]:
    """Split what R prints into its warnings, which go to standard error, and its values.

    Parameters
    ----------
    block : OutputBlock
        An output of R's; marks such as ``#>`` may stand before its lines.

    Returns
    -------
    tuple of OutputBlock
        The block alone where no warning stands in it, or where one ends cannot be told.
    """
    lines = block.text.split("\n")
    bare = [_MARK.sub("", line) for line in lines]
    pieces: list[tuple[int, int, bool]] = []
    begun = 0
    while begun < len(lines):
        warns = _HEAD.match(bare[begun]) is not None
        end = _end_of_warning(bare, begun) if warns else _end_of_value(bare, begun)
        value = "".join(bare[begun:end]).strip()
        if not warns and pieces and value and not _begins_a_value(bare, begun):
            return (block,)
        if pieces and (pieces[-1][2] == warns or not value):
            pieces[-1] = (pieces[-1][0], end, pieces[-1][2])
        else:
            pieces.append((begun, end, warns))
        begun = end
    if not any(warns for _, _, warns in pieces):
        return (block,)
    return tuple(_part(block, lines, first, end, warns) for first, end, warns in pieces)


def warnings_in(text: str) -> tuple[str, ...]:
    """Return each warning of a text, in one line, with the call that R names in front of it.

    Parameters
    ----------
    text : str
        Warnings as they were published, their marks taken off; empty where the first line announces none.
    """
    warned: list[str] = []
    for line in text.strip("\n").split("\n"):
        head = _HEAD.match(line)
        if head is not None:
            warned.append(line)
        elif not warned:
            return ()
        elif _CALL.match(line) is not None:
            warned.append(line)
        else:
            warned[-1] += f" {line}"
    said = (" ".join(words.split()) for words in warned)
    return tuple(words for words in said if not _ANNOUNCED.fullmatch(words))


def warns_in(text: str) -> bool:
    """Whether a line of what R prints announces a warning."""
    return any(_HEAD.match(_MARK.sub("", line)) for line in text.split("\n"))


def begins_with_a_warning(text: str) -> bool:
    """Whether the first line of what R prints announces a warning."""
    return _HEAD.match(_MARK.sub("", text.lstrip("\n").split("\n")[0])) is not None


def _part(block: OutputBlock, lines: Sequence[str], first: int, end: int, warns: bool) -> OutputBlock:
    text = "\n".join(lines[first:end]).strip("\n")
    kind = "message" if warns else block.kind
    return msgspec.structs.replace(block, line=block.line + first, text=text, kind=kind)


def _end_of_value(bare: Sequence[str], first: int) -> int:
    return next((n for n in range(first + 1, len(bare)) if _HEAD.match(bare[n])), len(bare))


def _end_of_warning(bare: Sequence[str], first: int) -> int:
    """The line behind a warning: its own, those that it was wrapped to, and the points under it."""
    end = first + 1
    if _OPEN.match(bare[first]):
        while end < len(bare) and (end == first + 1 or _LISTED.match(bare[end])):
            if end > first + 1 and _begins_a_value(bare, end):
                break
            end += 1
    while end < len(bare) and bare[end].strip():
        if _begins_a_value(bare, end) or _HEAD.match(bare[end]):
            break
        word = bare[end].split()[0]
        wrapped = len(bare[end - 1]) + 1 + len(word) > _FULL
        if not wrapped and not _BULLET.match(bare[end]):
            break
        end += 1
    return end


def _begins_a_value(bare: Sequence[str], place: int) -> bool:
    if _VALUE.match(bare[place]):
        return True
    header = bare[place][:1] == " " and place + 1 < len(bare)
    return header and _ROW.match(bare[place + 1]) is not None
