"""Whether a difference looks like a slip of the pen."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.findings.apart import lacks_one, neighbours_turned, places_apart

SEVERAL = 4
_LONG = 5
"""Digits that two draws do not share by chance."""
_NINES = "9" * 8
"""Digits that rounding leaves of a short number."""
_SURE = 3
"""Digits of which one that differs is no chance."""
_STRINGS = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")

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
