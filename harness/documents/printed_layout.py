"""Printed text without what its printer's version, its width or its terminal made of it."""

from __future__ import annotations

import re

ANNOTATION = re.compile(
    r",\s*(?:grad_fn=<[^>\n]{0,80}>|requires_grad=True|device='[^'\n]{0,40}')"
    r"|\[ (?:requires_grad = TRUE|grad_fn = <[^>\n]{0,80}>) \]"
)
"""What PyTorch says behind a tensor of its gradient and its device, not of its values."""
_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "‚": "'", "„": '"'})
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_SIZES = re.compile(r"(?<=\d) x (?=\d)")
_MORE_ROWS = re.compile(r"(?:…|\.\.\.|ℹ)(?: with)? (?=[\d,]+ more )")
_BOOL = re.compile(r"\bnp\.(True|False)_?(?!\w)")
_CLASS = re.compile(r"<(?:class|type) '([\w.]+)'>")
_FUNCTION = re.compile(r"<function (?:[\w.<>]*\.)?(<lambda>|\w+)(?:\([^()\n]*\))?(?: at 0x[0-9a-fA-F]+)?>")
_BOOL_TYPE = re.compile(r",\s*dtype=bool(?=\))")
_SHAPE = re.compile(r",\s*shape=\([\d, ]*\)(?=[,)])")
_REMARK = re.compile(r"[ \t]{2,}#[ \t].*$", re.MULTILINE)
_CUT_HEADER = re.compile(r".*\S +\\$")


def same_layout(published: str, produced: str, language: str) -> tuple[str, str]:
    """Return two printed texts in one layout.

    What only one of them says is taken off: the shape that newer versions of NumPy print of an array that is
    elided, and remarks that the author put behind lines of Python's print.

    Parameters
    ----------
    published, produced : str
        Two printed texts.
    language : str
        ``r``, ``python`` or ``julia``.
    """
    left, right = plain_layout(published), plain_layout(produced)
    if language != "python":
        return left, right
    left, right = _BOOL_TYPE.sub("", left), _BOOL_TYPE.sub("", right)
    if len(_SHAPE.findall(left)) != len(_SHAPE.findall(right)):
        left, right = _SHAPE.sub("", left), _SHAPE.sub("", right)
    if "#" not in right:
        left = _REMARK.sub("", left)
    return left, right


def plain_layout(text: str) -> str:
    """Return printed text in one layout.

    Classes and functions of Python are named as IPython does, curly quotes are straight, what a carriage
    return overwrites is gone, NumPy's ``np.True_`` is ``True``, tibbles say sizes with ``×``, and the parts
    that pandas prints of a wide table are side by side.

    Parameters
    ----------
    text : str
        Printed text.
    """
    text = _ESCAPE.sub("", text)
    if "\r" in text:
        text = "\n".join(_overwritten(line) for line in text.replace("\r\n", "\n").split("\n"))
    text = _BOOL.sub(r"\1", text.translate(_QUOTES))
    if "<" in text:
        text = _FUNCTION.sub(r"<function \1>", _CLASS.sub(r"\1", text))
    if "tibble" in text or " more " in text:
        text = _MORE_ROWS.sub("… with ", _SIZES.sub(" × ", text))
    return _joined_parts(text) if "\\" in text else text


def _overwritten(line: str) -> str:
    """Return what a terminal shows of a line with carriage returns."""
    shown = ""
    for piece in line.split("\r"):
        shown = piece + shown[len(piece) :]
    return shown


def _joined_parts(text: str) -> str:
    """Put the parts of pandas' wide tables side by side; a part's header ends with a backslash."""
    lines = text.split("\n")
    done: list[str] = []
    at = 0
    while at < len(lines):
        if not _CUT_HEADER.fullmatch(lines[at]):
            done.append(lines[at])
            at += 1
            continue
        parts, end = _parts(lines, at)
        width = _label_width(parts)
        if width is None:
            done.append(lines[at])
            at += 1
            continue
        for row, first in enumerate(parts[0]):
            texts = [first.rstrip(), *(part[row][width:].strip() for part in parts[1:])]
            done.append("  ".join(part.removesuffix("\\").rstrip() for part in texts))
        done += parts[-1][len(parts[0]) :]
        at = end
    return "\n".join(done)


def _parts(lines: list[str], start: int) -> tuple[list[list[str]], int]:
    parts: list[list[str]] = []
    at = start
    while at < len(lines):
        end = at
        while end < len(lines) and lines[end].strip():
            end += 1
        parts.append(lines[at:end])
        goes_on = _CUT_HEADER.fullmatch(lines[at]) is not None
        at = end
        if not goes_on:
            break
        while at < len(lines) and not lines[at].strip():
            at += 1
    return parts, at


def _label_width(parts: list[list[str]]) -> int | None:
    """Return how wide the row labels are, which every part repeats; None where the parts do not fit."""
    height = len(parts[0])
    if len(parts) < 2 or height < 2 or any(len(part) < height for part in parts):
        return None
    if any(len(part) != height for part in parts[:-1]):
        return None
    width = None
    for at in range(min(len(row) for part in parts for row in part[1:height])):
        if any(parts[0][row][: at + 1] != part[row][: at + 1] for part in parts for row in range(1, height)):
            break
        if all(part[row][at] == " " for part in parts for row in range(1, height)):
            width = at
    return width
