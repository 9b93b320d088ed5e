"""What goes into the record to be drawn."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from harness.conformance.exhibits import LARGEST, exhibits
from harness.conformance.gather import FinishedUnit
from harness.conformance.plan import PlannedCase
from harness.model import (
    Case,
    Exhibit,
    Failure,
    Fixture,
    Implementation,
    Observation,
    Precision,
    Stage,
    Value,
    Verdict,
)
from harness.store.beside import FilesBeside


def item(value: Value, outputs: dict[str, Any], **more: Any) -> FinishedUnit:
    """One implementation that returned these arrays, by sample, for its only stage."""
    case = Case(
        name="toy",
        title="t",
        origin="o",
        fixture="f",
        inputs=(),
        stages=(Stage(name="weights", inputs=(), outputs=(value,)),),
        precisions=(Precision.FLOAT64, Precision.FLOAT32),
    )
    labels = {"one": ("good", "bad"), "corpus/3": ("a", "b")}
    fixture = Fixture(
        name="f",
        version=1,
        sha256="",
        origin="",
        licence="",
        shared={},
        samples={name: {} for name in outputs},
        labels=labels,
    )
    who = Implementation(id="r", runtime="r", language="R", path=Path("x.R"))
    planned = PlannedCase(
        folder=Path(),
        case=case,
        fixture=fixture,
        reference=who,
        implementations=(who,),
        precisions=case.precisions,
        beside=FilesBeside(Path(), ()),
    )
    chained = {
        (sample, "weights"): failure
        if isinstance(failure, Failure)
        else Observation(outputs={value.name: failure}, seconds=0.0)
        for sample, failure in outputs.items()
    }
    base: dict[str, Any] = {
        "precision": Precision.FLOAT64,
        "refusal": None,
        "isolated": {},
        "reference": {},
        "upstream": {},
    }
    return FinishedUnit(planned=planned, implementation=who, chained=chained, **base | more)


def value(**more: Any) -> Value:
    return Value(name="weights", shape=("n", "n"), **{"show": "heatmap"} | more)


def test_a_marked_value_is_shown_with_its_words() -> None:
    array = np.array([[0.25, 0.75], [np.nan, 1.0]], order="F")
    (exhibit,) = exhibits(item(value(), {"one": array}))
    assert exhibit.shape == (2, 2)
    assert exhibit.values[:2] == (0.25, 0.75)
    assert np.isnan(exhibit.values[2])
    assert exhibit.labels == ("good", "bad")
    assert isinstance(exhibit, Exhibit)


def test_words_of_a_sentence_of_the_corpus() -> None:
    (exhibit,) = exhibits(item(value(labels="corpus/3"), {"one": np.eye(2)}))
    assert exhibit.labels == ("a", "b")


def test_words_that_do_not_fit_are_left_out() -> None:
    (exhibit,) = exhibits(item(value(), {"one": np.eye(3)}))
    assert exhibit.labels == ()


def test_only_samples_that_match() -> None:
    outputs = {"one": np.eye(2), "eval_1": np.eye(2)}
    assert [exhibit.sample for exhibit in exhibits(item(value(show_samples="eval_*"), outputs))] == ["eval_1"]


@pytest.mark.parametrize(
    ("marked", "array"),
    [
        (value(show=None), np.eye(2)),
        (value(), np.zeros((LARGEST, 2))),
        (value(), np.zeros((0, 2))),
        (value(), np.zeros(4)),
        (value(show="curve"), np.eye(2)),
        (value(), np.eye(2, dtype=complex)),
        (value(), Failure(verdict=Verdict.ERROR, reason="crashed")),
    ],
)
def test_what_is_not_shown(marked: Value, array: Any) -> None:
    assert list(exhibits(item(marked, {"one": array}))) == []


def test_only_the_first_precision() -> None:
    assert list(exhibits(item(value(), {"one": np.eye(2)}, precision=Precision.FLOAT32))) == []


def test_several_maps_keep_their_words() -> None:
    (exhibit,) = exhibits(item(value(), {"one": np.zeros((1, 2, 2))}))
    assert exhibit.labels == ("good", "bad")
    assert exhibit.shape == (1, 2, 2)
    assert msgspec.json.encode(exhibit)
