"""Long numbers in prose that no output of the document has, and that are one of them but for a slip."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import msgspec

from harness.documents.model import Document
from harness.documents.prose_model import Paragraph
from harness.documents.prose_numbers import is_choice, numbers_written
from harness.documents.written_numbers import (
    are_turned,
    is_form_of,
    like,
    plain,
    rounds_to,
    turned_in_short,
)
from harness.findings.prose import is_compared
from harness.findings.prose_beside import Claim, Output

_MOST = 5_000
"""Printed numbers of a document beyond which a number in prose is like one of them by chance."""
_LONG = 3
"""Digits from which on a number may be meant for one anywhere."""
_CHANCE = 0.02
"""How often a number may be like a printed one by chance, where its digits are drawn."""
_NEAR = 3
"""Chunks on both sides of a paragraph whose numbers it may compute with, and speak of where it is short."""
_FEW = 80
"""Numbers that are computed with."""
_AROUND = 60
_FIRM = 4
"""Digits of a number that no word beside it has to link to where it is printed."""
_SOME = 10
"""Numbers of an output that are taken together."""
_NAMED = re.compile(r"(?:\b[A-Z]{2,}|[#№$€£@]|\b(?:No|no|nr|Nr|ISBN|ID|id|pp?|vol|line|lines|code)\.?)[ -]*$")
"""What stands in front of a number that is a name."""
_ENDS = re.compile(r"[.,;]?\$")
"""What ends a formula that is a number and nothing else."""
_MAGNITUDE = 10.5
_SURE = 7
"""Digits of a number with two turned that no text has beside the right one."""
_LINK = 5
"""How much oftener it may be by chance where words link both."""
_WORD = re.compile(r"[^\W\d_]{4,}")


class _Shown(msgspec.Struct, frozen=True):
    value: float
    output: Output
    place: int


def other_numbers_anywhere(
    document: Document, outputs: Sequence[Sequence[Output]], known: frozenset[str]
) -> Iterator[tuple[Paragraph, Claim]]:
    """Yield numbers of prose that are one printed number but for a digit, or for two that are turned.

    Nothing else of the document is that number, rounded, or computed from what is near; the text does not
    have the printed one itself; among so many numbers of so many digits it is hardly so by chance.

    Parameters
    ----------
    document : Document
        Its prose.
    outputs : sequence of sequence of Output
        Those of each chunk.
    known : frozenset of str
        The numbers of all code and outputs.
    """
    shown = [
        _Shown(abs(float(one.number.value)), output, place)
        for part in outputs
        for output in part
        for place, one in enumerate(output.numbers)
        if one.number.value is not None and not one.number.imaginary
    ]
    if not 0 < len(shown) <= _MOST:
        return
    found = [
        (paragraph, list(numbers_written(paragraph.text)))
        for paragraph in document.prose
        if not is_choice(paragraph.text)
    ]
    often = Counter(plain(one[0]).lstrip("-") for _, numbers in found for one in numbers)
    for paragraph, numbers in found:
        others = [abs(float(plain(one[0].strip()))) for one in numbers]
        for place, one in enumerate(numbers):
            written = one[0].strip()
            told = plain(written).lstrip("-")
            if told in known or often[told] > 1 or _core(told) < _LONG:
                continue
            beside = others[:place] + others[place + 1 :]
            long = [other[0].strip() for other in (*numbers[:place], *numbers[place + 1 :])]
            claim = _meant(paragraph, one, shown, beside, [text for text in long if _core(text) >= _LONG])
            if claim is not None:
                yield paragraph, claim


def _meant(
    paragraph: Paragraph, found: re.Match[str], shown: list[_Shown], others: list[float], long: list[str]
) -> Claim | None:
    """The printed number that one in a paragraph is but for a slip; ``long`` are others of the paragraph."""
    text, written = paragraph.text, found[0].strip()
    digits = plain(written).lstrip("-")
    value, unit = abs(float(digits)), 10.0 ** -len(digits.partition(".")[2])
    scales = (1.0, 100.0) if written.endswith("%") else (1.0,)
    formula = text[found.start() - 1 : found.start()] == "$" and _ENDS.match(text, found.end()) is not None
    if (_NAMED.search(text[: found.start()]) and not formula) or text[found.end() : found.end() + 1] in (
        "-",
        "–",
    ):
        return None
    known = [one.value * scale for one in shown for scale in scales]
    if any(abs(one - rest) < unit for one in known for rest in (value, abs(1 - value), abs(100 - value))):
        return None
    large = [one for one in shown if one.output.sure and _is_as_large(one.value, value, scales)]
    forms = [(like(one.output.numbers[one.place].number, written).lstrip("-"), one) for one in large]
    alike = [pair for pair in forms if pair[0]]
    turned = [pair for pair in alike if _are_neighbours_turned(pair[0], digits)]
    # With as many digits as are printed, it may be turned as well.
    turned = turned or [
        (form, one)
        for one in large
        for form in turned_in_short(one.output.numbers[one.place].number, written)
    ]
    alike = turned or [pair for pair in alike if not are_turned(pair[0], digits)]
    shifted = [] if alike else [one for one in large if _is_shifted(one, written)]
    alike = alike or [(digits, one) for one in shifted]
    together = [pair for pair in alike if _is_among(pair[1], long)]
    alike = together or alike
    if len({one.value for _, one in alike}) != 1:
        return None
    form, one = min(alike, key=lambda pair: abs(pair[1].output.chunk.index - paragraph.after))
    linked = _is_linked(text[max(0, found.start() - _AROUND) : found.end() + _AROUND], one)
    among = len({one.value for one in large})
    if together:
        linked, among = True, len(one.output.numbers)
    if not _is_no_chance(digits, bool(turned or shifted), among, _CHANCE * (_LINK if linked else 1)):
        return None
    near = abs(one.output.chunk.index - paragraph.after) <= _NEAR
    firm = near or _core(digits) >= _FIRM or (bool(shifted) and linked)
    if (not turned and digits[-1] != form[-1]) or not firm:
        return None
    quote = text[max(0, found.start() - _AROUND) : found.end() + _AROUND]
    told = any(abs(other - one.value) < unit for other in others)
    if is_compared(quote, written, form) or (told and not (turned and _core(digits) >= _SURE)):
        return None
    beside = [one.value for one in shown if abs(one.output.chunk.index - paragraph.after) <= _NEAR]
    # Where the text goes through an output, it computes with what it has of it.
    if _is_computed(value, unit, others if together else beside[:_FEW] + others, scales):
        return None
    number = one.output.numbers[one.place].number
    return Claim(found.start(), written, number.text, one.output)


def _is_as_large(shown: float, value: float, scales: tuple[float, ...]) -> bool:
    return any(value < shown * scale * _MAGNITUDE and shown * scale < value * _MAGNITUDE for scale in scales)


def _is_among(shown: _Shown, long: list[str]) -> bool:
    """Whether few numbers are printed with one, and a text has another of them."""
    others = [one.number for place, one in enumerate(shown.output.numbers) if place != shown.place]
    return len(others) < _SOME and any(rounds_to(other, text) for other in others for text in long)


def _is_shifted(shown: _Shown, written: str) -> bool:
    """Whether a fraction has the digits of a printed one, and a zero behind the point more or fewer."""
    number, digits = shown.output.numbers[shown.place].number, plain(written).lstrip("-")
    if written.endswith("%") or "." not in digits or not 0 < shown.value < 1:
        return False
    return any(
        rounds_to(number, shorter) or is_form_of(number, shorter)
        for shorter in (_without_a_zero(digits), _with_a_zero(digits))
        if shorter
    )


def _without_a_zero(digits: str) -> str:
    return f"0.{digits[3:]}" if digits.startswith("0.0") else ""


def _with_a_zero(digits: str) -> str:
    return f"0.0{digits[2:]}" if digits.startswith("0.") else ""


def _are_neighbours_turned(one: str, other: str) -> bool:
    """Whether two digits that stand beside each other, but for a point, are turned."""
    one, other = one.replace(".", ""), other.replace(".", "")
    unlike = [place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]]
    return are_turned(one, other) and unlike[1] - unlike[0] == 1


def _is_linked(quote: str, shown: _Shown) -> bool:
    """Whether words around a number are what the printed one has in front of it, or names in its code."""
    words = {word.lower() for word in _WORD.findall(quote)}
    names = {word.lower() for word in _WORD.findall(shown.output.chunk.code)}
    return bool(words & (names | {shown.output.numbers[shown.place].label}))


def _core(digits: str) -> int:
    """How many digits a number has without zeros at its ends."""
    return len(digits.partition("e")[0].partition("E")[0].replace(".", "").strip("0"))


def _is_no_chance(digits: str, turned: bool, among: int, chance: float) -> bool:
    core = _core(digits)
    like_it = core - 1 if turned else 9 * core
    return among * like_it <= chance * 9 * 10.0 ** (core - 1)


def _is_computed(value: float, unit: float, numbers: list[float], scales: tuple[float, ...]) -> bool:
    """Whether a number comes to the sum, difference, product, quotient or share of two others."""
    for one, other in combinations(numbers, 2):
        results = [one + other, abs(one - other), one * other, (one + other) / 2]
        results += [one / other] if other else []
        results += [other / one] if one else []
        if any(abs(result * scale - value) < unit for result in results for scale in scales):
            return True
        if other and one and any(abs(abs(one - other) / base * 100 - value) < unit for base in (one, other)):
            return True
    return False
