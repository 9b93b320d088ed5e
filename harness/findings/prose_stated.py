"""Numbers that a text states, in digits and in words, each with its sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from harness.documents.written_numbers import NUMBER_WORDS

_NUMBER = re.compile(
    r"(?<![\w.\\^_{\0,=/])(?<!\d[-–:])(?<![^\W\d_]-)-?"
    r"(?:(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE][-+]?\d{1,3})?|\.\d+)"
    r"(?![.,:/–]\d|-\w|\w(?<![dDx×]))"
)
_WORD = re.compile(rf"(?<![\w-])(?:{'|'.join(NUMBER_WORDS)})(?![\w-])", re.IGNORECASE)
_NO_TEXT = re.compile(
    r"(?P<fence>```|~~~).*?(?:(?P=fence)|\Z)|`[^`]*`|\$\$.*?\$\$|\$[^$\n]+\$|\\\[.*?\\\]|\\\(.*?\\\)"
    r"|\\begin\{(?P<block>\w+\*?)\}.*?\\end\{(?P=block)\}"
    r"|\[?\[\d+\]\]?(?=\()|\]\([^)]*\)|<[^>]*>|https?://\S+|\[@[^\]]*\]|!\[[^\]]*\]|&#?\w+;"
    r"|^[\s>#*]*(?:(?:\d+(?:\.\d+)*[.)]|\(?[a-z][.)])\s(?=\s*[^\d\s])|\d+(?:\.\d+)*\s+(?=[A-Z]))",
    re.DOTALL | re.MULTILINE,
)
"""Fences, code, formulas, links, pictures, tags, and what counts the items of a list or the headings."""
_ALONE = re.compile(r"(?P<mark>[`$])(?P<number>-?(?:\d[\d,]*(?:\.\d+)?|\.\d+))[`$]")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_NAMED = re.compile(
    r"(?:\b(?:step|chapter|section|fig(?:ure)?s?|tables?|eq(?:uation)?|pages?|part|exercises?|questions?"
    r"|problems?|tasks?|lab|weeks?|lectures?|days?|version|python|julia|numpy|pandas|torch|level|lesson|module"
    r"|unit|appendix|examples?|method|option|case|class|homework|hw|type|items?|lines?|rows?|columns?|index"
    r"|position|element|cell|slides?|note|assignment|challenge|approach|points?|vol(?:ume)?|pp?\.|no|nr"
    r"|answer|scenario|group|model|seed|v|r|grade|age)\.?|(?-i:\b[A-Z]{2,})|[#№§@~])[ :-]*$"
    rf"|\b{_MONTH}\.?\s*$|[\w)\]]\s*[-+*/^]\s*$",
    re.IGNORECASE,
)
"""What stands in front of a number that is a name, a day or a term."""
_UNIT = re.compile(
    r"(?:st|nd|rd|th)\b|\s*(?:am|pm|[GMK]B|G?Hz|bits?|-bit|px|minutes?|hours?|seconds?|mins?|points?|marks?)\b"
    rf"|\s*(?:-|–)\s*\d|\s+{_MONTH}\b|\s*[-+*/^]\s*\w",
    re.IGNORECASE,
)
"""What stands behind a number that no code computes: a place in a row, a time, a size of memory, a term."""
_END = re.compile(r"[.!?](?=\s+[^a-z\s])|\n\s*\n|\n(?=\s*[-*+]\s)|;\s")
_PERCENT = re.compile(r"\s*\\?%|\s+percent\b")
_YEARS = range(1500, 2101)
_YEAR, _BEFORE, _LONGEST, _LARGEST = 4, 30, 30, 1e15
UNITS = (0.0, 1.0)
"""What is said of anything."""


class Stated(msgspec.Struct, frozen=True):
    """A number of a text: where it stands, its digits and value, and its sentence.

    Attributes
    ----------
    start, end : int
        Where it stands.
    text, digits : str
        As it is written, and in digits, without commas and sign.
    value : float
        Its absolute value.
    places : int
        Digits behind the point.
    kind : str
        ``word``, ``one`` of one digit, ``two``, ``long`` of more, ``year``, or ``fraction``.
    percent : bool
        Whether a sign or word for hundredths follows.
    sentence : slice
        Its sentence.
    """

    start: int
    end: int
    text: str
    digits: str
    value: float
    places: int
    kind: str
    percent: bool
    sentence: slice

    @property
    def small(self) -> bool:
        """Whether it has one digit, or is a word: many things are as many by chance."""
        return self.kind in ("word", "one")


def stated(text: str) -> tuple[Stated, ...]:
    """Return the numbers that a text states.

    Parameters
    ----------
    text : str
        A paragraph with its marks. Code, formulas and links state none, but for a number alone in its marks;
        nor do names ("Table 3") and dates, and 0 and 1 are said of anything.
    """
    plain = _NO_TEXT.sub(_left_out, text)
    ends = [0, *(one.end() for one in _END.finditer(plain)), len(plain)]
    found = sorted((*_NUMBER.finditer(plain), *_WORD.finditer(plain)), key=lambda one: one.start())
    return tuple(_read(found, ends))


def _left_out(found: re.Match[str]) -> str:
    if alone := _ALONE.fullmatch(found[0]):
        return f" {alone['number']}".ljust(len(found[0]))
    return re.sub(r"[^\n]", "\0", found[0])


def _read(found: list[re.Match[str]], ends: list[int]) -> Iterator[Stated]:
    for one in found:
        text, start, end = one[0], one.start(), one.end()
        named = _NAMED.search(one.string[max(0, start - _BEFORE) : start]) or _UNIT.match(one.string, end)
        digits = str(NUMBER_WORDS.get(text.lower(), text.replace(",", "").lstrip("-")))
        value = float(digits) if len(text) <= _LONGEST else 0.0
        if named or value in UNITS or value > _LARGEST:
            continue
        mantissa, _, power = digits.lower().partition("e")
        yield Stated(
            start,
            end,
            text,
            digits,
            value,
            max(0, len(mantissa.partition(".")[2]) - int(power or 0)),
            _kind(text, digits),
            _PERCENT.match(one.string, end) is not None,
            slice(max(last for last in ends if last <= start), min(last for last in ends if last > start)),
        )


def _kind(text: str, digits: str) -> str:
    if text.lower() in NUMBER_WORDS:
        return "word"
    if not digits.isdigit():
        return "fraction"
    if text.isdigit() and len(text) == _YEAR and int(text) in _YEARS:
        return "year"
    return ("one", "two", "long")[min(len(digits.lstrip("0")), 3) - 1]
