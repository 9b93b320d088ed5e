"""Sums in prose that are written out, and do not come out as the output beside them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from operator import add, mul, sub, truediv

from harness.documents.tokens import Number
from harness.findings.prose_beside import Beside, Claim

_CHAIN = re.compile(
    r"(?P<left>[\d.\s+*/()^{}-]*\d[\d.\s+*/()^{}-]*)=(?![=<>])\s*"
    r"(?P<right>-?\d+(?:\.\d+)?)(?!\w|\.\d|\s*[-+*/^({]|\s*(?:\\[cl]?dots|…|\.\.))"
)
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_TIMES = re.compile(r"\\(?:times|cdot|ast)\b|[×·]")
_SPACE = re.compile(r"\\(?:left|right|,|;|!|quad)")
_OPERATES = re.compile(r"[-+*/^(]")
_CODES: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: truediv,
}
_LARGEST_POWER = 20
_DIGITS = 7
"""Digits of what a division gives, as R prints it."""


def wrong_sums(beside: Beside) -> Iterator[Claim]:
    """Yield the numbers behind an equals sign that are not what stands in front of it comes to.

    Parameters
    ----------
    beside : Beside
        A paragraph and the outputs beside it; one of these holds what it comes to, so that it is plain
        arithmetic, and none holds what is written.
    """
    text = _read(beside.paragraph.text)
    for found in _CHAIN.finditer(text):
        left = found["left"].strip()
        # What is written in brackets ends with them, not with the sum.
        left = left.lstrip("( ") if left.count("(") > left.count(")") == 0 else left
        value = _value(left) if _stands_alone(text, found, left) else None
        written = found["right"]
        half = Fraction(1, 2 * 10 ** len(written.partition(".")[2]))
        if value is None or abs(value - Fraction(written)) <= half or beside.holds(written):
            continue
        for output in beside.outputs:
            shown = [one.number for one in output.numbers if output.sure and not one.number.imaginary]
            same = next((one for one in shown if _is(one, value)), None)
            if same is not None:
                # Where it stands in the text that is read is about where it stands in the paragraph.
                yield Claim(min(found.start(), len(beside.paragraph.text)), written, same.text, output)
                break


def _is(shown: Number, value: Fraction) -> bool:
    """Whether a printed number is a value, or the value with as many digits as a computer prints."""
    if shown.value is None:
        return False
    apart = abs(Fraction(str(shown.value)) - value)
    return not apart or (shown.significant >= _DIGITS and apart < abs(value) / 10**_DIGITS)


def _read(text: str) -> str:
    plain = _SPACE.sub("", _TIMES.sub("*", text.replace("−", "-")))
    return _FRACTION.sub(r"((\1)/(\2))", plain)


def _stands_alone(text: str, found: re.Match[str], left: str) -> bool:
    """Whether what is in front of the equals sign is all of that side, and a sum at all."""
    before = text[: found.start()].rstrip()
    if not _OPERATES.search(left.lstrip("-")) or left[0] in "+*/^)}-.":
        return False
    apart = found["left"][0].isspace() or before != text[: found.start()]
    return not before or not (before[-1] in "+*/^(-_{}\\," or (not apart and re.match(r"[\w)]", before[-1])))


def _value(text: str) -> Fraction | None:
    code = text.replace("^", "**").replace("{", "(").replace("}", ")")
    code = re.sub(r"\)\s*(?=\d)", ")*", re.sub(r"(?<=[\d)])\s*\(", "*(", code))
    try:
        return _of(ast.parse(code, mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError):
        return None


def _of(node: ast.expr) -> Fraction:
    match node:
        case ast.Constant(value=int() | float() as value):
            return Fraction(str(value))
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_of(inner)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            power = _of(right)
            if power.denominator != 1 or abs(power) > _LARGEST_POWER:
                raise ValueError
            return _of(left) ** int(power)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _CODES:
            return _CODES[type(op)](_of(left), _of(right))
    raise ValueError
