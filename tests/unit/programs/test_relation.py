"""The relation of values of statements that run not as often."""

from __future__ import annotations

import numpy as np

from harness.programs.relation import relation_of_units
from harness.programs.trace import Event, Site, Trace
from harness.programs.units import Unit, units_of

ENTROPIES = [1.386294361, 0.910239227, 1.054920167, 0.636514168, 1.213007566, 0.562335145]


def each(*values: float) -> Unit:
    trace = Trace({1: Site(1, "x.py", 1, "return", "h", "", (), (), ())}, {0: 0}, {0: 0}, [], {})
    for number, value in enumerate(values):
        trace.events.append(Event(number, 1, 0, number + 1, {"": np.array(value)}))
    return units_of(trace)[0]


def test_a_function_that_one_program_calls_once_more_is_held_against_the_other_call_by_call() -> None:
    one, other = each(*ENTROPIES, 1.1), each(*(value / np.log(2) for value in ENTROPIES))
    assert "log" in relation_of_units([one], [other], one, other, set())
    # Two calls are no evidence, nor are values that have nothing to do with each other.
    assert not relation_of_units([one], [other], each(*ENTROPIES[:3]), each(*ENTROPIES[1:3]), set())
    unrelated = each(0.31, 7.127, 2.93, 4.551)
    assert not relation_of_units([one], [unrelated], one, unrelated, set())
