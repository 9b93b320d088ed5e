"""What a function returned is described, so that a new case can declare it; nothing is judged here."""

from __future__ import annotations

import datetime
from collections import namedtuple
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from harness.authoring.described import Described, merged, parsed, refusal, said
from harness.workers.describe_value import description

Fit = namedtuple("Fit", "slope centre")


@pytest.mark.parametrize(
    ("value", "kind", "dtype", "missing"),
    [
        (np.ones(3), "array", "float", False),
        (3, "array", "int", False),
        (True, "array", "bool", False),
        ([1.0, 2.0], "numbers", "float", False),
        ([[1, 2], [3, 4]], "numbers", "int", False),
        ([1, None], "array", "int", True),
        (np.ma.MaskedArray([1.0, 2.0], mask=[0, 1]), "array", "float", True),
        ("ols", "text", "float", False),
        (["a", None], "text", "float", True),
        (np.array(["a", "b"]), "text", "float", False),
        (datetime.date(2020, 1, 1), "date", "float", False),
        ([datetime.datetime(2020, 1, 1, 5)], "time", "float", False),
        (np.array(["2020-01-01", "NaT"], "M8[D]"), "date", "float", True),
        (np.array(["2020-01-01T00:00"], "M8[s]"), "time", "float", False),
        ({"labels": ["a"], "levels": ["a", "b"]}, "category", "float", False),
        ([np.ones(2), np.ones(3)], "list", "float", False),
        ((1.0, 2.0), "list", "float", False),
        ({1, 2}, "other", "float", False),
        (None, "other", "float", False),
        ([None, None], "list", "float", False),
        (np.array([{}, 1], dtype=object), "other", "float", False),
    ],
)
def test_what_a_value_is(value: Any, kind: str, dtype: str, missing: bool) -> None:
    found = parsed(description(value))
    assert (found.kind, found.dtype, found.missing) == (kind, dtype, missing)


@pytest.mark.parametrize(
    ("value", "given"),
    [
        (2.5, "scalar"),
        (True, "scalar"),
        (3, "scalar"),
        ("abc", "scalar"),
        ([1, 2], "list"),
        ([[1.0], [2.0]], "list"),
        (["a", "b"], "list"),
        # What an array is to the next function as well.
        (np.float64(2.5), ""),
        (np.array(2.5), ""),
        (np.ones(2), ""),
        ([1.0, None], ""),
        ((1.0, 2.0), ""),
    ],
)
def test_what_is_no_array_to_the_next_function_is_told(value: Any, given: str) -> None:
    assert parsed(description(value)).given == given


def test_which_kind_of_sparse_matrix_it_is() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    assert parsed(description(sparse.csr_matrix(np.eye(2)))).given == "sparse matrix"
    assert parsed(description(sparse.coo_array(np.eye(2)))).given == "sparse array"


def test_of_values_by_name_each_is_described() -> None:
    for value in ({"slope": 1.0, "centre": "x"}, Fit(1.0, "x"), SimpleNamespace(slope=1.0, centre="x")):
        found = parsed(description(value))
        assert found.kind == "names"
        assert [(name, part.kind) for name, part in found.parts] == [("slope", "array"), ("centre", "text")]
    inner = parsed(description({"a": {"b": [1, 2]}, "c": [np.ones(1), "x"]}))
    assert dict(inner.parts)["a"].parts == (
        ("b", Described(kind="numbers", dtype="int", words="a list of 2", given="list")),
    )
    assert [part.kind for _, part in dict(inner.parts)["c"].parts] == ["array", "text"]
    assert said(inner) == "values by name: a, c"


def test_a_frame_has_its_columns() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": [1.5], "who": ["a"], "kind": pandas.Categorical(["u"]), "n": [2]})
    found = parsed(description(frame))
    assert [(name, part.kind) for name, part in found.parts] == [
        ("x", "array"), ("who", "text"), ("kind", "category"), ("n", "array"),
    ]  # fmt: skip
    assert parsed(description(pandas.Series([1, None], dtype="Int64"))).missing


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({1, 2}, "what it returns is a set"),
        (None, "what it returns is None"),
        ({"std err": 1.0}, "what it returns['std err'] has a name of more than letters, digits and _"),
        ({"a": {"b": [1.0]}}, "what it returns['a']['b'] is a list of 1 numbers inside of another value"),
        ([len, 1.0], "what it returns, part 1, is a builtin_function_or_method"),
        ([*map(str, range(30)), len], "what it returns is a list of 31 parts"),
    ],
)
def test_what_no_stage_can_return_says_why(value: Any, why: str) -> None:
    assert refusal(parsed(description(value))).startswith(why)


def test_what_a_stage_can_return_is_not_refused() -> None:
    assert refusal(parsed(description({"a": [1.0], "b": {"c": "x"}, "d": [np.ones(2), "y"]}))) == ""


def test_what_is_missing_in_one_sample_may_be_missing() -> None:
    samples = [{"a": ["x"], "b": 1.0}, {"a": [None, "y"], "b": 2.0}]
    found = merged([parsed(description(value)) for value in samples])
    assert [(name, part.missing) for name, part in found.parts] == [("a", True), ("b", False)]
