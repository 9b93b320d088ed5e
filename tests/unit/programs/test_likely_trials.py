"""What is kept of trials of likely pairs."""

from __future__ import annotations

from harness.programs.likely_trials import LikelyTrials
from harness.programs.replace import Trial
from harness.programs.trials import Candidate


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
    complete = Trial(frozenset({0}), 1, 0)
    here, there = Candidate(0, 0, 0.5, 0.0), Candidate(1, 1, 0.5, 0.0)
    assert [made._came(one, complete) for one in (here, there)] == ["complete", "through"]
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
