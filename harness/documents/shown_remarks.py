"""Remarks behind a statement, or below a call of ``print``, that say what is shown, without a mark."""

from __future__ import annotations

import re

from harness.documents.output_words import without_lead
from harness.documents.r_remarks import value_behind
from harness.documents.shown_objects import object_in

_LITERAL = re.compile(
    r"[-+]?(?:\d[\d_,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?:im|j|L)?(?:\.\.\.|…)?"
    r"|b?\"[^\"]*\"|b?'[^']*'|[Tt]rue|[Ff]alse|TRUE|FALSE|None|NULL|nothing|missing|NA|[-+]?(?:NaN|nan|Inf|inf)"
    r"|\[(?:[^#\"']|\"[^\"]*\"|'[^']*')*\]|\([^#]*,[^#]*\)|\{[^#]*\}|array\(.*\)|tensor\(.*\)"
    r"|<(?:class '[\w.]+'|function \S+(?: at 0x\w+)?|[\w.]+ object at 0x\w+)>"
)
_EXPLAINED = re.compile(
    r"(?P<value>True|False|None|true|false)"
    r"(?:(?:[,;:]| [-–—]+| \() ?\w|[，。；：（、] ?\w| (?:because|since) ).*"
)
"""A truth value with what explains it: ``True, because both are the same object``."""
_BEFORE_WIDE = re.compile(r"(?P<value>[^，。；：（、]+)[，。；：（、].*")
"""What stands before the first mark as Chinese and Japanese have it, behind which a value is explained."""
_LEADS_ON = re.compile(r".*\w\s*(?:->|=>|→|⇒|➜)\s*(?P<value>\S.*)")
"""What a statement does, and what it gives: ``Finds the lowest index -> 2``."""
_SAID = re.compile(r"[Pp]rints? (?P<value>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?:[,;:]| [-–—(]) ?\S.*")
"""What a call of ``print`` shows, with what explains it: ``prints 24.70, the outcome of it all``."""
_PRINTS = re.compile(r"(?:print|println|cat)\(")
_LABEL = re.compile(
    r"print(?:ln)?\((?:([\"'])(?P<said>[^\"'\n]{2,}?)\1\s*,|f?[\"'](?P<begun>[^\"'{}$\n]{3,})[{$])"
)
"""The text that a call of ``print`` begins with, before what it computes."""
_OF_A_TEXT = re.compile(r"(?:\"[^\"\n]*\"|'[^'\n]*')\.\w+\(")
_CALLS = re.compile(r"(?:[\w.]+|\"[^\"\n]*\"\.\w+|'[^'\n]*'\.\w+)\(.*\)\s*(?:#.*)?")
_ITEM = r"(?:[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|0x[\da-f]+|True|False|None|'[^']*')"
_ITEMS = re.compile(rf"{_ITEM}(?: {_ITEM})+|\w+=(?:{_ITEM}|\[[^#]*\])(?: \w+=(?:{_ITEM}|\[[^#]*\]))*")
"""What ``print(a, b)`` shows, or an object by its fields."""
_TOKEN = re.compile(r"(?=\D*\d)(?=\S*[A-Za-z])[\w.:/-]+")
_SETS = re.compile(r"\s*[\w.]+\s*(?:=(?!=)|<-)")
"""What sets a name; what is printed meanwhile is not its value."""
_ASKS_TYPE = re.compile(r"(?:println\()?(?:typeof|eltype|supertype)\(")
_TYPE = re.compile(r"[A-Z]\w*(?:\{.*\})?")
_ERROR = re.compile(r"(?:[a-z]\w*\.)*[A-Z]\w*(?:Error|Exception): \S.*")


def shown_behind(comment: str, line: str, literals: str, language: str) -> str:
    """Return what a remark behind a statement says, where it may be what is shown; else nothing.

    Parameters
    ----------
    comment, line : str
        The remark, and all of its line.
    literals : str
        The texts that the code holds, in small letters.
    language : str
        That of the code.
    """
    text = comment.lstrip("# ").rstrip()
    text = text if _SETS.match(line) else without_lead(text)
    if _LITERAL.fullmatch(text) or _are_printed(text, line, literals):
        return text
    if explained := _EXPLAINED.fullmatch(text):
        return explained["value"]
    if _begins_alike(text, line):
        return text
    if (
        _PRINTS.match(line)
        and (before := _BEFORE_WIDE.fullmatch(text))
        and _LITERAL.fullmatch(before["value"])
    ):
        return before["value"]
    if (behind := _LEADS_ON.fullmatch(text)) and _LITERAL.fullmatch(behind["value"].strip()):
        return behind["value"].strip()
    if language == "julia" and _ASKS_TYPE.match(line) and _TYPE.fullmatch(text):
        return text
    if _PRINTS.match(line) and (said := _SAID.fullmatch(comment.lstrip("# ").rstrip())):
        return said["value"]
    if language == "python" and (written := object_in(text)):
        return written
    if language == "python" and (_ERROR.fullmatch(text) or _may_be_printed(text, line, literals)):
        return text
    return value_behind(comment) if language == "r" else ""


def _begins_alike(text: str, line: str) -> bool:
    """Whether a remark begins with the text that a call of ``print`` on its line begins with."""
    found = _LABEL.match(line)
    label = (found["said"] or found["begun"]).strip() if found is not None else ""
    return len(label) > 1 and text.startswith(label) and len(text) > len(label)


def words_below(lines: list[str], number: int, literals: str) -> list[str]:
    """Return the words of a comment on a line below a call of ``print``, where they may be what it prints."""
    text = without_lead(lines[number - 1].lstrip("# ").rstrip())
    if _ASKS_TYPE.match(lines[number - 2]) and _TYPE.fullmatch(text):
        return [text]
    alone = not "".join(lines[number : number + 1]).strip()
    return [text] if alone and _are_printed(text, lines[number - 2], literals) else []


def error_below(lines: list[str], number: int) -> list[str]:
    """Return the error that the only comment on a line below a statement is."""
    text = lines[number - 1].lstrip("# ").rstrip()
    alone = not "".join(lines[number : number + 1]).strip()
    return [text] if alone and _ERROR.fullmatch(text) else []


def _are_printed(text: str, line: str, literals: str) -> bool:
    """Whether a line prints, and the code's own strings hold all words of a text."""
    words = re.findall(r"\w+", text.lower()) if _PRINTS.match(line) else []
    return bool(words) and all(word in literals for word in words)


def _may_be_printed(text: str, line: str, literals: str) -> bool:
    """Whether a text is values or a piece of a text behind ``print``, or words that the code prints."""
    if _PRINTS.match(line):
        return _ITEMS.fullmatch(text) is not None or _TOKEN.fullmatch(text) is not None
    of_a_text = _OF_A_TEXT.match(line) is not None
    return (" " in text or of_a_text) and _CALLS.fullmatch(line) is not None and text.lower() in literals
