"""How often memory is looked at: never so seldom that all that is left could be filled in between."""

from __future__ import annotations

import pytest

from harness.sessions.watch import until_next_look

GIB = 1 << 30


@pytest.mark.parametrize(
    ("left", "busy", "seconds"),
    [(4 * GIB, 1, 0.25), (2 * GIB, 2, 0.125), (4 * GIB, 64, 0.05), (GIB // 16, 1, 0.05), (-GIB, 1, 0.05)],
)
def test_the_next_look_comes_before_memory_could_be_full(left: int, busy: int, seconds: float) -> None:
    assert until_next_look(left, busy) == seconds
