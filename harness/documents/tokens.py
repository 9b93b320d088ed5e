"""Printed output as numbers, shapes, words, elisions and groups of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Context, Decimal

import msgspec

EXACT = Context(prec=400, Emax=10**6, Emin=-(10**6))
"""In which no digit of a printed number is lost: the usual one has 28."""
_LONGEST = 80
_LONGEST_TYPE = 200
ADDRESS = (
    r"(?:(?<=@)|(?<=@\s)|(?<=<)|(?<=\bat\s)|(?<=environment:\s)|(?<=bytecode:\s)|(?<=pointer:\s))"
    r"0x[0-9a-fA-F]+\b|\b0x0*[1-9a-fA-F][0-9a-fA-F]{8,}\b"
)
"""Where something lies in memory, by the words before it or its length: shorter ones are whole numbers."""
_TOKEN = re.compile(
    rf"(?P<address>{ADDRESS})"
    r"""
  | torch\.Size\(\[(?P<shape>[\d,\s]*)\]\)
  | (?P<hexadecimal>\b0x[0-9a-fA-F]+\b)
  | (?P<type>(?<![\w.])[A-Z]\w*(?:\.\w+)*(?=\{))
  | (?P<number>(?<![\w.])[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eEf][-+]?\d{1,4})?)(?P<imaginary>im|[ij])?(?!\w|\.\d)
  | (?P<special>(?<![\w.])[-+]?(?:NaN|nan|Inf|inf|NA))(?:16|32)?(?P<imagined>im|[ij])?(?!\w|\.\w)
  | (?P<elision>\.{3}|[…⋮⋱])
  | (?P<bracket>[\[\](){}])
  | (?P<word>\w+(?:\.\w+)*)
  | (?P<other>\S)
    """,
    re.VERBOSE,
)
ELISION_LINE = re.compile(r"[\s#]*(?:[⋮⋱…]|\.{3,}|\[\.\.\.\])[\s⋮⋱…]*")


class Number(msgspec.Struct, frozen=True):
    """A printed number.

    ``value`` is None for NaN, NA and infinities, which ``special`` names. ``decimals`` are the digits after
    the point, ``place`` the power of ten of the last printed digit, ``significant`` the digits from the
    first that is not zero. ``fixed`` says that its printer keeps one number of decimals for all numbers;
    ``scale`` is the power of ten that stands above it, ``imaginary`` the unit behind it.
    """

    text: str
    line: int
    value: Decimal | None
    special: str = ""
    decimals: int = 0
    place: int = 0
    significant: int = 0
    fixed: bool = False
    scale: int = 0
    imaginary: str = ""


class Word(msgspec.Struct, frozen=True):
    """Text to be compared as it stands; ``raw`` is what was printed, where spellings vary."""

    text: str
    line: int
    raw: str = ""


class Shape(msgspec.Struct, frozen=True):
    """A printed shape, with the type and the element type that were printed with it, if any."""

    text: str
    line: int
    dims: tuple[int, ...]
    element: str = ""
    type: str = ""


class Elision(msgspec.Struct, frozen=True):
    """A place where the printer, or the author, left something out."""

    line: int


class Group(msgspec.Struct, frozen=True):
    """Items inside one pair of brackets, one row, one matrix or one vector.

    ``commas`` are how many items stand in front of each.
    """

    kind: str
    line: int
    items: tuple[Item, ...]
    commas: tuple[int, ...] = ()


Item = Number | Word | Shape | Elision | Group


def lex(text: str, line: int, *, fixed: bool = False, scale: int = 0) -> Iterator[Item]:
    """Split one line of print; brackets come out as words."""
    position = 0
    while token := _TOKEN.search(text, position):
        position = token.end()
        match token.lastgroup:
            case "shape":
                dims = tuple(int(size) for size in re.findall(r"\d+", token["shape"]))
                yield Shape(token[0], line, dims)
            case "address":
                yield Word("0x", line, token[0])
            case "hexadecimal":
                yield Number(token[0], line, Decimal(int(token[0], 16)), fixed=fixed)
            case "type":
                position = _braces(text, position)
                raw = text[token.start() : position]
                yield Word(canonical_type(raw), line, raw)
            case "elision":
                yield Elision(line)
            case _ if token["number"] and len(token["number"]) <= _LONGEST:
                yield number(token["number"], line, fixed, scale, imaginary=token["imaginary"] or "")
            case _ if token["special"]:
                special = token["special"].lower().lstrip("+")
                yield Number(
                    token["special"], line, None, special, fixed=fixed, imaginary=token["imagined"] or ""
                )
            case _:
                yield Word(token[0], line)


def number(text: str, line: int, fixed: bool, scale: int, *, imaginary: str = "") -> Number:
    """Read one finite number, scaled by a power of ten that was printed apart from it."""
    value = Decimal(text.replace("f", "e"))
    mantissa = re.split("[eEf]", text.lstrip("+-"))[0]
    digits = mantissa.replace(".", "").lstrip("0")
    exponent = value.as_tuple().exponent
    place = exponent if isinstance(exponent, int) else 0
    return Number(
        text,
        line,
        EXACT.scaleb(value, scale),
        decimals=len(mantissa.partition(".")[2]),
        place=place + scale,
        significant=len(digits),
        fixed=fixed,
        scale=scale,
        imaginary=imaginary,
    )


def canonical_type(text: str) -> str:
    """Spell a Julia type as the newest versions do, without spaces and modules.

    Returns
    -------
    str
        For example ``Vector{Float32}`` for ``Array{Float32, 1}``.
    """
    text = re.sub(r"\s+", "", text)
    text = re.sub(r"\b\w+\.(?=[A-Z])", "", text)
    text = re.sub(r"\bComplexF(16|32|64)\b", r"Complex{Float\1}", text)
    before = ""
    while before != text:
        before = text
        text = re.sub(r"\bArray\{((?:[^{}]|\{[^{}]*\})*),1\}", r"Vector{\1}", text)
        text = re.sub(r"\bArray\{((?:[^{}]|\{[^{}]*\})*),2\}", r"Matrix{\1}", text)
    return text.replace("BitArray{1}", "BitVector").replace("BitArray{2}", "BitMatrix")


def _braces(text: str, start: int) -> int:
    depth = 0
    for at in range(start, min(len(text), start + _LONGEST_TYPE)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    return start
