"""Letters in common, counted for many pairs at once as `difflib` counts them for one."""

from __future__ import annotations

from difflib import SequenceMatcher

import numpy as np

from harness.programs.letters import ratios


def test_ratios_are_those_of_difflib() -> None:
    rng = np.random.default_rng(0)

    def text(length: int) -> str:
        return "".join(rng.choice(list("abcβ"), length))

    ones, others = ([text(int(n)) for n in rng.integers(0, 12, 60)] for _ in range(2))
    # Longer ones have rules of their own there, for letters that come often.
    ones += ["", "a" * 60, "ab" * 31, text(230)]
    others += ["", "a" * 61, "ab" * 30, text(250)]
    due = [[SequenceMatcher(None, one, other).ratio() for other in others] for one in ones]
    assert ratios(ones, others).tolist() == due


def test_nothing_has_no_ratios() -> None:
    assert ratios([], ["a"]).shape == (0, 1)
    assert ratios(["a"], []).shape == (1, 0)
    assert ratios([""], [""]).tolist() == [[1.0]]
