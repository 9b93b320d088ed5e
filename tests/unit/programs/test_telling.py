"""What is said beside the statement that a trial has shown."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from harness.programs.inward import may_be_left_to
from harness.programs.replace import Side
from harness.programs.telling import Telling, best_said
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


def statements(*said: tuple[int, str, str, str]) -> list[Unit]:
    """Units as their line, name, what they read, and operators; a name of two words is a part."""
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    for number, (line, name, reads, operators) in enumerate(said, 1):
        kind = "part" if " " in name else "set"
        trace.sites[number] = Site(
            number, "x.py", line, kind, name, "", tuple(reads.split()), tuple(operators.split()), ()
        )
        trace.events.append(Event(number - 1, number, 0, 1, {"": np.array(number + 0.12345)}))
    return units_of(trace)


def test_a_step_that_one_statement_lacks_may_be_missing_in_what_is_computed_for_it_alone() -> None:
    split = [(1, "n", "", ""), (2, "centre", "n", "/ #2"), (3, "z", "centre", "-")]
    whole = statements(
        (1, "n", "", ""), (2, "mu", "n", "/ #2"), (3, "mu - 0.5", "mu", "- #0.5"), (3, "z", "mu", "- #0.5")
    )
    assert may_be_left_to(statements(*split), 2, whole, 3)
    # Not where it does no more, be it with another number, nor where something else has used what is read.
    assert not may_be_left_to(whole, 3, statements(*split), 2)
    other_number = statements(*split[:2], (3, "z", "centre", "- #1"))
    assert not may_be_left_to(statements(*split), 2, other_number, 2)
    assert not may_be_left_to(statements(*split, (4, "shown", "centre", "")), 2, whole, 3)
    # Data is no step.
    assert not may_be_left_to(statements((1, "n", "", ""), (3, "z", "n", "-")), 1, whole, 3)


def test_what_a_statement_reads_stands_behind_it_where_a_step_may_be_missing_there() -> None:
    split = statements((1, "n", "", ""), (2, "centre", "n", "/ #2"), (3, "z", "centre", "-"))
    whole = statements(
        (1, "n", "", ""), (2, "mu", "n", "/ #2"), (3, "mu - 0.5", "mu", "- #0.5"), (3, "z", "mu", "- #0.5")
    )
    telling = object.__new__(Telling)
    telling._a, telling._b = Side(None, split), Side(None, whole)  # type: ignore[arg-type]
    telling._matching = SimpleNamespace(pairs=[SimpleNamespace(a=1, b=1)])  # type: ignore[assignment]
    telling.complete = True
    assert [(one.a, one.b) for one in telling._steps_before(Candidate(2, 3, 0.9, 0.0))] == [(1, 1)]
    telling.complete = False
    assert not telling._steps_before(Candidate(2, 3, 0.9, 0.0))


def test_what_results_agree_through_says_nothing_where_a_change_before_it_mends_all() -> None:
    units = statements((1, "dose", "", ""), (2, "total", "dose", ""), (3, "other", "", ""))
    telling = object.__new__(Telling)
    telling._a, telling._b = Side(None, units), Side(None, units)  # type: ignore[arg-type]
    telling.likelihood = SimpleNamespace(  # type: ignore[assignment]
        units=lambda lines: ([lines[0][1] - 1], [lines[1][1] - 1])
    )
    through = {(("x.py", 2), ("x.py", 2)): "through", (("x.py", 3), ("x.py", 3)): "through"}
    assert list(telling._explained(through, ({}, {("x.py", 1): "if"})).values()) == ["none", "through"]
    assert telling._explained(through, ({("x.py", 2): "if"}, {})) == through


def test_of_two_lines_that_a_change_mends_the_better_change_is_said() -> None:
    a, b = ("a.py", 36), ("b.jl", 27)
    repaired = {a: "without its divisor"}, {b: "with its indices exchanged"}
    order = ["with its indices exchanged", "another", "without its divisor"]
    assert best_said((a, b), repaired, order) == order[0]
    assert best_said((a, ("b.jl", 3)), repaired, order) == order[2]
    assert not best_said((("a.py", 1), ("b.jl", 3)), repaired, order)
