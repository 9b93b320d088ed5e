"""Sound implementations stay within the derived limits, on a few random inputs; tests/bench has the many."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

pytest.importorskip("flint")

BENCH = runpy.run_path(str(Path(__file__).parents[1] / "bench" / "false_alarms.py"))


@pytest.mark.parametrize(
    "runtime",
    [
        "numpy",
        pytest.param("torch", marks=pytest.mark.torch),
        pytest.param("r", marks=pytest.mark.r),
        pytest.param("julia", marks=pytest.mark.julia),
    ],
)
def test_no_false_alarm(tmp_path: Path, runtime: str) -> None:
    uses = BENCH["largest_uses"](tmp_path, (runtime,), BENCH["CASES"], 20)
    assert {place[0] for place in uses} == {runtime}
    assert {place[1] for place in uses} == set(BENCH["CASES"])
    assert {place: used for place, used in uses.items() if not used <= 1.0} == {}
    assert max(uses.values()) > 0.1
