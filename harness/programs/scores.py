"""How alike two programs' variables are but for their values: names, operators, order, kinds and flow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from harness.programs.names import all_alike, all_overlap, operations
from harness.programs.units import Unit

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Scores = npt.NDArray[np.float64]
"""A row for each unit of the first program, a column for each of the second's."""
Flags = npt.NDArray[np.bool_]

_LEAST_NAMED, _LEAST_BASE, _LEAST_FLOW = 0.2, 0.5, 0.3
"""What names, operators, names of wholes and flow have to have in common where no values are."""
_LIKE = {
    "set": 0,
    "container": 0,
    "mutated": 0,
    "element": 1,
    "loop": 2,
    "param": 3,
    "default": 3,
    "return": 4,
    "shown": 5,
    "test": 6,
    "iterates": 7,
}


def of_names(a: Sequence[Unit], b: Sequence[Unit]) -> Scores:
    """Alike names; those of functions count a little, those of parts of values as much as the whole's."""
    own = _alike(a, b, lambda unit: unit.name)
    partial = np.logical_or.outer(
        *(np.array([bool(_part(unit)) for unit in units], bool) for units in (a, b))
    )
    if partial.any():
        last = _alike(a, b, lambda unit: _part(unit) or unit.site.name)
        # A key of one letter, as of a vector with names, is no name of a variable.
        keys = (np.array([_is_letter(_part(unit)) for unit in units], bool) for units in (a, b))
        apart = np.logical_xor.outer(*keys)
        own = np.where(partial & ~apart, np.maximum(own, 0.9 * last), own)
    where = _alike(a, b, lambda unit: unit.site.function)
    where[_same(a, b, lambda unit: unit.site.function)] = 1.0
    score = np.where(own > 0.3, 0.85 * own + 0.15 * where, own * 0.5)
    shown = [np.array([unit.site.name == "shown" for unit in units], bool) for units in (a, b)]
    score[np.logical_or.outer(*shown)] = 0.0
    score[np.logical_and.outer(*shown)] = 0.2
    return score


def can_be_meant(
    a: Sequence[Unit], b: Sequence[Unit], names: Scores, flow: Scores, operators: Scores
) -> Flags:
    """Which units of different values may be one quantity: by their names, or by how both are computed.

    That both are used alike is not enough. Nor is a key or a position that two values have in common, of
    wholes that are called otherwise and come from something else: of rows and columns most have such keys.
    """
    made = (names >= _LEAST_NAMED) | (operators >= _LEAST_NAMED)
    bases = [
        [unit.name.removesuffix(_part(unit)) if _part(unit) else "" for unit in units] for units in (a, b)
    ]
    keyed = np.logical_and.outer(*(np.array([bool(base) for base in one], bool) for one in bases))
    unlike = _alike(a, b, lambda unit: unit.name.removesuffix(_part(unit) or "\0")) < _LEAST_BASE
    return np.asarray(made & ~(keyed & unlike & (flow < _LEAST_FLOW)))


def _part(unit: Unit) -> str:
    """Which part of a value it is; empty for a whole one."""
    return unit.path or unit.site.element


def _is_letter(part: str) -> bool:
    """Whether a part is an element whose key is one letter."""
    return part.startswith("[") and len(part.strip("[]'\"")) == 1


def of_operators(a: Sequence[Unit], b: Sequence[Unit]) -> Scores:
    """Operators in common."""
    return all_overlap(*([operations(unit.site.operators) for unit in units] for units in (a, b)))


def of_order(a: Sequence[Unit], b: Sequence[Unit]) -> Scores:
    """How near their places are, as shares of all."""
    first, second = (np.arange(len(units)) / max(1, len(units)) for units in (a, b))
    return np.asarray(1 - np.abs(first[:, None] - second[None, :]))


def of_kinds(a: Sequence[Unit], b: Sequence[Unit]) -> Scores:
    """Whether they are set in the same way."""
    like = _same(a, b, lambda unit: _LIKE[unit.kind])
    return np.where(_same(a, b, lambda unit: unit.kind), 1.0, np.where(like, 0.9, 0.3))


def _alike(a: Sequence[Unit], b: Sequence[Unit], of: Callable[[Unit], str]) -> Scores:
    return all_alike([of(unit) for unit in a], [of(unit) for unit in b])


def _same(a: Sequence[Unit], b: Sequence[Unit], of: Callable[[Unit], object]) -> Flags:
    return equal_items([of(unit) for unit in a], [of(unit) for unit in b])


def equal_items(ones: Sequence[object], others: Sequence[object]) -> Flags:
    """Which of some things that can be hashed equal which of others."""
    known = {one: number for number, one in enumerate(dict.fromkeys([*ones, *others]))}
    first, second = (np.array([known[one] for one in items], dtype=int) for items in (ones, others))
    return np.asarray(first[:, None] == second[None, :])


class Flow:
    """What two programs' units are computed from, and what is computed from them.

    Parameters
    ----------
    a, b : sequence of Unit
        Of the two programs, numbered by their places.
    """

    def __init__(self, a: Sequence[Unit], b: Sequence[Unit]) -> None:
        self._inputs = _incidence([unit.inputs for unit in a]), _incidence([unit.inputs for unit in b])
        self._users = _incidence([unit.users for unit in a]), _incidence([unit.users for unit in b])

    def shares(self, linked: Flags) -> Scores:
        """Share of what two units are computed from, and is computed from them, that goes together."""
        return 0.6 * _shared(self._inputs, linked, 0.5) + 0.4 * _shared(self._users, linked, 0.5)

    def inputs(self, linked: Flags) -> Scores:
        """Share of what two units are computed from that goes together."""
        return _shared(self._inputs, linked, 0.0)


def _shared(incidence: tuple[csr_array[Any], csr_array[Any]], linked: Flags, none: float) -> Scores:
    """How many of a unit's inputs or users have a partner among the other's, counted from both sides."""
    (of_a, of_b), links = incidence, linked.astype(float)
    in_a, in_b = (np.asarray(one.sum(axis=1)) for one in incidence)
    from_a = np.minimum(of_a @ np.minimum((of_b @ links.T).T, 1), in_a[:, None])
    from_b = np.minimum((of_b @ np.minimum(of_a @ links, 1).T).T, in_b[None, :])
    many = in_a[:, None] + in_b[None, :]
    return np.asarray(np.divide(from_a + from_b, many, out=np.full(links.shape, none), where=many > 0))


def _incidence(sets: Sequence[set[int]]) -> csr_array[Any]:
    """A row for each set, with a one for each number in it: of a few hundred units, it has a few."""
    from scipy.sparse import csr_array

    ends = np.cumsum([0, *map(len, sets)])
    numbers = np.array([number for one in sets for number in sorted(one)], dtype=int)
    return csr_array((np.ones(numbers.size), numbers, ends), shape=(len(sets), len(sets)))
