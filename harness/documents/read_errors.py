"""Errors that a document shows: their kind and message, in the layouts of Python, R and Julia."""

from __future__ import annotations

import re

import msgspec

from harness.documents.model import OutputBlock

_MARK = re.compile(r"^(?:#>|##?) ?", re.MULTILINE)
_PYTHON = re.compile(
    r"^(?P<name>(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Iteration|Found|Missing)"
    r"|[A-Za-z_][\w.]*Error)(?:: ?(?P<message>.*))?$"
)
_R = re.compile(r"(?:! )?Error(?: in (?P<call>.*?))?(?:\s?: ?|:?\n)\s*(?:! )?(?P<message>.*)", re.DOTALL)
_JULIA = re.compile(
    r"ERROR: (?:LoadError: )*(?:(?P<name>[A-Z]\w*)(?:: ?|\((?=.)|$))?(?P<message>.*)", re.DOTALL
)
_TRACE = "Traceback (most recent call last)"
_ENDS = re.compile(r"(?m)^Traceback \(most recent call last\)")
_FRAMES = re.compile(r"\n(?:Stacktrace:|Backtrace:|Calls: |Traceback:|Closest candidates).*", re.DOTALL)


class ShownError(msgspec.Struct, frozen=True):
    """An error's kind, empty where the language shows none, and its message."""

    name: str
    message: str


def read_error(text: str, language: str) -> ShownError | None:
    """Read an error; None where the text does not begin with one.

    Parameters
    ----------
    text : str
        Printed text, which may stand behind comment marks.
    language : str
        ``python``, ``r`` or ``julia``.
    """
    plain = text.strip("\n")
    lines = [line for line in plain.split("\n") if line.strip()]
    if lines and all(line.lstrip().startswith(("#>", "##")) for line in lines):
        plain = _MARK.sub("", plain)
    match language:
        case "python":
            return _python(plain)
        case "r":
            found = _R.match(plain)
            return ShownError("", _FRAMES.sub("", found["message"]).strip()) if found else None
        case "julia":
            found = _JULIA.match(plain)
            if found is None:
                return None
            message = _FRAMES.sub("", found["message"]).strip()
            return ShownError(found["name"] or "", message)
        case _:
            return None


def errors_apart(block: OutputBlock, language: str) -> tuple[OutputBlock, ...]:
    """Return a block as outputs: what is printed, and the error of Python that it ends with, if any."""
    whole = as_error(block, language)
    found = _ENDS.search(block.text) if language == "python" and whole.kind == "printed" else None
    if found is None:
        return (whole,)
    line = block.line + block.text.count("\n", 0, found.start())
    last = as_error(msgspec.structs.replace(block, text=block.text[found.start() :], line=line), language)
    above = msgspec.structs.replace(block, text=block.text[: found.start()].rstrip())
    return (above, last) if last.kind == "error" and above.text.strip() else (whole,)


def as_error(block: OutputBlock, language: str) -> OutputBlock:
    """Return a block as an error, if that is what it shows."""
    found = read_error(block.text, language)
    if found is None:
        return block
    return msgspec.structs.replace(block, kind="error", ename=found.name, evalue=found.message)


def _python(text: str) -> ShownError | None:
    lines = text.split("\n")
    if text.startswith(_TRACE):
        lines[-1] = lines[-1].strip()
    begins = text.startswith((_TRACE, "-----", "  File ", "  Cell "))
    single = len(lines) == 1
    if not (begins or single):
        return None
    for number, line in enumerate(lines):
        found = _PYTHON.match(line)
        if found and (single or number):
            last = _PYTHON.match(lines[-1]) or found
            name = last["name"].rsplit(".", 1)[-1]
            return ShownError(name, (last["message"] or "").strip())
    return None
