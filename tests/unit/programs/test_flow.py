"""Which recorded values a value was computed from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from harness.programs.flow import Flow
from harness.programs.trace import Event, Site, Trace, Value

WHOLE = np.array([[1.25, 2.5], [3.75, 4.5]])


def sources(after: Value) -> set[int]:
    """What a matrix is computed from that has another diagonal since it was set."""
    statements = [
        ("set", "C", "", WHOLE), ("set", "n", "", np.array([7.25, 8.25])),
        ("element", "C[]", "n", np.array([7.25, 8.25])), ("container", "C", "n", after),
    ]  # fmt: skip
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    for number, (kind, name, reads, value) in enumerate(statements, 1):
        trace.sites[number] = Site(number, "x.R", number, kind, name, "", tuple(reads.split()), (), ())
        trace.events.append(Event(number - 1, number, 0, 1, {"": value}))
    return Flow(trace).inputs[3]


def test_a_value_of_which_elements_are_set_comes_from_what_it_was_before() -> None:
    assert sources(np.array([[7.25, 2.5], [3.75, 8.25]])) == {0, 1, 2}


def test_a_value_of_which_all_elements_are_set_comes_from_these_alone() -> None:
    assert sources(np.array([[7.25, 8.25], [9.5, 9.75]])) == {1, 2}


def inputs_of(
    statements: Sequence[tuple[int, Site, float | list[float]]], parents: dict[int, int]
) -> list[set[int]]:
    """What each of some numbers is computed from: by frame, site and number, in order."""
    trace = Trace({}, {0: 0, **parents}, {0: 0}, [], {})
    for place, (frame, site, value) in enumerate(statements):
        trace.sites[site.number] = site
        trace.events.append(Event(place, site.number, frame, 1, {"": np.array(value)}))
    flow = Flow(trace)
    return [flow.inputs.get(place, set()) for place in range(len(statements))]


def test_a_function_sees_what_stands_around_it_and_not_what_its_caller_has() -> None:
    base = Site(1, "x.py", 1, "set", "base", "maker", (), (), ())
    other = Site(2, "x.py", 2, "set", "base", "", (), (), ())
    inner = Site(3, "x.py", 3, "set", "y", "inner", ("base",), (), (), around=("maker",))
    found = inputs_of([(1, base, 3.25), (0, other, 7.5), (2, inner, 8.75)], {1: 0, 2: 0})
    assert found[2] == {0}


def test_what_a_function_sets_of_the_program_is_read_there() -> None:
    begin = Site(1, "x.R", 1, "set", "total", "", (), (), ())
    beyond = Site(2, "x.R", 2, "set", "total", "add", ("total",), (), (), beyond=True)
    end = Site(3, "x.R", 3, "shown", "total", "", ("total",), (), ())
    assert inputs_of([(0, begin, 0.5), (1, beyond, 2.25), (0, end, 2.25)], {1: 0})[2] == {1}


def test_a_field_that_a_function_sets_is_that_of_an_object_and_not_of_a_table_that_it_was_given() -> None:
    begin = Site(1, "x.R", 1, "set", "own$held", "", (), (), ())
    given = Site(2, "x.R", 2, "param", "e", "grow", (), (), ())
    field = Site(3, "x.R", 3, "set", "e$held", "grow", ("e$held",), (), ())
    end = Site(4, "x.R", 4, "shown", "own$held", "", ("own$held",), (), ())
    assert inputs_of([(0, begin, 0.5), (1, field, 2.25), (0, end, 2.25)], {1: 0})[2] == {0, 1}
    copied = [(0, begin, 0.5), (1, given, 0.5), (1, field, 2.25), (0, end, 0.5)]
    assert inputs_of(copied, {1: 0})[3] == {0}


def test_what_several_statements_have_filled_comes_from_all_of_them() -> None:
    begin = Site(1, "x.py", 1, "set", "table", "", (), (), ())
    sine = Site(2, "x.py", 2, "element", "table[]", "", (), (), ())
    cosine = Site(3, "x.py", 3, "element", "table[]", "", (), (), ())
    filled = Site(4, "x.py", 2, "container", "table", "", (), (), ())
    found = inputs_of(
        [(0, begin, 0.0), (0, sine, 0.25), (0, cosine, 0.75), (0, sine, 1.5), (0, filled, 1.5)], {}
    )
    assert found[4] == {1, 2, 3}


def test_what_is_set_anew_has_nothing_of_what_filled_it_before() -> None:
    element = Site(1, "x.py", 1, "element", "table[]", "", (), (), ())
    anew = Site(2, "x.py", 2, "set", "table", "", (), (), ())
    other = Site(3, "x.py", 3, "element", "table[]", "", (), (), ())
    filled = Site(4, "x.py", 3, "container", "table", "", (), (), ())
    assert inputs_of([(0, element, 0.5), (0, anew, 0.0), (0, other, 0.75), (0, filled, 0.75)], {})[3] == {2}


def test_a_table_that_began_without_columns_is_read_as_those_it_has() -> None:
    first = Site(1, "x.R", 1, "container", "out$p", "", (), (), ())
    second = Site(2, "x.R", 2, "container", "out$q", "", (), (), ())
    shown = Site(3, "x.R", 3, "shown", "shown", "", ("out",), (), ())
    assert inputs_of([(0, first, 0.5), (0, second, 0.75), (0, shown, 0.5)], {})[2] == {0, 1}


@pytest.mark.parametrize(("file", "sources"), [("x.py", {0, 2, 4}), ("x.R", {0})])
def test_what_a_loop_changes_of_its_items_is_a_part_of_what_it_goes_over(
    file: str, sources: set[int]
) -> None:
    whole = Site(1, file, 1, "set", "table", "", (), (), ())
    loop = Site(2, file, 2, "loop", "row", "", ("table",), (), ())
    change = Site(3, file, 3, "container", "row", "", ("row",), (), ())
    end = Site(4, file, 4, "shown", "table", "", ("table",), (), ())
    turns: list[tuple[int, Site, float | list[float]]] = [
        (0, whole, [1.25, 2.5]), (0, loop, 1.25), (0, change, [1.25, 3.75]),
        (0, loop, 2.5), (0, change, [2.5, 7.5]), (0, end, [1.25, 2.5]),
    ]  # fmt: skip
    assert inputs_of(turns, {})[5] == sources


def test_a_name_that_is_set_anew_is_no_item_of_the_loop_any_more() -> None:
    whole = Site(1, "x.py", 1, "set", "table", "", (), (), ())
    loop = Site(2, "x.py", 2, "loop", "row", "", ("table",), (), ())
    other = Site(3, "x.py", 3, "set", "row", "", (), (), ())
    change = Site(4, "x.py", 4, "container", "row", "", ("row",), (), ())
    end = Site(5, "x.py", 5, "shown", "table", "", ("table",), (), ())
    turns: list[tuple[int, Site, float | list[float]]] = [
        (0, whole, [1.25, 2.5]), (0, loop, 1.25), (0, other, [3.25, 4.5]), (0, change, [3.25, 3.75]),
        (0, end, [1.25, 2.5]),
    ]  # fmt: skip
    assert inputs_of(turns, {})[4] == {0}


def through_groups(reads: str) -> set[int]:
    """What a number is computed from that is made of groups of a table, which have no value."""
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    statements: list[tuple[str, str, str, dict[str, Value]]] = [
        ("set", "log", "", {"['late']": WHOLE[0], "['trip']": WHOLE[1]}),
        ("set", "groups", "log", {}), ("set", "mean", reads, {"": WHOLE[0] / 2}),
    ]  # fmt: skip
    for number, (kind, name, read, parts) in enumerate(statements, 1):
        trace.sites[number] = Site(number, "x.py", number, kind, name, "", tuple(read.split()), (), ())
        trace.events.append(Event(number - 1, number, 0, 1, parts))
    return Flow(trace).inputs[2]


def test_what_has_no_value_hands_on_what_it_was_made_of() -> None:
    assert through_groups("groups") == through_groups("groups['late']") == {0}
    assert through_groups("log['late']") == {0}
    assert through_groups("others") == set()


def test_what_a_generator_has_made_without_a_value_is_no_turn_of_a_loop() -> None:
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    for number, (kind, name) in enumerate([("return", "f"), ("loop", "item"), ("set", "x")], 1):
        trace.sites[number] = Site(number, "x.py", number, kind, name, "", ("item",), (), ())
        trace.events.append(Event(number - 1, number, 1, 1, {}))
    trace.parents[1] = 0
    assert Flow(trace).inputs[1] == set()


def test_each_of_several_variables_that_a_statement_sets_is_of_what_its_calls_returned() -> None:
    returned = Site(1, "x.py", 1, "return", "f", "f", (), (), ())
    first = Site(2, "x.py", 3, "set", "low", "", ("f", "x"), (), ())
    second = Site(3, "x.py", 3, "set", "high", "", ("f", "x"), (), ())
    later = Site(4, "x.py", 4, "set", "other", "", ("f", "x"), (), ())
    found = inputs_of([(1, returned, 0.5), (0, first, 0.5), (0, second, 2.25), (0, later, 1.0)], {1: 0})
    assert found[1:] == [{0}, {0}, set()]


def test_a_comprehension_is_made_of_all_its_turns_and_the_next_statement_of_its_own() -> None:
    inner = Site(1, "x.py", 1, "part", "v * 2", "", (), (), ())
    each = Site(2, "x.py", 1, "part", "f(v * 2)", "", (), (), (1,))
    whole = Site(3, "x.py", 1, "set", "x", "", (), (), (2,))
    turns = [(0, inner, 2.5), (0, each, 3.5), (0, inner, 5.0), (0, each, 7.25), (0, whole, [3.5, 7.25])]
    found = inputs_of([*turns, *turns], {})
    assert [found[at] for at in (1, 3, 4, 6, 8, 9)] == [{0}, {2}, {1, 3}, {5}, {7}, {6, 8}]
