"""Checks of what an output is compared up to."""

from __future__ import annotations

from harness.model import EQUIVALENCES, Expected, Value
from harness.store.toml import Key, Toml

_ROUNDED = ("derived", "exact", "ulp")


def check_equivalence(toml: Toml, value: Value, *place: Key) -> None:
    """Refuse an equivalence of values that it does not exist for, or that its rule cannot judge."""
    if value.up_to is None:
        return
    where: tuple[Key, ...] = (*place, "up_to")
    of = EQUIVALENCES[value.up_to]
    if value.dtype not in of.kinds or len(value.shape) < of.dimensions:
        dimensions = f"{of.dimensions} dimension{'s' if of.dimensions != 1 else ''} or more"
        raise toml.refuse(
            f"{value.name!r} is {value.dtype} of {len(value.shape)} dimensions, and not compared up to"
            f" {value.up_to}",
            *where,
            advice=f"it is for {' and '.join(of.kinds)} of {dimensions}",
        )
    if value.up_to == "rotation" and len(value.shape) != 2:
        raise toml.refuse(
            f"{value.name!r} has {len(value.shape)} dimensions, and rows of a matrix are rotated",
            *where,
            advice="give it one row a point",
        )
    rules = {"derived"} if value.tolerance is None else {value.tolerance.rule}
    rules |= set() if value.tolerance is None else {other.rule for other in value.tolerance.by_sample}
    if not of.derived and rules & set(_ROUNDED):
        raise toml.refuse(
            f"to turn {value.name!r} takes roundings that {min(rules & set(_ROUNDED))!r} does not allow",
            *where,
            advice='state a tolerance: { rule = "norm", value = 1e-12, reason = "..." }',
        )
    if isinstance(value.expected, Expected) and value.expected.tolerance is None:
        raise toml.refuse(
            f"digits to print are not known up to {value.up_to}",
            *place,
            "expected",
            advice="state the tolerance of what is expected",
        )
