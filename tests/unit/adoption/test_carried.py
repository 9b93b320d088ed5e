"""A value leaves a function as an array in the reference's layout, and comes back as what it was."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness.adoption.carried import coming, given_of, is_carried, leaving
from harness.adoption.facts import Fact
from harness.adoption.frames import column_of, is_whole, table_again
from harness.adoption.relations import Relation, relation_of

GRID = np.arange(6.0).reshape(2, 3) ** 1.5


@pytest.mark.parametrize(
    ("own", "reference", "kind"),
    [
        (GRID, GRID, "same"), (GRID, GRID.T, "transposed"), (GRID, GRID.ravel(), "reshaped"),
        (GRID, GRID.ravel(order="F"), "reshaped"), (GRID.ravel(), GRID, "reshaped"),
        (GRID.ravel(), GRID.ravel().reshape(3, 2, order="F"), "reshaped"),
        (GRID, GRID.T.reshape(6, 1), "reshaped"),
        (np.array(3.5), np.array([3.5]), "reshaped"), (np.array([3, 5]), np.array([2, 4]), "shifted"),
        (np.array([2.5]), np.array([3.5]), "same"),
    ],
)  # fmt: skip
def test_there_and_back(own: Any, reference: Any, kind: str) -> None:
    relation = relation_of(reference, own)
    assert relation.kind == kind
    fact = Fact(kind="array" if own.ndim else "scalar", array=own, more=() if own.ndim else ("float",))
    names: dict[str, Any] = {"_numpy": np, "x": own}
    out = eval(leaving("numpy", fact, relation, "x"), names)
    assert np.shape(out) == reference.shape
    assert np.array_equal(out, reference) == (kind != "same" or np.array_equal(own, reference))
    names["x"] = out
    for line in coming("numpy", fact, relation, "x", reference.dtype.kind, ""):
        exec(line, names)
    assert np.array_equal(names["x"], own)


@pytest.mark.parametrize(
    ("value", "fact"),
    [
        ([1.0, 2.0], Fact(kind="list", array=np.array([1.0, 2.0]))),
        ((1, 2), Fact(kind="tuple", array=np.array([1, 2]))),
        ({"a": 1.5, "b": 2.5}, Fact(kind="dict", array=np.array([1.5, 2.5]), more=("'a'", "'b'"))),
        (3, Fact(kind="scalar", array=np.array(3), more=("int",))),
        ([[1.0, 2.0]], Fact(kind="list", array=np.array([[1.0, 2.0]]))),
    ],
)
def test_values_of_python_are_made_again(value: object, fact: Fact) -> None:
    assert is_carried("numpy", fact)
    assert fact.array is not None
    relation = relation_of(fact.array, fact.array)
    names: dict[str, Any] = {"_numpy": np, "x": value}
    # The reference may have floats where this one has whole numbers.
    names["x"] = np.asarray(eval(leaving("numpy", fact, relation, "x"), names)).astype(float)
    for line in coming("numpy", fact, relation, "x", "f", ""):
        exec(line, names)
    assert names["x"] == value
    assert type(names["x"]) is type(value)


def test_what_python_is_given_as_it_is() -> None:
    assert given_of(Fact(kind="scalar", array=np.array(3), more=("int",))) == "scalar"
    assert given_of(Fact(kind="scalar", array=np.array(3), more=("numpy",))) == ""
    assert given_of(Fact(kind="list", array=np.array([3]))) == "list"
    assert given_of(Fact(kind="list", array=np.array([[3]]))) == ""


@pytest.mark.parametrize(
    ("runtime", "relation", "out"),
    [
        ("r", Relation(kind="transposed", own=(2, 3), shape=(3, 2)), "t(x)"),
        ("r", Relation(kind="reshaped", own=(2, 3), shape=(6,), order="F"), "as.vector(x)"),
        ("r", Relation(kind="reshaped", own=(2, 3), shape=(6,), order="C"), "as.vector(t(x))"),
        ("r", Relation(kind="reshaped", own=(6,), shape=(2, 3), order="C"), "matrix(x, 2, 3, byrow = TRUE)"),
        ("r", Relation(kind="shifted", own=(2,), shape=(2,), shift=-1), "x - 1L"),
        ("julia", Relation(kind="transposed", own=(2, 3), shape=(3, 2)), "permutedims(collect(x), (2, 1))"),
        ("julia", Relation(kind="reshaped", own=(2, 3), shape=(6,), order="F"), "vec(collect(x))"),
        ("julia", Relation(kind="shifted", own=(2,), shape=(2,), shift=-1), "collect(x) .- 1"),
    ],
)
def test_the_line_of_another_language(runtime: str, relation: Relation, out: str) -> None:
    fact = Fact(kind="array", array=np.zeros(relation.own))
    assert leaving(runtime, fact, relation, "x") == out


def test_r_gets_its_names_back() -> None:
    fact = Fact(kind="array", array=np.zeros(2), more=('c("a", "b")',))
    same = Relation(kind="same", own=(2,), shape=(2,))
    assert leaving("r", fact, same, "x") == "as.vector(x)"
    assert coming("r", fact, same, "x", "f", "") == ['names(x) <- c("a", "b")']


def test_a_vector_of_one_in_r_is_a_number() -> None:
    fact = Fact(kind="array", array=np.array(2.0), more=('c("Km")',))
    relation = relation_of(np.array(2.0), np.array(2.0))
    assert leaving("r", fact, relation, "x") == "as.vector(x)"
    assert coming("r", fact, relation, "x", "f", "") == ['names(x) <- c("Km")']


def test_a_table_is_made_of_all_its_columns_or_not() -> None:
    fact = Fact(kind="frame", array=None, more=("data.frame", "age", "the size"))
    assert is_whole(fact, ["age", "the size"])
    assert not is_whole(fact, ["age"])
    made = table_again("r", fact, "d", {"age": "age", "the size": "size"})
    assert (
        made == "d <- data.frame(age = age, `the size` = size, check.names = FALSE, stringsAsFactors = FALSE)"
    )
    table = Fact(kind="frame", array=None, more=("dict", "age"))
    assert table_again("numpy", table, "d", {"age": "a"}) == 'd = {"age": a}'
    assert [column_of(text) for text in ("d$age", "d['age']", "d.age", "d", "d[1]")] == [
        ("d", "age"), ("d", "age"), ("d", "age"), None, None,
    ]  # fmt: skip
