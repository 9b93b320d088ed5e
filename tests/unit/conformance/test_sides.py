"""The two arrays that a cell compares."""

from __future__ import annotations

import numpy as np
import pytest

from harness.conformance.sides import Sides
from harness.model import (
    Case,
    Cell,
    Check,
    Failure,
    Mode,
    Observation,
    Precision,
    Published,
    Source,
    Stage,
    Truth,
    Value,
    Verdict,
)

VALUES = tuple(Value(name=name, shape=("n",)) for name in "ab")
PRINTED = tuple(
    Published(stage=stage, source=source, values=(f"{place}.0",))
    for place, (stage, source) in enumerate((("b", "one"), ("a", "two"), ("a", "one")))
)
CASE = Case(
    name="c",
    title="",
    origin="",
    fixture="f",
    inputs=(Value(name="x", shape=("n",)),),
    stages=tuple(Stage(name=value.name, inputs=("x",), outputs=(value,)) for value in VALUES),
    published=PRINTED,
)


def observed(number: float) -> dict[tuple[str, str], Observation | Failure]:
    return {
        ("s", name): Observation(outputs={name: np.full(3, number + place)}, seconds=0.0)
        for place, name in enumerate("ab")
    }


def truths(number: float) -> dict[tuple[str, str], Truth | Failure]:
    high = np.full(3, number)
    return {("s", "a"): Truth(high=high, low=high * 0, limit=high, worst=1.0)}


SIDES = Sides(
    case=CASE,
    chained=observed(10),
    isolated=observed(20),
    reference=observed(30),
    upstream=observed(40),
    chained_truths=truths(50),
    isolated_truths=truths(60),
)


def cell(check: Check, mode: Mode, against: str = "numpy") -> Cell:
    return Cell(
        case="c",
        stage="a",
        implementation="r",
        language="R",
        mode=mode,
        precision=Precision.FLOAT64,
        check=check,
        against=against,
        source=Source.LIVE,
        verdict=Verdict.PASS,
    )


@pytest.mark.parametrize(
    ("check", "against", "mode", "actual", "expected"),
    [
        (Check.REFERENCE, "numpy", Mode.CHAINED, 10, 30),
        (Check.REFERENCE, "numpy", Mode.ISOLATED, 20, 40),
        (Check.ORACLE, "truth", Mode.CHAINED, 10, 50),
        (Check.ORACLE, "truth", Mode.ISOLATED, 20, 60),
        (Check.REPEAT, "numpy", Mode.ISOLATED, 20, 10),
        (Check.IDENTITY, "b", Mode.CHAINED, 10, 11),
    ],
)
def test_both_sides(check: Check, against: str, mode: Mode, actual: float, expected: float) -> None:
    judged = cell(check, mode, against)
    ours, theirs = SIDES.actual(judged, "s"), SIDES.expected(judged, "s")
    assert isinstance(ours, np.ndarray)
    assert ours.tolist() == [actual] * 3
    assert not isinstance(theirs, Failure | Published)
    assert (theirs.high if isinstance(theirs, Truth) else theirs).tolist() == [expected] * 3


@pytest.mark.parametrize(("source", "digits"), [("one", "2.0"), ("two", "1.0")])
def test_the_digits_of_a_source(source: str, digits: str) -> None:
    published = SIDES.expected(cell(Check.PUBLISHED, Mode.CHAINED, source), "s")
    assert isinstance(published, Published)
    assert published.values == (digits,)


def test_what_is_not_there_is_said() -> None:
    judged = cell(Check.REFERENCE, Mode.CHAINED)
    for side in (SIDES.actual(judged, "t"), SIDES.expected(judged, "t")):
        assert side == Failure(verdict=Verdict.NOT_RUN, reason="not observed")
    truth = SIDES.expected(cell(Check.ORACLE, Mode.CHAINED), "t")
    assert truth == Failure(verdict=Verdict.NOT_RUN, reason="the oracle was not asked")


@pytest.mark.parametrize(("mode", "due"), [(Mode.CHAINED, 30.0), (Mode.ISOLATED, np.nan)])
def test_what_has_no_true_number_is_due_as_the_reference_of_the_mode_has_it(mode: Mode, due: float) -> None:
    nothing = np.full(3, np.nan)
    truth = Truth(
        high=np.zeros(3),
        low=np.zeros(3),
        limit=np.zeros(3),
        worst=0.0,
        undecided=np.ones(3, bool),
        reach=nothing,
        why="it has no true value: it is not a number, or a quotient by zero",
    )
    lost = {**observed(40), ("s", "a"): Observation(outputs={"a": nothing}, seconds=0.0)}
    both = {("s", "a"): truth}
    sides = Sides(
        case=CASE,
        chained=observed(10),
        isolated=observed(20),
        reference=observed(30),
        upstream=lost,
        chained_truths=both,
        isolated_truths=both,
    )
    result = sides.truth(cell(Check.ORACLE, mode), "s")
    if np.isnan(due):
        assert isinstance(result, Truth)
        assert result.undecided is None
        np.testing.assert_array_equal(result.high, nothing)
    else:
        # The reference has a number there: nothing is known.
        assert isinstance(result, Failure)
