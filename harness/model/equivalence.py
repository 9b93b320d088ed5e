"""What two values may differ by, and still be the same."""

from __future__ import annotations

from typing import Literal

import msgspec

UpTo = Literal["sign", "sign of columns", "permutation of rows", "labels", "rotation", "phase", "set"]


class Equivalence(msgspec.Struct, frozen=True):
    """What is free, and of which outputs: their kinds, and the least number of dimensions."""

    free: str
    kinds: tuple[str, ...]
    dimensions: int
    derived: bool = True


_NUMBERS = ("float", "complex", "int")

EQUIVALENCES: dict[UpTo, Equivalence] = {
    "sign": Equivalence("one sign of the whole array", ("float", "int"), 0),
    "sign of columns": Equivalence("a sign of each column, as of eigenvectors", ("float", "int"), 2),
    "permutation of rows": Equivalence("the order along the first axis", _NUMBERS, 1),
    "labels": Equivalence("the names of groups: equal ones stay equal, others different", ("int",), 1),
    "rotation": Equivalence("a rotation or reflection of all rows together", ("float",), 2, derived=False),
    "phase": Equivalence(
        "a complex factor of modulus 1: of a vector, or of each column", ("complex",), 1, derived=False
    ),
    "set": Equivalence("the order of all elements, each as often as it is there", _NUMBERS, 1),
}
"""Every equivalence; docs/authoring-a-case.md has the same table."""
