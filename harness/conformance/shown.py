"""The content of a stand-alone script: a stage of one source file, its inputs, and the expected values."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from harness.model import Array, Kind
from harness.numerics.missing import NO_TEXT, is_missing

_WIDTH = 100

FOLLOWS = "The source file follows as it is; then its function is called, and compared with what is expected."
"""The comment at the top of every script."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A stage's function, its inputs by name, and which of its ``outputs`` is looked at, from 0.

    With the outputs' ``names``, a value that names what it has is searched for them. ``how`` is what a worker
    is told of a stage that is no function of plain arrays: see `harness.conformance.coded.signature_of`; the
    inputs are arrays of numbers then, as a worker takes them, or None where an optional one is left out.
    """

    function: str
    inputs: tuple[tuple[str, Array | None], ...]
    output: int
    outputs: int
    names: tuple[str, ...] = ()
    how: Mapping[str, Any] = {}


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
    form : {"", "text", "date", "time", "missing"}
        What the value is, where it is no plain array of numbers: texts, days, microseconds, or numbers of
        which some may be missing.
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
    form: Literal["", "text", "date", "time", "missing"] = ""

    @property
    def hows(self) -> dict[str, Mapping[str, Any]]:
        """The stages that are called otherwise than functions of plain arrays, and how."""
        calls = [self.call, self.due.call] if isinstance(self.due, OtherSide) else [self.call]
        return {call.function: call.how for call in calls if call.how}

    @property
    def needs_values(self) -> bool:
        """Whether what makes values of arrays is needed in the script."""
        return bool(self.hows) or bool(self.form)

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
    gone = missing_in(array).ravel()
    words = ["NA" if lost else word for word, lost in zip(words, gone, strict=True)] if gone.any() else words
    lines = textwrap.wrap(" ".join(words), _WIDTH, break_long_words=False, break_on_hyphens=False)
    text = "\n".join(lines)
    return f"{quotes}{text}{quotes}"


def parts(array: Array) -> Array:
    """The real and the imaginary part of each complex number along one more axis; others as they are."""
    if array.dtype.kind != "c":
        return array
    pairs: Array = np.stack([array.real, array.imag], axis=-1)
    return pairs


def missing_in(array: Array) -> npt.NDArray[np.bool_]:
    """Which numbers are missing, and not merely NaN."""
    is_real = array.dtype == np.float64
    return is_missing(array) if is_real else np.zeros(parts(array).shape, dtype=bool)


def quoted(array: Array, missing: str) -> list[str]:
    """Texts in C order, as they are written in Python, R and Julia; ``missing`` is for what is missing."""
    flat = array.ravel().tolist()
    return [missing if text == chr(NO_TEXT) else json.dumps(text, ensure_ascii=False) for text in flat]


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
