"""bfloat16 held as float32: rounding, patterns, and errors in its own units."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from harness.model import Precision, Truth
from harness.numerics.formats import narrowed, nearest_bfloat16, widened
from harness.numerics.truth import compare_to_truth

EVERY = np.arange(1 << 16, dtype=np.uint16)


def test_every_pattern_comes_back() -> None:
    array = widened(EVERY)
    number = ~np.isnan(array)
    assert (narrowed(array)[number] == EVERY[number]).all()
    assert np.isnan(widened(narrowed(array))[~number]).all()
    assert (nearest_bfloat16(array)[number].view(np.uint32) == array[number].view(np.uint32)).all()


def test_rounding_is_that_of_ml_dtypes() -> None:
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 1 << 32, size=200_000, dtype=np.uint32)
    halves = (EVERY.astype(np.uint32) << np.uint32(16)) | np.uint32(0x8000)
    values = np.concatenate([bits, halves]).view(np.float32)
    with np.errstate(invalid="ignore"):
        due = values.astype(ml_dtypes.bfloat16).astype(np.float32)
    array = nearest_bfloat16(values)
    number = ~np.isnan(values)
    assert (array[number] == due[number]).all()
    assert np.isnan(array[~number]).all()
    assert nearest_bfloat16(np.float64(1e39)) == np.inf


def test_errors_are_in_its_own_units() -> None:
    actual = np.array([1.0, 1.0 + 2.0**-7], dtype=np.float32)
    truth = Truth(high=np.array([1.0, 1.0]), low=np.zeros(2), limit=np.full(2, 0.01), worst=0.0)
    truth_comparison = compare_to_truth(actual, truth, Precision.BFLOAT16)
    assert (truth_comparison.stats.max_ulp, truth_comparison.ulp_error, truth_comparison.ulp_of_stage) == (
        1.0,
        1.0,
        1.0,
    )
    assert compare_to_truth(actual, truth).ulp_error == 2.0**16
