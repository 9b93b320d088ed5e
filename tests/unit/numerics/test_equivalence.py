"""Arrays that are the same up to a sign, an order, names, a rotation or a phase; and those that are not."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from harness.errors import CompareError
from harness.model import Truth
from harness.numerics.equivalence import MOST_ROWS, assigned, facing, facing_truth

DRAW = np.random.default_rng(5)
E = DRAW.normal(size=(6, 3))
VECTOR = E[:, 0].copy()
COMPLEX = E + 1j * DRAW.normal(size=(6, 3))
LABELS = np.array([0, 0, 1, 2, 1, 2])
ANGLE = np.exp(0.7j)
Q = np.linalg.qr(DRAW.normal(size=(3, 3)))[0]
ORDER = np.array([3, 0, 5, 1, 4, 2])

SAME: list[Any] = [
    ("sign", VECTOR, -VECTOR),
    ("sign", E, -E),
    ("sign", np.array(2.0), np.array(-2.0)),
    ("sign", np.array([1, -2, 3]), np.array([-1, 2, -3])),
    ("sign of columns", E, E * [1.0, -1.0, -1.0]),
    ("sign of columns", np.stack([E, 2 * E]), np.stack([E * [1.0, -1.0, 1.0], 2 * E * [-1.0, 1.0, 1.0]])),
    ("permutation of rows", E, E[ORDER]),
    ("permutation of rows", VECTOR, VECTOR[ORDER]),
    ("permutation of rows", COMPLEX, COMPLEX[ORDER]),
    ("permutation of rows", np.array([[1, 2], [1, 2], [3, 4]]), np.array([[1, 2], [3, 4], [1, 2]])),
    ("labels", LABELS, np.array([7, 7, 0, 5, 0, 5])),
    ("labels", LABELS.astype(np.uint8), np.array([2, 2, 1, 0, 1, 0])),
    ("set", VECTOR, VECTOR[ORDER]),
    ("set", E, E[ORDER].T.reshape(6, 3)),
    ("set", np.array([1 + 2j, 1 - 2j, 3]), np.array([3, 1 - 2j, 1 + 1e-15 + 2j])),
    ("rotation", E, E @ Q),
    ("phase", VECTOR.astype(complex), VECTOR * ANGLE),
    ("phase", COMPLEX, COMPLEX * [ANGLE, ANGLE**2, 1]),
]


@pytest.mark.parametrize(("up_to", "expected", "actual"), SAME)
def test_what_is_equivalent_is_the_same(up_to: Any, expected: Any, actual: Any) -> None:
    found: Any = facing(up_to, expected, actual)
    exact = up_to not in ("rotation", "phase") and actual.dtype.kind != "c"
    np.testing.assert_allclose(found, actual, rtol=0, atol=0 if exact else 1e-14)
    if up_to != "labels":
        assert found.dtype == expected.dtype


@pytest.mark.parametrize(("up_to", "expected", "actual"), SAME)
def test_one_element_that_is_off_stays_off_by_as_much(up_to: Any, expected: Any, actual: Any) -> None:
    if actual.size == 1 or up_to == "labels":
        return
    # So little that the nearest of all that are equivalent is the same.
    step = 1 if actual.dtype.kind == "i" and up_to != "permutation of rows" else 1e-3
    off = actual + 0 if actual.dtype.kind != "i" else actual.astype(np.float64)
    off[(0,) * off.ndim] += step
    found: Any = facing(up_to, expected.astype(off.dtype), off)
    assert np.abs(found - off).max() > step / 3


@pytest.mark.parametrize(
    ("up_to", "actual"),
    [
        # A sign of one row, one column less, two columns changed over, a column twice.
        ("sign", E * [[-1.0], [1.0], [1.0], [1.0], [1.0], [1.0]]),
        ("sign", E * [1.0, -1.0, 1.0]),
        ("sign of columns", E[:, [1, 0, 2]]),
        ("sign of columns", E[:, [0, 0, 2]]),
        ("permutation of rows", np.broadcast_to(E[0], E.shape)),
        ("permutation of rows", E[ORDER] * [1.0, 1.0, -1.0]),
        ("rotation", E * 1.001),
        ("rotation", E[ORDER]),
        ("set", np.where(E[0, 0] == E, E[1, 1], E)),
        ("phase", np.conj(COMPLEX)),
        ("phase", COMPLEX * 1.001),
    ],
)
def test_other_faults_are_not_hidden(up_to: Any, actual: Any) -> None:
    expected = COMPLEX if up_to == "phase" else E
    found: Any = facing(up_to, expected, actual)
    assert np.abs(found - actual).max() > 1e-4


def test_groups_that_are_joined_or_parted_are_not_the_same() -> None:
    joined = facing("labels", LABELS, np.array([0, 0, 1, 1, 1, 1]))
    assert (joined != np.array([0, 0, 1, 1, 1, 1])).sum() == 2
    parted = facing("labels", LABELS, np.array([0, 3, 1, 2, 1, 2]))
    assert (parted != np.array([0, 3, 1, 2, 1, 2])).sum() == 1
    moved = facing("labels", LABELS, np.array([4, 4, 8, 6, 8, 8]))
    np.testing.assert_array_equal(moved, [4, 4, 8, 6, 8, 6])
    top = np.iinfo(np.int64).max
    assert (facing("labels", LABELS, np.full(6, top)) != top).sum() == 4


def test_nan_and_infinities_stay_where_they_are() -> None:
    for up_to in ("sign", "sign of columns", "rotation"):
        wrong = -E
        wrong[2, 1] = np.nan
        assert np.isfinite(facing(up_to, E, wrong)).all()  # type: ignore[arg-type]
    lost = np.array([1.0, np.nan, 2.0])
    np.testing.assert_array_equal(facing("set", np.array([2.0, 1.0, 3.0]), lost), [1.0, 3.0, 2.0])
    both = facing("set", np.array([np.nan, 2.0, -np.inf]), np.array([-np.inf, np.nan, 2.0]))
    np.testing.assert_array_equal(both, [-np.inf, np.nan, 2.0])


def test_another_shape_is_left_as_it_is() -> None:
    assert facing("sign", E, -E[:3]) is E
    empty = np.zeros((0, 3))
    assert facing("permutation of rows", empty, empty) is empty


def test_the_sign_of_a_zero_is_free_with_its_column() -> None:
    e = np.array([[0.0, 0.0], [1.0, 1.0]])
    a = np.array([[0.0, -0.0], [-1.0, 1.0]])
    found: Any = facing("sign of columns", e, a)
    assert np.signbit(found[0]).tolist() == [False, False]


@pytest.mark.parametrize("n", range(1, 7))
def test_the_assignment_is_the_best_of_all(n: int) -> None:
    for _ in range(20):
        cost = DRAW.integers(0, 9, size=(n, n)).astype(float)
        found = assigned(cost)
        assert sorted(found) == list(range(n))
        best = min(sum(cost[i, p[i]] for i in range(n)) for p in itertools.permutations(range(n)))
        assert cost[np.arange(n), found].sum() == best


def test_many_rows_that_are_alike_are_not_paired() -> None:
    many = np.zeros((MOST_ROWS + 1, 2))
    with pytest.raises(CompareError, match="rows of which several are nearest to the same one"):
        facing("permutation of rows", many, many)
    apart = np.arange(2.0 * (MOST_ROWS + 1)).reshape(-1, 2)
    np.testing.assert_array_equal(facing("permutation of rows", apart, apart[::-1]), apart[::-1])


def test_large_and_small_numbers_do_not_overflow() -> None:
    for scale in (1e300, 1e-300):
        np.testing.assert_array_equal(facing("sign of columns", E * scale, -E * scale), -E * scale)
        np.testing.assert_allclose(facing("rotation", E * scale, E @ Q * scale) / scale, E @ Q, atol=1e-14)


def test_true_values_keep_their_digits_and_their_limits() -> None:
    low, limit = E * 1e-17, np.abs(E) * 1e-15
    undecided = E > 1
    truth = Truth(high=E, low=low, limit=limit, worst=1.0, undecided=undecided)
    turned: Any = facing_truth("sign of columns", truth, E * [1.0, -1.0, 1.0])
    np.testing.assert_array_equal(turned.high + turned.low, (E + low) * [1.0, -1.0, 1.0])
    assert turned.limit is limit
    moved: Any = facing_truth("permutation of rows", truth, E[ORDER])
    np.testing.assert_array_equal(moved.low, low[ORDER])
    np.testing.assert_array_equal(moved.limit, limit[ORDER])
    np.testing.assert_array_equal(moved.undecided, undecided[ORDER])
    assert facing_truth("rotation", truth, E) is truth
    assert facing_truth("sign", truth, E[:2]) is truth
