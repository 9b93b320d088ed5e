"""A stage that is off: its first wrong elements, and what it is to what is due; of others nothing is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness.conformance.hints import with_hints
from harness.conformance.sides import Sides
from harness.model import Case, Cell, Check, Mode, Precision, Source, Verdict, WrongElement
from harness.numerics.missing import NO_INTEGER
from tests.unit.conformance.by_hand import Observations, chain, fixture_of, observed, truth, value

DUE = np.array([[0.31, 2.71828, -1.4142], [8.125, 5.5001, -3.33]])
FIXTURE = fixture_of({"default": {}}, x=np.ones(7))


def hinted(
    actual: Any,
    due: Any = DUE,
    *,
    limit: Any = 1e-9,
    check: Check = Check.ORACLE,
    of: Case | None = None,
    not_ieee: str = "",
    **more: Any,
) -> Cell:
    of = of or chain(value("q"))
    known: Observations = observed(q=np.asarray(due))
    truths = {("default", "q"): truth(np.asarray(due), limit)}
    sides = Sides(case=of, chained=observed(q=np.asarray(actual)), reference=known, chained_truths=truths)
    said: dict[str, Any] = {"verdict": Verdict.FAIL, "precision": Precision.FLOAT64, "limit": 1e-9, **more}
    cell = Cell(
        case="toy",
        stage="q",
        implementation="r",
        language="R",
        mode=Mode.CHAINED,
        check=check,
        against="numpy",
        source=Source.LIVE,
        **said,
    )
    (made,) = with_hints([cell], sides, FIXTURE, not_ieee)
    return made


@pytest.mark.parametrize("check", [Check.ORACLE, Check.REFERENCE])
def test_a_divisor_has_its_name(check: Check) -> None:
    assert hinted(DUE * 7 / 6, check=check).relation.startswith("factor 1.1666667 = n/(n - 1) with n = 7")


def test_the_output_is_what_is_named() -> None:
    assert hinted(DUE.round(2)).relation == "rounded to 2 digits in this output"
    assert hinted(DUE, DUE.round(2)).relation == "rounded to 2 digits in what is due"


def test_another_shape_may_be_another_layout() -> None:
    made = hinted(DUE.T, check=Check.REFERENCE)
    assert made.relation.startswith("transposed")
    assert made.wrong == ()


def test_another_size_may_be_a_part() -> None:
    due = DUE.ravel()
    assert hinted(due[1:], due, check=Check.REFERENCE).relation == "without the first element"


@pytest.mark.parametrize("actual", [np.array(9.126123), np.array(-9.126123), np.array(9.126123 * 7 / 6)])
def test_numbers_of_another_shape_have_no_relation_but_a_layout(actual: np.ndarray) -> None:
    assert hinted(actual, np.array([9.126123]), check=Check.REFERENCE).relation == ""


WHY = "a runtime takes subnormal numbers for zero"


@pytest.mark.parametrize(("not_ieee", "more"), [(WHY, f": {WHY}"), ("", "")])
def test_subnormal_numbers_that_are_zero_are_named_with_the_reason(not_ieee: str, more: str) -> None:
    due = np.array([1.0, 3.7e-44, -1e-40])
    actual = np.array([1.0, 0.0, -0.0], np.float32)
    made = hinted(actual, due, limit=1e-46, precision=Precision.FLOAT32, not_ieee=not_ieee)
    assert made.relation == f"subnormal numbers are zero in this output{more}"
    assert [element.index for element in made.wrong] == [(1,), (2,)]


@pytest.mark.parametrize(
    "actual",
    [[1.0, 0.0, 0.5], [0.0, 0.0, -0.0], [1.0, 1e-44, -0.0], [np.nan, 0.0, 0.0], [1.0, -3.7e-44, 0.0]],
)
def test_where_anything_else_is_wrong_subnormal_numbers_are_no_reason(actual: list[float]) -> None:
    due = np.array([1.0, 3.7e-44, -1e-40])
    made = hinted(np.array(actual, np.float32), due, limit=1e-46, precision=Precision.FLOAT32, not_ieee=WHY)
    assert made.relation == ""
    assert made.wrong


def test_the_first_wrong_elements_in_digits() -> None:
    actual = DUE.copy()
    actual[0, 1], actual[1, 2] = 2.7, np.nan
    made = hinted(actual, limit=np.full(DUE.shape, 1e-3))
    assert made.wrong == (
        WrongElement(index=(0, 1), actual="2.7000000000000002", due="2.71828", limit=1e-3),
        WrongElement(index=(1, 2), actual="nan", due="-3.3300000000000001", limit=1e-3),
    )
    assert made.relation == ""


def test_elements_within_their_limits_or_undecided_are_not_wrong() -> None:
    undecided = np.zeros(DUE.shape, dtype=bool)
    undecided[1] = True
    limits = np.where(np.arange(6).reshape(2, 3) == 0, 1.0, 1e-9)
    cell = hinted(DUE + 0.5, limit=limits)
    assert [element.index for element in cell.wrong] == [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    sides = Sides(
        case=chain(value("q")),
        chained=observed(q=DUE + 0.5),
        reference=observed(q=DUE),
        chained_truths={("default", "q"): truth(DUE, limits, undecided=undecided)},
    )
    (made,) = with_hints([cell], sides, FIXTURE)
    assert [element.index for element in made.wrong] == [(0, 1), (0, 2)]


@pytest.mark.parametrize(
    "more",
    [
        {"verdict": Verdict.PASS},
        {"verdict": Verdict.XFAIL},
        {"inherited": True},
        {"of": chain(value("q", up_to="sign"))},
    ],
)
def test_nothing_is_said_where_no_error_is_made_or_other_signs_are_right(more: dict[str, Any]) -> None:
    made = hinted(DUE * 7 / 6, **more)
    assert (made.relation, made.wrong) == ("", ())


def test_shorter_formats_round_too_much_for_a_relation() -> None:
    made = hinted((DUE * 7 / 6).astype(np.float32), precision=Precision.FLOAT32)
    assert made.relation == ""
    assert len(made.wrong) == 6


DAYS = np.array([19811, 19812, NO_INTEGER, 19840, 19999, 20100], dtype=np.int64)
OF_DAYS = chain(value("q", dtype="date", missing=True))


def test_dates_are_compared_without_what_is_missing_and_shown_as_dates() -> None:
    early = np.where(DAYS == NO_INTEGER, DAYS, DAYS - 1)
    made = hinted(early, DAYS, of=OF_DAYS, check=Check.REFERENCE)
    # Beside the number that stands for a missing date, days are all alike: nothing is permuted.
    assert made.relation == "offset -1"
    assert (made.wrong[0].actual, made.wrong[0].due) == ("2024-03-28", "2024-03-29")
    turned = DAYS[[1, 0, 2, 4, 3, 5]]
    assert hinted(turned, DAYS, of=OF_DAYS, check=Check.REFERENCE).relation.startswith("permuted")
    # Others are missing.
    assert hinted(DAYS[::-1].copy(), DAYS, of=OF_DAYS, check=Check.REFERENCE).relation == ""
