"""Which recorded values a value was computed from."""

from __future__ import annotations

import numpy as np

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
