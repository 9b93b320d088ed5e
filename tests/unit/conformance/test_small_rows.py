"""Rows so small that the limit of a sample says nothing of them are compared with the reference's."""

from __future__ import annotations

import numpy as np
import pytest

from harness.conformance.judgement import Judgement
from harness.conformance.small_rows import in_small_rows, judge_small_rows
from harness.model import Precision, Value, Verdict

REFERENCE = np.outer([1e6, 1e-6, 1e-9, 0.0], np.ones(3))
MARKS = np.repeat([[False], [True], [True], [False]], 3, axis=1)
INPUTS = {"x": REFERENCE.copy(), "y": np.full((3, 2), 1e-9)}


def judged(ours: np.ndarray, inputs: dict[str, np.ndarray] = INPUTS) -> Judgement:  # type: ignore[type-arg]
    return judge_small_rows(
        ours,
        REFERENCE,
        MARKS,
        inputs,
        value=Value(name="y", shape=("n", 3)),
        reference="numpy",
        precision=Precision.FLOAT64,
        sizes={"n": 4},
    )


def test_only_small_rows_are_marked_and_no_zeros() -> None:
    limit, nowhere = np.full((4, 3), 1e-10), np.zeros((4, 3), dtype=bool)
    marks = in_small_rows(REFERENCE, limit, nowhere)
    assert marks is not None
    assert np.array_equal(marks, MARKS)
    assert in_small_rows(REFERENCE, limit, MARKS) is None
    assert in_small_rows(REFERENCE, np.full((4, 3), 1e-18), nowhere) is None
    # The columns of a matrix as well as its rows; and the elements of a vector are not known to be small.
    columns = in_small_rows(REFERENCE.T.copy(), limit.T, nowhere.T)
    assert columns is not None
    assert np.array_equal(columns, MARKS.T)
    assert in_small_rows(REFERENCE[:, 0].copy(), limit[:, 0], nowhere[:, 0]) is None
    unequal = REFERENCE.copy()
    unequal[0, 0] = np.nan
    marks = in_small_rows(unequal, limit, nowhere)
    assert marks is not None
    # The largest number of the first column is now one of the second row.
    assert marks[:, 1:].tolist() == MARKS[:, 1:].tolist()
    assert marks[:, 0].tolist() == [True, True, True, False]


@pytest.mark.parametrize(("row", "error"), [(1, 1.4e-8 * 1e-6), (2, 1.4e-8 * 1e-9)])
def test_half_of_the_digits_of_its_row_is_what_an_element_may_be_off(row: int, error: float) -> None:
    ours = REFERENCE.copy()
    ours[row, 1] += 0.7 * error
    assert judged(ours).verdict is Verdict.PASS
    ours[row, 1] += 0.7 * error
    judgement = judged(ours)
    assert judgement.verdict is Verdict.FAIL
    assert "1 of 6 elements beyond the limit" in judgement.reason
    assert judgement.reason.startswith(
        "differs from numpy by up to 2e-08 of the largest value of a row or column"
    )
    assert judgement.compared == 12


def test_what_is_not_marked_is_not_compared() -> None:
    ours = REFERENCE.copy()
    ours[0], ours[3] = 7.0, 7.0
    assert judged(ours).verdict is Verdict.PASS


def test_rounding_of_the_inputs_of_the_rows_that_differ_may_explain_it() -> None:
    ours = REFERENCE.copy()
    ours[2, 0] += 1e-16
    assert judged(ours).verdict is Verdict.FAIL
    inputs = {"x": np.ones((4, 3))}
    assert judged(ours, inputs).verdict is Verdict.NOT_RUN
    inputs["x"][2] = 1e-9
    assert judged(ours, inputs).verdict is Verdict.FAIL


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_what_is_no_number_fails(wrong: float) -> None:
    ours = REFERENCE.copy()
    ours[1, 2] = wrong
    assert judged(ours).verdict is Verdict.FAIL
    ours = REFERENCE.copy()
    ours[0, 2] = wrong
    assert judged(ours).verdict is Verdict.PASS
