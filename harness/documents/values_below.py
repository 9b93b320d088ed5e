"""Comments right below a statement that are nothing but what it shows, without a mark."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.documents.output_words import without_lead
from harness.documents.r_remarks import are_values
from harness.documents.raw_output import is_printed

_LITERAL = re.compile(
    r"[-+]?(?:\d[\d_,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?:im|j)?|b?\"[^\"]*\"|b?'[^']*'"
    r"|True|False|None|true|false|nothing|missing|[-+]?(?:NaN|nan|Inf|inf)"
    r"|\[(?=\s*(?:[-\d.\"'\[({\]]|True|False|None|[A-Za-z_.]+\()).*\]|\((?=\s*(?:[-\d.\"'\[({]|True|False|None)).*,.*\)"
    r"|\{(?=\s*[-\d.\"'\[({}]).*\}|(?:array|matrix|tensor|deque|dict_\w+|OrderedDict|Counter)\([\[({].*\)"
)
_EXPLAINED = re.compile(r"^(?P<value>[-+]?\d[\d_]*(?:\.\d+)?) +\([^\W\d][^()]*\)$")
"""A number with what it is: ``3   (index of target)``."""
_NUMBER = re.compile(r"\d{1,2}\.?")
_WITHOUT_BLANKS = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
"""Letters of Chinese and Japanese."""
_SENTENCE = 4
"""Words of the shortest remark that is taken for one, or such letters."""
_ROW = re.compile(r"(?P<number>\d+):?\s+\S")
_INDENT = re.compile(r"\s*")


def values_below(lines: Sequence[str], language: str) -> list[str]:
    """Return the values that the comments below a statement are, one item a line.

    Parameters
    ----------
    lines : sequence of str
        From the first of these comments on. A short whole number right above more code may number a step.
    language : str
        That of the code.

    Returns
    -------
    list of str
        Empty where one of them is something else.
    """
    margin = _indent(lines[0])
    count = next(
        (n for n, line in enumerate(lines) if not line.lstrip().startswith("#") or _indent(line) != margin),
        len(lines),
    )
    found = [line.strip().lstrip("#").rstrip() for line in lines[:count]]
    if count == 1:
        found = [_EXPLAINED.sub(r"\g<value>", without_lead(found[0].strip()))]
    behind = "".join(lines[count : count + 1]).strip()
    if behind and count == 1 and _NUMBER.fullmatch(found[0].strip()):
        return []
    if (
        language == "julia"
        and count > 1
        and is_printed("\n".join(text.removeprefix(" ") for text in found), language)
    ):
        return [text.removeprefix(" ") for text in found]
    prose = next((n for n, text in enumerate(found) if n and is_prose(text)), len(found))
    for size in (prose, 1) if language == "r" else (prose,):
        if are_shown(found[:size], language):
            return [text.strip() for text in found[:size]]
    return []


def are_shown(texts: Sequence[str], language: str) -> bool:
    """Whether lines are values, one value with its brackets, or a table whose rows are numbered."""
    lines = [text.strip() for text in texts]
    is_value = are_values if language == "r" else _is_literal
    return all(map(is_value, lines)) or is_value(" ".join(lines)) or _is_table(lines)


def is_prose(text: str) -> bool:
    """Whether a line is a piece of a sentence."""
    words = [word.strip(".,;:?!()'\"`’") for word in text.split()]
    alike = sum(word.isalpha() for word in words)
    if len(_WITHOUT_BLANKS.findall(text)) >= _SENTENCE:
        return True
    return len(words) >= _SENTENCE and alike >= 0.6 * len(words) and "  " not in text.strip()


def _is_literal(text: str) -> bool:
    return _LITERAL.fullmatch(text) is not None and all(
        text.count(a) == text.count(b) for a, b in ("[]", "()")
    )


def _is_table(lines: Sequence[str]) -> bool:
    """Whether a head stands above rows that begin with their numbers, with a cell for each column."""
    numbers = [int(found["number"]) for line in lines[1:] if (found := _ROW.match(line))]
    if len(numbers) != len(lines) - 1 or not numbers or numbers[0] > 1:
        return False
    columns = len(lines[0].split())
    in_order = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return in_order and all(len(line.split()) == columns + 1 for line in lines[1:])


def _indent(line: str) -> str:
    found = _INDENT.match(line)
    return found[0] if found else ""
