"""What one program says of the small numbers of the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from harness.programs.evidence import evidence_of
from harness.programs.trace import Event, Site, Trace
from harness.programs.units import Unit, units_of

CHARGES = [2, 2, 1, 3, 2, 4, 2, 3, 1, 2] * 2


def program(values: Mapping[str, Sequence[object]], reads: tuple[str, ...] = ()) -> list[Unit]:
    """Variables with all values that they have had, each computed from what is read."""
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    for number, (name, each) in enumerate(values.items(), 1):
        trace.sites[number] = Site(number, "x.py", number, "set", name, "", reads, (), ())
        for occurrence, value in enumerate(each, 1):
            trace.events.append(Event(len(trace.events), number, 0, occurrence, {"": np.asarray(value)}))
    return units_of(trace)


def test_small_numbers_of_a_loop_are_lacking_where_no_vector_has_them_in_order() -> None:
    units = program({"z": CHARGES})
    alone = evidence_of(units, program({"n": [1], "k": [2], "m": [3], "q": [4]}), (), "a")
    assert {*alone[0]} == {-0.6}
    with_vector = evidence_of(units, program({"charge": [CHARGES]}), (), "a")
    assert min(with_vector[0]) >= 0
    # What is set once says nothing, be it there or not.
    once = evidence_of(program({"z": [2]}), program({"n": [1], "k": [2]}), (), "a")
    assert once == [[0.0]]


def test_marks_are_lacking_only_where_the_other_program_has_any_of_as_many() -> None:
    marks = [True, False, False, True, True, False, True, False, False, True] * 2
    units = program({"x": [list(range(20))], "here": [marks]}, ("x",))
    assert evidence_of(units, program({"y": [list(range(20))], "few": [[True, False]]}), (), "a")[1] == [0.0]
    assert evidence_of(units, program({"there": [sorted(marks)]}), (), "a")[1] == [-1.0]
    assert evidence_of(units, program({"there": [marks]}), (), "a")[1][0] > 0.5


def test_vectors_one_behind_the_other_are_those_that_the_other_program_has() -> None:
    one, other = [0.1907, 0.2112, -0.2091, 0.0348], [0.3251, -0.4417, 0.1128, 0.9053, 0.2716]
    units = program({"x": [one], "gates": [one + other], "wrong": [one + other[::-1]]}, ("x",))
    evidence = evidence_of(units, program({"r": [one], "z": [other]}), (), "a")
    assert evidence[1][0] > 0.9
    assert evidence[2] == [-1.0]
