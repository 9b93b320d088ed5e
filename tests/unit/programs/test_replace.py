"""How long a program may take when it is run again."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from harness.programs import replace
from harness.programs.launch import Program, Recorded
from harness.programs.replace import Replacer, Side
from harness.programs.trace import Event, Site, Trace
from harness.programs.units import units_of
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
    ("seconds", "processor", "due"), [(4.0, 0.01, 5.0), (1.0, 3.0, 4.0), (90.0, 0.0, 30.0)]
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
    until = time.monotonic() + left
    replacer = Replacer(one, side(1.0, 1.0), [(0, 0)], [], Sandbox(kind="none"), Limits(), until)
    assert replacer.trials([[(0, 0, 0)]]) == [None]
    assert len(given) == replacer.runs == runs
    assert all(0 < seconds <= left for seconds in given)
