"""What two values are to each other that agree in part, or of which one is computed of the other."""

from __future__ import annotations

import numpy as np
import pytest

from harness.numerics.layouts import Value
from harness.numerics.relations import relation_of

X = np.array([0.3141, 2.71828, 1.41423, 8.1257, 5.5001, 3.3302, 0.0712, 9.0012])
TABLE = np.outer(X[:5], [1.01, 2.507, 0.333, 7.1]) + np.outer(np.arange(5.0) ** 2, [1, 0, 2, 1])
FRAMED = np.pad(TABLE[1:-1, 1:-1], 1, mode="edge")


def changed(value: Value, at: object, new: object) -> Value:
    made = value.copy()
    made[at] = new
    return made


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        (X, np.concatenate([[4.25, 7.5, 1.5], X[:-3]]), "shifted by 3 places"),
        (np.append([np.nan] * 3, X), np.append(X, [np.nan] * 3), "shifted by 3 places"),
        (TABLE[:, :3], TABLE[:, 1:], "shifted by 1 column"),
        (TABLE[:4], TABLE[1:], "shifted by 1 row"),
        (X, changed(X, 0, 5.25), "the same but for the first element"),
        (X, changed(X, slice(-2, None), [1.0, 2.5]), "the same but for the last 2 elements"),
        (X, changed(X, [2, 5], 0.0), "the same but for 2 of 8 elements, each 0 in the second"),
        (X, changed(X, [1, 6], np.nan), "each missing in the second"),
        (X, changed(X, [1, 6], [3.5, 4.25]), "the same but for 2 of 8 elements"),
        (np.outer(X, X), changed(np.outer(X, X), 3, np.sqrt(X)), "the same but for row 4 of 8"),
        (TABLE, FRAMED, "the same but for its edges"),
        (X, np.cumsum(X), "running sum"),
        (X[1:], 1 + np.cumsum(X)[:-1], "running sum"),
        (X, np.cumprod(X), "running product"),
        (X, 7.25 - X, "complement: they add up to 7.25"),
        (X, X**3, "the third power"),
        (np.exp(-X), 10.0**-X, "base 10, for base e"),
        (X, X + 2 * np.pi * (X > 3), "multiples of 2 pi"),
        (X, 1.8 * X + 32, "linear"),
        (TABLE, TABLE - TABLE.mean(axis=1, keepdims=True), "rows moved"),
        (TABLE, TABLE - TABLE.mean(axis=0), "columns moved"),
        (TABLE, TABLE / TABLE.sum(axis=1, keepdims=True), "rows scaled"),
        (np.array(0.12345678901), np.array(0.12345678901 * 3 / 7), "factor 3/7"),
        (np.array(2.12345678901), np.array(3.62345678901), "offset +1.5"),
        (np.array(12.345678901), np.array(372.345678901), "offset +360"),
        (np.append(X, [0.0, 0.0]), X, "without the last 2"),
        (np.insert(X, [2, 5], 0.0), X, "without the 2 elements that are 0"),
        (X, X[[0, 1, 3, 4, 6, 7]], "without 2 of 8 elements"),
    ],
)
def test_a_relation_is_named(one: Value, other: Value, said: str) -> None:
    assert said in relation_of(one, other, [])


def test_unrelated_values_have_no_relation() -> None:
    draws = np.random.default_rng(22)
    for size in (1, 2, 5, 8, 30, 200):
        for _ in range(25):
            one, other = draws.normal(size=(2, size))
            assert relation_of(one, other, [5, 10]) == ""
            few = draws.integers(0, 4, size=(2, size))
            assert relation_of(few[0], few[1], [5, 10]) == ""
            tenths = few / 10
            assert relation_of(tenths[0], tenths[1], []) == ""
            holes = np.where(few == 0, np.nan, draws.normal(size=(2, size)))
            assert relation_of(holes[0], holes[1], []) == ""
    for _ in range(60):
        matrix = draws.normal(size=(2, 6, 4))
        assert relation_of(matrix[0], matrix[1], [6, 4]) == ""
        marks = draws.random(size=(2, 40)) < 0.5
        assert relation_of(marks[0], marks[1], []) == ""
        # One of them is mostly zero.
        sparse = draws.normal(size=(2, 40)) * (draws.random(size=(2, 40)) < 0.1)
        assert "the same but" not in relation_of(sparse[0], sparse[1], [])
    assert relation_of(draws.normal(size=40), draws.normal(size=30), []) == ""
