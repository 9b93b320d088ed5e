"""What the generations of R print otherwise."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from decimal import Context, Decimal, InvalidOperation

from harness.findings.apart import Apart, tokens_of, values_apart
from harness.findings.one_place import missing_line
from harness.findings.wrapped import without_marks

_ASKED = r"nlevels|as\.integer|as\.numeric|unclass|sapply|levels|nchar"
_CODES = re.compile(rf"\b(?:{_ASKED}|summary)\(")
_COUNTS = re.compile(rf"\b(?:{_ASKED})\(")
"""What gives codes or counts levels: summary() of a factor has another form."""
_MANY = 8
"""Numbers and words of an output of which one alone differs."""
_ARITHMETIC = re.compile(
    r"\b[sv]apply\(\s*[\w.$]+(?:\[[^\]]*\])?\s*,\s*(?:sum|mean|median|var|sd|prod|max|min|range)\b"
)
"""What fails for factors, before R 4.0 as since."""
_TEXTS = re.compile(
    r"[\"']|\b(?:letters|LETTERS|month\.\w+|state\.\w+)\b"
    r"|\b(?:paste0?|as\.character|\w*names|sprintf|format\w*|to(?:upp|low)er|load|get|source|data|ls|strsplit"
    r"|substr\w*)\("
)
"""What may be texts, or give some."""
_CLASSES = re.compile(r"\b(?:matrix|array|factor|character|levels?)\b")
"""What R 4.0 changed in classes: a matrix is an array too, and texts of data frames are no factors."""
_OF_ANY_CODE = re.compile(r"\b(?:matrix|array|factor)\b")
"""Those of them that code may have without a data frame in sight."""
_SAMPLES = re.compile(r"\bsample[\w.]*\(|\bslice_sample|\bkmeans")
_OF_TORCH = re.compile(r"torch_|nn_")
_HALF = Decimal("0.5")
_QUOTIENTS = re.compile(r"%/%|%%")
_FRACTION = re.compile(r"\d\.\d|(?<!\w)\.\d|\de-|(?<!%)/")
_NOTHING = Decimal("1e-9")
_ROUNDS = re.compile(r"\b(round|signif)\(\s*(-?(?:\d+\.?\d*|\.\d+))\s*,\s*([^()\n]*)\)")
_ASKS_FOR_KINDS = re.compile(r"\bis\.\w+\(|\b(?:identical|all\.equal|inherits|typeof|mode)\(")
_ASKS_FOR_SHAPES = re.compile(r"\bis\.(?:matrix|array|list|function|environment)\(\s*[\w.$\[\]\"']+\s*\)")
"""What is the same of a factor and of texts."""
_KINDS = frozenset(["factor", "character", "integer", "numeric"])
_OF_FACTORS = re.compile(r"\b(?:Levels|Factor|fctr?|chr|Class|character|NULL|NA)\b")
"""What R prints of factors, or in their place."""
_MISSING = re.compile(r"\bNA\b")
_QUOTED = re.compile(r"[\"']")
_WORDED = re.compile(r"(?<![\d.])[^\W\d_]")
_PACKAGES = re.compile(
    r"base|datasets|graphics|grDevices|grid|methods|splines|stats4?|tools|utils|package|namespace"
)
"""What comes with R, and what R 4.0 moved functions between: plot() was of graphics, and is of base."""
_ATTACHES = re.compile(r"(?:(?:suppressPackageStartupMessages\()?(?:library|require)\([\w.\"']+\)\)?\s*)+")
"""Code of R that only attaches packages: what it says is theirs."""


def changed_in_r_4(
    pairs: Sequence[tuple[str, str]] | None,
    published: str,
    produced: str,
    shown: str,
    code: str,
    stated: str = "",
) -> str:
    """Say what R 4.0 changed that output may show; empty if nothing.

    Parameters
    ----------
    pairs : sequence of (str, str) or None
        Numbers as published and as printed, where the texts are otherwise the same.
    published, produced : str
        The two texts.
    shown, code : str
        The statement that the output is of, and all that it is computed by.
    stated : str, optional
        The version that the document was made with, as far as it says so.
    """
    if _is_since(stated, (4, 0)):
        return ""
    asks = re.search(r"\b(?:class|oldClass|inherits|attributes)\(", shown)
    truths = any(pair.what == "truth" for pair in values_apart(published, produced) or ())
    # The two classes of a time stood in the other order before R 2.12.
    turned = sorted(published.split()) == sorted(produced.split())
    if asks and (truths or turned or may_be_other_classes(published, produced, code, stated)):
        return "the classes of a value are others since R 4.0"
    if any(_is_half(*given) for given in _ROUNDS.findall(shown)):
        return "a number halfway between two is rounded otherwise since R 4.0"
    if pairs and re.search(r"\bsummary\(", shown) and all(_is_rounded(*pair) for pair in pairs):
        return "summary() rounds to four digits before R 3.4"
    if _ATTACHES.fullmatch(shown.strip()):
        return ""
    if makes_factors(code, stated) and may_be_factors(published, produced, shown):
        return "strings in a data frame are factors before R 4.0"
    return ""


def names_other_packages(apart: Sequence[Apart]) -> bool:
    """Whether only names of packages that come with R differ, as of what package a function is.

    Parameters
    ----------
    apart : sequence of Apart
        All that differs.
    """
    named = [re.findall(r"\w+", f"{pair.published} {pair.produced}") for pair in apart]
    return bool(named) and all(map(_PACKAGES.fullmatch, itertools.chain(*named)))


def of_whole_quotients(apart: Sequence[Apart], shown: str, code: str) -> bool:
    """Whether how often a fraction goes into a number differs by one, which R leaves to the platform.

    Parameters
    ----------
    apart : sequence of Apart
        All that differs.
    shown, code : str
        The statement that shows it, and all that it is computed by: 1 is ten times 0.1, or nine times and
        a rest that is as large as the fraction but for rounding, as R's help on arithmetic says.
    """
    operators = set(_QUOTIENTS.findall(shown))
    if not (apart and operators and _FRACTION.search(code)):
        return False
    for pair in apart:
        try:
            one, other = Decimal(pair.published), Decimal(pair.produced)
        except InvalidOperation:
            return False
        rest = "%%" in operators and min(abs(one), abs(other)) < _NOTHING
        if not rest and not ("%/%" in operators and abs(one - other) == 1):
            return False
    return True


def makes_factors(code: str, stated: str) -> bool:
    """Whether what code puts into data frames are factors before R 4.0, where they are texts.

    Parameters
    ----------
    code, stated : str
        Some code, and the version that the document was made with, as far as it says so.
    """
    if "stringsAsFactors" in code or _is_since(stated, (4, 0)):
        return False
    reads = re.search(r"\b(?:read\.(?:csv2?|table|delim)|as\.data\.frame)\(", code)
    made = re.search(r"\b(?:data\.frame|expand\.grid)\(", code)
    # Of numbers alone no frame has texts.
    return reads is not None or (made is not None and _TEXTS.search(code) is not None)


def may_be_other_classes(published: str, produced: str, code: str, stated: str) -> bool:
    """Whether classes that two texts name may be others since R 4.0: a matrix's, or a data frame's texts'.

    Parameters
    ----------
    published, produced : str
        The two texts.
    code, stated : str
        All that they are computed by, and the version that the document was made with, as far as it says so.
    """
    factors = makes_factors(code, stated)
    words = _CLASSES if factors else _OF_ANY_CODE
    if words.search(f"{published} {produced}") is None:
        return False
    named = [tokens_of(without_marks(text)) for text in (published, produced)]
    if not all(kind in ("quoted", "word") for tokens in named for kind, _ in tokens):
        return True
    left, right = (_as_before(tokens, factors=factors) for tokens in named)
    return left == right


def _as_before(tokens: Sequence[tuple[str, str]], *, factors: bool) -> list[str]:
    """Names of classes as they were before R 4.0, with one for factors, their codes and texts where asked."""
    named = [text.strip("\"'") for _, text in tokens]
    bare = [text for text in named if not (text == "array" and "matrix" in named)]
    return ["character" if text == "factor" or (factors and text in _KINDS) else text for text in bare]


def may_be_factors(published: str, produced: str, shown: str) -> bool:
    """Whether one of two texts may show factors where the other shows texts: their form, codes or kind.

    Parameters
    ----------
    published, produced : str
        The two texts.
    shown : str
        The statement that they are of.
    """
    apart = values_apart(published, produced)
    lost = missing_line(published, produced) or missing_line(produced, published)
    # A frame has as many rows, whatever its texts are.
    if lost and _OF_FACTORS.search(_MISSING.sub("", lost)) is None:
        return False
    if apart is None:
        texts = [without_marks(text) for text in (published, produced)]
        quoted, worded = ({pattern.search(text) is None for text in texts} for pattern in (_QUOTED, _WORDED))
        # What both show as often is of what is no factor in one of them alone.
        signs = [Counter(_OF_FACTORS.findall(text)) for text in texts]
        return len(quoted) > 1 or len(worded) > 1 or signs[0] != signs[1]
    kinds = _ASKS_FOR_SHAPES.sub("", shown)
    for pair in apart:
        words = {pair.published.strip("'\""), pair.produced.strip("'\"")}
        if pair.what == "kind" or any(word.isdigit() for word in words if pair.what == "text"):
            return True
        if words <= _KINDS or (pair.what == "truth" and _ASKS_FOR_KINDS.search(kinds)):
            return True
    # Of many numbers one alone is of no summary of a factor beside one of text.
    asks = _COUNTS if len(apart) == 1 and len(tokens_of(produced)) >= _MANY else _CODES
    codes = asks.search(_ARITHMETIC.sub("(", shown))
    return any(pair.what == "number" for pair in apart) and codes is not None


def draws_otherwise(code: str, stated: str) -> bool:
    """Whether what code draws after a seed is another in the version that a document was made with.

    Parameters
    ----------
    code : str
        Some code: `sample()` has given the same since R 3.6, and what torch draws is that library's.
    stated : str
        The version, if it is known.
    """
    return _OF_TORCH.search(code) is not None or (
        _SAMPLES.search(code) is not None and not _is_since(stated, (3, 6))
    )


def _is_since(stated: str, version: tuple[int, int]) -> bool:
    return tuple(int(part) for part in re.findall(r"\d+", stated)[:2]) >= version


def rounds_otherwise(apart: Sequence[Apart]) -> bool:
    """Whether a number that differs may be one that another version rounds to fewer digits or otherwise.

    Parameters
    ----------
    apart : sequence of Apart
        All that differs.
    """
    return any(
        pair.what == "number"
        and (_is_rounded(pair.published, pair.produced) or _is_one_unit(pair.published, pair.produced))
        for pair in apart
    )


def _is_one_unit(left: str, right: str) -> bool:
    """Whether two numbers of as many decimals differ by one in their last."""
    try:
        one, other = Decimal(left), Decimal(right)
    except InvalidOperation:
        return False
    return one.is_finite() and abs(one - other).as_tuple().digits == (1,)


def _is_half(function: str, number: str, digits: str) -> bool:
    """Whether a number that code rounds lies halfway between two, or to how many digits is not known."""
    count = re.fullmatch(r"(?:digits\s*=\s*)?(-?\d+)", digits.strip())
    if count is None:
        return True
    value = abs(Decimal(number))
    places = int(count[1])
    if function == "signif":
        places = max(places, 1) - 1 - value.adjusted()
    return value.scaleb(places) % 1 == _HALF


def _is_rounded(left: str, right: str) -> bool:
    """Whether a number as published is the printed one with four digits or fewer."""
    try:
        one, other = Decimal(left), Decimal(right)
    except InvalidOperation:
        return False
    return one == other or any(one == Context(prec=digits).plus(other) for digits in (2, 3, 4))
