"""`compare` and `merge`: bad input, memory, pooling."""

from __future__ import annotations

import itertools
import math
import pickle
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.errors import CompareError
from harness.model import ErrorStats
from harness.numerics import compare, merge, sweep, worst
from harness.numerics.formats import format_of
from harness.numerics.stats import Worst
from tests.unit.numerics.noisy_pairs import Array, noisy


@pytest.mark.parametrize(
    ("actual", "expected", "said"),
    [
        (np.zeros(3), np.zeros(4), ["(3,)", "(4,)"]),
        (np.zeros((3, 1)), np.zeros((3, 3)), ["(3, 1)", "(3, 3)"]),
        (np.zeros(3), np.zeros((1, 3)), ["(3,)", "(1, 3)"]),
        (np.float64(1), np.zeros(1), ["()", "(1,)"]),
        (np.zeros(0), np.zeros((0, 2)), ["(0,)", "(0, 2)"]),
        (np.zeros(3), np.zeros(3, np.float32), ["float64", "float32"]),
        (np.zeros(3, np.int64), np.zeros(3), ["int64", "float64"]),
        (np.zeros(3, np.int32), np.zeros(3, np.uint32), ["int32", "uint32"]),
        (np.zeros(3, bool), np.zeros(3, np.uint8), ["bool", "uint8"]),
        (np.zeros(3, "<f8"), np.zeros(3, ">f8"), ["float64", ">f8"]),
        (np.array([1, None]), np.array([1, None]), ["object"]),
        (np.array(["a"]), np.array(["a"]), ["<U1"]),
        (np.array([b"a"]), np.array([b"a"]), ["|S1"]),
        (np.zeros(3, "M8[s]"), np.zeros(3, "M8[s]"), ["datetime64"]),
        (np.zeros(3, "f8,i4"), np.zeros(3, "f8,i4"), ["f0"]),
        (np.zeros(3, np.longdouble), np.zeros(3, np.longdouble), ["128"]),
        ([[1.0, 2.0], [3.0]], np.zeros(3), ["actual"]),
        (np.zeros(3), [[1.0], [2.0, 3.0]], ["expected"]),
        (np.zeros(3), None, ["float64", "object"]),
        (np.ma.masked_array(np.zeros(3), [True, False, False]), np.zeros(3), ["actual", "masked"]),
    ],
)
def test_what_cannot_be_compared(actual: Any, expected: Any, said: list[str]) -> None:
    with pytest.raises(CompareError) as raised:
        compare(actual, expected)
    for word in said:
        assert word in str(raised.value)


@pytest.mark.parametrize(
    "limit",
    [
        -1.0,
        -1e-300,
        math.nan,
        "large",
        [1.0, 2.0, 3.0],
        np.zeros(2),
        np.zeros((3, 1)),
        np.zeros(3, int),
        np.zeros(3, complex),
        np.array([1.0, -1.0, 0.0]),
        np.array([1.0, math.nan, 0.0]),
    ],
)
def test_limits_that_are_none(limit: Any) -> None:
    with pytest.raises(CompareError, match="limit"):
        compare(np.zeros(3), np.zeros(3), limit=limit)


@pytest.mark.parametrize(("array", "dtype"), [(np.zeros(3), "bfloat16"), (np.zeros(3, np.uint16), "float16")])
def test_dtypes_that_cannot_be_stated(array: Array, dtype: str) -> None:
    with pytest.raises(CompareError, match=dtype):
        compare(array, array, dtype=dtype)


def test_lists_numbers_and_nothing_at_all() -> None:
    assert compare([1.0, 2.0], [1.0, 3.0]).max_abs_index == (1,)
    assert compare(2.0, 5.0) == compare(np.array(2.0), np.array(5.0))
    assert compare(2.0, 5.0).max_abs_index == ()
    empty = compare(np.zeros((0, 3)), np.zeros((0, 3)), limit=0.0)
    assert empty == ErrorStats(count=0, ulp_histogram=(0,) * 23)


@pytest.mark.parametrize("times", [1, 1000])
@pytest.mark.parametrize("kernel", ["kernels", "compiled.ranges"])
def test_bins_of_the_histogram(times: int, kernel: str) -> None:
    tally_of = pytest.importorskip(f"harness.numerics.{kernel}", reason="needs Numba").range_tally
    steps = [0, 1, 2, 3, 4, 5, 8, 9, 16, 2**20, 2**20 + 1, 2**40]
    expected = np.ones(len(steps) * times)
    actual = (expected.view(np.int64) + np.array(steps * times)).view(np.float64)
    tally = tally_of(actual, expected, format_of(actual.dtype, None), math.inf, 1.0, 0)
    assert tally.histogram == [n * times for n in (1, 1, 1, 2, 2, 2, *(0,) * 15, 1, 2)]
    assert (tally.max_ulp, tally.max_ulp_at) == (2**40, 11)


def test_overflow_and_zero() -> None:
    largest = np.finfo(float).max
    stats = compare(np.array([largest, 1.0]), np.array([-largest, 0.0]), limit=1e300)
    assert (stats.max_abs, stats.max_abs_index) == (math.inf, (0,))
    assert (stats.max_rel, stats.max_rel_index) == (math.inf, (0,))
    assert (stats.mean_abs, stats.rms, stats.beyond, stats.used) == (math.inf, math.inf, 1, math.inf)
    assert compare(np.array([0.0, 1e-300]), np.array([-0.0, 0.0])).max_rel_index == (1,)


def test_equal_numbers_with_zeros_of_another_sign() -> None:
    stats = compare(np.array([0.0, 1.0, -0.0, 2.0, -0.0]), np.array([-0.0, 1.0, 0.0, 2.0, -0.0]), limit=0.0)
    assert (stats.zero_sign_mismatch, stats.beyond, stats.max_ulp, stats.ulp_histogram[0]) == (2, 0, 0.0, 5)
    several = compare(np.array([0.0, np.nan, np.inf]), np.array([-0.0, np.nan, np.inf]))
    assert (several.zero_sign_mismatch, several.nan_both, several.ulp_histogram[0]) == (1, 1, 1)


def test_counts_of_several_blocks_are_added() -> None:
    ones = np.ones(40_000)
    actual, expected = ones.copy(), ones.copy()
    actual[[3, 20_000, 39_999]] = expected[[3, 20_000, 39_999]] = np.nan
    actual[[4, 20_001]] = np.nan
    actual[[5, 39_998]] = np.inf
    actual[[6, 20_003, 39_997]], expected[[6, 20_003, 39_997]] = 0.0, -0.0
    stats = compare(actual, expected)
    counts = (stats.nan_both, stats.nan_mismatch, stats.inf_mismatch, stats.zero_sign_mismatch, stats.beyond)
    assert counts == (3, 2, 2, 3, 4)


@pytest.mark.parametrize("size", [1e-320, 1e-200, 1e200, 1e307])
def test_root_mean_square_neither_overflows_nor_vanishes(size: float) -> None:
    error = np.array([3.0, 4.0, 0.0, 0.0]) * size
    stats = compare(error, np.zeros(4))
    assert math.isclose(stats.rms, 2.5 * size, rel_tol=2.0**-10 if size < 1e-300 else 2.0**-50)
    assert math.isclose(stats.mean_abs, 1.75 * size, rel_tol=2.0**-10 if size < 1e-300 else 2.0**-50)


def test_modulus_of_complex_errors() -> None:
    rng = np.random.default_rng(3)
    actual = rng.standard_normal(200) + 1j * rng.standard_normal(200)
    for value in actual:
        modulus = compare(np.array([value]), np.zeros(1, complex)).max_abs
        assert math.isclose(modulus, math.hypot(value.real, value.imag), rel_tol=2.0**-50)


def test_ml_dtypes_bfloat16() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    expected = np.array([1.0, -2.0, 3.0], ml_dtypes.bfloat16)
    actual = (expected.view(np.uint16) + np.array([0, 1, 2], np.uint16)).view(ml_dtypes.bfloat16)
    stats = compare(actual, expected)
    assert stats == compare(actual.view(np.uint16), expected.view(np.uint16), dtype="bfloat16")
    assert (stats.max_ulp, stats.max_ulp_index, stats.max_abs) == (2.0, (2,), 2.0**-5)


def test_memory_maps_are_read_in_place(tmp_path: Path) -> None:
    actual, expected = noisy(1 << 22)
    for name, array in (("actual", actual), ("expected", expected)):
        np.save(tmp_path / f"{name}.npy", array)
    wanted = compare(actual, expected)
    maps = [np.load(tmp_path / f"{name}.npy", mmap_mode="r") for name in ("actual", "expected")]
    tracemalloc.start()
    try:
        error_stats = compare(maps[0], maps[1])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert repr(error_stats) == repr(wanted)
    assert peak < 0.05 * (actual.nbytes + expected.nbytes)


@pytest.mark.parametrize("kernel", ["kernels", "compiled.ranges"])
def test_strided_arrays_are_not_copied_whole(kernel: str) -> None:
    tally_of = pytest.importorskip(f"harness.numerics.{kernel}", reason="needs Numba").range_tally
    actual, expected = (np.asfortranarray(x.reshape(1 << 10, 1 << 11)) for x in noisy(1 << 21))
    form = format_of(actual.dtype, None)
    tally_of(actual[0].copy(), expected[0].copy(), form, 0.0, 1.0, 0)
    tracemalloc.start()
    try:
        sweep.sweep(actual, expected, form, 0.0, 1.0, tally_of)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 0.15 * (actual.nbytes + expected.nbytes)


def test_merge_is_compare_of_everything() -> None:
    actual, expected = noisy(5000)
    cuts = [0, 1, 700, 700, 2048, 5000]
    parts = [compare(actual[a:b], expected[a:b], limit=1e-3) for a, b in itertools.pairwise(cuts)]
    whole, pooled, at = compare(actual, expected, limit=1e-3), merge(iter(parts)), worst(parts)
    for field in (
        "count",
        "max_abs",
        "max_rel",
        "max_ulp",
        "ulp_histogram",
        "nan_both",
        "nan_mismatch",
        "inf_mismatch",
        "zero_sign_mismatch",
        "beyond",
        "used",
    ):
        assert getattr(pooled, field) == getattr(whole, field), field
    assert math.isclose(pooled.mean_abs, whole.mean_abs, rel_tol=2.0**-46)
    assert math.isclose(pooled.rms, whole.rms, rel_tol=2.0**-46)
    for field, part in (
        ("max_abs_index", at.max_abs),
        ("max_rel_index", at.max_rel),
        ("max_ulp_index", at.max_ulp),
        ("first_beyond", at.beyond),
    ):
        assert part is not None
        assert getattr(whole, field) == (cuts[part] + getattr(pooled, field)[0],)
        assert getattr(pooled, field) == getattr(parts[part], field)


def test_merge_of_nothing_and_of_equal_arrays() -> None:
    assert merge([]) == ErrorStats(count=0, ulp_histogram=(0,) * 23)
    equal = compare(np.ones(3), np.ones(3))
    assert merge([equal, equal]).count == 6
    assert worst([equal, equal]) == Worst(None, None, None, None, None)
    assert merge([equal]) == equal


def test_merge_of_infinite_and_of_tiny_errors() -> None:
    largest = np.finfo(float).max
    overflow = compare(np.array([largest]), np.array([-largest]))
    assert merge([overflow, overflow]).rms == math.inf
    tiny = compare(np.array([1e-200]), np.zeros(1))
    assert math.isclose(merge([tiny, tiny]).rms, 1e-200)


def test_statistics_travel() -> None:
    stats = compare(*noisy(100), limit=1e-3)
    assert pickle.loads(pickle.dumps(stats)) == stats


def test_merge_by_hand() -> None:
    first = ErrorStats(
        count=5,
        max_abs=4.0,
        max_abs_index=(0, 1),
        max_rel=0.5,
        max_rel_index=(1, 1),
        max_ulp=7.0,
        max_ulp_index=(0, 0),
        mean_abs=3.0,
        rms=4.0,
        ulp_histogram=(1, 0, 1),
        nan_both=1,
        nan_mismatch=2,
        inf_mismatch=3,
        zero_sign_mismatch=4,
        beyond=0,
        used=0.25,
    )
    other = ErrorStats(
        count=7,
        max_abs=2.0,
        max_abs_index=(3,),
        max_rel=0.75,
        max_rel_index=(2,),
        max_ulp=9.0,
        max_ulp_index=(4,),
        mean_abs=1.0,
        rms=1.0,
        ulp_histogram=(2, 3, 0, 1),
        nan_both=10,
        nan_mismatch=20,
        inf_mismatch=30,
        zero_sign_mismatch=40,
        beyond=5,
        first_beyond=(6,),
        used=2.0,
    )
    assert merge([first, other]) == ErrorStats(
        count=12,
        max_abs=4.0,
        max_abs_index=(0, 1),
        max_rel=0.75,
        max_rel_index=(2,),
        max_ulp=9.0,
        max_ulp_index=(4,),
        # Of 2 and of 6 pairs.
        mean_abs=1.5,
        rms=math.sqrt((2 * 16 + 6) / 8),
        ulp_histogram=(3, 3, 1, 1, *(0,) * 19),
        nan_both=11,
        nan_mismatch=22,
        inf_mismatch=33,
        zero_sign_mismatch=44,
        beyond=5,
        first_beyond=(6,),
        used=2.0,
    )
    assert worst([first, other, other]) == Worst(max_abs=0, max_rel=1, max_ulp=1, used=1, beyond=1)


def test_sums_are_of_64_lanes_and_blocks_of_16384() -> None:
    def mean(n: int, *large: tuple[int, float]) -> float:
        errors = np.zeros(n)
        for place, error in large:
            errors[place] = error
        stats = compare(errors, np.zeros(n))
        assert stats.rms == pytest.approx(2.0**53 / math.sqrt(n), rel=1e-12)
        return stats.mean_abs * n

    # 2**53 + 1 is no number; the two ones are added first, as they are 64 apart.
    assert mean(128, (0, 1.0), (1, 2.0**53), (64, 1.0)) == 2.0**53 + 2.0
    assert mean(128, (0, 1.0), (1, 2.0**53), (63, 1.0)) == 2.0**53
    # In one block, each 1 is lost in the large number before it; in the next one, none is.
    assert mean(1 << 15, (0, 2.0**53), (128, 1.0), (16320, 1.0)) == 2.0**53
    assert mean(1 << 15, (0, 2.0**53), (16384, 1.0), (16384 + 64, 1.0)) == 2.0**53 + 2.0


def test_which_kernel_pays_for_how_many() -> None:
    pytest.importorskip("numba")
    program = """
import numpy as np
from harness.numerics import kernels, sweep
from harness.numerics.formats import format_of

double = format_of(np.dtype("float64"), None)
assert sweep.fastest(double, 524287) is kernels.range_tally
assert sweep.fastest(double, 524288).__module__ == "harness.numerics.compiled.ranges"
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(
    ("arguments", "message", "advice"),
    [
        (
            {"expected": np.zeros(3, np.float32)},
            "dtypes differ: actual is float64, expected is float32",
            "nothing is cast here: convert one of them if that is what you mean",
        ),
        (
            {"expected": np.zeros((3, 1))},
            "shapes differ: actual is (3,), expected is (3, 1)",
            "nothing is broadcast or reshaped here: give both the same shape",
        ),
        (
            {"limit": np.array([1.0, -1.0, math.nan])},
            "2 of the 3 limits are negative or NaN",
            "0 means: exactly equal",
        ),
        (
            {"limit": np.zeros(2)},
            "limit is float64 of shape (2,), the arrays are of shape (3,)",
            "give one number, or floating-point numbers of the arrays' shape",
        ),
        ({"limit": -1.0}, "limit is -1.0, not zero or more", "0 means: exactly equal"),
        (
            {"expected": np.ma.masked_array(np.zeros(3), True)},
            "expected is a masked array",
            "fill it, or compare its data and its mask",
        ),
    ],
)
def test_what_is_said_of_bad_input(arguments: dict[str, Any], message: str, advice: str) -> None:
    with pytest.raises(CompareError) as raised:
        compare(np.zeros(3), **{"expected": np.zeros(3)} | arguments)
    assert (raised.value.args[0], raised.value.advice) == (message, advice)
