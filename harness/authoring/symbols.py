"""Letters for the sizes of a new case, and the kinds of its numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from harness.model import Array, Kind, Shape

KINDS: Mapping[str, Kind] = {"f": "float", "c": "complex", "i": "int", "u": "int", "b": "bool"}
_LETTERS = ("n", "d", "k", "m", "p", "q", "r", "s", "t", "u", "v", "w")


class Symbols:
    """Letters for sizes: those that are the same in every sample are one letter."""

    def __init__(self, taken: set[str]) -> None:
        more = (f"n{number}" for number in itertools.count(1))
        self._free: Iterator[str] = (name for name in itertools.chain(_LETTERS, more) if name not in taken)
        self._known: dict[tuple[int, ...], str] = {}
        self._has_empty_input = False

    def shape(self, arrays: Sequence[Array], *, is_input: bool = False) -> Shape:
        """The shape of one array in every sample, with letters; a size that is always 1 stays that.

        So does one that is always 0 of an input. Of an output it is a result, a letter of its own, unless an
        input is empty too.
        """
        sizes = [tuple(each) for each in zip(*(array.shape for array in arrays), strict=True)]
        self._has_empty_input |= is_input and any(set(each) == {0} for each in sizes)
        return tuple(self._symbol(each, is_input=is_input) for each in sizes)

    def _symbol(self, sizes: tuple[int, ...], *, is_input: bool) -> str | int:
        if set(sizes) == {0}:
            return 0 if is_input or self._has_empty_input else next(self._free)
        if set(sizes) == {1}:
            return 1
        if sizes not in self._known:
            self._known[sizes] = next(self._free)
        return self._known[sizes]
