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

    def shape(self, arrays: Sequence[Array]) -> Shape:
        """The shape of one array in every sample, with letters; a size that is always 0 or 1 stays that."""
        sizes = zip(*(array.shape for array in arrays), strict=True)
        return tuple(self._symbol(tuple(each)) for each in sizes)

    def _symbol(self, sizes: tuple[int, ...]) -> str | int:
        if set(sizes) <= {0, 1} and len(set(sizes)) == 1:
            return sizes[0]
        if sizes not in self._known:
            self._known[sizes] = next(self._free)
        return self._known[sizes]
