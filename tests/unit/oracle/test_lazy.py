"""What is computed in some places is what would be there if everything were."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from harness.oracle.backward_slice import evaluate
from harness.oracle.lazy import Lazy
from harness.oracle.sampling import Places, everything, pick

pytest.importorskip("flint")

ROWS = np.array([1, 4])
COLUMNS = np.array([0, 2, 5])


def number(value: float, like: Any) -> Any:
    return type(like.flat[0])(value)


def softmax(scores: Any, axis: int = -1) -> Any:
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "attention": lambda q, k: softmax(q @ k.T / np.sqrt(number(3.0, q))),
    "columns first": lambda q, k: softmax(q @ k.T, axis=0).T,
    "scale by size": lambda q, k: q @ k.T / np.sqrt(number(float(q.size), q)),
    "sums": lambda q, k: np.sum(q, axis=1, keepdims=True) - np.max(k, axis=1),
    "outer": lambda q, k: np.outer(q[:, 0], k[:, 1]),
    "stacked": lambda q, k: np.vstack([q.T, k.T]) * 2.0,
    "shapes": lambda q, k: (q.reshape(3, 6) - k.swapaxes(0, 1)).transpose() ** 2,
    "spread": lambda q, k: (
        q.std(axis=1, ddof=1)[:, None] * np.var(k, axis=0) + np.linalg.norm(q, axis=1)[:, None]
    ),
    "keeping": lambda q, k: np.sort(q, axis=0) + k.cumsum(axis=1) - np.median(k, axis=1, keepdims=True),
    "sliced": lambda q, k: (q[:, None, :2] * k[-1, 1:])[:, 0] + q[::2, 1:].sum(axis=0),
    "whole rows": lambda q, k: q[2] * k[..., :] - np.cumsum(q).reshape(6, 3)[::-1],
    "places": lambda q, k: q.argmax(axis=1)[:, None] + k.argmin(axis=0) * 1.0,
    "products": lambda q, k: q.prod(axis=1, keepdims=True) * k.cumprod(axis=0) * np.multiply.reduce(k),
    "twice": lambda q, k: (lambda e: softmax(e) * e + e.T)(q @ k.T),
    "in place": lambda q, k: _in_place(q, k),
}


def _in_place(q: Any, k: Any) -> Any:
    e = q @ k.T
    e -= e.max(axis=1, keepdims=True)
    e /= number(2.0, q)
    return e


def lazily(function: Callable[..., Any], places: Places | None, **arrays: np.ndarray) -> np.ndarray:
    made = function(*(Lazy.given(name, array.shape) for name, array in arrays.items()))
    wanted = everything(made.shape) if places is None else places
    given = lambda name, asked: pick(arrays[name], everything(arrays[name].shape), asked)  # noqa: E731
    return np.asarray(evaluate({"made": (made, wanted)}, given, np.float64, no_total)["made"])


def no_total(*_: Any) -> Any:
    raise AssertionError("so few numbers are added as they are")


@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_places_of_a_result_are_those_of_the_whole(name: str) -> None:
    draw = np.random.default_rng(1)
    arrays = {"q": draw.normal(size=(6, 3)), "k": draw.normal(size=(6, 3))}
    whole = FUNCTIONS[name](*(array.copy() for array in arrays.values()))
    np.testing.assert_allclose(lazily(FUNCTIONS[name], None, **arrays), whole, rtol=1e-14)
    columns = COLUMNS[: np.searchsorted(COLUMNS, whole.shape[1])]
    part = lazily(FUNCTIONS[name], (ROWS, columns), **arrays)
    np.testing.assert_allclose(part, whole[np.ix_(ROWS, columns)], rtol=1e-14)


def test_no_more_is_computed_than_is_needed() -> None:
    asked: dict[str, Places] = {}
    q, k = Lazy.given("q", (6, 3)), Lazy.given("k", (6, 3))

    def given(name: str, places: Places) -> np.ndarray:
        asked[name] = places
        return pick(np.ones((6, 3)), (None, None), places)

    weights = softmax(q @ k.T)
    assert evaluate({"w": (weights, (ROWS, COLUMNS))}, given, np.float64, no_total)["w"].shape == (2, 3)
    rows, array = asked["q"]
    assert rows is not None
    assert (rows.tolist(), array) == ([1, 4], None)
    assert asked["k"] == (None, None)


def test_what_is_wanted_in_several_places_is_computed_once_in_all_of_them() -> None:
    calls = []
    x = Lazy.given("x", (6, 6))
    root = np.sqrt(x)

    def given(name: str, places: Places) -> np.ndarray:
        calls.append(places)
        return pick(np.arange(36.0).reshape(6, 6), (None, None), places)

    upper, other = (np.array([0, 3]), None), (np.array([3, 5]), None)
    parts = evaluate({"a": (root * 1.0, upper), "b": (root * 2.0, other)}, given, np.float64, no_total)
    assert len(calls) == 1
    assert calls[0][0] is not None
    assert calls[0][0].tolist() == [0, 3, 5]
    assert np.array_equal(parts["a"][1] * 2.0, parts["b"][0])


@pytest.mark.parametrize(
    "wrong",
    [
        lambda q: np.array([q, q]),
        lambda q: q.astype(int),
        lambda q: np.split(q, 2),
        lambda q: np.add(q, q, out=np.zeros((6, 3))),
        lambda q: q > 0,
        lambda q: q + np.ones(3),
        lambda q: bool(q),
    ],
)
def test_what_cannot_be_written_down_is_refused(wrong: Callable[..., Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        wrong(Lazy.given("q", (6, 3)))
