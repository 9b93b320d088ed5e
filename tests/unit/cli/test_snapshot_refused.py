"""``harness run --replay``: every refusal with its reason."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from harness.conformance import replay
from harness.model import Source, Verdict
from harness.store.fixture_writer import write_fixture
from harness.workers.protocol import VERSION
from tests.unit.cli.recorded_toy import (
    CHOSEN,
    Harness,
    cells_of,
    in_slow,
    recorded_with_gone,
    refused,
    snapshot,
)


def test_a_changed_source_is_refused(harness: Harness, recorded: Path) -> None:
    with (recorded / "toy" / "toy.gone").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    (reason,) = refused(harness, recorded)
    assert reason.startswith("snapshot refused: the source file has changed since 20")


@pytest.mark.parametrize(("how", "code"), [("missing", 1), pytest.param("always", 5, marks=in_slow)])
def test_a_changed_file_beside_the_source_is_refused(
    harness: Harness, suite: Path, how: str, code: int
) -> None:
    helper = suite / "toy" / "data" / "const.txt"
    helper.parent.mkdir()
    helper.write_text("3.0", encoding="utf-8")
    recorded_with_gone(harness, suite)
    before = cells_of(harness, suite, "--replay", how, code=1)
    assert before["gone", "chained", "more"].source is Source.REPLAYED
    helper.write_text("4.0", encoding="utf-8")
    (reason,) = refused(harness, suite, "--replay", how, code=code)
    assert re.fullmatch(
        r"snapshot refused: data/const.txt beside the source file has changed since [-0-9]+", reason
    )
    helper.unlink()
    (reason,) = refused(harness, suite, "--replay", how, code=code)
    assert "data/const.txt (gone) beside the source file has changed" in reason
    helper.write_text("3.0", encoding="utf-8")
    assert cells_of(harness, suite, "--replay", how, code=1).keys() == before.keys()
    (suite / "toy" / "new.R").touch()
    (reason,) = refused(harness, suite, "--replay", how, code=code)
    assert "new.R (new, or not noted then) beside the source file has changed" in reason


def test_a_file_that_is_edited_while_it_is_recorded_was_not_recorded(harness: Harness, suite: Path) -> None:
    data = suite / "toy" / "const.txt"
    data.write_text("1.0", encoding="utf-8")
    source = suite / "toy" / "toy.py"
    edit = f"    open({str(data)!r}, 'w').write('2.0')\n"
    sound = source.read_text(encoding="utf-8")
    source.write_text(sound.replace("    return 2 * x\n", f"{edit}    return 2 * x\n"), encoding="utf-8")
    recorded_with_gone(harness, suite)
    assert data.read_text(encoding="utf-8") == "2.0"
    (reason,) = refused(harness, suite)
    assert "const.txt beside the source file has changed" in reason


@in_slow
def test_the_snapshot_of_another_implementation_is_refused(harness: Harness, recorded: Path) -> None:
    (recorded / "toy" / "toy.gone").write_bytes((recorded / "toy" / "toy.py").read_bytes())
    snapshot(recorded, "gone").write_bytes(snapshot(recorded, "numpy").read_bytes())
    (reason,) = refused(harness, recorded)
    assert reason == "snapshot refused: is the snapshot of toy numpy float64 in numpy"


def test_a_refused_snapshot_is_no_missing_runtime(harness: Harness, recorded: Path) -> None:
    with (recorded / "toy" / "toy.wrong.py").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    result = harness("run", "--suite", recorded, *CHOSEN, "--replay", "always")
    said = " ".join(result.stdout.split())
    assert "missing" not in said
    assert "numpy.wrong was not compared: snapshot refused: the source file has changed since 20" in said
    assert "gone was not started: every runtime is replayed" in said
    page = Path("results/report.html").read_text(encoding="utf-8")
    assert "numpy.wrong was not compared: snapshot refused: the source file has changed since 20" in page
    with (recorded / "toy" / "toy.gone").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    said = " ".join(harness("run", "--suite", recorded, *CHOSEN).stdout.split())
    assert "Gone is missing here and was not compared." in said
    assert "Gone was not compared: snapshot refused: the source file has changed since 20" in said


@in_slow
def test_a_folder_too_large_to_be_read_is_said(
    harness: Harness, suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded_with_gone(harness, suite)
    monkeypatch.setattr("harness.store.beside.MOST_FILES", 5)
    (reason,) = refused(harness, suite)
    assert "holds more than 5 files or 256 MiB that a source may read" in reason
    result = harness("snapshot", "--suite", suite, "--impl", "numpy")
    assert result.exit_code == 2
    assert "toy: holds more than 5 files" in result.stderr
    assert "move what no source reads out of the case's folder" in result.stderr


@in_slow
def test_a_changed_fixture_is_refused(harness: Harness, recorded: Path) -> None:
    write_fixture(
        recorded / "fixtures" / "toy",
        version=2,
        title="t",
        origin="o",
        licence="MIT",
        generator=[{"kind": "literal"}],
        arrays={"x": np.array([1.0, 2.5, -4.0])},
        origins={"x": "o"},
    )
    (reason,) = refused(harness, recorded)
    assert reason.startswith("snapshot refused: the fixture has changed since 20")


@in_slow
def test_a_changed_graph_is_refused(harness: Harness, recorded: Path) -> None:
    case = recorded / "toy" / "case.toml"
    text = case.read_text(encoding="utf-8")
    case.write_text(text.replace('shape = ["n"]', "shape = [3]"), encoding="utf-8")
    (reason,) = refused(harness, recorded)
    assert reason.startswith("snapshot refused: the graph of the case has changed since 20")


def test_changed_tolerances_are_not_refused(harness: Harness, recorded: Path) -> None:
    case = recorded / "toy" / "case.toml"
    text = case.read_text(encoding="utf-8")
    loose = 'rule = "absolute", value = 1.0, reason = "for this test"'
    case.write_text(text.replace('rule = "exact"', loose), encoding="utf-8")
    cells = cells_of(harness, recorded, "--replay", "always", code=0)
    assert cells["numpy.wrong", "chained", "more"].verdict is Verdict.PASS


@in_slow
def test_another_protocol_is_refused(
    harness: Harness, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = VERSION
    monkeypatch.setattr(replay, "VERSION", now + 1)
    (reason,) = refused(harness, recorded)
    assert f"the protocol (then version {now}, now {now + 1}) has changed" in reason


@in_slow
def test_a_snapshot_that_is_cut_off_is_refused(harness: Harness, recorded: Path) -> None:
    path = snapshot(recorded, "gone")
    path.write_bytes(path.read_bytes()[:-9])
    (reason,) = refused(harness, recorded)
    assert reason.startswith("snapshot refused: is not a whole snapshot")


@in_slow
def test_without_the_reference_s_snapshot_the_differences_are_refused(
    harness: Harness, recorded: Path
) -> None:
    snapshot(recorded, "numpy").unlink()
    (reason,) = refused(harness, recorded)
    assert reason.startswith("snapshot refused: the snapshot cannot be read")


@in_slow
def test_a_changed_reference_leaves_the_chained_cells(harness: Harness, recorded: Path) -> None:
    with (recorded / "toy" / "toy.py").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    cells = cells_of(harness, recorded, code=1)
    assert cells["gone", "chained", "more"].verdict is Verdict.PASS
    isolated = cells["gone", "isolated", "more"]
    assert (isolated.verdict, isolated.source) == (Verdict.NOT_RUN, Source.NONE)
    assert "the reference's source file has changed since 20" in isolated.reason


def test_a_refused_reference_makes_nothing_pass_and_nothing_fail(harness: Harness, recorded: Path) -> None:
    with (recorded / "toy" / "toy.py").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    cells = cells_of(harness, recorded, "--replay", "always", code=5)
    assert {cell.verdict for cell in cells.values()} == {Verdict.NOT_RUN}
    assert "nothing to compare with: snapshot refused" in cells["gone", "chained", "more"].reason


def test_without_a_snapshot_the_reason_stays_the_runtime_s(harness: Harness, recorded: Path) -> None:
    snapshot(recorded, "gone").unlink()
    (reason,) = refused(harness, recorded)
    assert "there-is-no-such-program" in reason
    assert reason.endswith("; there is no snapshot")
