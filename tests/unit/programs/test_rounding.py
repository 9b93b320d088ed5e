"""Which values are moved to see how far last digits carry."""

from __future__ import annotations

import numpy as np

from harness.programs.rounding import plan_of
from harness.programs.trace import Event, Site, Trace
from harness.programs.units import Unit, units_of


def program(*statements: tuple[str, str, object]) -> list[Unit]:
    """Units of statements: name, what it reads, value; a name that stands again is set again."""
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    numbers: dict[str, int] = {}
    counts: dict[str, int] = {}
    for place, (name, reads, value) in enumerate(statements):
        number = numbers.setdefault(name, len(numbers) + 1)
        trace.sites[number] = Site(number, "x.py", number, "set", name, "", tuple(reads.split()), (), ())
        counts[name] = counts.get(name, 0) + 1
        trace.events.append(Event(place, number, 0, counts[name], {"": np.asarray(value)}))
    return units_of(trace)


def test_what_is_computed_from_a_moved_value_is_left_to_follow_it() -> None:
    plan = plan_of(program(("x", "", 0.25), ("y", "x", 0.5), ("z", "y", 1.5)), 0)
    assert list(plan) == [1]
    (moved,) = plan[1]
    assert moved is not None
    assert abs(float(moved) - 0.25) == 0.25 * np.finfo(float).eps


def test_of_a_loop_only_the_first_value_that_is_broken_is_moved() -> None:
    plan = plan_of(program(("n", "", 3.0), ("x", "n", 3.0), ("x", "x n", 1.5), ("x", "x n", 0.75)), 0)
    assert list(plan) == [2]
    assert [value is None for value in plan[2]] == [True, False]


def test_whole_numbers_texts_and_what_is_not_finite_stay() -> None:
    assert not plan_of(program(("n", "", 4), ("m", "", 4.0), ("t", "", np.array(["a"], dtype=object))), 0)
    plan = plan_of(program(("x", "", [0.1, 2.0, np.nan, np.inf])), 0)
    (moved,) = plan[1]
    assert moved is not None
    assert moved[0] != 0.1
    np.testing.assert_array_equal(moved[1:], [2.0, np.nan, np.inf])


def test_a_number_in_single_precision_is_moved_by_its_own_last_place() -> None:
    (moved,) = plan_of(program(("x", "", np.array(0.25, dtype=np.float32))), 0)[1]
    assert moved is not None
    assert abs(float(moved) - 0.25) == 0.25 * np.finfo(np.float32).eps


def test_other_seeds_have_other_signs() -> None:
    units = program(("x", "", np.linspace(0.1, 0.9, 9)))
    made = {plan_of(units, seed)[1][0].tobytes() for seed in range(3)}  # type: ignore[union-attr]
    assert len(made) == 3


def test_a_missing_value_of_r_stays_without_a_warning() -> None:
    missing = np.array([0x7FF00000000007A2], dtype=np.uint64).view(np.float64)
    (moved,) = plan_of(program(("x", "", np.concatenate([missing, [0.5]]))), 0)[1]
    assert moved is not None
    assert np.isnan(moved[0])
    assert moved[1] != 0.5
