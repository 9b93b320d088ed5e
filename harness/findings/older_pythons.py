"""What older Pythons, and other encodings, make of quotients, kinds of numbers, sums, texts and prints."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from harness.findings.apart import Apart, brackets_exchanged
from harness.findings.brackets import are_of_nothing
from harness.findings.slips import Pairs, without_texts

_FORMATTED = re.compile(r"(?<![\w'\"])(?:[rR]?[fF]|[fF][rR])['\"]+[^'\"\n]*\{")
_SYNTAX_3 = re.compile(
    r"\bprint\([^()\n]*\b(?:end|sep|file|flush)\s*=|\bnonlocal\b|\byield from\b|\basync def\b"
    r"|(?<=[\w\s]):=(?=\s)|(?m:^\s*def \w+\([^(){}\n]*\w: ?\w)|\)\s*->\s*\w+\s*:"
    r"|(?m:^\s*(?:\w+,\s*)+\*\w+\s*=)|\bsuper\(\)"
)
"""What Python 2 cannot read, or does not have."""
_SHOWS_3 = re.compile(
    r"<class '(?:int|float|str|bool|complex|list|tuple|dict|set|bytes|range|NoneType|function|type|object)'>"
    r"|\bdict_(?:keys|values|items)\(\["
)
"""What Python 2 words otherwise: ``<type 'int'>``, and lists."""
_DIVISION = re.compile(r"[\w)\]]\s*/=?\s*[\w(]")
_LITERAL = re.compile(r"(?<!\w)[uUbB]?(?:\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')|\bbytes\b")
_ASKS_A_TEXT = re.compile(
    r"\b(?:len|ord|hash|map|zip|Counter|bytes|bytearray|bin|hex|enumerate|sizeof|getsizeof)\b|\bfor\b|\bwhile\b|\[-?\d*:"
    r"|\.(?:len|count|r?find|r?index|start|end|span|encode|decode|str|nbytes|itemsize)\b|\bb(?=['\"])"
)
"""What gives a number for a text: its length, a place in it, its codes; or goes through it."""
_COUNTS_BYTES = re.compile(r"\bnchar\(|\bcharToRaw\(")
_ADDS = re.compile(r"(?<![\w.])sum\(")
_FRACTION = re.compile(r"\d\.\d|(?<!\w)\.\d|\d[eE]-?\d|\w\s*/\s*\w")
_NOT_ZERO = re.compile(r"[1-9]")
_COMPENSATED = [3, 12]
"""The version of Python whose sum() first keeps what rounding loses of fractions."""
_MARKS = re.compile(r"\b(?:frozen)?set\(|(?<![\w'\"])u(?=['\"])|(?<=\d)L\b|[\[\](){},'\"]")
_QUOTES = re.compile(r"['\"]")
_DIVIDES = re.compile(r"(?<!/)/(?!/)")
_COMPUTES = re.compile(r"[-+*/%]+")
_INTEGER = re.compile(r"[-+]?\d+")
_SPLITS = re.compile(r"\bre\.(?:split|subn?)\(\s*[rb]*(?:(['\"])\1|['\"][^'\"\n]*[*?|])|\bre\.escape\(")
_ASKS = re.compile(r"\bisinstance\(|\bissubclass\(")
_WHOLE = re.compile(r"\b(?:int|long|Integral|Number)\b")
_OF_NUMPY = re.compile(r"\bnumpy\b|\bnp\.|\bpandas\b|\bpd\.")


def is_of_python_3(code: str, shown: str) -> bool:
    """Whether code, or what it printed, shows that no Python 2 ran it.

    Parameters
    ----------
    code : str
        Code that ran in one session.
    shown : str
        What is published of its outputs.
    """
    if _FORMATTED.search(code) or _SHOWS_3.search(shown):
        return True
    return "__future__" not in code and _SYNTAX_3.search(without_texts(code)) is not None


def of_whole_division(pairs: Pairs, code: str) -> bool:
    """Whether all that differ are quotients that Python 2 gives without their fraction.

    Parameters
    ----------
    pairs : sequence of (str, str)
        Numbers as published and as printed.
    code : str
        The code that they are of.
    """
    # Python 2 prints twelve digits of a number.
    apart = [(left, right) for left, right in pairs if left != right and left != _in_twelve_digits(right)]
    if not apart or not _DIVISION.search(code):
        return False
    return all(
        re.fullmatch(r"[-+]?\d+(?:\.0)?", left) is not None
        and "." in right
        and right[-1] not in "jm"
        and math.floor(float(right.replace("_", ""))) == float(left)
        for left, right in apart
    )


def _in_twelve_digits(number: str) -> str:
    real = "." in number and number[-1] not in "jm"
    return f"{float(number.replace('_', '')):.12g}" if real else number


def of_text_in_bytes(apart: Sequence[Apart], code: str, language: str) -> bool:
    """Whether what is asked of a text differs, of which Python 2 and R on Windows make other bytes.

    Parameters
    ----------
    apart : sequence of Apart
        All that differs.
    code : str
        The code that it is of.
    language : str
        What it is written in.
    """
    if not apart or any(pair.what not in ("number", "truth") for pair in apart):
        return False
    texts = _LITERAL.findall(code)
    if language == "r":
        return _COUNTS_BYTES.search(code) is not None and not all(map(str.isascii, texts))
    asks = any(pair.what == "truth" for pair in apart) or _ASKS_A_TEXT.search(without_texts(code)) is not None
    return language == "python" and asks and any(not text.isascii() or text[0] in "ubUB" for text in texts)


def of_what_a_sum_loses(apart: Sequence[Apart], code: str, stated: str, here: str) -> bool:
    """Whether Python's sum() of fractions, which loses less since version 3.12, may be what differs.

    Parameters
    ----------
    apart : sequence of Apart
        All that differs: last digits have a reason of their own, truth values and what is left of zero none.
    code : str
        The code that it is of.
    stated, here : str
        The version that the document names, if any, and the one that is here.
    """
    if not apart or not _ADDS.search(code) or not _FRACTION.search(code):
        return False
    versions = [[int(part) for part in re.findall(r"\d+", text)[:2]] for text in (stated, here)]
    known = all(len(version) == 2 for version in versions)
    if known and (versions[0] < _COMPENSATED) == (versions[1] < _COMPENSATED):
        return False
    return all(
        pair.what == "truth"
        or (pair.what == "number" and not all(map(_NOT_ZERO.search, (pair.published, pair.produced))))
        for pair in apart
    )


def of_the_rounding_of_python_2(pairs: Pairs, shown: str) -> bool:
    """Whether all that differ are halves that were rounded to the other side, and to fractions."""
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    return (
        bool(apart)
        and re.search(r"\bround\(", shown) is not None
        and all(
            left.endswith(".0") and "." not in right and abs(float(left) - float(right)) == 1
            for left, right in apart
        )
    )


def of_another_print(published: str, produced: str) -> bool:
    """Whether two texts are the same but for the brackets, quotes and letters of Python 2."""
    left, right = (_MARKS.sub(" ", text).split() for text in (published, produced))
    # What it quotes otherwise, it puts in brackets too, or a letter in front.
    if len({" ".join(_QUOTES.sub("", text).split()) for text in (published, produced)}) == 1:
        return False
    if published.split() == produced.split() or brackets_exchanged(published, produced):
        return False
    if are_of_nothing(published, produced):
        return False
    if "[[" in published + produced and published.count("[") != produced.count("["):
        return False  # an array of another shape
    return left == right or ("set([" in published and sorted(left) == sorted(right))


def of_whole_numbers(apart: Sequence[Apart], code: str) -> bool:
    """Whether whole numbers are published of a division, which gives none since Python 3.

    Parameters
    ----------
    apart : sequence of Apart
        All that differs.
    code : str
        What it is computed by.
    """
    # One division alone gives the whole part, which `of_whole_division` asks for.
    if not apart or not _DIVIDES.search(code) or len(_COMPUTES.findall(code)) <= 1:
        return False
    return all(
        pair.what == "number"
        and _INTEGER.fullmatch(pair.published) is not None
        and "." in pair.produced
        and pair.produced.replace(".", "").rstrip("0") != pair.published.rstrip("0")
        for pair in apart
    )


def splits_at_nothing(code: str) -> bool:
    """Whether code splits or replaces where an expression matches nothing, which Python does since 3.7.

    Parameters
    ----------
    code : str
        Some code.
    """
    return _SPLITS.search(code) is not None


def of_another_kind(apart: Sequence[Apart], code: str) -> bool:
    """Whether all that differs is of which kind a number is, where Python 2 has another.

    Parameters
    ----------
    apart : sequence of Apart
        All that differs.
    code : str
        What it is computed by: a division there, or a question about a number of NumPy's, which is one of
        Python's whole numbers in Python 2.
    """
    if not apart:
        return False
    names = [(pair.published.strip("'\""), pair.produced.strip("'\"")) for pair in apart]
    if _DIVIDES.search(code) and all(one in ("int", "long") and other == "float" for one, other in names):
        return True
    asks = _ASKS.search(code) and _WHOLE.search(code) and _OF_NUMPY.search(code)
    return bool(asks) and all(pair.what == "truth" and pair.published == "True" for pair in apart)
