"""What may help to find the error in a stage that is off: wrong elements, and what it is to what is due."""

from __future__ import annotations

import msgspec
import numpy as np

from harness.conformance.coded import INSTANTS, readable
from harness.conformance.sides import Sides
from harness.conformance.where_off import map_of
from harness.model import Array, Cell, Check, Fixture, Precision, Truth, Value, Verdict, WrongElement
from harness.numerics.missing import NO_INTEGER
from harness.numerics.relations import relation_of, relation_of_shapes

SHOWN = 6
LARGEST = 200_000
"""Numbers of an output of which a relation is looked for."""
_HELD = frozenset({Check.REFERENCE, Check.ORACLE, Check.EXPECTED})
_NAMES = ("what is due", "this output")


def with_hints(cells: list[Cell], sides: Sides, fixture: Fixture, not_ieee: str = "") -> list[Cell]:
    """Cells in which the error is made, with the first wrong elements and the relation to what is due.

    Parameters
    ----------
    cells : list of Cell
        Of one implementation in a case.
    sides : Sides
        The arrays that they compare.
    fixture : Fixture
        The inputs; one of their sizes may be the n of a factor n/(n - 1).
    not_ieee : str
        In what the runtime's arithmetic is not that of IEEE 754, if in anything.
    """
    return [_hinted(cell, sides, fixture, not_ieee) if _is_made_here(cell) else cell for cell in cells]


def _is_made_here(cell: Cell) -> bool:
    return cell.verdict is Verdict.FAIL and not cell.inherited and cell.check in _HELD


def _hinted(cell: Cell, sides: Sides, fixture: Fixture, not_ieee: str) -> Cell:
    failing = [sample.sample for sample in cell.by_sample if sample.verdict is Verdict.FAIL]
    sample = cell.worst_sample or next(iter(failing or fixture.samples))
    actual, due = sides.actual(cell, sample), sides.expected(cell, sample)
    truth = due if isinstance(due, Truth) else None
    value = due.high if isinstance(due, Truth) else due
    declared = sides.case.values[cell.stage]
    if not _is_numbers(actual) or not _is_numbers(value) or declared.up_to is not None:
        return cell
    assert isinstance(actual, np.ndarray)
    assert isinstance(value, np.ndarray)
    relation = ""
    # Shorter formats round too much for a relation to show.
    if cell.precision is Precision.FLOAT64 and max(actual.size, value.size) <= LARGEST:
        sizes = {size for array in (*fixture.arrays(sample).values(), actual) for size in array.shape}
        both = _without_missing(declared, value, actual)
        alike = actual.shape == value.shape
        relation = relation_of(*both, sizes, _NAMES) if alike else relation_of_shapes(*both)
    wrong: tuple[WrongElement, ...] = ()
    off_map = None
    if actual.shape == value.shape:
        beyond = _beyond(cell, actual, value, truth)
        wrong = _wrong(declared, actual, value, truth, beyond)
        off_map = map_of(beyond)
        if not relation and _are_flushed(actual[beyond], value[beyond]):
            relation = ": ".join(filter(None, ("subnormal numbers are zero in this output", not_ieee)))
    return msgspec.structs.replace(cell, relation=relation, wrong=wrong, off_map=off_map)


def _without_missing(declared: Value, due: Array, actual: Array) -> tuple[Array, Array]:
    """Dates, times and integers from the first of them on, without those that are missing in both.

    What stands for a missing one is larger than all of them, and beside it they all look alike.
    """
    if declared.dtype not in INSTANTS and not (declared.missing and due.dtype == actual.dtype == np.int64):
        return due, actual
    gone = due == NO_INTEGER
    if due.shape != actual.shape or gone.all() or not np.array_equal(gone, actual == NO_INTEGER):
        return due[:0], actual[:0]
    there, also = due[~gone], actual[~gone]
    first = int(there.min()) if declared.dtype in INSTANTS else 0
    return there - first, also - first


def _is_numbers(value: object) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "fiubc"


def _beyond(cell: Cell, actual: Array, due: Array, truth: Truth | None) -> Array:
    """The elements beyond their limits; beyond the largest where those are not known one by one."""
    limit = truth.limit if truth is not None else None
    with np.errstate(all="ignore"):
        away = np.abs(actual.astype(complex) - due.astype(complex))
        within = away <= (limit if limit is not None else cell.limit or 0.0)
        same = (actual == due) | ((actual != actual) & (due != due))
    judged = np.ones(away.shape, dtype=bool)
    if truth is not None and truth.undecided is not None:
        judged = np.logical_not(truth.undecided)
    return np.asarray(judged & np.logical_not(within | same))


def _are_flushed(actual: Array, due: Array) -> bool:
    """Whether all of some elements are zero where subnormal numbers of their format are due."""
    if not actual.size or actual.dtype.kind != "f" or due.dtype.kind != "f":
        return False
    subnormal = (due != 0.0) & (np.abs(due) < float(np.finfo(actual.dtype.name).smallest_normal))
    return bool((subnormal & (actual == 0.0)).all())


def _wrong(
    declared: Value, actual: Array, due: Array, truth: Truth | None, beyond: Array
) -> tuple[WrongElement, ...]:
    """The first elements beyond their limits."""
    limit = truth.limit if truth is not None else None
    return tuple(
        WrongElement(
            index=tuple(int(at) for at in index),
            actual=_digits(readable(declared, actual[tuple(index)][None])[0]),
            due=_digits(readable(declared, due[tuple(index)][None])[0]),
            limit=_finite(limit[tuple(index)]) if limit is not None else None,
        )
        for index in np.argwhere(beyond)[:SHOWN]
    )


def _finite(limit: float) -> float | None:
    return float(limit) if np.isfinite(limit) else None


def _digits(number: np.generic | str) -> str:
    if isinstance(number, np.complexfloating):
        return f"{number.real:.17g}{number.imag:+.17g}i"
    return f"{number:.17g}" if isinstance(number, np.floating) else str(number)
