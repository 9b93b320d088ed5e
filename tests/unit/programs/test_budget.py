"""How much may still be tried."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from harness.programs import budget as of_search
from harness.programs.budget import PATIENCE, Budget
from harness.programs.launch import _seconds_of


def test_what_programs_use_is_spent_and_what_others_use_of_the_machine_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = SimpleNamespace(process_time=lambda: 0.0, monotonic=lambda: 0.0)
    monkeypatch.setattr(of_search, "time", now)
    budget = Budget(10.0)
    budget.take(2.0)
    now.process_time = lambda: 1.0
    now.monotonic = lambda: 3.0 * PATIENCE
    assert (budget.spent, budget.left) == (3.0, 7.0)
    # A program that waits uses nothing, and ends some time all the same.
    now.monotonic = lambda: 10.0 * PATIENCE
    assert budget.left == 0.0


def test_what_this_process_does_is_spent() -> None:
    budget, begun = Budget(), time.process_time()
    while time.process_time() < begun + 0.01:
        pass
    assert budget.spent >= 0.01


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        (b"0m0.01s 0m0.02s\n1m2.25s 0m0.50s\n", 62.75),
        (b"0m0,010s 0m0,020s\n0m2,250s 0m0,500s\n", 2.75),
        # It was ended before it could say so: the time on the clock.
        (b"", 120.0),
    ],
)
def test_what_a_program_has_used_is_what_its_shell_says(said: bytes, seconds: float) -> None:
    assert _seconds_of(said, 120.0) == seconds
