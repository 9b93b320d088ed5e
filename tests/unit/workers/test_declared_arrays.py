"""Integers in another dtype: held, or not."""

from __future__ import annotations

import numpy as np
import pytest

from harness.workers.declared_arrays import holds


@pytest.mark.parametrize(
    ("number", "dtype", "into", "held"),
    [
        (2**63, "u8", "i8", False),
        (2**63 - 1, "u8", "i8", True),
        (2**64 - 1, "u8", "f8", False),
        (2**64 - 2048, "u8", "f8", True),
        (2**53 + 1, "i8", "f8", False),
        (-(2**63), "i8", "f8", True),
        (2**63 - 1, "i8", "f8", False),
        (-1, "i8", "u8", False),
        (300, "i2", "i1", False),
        (-7, "i1", "f4", True),
        (2**24 + 1, "i4", "c8", False),
        (2**24, "i4", "c8", True),
        (True, "?", "f8", True),
    ],
)
def test_what_a_dtype_holds(number: int, dtype: str, into: str, held: bool) -> None:
    array = np.array([0, number], dtype)
    with np.errstate(invalid="ignore"):
        made = array.astype(into)
    assert holds(made, array) is held


def test_no_integers_are_held_by_all() -> None:
    assert holds(np.zeros(0, "i1"), np.zeros(0, "u8"))
