"""True values that are a sample, in the shape of the whole."""

from __future__ import annotations

from pathlib import Path

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
    found = fill_unsampled({("one", "y"): truth(reference[ROWS])}, planned(), observed(reference))["one", "y"]
    assert isinstance(found, Truth)
    assert found.known is not None
    assert np.flatnonzero(found.known).tolist() == ROWS.tolist()
    assert np.array_equal(found.high, reference)
    assert (found.low[ROWS] > 0).all()
    assert not found.low[~found.known].any()
    assert (found.limit[ROWS] == 1e-15).all()
    elsewhere = np.delete(found.limit[~found.known], np.flatnonzero(~found.known).tolist().index(5))
    assert elsewhere.min() >= 4.0 * 1e-15
    assert elsewhere.max() < 1.1 * 4.0 * 1e-15
    assert found.limit[5] == pytest.approx(4.0 * 1e-15 * 20.0 / reference[ROWS].max())
    assert found.sample == "64 of 100 elements"


def test_what_covers_its_array_stays_what_it_is() -> None:
    whole, unknown = truth(np.ones(N)), Failure(verdict=Verdict.NOT_RUN, reason="why")
    for told in (whole, unknown):
        assert fill_unsampled({("one", "y"): told}, planned(), observed(np.ones(N)))["one", "y"] is told
        assert fill_unsampled({("one", "y"): told}, planned(), {})["one", "y"] is told
    # As long as a sample, and the whole of its array.
    short = truth(np.ones(64))
    assert fill_unsampled({("one", "y"): short}, planned(64), {})["one", "y"] is short
    # A reference of the wrong shape is for the judge.
    assert fill_unsampled({("one", "y"): whole}, planned(), observed(np.ones(7)))["one", "y"] is whole


def test_a_sample_without_a_reference_around_it_judges_nothing() -> None:
    found = fill_unsampled({("one", "y"): truth(np.ones(64))}, planned(), {})["one", "y"]
    assert isinstance(found, Failure)
    assert found.verdict is Verdict.NOT_RUN
    assert "sample of the true values" in found.reason
