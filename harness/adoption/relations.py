"""How the other program's value lies in the reference's layout."""

from __future__ import annotations

import msgspec
import numpy as np

from harness.model import Array, Frozen
from harness.numerics.layouts import close


class Relation(Frozen, frozen=True, kw_only=True):
    """What is done to a value of the other program so that it lies as the reference's.

    Attributes
    ----------
    kind : str
        ``same``, ``transposed``, ``reshaped`` or ``shifted``.
    own, shape : tuple of int
        The shapes that it has and gets.
    order : str
        Of a reshaped one, ``C`` or ``F``: the order in which both are read.
    shift : int
        What is added to a shifted one.
    """

    kind: str
    own: tuple[int, ...]
    shape: tuple[int, ...]
    order: str = "C"
    shift: int = 0

    @property
    def words(self) -> str:
        """What `harness align` calls it."""
        return "flattened" if self.kind == "reshaped" and len(self.shape) == 1 else self.kind

    def applied(self, value: Array) -> Array:
        """The value in the reference's layout; as it is where it has another shape."""
        if value.shape != self.own:
            return value
        match self.kind:
            case "transposed":
                return value.T
            case "reshaped":
                return value.reshape(self.shape, order=self.order)  # type: ignore[call-overload,no-any-return]
            case "shifted":
                return value + self.shift
            case _:
                return value


def relation_of(reference: Array, own: Array) -> Relation:
    """How one value lies to the other, by what is in them; where they differ, by their shapes alone."""
    same = Relation(kind="same", own=own.shape, shape=reference.shape)
    options = [same] if own.shape == reference.shape else []
    if own.ndim >= 2 and own.shape[::-1] == reference.shape:
        options.append(msgspec.structs.replace(same, kind="transposed"))
    if own.size == reference.size and own.shape != reference.shape:
        options += [msgspec.structs.replace(same, kind="reshaped", order=order) for order in "CF"]
    for each in options:
        if alike(reference, each.applied(own)):
            return each
    kinds = {own.dtype.kind, reference.dtype.kind}
    if own.shape == reference.shape and own.size and kinds <= {"i", "f"} and "i" in kinds:
        shift = float(np.ravel(reference)[0] - np.ravel(own)[0])
        if abs(shift) == 1 and alike(reference, own + int(shift)):
            return msgspec.structs.replace(same, kind="shifted", shift=int(shift))
    return options[0] if options else same


def alike(one: Array, other: Array) -> bool:
    """Whether two values of one shape are the same to rounding, or the same texts."""
    if one.shape != other.shape or (one.dtype.kind == "U") != (other.dtype.kind == "U"):
        return False
    if one.dtype.kind == "U":
        return bool((one == other).all())
    kinds = [array.astype(np.int64) if array.dtype.kind == "b" else array for array in (one, other)]
    return close(*kinds)
