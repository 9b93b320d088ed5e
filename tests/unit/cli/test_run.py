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

from harness.model import Absent, Verdict
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
    printed = json.loads(result.stdout)
    assert result.stderr == ""
    assert result.exit_code == 1
    assert printed["summary"]["FAIL"] == 2
    assert printed["summary"]["NOT_RUN"] == 4
    assert printed["first_divergence"]["stage"] == "more"
    assert printed["first_divergence"]["max_abs"] == 0.5
    assert printed["runtimes"]["numpy"]["libraries"]["numpy"]
    assert "missing" in printed["runtimes"]["gone"]


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


LEAST_SQUARES = """
[case]
name = "fit"
title = "a line through points"
origin = "made up"
fixture = "toy"

[inputs]
x = ["n"]

[[stage]]
name = "line"
inputs = ["x"]
shape = [2]

[[stage]]
name = "twice"
inputs = ["line"]
shape = [2]
"""
FIT = """import numpy as np


def line(x):
    A = np.stack([np.ones(x.size), np.arange(x.size)], axis=1)
    return np.linalg.lstsq(A, x, rcond=None)[0]


def twice(line):
    return 2 * line
"""
NORMAL = FIT.replace("np.linalg.lstsq(A, x, rcond=None)[0]", "np.linalg.solve(A.T @ A, A.T @ x)")
WRONG = FIT.replace("np.linalg.lstsq(A, x, rcond=None)[0]", "np.full(2, 42.0)")
WRONG_IN_R = "line <- function(x) c(42, 42)\ntwice <- function(line) c(42, 42)\n"


def fit(suite: Path, **sources: str) -> list[str | Path]:
    folder = suite / "fit"
    folder.mkdir()
    (folder / "case.toml").write_text(LEAST_SQUARES, encoding="utf-8")
    for name, source in {"fit.py": FIT, **sources}.items():
        (folder / name).write_text(source, encoding="utf-8")
    return ["run", "--suite", suite, "--case", "fit"]


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which no limit can be derived."""
    gone = Absent(runtime="oracle", language="Python", reason="python-flint is not installed")
    monkeypatch.setattr("harness.conformance.observers.find_oracle", lambda: gone)


@pytest.mark.usefixtures("blind")
def test_what_has_no_limit_is_compared_coarsely(harness: Harness, suite: Path) -> None:
    command = fit(suite, **{"fit.normal.py": NORMAL, "fit.wrong.py": WRONG})
    sound = harness(*command, "--impl", "numpy", "--impl", "numpy.normal")
    assert sound.exit_code == 0, sound.output
    cells = [cell for cell in read_record(Path("results/results.jsonl")).cells if cell.basis == "coarse"]
    assert {(cell.stage, cell.mode.value, cell.verdict.value) for cell in cells} == {
        (stage, mode, "PASS") for stage in ("line", "twice") for mode in ("chained", "isolated")
    }
    assert {cell.weaker_because for cell in cells} == {"python-flint is not installed"}
    wrong = harness(*command, "--impl", "numpy", "--impl", "numpy.wrong")
    assert wrong.exit_code == 1, wrong.output
    strict = harness(*command, "--impl", "numpy", "--impl", "numpy.normal", "--strict")
    assert strict.exit_code == 1, strict.output
    # Nobody but the reference: it is compared with nothing.
    assert harness(*command, "--impl", "numpy").exit_code == 5


@pytest.mark.r
@pytest.mark.usefixtures("blind")
def test_42_everywhere_is_no_agreement_in_r(harness: Harness, suite: Path) -> None:
    result = harness(*fit(suite, **{"fit.R": WRONG_IN_R}), "--impl", "numpy", "--impl", "r")
    record = read_record(Path("results/results.jsonl"))
    if record.header.absent[:-1]:
        pytest.skip(record.header.absent[0].reason)
    assert result.exit_code == 1, result.output
    cells = [cell for cell in record.cells if cell.implementation == "r"]
    assert {cell.verdict for cell in cells} == {Verdict.FAIL}
    assert record.consensus == ()


def test_the_reference_s_crash_is_a_fault_whoever_asked(harness: Harness, suite: Path) -> None:
    (suite / "toy" / "toy.py").write_text(SINGULAR, encoding="utf-8")
    for names in (["numpy", "numpy.same"], ["numpy.same"]):
        result = harness("run", "--suite", suite, *chosen(*names))
        assert result.exit_code == 4, result.output
        record = read_record(Path("results/results.jsonl"))
        said = [cell for cell in record.cells if cell.implementation == "numpy" and cell.stage == "twice"]
        assert {cell.verdict for cell in said} == {Verdict.ERROR}
        assert "singular" in said[0].reason


SINGULAR = """
def twice(x):
    raise ValueError("singular")


def more(twice):
    return twice + 1
"""
ONCE = """
from pathlib import Path

MARK = Path(__file__).with_name("mark")


def twice(x):
    if not MARK.exists():
        MARK.touch()
        raise ValueError("singular")
    return 2 * x


def more(twice):
    return twice + 1
"""


def test_the_reference_s_one_crash_is_told(harness: Harness, suite: Path) -> None:
    (suite / "toy" / "toy.py").write_text(ONCE, encoding="utf-8")
    result = harness("run", "--suite", suite, *chosen("numpy", "numpy.same"))
    assert result.exit_code == 4, result.output
    cells = read_record(Path("results/results.jsonl")).cells
    assert any(cell.verdict is Verdict.ERROR and "singular" in cell.reason for cell in cells)
