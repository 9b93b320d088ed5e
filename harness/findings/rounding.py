"""What rounding explains: last digits, what it leaves of zero sums and singular matrices, small numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

ITERATES = re.compile(
    r"\.fit\w*\(|\.train\w*\(|\bminimize\(|\boptimi[sz]e|\boptim\(|\bnls\(|\bglm\(|\bg?lmer\("
    r"|\bkmeans\b|\bnlm\(|\bsolve_ivp"
    r"|\bodeint\(|\bbackward\(\)|\bquad\(|\bintegrate\(|\buniroot\(|\bcurve_fit\(|\bfit\("
    r"|\bnn\.(?!functional\b|\w*(?:Pool\w*|Loss|ReLU6?|Soft(?:max|plus)|Sigmoid|Tanh|Flatten|Identity)\()"
    r"|\bsvd\b|\beigen?\b|\beig\w*\(|\b(?:prcomp|princomp|factanal|cmdscale|qr|PCA|null_space|orth|schur)\b"
    r"|\bcross_val\w*\(|\b(?:fsolve|brentq|least_squares|linprog|roots?|polyroot)\("
)
_SINGLE = re.compile(r"\btorch\b|[fF]loat32|\btensorflow\b|\btf\.|\bjax\b")
_SOLVES = re.compile(r"\b(?:inv|solve|r?cond|kappa|det|pinv|lstsq|lu|qr)\b|\w \\ \w")
_SMALL = re.compile(r"\bu?int(?:8|16|32)\b|\bfloat16\b|\b(?:UI|I)nt(?:8|16|32)\b|\bbyte\b")
_EPSILON = (Decimal(2) ** -52, Decimal(2) ** -23)
"""Of double and of single precision."""
_TERMS = 16
"""Units of rounding that a sum of many terms leaves."""
_NEARLY = 64
"""Units of rounding within which a matrix is singular."""
_FEW_DIGITS, _MANY_DIGITS = 6, 15


def last_digits(pairs: Sequence[tuple[str, str]], code: str) -> str:
    """Say whether all differences are of the last digits, of a sign, or of what rounding leaves of zero.

    Parameters
    ----------
    pairs : sequence of (str, str)
        Numbers as published and as printed; those that agree too.
    code : str
        The code that they are of, with all that it depends on.
    """
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    if not apart:
        return ""
    try:
        values = [(Decimal(left.replace("_", "")), Decimal(right.replace("_", ""))) for left, right in apart]
    except InvalidOperation:
        return ""
    scale = max((abs(value) for pair in values for value in pair), default=Decimal(0))
    if all(left == -right for left, right in values) and len(apart) > 1 and ITERATES.search(code):
        return "only signs differ, which eigenvectors and singular vectors do not determine"
    single_precision = _SINGLE.search(code) is not None
    epsilon = _EPSILON[single_precision]
    around = (abs(Decimal(right.replace("_", ""))) for _, right in pairs if "." in right)
    noise = _TERMS * epsilon * max(Decimal(1), *around, Decimal(0))
    close = []
    for (left, right), (text, _) in zip(values, apart, strict=True):
        largest = max(abs(left), abs(right))
        tiny = largest < Decimal("1e-12")
        digits = len(re.sub(r"[eE].*", "", text).replace(".", "").lstrip("+-0"))
        relative = abs(left - right) / largest if largest else Decimal(0)
        last = digits >= _MANY_DIGITS and relative < Decimal("1e-11")
        single = digits >= _FEW_DIGITS and relative <= Decimal("3e-6") and bool(ITERATES.search(code))
        float32 = single_precision and relative <= Decimal("1e-4") and digits >= 4 and "." in text
        # Of a sum that is nearly zero rounding leaves digits of its own, as small as it is beside its terms.
        short = "e-" in text.lower() or not left or not right
        zero = short and digits != 1 and abs(left - right) <= noise
        # As large as one part of what rounding leaves: what is solved has no solution, but for rounding.
        huge = min(abs(left), abs(right)) * epsilon * _NEARLY > 1 and bool(_SOLVES.search(code))
        close.append(tiny or zero or huge or last or single or float32)
    if all(close):
        return "the last digits of what is computed depend on the machine" if scale else ""
    return ""


def wraps(code: str, language: str) -> bool:
    """Whether code computes in small numbers, whose overflow and rounding changed between versions.

    Parameters
    ----------
    code, language : str
        Some statements, and their language. Julia's whole numbers wrap around alike in all versions.
    """
    return language != "julia" and _SMALL.search(code) is not None
