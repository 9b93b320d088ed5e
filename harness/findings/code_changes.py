"""What may have stood in code before one small change: another number, sign, or function of the same kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal

import msgspec

from harness.documents.model import Chunk
from harness.findings.apart import tokens_of
from harness.findings.random_numbers import seeds, without_comments
from harness.findings.stands_for import may_stand_for

_NUMBER = re.compile(r"(?<![\w.])(?P<digits>\d+)(?P<point>\.?)(?![\w.])")
_SEEDED = re.compile(
    r"(?:seed!?\(|RandomState\(|default_rng\(|random\.Random\(|(?:MersenneTwister|Xoshiro|StableRNG|PRNGKey)\("
    r"|\b(?i:random_state|random_seed|seed)\s*(?:=|<-)\s*)(?P<digits>\d+)(?![\w.])"
)
_COMMON = (0, 1, 42, 123, 1234, 12345, 2, 10, 100, 3, 5, 7, 111, 321)
"""Seeds that many authors take."""
_MOST = 3
"""Values that are printed and not published, or the other way round, which another literal makes so."""
_DATE = re.compile(
    r"\b\d{4}[-/]\d{1,2}[-/]\d{1,2}\b|\b(?:Date|DateTime|datetime|ISOdate|mktime|strptime|as\.POSIX[cl]t)\("
)
_PLACE = re.compile(r"zone|\btz|utc|stamp|local|mktime|now\(|today\(", re.IGNORECASE)
"""What gives Python's dates a place, where a day begins at another time."""
_COUNT = r"[^\W\d]\w*(?:\(\w+\))?"
_DIVIDED = re.compile(
    rf"(?<=/)(?P<blank>\s*)(?:\(\s*(?P<less>{_COUNT}) ?- ?1\s*\)|(?P<count>{_COUNT})(?![\w.(\[]))"
)
"""What something is divided by, such as a variance, by how many there are or by one less."""
_COMPARES = re.compile(r"(?<=\s)[<>]=?(?=\s)")
_COMPUTES = re.compile(r"(?<=\s)[-+*](?==?\s)")
_OTHER_SIGN = {"+": "-", "-": "+", "*": "+"}
_TRUTH = re.compile(
    r"\b(?:decreasing|na\.rm|replace|reverse|rev|endpoint|keepdims|ascending|lower\.tail|var\.equal|equal_var|paired"
    r"|byrow|header|drop|simplify|sorted|stringsAsFactors)\s*=\s*(TRUE|FALSE|True|False|true|false|T|F)\b"
)
"""An argument that is set or not, and that all versions heed."""
_FRACTION = re.compile(r"(?<![\w.])\d+\.(?P<decimals>\d{1,3})(?![\w.])")
_OTHER_TRUTH = {"TRUE": "FALSE", "True": "False", "true": "false", "T": "F"}
_OTHER_TRUTH |= {other: one for one, other in _OTHER_TRUTH.items()}
_STEPS = (1, -1, 2, -2)
_FAR = (3, -3, 4, -4, 5, -5, 6, -6, 10, -10)
_SISTERS = (
    ("mean", "median"),
    ("min", "max"),
    ("minimum", "maximum"),
    ("sum", "prod"),
    ("head", "tail"),
    ("first", "last"),
    ("upper", "lower"),
    ("toupper", "tolower"),
    ("uppercase", "lowercase"),
    ("any", "all"),
    ("floor", "ceil"),
)
_OTHER_NAME = {one: other for pair in _SISTERS for one, other in (pair, pair[::-1])}
_CALLED = re.compile(r"(?<![\w])(?:" + "|".join(_OTHER_NAME) + r")(?=\()")


class Change(msgspec.Struct, frozen=True):
    """One place of the code of a chunk, its line counted from 1, and what may have stood there."""

    index: int
    line: int
    start: int
    old: str
    new: str


def changes_of(chunk: Chunk, needed: str = "") -> Iterator[Change]:
    """Yield what may have stood in a chunk's code before one change, from its last line up.

    Parameters
    ----------
    chunk : Chunk
        Its whole numbers may have been one or two more or less, ten times or twice as large or small, its
        fractions one more or less in a digit, its comparisons strict or not, sums differences, a divisor one
        less, an argument not set, and a function its sister, such as `min` and `max`.
    needed : str, optional
        All code of which its own is a part.
    """
    placed = chunk.language != "python" or _PLACE.search(needed or chunk.code) is not None
    lines = without_comments(chunk.code).split("\n")
    for line in range(len(lines), 0, -1):
        code = lines[line - 1]
        # What another seed gives may be the same by chance.
        if seeds(code, chunk.language) or (placed and _DATE.search(code)):
            continue
        for found in _NUMBER.finditer(code):
            for other in _others(int(found["digits"])):
                yield Change(chunk.index, line, found.start(), found[0], f"{other}{found['point']}")
        for found in _FRACTION.finditer(code):
            for fraction in _other_fractions(Decimal(found[0])):
                yield Change(chunk.index, line, found.start(), found[0], fraction)
        for found in _TRUTH.finditer(code):
            yield Change(chunk.index, line, found.start(1), found[1], _OTHER_TRUTH[found[1]])
        for found in _DIVIDED.finditer(code):
            divisor = found["less"] or f"({found['count']} - 1)"
            yield Change(chunk.index, line, found.end("blank"), found[0].strip(), divisor)
        for found in _COMPARES.finditer(code):
            strict = found[0][0]
            yield Change(
                chunk.index, line, found.start(), found[0], strict if found[0] != strict else f"{strict}="
            )
        for found in _COMPUTES.finditer(code):
            yield Change(chunk.index, line, found.start(), found[0], _OTHER_SIGN[found[0]])
        for found in _CALLED.finditer(code):
            yield Change(chunk.index, line, found.start(), found[0], _OTHER_NAME[found[0]])


def far_changes_of(chunk: Chunk) -> Iterator[Change]:
    """Yield whole numbers further from those of a chunk's code, which other values may be of by chance.

    Parameters
    ----------
    chunk : Chunk
        Its seeds and days are left out.
    """
    for line, code in enumerate(without_comments(chunk.code).split("\n"), 1):
        if seeds(code, chunk.language) or _DATE.search(code):
            continue
        for found in _NUMBER.finditer(code):
            for other in (int(found["digits"]) + step for step in _FAR):
                if other >= 0:
                    yield Change(chunk.index, line, found.start(), found[0], f"{other}{found['point']}")


def _others(number: int) -> Iterator[int]:
    """Yield the whole numbers that one may have been."""
    shares = (number // by for by in (10, 2) if number % by == 0)
    others = (*(number + step for step in _STEPS), 10 * number, *shares, 2 * number)
    yield from (other for other in dict.fromkeys(others) if other >= 0 and other != number)


def _other_fractions(number: Decimal) -> Iterator[str]:
    """Yield the fractions that one may have been."""
    unit = Decimal(1).scaleb(number.adjusted() if number else 0)
    last = Decimal((0, (1,), int(number.as_tuple().exponent)))
    steps = (last, -last, unit, -unit, Decimal(1), Decimal(-1))
    others = (*(number + step for step in steps), number * 10, number / 10)
    yield from (f"{other:f}" for other in dict.fromkeys(others) if other >= 0)


def seeds_of(chunk: Chunk) -> Iterator[Change]:
    """Return the seeds that may have stood in a chunk's code: the next ones, and those that are common.

    Parameters
    ----------
    chunk : Chunk
        Of its seeds, those that are written as a number.
    """
    return _with_seeds(chunk, lambda mine: (*(int(mine) + step for step in _STEPS), *_COMMON))


def seeds_in(code: str) -> list[str]:
    """Return the seeds that are written as numbers in some code.

    Parameters
    ----------
    code : str
        The code.
    """
    return [found["digits"] for found in _SEEDED.finditer(code)]


def mistyped_seeds_of(chunk: Chunk) -> Iterator[Change]:
    """Return the seeds that a slip of the hand makes of one: two digits turned, one lost or too many.

    Parameters
    ----------
    chunk : Chunk
        Of its seeds, those that are written as a number.
    """
    return _with_seeds(chunk, lambda mine: (int(text) for text in _mistyped(mine) if text))


def _with_seeds(chunk: Chunk, others: Callable[[str], Iterable[int]]) -> Iterator[Change]:
    """Yield the changes of a chunk's seeds to others, which a function gives for the digits of one."""
    for line, code in enumerate(without_comments(chunk.code).split("\n"), 1):
        for found in _SEEDED.finditer(code):
            mine = found["digits"]
            for other in dict.fromkeys(others(mine)):
                if other >= 0 and other != int(mine):
                    yield Change(chunk.index, line, found.start("digits"), mine, str(other))


def _mistyped(digits: str) -> Iterator[str]:
    for at in range(len(digits)):
        yield digits[:at] + digits[at + 1 : at + 2] + digits[at] + digits[at + 2 :]
        yield digits[:at] + digits[at + 1 :]
        yield digits[: at + 1] + digits[at:]
    yield digits + "0"


def literals_of(chunk: Chunk, published: str, printed: str) -> Iterator[Change]:
    """Yield what may have stood in place of a number or a word of code that is printed and not published.

    Parameters
    ----------
    chunk : Chunk
        Code that an output is computed by.
    published, printed : str
        The output: one of the values that are published and not printed may have stood there, or, of a value
        that is printed and must not be there, any other.
    """
    shown, made = (
        dict.fromkeys(token.strip("\"'") for kind, token in _with_inner(tokens_of(text)) if kind != "other")
        for text in (published, printed)
    )
    lost = [token for token in made if token not in shown]
    others = [token for token in shown if token not in made]
    # Another name in code gives other numbers all over, and its own in one place.
    for number in (True, False):
        olds, news, any_ = (
            [token for token in tokens if _is_number(token) is number] for tokens in (lost, others, shown)
        )
        if 0 < len(olds) <= _MOST and len(news) <= _MOST:
            yield from _exchanged_in(chunk, olds, news or any_)


def _with_inner(tokens: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield tokens, and those that stand within quotation marks."""
    for kind, token in tokens:
        yield kind, token
        if kind == "quoted":
            yield from tokens_of(token[1:-1])


def _is_number(token: str) -> bool:
    return re.fullmatch(r"[-+]?\.?\d[\w.]*", token) is not None


def _exchanged_in(chunk: Chunk, olds: Sequence[str], news: Sequence[str]) -> Iterator[Change]:
    for line, code in enumerate(without_comments(chunk.code).split("\n"), 1):
        for old in olds:
            for found in re.finditer(rf"(?<![\w.]){re.escape(old)}(?![\w.])", code):
                for new in news:
                    if not may_stand_for(new, old):
                        yield Change(chunk.index, line, found.start(), old, new)


def likely_first(published: str, changes: Iterable[Change]) -> list[Change]:
    """Return changes in their order, but likely ones in front.

    Parameters
    ----------
    published : str
        What the code has to print with one of them.
    changes : iterable of Change
        First come those that make a number which is published of one that is not; last, a number that is two
        more or less.
    """
    shown = set(re.findall(r"\d+", published))

    def rank(change: Change) -> int:
        if change.new.rstrip(".") in shown and change.old.rstrip(".") not in shown:
            return 0
        return 2 if change.old[0].isdigit() and abs(float(change.new) - float(change.old)) > 1 else 1

    return sorted(changes, key=rank)
