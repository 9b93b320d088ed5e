"""How near two values that differ are to each other."""

from __future__ import annotations

import numpy as np

from harness.programs.nearness import near


def test_numbers_that_are_about_to_overflow_have_a_nearness() -> None:
    assert near(np.array(1e300), np.array(2e300)) == 0.5
    assert near(np.array([1e300, 2e300, 4e300]), np.array([1e300, 2e300, 4e300])) == 1.0
    assert near(np.array(0.0), np.array(0.0)) == 1.0
