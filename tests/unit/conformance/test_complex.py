"""Complex values: their dtype, their true values, where they are kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.conformance.elements import judge_arrays, misfit
from harness.errors import CaseError
from harness.model import Precision, Truth, Value, Verdict
from harness.numerics.truth import compare_to_truth, shares_of
from harness.store.cases import load_case
from harness.store.truths import read_truths, write_truths

Z = Value(name="z", shape=("n",), dtype="complex")
SIZES = {"n": 2}


def truth(limit: float) -> Truth:
    high = np.array([3.0 + 4.0j, 1.0j])
    return Truth(high=high, low=high * 2.0**-60, limit=np.full(2, limit), worst=limit)


@pytest.mark.parametrize(
    ("dtype", "precision", "wrong"),
    [
        ("complex128", "float64", None),
        ("complex64", "float32", None),
        ("complex64", "float64", "dtype complex64 where complex128 is expected"),
        (
            "complex128",
            "float32",
            "dtype complex128 where complex64 is expected: numbers made inside a stage, by np.arange or"
            " np.zeros say, need the dtype of its inputs",
        ),
        ("float64", "float64", "dtype float64 where complex128 is expected"),
    ],
)
def test_the_dtype_is_that_of_the_precision(dtype: str, precision: str, wrong: str | None) -> None:
    assert misfit(np.ones(2, dtype), Z, Precision(precision), SIZES) == wrong


def test_a_complex_array_is_no_float() -> None:
    value = Value(name="x", shape=("n",))
    problem = misfit(np.ones(2, complex), value, Precision.FLOAT64, SIZES)
    assert problem == "dtype complex128 where float64 is expected"


@pytest.mark.parametrize(("limit", "verdict"), [(5.1e-3, Verdict.PASS), (4.9e-3, Verdict.FAIL)])
def test_a_limit_is_of_the_modulus(limit: float, verdict: Verdict) -> None:
    # 3e-3 and 4e-3 in the two parts are 5e-3.
    ours = np.array([3.003 + 4.004j, 1.0j])
    judged = judge_arrays(ours, truth(limit), Z, 0.0, Precision.FLOAT64, SIZES)
    assert judged.verdict is verdict
    shares = shares_of([ours], [truth(limit)])
    assert (shares is None) == (verdict is Verdict.FAIL)


def test_errors_are_in_units_of_the_modulus() -> None:
    truth_comparison = compare_to_truth(np.array([3.0 + 4.0j + 2.0**-48 * 1j, 1.0j]), truth(1.0))
    # 5 has the unit 2**-50.
    assert truth_comparison.ulp_error == pytest.approx(4.0, rel=1e-2)
    assert truth_comparison.stats.max_abs == pytest.approx(2.0**-48, rel=1e-2)


def test_not_a_number_in_one_part_is_seen() -> None:
    judged = judge_arrays(
        np.array([complex(3.0, np.nan), 1.0j]), truth(1.0), Z, 0.0, Precision.FLOAT64, SIZES
    )
    assert judged.verdict is Verdict.FAIL
    assert "NaN in 1 place" in judged.reason


def test_complex_true_values_come_back_from_the_cache(tmp_path: Path) -> None:
    write_truths(tmp_path, "k", {("s", "z"): truth(1e-3)})
    truths = read_truths(tmp_path, "k")
    assert truths is not None
    kept = truths["s", "z"]
    assert isinstance(kept, Truth)
    assert kept.high.dtype == np.complex128
    np.testing.assert_array_equal(kept.high, [3.0 + 4.0j, 1.0j])
    np.testing.assert_array_equal(kept.low, [(3.0 + 4.0j) * 2.0**-60, 2.0**-60 * 1j])
    np.testing.assert_array_equal(kept.limit, [1e-3, 1e-3])


TOML = """
[case]
name = "c"
title = "t"
origin = "o"
fixture = "f"
precisions = ["float64"]

[inputs]
z = { shape = ["n"], dtype = "complex" }

[[stage]]
name = "s"
inputs = ["z"]
shape = ["n"]
dtype = "complex"
"""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('["float64"]', '["float64", "float16"]', "no complex numbers of float16"),
        ('shape = ["n"]\ndtype', 'shape = ["n"]\nshow = "curve"\ndtype', "cannot be drawn"),
        (
            'dtype = "complex"\n',
            'dtype = "complex"\n[[published]]\nstage = "s"\nsource = "here"\nvalues = ["1.0"]\n',
            "no printed digits",
        ),
    ],
)
def test_what_complex_numbers_lack_is_refused(tmp_path: Path, old: str, new: str, words: str) -> None:
    folder = tmp_path / "c"
    folder.mkdir()
    (folder / "case.toml").write_text(TOML, encoding="utf-8")
    assert load_case(folder).values["s"].dtype == "complex"
    (folder / "case.toml").write_text(TOML.replace(old, new), encoding="utf-8")
    with pytest.raises(CaseError, match=words):
        load_case(folder)
