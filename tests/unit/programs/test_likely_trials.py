"""What is kept of trials of likely pairs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from harness.programs.likely_trials import LikelyTrials, is_no_truth
from harness.programs.replace import Trial
from harness.programs.right_values import RightValues
from harness.programs.trials import Candidate
from harness.programs.units import Unit


def kept(*trials: Trial) -> tuple[int, int]:
    """How many pairs count as complete, and how many as nearly so."""
    made = object.__new__(LikelyTrials)
    made._completing, made._nearly = [], []
    for number, trial in enumerate(trials):
        made._note(Candidate(number, number, 0.5, 0.0), trial)
    return len(made._completing), len(made._nearly)


def test_a_complete_trial_of_what_comes_from_elsewhere_says_less() -> None:
    made = object.__new__(LikelyTrials)
    made._alone = lambda one: one.a == 0  # type: ignore[method-assign]
    made._right = cast(RightValues, SimpleNamespace(each=lambda i, j: (i == 5, False)))
    complete = Trial(frozenset({0}), 1, 0)
    here, there = Candidate(0, 0, 0.5, 0.0), Candidate(1, 1, 0.5, 0.0)
    assert [made._came(one, complete) for one in (here, there)] == ["complete", "through"]
    # Of what is right for certain, it is what reads it.
    assert made._came(Candidate(5, 0, 0.5, 0.0), complete) == "none"
    failed, partly, broken = (
        Trial(frozenset(), 2, 0),
        Trial(frozenset({0}), 2, 0),
        Trial(frozenset({0}), 1, 1),
    )
    assert [made._came(here, trial) for trial in (failed, partly, broken)] == ["failed", "partly", "broken"]


def test_what_agreed_by_chance_may_differ_where_all_else_agrees() -> None:
    all_four, three = frozenset(range(4)), frozenset(range(3))
    assert kept(Trial(all_four, 4, 0)) == (1, 0)
    assert kept(Trial(all_four, 4, 1)) == (0, 1)
    assert kept(Trial(all_four, 4, 2)) == (0, 0)
    assert kept(Trial(three, 4, 0), Trial(three, 4, 1), Trial(frozenset({0}), 1, 1)) == (0, 0)


def test_of_several_values_that_do_in_one_place_it_is_not_known_which_is_meant() -> None:
    made = object.__new__(LikelyTrials)
    made._cone = lambda one: ({one.a}, {one.b, 9})  # type: ignore[method-assign]
    pairs = [Candidate(a, b, 0.5, 0.0) for a, b in ((1, 7), (2, 7), (3, 8))]
    made._into_b = True
    assert made._cones_of(pairs) == [({1, 2}, {7, 9}), ({3}, {8, 9})]
    made._into_b = False
    assert made._cones_of(pairs) == [({1}, {7, 9}), ({2}, {7, 9}), ({3}, {8, 9})]


@pytest.mark.parametrize(
    ("number", "none"), [([14.0, 23.5], True), ([3, 7], True), ([0.0, np.nan, 1.0], False), ([0, 1], False)]
)
def test_what_is_measured_is_not_put_in_for_whether_something_holds(number: list[float], none: bool) -> None:
    held, other = (
        cast(Unit, SimpleNamespace(values=[np.array(value)]))
        for value in ([True, False, True][: len(number)], number)
    )
    assert is_no_truth(held, other) is is_no_truth(other, held) is none
    assert not is_no_truth(held, held)
    assert not is_no_truth(other, other)
