"""Whole numbers in the other type are taken where a case says so, and only where each is exactly one."""

from __future__ import annotations

import numpy as np
import pytest

from harness.conformance.worker_arrays import leniently
from harness.model import Precision
from tests.unit.conformance.by_hand import value


@pytest.mark.parametrize(
    ("dtype", "given", "due"),
    [
        ("float", np.array([1, 2**53]), np.float64),
        ("float", np.array([2**53 + 1]), np.int64),
        ("int", np.array([0.0, -3.0, 2.0**53]), np.int64),
        ("int", np.array([0.5, 1.0]), np.float64),
        ("int", np.array([np.nan, 1.0]), np.float64),
        ("int", np.array([np.inf]), np.float64),
        ("int", np.array([2.0**54]), np.float64),
        ("int", np.array([True]), np.bool_),
    ],
)
def test_what_a_lenient_output_takes(dtype: str, given: np.ndarray, due: type) -> None:
    made = leniently(value("y", dtype=dtype, lenient=True), given, Precision.FLOAT64)
    assert made.dtype == due
    np.testing.assert_array_equal(made, given)
    strict = leniently(value("y", dtype=dtype), given, Precision.FLOAT64)
    assert strict is given
