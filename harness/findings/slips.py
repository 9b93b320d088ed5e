"""Whether a difference looks like a slip of the pen, or like another version or machine at work."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from harness.findings.apart import Apart, brackets_exchanged, lacks_one, neighbours_turned, places_apart
from harness.findings.dict_order import goes_through_a_dict
from harness.findings.julia_order import leaves_order_open
from harness.findings.no_order import have_their_labels, no_order_gives
from harness.findings.number_pairs import unwrapped
from harness.findings.r_sessions import moved_words, stand_otherwise, words_of

SEVERAL = 4
_LONG = 5
"""Digits that two draws do not share by chance."""
_NINES = "9" * 8
"""Digits that rounding leaves of a short number."""
_SURE = 3
"""Digits of which one that differs is no chance."""
_WORD = 1e9
_ROOT_OF_A_SUM = 1e3
"""A root whose square is a mean of so many squares that their sum is beyond 32 bits."""
_ROOT = re.compile(
    r"\bsqrt\(|\*\*\s*\(?\s*(?:0?\.5\b|1\s*/\s*2)|√|\^\s*\(?\s*(?:0?\.5\b|1\s*/\s*2)|,\s*0?\.5\s*\)"
)
_SQUARE = re.compile(r"(?:\*\*|\^)\s*2\b|\bsquare\(|\bpower\(|\bdot\(|@|\w\s*\.?\*\s*\w")
_LEFT_OPEN = re.compile(
    r"\b(?:arg)?partition\b|\bargsort\b|\b(?:frozen)?set\(|\bCounter\(|\bmost_common\("
    r"|\bgroupby\(|\bvalue_counts\(|\.(?:keys|values|items)\(|\b(?:i?glob|listdir|list\.files|readdir)\("
    r"|\bsort_values\(|\bnlargest\(|\bnsmallest\(|\border\(|\bsortperm\(|\bDict\(|\bSet\(|\bunique\b"
    r"|\{[^{}\n:]+(?:,[^{}\n:]+)*\}|\bglobals\(|\blocals\(|\bvars\(|\beig\w*\(|\beigen\(|\bsvd\b|\bkmeans\b"
)
_GOES_THROUGH = re.compile(r"\.(?:keys|values|items)\((?!\)\s*[-&|^])")
"""What goes through a dict of Python: in its order, where that is none that was left open before 3.7."""
_ORDERED_IN_R = re.compile(r"\b(?:order\(|unique\b)")
"""What R gives in an order of its own: equals stay in theirs, and of texts the locale has been asked."""
_MOVES_ROWS = re.compile(r"\b(?:groupby|value_counts|sort_values|nlargest|nsmallest)\(")
"""What leaves the order of a table's rows open, each of which keeps its label."""
_SORTED_BY_R = re.compile(
    r"\b(?:sort|order|factor|as\.factor|table|levels|arrange|split|tapply|aggregate|rank|ls)\("
)
_FIRST_OF = re.compile(
    r"\bmost_common\(|\b(?:max|min)\([^\n]*\bkey\b|\bmode\(|\bidxm(?:ax|in)\(|\bvalue_counts\(|\bnlargest\(|\bnsmallest\("
)
PLACES_IN_R = re.compile(r"\b(?:as\.(?:integer|numeric)|unclass|order|rank|xtfrm|which|match|str)\(|\[\d+\]")
"""What shows a place in an order, or what stands in one: one number alone may be another there."""
_STRINGS = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")
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

Pairs = Sequence[tuple[str, str]]


def few(pairs: Pairs) -> bool:
    """Whether one number of four or more differs, or few of many."""
    apart = sum(left != right for left, right in pairs)
    return len(pairs) >= SEVERAL and 0 < apart <= len(pairs) // SEVERAL


def of_the_pen(pairs: Pairs) -> bool:
    """Whether all that differ are the same but for one digit, two that changed places, or rounding.

    Parameters
    ----------
    pairs : sequence of (str, str)
        Numbers as published and as printed.
    """
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    long = all(sum(char.isdigit() for char in max(pair, key=len)) >= _SURE for pair in apart)
    return bool(apart) and long and all(_one_slip(left, right) for left, right in apart)


def inside_a_number(pairs: Pairs) -> bool:
    """Whether one number alone differs, and in one digit with the same digits before or behind it.

    Parameters
    ----------
    pairs : sequence of (str, str)
        Numbers as published and as printed. What computes another number changes all digits behind the first.
    """
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    if len(apart) != 1 or len(apart[0][0]) != len(apart[0][1]):
        return False
    left, right = apart[0]
    places = places_apart(left, right)
    behind = sum(char.isdigit() for char in left[places[0] + 1 :])
    return len(places) == 1 and behind >= 2


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


def are_cut(pairs: Pairs) -> bool:
    """Whether all that differ are fractions of which the first digits are published, cut and not rounded.

    Nobody cuts 3.5999999999999996 to 3.5.
    """
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    return bool(apart) and all(
        "." in left
        and len(right) > len(left)
        and right.startswith(left)
        and not right[len(left) :].startswith(_NINES)
        for left, right in apart
    )


def of_one_draw(pairs: Pairs) -> bool:
    """Whether one number alone differs, and shares so many digits with its pair that it is no other draw."""
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    if len(apart) != 1:
        return False
    left, right = apart[0]
    same = next(
        (n for n, (mine, theirs) in enumerate(zip(left, right, strict=False)) if mine != theirs), None
    )
    front, digits = (len(re.sub(r"\D", "", text).lstrip("0")) for text in (left[:same], left))
    return front >= _LONG or (inside_a_number(pairs) and digits >= _LONG)


def only_the_order(
    published: str, produced: str, code: str, language: str = "r", *, before_3_7: bool = False
) -> bool:
    """Whether two texts hold the same words and numbers, and the code leaves open in which order.

    Parameters
    ----------
    published, produced : str
        Two printed texts.
    code, language : str
        The code that they are of, with all that it depends on, and what it is written in.
    before_3_7 : bool
        Whether Python may have been one whose dicts had no order.
    """
    texts = [unwrapped(text) if language == "julia" else text for text in (published, produced)]
    left, right = (Counter(re.findall(r"[\w.+-]+", text)) for text in texts)
    if left != right:
        return False
    if language == "python" and no_order_gives(published, produced, code):
        return False
    if before_3_7 and goes_through_a_dict(code):
        return True
    if language == "julia":
        return leaves_order_open(code)
    # Whether capitals, blanks and points stand before small letters is the locale's, in R: of words that
    # stand elsewhere, if any do.
    words = moved_words(published, produced)
    # Where none does, an order can show in nothing but the numbers of places.
    words = words or (words_of(produced) if PLACES_IN_R.search(code) else [])
    local = language == "r" and stand_otherwise(words)
    # Braces hold statements in R, and no set.
    plain = without_texts(code).replace("{" if language == "r" else "\0", "(")
    if language == "python":
        plain = _GOES_THROUGH.sub("(", plain)
    if language == "r":
        plain = _ORDERED_IN_R.sub("(", plain)
    if have_their_labels(published, produced):
        plain = _MOVES_ROWS.sub("(", plain)
    return _LEFT_OPEN.search(plain) is not None or (local and _SORTED_BY_R.search(code) is not None)


def of_32_bits(pairs: Pairs) -> bool:
    """Whether all that differ are the same whole numbers, but for what does not fit into 32 bits."""
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    whole = all(re.fullmatch(r"[-+]?\d+", text) for pair in apart for text in pair)
    return bool(apart) and whole and all((int(left) - int(right)) % 2**32 == 0 for left, right in apart)


def beyond_32_bits(pairs: Pairs) -> bool:
    """Whether a mean or a quotient is so large that a sum or a product of 32 bits on the way overflows."""
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    plain = [text for pair in apart for text in pair if "." in text and "e" not in text.lower()]
    large = any(abs(float(text.replace("_", ""))) >= _WORD for text in plain)
    return large and not of_the_pen(pairs)


def root_of_32_bits(pairs: Pairs, code: str) -> bool:
    """Whether numbers are roots of squares or products, whose sum may be too large for 32 bits on the way.

    Parameters
    ----------
    pairs : sequence of (str, str)
        Numbers as published and as printed; where a sum is negative for its overflow, its root is NaN.
    code : str
        The code that they are of.
    """
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    if not apart or of_the_pen(pairs) or not _ROOT.search(code) or not _SQUARE.search(code):
        return False
    return all(abs(float(right.replace("_", ""))) >= _ROOT_OF_A_SUM for _, right in apart)


def between_equals(published: str, produced: str, shown: str) -> bool:
    """Whether two texts hold the same numbers, and other words where the first of equals is taken.

    Parameters
    ----------
    published, produced : str
        Two printed texts.
    shown : str
        The code that they are of.
    """
    left, right = (re.findall(r"(?<![\w.])[-+]?\d[\d.]*", text) for text in (published, produced))
    return bool(left) and left == right and _FIRST_OF.search(shown) is not None


def of_another_print(published: str, produced: str) -> bool:
    """Whether two texts are the same but for the brackets, quotes and letters of Python 2."""
    left, right = (_MARKS.sub(" ", text).split() for text in (published, produced))
    if published.split() == produced.split() or brackets_exchanged(published, produced):
        return False
    if "[[" in published + produced and published.count("[") != produced.count("["):
        return False  # an array of another shape
    return left == right or ("set([" in published and sorted(left) == sorted(right))


def without_texts(code: str) -> str:
    """Return code with nothing in its quotation marks.

    Parameters
    ----------
    code : str
        Code of any language that is read here.
    """
    return _STRINGS.sub('""', code)


def by_one_key(left: str, right: str) -> bool:
    """Whether one character is another, is missing or too many, or has changed places with the next.

    Parameters
    ----------
    left, right : str
        Two texts that are not the same.
    """
    if len(left) != len(right):
        return lacks_one(left, right)
    return len(places_apart(left, right)) == 1 or neighbours_turned(left, right)


def _one_slip(left: str, right: str) -> bool:
    one, other = (text.replace("_", "") for text in (left, right))
    # A digit, a sign, or fewer decimals, of which the last may be rounded falsely.
    short, long = sorted((one, other), key=len)
    return by_one_key(one, other) or (len(short) < len(long) and "." in short and long.startswith(short[:-1]))
