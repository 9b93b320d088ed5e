"""Which differing pairs are pairs of results."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.programs.launch import Program, Recorded
from harness.programs.locate import due_of
from harness.programs.match import Matching, Pair
from harness.programs.replace import Side
from harness.programs.results import both_show, comparable, meant_as_result
from harness.programs.sequences import Compared
from harness.programs.trace import Event, Site, Trace
from harness.programs.units import units_of


def side(*kinds: str, values: tuple[list[float] | float, ...] = ()) -> Side:
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    for number, kind in enumerate(kinds, 1):
        value = np.array(values[number - 1] if values else 1.25 * number)
        trace.sites[number] = Site(number, "x.py", number, kind, f"x{number}", "", (), (), ())
        trace.events.append(Event(number - 1, number, 0, 1, {"": value}))
    program = Program(path=Path("x.py"), language="python")
    recorded = Recorded(program=program, trace=trace, trials={}, printed="", messages="", seconds=1.0)
    return Side(recorded, units_of(trace))


@pytest.mark.parametrize(
    ("a", "b", "score", "due"),
    [
        (("set", "shown"), ("set", "shown"), 0.5, False),
        (("set", "shown"), ("set", "shown"), 0.7, True),
        (("shown", "set"), ("set", "shown"), 0.5, True),
        (("set", "shown"), ("set", "set"), 0.5, True),
    ],
)
def test_a_variable_that_is_left_over_is_a_result_only_where_it_surely_is_the_same(
    a: tuple[str, ...], b: tuple[str, ...], score: float, due: bool
) -> None:
    assert meant_as_result(side(*a), side(*b), Pair(0, 0, Compared(False), score, {})) is due


@pytest.mark.parametrize(
    ("one", "other", "names", "due"),
    [
        (60.0, [60.0, 102.5, 270.0], 0.55, False),
        ([60.0, 102.5, 270.0], 60.0, 0.55, False),
        (60.0, [60.0, 102.5, 270.0], 0.9, True),
        (61.0, [60.0, 102.5, 270.0], 0.55, True),
        (61.0, [60.0, 102.5, 270.0], 0.4, False),
        (61.0, 60.0, 0.1, True),
    ],
)
def test_a_number_is_no_other_value_of_the_vector_that_it_is_an_element_of(
    one: list[float] | float, other: list[float] | float, names: float, due: bool
) -> None:
    pair = Pair(0, 0, Compared(False), 0.7, {"names": names})
    assert comparable(side("set", values=(one,)), side("set", values=(other,)), pair) is due


@pytest.mark.parametrize(
    ("a", "b", "score", "off"),
    [
        ("set", "shown", 0.9, False),
        ("shown", "set", 0.9, False),
        ("shown", "shown", 0.9, True),
        ("shown", "shown", 0.5, False),
    ],
)
def test_only_what_both_show_is_off_where_all_that_is_printed_agrees(
    a: str, b: str, score: float, off: bool
) -> None:
    assert both_show(side(a), side(b), Pair(0, 0, Compared(False), score, {})) is off


def test_what_is_of_other_sizes_is_not_off_where_all_that_is_printed_agrees() -> None:
    sides = side("shown", values=([1.0, 1.65],)), side("shown", values=(-0.53,))
    assert not both_show(*sides, Pair(0, 0, Compared(False), 0.9, {}))


@pytest.mark.parametrize("printed", [True, False])
def test_what_somebody_says_to_be_the_same_is_a_result_whatever_is_printed(printed: bool) -> None:
    a, b = (side("set", "printed", values=(value, 2.5)) for value in ([1.5, 3.5], [1.5, 3.5, 4.5]))
    shown, apart = Pair(1, 1, Compared(True), 0.9, {"values": 0.9}), Pair(0, 0, Compared(False), 0.7, {})
    none = np.zeros((2, 2))
    matching = Matching(pairs=[shown], variables=[apart], equal=none > 0, differing=none, compared={})
    pairs = [shown] if printed else []
    assert due_of(a, b, matching, pairs).off == []
    assert due_of(a, b, matching, pairs, {"x1": "x1"}).off == [apart]
