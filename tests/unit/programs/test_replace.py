"""How long a program may take when it is run again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.programs import replace
from harness.programs.budget import PATIENCE, Budget
from harness.programs.launch import Program, Recorded
from harness.programs.replace import Replacer, Side
from harness.programs.trace import Event, Site, Trace
from harness.programs.units import Unit, units_of
from harness.sessions.sandbox import Limits, Sandbox


def side(seconds: float, processor_seconds: float) -> Side:
    trace = Trace({1: Site(1, "x.py", 1, "set", "x", "", (), (), ())}, {0: 0}, {0: 0}, [], {})
    trace.events.append(Event(0, 1, 0, 1, {"": np.array(1.25)}))
    recorded = Recorded(
        program=Program(path=Path("x.py"), language="python"), trace=trace, trials={}, printed="",
        messages="", seconds=seconds, processor_seconds=processor_seconds,
    )  # fmt: skip
    return Side(recorded, units_of(trace))


@pytest.mark.parametrize(
    ("seconds", "processor", "due"), [(4.0, 0.5, 1.5), (1.0, 3.0, 4.0), (90.0, 45.0, 30.0)]
)
def test_a_trial_may_take_what_the_program_took(
    monkeypatch: pytest.MonkeyPatch, seconds: float, processor: float, due: float
) -> None:
    receiver, giver = side(seconds, processor), side(1.0, 1.0)
    given: list[float] = []

    def record(*_: object, trial_seconds: float, **__: object) -> Recorded:
        given.append(trial_seconds)
        return receiver.recorded

    monkeypatch.setattr(replace, "record", record)
    replacer = Replacer(receiver, giver, [(0, 0)], [], Sandbox(kind="none"), Limits())
    assert replacer.trials([[(0, 0, 0)]]) == [None]
    assert given == [due]


@pytest.mark.parametrize(("left", "runs"), [(5.0, 1), (-1.0, 0)])
def test_no_run_goes_on_when_the_time_is_over(
    monkeypatch: pytest.MonkeyPatch, left: float, runs: int
) -> None:
    one = side(1.0, 1.0)
    given: list[float] = []

    def record(*_: object, limits: Limits, **__: object) -> Recorded:
        given.append(limits.chunk_seconds)
        return one.recorded

    monkeypatch.setattr(replace, "record", record)
    replacer = Replacer(one, side(1.0, 1.0), [(0, 0)], [], Sandbox(kind="none"), Limits(), Budget(left))
    assert replacer.trials([[(0, 0, 0)]]) == [None]
    assert len(given) == replacer.runs == runs
    assert all(0 < seconds <= PATIENCE * left for seconds in given)


def of_values(*values: object) -> Unit:
    trace = Trace({1: Site(1, "x.py", 1, "set", "x", "", (), (), ())}, {0: 0}, {0: 0}, [], {})
    for number, value in enumerate(values):
        trace.events.append(Event(number, 1, 0, number + 1, {"": np.asarray(value)}))
    return units_of(trace)[0]


def test_numbers_of_an_inner_loop_are_put_in_as_vectors_and_the_other_way_round() -> None:
    replacer = Replacer(side(1.0, 1.0), side(1.0, 1.0), [], [], Sandbox(kind="none"), Limits())
    vectors = of_values([1.0, 2.5, 3.0], [4.0, 5.5, 6.0])
    numbers = of_values(1.5, 2.0, 3.5, 4.0, 5.0, 6.5)
    (rows,) = replacer._converted(vectors, numbers)
    assert [row.tolist() for row in rows if row is not None] == [[1.5, 2.0, 3.5], [4.0, 5.0, 6.5]]
    (each,) = replacer._converted(numbers, vectors)
    assert [float(one) for one in each if one is not None] == [1.0, 2.5, 3.0, 4.0, 5.5, 6.0]
    # Not where they are not as many in all.
    assert [len(one) for one in replacer._converted(vectors, of_values(1.5, 2.0, 3.5))] == [3]
