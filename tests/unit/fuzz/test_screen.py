from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from harness.fuzz.observe import StageValues
from harness.fuzz.screen import Floats, apart, nudged
from harness.model import Array, Failure, Observation, Stage, Value, Verdict

STAGE = Stage(name="z", inputs=("x",), outputs=(Value(name="z", shape=("d",)),))
WHY = Failure(verdict=Verdict.ERROR, reason="it went wrong")


def values(*rows: list[float], odd: Mapping[int, Observation | Failure] | None = None) -> StageValues:
    return StageValues(places=np.arange(len(rows)), stacks={"z": np.array(rows)}, odd=odd or {})


def moved(by: float) -> object:
    def spread(rows: Array) -> Mapping[str, Floats]:
        return {"z": np.full((int(rows.sum()), 2), by)}

    return spread


def scores(ours: StageValues, theirs: StageValues, by: float = 0.0) -> list[float]:
    return apart(STAGE, ours, theirs, moved(by)).tolist()  # type: ignore[arg-type]


def test_equal_values_do_not_part() -> None:
    row = [1.0, np.inf]
    assert scores(values(row, [np.nan, -0.0]), values(row, [np.nan, 0.0])) == [0.0, 0.0]


def test_a_few_last_places_are_let_through_and_more_are_not() -> None:
    step = np.spacing(1.0)
    ours = values([1.0, 1.0], [1.0, 1.0], [1.0, 1.0])
    theirs = values([1.0, 1.0 + 4 * step], [1.0, 1.0 + 8 * step], [2.0, 1.0])
    first, second, third = scores(ours, theirs)
    assert first == 0.0
    assert second == 2.0
    assert third > 1e14


def test_what_the_reference_moves_by_itself_is_let_through() -> None:
    ours, theirs = values([1.0, 1.0]), values([1.0, 1.0 + 1e-9])
    assert scores(ours, theirs)[0] > 1e5
    assert scores(ours, theirs, by=1e-10)[0] < 1.0
    assert scores(ours, theirs, by=1e-11)[0] > 1.0


@pytest.mark.filterwarnings("error")
def test_what_moves_by_as_much_as_the_format_holds_warns_nobody() -> None:
    assert scores(values([1.0, 2.0]), values([1.0, 1e307]), by=1.7e308) == [0.0]


@pytest.mark.parametrize("other", [np.nan, np.inf, -np.inf])
def test_numbers_against_none_part_without_end(other: float) -> None:
    assert scores(values([1.0, 2.0]), values([1.0, other]), by=1e300) == [np.inf]
    assert scores(values([1.0, other]), values([1.0, 2.0]), by=1e300) == [np.inf]


def test_infinities_of_both_signs_part() -> None:
    assert scores(values([1.0, np.inf]), values([1.0, -np.inf])) == [np.inf]


@pytest.mark.parametrize(("ours", "theirs"), [([], [0.0]), ([0.0], []), ([0.0], [0.0, 0.0])])
def test_another_number_of_elements_parts(ours: list[float], theirs: list[float]) -> None:
    assert scores(values(ours), values(theirs)) == [np.inf]


def test_who_raises_alone_parts_and_who_raises_with_the_reference_does_not() -> None:
    ours = values([1.0, 1.0], [1.0, 1.0], [1.0, 1.0], odd={1: WHY, 2: WHY})
    theirs = values([0.0, 0.0], [0.0, 0.0], [1.0, 1.0], odd={0: WHY, 1: WHY})
    assert scores(ours, theirs) == [np.inf, 0.0, 0.0]


def test_a_reference_of_the_wrong_form_is_looked_at() -> None:
    form = Observation(outputs={"z": np.zeros(5)}, seconds=0.0)
    assert scores(values([1.0, 1.0], odd={0: form}), values([1.0, 1.0])) == [np.inf]


def test_whole_numbers_have_to_be_equal() -> None:
    ours = StageValues(places=np.arange(2), stacks={"z": np.array([[1, 2], [1, 2]])}, odd={})
    theirs = StageValues(places=np.arange(2), stacks={"z": np.array([[1, 2], [1, 3]])}, odd={})
    assert scores(ours, theirs) == [0.0, np.inf]
    # Where rounding of the inputs changes the reference's as well, that may be why.
    assert scores(ours, theirs, by=1.0) == [0.0, np.inf]


def test_nudged_numbers_move_by_one_last_place_and_equal_ones_alike() -> None:
    array = np.array([1.0, -1.0, 1.0, 0.0, -0.0, np.inf, np.nan, 5e-324, 1e300])
    other = nudged(array, 1)
    assert other[0] == other[2]
    assert abs(other[0] - 1.0) in (np.spacing(1.0), np.spacing(1.0) / 2)
    assert other[3] == 0.0
    assert np.signbit(other[4])
    assert np.isinf(other[5])
    assert np.isnan(other[6])
    assert len({nudged(array, salt).tobytes() for salt in range(8)}) > 1


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
def test_nudged_keeps_the_dtype(dtype: str) -> None:
    array = np.full((2, 3), 1.5, dtype)
    assert nudged(array, 1).dtype == dtype
    assert (nudged(array, 1) != array).all()
    whole = np.arange(3)
    assert nudged(whole, 1) is whole
