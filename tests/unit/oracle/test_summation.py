"""Limits of sums hold for every order, grouping and number of accumulators, and are not much wider."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from harness.oracle.summation import prime_term, product_error, running_error, sum_error, tree_squares

Array = np.ndarray


def away(array: Array, terms: Array) -> float:
    """How far a result is from the sum, which is known to twice the digits of float64."""
    high = math.fsum(terms)
    return abs((float(array) - high) - math.fsum([*terms, -high]))


def sequential(terms: Array) -> Array:
    return np.cumsum(terms, dtype=terms.dtype)[-1]


def accumulated(terms: Array, count: int, *, strided: bool) -> Array:
    """So many partial sums, of every so many-th term or of a block each, then their sum."""
    whole = len(terms) // count * count
    parts = terms[:whole].reshape(-1, count).T if strided else terms[:whole].reshape(count, -1)
    sums = np.cumsum(parts, axis=1, dtype=terms.dtype)[:, -1]
    return sequential(np.concatenate([sums, terms[whole:]]))


def compensated(terms: Array) -> Array:
    """Kahan's sum."""
    zero = terms.dtype.type(0)
    total, lost = zero, zero
    for term in terms:
        right = term - lost
        after = total + right
        lost = (after - total) - right
        total = after
    return total


def results(terms: Array) -> Iterator[tuple[str, Array]]:
    rng = np.random.default_rng(5)
    by_size = np.argsort(np.abs(terms), kind="stable")
    orders = {
        "as given": terms,
        "backwards": terms[::-1],
        "ascending": np.sort(terms),
        "descending": np.sort(terms)[::-1],
        "smallest first": terms[by_size],
        "largest first": terms[by_size[::-1]],
        "at random": rng.permutation(terms),
    }
    for name, ordered in orders.items():
        yield name, sequential(ordered)
    for count in (2, 3, 4, 8, 16, 17, 32, 64):
        if count < len(terms):
            yield f"{count} strided", accumulated(terms, count, strided=True)
            yield f"{count} blocks", accumulated(terms, count, strided=False)
    yield "numpy", terms.sum()
    if len(terms) <= 1000:
        yield "compensated", compensated(terms)


DATA: dict[str, Callable[[int, np.random.Generator], Array]] = {
    "normal": lambda n, rng: rng.normal(size=n),
    "positive": lambda n, rng: rng.random(n),
    "equal": lambda n, rng: np.full(n, 0.1),
    "alternating": lambda n, rng: 0.1 * (-1.0) ** np.arange(n) + 1e-3 * rng.random(n),
    "period of 8": lambda n, rng: np.tile(rng.random(8), n // 8 + 1)[:n],
    "sorted": lambda n, rng: np.sort(rng.normal(size=n)),
    "nearly equal": lambda n, rng: 1000.1 + 0.01 * rng.random(n),
    "one large": lambda n, rng: np.r_[1e8, np.ones(n - 1)],
    "graded": lambda n, rng: 10.0 ** np.linspace(8, -8, n),
    "ramp": lambda n, rng: 0.1 * np.arange(n),
    "cancelling": lambda n, rng: rng.normal(size=n // 2 + 1).repeat(2)[:n] * (-1.0) ** np.arange(n),
}


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [3, 24, 65, 1000, 20_000])
def test_no_order_exceeds_the_limit(data: str, dtype: type[np.floating], n: int) -> None:
    terms = DATA[data](n, np.random.default_rng(n)).astype(dtype)
    unit = {np.float32: 2.0**-24, np.float64: 2.0**-53}[dtype]
    worst, spread = sum_error(terms[None].astype(np.float64), unit)
    limit = max(min(worst[0], 8.0 * spread[0]), 2.0 * unit * abs(math.fsum(terms)))
    for name, array in results(terms):
        assert away(array, terms) <= 0.7 * limit, name


PATTERNS: dict[str, tuple[float, ...]] = {
    "0.1": (0.1,),
    "0.2": (0.2,),
    "thirds": (1 / 3,),
    "period 2": (1 / 3, 1 / 7),
    "period 3": (0.7, 0.1, 0.3),
    "alternating": (1.1, -1.0),
    "period 5": (3.3, -1.1, 0.2, -1.1, 1e-3),
}


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [300, 4_099, 48_000])
def test_no_number_of_accumulators_exceeds_the_limit_of_repeated_terms(
    pattern: str, dtype: type[np.floating], n: int
) -> None:
    terms = np.resize(np.array(PATTERNS[pattern]), n).astype(dtype)
    unit = {np.float32: 2.0**-24, np.float64: 2.0**-53}[dtype]
    worst, spread = sum_error(terms[None].astype(np.float64), unit)
    limit = min(worst[0], 8.0 * spread[0])
    for count in (*range(1, 17), 24, 31, 48, 64, 100):
        for strided in (True, False):
            array = accumulated(terms, count, strided=strided)
            assert away(array, terms) <= 0.7 * limit, (count, strided)


def test_accumulators_whose_errors_do_not_cancel_get_the_worst_case() -> None:
    # One by one, the errors of 48,000 times 0.1 cancel to 1/30 of what two accumulators have.
    tenths = np.full(48_000, 0.1)
    alone, two = (away(accumulated(tenths, count, strided=True), tenths) for count in (1, 2))
    assert two > 25 * alone
    worst, spread = sum_error(tenths[None], U)
    assert spread == worst
    running = running_error(tenths[None], U)
    assert running[1][0, -1] == running[0][0, -1]
    of_product = product_error(tenths[None], np.ones((48_000, 1)), U)
    assert of_product[1] == of_product[0]
    # A float32 sum of them is still found.
    assert away(tenths.astype(np.float32).sum(), tenths) > 1e3 * worst[0]


# Twelve million terms take eight seconds.
@pytest.mark.parametrize("n", [30, 1000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_random_terms_keep_their_spread(n: int) -> None:
    rng = np.random.default_rng(n)
    for terms in (rng.normal(size=(200, n)), rng.random((200, n)), rng.integers(0, 256, (200, n)) * 1.0):
        worst, spread = sum_error(terms, U)
        assert np.count_nonzero(spread == worst) <= 1


@pytest.mark.parametrize("n", [100, 10_000])
def test_a_term_left_out_and_a_narrower_format_are_beyond_the_limit(n: int) -> None:
    terms = np.random.default_rng(1).normal(size=n)
    worst, spread = sum_error(terms[None], 2.0**-53)
    limit = min(worst[0], 8.0 * spread[0])
    assert away(terms[1:].sum(), terms) > 1e6 * limit
    assert away(terms.astype(np.float32).sum(), terms) > 1e3 * limit


def squares_of_the_worst_tree(terms: Array) -> float:
    """The largest sum of the squares of partial sums over all ways to put parentheses, in any order."""
    count = 1 << len(terms)
    sums = [sum(term for place, term in enumerate(terms) if chosen >> place & 1) for chosen in range(count)]
    best = [0.0] * count
    for chosen in range(1, count):
        rest = chosen & (chosen - 1)
        part, largest = rest, -math.inf
        while part:
            largest = max(largest, best[part] + best[chosen ^ part])
            part = (part - 1) & rest
        best[chosen] = largest + sums[chosen] ** 2 if rest else 0.0
    return best[-1]


@pytest.mark.parametrize("data", ["normal", "positive", "equal", "alternating", "graded", "ramp"])
@pytest.mark.parametrize("n", [2, 3, 5, 8])
def test_bound_on_partial_sums_is_that_of_the_worst_tree_or_little_more(data: str, n: int) -> None:
    terms = DATA[data](n, np.random.default_rng(n))
    worst = squares_of_the_worst_tree(terms)
    bound = float(tree_squares(terms.sum(), np.abs(terms).sum(), np.square(terms).sum(), np.array(n)))
    assert worst * (1 - 1e-12) <= bound <= 1.9 * worst


def test_terms_that_round_alike_get_the_worst_case() -> None:
    rng = np.random.default_rng(0)
    for alike in (
        np.full((1, 1000), 0.1),
        1000.1 + 0.001 * rng.random((1, 1000)),
        DATA["one large"](10**6, rng),
    ):
        worst, spread = sum_error(np.atleast_2d(alike), 2.0**-24)
        assert spread == worst
    worst, spread = sum_error(rng.normal(size=(1, 1000)), 2.0**-24)
    assert 8.0 * spread < worst / 4
    ones = np.full((1000, 1), 0.1)
    worst, spread = product_error(ones.T, ones, 2.0**-24)
    assert spread == worst
    worst, spread = product_error(rng.normal(size=(3, 1000)), rng.normal(size=(1000, 2)), 2.0**-24)
    assert (8.0 * spread < worst / 4).all()


@pytest.mark.parametrize(("m", "n", "p"), [(1, 1, 1), (4, 7, 3), (2, 300, 3), (3, 70_000, 2)])
def test_a_product_is_the_sum_of_its_terms(m: int, n: int, p: int) -> None:
    rng = np.random.default_rng(n)
    x, y = rng.normal(size=(2, m, n)), rng.normal(size=(n, p))
    worst, spread = product_error(x, y, 2.0**-53)
    assert worst.shape == spread.shape == (2, m, p)
    np.testing.assert_allclose(worst, (n + 1) * 2.0**-53 * (np.abs(x) @ np.abs(y)), rtol=1e-12)
    if n > 1:
        terms = x[..., :, None, :] * y.T
        of_sums = sum_error(terms, 2.0**-53)[1]
        assert (of_sums <= spread).all()
        assert (spread <= 1.5 * of_sums).all()


def test_terms_that_are_zero_are_not_rounded() -> None:
    terms = np.array([[3.0, 0.0, 5.0, 0.0, 0.0]])
    for few, all_of_them in zip(sum_error(terms[:, ::2], 2.0**-53), sum_error(terms, 2.0**-53), strict=True):
        np.testing.assert_array_equal(few, all_of_them)
    assert not np.any(sum_error(np.zeros((1, 100)), 2.0**-53))
    assert not np.any(sum_error(np.ones((4, 1)), 2.0**-53))


def test_errors_neither_overflow_nor_vanish() -> None:
    terms = np.array([[1.0, 2.0, -1.5]])
    for power in (-1000, 0, 1000):
        scale = 2.0**power
        for array, plain in zip(sum_error(scale * terms, 2.0**-53), sum_error(terms, 2.0**-53), strict=True):
            np.testing.assert_array_equal(array, scale * plain)
        products = product_error(scale * terms, np.ones((3, 1)), 2.0**-53)
        for array, plain in zip(products, product_error(terms, np.ones((3, 1)), 2.0**-53), strict=True):
            np.testing.assert_array_equal(array, scale * plain)


def test_a_sum_of_two_numbers_by_hand() -> None:
    # Both terms may be rounded, and their sum: by up to a unit, with a variance of a third of that squared.
    worst, spread = sum_error(np.array([[3.0, 4.0]]), 2.0**-53)
    assert worst[0] == pytest.approx(14 * 2.0**-53, rel=1e-12)
    assert spread[0] == pytest.approx(2.0**-53 * math.sqrt(9 + 16 + 49 / 3), rel=1e-12)


U = 2.0**-53


@pytest.mark.parametrize(
    ("terms", "bound"),
    [
        ((5.0,), 0.0),
        ((3.0, 4.0), 49.0),
        # The squares of 4, 3 and 2 are 29.
        ((1.0, 1.0, 1.0, 1.0), 36.0),
        # With T = 5.5, A = 8.5 and Q = 23.25, no partial sum is beyond 7: 30.25 + 2 Q + 49.
        ((1.0, 2.0, -1.5, 4.0), 125.75),
    ],
)
def test_bounds_on_partial_sums_by_hand(terms: tuple[float, ...], bound: float) -> None:
    of = np.array(terms)
    array = tree_squares(of.sum(), np.abs(of).sum(), np.square(of).sum(), np.array(len(of)))
    assert float(array) == pytest.approx(bound, rel=1e-14)


def test_a_sum_of_four_numbers_by_hand() -> None:
    worst, spread = sum_error(np.array([[1.0, 2.0, -1.5, 4.0]]), U)
    assert worst[0] == pytest.approx(34 * U, rel=1e-14)
    assert spread[0] == pytest.approx(U * math.sqrt(23.25 + 125.75 / 3), rel=1e-14)
    # In a format of few digits the product of two roundings counts: 34 u (1 + u).
    worst, _ = sum_error(np.array([[1.0, 2.0, -1.5, 4.0]]), 0.25)
    assert worst[0] == pytest.approx(34 * 0.3125, rel=1e-14)


def test_running_sums_by_hand() -> None:
    for scale in (1.0, 2.0**500):
        worst, spread = running_error(scale * np.array([[3.0, 4.0, 0.0, -2.0]]), U)
        np.testing.assert_allclose(worst[0], scale * U * np.array([0, 14, 14, 27]), rtol=1e-14)
        two, all_of_them = math.sqrt(25 + 49 / 3), math.sqrt(29 + 74 / 3)
        np.testing.assert_allclose(spread[0], scale * U * np.array([0, two, two, all_of_them]), rtol=1e-14)
    worst, _ = running_error(np.array([[3.0, 4.0]]), 0.25)
    np.testing.assert_allclose(worst[0], [0, 14 * 0.3125], rtol=1e-14)
    for empty in running_error(np.zeros((2, 0)), U):
        assert empty.shape == (2, 0)


def test_a_product_by_hand() -> None:
    worst, spread = product_error(np.array([[3.0, 4.0]]), np.array([[1.0], [2.0]]), U)
    assert worst[0, 0] == pytest.approx(33 * U, rel=1e-14)
    assert spread[0, 0] == pytest.approx(U * math.sqrt(2 * 73 + 121 / 3), rel=1e-14)
    worst, _ = product_error(np.array([[3.0, 4.0]]), np.array([[1.0], [2.0]]), 0.25)
    assert worst[0, 0] == pytest.approx(33 * 0.25 * 1.25**2, rel=1e-14)


@pytest.mark.parametrize(
    ("n", "prime"), [(1, 0), (2, 0), (5, 0), (30, 0), (7, 7), (49, 7), (14, 7), (77, 11), (13, 13), (121, 11)]
)
def test_the_largest_prime_of_a_transform(n: int, prime: int) -> None:
    assert prime_term(n) == math.sqrt(prime)


@pytest.mark.parametrize(("digits", "unit"), [(11, 2.0**-11), (8, 2.0**-8), (24, 2.0**-24), (53, U)])
def test_ones_that_vanish_in_a_large_number_are_dependent_beyond_22_terms(digits: int, unit: float) -> None:
    # Each 1 is half a unit of the sum so far, and is lost.
    terms = np.r_[2.0**digits, np.ones(22)][None]
    for one_by_one in (sum_error, running_error):
        worst, spread = (array.ravel() for array in one_by_one(terms, unit))
        assert spread[-1] == worst[-1]
        worst, spread = (array.ravel() for array in one_by_one(terms[:, :22], unit))
        assert spread[-1] < worst[-1] / 2
        # Only the last axis is summed, however many there are.
        for stacked in (terms[0], terms[None]):
            worst, spread = (array.ravel() for array in one_by_one(stacked, unit))
            assert spread[-1] == worst[-1]
    worst, spread = product_error(terms, np.ones((23, 1)), unit)
    assert spread == worst
    worst, spread = product_error(terms[:, :22], np.ones((22, 1)), unit)
    assert spread < worst / 2


def test_terms_that_were_not_added_one_by_one_have_the_worst_case() -> None:
    rng = np.random.default_rng(3)
    for unit, n, known in (
        (2.0**-8, 4096, True),
        (2.0**-8, 4097, False),
        # NumPy has this format, and adds any number of terms in it.
        (2.0**-11, 4097, True),
        (2.0**-24, 5000, True),
        (U, 5000, True),
    ):
        # So many digits that no term is lost in a format of eight.
        signs = np.tile([1.0, -1.0], n)[:n][None]
        terms = signs if unit >= 2.0**-11 else rng.normal(size=(1, n))
        worst, spread = running_error(terms, unit)
        assert (spread[0, -1] < worst[0, -1]) == known
    worst, spread = product_error(rng.normal(size=(100, 3000)), rng.normal(size=(3000, 101)), U)
    np.testing.assert_array_equal(spread, worst)
    worst, spread = product_error(rng.normal(size=(10, 3000)), rng.normal(size=(3000, 101)), U)
    assert (spread < worst).all()


@pytest.mark.parametrize(("digits", "unit"), [(11, 2.0**-11), (8, 2.0**-8), (24, 2.0**-24), (53, U)])
def test_the_fourth_term_that_is_lost_is_one_too_many(digits: int, unit: float) -> None:
    # After four, 4 have been lost, of a spread of sqrt(1 + 4 / 3): 3.82 is two and a half of it; after three,
    # it is 3.54. What is zero is no addition.
    terms = np.zeros((2, 24))
    terms[1] = np.r_[2.0**digits, 0.0, np.ones(22)]
    worst, spread = running_error(terms, unit)
    assert (spread[1, 2:5] < worst[1, 2:5]).all()
    np.testing.assert_array_equal(spread[1, 5:], worst[1, 5:])
    # Half as large a number loses none of them.
    half = running_error(np.r_[2.0 ** (digits - 1), np.ones(22)], unit)
    assert (half[1][1:] < half[0][1:]).all()
    # Of rows that have nothing to do with each other.
    assert not spread[0].any()
    np.testing.assert_array_equal(running_error(terms[1], unit)[1], spread[1])
    for lost in (3, 4):
        few = np.r_[2.0**digits, np.ones(lost), np.zeros(20)]
        for order in (few, few[::-1]):
            worst, spread = sum_error(order[None], unit)
            assert (spread == worst) == (lost == 4)
        worst, spread = product_error(few[None], np.ones((len(few), 1)), unit)
        # Products are rounded too: sqrt(2 + 4 / 3) is the spread.
        assert spread < worst


def test_nothing_is_summed_of_one_term_or_none() -> None:
    for n in (0, 1):
        for array in sum_error(np.ones((2, 3, n)), U):
            assert array.shape == (2, 3)
            assert not array.any()
    for array in running_error(np.ones((2, 3, 1)), U):
        assert array.shape == (2, 3, 1)
        assert not array.any()
