"""Whether integers of 32 bits, which some machines compute in, are too small for numbers."""

from __future__ import annotations

import re

from harness.findings.slips import Pairs, of_the_pen

_WORD = 1e9
_ROOT_OF_A_SUM = 1e3
"""A root whose square is a mean of so many squares that their sum is beyond 32 bits."""
_ROOT = re.compile(
    r"\bsqrt\(|\*\*\s*\(?\s*(?:0?\.5\b|1\s*/\s*2)|√|\^\s*\(?\s*(?:0?\.5\b|1\s*/\s*2)|,\s*0?\.5\s*\)"
)
_SQUARE = re.compile(r"(?:\*\*|\^)\s*2\b|\bsquare\(|\bpower\(|\bdot\(|@|\w\s*\.?\*\s*\w")


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
