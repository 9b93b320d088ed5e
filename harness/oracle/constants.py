"""Constants that a reference computes: what rounding does to plain numbers, outside of the oracle's arrays.

A literal is the number that Python reads. A result of arithmetic on literals, such as ``0.1 + 0.2`` or
``np.arange(8) * np.pi / 16``, stays a plain number if it is exact and short, as 3 / 4 is. Any other result
becomes a number of the oracle, with its true value and its error. Comparisons of constants alone use the
numbers that the reference has (`OracleArray.plain`).

A stage that returns a number computed from constants alone, as a share of counts is, is evaluated once more
with `every_quotient`: a quotient of two integers may be off by LAMBDA roundings there, also where it happens
to be exact. Counts have no error that would be followed: an F1 score of 2 / 16 is 0.125 by its counts, and
0.12500000000000003 by precision and recall.
"""

from __future__ import annotations

import contextlib
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from harness.oracle.complex_arrays import ComplexArray, is_complex
from harness.oracle.draws import LAMBDA
from harness.oracle.exact import is_exact
from harness.oracle.formats import FLOAT32
from harness.oracle.oracle_array import OracleArray
from harness.oracle.sampling import NUMBERS, too_many
from harness.oracle.texts import written
from harness.oracle.unknown import NotUnderstood, Unknown

Kind = type[OracleArray]

PLAIN = (int, float, complex, np.number, np.ndarray)


def constant(kind: Kind, value: Any) -> Any:
    """Plain real numbers as an array of the oracle."""
    if isinstance(value, int) and abs(value) >> 63:
        # NumPy has no such integer.
        value = float(value)
    made = kind.gather(value)
    return made.standing(np.asarray(value, dtype=np.float64)[()]) if isinstance(made, OracleArray) else made


def known(made: Any, result: Any) -> Any:
    """A number of the oracle, together with the plain numbers that the reference has for it."""
    if not isinstance(made, OracleArray):
        return made
    made.knowing(np.asarray(result)[()])
    return made.weakly() if type(result) in (float, int) else made


def operated(kind: Kind, name: str, left: Any, right: Any) -> Any:
    """The result of an operator; a number of the oracle where plain numbers are rounded.

    Parameters
    ----------
    kind : type
        The arithmetic.
    name : str
        The operator's name in the module operator; with an i before it, the operator in place.
    left, right : object
        Its operands.
    """
    operate: Callable[[Any, Any], Any] = getattr(operator, name)
    if isinstance(left, str):
        return _printed(left, right) if name == "mod" else operate(left, right)
    if not (isinstance(left, PLAIN) and isinstance(right, PLAIN)):
        return operate(left, right)
    plainly = name.removeprefix("i") if name[1:] in _OPERATORS else name
    if name == "mod" or name == "imod":
        return operate(left, right)
    with np.errstate(all="ignore"):
        result = getattr(operator, plainly)(left, right)
    in_place = plainly != name and isinstance(left, np.ndarray)
    if kind.every_quotient and plainly == "truediv" and not in_place and _is_share(left, right, result):
        return known(_share(kind, float(result)), result)
    if not _rounds(plainly, left, right, result):
        return operate(left, right) if in_place else result
    if in_place:
        raise NotUnderstood(f"{_SIGNS[plainly]}= on an array of constants")
    return _followed(kind, plainly, left, right, result)


def added(kind: Kind, many: Iterable[Any], /, start: Any = 0) -> Any:
    """Python's sum."""
    total = start
    for term in many:
        total = operated(kind, "add", total, term)
    return total


@contextlib.contextmanager
def luckless(kind: Kind) -> Iterator[None]:
    """Let quotients of whole numbers be off by some roundings, also those that happen to be exact."""
    kind.every_quotient = True
    try:
        yield
    finally:
        kind.every_quotient = False


def of_constants(value: Any) -> bool:
    """Whether a result, or a part of it, has numbers that are computed from constants alone."""
    if isinstance(value, (tuple, list)):
        return any(map(of_constants, value))
    if isinstance(value, Mapping):
        return any(map(of_constants, value.values()))
    if isinstance(value, OracleArray):
        return value.plain is not None
    return isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")


def _is_share(left: Any, right: Any, result: Any) -> bool:
    """Whether a result is a finite quotient of two integers."""
    return all(isinstance(number, (int, np.integer)) for number in (left, right)) and math.isfinite(result)


def _share(kind: Any, value: float) -> Any:
    return kind.within(np.float64(value), LAMBDA * kind.unit * abs(value))


def _rounds(name: str, left: Any, right: Any, result: Any) -> bool:
    """Whether a result is rounded, or is exact only because of its long operands, as 2 * pi / 7 is."""
    if is_complex(result):
        return not (all(map(_is_short, _parts(result))) and _exactly_complex(name, left, right, result))
    if np.asarray(result).dtype.kind != "f" or not np.isfinite(result).any():
        return False
    return not (_is_short(result) and is_exact(name, left, right, result))


def _is_short(result: Any) -> bool:
    """Whether float32 represents a number; one that it does not may differ in another language."""
    short: Any = FLOAT32.holds(np.asarray(result, dtype=np.float64))
    return bool(np.all(short))


def _followed(kind: Kind, name: str, left: Any, right: Any, result: Any) -> Any:
    operate = getattr(operator, name)
    if np.size(result) > NUMBERS and issubclass(kind, OracleArray):
        raise Unknown(too_many(np.size(result)))
    if is_complex(result):
        kind = kind.of(np.asarray(result).dtype)
        return operate(ComplexArray.lifted(kind, left), ComplexArray.lifted(kind, right))
    kind = kind.of(np.asarray(result).dtype)
    made = operate(constant(kind, left), constant(kind, right))
    finite = np.isfinite(result)
    if not np.all(finite):
        made[~finite] = result[~finite]
    made = known(made, result)
    if name == "truediv" and isinstance(made, OracleArray) and _is_short(left) and _is_short(right):
        # IEEE 754 rounds a quotient correctly.
        made.as_written()
    return made


def _exactly_complex(name: str, left: Any, right: Any, result: Any) -> bool:
    """Whether each part is one exact product; False where that is not known."""
    x, y, z = (_parts(number) for number in (left, right, result))
    if name in ("add", "sub"):
        return all(is_exact(name, *three) for three in zip(x, y, z, strict=True))
    if name == "truediv" and not np.any(y[1]):
        return all(is_exact(name, part, y[0], its) for part, its in zip(x, z, strict=True))
    if name != "mul":
        return False
    for factor, other in ((x, y), (y, x)):
        if not np.any(factor[1]):
            return all(is_exact(name, factor[0], part, its) for part, its in zip(other, z, strict=True))
        if not np.any(factor[0]):
            turned = (-other[1], other[0])
            return all(is_exact(name, factor[1], part, its) for part, its in zip(turned, z, strict=True))
    return False


def _parts(number: Any) -> tuple[Any, Any]:
    array = np.asarray(number)
    return (array.real, array.imag) if array.ndim else (array.real.item(), array.imag.item())


def _printed(how: str, right: Any) -> Any:
    """The text of ``how % right``."""
    many = right if isinstance(right, tuple) else (right,)
    if not any(isinstance(value, OracleArray) and not value.ndim for value in many):
        return how % right
    return written(lambda *numbers: how % numbers, *many)


_SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**", "matmul": "@", "mod": "%"}
_OPERATORS = frozenset(_SIGNS)
