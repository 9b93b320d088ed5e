"""A runtime that takes long to start holds nobody up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.conformance.evaluator import Progress
from harness.conformance.plan import Plan, make_plan
from harness.conformance.run import run
from harness.model import Verdict
from harness.store.record import FILE, read_record
from tests.unit.conformance.attention_suite import SOUND, write


@pytest.fixture
def go(tmp_path: Path) -> Path:
    """The file that the late worker waits for."""
    return tmp_path / "go"


@pytest.fixture
def plan(suite: Path, go: Path) -> Plan:
    waits = f'until [ -e \'{go}\' ]; do sleep 0.05; done; exec "$0" "$@"'
    command = ["sh", "-c", waits, "{python}", "-P", "{workers}/__main__.py", "numpy"]
    (suite / "suite.toml").write_text(
        '[[runtime]]\nid = "late"\nlanguage = "Late"\nsuffix = "_late.py"\n'
        f"command = {json.dumps(command)}\n",
        encoding="utf-8",
    )
    write(suite, SOUND)
    (suite / "attention" / "attention_late.py").write_text(SOUND, encoding="utf-8")
    return make_plan(suite, precisions=("float64",))


def test_the_others_are_judged_before_it_has_started(plan: Plan, go: Path, tmp_path: Path) -> None:
    seen: list[str] = []

    def show(progress: Progress) -> None:
        if progress.verdicts:
            seen.append(progress.implementation)
            assert set(progress.verdicts) == {"PASS"}
        if "numpy" in seen:
            go.touch()

    record = run(plan, out=tmp_path / "out", on_progress=show)
    assert seen == ["numpy", "numpy.second", "numpy.third", "late"]
    assert {cell.verdict for cell in record.cells} == {Verdict.PASS}
    # The header comes first all the same, and describes both.
    kept = read_record(tmp_path / "out" / FILE)
    assert (kept.header, kept.cells, kept.pairs) == (record.header, record.cells, record.pairs)
    assert set(record.header.runtimes) == {"numpy", "late", "oracle"}


def test_what_was_judged_is_kept_where_the_run_ends_before_it_has_started(plan: Plan, tmp_path: Path) -> None:
    def stop(progress: Progress) -> None:
        if progress.implementation == "numpy.second":
            raise KeyboardInterrupt

    record = run(plan, out=tmp_path / "out", on_progress=stop)
    assert record.footer is not None
    assert record.footer.partial
    assert set(record.header.runtimes) == {"numpy", "oracle"}
    kept = read_record(tmp_path / "out" / FILE)
    assert kept.header == record.header
    assert {cell.implementation for cell in kept.cells} == {"numpy"}
