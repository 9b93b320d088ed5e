"""Numbers as a text writes them, and the forms of printed ones that they may be meant for."""

from __future__ import annotations

import re
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal

from harness.documents.tokens import Number

NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 2
    )
}
"""How English writes small numbers; "one" is seldom a count."""

_TURNED, _ENOUGH, _LONG = 2, 3, 5
"""Digits of a number of which two are turned, of one that may be cut, and of one that a text has longer."""
_LARGEST = Decimal(10) ** 15
"""Numbers beyond it are not looked for."""
_CONTEXT = Context(prec=300)


def plain(number: str) -> str:
    """A number without a percent sign and commas, and with the power of ten as Python writes it."""
    text = number.removesuffix("%").strip().replace(",", "")
    return str(Decimal(text)) if "e" in text.lower() else text


def digits_of(written: str) -> int:
    """Return how many digits a number has, but for zeros in front.

    Parameters
    ----------
    written : str
        As it is written, with its marks.
    """
    return len(re.sub(r"\D", "", written.lower().partition("e")[0]).lstrip("0"))


def rounds_to(printed: Number, written: str) -> bool:
    """Say whether a printed number, rounded to the digits of one in prose, is that number.

    Parameters
    ----------
    printed : Number
        From `read_output`.
    written : str
        As in the prose, with ``%`` where it is a percentage, which may stand for a fraction.
    """
    if printed.value is None or printed.imaginary:
        return False
    value = Decimal(plain(written))
    place = Decimal(1).scaleb(int(value.as_tuple().exponent))
    scales = (1, 100) if written.endswith("%") else (1,)
    for scale in scales:
        exact = _CONTEXT.multiply(printed.value, scale)
        if abs(exact) > _LARGEST:
            continue
        if value in [exact.quantize(place, how, _CONTEXT) for how in (ROUND_HALF_EVEN, ROUND_HALF_UP)]:
            return True
    return False


def forms_of(number: Number, written: str) -> tuple[str, ...]:
    """Return a printed number with as many places as one in prose, rounded and cut; nothing if it has fewer.

    Parameters
    ----------
    number : Number
        From `read_output`. A fraction is made a percentage where the one in prose is one.
    written : str
        As in the prose. Where it has no sign, the printed one's is left out: it falls by 21.
    """
    if number.value is None or number.imaginary or abs(number.value) > _LARGEST:
        return ()
    shift = 2 if written.endswith("%") and abs(number.value) <= 1 else 0
    value, digits = number.value.scaleb(shift, _CONTEXT), plain(written)
    place = Decimal(1).scaleb(int(Decimal(digits).as_tuple().exponent))
    if place < Decimal(1).scaleb(number.place + shift):
        return ()
    signed = written.startswith("-") or digits_of(written) < _TURNED
    value = value if signed else abs(value)
    return tuple(str(value.quantize(place, how, _CONTEXT)) for how in (ROUND_HALF_EVEN, ROUND_DOWN))


def is_form_of(number: Number, written: str) -> bool:
    """Say whether one in prose is a printed number, rounded or cut, or that number with more digits.

    Parameters
    ----------
    number, written : Number, str
        As of `forms_of`.
    """
    return plain(written) in forms_of(number, written) or rounds_to(number, _shortened(number, written))


def like(number: Number, written: str) -> str:
    """Return the form of a printed number that one in a text is but for one digit, or for two in turn.

    Parameters
    ----------
    number : Number
        The printed one.
    written : str
        The one in the text. Turned digits say more than one that is another: of three and more, also where
        the printed one was cut.
    """
    short = _shortened(number, written)
    digits = plain(short)
    forms = forms_of(number, short)[: None if digits_of(written) >= _ENOUGH else 1]
    if turned := next((form for form in forms if are_turned(form, digits)), ""):
        return turned
    # What is known with more digits than it is computed with differs from it in the last ones.
    return next((form for form in forms[: short == written] if is_one_digit_off(form, digits)), "")


def turned_in_short(number: Number, written: str) -> tuple[str, ...]:
    """Return a printed number of four digits with two of which one in a text is turned, in its first four.

    Parameters
    ----------
    number, written : Number, str
        As of `like`. A text has more digits than are printed where its author saw more of them.
    """
    value = Decimal(plain(written))
    finer = int(value.as_tuple().exponent) < number.place < 0 and abs(value) <= _LARGEST
    if number.significant != _LONG - 1 or not finer or written.endswith("%"):
        return ()
    place = Decimal(1).scaleb(number.place)
    short = [str(value.quantize(place, how, _CONTEXT)) for how in (ROUND_HALF_EVEN, ROUND_HALF_UP)]
    forms = forms_of(number, short[0])[:1]
    return tuple(form for form in forms if any(are_turned(form, one) for one in short))


def is_turned(number: Number, written: str) -> bool:
    """Say whether one in a text is a printed number but for two digits that stand in each other's place.

    Parameters
    ----------
    number, written : Number, str
        As of `like`.
    """
    return are_turned(like(number, written), plain(_shortened(number, written)))


def are_turned(one: str, other: str) -> bool:
    """Whether two numbers are the same but for two digits that stand in each other's place.

    Parameters
    ----------
    one, other : str
        Two numbers, as they are written.
    """
    if len(one) != len(other):
        return False
    unlike = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
    return len(unlike) == 2 and unlike[0] == unlike[1][::-1]


def is_one_digit_off(one: str, other: str) -> bool:
    """Whether two numbers are the same but for one digit, or the sign where both have one.

    Parameters
    ----------
    one, other : str
        Two numbers, as they are written.
    """
    return len(one) == len(other) and sum(map(str.__ne__, one, other)) == 1


def _shortened(number: Number, written: str) -> str:
    """What a text says with as many places as are printed, where it has more, and enough are printed."""
    value = Decimal(plain(written))
    place = Decimal(1).scaleb(number.place)
    if number.significant < _LONG or number.place >= 0 or written.endswith("%"):
        return written
    finer = int(value.as_tuple().exponent) < number.place and abs(value) <= _LARGEST
    return str(value.quantize(place, ROUND_HALF_EVEN, _CONTEXT)) if finer else written


def is_round(written: str) -> bool:
    """Say whether a number in a text is a step of five, which may stand for those around it.

    Parameters
    ----------
    written : str
        As it is written, with its marks.
    """
    return plain(written)[-1] in "05"
