"""Whole numbers in the other type are taken where a case says so, and only where each is exactly one."""

from __future__ import annotations

import numpy as np
import pytest

from harness.conformance.worker_arrays import leniently, of_matrices
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


@pytest.mark.parametrize(
    ("shape", "given", "due"),
    [
        ((), (1, 1), ()),
        (("n",), (3, 1), (3,)),
        (("n",), (1, 3), (3,)),
        (("n",), (1, 1), (1,)),
        (("n",), (0, 1), (0,)),
        (("n",), (1, 0), (0,)),
        (("n",), (0, 0), (0,)),
        (("n", "d"), (3, 1), (3, 1)),
        (("n", "d", 1), (2, 3), (2, 3, 1)),
        (("n", "d", 1, 1), (2, 3), (2, 3, 1, 1)),
        (("n", "d", "k"), (2, 3, 4), (2, 3, 4)),
        # None of these is what is declared, and each stays what it is.
        ((), (2, 1), (2, 1)),
        (("n",), (2, 3), (2, 3)),
        (("n",), (0, 3), (0, 3)),
        (("n",), (2, 1, 3), (2, 1, 3)),
        (("n", "d"), (2, 3, 4), (2, 3, 4)),
    ],
)
def test_a_language_of_matrices_has_declared_shapes(
    shape: tuple[str | int, ...], given: tuple[int, ...], due: tuple[int, ...]
) -> None:
    array = np.arange(float(np.prod(given))).reshape(given)
    made = of_matrices(value("y", shape=shape), array)
    assert made.shape == due
    np.testing.assert_array_equal(made.ravel(), array.ravel())


def test_dimensions_that_are_any_are_taken_from_the_inputs() -> None:
    column = np.ones((3, 1))
    assert of_matrices(value("y", shape=("...",)), column, 1).shape == (3,)
    assert of_matrices(value("y", shape=("...",)), column, 2).shape == (3, 1)
    assert of_matrices(value("y", shape=("...", "d")), column).shape == (3, 1)


def test_complex_numbers_that_became_real_are_complex_again() -> None:
    array = np.ones((2, 2), dtype=np.float32)
    assert of_matrices(value("y", shape=("n", "n"), dtype="complex"), array).dtype == np.complex64
    assert of_matrices(value("y", shape=("n", "n"), dtype="float"), array) is array
    whole = np.ones((2, 2), dtype=np.int32)
    assert of_matrices(value("y", shape=("n", "n"), dtype="complex"), whole) is whole
