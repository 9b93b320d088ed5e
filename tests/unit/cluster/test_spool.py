"""Answers in the order of the plan."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.cluster.spool import Spool
from harness.cluster.units import Answer


def answer(text: str) -> Answer:
    return Answer(failure=text)


def test_answers_come_in_order_and_nothing_is_left(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    given = [[(place, due.failure) for place, due in spool.put(p, answer(str(p)))] for p in (2, 0, 1, 4, 3)]
    assert given == [[], [(0, "0")], [(1, "1"), (2, "2")], [], [(3, "3"), (4, "4")]]
    assert not list(tmp_path.iterdir())


def test_what_waits_is_given_at_an_interrupt(tmp_path: Path) -> None:
    spool = Spool(tmp_path)
    assert not [*spool.put(3, answer("3")), *spool.put(1, answer("1"))]
    assert [(place, due.failure) for place, due in spool.rest()] == [(1, "1"), (3, "3")]


@pytest.mark.parametrize("place", [0, 2])
def test_a_second_answer_is_refused(tmp_path: Path, place: int) -> None:
    spool = Spool(tmp_path)
    for first in (0, 2):
        list(spool.put(first, answer("")))
    with pytest.raises(ValueError, match=f"two answers for unit {place}"):
        list(spool.put(place, answer("")))
