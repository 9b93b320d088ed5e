"""Elements without a limit, beside others that have one, are compared with the reference's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from harness.conformance.coarse import judge_coarsely
from harness.conformance.expect import mark_inherited
from harness.conformance.judge import judge_truth
from harness.conformance.oracle_request import truth_from
from harness.conformance.strict import refuse_coarse, refuse_undecided
from harness.model import (
    Basis,
    Case,
    Cell,
    Check,
    Failure,
    Mode,
    Precision,
    Stage,
    Truth,
    Verdict,
)
from harness.store.truths import read_truths, write_truths
from tests.unit.conformance.by_hand import (
    Observations,
    case_of,
    context,
    fixture_of,
    observation,
    truth,
    value,
)

BEYOND = "a number beyond 1.79769e+308, the largest float64, in line 6 of sigmoid.py"
SIZES = {sample: {"n": 3} for sample in ("s", "t")}
NAN, INF = np.nan, np.inf


def case(*, nan: bool = False, dtype: str = "float") -> Case:
    return case_of(Stage(name="sigmoid", inputs=("x",), outputs=(value("y", nan=nan, dtype=dtype),)))


FIXTURE = fixture_of({"s": {}, "t": {}}, x=[-800.0, 1.0, 2.0])


def observed(**samples: Any) -> Observations:
    return {(sample, "sigmoid"): observation(y=array) for sample, array in samples.items()}


def in_part(**more: Any) -> Truth:
    """Of two ones, of which others may be 1e-15 away; of the first element nothing is known."""
    marks = np.array([True, False, False])
    given = {"high": np.ones(3), "limit": 1e-15, "worst": 1e-15, "why": BEYOND}
    return truth(**{**given, "undecided": marks, "reach": np.full(3, NAN), "unlimited": marks, **more})


def judge(
    ours: Any,
    theirs: Any,
    true_values: Truth | None = None,
    *,
    of: Case | None = None,
    who: str = "r",
    precision: Precision = Precision.FLOAT64,
    mode: Mode = Mode.CHAINED,
) -> tuple[Cell, list[Cell]]:
    """The cell of the oracle, and those that are coarse."""
    subject = context(of or case(), who, precision)
    truths = {("s", "y"): in_part() if true_values is None else true_values}
    actual, expected = observed(s=ours), observed(s=theirs)
    (exact,) = judge_truth(subject, mode, actual, truths, expected)
    return exact, judge_coarsely(subject, mode, actual, expected, truths, FIXTURE)


@pytest.mark.parametrize("theirs", [INF, -INF, NAN])
def test_the_true_value_is_no_difference_where_the_reference_lost_it(theirs: float) -> None:
    _, (coarse,) = judge([1.0 + 1e-9, 1.0, 1.0], [theirs, 1.0, 1.0], of=case(nan=True))
    assert (coarse.verdict, coarse.undecided) == ("PASS", 1)


@pytest.mark.parametrize(
    ("theirs", "ours", "verdict"),
    [
        (0.0, 0.0, "PASS"),
        (0.0, 5e-324, "PASS"),
        # √u of the largest value, which is 1, is 1.05e-8.
        (0.0, 1.0e-8, "PASS"),
        (0.0, 1.1e-8, "FAIL"),
        (0.0, 0.7, "FAIL"),
        (0.0, -1e300, "FAIL"),
        (0.0, NAN, "FAIL"),
        (0.0, INF, "FAIL"),
        (INF, INF, "PASS"),
        (INF, -INF, "FAIL"),
        (INF, 1e300, "FAIL"),
        (NAN, NAN, "PASS"),
        (NAN, 0.0, "FAIL"),
        # The true value is 1: beside a number it is not known to be one.
        (INF, 1.0 + 1e-7, "FAIL"),
        (0.0, 1.0, "FAIL"),
    ],
)
@pytest.mark.parametrize("mode", list(Mode))
def test_an_element_without_a_limit_is_held_against_the_reference_s(
    theirs: float, ours: float, verdict: str, mode: Mode
) -> None:
    exact, (coarse,) = judge([ours, 1.0, 1.0], [theirs, 1.0, 1.0], of=case(nan=True), mode=mode)
    assert (coarse.verdict, coarse.basis, coarse.check, coarse.against, coarse.mode) == (
        verdict,
        "coarse",
        "reference",
        "numpy",
        mode,
    )
    assert coarse.weaker_because == f"1 of 3 elements has no limit: {BEYOND}"
    assert coarse.stats is not None
    assert (coarse.stats.count, coarse.undecided) == (1, 0)
    assert verdict == "PASS" or "1 of 1 element beyond the limit, first at [0]" in coarse.reason
    # The others are judged by the truth, and nothing is undecided.
    assert (exact.verdict, exact.basis, exact.undecided, exact.elements) == ("PASS", "derived", 0, 0)
    assert exact.reason == f"1 of 3 elements has no limit: {BEYOND}; compared coarsely"
    assert exact.stats is not None
    assert exact.stats.count == 2


@pytest.mark.parametrize(
    ("ours", "theirs", "others", "nan", "verdict"),
    [
        (NAN, NAN, truth(high=np.ones(3), limit=1e-15), True, "PASS"),
        (NAN, NAN, truth(high=np.ones(3), limit=1e-15), False, "FAIL"),
        (1.0, NAN, truth(high=np.ones(3), limit=1e-15), True, "FAIL"),
        (NAN, 1.0, truth(high=np.ones(3), limit=1e-15), True, "FAIL"),
        # Nothing is compared by number anywhere.
        (NAN, NAN, truth(high=np.full(3, NAN), limit=0.0), True, "NOT_RUN"),
        (
            NAN,
            NAN,
            truth(high=np.ones(3), limit=0.0, undecided=np.ones(3, bool), reach=np.ones(3)),
            True,
            "NOT_RUN",
        ),
    ],
)
def test_a_sample_that_is_nan_alone_agrees_where_another_has_numbers(
    ours: float, theirs: float, others: Truth, nan: bool, verdict: str
) -> None:
    """As within one cell, although the others are in the oracle's."""
    unknown = Failure(verdict=Verdict.NOT_RUN, reason="the oracle: no limit can be derived for `xyz`")
    subject = context(case(nan=nan))
    actual = observed(s=[ours] * 3, t=np.ones(3))
    expected = observed(s=[theirs] * 3, t=np.ones(3))
    truths = {("s", "y"): unknown, ("t", "y"): others}
    cell, *_ = judge_coarsely(subject, Mode.CHAINED, actual, expected, truths, FIXTURE)
    assert [(s.sample, s.verdict) for s in cell.by_sample if s.sample == "s"] == [("s", verdict)]
    assert cell.verdict == verdict


def test_each_cell_has_elements_of_its_own() -> None:
    exact, (coarse,) = judge([0.0, 1.0, 1.0 + 1e-9], [0.0, 1.0, 1.0])
    assert (exact.verdict, coarse.verdict) == ("FAIL", "PASS")
    assert exact.reason.startswith("1 of 2 elements beyond the limit, first at [2]")
    exact, (coarse,) = judge([0.5, 1.0, 1.0], [0.0, 1.0, 1.0])
    assert (exact.verdict, coarse.verdict) == ("PASS", "FAIL")
    assert coarse.stats is not None
    assert (coarse.stats.max_abs, coarse.stats.max_abs_index) == (0.5, (0,))


def test_a_limit_of_the_largest_value_of_the_whole_output() -> None:
    # √u of 1000 in float32 is 0.244.
    for far, verdict in ((0.24, "PASS"), (0.25, "FAIL")):
        theirs = np.array([3.0, 1000.0, 1.0], np.float32)
        ours = theirs + np.array([far, 0.0, 0.0], np.float32)
        true_values = in_part(high=theirs.astype(float))
        _, (coarse,) = judge(ours, theirs, true_values, precision=Precision.FLOAT32)
        assert coarse.verdict == verdict


def test_nobody_is_compared_where_a_comparison_is_undecided() -> None:
    true_values = in_part(undecided=np.array([True, True, False]), why=f"{BEYOND}; a tie in line 3")
    for tie in (7.0, NAN, -INF):
        exact, (coarse,) = judge([0.0, tie, 1.0], [0.0, 1.0, 1.0], true_values)
        assert (exact.verdict, exact.undecided, exact.elements) == ("PASS", 1, 2)
        assert exact.reason.startswith("1 element not judged: ")
        assert coarse.stats is not None
        assert (coarse.verdict, coarse.undecided, coarse.stats.count) == ("PASS", 0, 1)
    exact, coarse_cells = judge([0.0, 9.0, 1.0], [1.0, 1.0, 1.0], in_part(unlimited=None))
    assert (exact.verdict, exact.undecided, coarse_cells) == ("FAIL", 1, [])


def test_numbers_elsewhere_that_are_none_are_no_matter_of_it() -> None:
    true_values = in_part(undecided=np.array([True, True, False]))
    _, (coarse,) = judge([0.0, NAN, 1.0], [0.0, NAN, 1.0], true_values)
    assert coarse.stats is not None
    assert (coarse.verdict, coarse.stats.nan_both) == ("PASS", 0)
    _, (coarse,) = judge([0.0, 1.0, 1.0], [0.0, INF, 1.0], true_values)
    assert coarse.verdict == "PASS"


def test_both_are_no_number_where_the_case_expects_one() -> None:
    _, (coarse,) = judge([NAN, 1.0, 1.0], [NAN, 1.0, 1.0])
    assert (coarse.verdict, coarse.reason) == ("FAIL", "NaN in 1 place where the case expects none")


def test_what_exact_operands_make_no_number_is_due_and_not_coarse() -> None:
    pole = "it has no true value: it is not a number, or a quotient by zero"
    for ours, verdict in ((INF, "PASS"), (-INF, "PASS"), (5.0, "FAIL"), (NAN, "FAIL")):
        exact, coarse_cells = judge([ours, 1.0, 1.0], [INF, 1.0, 1.0], in_part(why=pole))
        assert (exact.verdict, exact.undecided, coarse_cells) == (verdict, 0, [])
    exact, (coarse,) = judge([5.0, 1.0, 1.0], [7.0, 1.0, 1.0], in_part(why=pole))
    assert (exact.verdict, coarse.verdict) == ("PASS", "FAIL")


@pytest.mark.parametrize("ours", [np.ones(2), np.ones(3, np.float32), np.ones(3, int)])
def test_a_wrong_shape_or_dtype_fails(ours: Any) -> None:
    exact, (coarse,) = judge(ours, np.ones(3))
    assert (exact.verdict, coarse.verdict) == ("FAIL", "FAIL")


def test_complex_elements() -> None:
    of = case(dtype="complex")
    true_values = in_part(high=np.ones(3, complex), low=np.zeros(3, complex))
    for ours, verdict in ((1e-9j, "PASS"), (1j, "FAIL"), (complex(0, NAN), "FAIL")):
        _, (coarse,) = judge(np.array([ours, 1, 1]), np.array([0j, 1, 1]), true_values, of=of)
        assert coarse.verdict == verdict


def test_the_reference_has_no_coarse_cell_and_its_elements_are_undecided() -> None:
    exact, _ = judge([0.0, 1.0, 1.0], [0.0, 1.0, 1.0], who="numpy")
    assert (exact.verdict, exact.undecided, exact.elements) == ("PASS", 1, 3)
    assert exact.reason == f"1 element not judged: {BEYOND}"


def test_samples_without_a_truth_and_with_one_in_part_are_one_cell() -> None:
    subject = context(case())
    truths = {("s", "y"): Failure(verdict=Verdict.NOT_RUN, reason="not understood"), ("t", "y"): in_part()}
    for off, verdicts in ((0.5, ["PASS", "FAIL"]), (0.0, ["PASS", "PASS"])):
        actual = observed(s=[1.0, 1.0, 1.0 + 1e-9], t=[off, 1.0, 1.0])
        expected = observed(s=[1.0, 1.0, 1.0], t=[0.0, 1.0, 1.0])
        (coarse,) = judge_coarsely(subject, Mode.CHAINED, actual, expected, truths, FIXTURE)
        assert [sample_verdict.verdict for sample_verdict in coarse.by_sample] == verdicts
        assert coarse.verdict == verdicts[1]
        assert coarse.weaker_because == (
            f"not understood, in sample s; 1 of 3 elements has no limit: {BEYOND}"
        )
        (exact,) = judge_truth(subject, Mode.CHAINED, actual, truths, expected)
        assert (exact.verdict, exact.samples) == ("PASS", 1)


def test_strict_refuses_what_was_compared_coarsely_and_nothing_is_undecided() -> None:
    exact, (coarse,) = judge([0.0, 1.0, 1.0], [0.0, 1.0, 1.0])
    assert [cell.verdict for cell in refuse_undecided(refuse_coarse([exact, coarse]))] == ["PASS", "FAIL"]


def test_a_stage_that_is_off_by_itself_in_some_elements_inherits_nothing() -> None:
    cells = []
    for mode in Mode:
        exact, (coarse,) = judge([0.5, 1.0, 1.0], [0.0, 1.0, 1.0], mode=mode)
        cells += [exact, coarse]
    assert [cell.verdict for cell in cells] == ["PASS", "FAIL"] * 2
    assert not any(cell.inherited for cell in mark_inherited(cells))
    healed = [
        msgspec.structs.replace(cell, verdict=Verdict.PASS) if cell.mode is Mode.ISOLATED else cell
        for cell in cells
    ]
    assert [cell.check for cell in mark_inherited(healed) if cell.inherited] == [Check.REFERENCE]
    assert all(cell.basis is Basis.COARSE for cell in mark_inherited(healed) if cell.inherited)


def test_what_the_oracle_tells_is_kept(tmp_path: Path) -> None:
    high, zeros = np.array([0.0, 1.0, 2.0, 3.0]), np.zeros(4)
    limit, radius = np.array([NAN, NAN, NAN, 1e-15]), np.array([-INF, NAN, 2.5, 0.0])
    written = truth_from([high, zeros, radius, zeros, limit], BEYOND)
    assert written.undecided is not None
    assert written.undecided.tolist() == [True, True, True, False]
    write_truths(tmp_path, "key", {("s", "y"): written})
    kept = read_truths(tmp_path, "key")
    assert kept is not None
    for true_values in (written, kept["s", "y"]):
        assert isinstance(true_values, Truth)
        assert true_values.unlimited is not None
        assert true_values.reach is not None
        assert true_values.unlimited.tolist() == [True, False, False, False]
        np.testing.assert_array_equal(true_values.reach, [NAN, NAN, 2.5, NAN])
    assert truth_from([high, zeros, zeros, zeros, zeros], "").unlimited is None
