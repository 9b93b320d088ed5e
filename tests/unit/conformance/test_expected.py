"""Outputs that are compared with data: arrays of the fixture, and tables of printed numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness.conformance.expected import expected_values, judge_expected
from harness.conformance.observe import Job
from harness.model import (
    Basis,
    Cell,
    Expected,
    Failure,
    Precision,
    SampleTolerance,
    Tolerance,
    Verdict,
)
from harness.model.case import without_print
from harness.model.outcome import BY_VALUE
from tests.unit.conformance.by_hand import (
    Observations,
    chain,
    context,
    fixture_of,
    implementation,
    observed,
    stated,
)

FIXTURE = fixture_of({"s": {"e": np.array([1.0, 2.0, 3.0])}, "t": {}}, x=[100.0])
CLOSE = Tolerance(rule="absolute", value=0.5, reason="rounded")
TABLE = Expected(table="t.csv", printed={"s": ("1.00", "2.0", "3")})


def cells_of(
    data: Expected, ours: Observations, precision: Precision = Precision.FLOAT64, **changes: Any
) -> list[Cell]:
    case = chain(stated("a", expected=data, **changes))
    job = Job(case=case, fixture=FIXTURE, implementation=implementation("numpy"), precision=precision)
    subject = context(case, "numpy", precision)
    return judge_expected(subject, ours, FIXTURE, expected_values(case, job, ours))


def cell_of(data: Expected, a: Any, **changes: Any) -> Cell:
    (cell,) = cells_of(data, {**observed("s", a=a), **observed("t", a=np.ones(3))}, **changes)
    return cell


@pytest.mark.parametrize(("off", "verdict"), [(0.5, Verdict.PASS), (0.625, Verdict.FAIL)])
def test_the_reference_too_is_compared_with_an_array(off: float, verdict: Verdict) -> None:
    cell = cell_of(Expected(array="e", tolerance=CLOSE), [1.0, 2.0 + off, 3.0])
    assert (cell.verdict, cell.check, cell.against, cell.basis) == (verdict, "expected", "e", Basis.STATED)
    # The other sample has no such array.
    assert [part.sample for part in cell.by_sample] == ["s"]
    assert cell.check in BY_VALUE


@pytest.mark.parametrize(
    ("a", "reason"),
    [
        ([1.0, 2.0], "shape (2) where (n=3) is expected"),
        ([1.0, np.nan, 3.0], "NaN in 1 place on one side only"),
        (np.ones(3, np.float32), "dtype float32 where float64 is expected"),
        (Failure(verdict=Verdict.FAIL, reason="there is no function a"), "there is no function a"),
    ],
)
@pytest.mark.parametrize("data", [Expected(array="e", tolerance=CLOSE), TABLE])
def test_nothing_else_is_hidden(data: Expected, a: Any, reason: str) -> None:
    cell = cell_of(data, a)
    assert cell.verdict is Verdict.FAIL or (data is TABLE and isinstance(a, np.ndarray))
    if data.array:
        assert reason in cell.reason


def test_digits_say_how_many_agree() -> None:
    rule = Tolerance(rule="digits", digits=3, reason="certified")
    cell = cell_of(Expected(array="e", tolerance=rule), [1.0, 2.0 * (1 + 1e-4), 3.0])
    assert (cell.verdict, cell.reason) == (Verdict.PASS, "4.0 significant digits agree")
    cell = cell_of(Expected(array="e", tolerance=rule), [1.0, 2.02, 3.0])
    assert cell.verdict is Verdict.FAIL
    assert cell.reason.endswith("first at [1]; 2.0 significant digits agree")
    assert cell_of(Expected(array="e", tolerance=rule), [1.0, 2.0, 3.0]).reason.startswith("all ")


def test_a_table_is_digits_to_print_or_numbers_with_a_tolerance() -> None:
    assert cell_of(TABLE, [1.004, 1.96, 3.4]).verdict is Verdict.PASS
    cell = cell_of(TABLE, [1.006, 1.96, 3.4])
    assert (cell.verdict, cell.basis) == (Verdict.FAIL, None)
    assert cell.reason == "1 of 3 printed numbers differ, first: [0] is 1.006, printed 1.00"
    near = Expected(table="t.csv", printed=TABLE.printed, tolerance=CLOSE)
    assert cell_of(near, [1.5, 2.5, 3.5]).verdict is Verdict.PASS
    assert cell_of(near, [1.5, 2.75, 3.5]).verdict is Verdict.FAIL
    short = Expected(table="t.csv", printed={"s": ("1.00",)}, tolerance=CLOSE)
    assert cell_of(short, np.ones(3)).reason == "t.csv has 1 numbers of s, and the shape is (3,)"


def test_printed_digits_are_of_float64_and_tolerances_of_every_precision() -> None:
    ours = {**observed("s", a=np.array([1, 2, 3], np.float32)), **observed("t", a=np.ones(3, np.float32))}
    assert cells_of(TABLE, ours, Precision.FLOAT32) == []
    (cell,) = cells_of(Expected(array="e", tolerance=CLOSE), ours, Precision.FLOAT32)
    assert cell.verdict is Verdict.PASS


def test_samples_have_tolerances_of_their_own_and_norms_are_of_inputs() -> None:
    wide = SampleTolerance(samples="s", rule="norm", value=0.01, of="x", reason="test")
    rule = Tolerance(rule="exact", by_sample=(wide,))
    assert cell_of(Expected(array="e", tolerance=rule), [1.0, 3.0, 3.0]).verdict is Verdict.PASS
    assert cell_of(Expected(array="e", tolerance=rule), [1.0, 3.25, 3.0]).verdict is Verdict.FAIL


def test_a_record_has_no_digits_that_others_printed() -> None:
    case = without_print(chain(stated("a", expected=TABLE)))
    data = case.values["a"].expected
    assert isinstance(data, Expected)
    assert (data.table, data.printed) == ("t.csv", {})
