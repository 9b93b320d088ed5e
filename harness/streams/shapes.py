"""Shapes as each language accepts them, checked before any number is drawn."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from math import prod
from typing import SupportsIndex

from harness.streams.errors import StreamError, StreamTypeError

Shape = SupportsIndex | Sequence[SupportsIndex]

LARGEST = 2**27
"""How many numbers are drawn at once at most: 1 GiB of float64."""

LONGEST_PERMUTATION = 2**24


def as_index(value: object, what: str, refusal: str) -> int:
    """The integer in `value`, or an error that says what the language would do with it."""
    if not isinstance(value, SupportsIndex):
        raise StreamTypeError(f"{what} must be an integer, not {value!r}: {refusal}")
    return operator.index(value)


def as_shape(shape: Shape, refusal: str) -> tuple[int, ...]:
    """`shape` as a tuple of sizes, none of them negative, together small enough to exist in memory."""
    given: object = shape
    if isinstance(given, SupportsIndex):
        given = (given,)
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        raise StreamTypeError(f"a shape is an integer or a tuple of integers, not {shape!r}: {refusal}")
    sizes = tuple(as_index(size, "a size in a shape", refusal) for size in given)
    if any(size < 0 for size in sizes):
        raise StreamError(f"the shape {sizes} has a negative size: {refusal}")
    if prod(sizes) > LARGEST:
        raise StreamError(f"the shape {sizes} asks for {prod(sizes)} numbers; at most {LARGEST} are drawn")
    return sizes


def check_permutation(size: int) -> None:
    """Refuse to shuffle more than can be shuffled in reasonable time."""
    if size > LONGEST_PERMUTATION:
        raise StreamError(f"{size} are to be shuffled; at most {LONGEST_PERMUTATION} are")
