"""Whether code of Julia computes by what all machines and versions round alike: no digit of it is theirs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from harness.findings.flow import NotRead
from harness.findings.julia_flow import julia_parts
from harness.findings.julia_syntax import Token, marked, tokens_with_texts

_FUNCTIONS = """
println print show display string repr @show @assert abs abs2 sqrt √ min max sign float div rem divrem gcd lcm
numerator denominator floor ceil trunc length size push! append! collect zip enumerate eachindex first last
isinteger iseven isodd iszero typeof convert copy zeros ones fill eltype error isempty join
eps typemin typemax prevfloat nextfloat floatmin floatmax realmin realmax
"""
_TYPES = """
Int Int32 Int64 BigInt Integer Float32 Float64 AbstractFloat Rational Real Number Bool String AbstractString
Char Array Vector Any Tuple Nothing
"""
_CONSTANTS = "π pi ℯ Inf NaN nothing true false"
_PLAIN = frozenset((_FUNCTIONS + _TYPES + _CONSTANTS).split())
"""What computes no fraction, or rounds it as IEEE 754 has it; what converts to a type, and constants."""
_NOT_EXACT = frozenset({"\\", ".\\", "'", ".'", "|>", "∘"})
"""Operators that solve, that turn a vector which is then multiplied, or that call what stands behind them."""
_MULTIPLIED_OUT = frozenset({"0", "1", "2", "3"})
"""Powers that are written out as products."""
_BITS, _DIGITS_OF_A_POWER = 53, 4
"""Of a double."""


def is_exact_in_julia(code: str) -> bool:
    """Whether no machine and no version since 0.6 gives code other digits.

    Parameters
    ----------
    code : str
        Some statements, with all that they depend on. Sums of arrays, products of matrices and functions such
        as ``exp`` are computed in an order, or by a library, that is each machine's own.
    """
    return computes_alike(code, frozenset())


@lru_cache(maxsize=2048)
def computes_alike(code: str, besides: frozenset[str]) -> bool:
    """Whether code calls nothing but some functions besides what every machine rounds alike.

    Parameters
    ----------
    code : str
        Some statements, with all that they depend on.
    besides : frozenset of str
        The functions that it may call besides, whatever they round.
    """
    try:
        parts = julia_parts(code)
        opened: list[str] = []
        found = list(marked(tokens_with_texts(code), opened))
    except NotRead:
        return False
    bound = frozenset[str]().union(*(part.sets | part.defines for part in parts))
    read = frozenset[str]().union(*(part.reads | part.inner for part in parts))
    return read <= bound | _PLAIN | besides and not any(
        _rounds_otherwise(found, at) for at in range(len(found))
    )


def _rounds_otherwise(found: Sequence[Token], at: int) -> bool:
    """Whether a token is of something that not all machines round alike."""
    token = found[at]
    if token.kind == "name":
        return token.text in ("im", "Float16") or (token.text.startswith("@") and token.text not in _PLAIN)
    if token.kind != "op":
        return False
    if token.text in ("^", ".^", "^=", ".^="):
        base, power = found[at - 1], found[at + 1].text if at + 1 < len(found) else ""
        return power not in _MULTIPLIED_OUT and not _is_exact_power(base, power)
    return token.text in _NOT_EXACT or (token.text == "[" and _is_a_matrix(found, at))


def _is_exact_power(base: Token, power: str) -> bool:
    """Whether a whole power is of a whole number, or of a fraction, and has all its digits in a double."""
    if base.kind != "number" or not power.isdigit():
        return False
    if base.text.isdigit() or len(power) > _DIGITS_OF_A_POWER:
        return base.text.isdigit()
    try:
        value = Fraction(base.text) ** int(power)
    except ValueError:
        return False
    odd = value.numerator // (value.numerator & -value.numerator or 1)
    return not value.denominator & (value.denominator - 1) and odd.bit_length() <= _BITS


def _is_a_matrix(found: Sequence[Token], at: int) -> bool:
    """Whether what stands in square brackets has rows: its elements stand side by side, or behind ``;``."""
    depth = 0
    for place in range(at, len(found)):
        token, before = found[place], found[place - 1]
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if not depth:
            return False
        if depth > 1 or place == at:
            continue
        if token.text == ";" or token.kind == "newline":
            return True
        begins = token.kind in ("name", "number", "string") or token.text in ("-", "+")
        ended = before.kind in ("name", "number", "string") or before.text in (")", "]", "}")
        sign = token.text not in ("-", "+") or not found[place + 1].blank
        if token.blank and begins and ended and sign:
            return True
    return False
