"""What is said beside the statement that a trial has shown."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from harness.programs.inward import may_be_left_to
from harness.programs.replace import Side
from harness.programs.telling import Telling
from harness.programs.trace import Event, Site, Trace
from harness.programs.trials import Candidate
from harness.programs.units import Unit, units_of


def test_what_a_statement_reads_that_is_computed_is_named_after_it() -> None:
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    statements = [
        ("x", "", ""), ("total", "x", "sum"), ("centre", "total", "/"), ("copy", "x", ""),
        ("z", "centre x copy", "- /"),
    ]  # fmt: skip
    for number, (name, reads, operators) in enumerate(statements, 1):
        trace.sites[number] = Site(
            number, "x.py", number, "set", name, "", tuple(reads.split()), tuple(operators.split()), ()
        )
        trace.events.append(Event(number - 1, number, 0, 1, {"": np.array(number + 0.12345)}))
    units = units_of(trace)

    def side(units: list[Unit]) -> Side:
        return Side(None, units)  # type: ignore[arg-type]

    telling = object.__new__(Telling)
    telling._a, telling._b = side(units), side(units)
    telling._matching = SimpleNamespace(pairs=[SimpleNamespace(a=2, b=1)])  # type: ignore[assignment]
    said = telling._read_by_it(Candidate(4, 4, 0.9, 0.0))
    # The partner of a value where it has one; else what the other statement sets.
    assert [(one.a, one.b, one.kind) for one in said] == [(2, 1, "unproved"), (4, 2, "unproved")]


def statements(*said: tuple[str, str, str]) -> list[Unit]:
    """Units of statements as their name, what they read, and their operators."""
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    for number, (name, reads, operators) in enumerate(said, 1):
        trace.sites[number] = Site(
            number, "x.py", number, "set", name, "", tuple(reads.split()), tuple(operators.split()), ()
        )
        trace.events.append(Event(number - 1, number, 0, 1, {"": np.array(number + 0.12345)}))
    return units_of(trace)


def test_a_step_that_one_statement_lacks_may_be_missing_in_what_is_computed_for_it_alone() -> None:
    split = [("n", "", ""), ("centre", "n", "/ #2"), ("z", "centre", "-")]
    whole = statements(("n", "", ""), ("mu", "n", "/ #2"), ("z", "mu", "- #0.5"))
    assert may_be_left_to(statements(*split), 2, whole, 2)
    # Not where the other does no more, nor where something else has used what it reads.
    assert not may_be_left_to(whole, 2, statements(*split), 2)
    assert not may_be_left_to(statements(*split), 2, statements(*split), 2)
    assert not may_be_left_to(statements(*split, ("shown", "centre", "")), 2, whole, 2)
    # Data is no step.
    assert not may_be_left_to(statements(("n", "", ""), ("z", "n", "-")), 1, whole, 2)
