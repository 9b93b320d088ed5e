"""``harness run``: exit codes, the record, JSON, and what a user gets wrong."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from click.testing import Result

from harness.model import Verdict
from harness.store.record import read_record

Harness = Callable[..., Result]


def chosen(*names: str) -> list[str]:
    return [word for name in names for word in ("--impl", name)]


@pytest.mark.parametrize(
    ("names", "more", "code", "verdict"),
    [
        (["numpy", "numpy.same"], [], 0, Verdict.PASS),
        (["numpy.same", "gone"], [], 0, Verdict.NOT_RUN),
        (["numpy.wrong"], [], 1, Verdict.FAIL),
        (["gone"], [], 5, Verdict.NOT_RUN),
        (["numpy"], [], 5, Verdict.PASS),
        (["numpy.wrong", "gone"], ["--require", "numpy,gone"], 3, Verdict.NOT_RUN),
        (["numpy.wrong", "numpy.dies"], [], 4, Verdict.ERROR),
    ],
)
def test_exit_code(
    harness: Harness, suite: Path, names: list[str], more: list[str], code: int, verdict: Verdict
) -> None:
    result = harness("run", "--suite", suite, *chosen(*names), *more, "--out", "out")
    assert result.exit_code == code, result.output
    record = read_record(Path("out/results.jsonl"))
    assert {cell.implementation for cell in record.cells} == set(names)
    assert verdict in {cell.verdict for cell in record.cells}


def test_a_divergence_is_shown_with_its_stage(harness: Harness, suite: Path) -> None:
    result = harness("run", "--suite", suite, *chosen("numpy", "numpy.wrong"))
    panel = result.stdout[result.stdout.index("First divergence") :]
    assert "case toy, stage more, implementation numpy.wrong" in panel
    assert "0.5" in panel
    assert Path("results/results.jsonl").is_file()


def test_json_is_one_object_and_nothing_else(harness: Harness, suite: Path) -> None:
    result = harness("run", "--suite", suite, *chosen("numpy", "numpy.wrong", "gone"), "--json")
    found = json.loads(result.stdout)
    assert result.stderr == ""
    assert result.exit_code == 1
    assert found["summary"]["FAIL"] == 2
    assert found["summary"]["NOT_RUN"] == 4
    assert found["first_divergence"]["stage"] == "more"
    assert found["first_divergence"]["max_abs"] == 0.5
    assert found["runtimes"]["numpy"]["libraries"]["numpy"]
    assert "missing" in found["runtimes"]["gone"]


@pytest.mark.parametrize(
    ("args", "message", "advice"),
    [
        (["--case", "tyo"], "no case matches 'tyo'", "there are: toy"),
        (["--impl", "julia*"], "no implementation matches 'julia*'", "numpy.same"),
        (["--precision", "float16"], "no precision matches", "float64"),
        (["--sample", "x"], "no sample matches", ""),
        (["--require", "r,cobol"], "cobol", "julia"),
        (["--suite", "nowhere"], "nowhere", "folder"),
        (["--glove", "nowhere.txt"], "nowhere.txt", ""),
        (["--out", "file"], "file: this is a file", "--out takes a folder"),
        (["--out", "file/below"], "cannot write here", "another folder"),
        (["--nothing"], "No such option", ""),
    ],
)
def test_a_user_s_mistake_runs_nothing(
    harness: Harness, suite: Path, args: list[str], message: str, advice: str
) -> None:
    Path("file").write_text("precious", encoding="utf-8")
    given = [] if "--suite" in args else ["--suite", str(suite)]
    result = harness("run", *given, *args)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert advice in result.stderr
    assert "Traceback" not in result.output
    assert result.stdout == ""
    assert Path("file").read_text(encoding="utf-8") == "precious"
    assert not Path("results/results.jsonl").exists()


def test_a_bad_case_names_file_and_line_and_keeps_the_last_record(harness: Harness, suite: Path) -> None:
    assert harness("run", "--suite", suite, *chosen("numpy", "numpy.same")).exit_code == 0
    before = Path("results/results.jsonl").read_bytes()
    case = suite / "toy" / "case.toml"
    lines = case.read_text(encoding="utf-8").splitlines()
    place = lines.index('fixture = "toy"')
    case.write_text("\n".join([*lines[: place + 1], "surprise = 1", *lines[place + 1 :]]), encoding="utf-8")
    result = harness("run", "--suite", suite, *chosen("numpy"))
    assert result.exit_code == 2
    assert f"case.toml:{place + 2}:" in result.stderr
    assert "surprise" in result.stderr
    assert "Traceback" not in result.output
    assert Path("results/results.jsonl").read_bytes() == before


@pytest.mark.parametrize("place", ["before", "after"])
def test_debug_shows_the_traceback(harness: Harness, suite: Path, place: str) -> None:
    args = ["run", "--suite", suite, "--case", "x"]
    result = harness("--debug", *args) if place == "before" else harness(*args, "--debug")
    assert result.exit_code == 2
    assert "Traceback" in result.stderr
    assert "error: no case matches 'x'" in result.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_leaves_a_partial_record_and_no_process(suite: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "harness", "run", "--suite", str(suite), "--out", "out"]
    started = subprocess.Popen(
        [*command, *chosen("numpy", "numpy.hangs")],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    record = tmp_path / "out" / "results.jsonl"
    deadline = time.monotonic() + 60
    # The reference's lines come first; after them the worker sits in the stage that hangs.
    while not any(b'"cell"' in path.read_bytes() for path in record.parent.glob("results.jsonl*")):
        assert time.monotonic() < deadline
        assert started.poll() is None
        time.sleep(0.05)
    workers = psutil.Process(started.pid).children(recursive=True)
    assert workers
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=30)
    assert started.returncode == 130, err
    assert b"Traceback" not in out + err
    assert b"PARTIAL" in out
    _, alive = psutil.wait_procs(workers, timeout=5)
    assert not alive
    footer = read_record(record).footer
    assert footer is not None
    assert footer.partial


def test_accuracy_is_printed_where_tolerances_are_derived(
    harness: Harness, suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("flint")
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    case = suite / "toy" / "case.toml"
    text = case.read_text(encoding="utf-8").replace('tolerance = { rule = "exact" }\n', "")
    case.write_text(text, encoding="utf-8")
    out = str(tmp_path / "out")
    result = harness("run", "--suite", str(suite), "--impl", "numpy", "--accuracy", "--out", out)
    assert result.exit_code == 0, result.output
    assert "Accuracy" in result.stdout
    assert "python-flint" in result.stdout
