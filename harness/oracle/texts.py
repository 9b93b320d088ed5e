"""Numbers written as text: decided where both bounds of a number give the same digits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from harness.oracle.oracle_array import OracleArray
from harness.oracle.searching import between
from harness.oracle.unknown import Undecided

AS_TEXT = "a number as text"


class UndecidedText(str):
    """A text whose digits rounding can change; any use of them except printing raises `Undecided`.

    It begins with a tilde, so that no function reads it as a number.

    Attributes
    ----------
    number : OracleArray
        The first number that is written, undecided.
    why : str
        The undecided operation, with its line.
    """

    number: OracleArray
    why: str

    def _undecided(self, *_: Any, **__: Any) -> NoReturn:
        raise Undecided(self.why)

    __float__ = __int__ = __index__ = __complex__ = _undecided
    __len__ = __getitem__ = __iter__ = __contains__ = __hash__ = _undecided
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _undecided
    split = strip = lstrip = rstrip = replace = partition = rpartition = _undecided
    find = rfind = index = rindex = count = startswith = endswith = _undecided


def written(write: Callable[..., str], *values: Any) -> str:
    """The text that a function writes of numbers, some of them of the oracle.

    Parameters
    ----------
    write : callable
        A function of as many arguments; numbers of the oracle are replaced by numbers of their format.
    *values : object
        The numbers, and other arguments.
    """
    numbers = [value for value in values if isinstance(value, OracleArray)]
    ends = [_ends(value) if isinstance(value, OracleArray) else (value, value) for value in values]
    if all(end is not None for end in ends):
        low, high = (write(*(end[side] for end in ends if end is not None)) for side in (0, 1))
        if low == high:
            return low
    text = UndecidedText("~" + write(*(_nearest(value) for value in values)))
    text.number = numbers[0].spoiled(np.ones((), dtype=bool))
    text.why = numbers[0].branches.located(AS_TEXT)
    return text


def _ends(number: OracleArray) -> tuple[Any, Any] | None:
    """The bounds of a number in its format; None where it has no bounds."""
    low, high = between(number)
    if np.isnan(number.nearest()):
        return (np.nan, np.nan)
    if np.isnan(low) or np.isnan(high):
        return None
    with np.errstate(over="ignore"):
        return number.dtype.type(low), number.dtype.type(high)


def _nearest(value: Any) -> Any:
    return value.nearest().item() if isinstance(value, OracleArray) else value
