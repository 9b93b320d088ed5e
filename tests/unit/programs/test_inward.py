"""Which printed numbers are wrong, and where a number is known."""

from __future__ import annotations

import numpy as np

from harness.programs.inward import made_in, wrong_item
from harness.programs.pool import Pool
from harness.programs.trace import Event, Site, Trace
from harness.programs.units import Element, Unit, units_of
from harness.programs.wrong import wrong_values

X = np.array([1.25, 3.5, 2.75, 9.125, 4.0625])


def program(*statements: tuple[int, str, str, str, tuple[int, ...], object]) -> list[Unit]:
    """Statements as line, kind, name, function, the events that they read, and a value."""
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    for number, (line, kind, name, function, reads, value) in enumerate(statements, 1):
        names = tuple(statements[read][2].removesuffix("[]") for read in reads)
        trace.sites[number] = Site(number, "x.py", line, kind, name, function, names, (), ())
        trace.events.append(Event(number - 1, number, 0, 1, {"": np.asarray(value)}))
    units = units_of(trace)
    for unit, (*_, reads, _value) in zip(units, statements, strict=True):
        unit.inputs.clear()
        unit.inputs.update(reads)
        unit.sources[0] = frozenset(reads)
    for unit in units:
        unit.users.clear()
        unit.users.update(other.number for other in units if unit.number in other.inputs)
    return units


def printed(name: str) -> list[Unit]:
    """A number under a name, handed on as a total, and a line that prints that."""
    units = program(
        (1, "set", name, "", (), 7.25),
        (2, "set", "total", "", (0,), 7.25),
        (3, "shown", "total", "", (1,), 7.25),
        (4, "printed", "total", "", (2,), 7.25),
    )
    units[3].elements = (Element(2, 0, 0, False, 1.0, 0.0),)
    return units


def test_a_printed_number_that_differs_is_wrong_where_it_has_its_name() -> None:
    assert {(0, 0), (1, 0), (2, 0)} <= wrong_values(printed("total"), [3])


def test_a_number_of_another_name_may_be_right_though_it_is_the_same() -> None:
    assert (0, 0) not in wrong_values(printed("limit"), [3])
    assert (1, 0) in wrong_values(printed("limit"), [3])


def test_what_a_function_is_given_to_print_is_wrong_under_its_own_name_too() -> None:
    units = program(
        (1, "set", "half", "", (), X),
        (2, "param", "x", "show", (0,), X),
        (2, "shown", "x", "show", (1,), X),
        (2, "printed", "x", "show", (2,), X),
    )
    units[3].elements = tuple(Element(2, 0, at, False, 1.0, 0.0) for at in range(X.size))
    assert (0, 0) in wrong_values(units, [3])


def test_a_vector_is_wrong_of_which_a_loop_prints_elements_that_differ() -> None:
    def made(elements: int) -> list[Unit]:
        each = [(3, "shown", "x", "", (2,), value) for value in X]
        units = program(
            (1, "set", "half", "", (), X), (2, "iterates", "for", "", (0,), X),
            (2, "loop", "x", "", (1,), X[0]), *each, (3, "printed", "x", "", (2,), X[:elements]),
        )  # fmt: skip
        shown = units[2]
        shown.values, shown.places = [*X], list(range(2, 2 + X.size))
        shown.sources = [frozenset({1})] * X.size
        units[-1].elements = tuple(Element(2, k, 0, False, 1.0, 0.0) for k in range(elements))
        return units

    # All of them, or most; where few do, another of its elements is what is meant.
    assert (0, 0) in wrong_values(made(5), [8])
    assert (0, 0) in wrong_values(made(3), [8])
    assert (0, 0) not in wrong_values(made(1), [8])


def test_of_what_is_shown_several_times_those_are_wrong_that_differ() -> None:
    units = program(
        (1, "element", "share[]", "", (), 0.25), (1, "element", "other[]", "", (), 0.75),
        (2, "shown", "share", "", (0,), 0.25),
    )  # fmt: skip
    units[2].values.append(np.asarray(0.75))
    units[2].places.append(9)
    units[2].sources.append(frozenset({1}))
    assert wrong_values(units, [2]) == frozenset()
    assert wrong_values(units, [2], {2: [0]}) == {(2, 0), (0, 0)}
    assert wrong_values(units, [2], {2: [1]}) == {(2, 1), (1, 0)}


def test_a_number_stands_in_its_place_of_a_vector_or_in_another() -> None:
    pool = Pool(program((1, "set", "x", "", (), X)))
    assert pool.has_in_place(np.asarray(3.5), 1, 5)
    assert not pool.has_in_place(np.asarray(3.5), 2, 5)
    assert not pool.has_in_place(np.asarray(3.5), 1, 6)


def test_a_pool_answers_the_same_when_it_is_asked_again() -> None:
    pool = Pool(program((1, "set", "x", "", (), X)))
    right, wrong = X.copy(), X + 1
    for _ in range(2):
        assert pool.has(right)
        assert not pool.has(wrong)
        assert pool.bits(right) > 5


def test_what_only_fills_a_container_is_made_where_it_is_set() -> None:
    units = program(
        (1, "set", "p", "", (), 0.25), (2, "set", "running", "", (0,), 7.25),
        (3, "element", "adjusted[]", "", (1,), 7.25), (3, "container", "adjusted", "", (2,), 7.25),
    )  # fmt: skip
    assert made_in(units, 3, set()) == 1
    assert made_in(units, 3, {1}) == 3
    assert made_in(units, 1, set()) == 1


def test_a_sum_that_an_inner_loop_makes_is_what_the_outer_one_fills_with() -> None:
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    trace.sites[1] = Site(1, "x.py", 1, "set", "total", "", ("total",), ("+",), ())
    trace.sites[2] = Site(2, "x.py", 2, "element", "sums[]", "", ("total",), (), ())
    for place, (site, occurrence, value) in enumerate(
        [(1, 1, 1.25), (1, 2, 3.5), (2, 1, 3.5), (1, 3, 2.0), (1, 4, 9.125), (2, 2, 9.125)]
    ):
        trace.events.append(Event(place, site, 0, occurrence, {"": np.array(value)}))
    units = units_of(trace)
    assert made_in(units, 1, set()) == 0
    # Not where it is something else that is put in.
    units[1].values[1] = np.array(9.0)
    assert made_in(units, 1, set()) == 1


def put_together(last: float, name: str = "set") -> list[Unit]:
    """Three numbers that a function computes, and what it returns of them."""
    return program(
        (1, "set", "p", "f", (), 0.25), (2, "set", "q", "f", (0,), 0.75), (3, name, "r", "f", (0,), last),
        (4, "return", "f", "f", (0, 1, 2), [0.25, 0.75, last]),
    )  # fmt: skip


def test_of_numbers_that_are_put_together_it_is_the_one_that_differs() -> None:
    (other,) = program((1, "return", "g", "g", (), [0.25, 0.75, 0.5]))
    assert wrong_item(put_together(1.0), 3, other) == 2
    # Two differ, none does, another value has more of them, or it is no variable.
    (far,) = program((1, "return", "g", "g", (), [0.5, 0.75, 0.5]))
    (longer,) = program((1, "return", "g", "g", (), [0.25, 0.75, 0.5, 1.0]))
    assert wrong_item(put_together(1.0), 3, far) == wrong_item(put_together(0.5), 3, other) == 3
    assert wrong_item(put_together(1.0), 3, longer) == wrong_item(put_together(1.0, "part"), 3, other) == 3
    # Of two variables with the number, either may be meant.
    assert wrong_item(put_together(0.75), 3, other) == 3
