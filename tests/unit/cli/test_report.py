"""``harness report``, ``diff`` and ``history``: what is written, and what is said of a bad record."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from harness.cli import main

Harness = Callable[..., Result]
WRITTEN = {"badge.json", "badge.svg", "junit.xml", "report.html", "summary.md"}


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if not path.name.startswith(".")}


@pytest.fixture(scope="module")
def results_once(suite_of_module: Path) -> Path:
    """What a run of the toy suite leaves."""
    out = suite_of_module.parent / "results"
    chosen = ["--impl", "numpy*", "--impl", "!*.dies", "--impl", "!*.hangs"]
    command = ["run", "--suite", str(suite_of_module), "--out", str(out), *chosen]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 1, result.output
    return out


@pytest.fixture
def results(harness: Harness, results_once: Path) -> Path:
    """A copy of it in the current folder, to be changed."""
    return Path(shutil.copytree(results_once, "results"))


def test_a_run_writes_its_reports(results: Path) -> None:
    assert names(results) == {"results.jsonl", *WRITTEN}
    root = ET.parse(results / "junit.xml").getroot()
    assert int(root.get("failures", "0")) == 1
    assert "numpy.wrong" in (results / "summary.md").read_text(encoding="utf-8")
    assert json.loads((results / "badge.json").read_text(encoding="utf-8"))["color"] == "red"
    page = (results / "report.html").read_text(encoding="utf-8")
    assert "harness reproduce toy more numpy.wrong" in page


def test_reports_are_rendered_again_from_the_record_alone(
    harness: Harness, results: Path, tmp_path: Path
) -> None:
    first = (results / "report.html").read_bytes()
    record = tmp_path / "elsewhere" / "results.jsonl"
    record.parent.mkdir()
    record.write_bytes((results / "results.jsonl").read_bytes())
    done = harness("report", record.parent)
    assert done.exit_code == 0
    assert names(record.parent) == {"results.jsonl", "cells.csv", *WRITTEN}
    assert (record.parent / "report.html").read_bytes() == first


def test_only_the_kinds_that_are_named(harness: Harness, results: Path, tmp_path: Path) -> None:
    done = harness(
        "report", results / "results.jsonl", "--csv", "--junit", "--out", tmp_path / "new" / "folder"
    )
    assert done.exit_code == 0
    assert names(tmp_path / "new" / "folder") == {"cells.csv", "junit.xml"}


def test_a_base_record_and_a_history(harness: Harness, results: Path, tmp_path: Path) -> None:
    done = harness("report", results, "--base", results, "--history", results, "--out", tmp_path / "new")
    assert done.exit_code == 0
    assert "No verdict changed" in (tmp_path / "new" / "summary.md").read_text(encoding="utf-8")
    assert 'id="history"' in (tmp_path / "new" / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no results.jsonl here"),
        (b"", "is empty"),
        (b"not a record\n", "is not a record"),
        (b'{"kind": "header", "schema": 99}\n', "has the schema 99"),
    ],
)
@pytest.mark.parametrize("command", [("report",), ("diff", "."), ("history",)])
def test_what_is_no_record_is_refused_and_nothing_written(
    harness: Harness, tmp_path: Path, command: tuple[str, ...], content: bytes | None, message: str
) -> None:
    folder = tmp_path / "bad"
    folder.mkdir()
    if content is not None:
        (folder / "results.jsonl").write_bytes(content)
    before = names(folder)
    head, *rest = command
    done = harness(head, folder, *rest)
    assert done.exit_code == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert names(folder) == before


def test_a_record_that_was_changed_by_hand_is_refused(harness: Harness, results: Path) -> None:
    path = results / "results.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"FAIL"', b'"PASS"', 1))
    done = harness("report", results)
    assert done.exit_code == 2
    assert "its footer counts" in done.stderr


def test_a_record_that_is_cut_off_is_refused(harness: Harness, results: Path) -> None:
    path = results / "results.jsonl"
    path.write_bytes(path.read_bytes()[:-100])
    done = harness("report", results)
    assert done.exit_code == 2
    assert "cut off" in done.stderr


def test_what_a_killed_run_left_is_rendered_as_partial(harness: Harness, results: Path) -> None:
    path = results / "results.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.unlink()
    (results / "results.jsonl.partial").write_bytes(b"".join(lines[:-1]))
    assert harness("report", results).exit_code == 0
    assert "INCOMPLETE" in (results / "report.html").read_text(encoding="utf-8")
    assert json.loads((results / "badge.json").read_text(encoding="utf-8"))["message"] == "partial run"


def test_a_folder_that_cannot_be_written_to(harness: Harness, results: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = harness("report", results, "--out", tmp_path / "file")
    assert done.exit_code == 2
    assert "cannot be written" in done.stderr


def test_diff_of_two_runs(harness: Harness, suite: Path, results: Path) -> None:
    assert harness("diff", results, results).exit_code == 0
    sound = harness("run", "--suite", suite, "--impl", "numpy", "--impl", "numpy.same", "--out", "sound")
    assert sound.exit_code == 0
    better = harness("diff", results, "sound", "--json")
    printed = json.loads(better.stdout)
    # numpy.wrong is gone: what was compared is not any more.
    assert better.exit_code == 1
    assert {change["now"] for change in printed["worse"]} == {"absent"}
    worse = harness("diff", "sound", results)
    assert worse.exit_code == 1
    assert "got worse" in worse.stdout
    assert "### Since the base record" in harness("diff", "sound", results, "--markdown").stdout


def test_history_of_two_runs(harness: Harness, results: Path) -> None:
    done = harness("history", results, results)
    assert done.exit_code == 0
    assert "numpy.wrong" in done.stdout
    runs = json.loads(harness("history", results, "--json").stdout)["runs"]
    assert runs[0]["verdicts"]["FAIL"] == 2


def test_reproduce_prints_a_script(harness: Harness, suite: Path, tmp_path: Path) -> None:
    done = harness("reproduce", "toy", "more", "numpy.wrong", "--suite", suite)
    assert done.exit_code == 0, done.output
    assert "return twice + 1.5" in done.stdout
    saved = harness(
        "reproduce", "toy", "more", "numpy.wrong", "--suite", suite, "--out", tmp_path / "scripts"
    )
    assert Path(saved.stdout.strip()).name == "toy_more_numpy_wrong.py"
    unknown = harness("reproduce", "toy", "more", "gone", "--suite", suite)
    assert unknown.exit_code == 2
    assert "no script can be written" in unknown.stderr


def test_grading_what_was_recorded(harness: Harness, suite: Path, results: Path) -> None:
    assert harness("snapshot", "--suite", suite, "--impl", "numpy", "--impl", "numpy.wrong").exit_code == 0
    same = harness("grade", results, "--suite", suite, "--out", "same")
    assert same.exit_code == 1
    assert "replayed" in same.stdout
    wide = ("grade", results, "--suite", suite, "--tolerance", "toy/more:absolute=0.5", "--json")
    unrecorded = harness(*wide)
    assert unrecorded.exit_code == 5
    assert json.loads(unrecorded.stdout)["reasons"][0].startswith("numpy.same: twice of toy")
    assert harness("snapshot", "--suite", suite, "--impl", "numpy.same").exit_code == 0
    wider = harness(*wide)
    assert wider.exit_code == 0, wider.stdout
    cells = json.loads(wider.stdout)["cells"]
    assert {cell["source"] for cell in cells if cell["verdict"] == "PASS"} == {"replayed"}
    assert (results / "graded" / "report.html").is_file()
    tighter = harness("grade", results, "--suite", suite, "--tolerance", "absolute=0.25")
    assert tighter.exit_code == 1


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("ulp", "is no tolerance"),
        ("exact=1", "is no tolerance"),
        ("ulp=many", "is no number"),
        ("ulp=-1", "cannot be -1"),
        ("ulp=nan", "cannot be nan"),
        ("toy/none:ulp=1", "no stage matches"),
    ],
)
def test_tolerances_that_are_none(
    harness: Harness, suite: Path, results: Path, written: str, message: str
) -> None:
    done = harness("grade", results, "--suite", suite, "--tolerance", written)
    assert done.exit_code == 2
    assert message in done.stderr
