"""Which of two values that differ is right for certain."""

from __future__ import annotations

import numpy as np

from harness.programs.grounds import Grounds
from harness.programs.match import match
from harness.programs.right_values import RightValues
from harness.programs.trace import Event, Site, Trace
from harness.programs.units import Unit, units_of

X = np.array([1.25, 3.5, 2.75, 9.125, 4.0625])


def program(file: str, *statements: tuple[str, str, object]) -> list[Unit]:
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    for number, (name, reads, value) in enumerate(statements, 1):
        trace.sites[number] = Site(number, file, number, "set", name, "", tuple(reads.split()), (), ())
        trace.events.append(Event(number - 1, number, 0, 1, {"": np.asarray(value)}))
    return units_of(trace)


def right(a: list[Unit], b: list[Unit]) -> RightValues:
    matching = match(a, b)
    return RightValues(matching, Grounds(a, b, matching, []))


def test_what_the_other_program_has_as_a_whole_is_right_and_what_reads_it_is_not() -> None:
    a = program("a.R", ("h", "", X), ("hour", "h", X + 0.5), ("w", "hour", (X + 0.5) * 15))
    b = program("b.py", ("clock", "", X), ("omega", "clock", X * 15))
    made = right(a, b)
    assert made.each(1, 0) == (False, True)
    assert made.each(2, 1) == (False, False)


def test_of_two_that_are_matched_and_differ_neither_is_right_though_both_are_found_elsewhere() -> None:
    rows = np.outer(X, [1.0, 2.0, 3.5])
    a = program(
        "a.R", ("reserve", "", rows), ("halfway", "reserve", rows[:, 1]), ("end", "reserve", rows[:, 2])
    )
    b = program(
        "b.py", ("reserve", "", rows), ("half", "reserve", rows[:, 2]), ("end", "reserve", rows[:, 2])
    )
    made = right(a, b)
    assert made.are_apart(1, 1)
    assert made.each(1, 1) == (False, False)
    assert made.read_known(1, 1)
