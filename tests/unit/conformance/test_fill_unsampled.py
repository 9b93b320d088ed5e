"""True values that are a sample, in the shape of the whole."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from harness.conformance.fill_unsampled import fill_unsampled
from harness.conformance.plan import PlannedCase
from harness.model import (
    Array,
    Case,
    Failure,
    Fixture,
    Implementation,
    Observation,
    Precision,
    Stage,
    Truth,
    Value,
    Verdict,
)
from harness.oracle.sampling import sample
from harness.store.beside import FilesBeside

N = 100
(ROWS,) = sample((N,))
assert ROWS is not None


def planned(n: int = N) -> PlannedCase:
    x, y = Value(name="x", shape=("n",)), Value(name="y", shape=("n",))
    stage = Stage(name="y", inputs=("x",), outputs=(y,))
    reference = Implementation(id="numpy", runtime="numpy", language="Python", path=Path("c.py"))
    return PlannedCase(
        folder=Path("c"),
        case=Case(name="c", title="", origin="", fixture="f", inputs=(x,), stages=(stage,)),
        fixture=Fixture(
            name="f",
            version=1,
            sha256="0",
            origin="",
            licence="",
            shared={"x": np.ones(n)},
            samples={"one": {}},
        ),
        reference=reference,
        implementations=(reference,),
        precisions=(Precision.FLOAT64,),
        beside=FilesBeside(Path(), ()),
    )


def truth(high: Array) -> Truth:
    return Truth(high=high, low=high * 1e-20, limit=np.full(high.shape, 1e-15), worst=2e-15)


def observed(array: Array) -> dict[tuple[str, str], Observation | Failure]:
    return {("one", "y"): Observation(outputs={"y": array}, seconds=0.0)}


def test_around_a_sample_are_the_references_values_with_a_coarse_limit() -> None:
    reference = np.linspace(1.0, 2.0, N)
    reference[5] = 20.0
    assert 5 not in ROWS
    filled = fill_unsampled({("one", "y"): truth(reference[ROWS])}, planned(), observed(reference))[
        "one", "y"
    ]
    assert isinstance(filled, Truth)
    assert filled.known is not None
    assert np.flatnonzero(filled.known).tolist() == ROWS.tolist()
    assert np.array_equal(filled.high, reference)
    assert (filled.low[ROWS] > 0).all()
    assert not filled.low[~filled.known].any()
    assert (filled.limit[ROWS] == 1e-15).all()
    elsewhere = np.delete(filled.limit[~filled.known], np.flatnonzero(~filled.known).tolist().index(5))
    assert elsewhere.min() >= 4.0 * 1e-15
    assert elsewhere.max() < 1.1 * 4.0 * 1e-15
    assert filled.limit[5] == pytest.approx(4.0 * 1e-15 * 20.0 / reference[ROWS].max(), rel=1e-12, abs=0.0)
    assert filled.sample == "64 of 100 elements"


def test_what_covers_its_array_stays_what_it_is() -> None:
    whole, unknown = truth(np.ones(N)), Failure(verdict=Verdict.NOT_RUN, reason="why")
    for answer in (whole, unknown):
        assert fill_unsampled({("one", "y"): answer}, planned(), observed(np.ones(N)))["one", "y"] is answer
        assert fill_unsampled({("one", "y"): answer}, planned(), {})["one", "y"] is answer
    # As long as a sample, and the whole of its array.
    short = truth(np.ones(64))
    assert fill_unsampled({("one", "y"): short}, planned(64), {})["one", "y"] is short
    # A reference of the wrong shape is for the judge.
    assert fill_unsampled({("one", "y"): whole}, planned(), observed(np.ones(7)))["one", "y"] is whole


def test_a_sample_without_a_reference_around_it_judges_nothing() -> None:
    result = fill_unsampled({("one", "y"): truth(np.ones(64))}, planned(), {})["one", "y"]
    assert isinstance(result, Failure)
    assert result.verdict is Verdict.NOT_RUN
    assert "sample of the true values" in result.reason


def test_undecided_elements_of_a_sample_stay_where_they_are() -> None:
    marks = np.zeros(64, dtype=bool)
    marks[[0, 63]] = True
    reach = np.where(marks, 0.25, np.nan)
    marked = msgspec.structs.replace(truth(np.ones(64)), undecided=marks, why="a tie")
    for part, due in ((reach, 0.25), (None, np.nan)):
        sampled = msgspec.structs.replace(marked, reach=part)
        filled = fill_unsampled({("one", "y"): sampled}, planned(), observed(np.ones(N)))["one", "y"]
        assert isinstance(filled, Truth)
        assert filled.undecided is not None
        assert filled.reach is not None
        assert filled.undecided.dtype == np.bool_
        assert np.flatnonzero(filled.undecided).tolist() == [ROWS[0], ROWS[63]]
        assert filled.reach.dtype == np.float64
        assert np.array_equal(filled.reach[[ROWS[0], ROWS[63]]], [due, due], equal_nan=True)
        assert np.isnan(np.delete(filled.reach, [ROWS[0], ROWS[63]])).all()
        assert (filled.why, filled.worst) == ("a tie", 2e-15)
    filled = fill_unsampled({("one", "y"): truth(np.ones(64))}, planned(), observed(np.ones(N)))["one", "y"]
    assert isinstance(filled, Truth)
    assert (filled.undecided, filled.reach) == (None, None)


def test_a_sample_without_any_limit_says_nothing_of_the_elements_around_it() -> None:
    lost = msgspec.structs.replace(
        truth(np.ones(64)), limit=np.zeros(64), undecided=np.ones(64, dtype=bool), why="it is not a number"
    )
    filled = fill_unsampled({("one", "y"): lost}, planned(), observed(np.ones(N)))["one", "y"]
    assert filled == Failure(verdict=Verdict.NOT_RUN, reason="it is not a number")


def test_rows_of_a_matrix_are_filled_in_their_places() -> None:
    """80 rows and 3 columns: 64 of the rows are a sample, and all of the columns."""
    rows, columns = sample((80, 3))
    assert rows is not None
    assert columns is None
    reference = np.arange(240.0).reshape(80, 3)
    of = planned(80)
    stage = Stage(name="y", inputs=("x",), outputs=(Value(name="y", shape=("n", 3)),))
    of = msgspec.structs.replace(of, case=msgspec.structs.replace(of.case, stages=(stage,)))
    sampled = truth(reference[rows] + 0.5)
    filled = fill_unsampled({("one", "y"): sampled}, of, observed(reference))["one", "y"]
    assert isinstance(filled, Truth)
    assert filled.known is not None
    assert np.flatnonzero(filled.known.all(axis=1)).tolist() == rows.tolist()
    assert filled.known.dtype == np.bool_
    outside = ~filled.known.any(axis=1)
    assert np.array_equal(filled.high[rows], reference[rows] + 0.5)
    assert np.array_equal(filled.high[outside], reference[outside])
    assert np.array_equal(filled.low[rows], sampled.low)
    assert filled.sample == "64 of 80 rows"
    # Without a reference, the declared shape says that it is a sample.
    lost = fill_unsampled({("one", "y"): sampled}, of, {})["one", "y"]
    assert lost == Failure(
        verdict=Verdict.NOT_RUN,
        reason="the oracle knows a sample of the true values, and there are no others of the reference",
    )
    # A symbol that is no input's says nothing of the shape.
    stage = Stage(name="y", inputs=("x",), outputs=(Value(name="y", shape=("m", 3)),))
    of = msgspec.structs.replace(of, case=msgspec.structs.replace(of.case, stages=(stage,)))
    assert fill_unsampled({("one", "y"): sampled}, of, {})["one", "y"] is sampled


def test_what_is_not_finite_or_zero_scales_nothing() -> None:
    (places,) = sample((N,))
    assert places is not None
    outside = sorted(set(range(N)) - set(places.tolist()))
    reference = np.ones(N)
    reference[outside[:3]] = np.inf, np.nan, -6.0
    high = np.full(64, 2.0)
    high[:2] = np.inf, -3.0
    limit = np.full(64, 1e-15)
    limit[5] = 0.5
    sampled = msgspec.structs.replace(truth(np.ones(64)), high=high, limit=limit)
    filled = fill_unsampled({("one", "y"): sampled}, planned(), observed(reference))["one", "y"]
    assert isinstance(filled, Truth)
    # Four times the largest limit; twice that where 6 stands and the largest of the sample is 3.
    assert filled.limit[outside].tolist() == [2.0, 2.0, 4.0, *[2.0] * 33]
    assert filled.limit[places].tolist() == limit.tolist()
    zeros = msgspec.structs.replace(sampled, high=np.zeros(64))
    filled = fill_unsampled({("one", "y"): zeros}, planned(), observed(reference))["one", "y"]
    assert isinstance(filled, Truth)
    assert filled.limit[outside].tolist() == [2.0] * 36
    small = msgspec.structs.replace(sampled, high=np.full(64, 0.5))
    filled = fill_unsampled({("one", "y"): small}, planned(), observed(reference))["one", "y"]
    assert isinstance(filled, Truth)
    assert filled.limit[outside].tolist() == [2.0, 2.0, 24.0, *[4.0] * 33]


def test_a_reference_in_single_precision_stands_in_in_double() -> None:
    reference = np.full(N, 0.1, dtype=np.float32)
    sampled = truth(np.full(64, 0.25))
    filled = fill_unsampled({("one", "y"): sampled}, planned(), observed(reference))["one", "y"]
    assert isinstance(filled, Truth)
    assert filled.known is not None
    assert (filled.high.dtype, filled.limit.dtype, filled.low.dtype) == (np.float64,) * 3
    assert set(filled.high[~filled.known].tolist()) == {float(np.float32(0.1))}
    assert set(filled.high[filled.known].tolist()) == {0.25}
    # What was observed is left as it is.
    assert set(reference.tolist()) == {float(np.float32(0.1))}


def test_rows_whose_numbers_a_samples_limit_would_swallow_have_no_limit() -> None:
    """80 rows; one outside of the sample is 1e-9 of the others, and one is zeros."""
    rows, _ = sample((80, 3))
    assert rows is not None
    small, empty = sorted(set(range(80)) - set(rows.tolist()))[:2]
    reference = np.ones((80, 3))
    reference[small], reference[empty] = 1e-9, 0.0
    of = planned(80)
    stage = Stage(name="y", inputs=("x",), outputs=(Value(name="y", shape=("n", 3)),))
    of = msgspec.structs.replace(of, case=msgspec.structs.replace(of.case, stages=(stage,)))
    filled = fill_unsampled({("one", "y"): truth(reference[rows])}, of, observed(reference))["one", "y"]
    assert isinstance(filled, Truth)
    # The limit there is 4e-15, and half of the digits of 1e-9 are 1.05e-17.
    assert filled.unlimited is not None
    assert np.flatnonzero(filled.unlimited.any(axis=1)).tolist() == [small]
    assert filled.undecided is not None
    assert np.array_equal(filled.undecided, filled.unlimited)
    assert filled.why == (
        "true values are known in a sample, whose limit is more than half of the digits of their row"
        " or column"
    )
    reference[small] = 1e-6
    filled = fill_unsampled({("one", "y"): truth(reference[rows])}, of, observed(reference))["one", "y"]
    assert isinstance(filled, Truth)
    assert (filled.unlimited, filled.undecided, filled.why) == (None, None, "")
