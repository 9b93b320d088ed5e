"""Progress where standard error is no terminal: lines, none of them twice, nor too often."""

from __future__ import annotations

import pytest

from harness.cli.console import judged, progress_bar
from harness.conformance.evaluator import Progress


@pytest.mark.parametrize(("every", "lines"), [(0.0, ["first", "second", "third"]), (3600.0, [])])
def test_lines_are_apart(capsys: pytest.CaptureFixture[str], every: float, lines: list[str]) -> None:
    with progress_bar(every=every) as show:
        for doing in ("first", "first", "second", "first", "third"):
            show(Progress(done=1, total=2, case="c", implementation="i", waiting=doing))
    assert capsys.readouterr().err.splitlines() == lines


def test_a_log_shows_the_cases_too(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar(every=0.0) as show:
        for done, case in ((1, "c"), (2, "c"), (3, "d")):
            show(Progress(done=done, total=3, case=case, implementation="i"))
    assert capsys.readouterr().err.splitlines() == ["c, 1 of 3", "c, 2 of 3", "d, 3 of 3"]


def test_a_verdict_is_told_worst_first() -> None:
    progress = Progress(
        done=1, total=3, case="c", implementation="r", precision="float64", verdicts={"PASS": 1, "FAIL": 2}
    )
    assert judged(progress) == "c float64 r: 2 FAIL, 1 PASS"
    assert judged(Progress(done=1, total=3, case="c", implementation="r")) == "c r"
