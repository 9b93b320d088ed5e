"""In which other order one program has the rows of the other, as values show that both have.

One program goes through groups as they come, the other as they are sorted: what stands for each of them is
the same in another order. Where values are put in for others, they are brought to the order of the receiver.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from harness.numerics.layouts import information
from harness.programs.trace import Value
from harness.programs.units import Unit

_LEAST, _MOST = 3, 2000
"""Elements of values whose order is looked at."""
_TELLING = 20.0
"""Bits of values that chance does not make the same in another order."""
_OFTEN = 2
"""Values that have to be in the same other order."""
_KINDS = frozenset({"set", "container", "element"})


class Orders:
    """The orders in which the receiver has what the giver has.

    Parameters
    ----------
    receiver, giver : sequence of Unit
        Of two programs.
    """

    def __init__(self, receiver: Sequence[Unit], giver: Sequence[Unit]) -> None:
        own = _by_numbers(receiver)
        counts: dict[int, Counter[tuple[int, ...]]] = defaultdict(Counter)
        for key, theirs in _by_numbers(giver).items():
            for one in own.get(key, [])[:1]:
                order = np.argsort(theirs[0])[np.argsort(np.argsort(one))]
                if np.allclose(theirs[0][order], one, rtol=1e-9, atol=0.0):
                    counts[one.size][tuple(order.tolist())] += 1
        self._of_size: dict[int, npt.NDArray[np.int_]] = {}
        for size, of_size in counts.items():
            of_size.pop(tuple(range(size)), None)
            for places, often in of_size.most_common(1):
                if often >= _OFTEN:
                    self._of_size[size] = np.array(places)

    def reordered(self, value: Value) -> Value | None:
        """The giver's value in the receiver's order; None where none is known, or nothing changes."""
        order = self._of_size.get(value.size) if value.ndim == 1 else None
        if order is None or np.array_equal(value[order], value):
            return None
        return np.asarray(value[order])


def _by_numbers(units: Sequence[Unit]) -> dict[tuple[int, str], list[Value]]:
    """Vectors of different numbers, by how many and which they are, in whatever order."""
    found: dict[tuple[int, str], list[Value]] = defaultdict(list)
    for unit in units:
        for value in _vectors(unit):
            if np.unique(value).size == value.size and information(value) >= _TELLING:
                found[value.size, f"{float(np.sort(value).sum()):.9g}"].append(value)
    return found


def _vectors(unit: Unit) -> Iterator[Value]:
    last = unit.values[-1]
    fits = unit.kind in _KINDS and last.dtype.kind == "f" and last.ndim == 1
    if fits and _LEAST <= last.size <= _MOST and np.isfinite(last).all():
        yield last
