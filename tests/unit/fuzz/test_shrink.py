from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from harness.fuzz.shrink import cost, shrink
from harness.model import Array
from tests.unit.fuzz.cases import domain

Input = Mapping[str, Array]


def each(shows: Callable[[Input], bool]) -> Callable[[Sequence[Input]], list[bool]]:
    return lambda inputs: [bool(shows(given)) for given in inputs]


def drawn() -> dict[str, Array]:
    rng = np.random.default_rng(3)
    return {"x": rng.normal(size=(3, 2)), "y": rng.normal(size=3)}


def test_sizes_become_the_smallest_and_numbers_zero() -> None:
    small = shrink(drawn(), domain(), each(lambda given: True))
    assert small["x"].shape == (1, 0)
    assert small["y"].tolist() == [0.0]


def test_sizes_stay_together_and_within_what_is_taken() -> None:
    seen: list[tuple[int, int]] = []

    def shows(given: Input) -> bool:
        assert len(given["x"]) == len(given["y"])
        seen.append(given["x"].shape)
        return given["x"].shape[0] >= 2 and given["x"].shape[1] >= 1

    small = shrink(drawn(), domain(), each(shows))
    assert small["x"].shape == (2, 1)
    assert min(n for n, _ in seen) == 1


def test_a_tie_stays_a_tie() -> None:
    tied = {"x": np.zeros((3, 2)), "y": np.array([0.3, 1.7, 1.7])}
    small = shrink(tied, domain(), each(lambda given: len(set(given["y"].tolist())) < len(given["y"])))
    assert small["y"].tolist() == [0.0, 0.0]


def test_a_negative_zero_is_kept_where_it_is_needed() -> None:
    found = {"x": np.zeros((3, 2)), "y": np.array([4.25, -0.0, 1.0])}
    small = shrink(found, domain(), each(lambda given: bool((np.signbit(given["y"])).any())))
    assert [repr(number) for number in small["y"].tolist()] == ["-0.0"]


def test_numbers_get_as_few_digits_as_will_do() -> None:
    found = {"x": np.zeros((1, 1)), "y": np.array([123.456789])}
    small = shrink(found, domain(), each(lambda given: given["y"][0] > 100.5))
    assert small["y"].tolist() == [120.0]


def test_numbers_stay_within_their_range() -> None:
    held = domain(low=0.25, high=9.0)
    found = {"x": np.full((1, 1), 7.123), "y": np.array([1.0])}
    small = shrink(found, held, each(lambda given: given["x"].size > 0))
    assert small["x"].tolist() == [[1.0]]


def test_huge_numbers_and_none_do_not_stop_it() -> None:
    found = {"x": np.array([[1.7e308, np.nan]]), "y": np.array([-np.inf])}
    small = shrink(found, domain(), each(lambda given: given["x"].size == 2))
    assert small["x"].tolist() == [[0.0, 0.0]]


def test_what_cannot_be_made_smaller_is_as_it_was() -> None:
    found = drawn()
    small = shrink(found, domain(), each(lambda given: given is found))
    assert small.keys() == found.keys()
    assert all(np.array_equal(small[name], found[name]) for name in found)


def test_simpler_numbers_cost_less() -> None:
    ranked = [0.0, -0.0, 1.0, -1.0, 2.0, 7.0, 0.5, 0.25, 0.123, 0.123456789]
    assert sorted(ranked, key=cost) == ranked
    assert cost(0.0) < cost(-0.0)
