"""How much one of two values that differ may be the other, made wrong."""

from __future__ import annotations

import numpy as np
import pytest

from harness.programs.pool import Pool
from harness.programs.relatives import Relatives
from harness.programs.trace import Event, Site, Trace, Value
from harness.programs.units import Unit, units_of

X = np.array([1.2534, 3.5271, 2.7544, 9.1253, 4.0622, 7.3351])


def units(*values: Value | list[Value]) -> list[Unit]:
    """Each set in a line of its own, those of a list in a loop."""
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    for number, value in enumerate(values, 1):
        trace.sites[number] = Site(number, "x.py", number, "set", f"v{number}", "", (), (), ())
        for k, one in enumerate(value if isinstance(value, list) else [value], 1):
            trace.events.append(Event(len(trace.events), number, 0, k, {"": np.asarray(one)}))
    return units_of(trace)


def related(one: Value | list[Value], other: Value | list[Value]) -> float:
    return Relatives(units(one), units(other))(0, 0)


@pytest.mark.parametrize("wrong", [X / 1.5, X[::-1], np.where(X > 9, 0.0, X), X * 1.01])
def test_a_multiple_another_order_and_most_of_the_same_are_relatives(wrong: Value) -> None:
    assert related(X, wrong) > 0.4
    assert related(wrong, X) > 0.4


def test_a_loop_is_a_relative_of_a_vector() -> None:
    assert related([np.asarray(number) for number in X], X * 2) > 0.6


@pytest.mark.parametrize("other", [X, X[:5], np.asarray(2.75), X**2 - 30, np.array(["a"] * 6, dtype=object)])
def test_the_same_and_what_has_nothing_to_do_with_it_are_none(other: Value) -> None:
    assert related(X, other) < 0.2


def test_what_the_other_program_has_made_wrong_and_neither_knows_is_opposed() -> None:
    whole, wrong = np.outer(X, X), np.outer(X, X)
    wrong[np.diag_indices(6)] /= 1.2
    missing = np.where(np.eye(6) > 0, np.nan, whole)
    relatives = Relatives(units(X, whole), units(missing, wrong))
    assert relatives.opposed(((0,), ()), "set") == (frozenset({1}), frozenset({1}))
    assert relatives.opposed(((0, 1), (0, 1)), "set") == (frozenset(), frozenset())
    assert relatives.opposed(((), ()), "container") == (frozenset(), frozenset())


def test_numbers_that_are_elsewhere_do_not_speak_for_a_value_that_is_mostly_another() -> None:
    whole, wrong = np.outer(X, X + 0.123), np.outer(X, X + 0.123)
    diagonal = np.sqrt(X)
    wrong[np.diag_indices(6)] = diagonal
    assert Pool(units(diagonal, whole.ravel()[:20], whole.ravel()[20:])).has_scattered(wrong)
    assert not Pool(units(diagonal, whole)).has_scattered(wrong)
