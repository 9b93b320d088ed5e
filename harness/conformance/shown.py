"""The content of a stand-alone script: a stage of one source file, its inputs, and the expected values."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from harness.model import Array, Kind

_WIDTH = 100

FOLLOWS = "The source file follows as it is; then its function is called, and compared with what is expected."
"""The comment at the top of every script."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A stage's function, its inputs by name, and which of its ``outputs`` is looked at, from 0.

    With the outputs' ``names``, a value that names what it has is searched for them.
    """

    function: str
    inputs: tuple[tuple[str, Array], ...]
    output: int
    outputs: int
    names: tuple[str, ...] = ()


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """The expected value, ``high + low``, and the largest error of each element."""

    high: Array
    low: Array
    limit: Array


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """The least and the largest float64 of each element that would print the published digits."""

    least: Array
    most: Array


class OtherSide(msgspec.Struct, frozen=True, kw_only=True):
    """Another function, whose value is expected, and the largest difference of each element."""

    call: Call
    limit: Array


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a script.

    Attributes
    ----------
    title : str
        The first comment.
    notes : tuple of str
        More of them, a line each.
    source : str
        The source file.
    call : Call
        Its function, and what that is given.
    due : Due, Bounds or OtherSide
        What its value is compared with.
    kind : {"float", "complex", "int", "bool"}
        What kind of numbers are expected.
    dtype : {"float64", "float32", "float16"}
        The format of floats, and of the parts of complex numbers.
    nan : bool
        Whether NaN may stand where NaN is expected.
    exact : bool
        Whether zeros must have the sign that is expected.
    left_out : ndarray of bool, optional
        Elements that are not judged.
    declared : tuple of int, optional
        The shape that the case declares, where that is not the shape of what is expected.
    files : bool
        Whether files lie beside the script that the source needs.
    unparsed : bool
        Whether the source is no valid program: the script parses it by itself, for the same message.
    """

    title: str
    notes: tuple[str, ...] = ()
    source: str
    call: Call
    due: Due | Bounds | OtherSide
    kind: Kind = "float"
    dtype: str = "float64"
    nan: bool = False
    exact: bool = False
    left_out: Array | None = None
    declared: tuple[int, ...] | None = None
    files: bool = False
    unparsed: bool = False

    @property
    def limit(self) -> Array:
        """The largest error of each element; not defined for printed digits."""
        assert not isinstance(self.due, Bounds)
        return self.due.limit

    @property
    def shape(self) -> tuple[int, ...]:
        """The expected shape."""
        if self.declared is not None:
            return self.declared
        return (self.due.least if isinstance(self.due, Bounds) else self.due.limit).shape


def head(shown: Shown) -> str:
    """The comments that every script begins with."""
    lines = [shown.title, *shown.notes, FOLLOWS]
    return "".join(f"# {line}\n" for text in lines for line in textwrap.wrap(text, _WIDTH)) + "\n"


def numbers(array: Array, real: Callable[[float], str], quotes: str = '"') -> str:
    """Every number in C order, as a text over several lines; each float is read back bit for bit.

    Of a complex number it is the real part, then the imaginary one.
    """
    flat: Sequence[float | int] = parts(array).ravel().tolist()
    words = [_word(element, real) if isinstance(element, float) else str(int(element)) for element in flat]
    lines = textwrap.wrap(" ".join(words), _WIDTH, break_long_words=False, break_on_hyphens=False)
    text = "\n".join(lines)
    return f"{quotes}{text}{quotes}"


def parts(array: Array) -> Array:
    """The real and the imaginary part of each complex number along one more axis; others as they are."""
    if array.dtype.kind != "c":
        return array
    pairs: Array = np.stack([array.real, array.imag], axis=-1)
    return pairs


def last_first(array: Array) -> str:
    """Return the sizes of an array, the last first: a column-major language then fills it in C order."""
    return ", ".join(map(str, reversed(array.shape)))


def by_column(array: Array) -> bool:
    """Whether an array is column-major in memory: its library may sum it in another order."""
    return array.ndim > 1 and array.flags.f_contiguous and not array.flags.c_contiguous


def _word(value: float, real: Callable[[float], str]) -> str:
    if value != value:
        return "NaN"
    if value in (np.inf, -np.inf):
        return "Inf" if value > 0 else "-Inf"
    return real(value)
