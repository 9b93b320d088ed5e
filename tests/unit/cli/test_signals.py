"""A run that is told to end, and one whose output nobody takes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from harness.cli import main
from harness.model import outcome_of
from harness.store.record import read_record
from tests.marks import in_slow

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

COMMAND = [sys.executable, "-m", "harness"]
WORKER = """
[[runtime]]
id = "echo"
language = "Echo"
suffix = ".echo"
command = ["{python}", "-P", "{suite}/worker.py"]
"""
STALLS = """
import sys, time
from pathlib import Path

def stall(event, arguments):
    if event == "open" and str(arguments[0]).endswith("arrays.safetensors"):
        Path(__file__).with_name("stalled").touch()
        time.sleep(60)

sys.addaudithook(stall)
"""
"""Python begins with this file: it stands for a disk that does not answer."""
SIGNALS_ITSELF = """
import os, shutil, signal, sys

def send(event, arguments):
    if event == "shutil.rmtree" and "harness-" in str(arguments[0]):
        os.kill(os.getpid(), signal.SIGTERM)

sys.addaudithook(send)
"""
"""The signal comes while a folder is removed, which is too short to hit from outside."""
SIGNALS_ITSELF_AS_THE_RECORD_TAKES_ITS_NAME = """
import os, signal, sys

def send(event, arguments):
    if event == "os.rename" and str(arguments[1]).endswith("results.jsonl"):
        os.kill(os.getpid(), getattr(signal, os.environ["TO_SEND"]))

sys.addaudithook(send)
"""
REPORTS = {"report.html", "junit.xml", "summary.md", "badge.json", "badge.svg"}


def started(suite: Path, tmp_path: Path, *names: str, path: Path | None = None) -> subprocess.Popen[bytes]:
    """Start a run; with ``path``, Python looks for modules there first."""
    chosen = [word for name in names for word in ("--impl", name)]
    return starting(tmp_path, "run", "--suite", str(suite), "--out", "out", *chosen, path=path)


def starting(tmp_path: Path, *words: str, path: Path | None = None) -> subprocess.Popen[bytes]:
    """Start a command."""
    (tmp_path / "tmp").mkdir(exist_ok=True)
    return subprocess.Popen(
        [*COMMAND, *words],
        cwd=tmp_path,
        env={
            **os.environ,
            "TMPDIR": str(tmp_path / "tmp"),
            "PYTHONPATH": os.pathsep.join(map(str, filter(None, (path, Path(__file__).parents[3])))),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


def ended(process: subprocess.Popen[bytes], number: signal.Signals, tmp_path: Path) -> None:
    """Send a signal; nothing of the run is left, and the exit code is the signal's."""
    workers = psutil.Process(process.pid).children(recursive=True)
    assert workers
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 128 + number, err
    assert b"Traceback" not in out + err
    _, alive = psutil.wait_procs(workers, timeout=5)
    assert not alive
    assert not list((tmp_path / "tmp").iterdir())


@pytest.mark.parametrize("number", [signal.SIGTERM, in_slow(signal.SIGHUP)])
def test_a_signal_closes_the_record_and_writes_the_reports(
    suite: Path, tmp_path: Path, number: signal.Signals
) -> None:
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("this signal is ignored here, as below nohup")
    process = started(suite, tmp_path, "numpy", "numpy.hangs")
    out = tmp_path / "out"
    # The reference's lines come first; after them the worker sits in the stage that hangs.
    wait_for(lambda: any(b'"cell"' in path.read_bytes() for path in out.glob("results.jsonl*")), process)
    ended(process, number, tmp_path)
    footer = read_record(out / "results.jsonl").footer
    assert footer is not None
    assert footer.partial
    assert footer.reason == f"ended by {number.name}"
    assert {path.name for path in out.iterdir()} == {"results.jsonl", *REPORTS}


@pytest.fixture(scope="module")
def agreed_once(suite_of_module: Path) -> Path:
    """The folder of a run that ended well: all its reports are green."""
    out = suite_of_module.parent / "agreed"
    chosen = ["--impl", "numpy", "--impl", "numpy.same"]
    done = CliRunner().invoke(main, ["run", "--suite", str(suite_of_module), "--out", str(out), *chosen])
    assert done.exit_code == 0, done.output
    assert says(out, "AGREEMENT")
    return out


@pytest.fixture
def of_agreement(agreed_once: Path, tmp_path: Path) -> Path:
    """A copy of it, to be written over."""
    return Path(shutil.copytree(agreed_once, tmp_path / "out"))


def says(out: Path, outcome: str) -> bool:
    """Whether record and reports have this outcome, and no other."""
    record = read_record(out / "results.jsonl")
    page = (out / "report.html").read_text(encoding="utf-8")
    summary = (out / "summary.md").read_text(encoding="utf-8")
    junit = (out / "junit.xml").read_text(encoding="utf-8")
    badge = [(out / f"badge.{kind}").read_text(encoding="utf-8") for kind in ("json", "svg")]
    others = {"AGREEMENT", "DIVERGENCE", "INCOMPLETE", "FAULT"} - {outcome}
    return (
        outcome_of(record).outcome == outcome
        and f"<title>{outcome}:" in page
        and summary.startswith("## ")
        and outcome in summary.splitlines()[0]
        and f'="{outcome}"' in junit
        and not any(f'="{other}"' in junit for other in others)
        and not any(other in summary.splitlines()[0] for other in others)
        and all(("partial run" in text) == (outcome == "INCOMPLETE") for text in badge)
    )


@pytest.mark.parametrize("number", [in_slow(signal.SIGINT), signal.SIGTERM])
def test_a_signal_while_workers_start_leaves_no_older_report(
    of_agreement: Path, suite: Path, tmp_path: Path, number: signal.Signals
) -> None:
    out = of_agreement
    (suite / "suite.toml").write_text(WORKER, encoding="utf-8")
    source = f"import pathlib, time\npathlib.Path({str(tmp_path / 'begun')!r}).touch()\ntime.sleep(600)\n"
    (suite / "worker.py").write_text(source, encoding="utf-8")
    (suite / "toy" / "toy.echo").touch()
    process = started(suite, tmp_path, "numpy", "echo")
    wait_for((tmp_path / "begun").exists, process)
    ended(process, number, tmp_path)
    record = read_record(out / "results.jsonl")
    assert record.footer is not None
    assert record.footer.partial
    assert record.cells == ()
    assert [case.name for case in record.header.cases] == ["toy"]
    assert says(out, "INCOMPLETE")
    assert {path.name for path in out.iterdir()} == {"results.jsonl", *REPORTS}


@pytest.mark.parametrize("number", [signal.SIGINT, in_slow(signal.SIGTERM)])
def test_a_signal_before_the_suite_is_read_leaves_no_older_report(
    of_agreement: Path, suite: Path, tmp_path: Path, number: signal.Signals
) -> None:
    out = of_agreement
    (tmp_path / "sitecustomize.py").write_text(STALLS, encoding="utf-8")
    process = started(suite, tmp_path, "numpy", path=tmp_path)
    wait_for((tmp_path / "stalled").exists, process)
    process.send_signal(number)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 128 + number, err
    assert says(out, "INCOMPLETE")
    assert {path.name for path in out.iterdir()} == {"results.jsonl", *REPORTS}


def test_a_signal_while_the_program_is_loaded_leaves_a_record(suite: Path, tmp_path: Path) -> None:
    process = started(suite, tmp_path, "numpy", "numpy.hangs")
    out = tmp_path / "out"
    wait_for(out.exists, process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 128 + signal.SIGINT, err
    assert says(out, "INCOMPLETE")


def test_a_signal_after_the_record_is_complete_takes_nothing_from_the_run(
    suite: Path, tmp_path: Path
) -> None:
    process = started(suite, tmp_path, "numpy", "numpy.same")
    out = tmp_path / "out"
    wait_for((out / "results.jsonl").exists, process)
    process.send_signal(signal.SIGTERM)
    printed, errors = process.communicate(timeout=120)
    # 0: it had ended before the signal came.
    assert process.returncode in {0, 128 + signal.SIGTERM}, errors
    assert b"Traceback" not in printed + errors
    assert not list((tmp_path / "tmp").iterdir())
    footer = read_record(out / "results.jsonl").footer
    assert footer is not None
    assert not footer.partial
    assert {path.name for path in out.iterdir()} >= REPORTS


@pytest.mark.parametrize("number", [signal.SIGTERM, in_slow(signal.SIGINT)])
def test_a_signal_while_the_record_is_completed_waits_for_the_reports(
    suite: Path, tmp_path: Path, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TO_SEND", number.name)
    (tmp_path / "sitecustomize.py").write_text(SIGNALS_ITSELF_AS_THE_RECORD_TAKES_ITS_NAME, encoding="utf-8")
    process = started(suite, tmp_path, "numpy", "numpy.same", path=tmp_path)
    printed, errors = process.communicate(timeout=120)
    assert process.returncode == 128 + number, errors
    assert b"Traceback" not in printed + errors
    footer = read_record(tmp_path / "out" / "results.jsonl").footer
    assert footer is not None
    assert not footer.partial
    assert says(tmp_path / "out", "AGREEMENT")


@pytest.mark.parametrize("number", [signal.SIGINT, in_slow(signal.SIGTERM)])
def test_a_signal_keeps_the_documents_that_are_complete(tmp_path: Path, number: signal.Signals) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "a.md").write_text("# Only words\n", encoding="utf-8")
    (documents / "b.md").write_text("```python\nimport time\ntime.sleep(600)\n```\n", encoding="utf-8")
    out = tmp_path / "out"
    out.mkdir()
    (out / "results.jsonl").write_text("of another run", encoding="utf-8")
    process = starting(tmp_path, "documents", "documents", "--trust", "--unsandboxed", "--out", "out")
    assert process.stdout is not None
    # The page of the first one is printed when it is complete.
    while b"a.md" not in (line := process.stdout.readline()):
        assert line, process.communicate()
    process.send_signal(number)
    printed, errors = process.communicate(timeout=120)
    assert process.returncode == 128 + number, errors
    assert b"Traceback" not in printed + errors
    assert b"1 of 2 documents are complete, not b.md" in errors
    record = read_record(out / "results.jsonl")
    assert [document.document for document in record.documents] == ["a.md"]
    assert record.footer is not None
    assert record.footer.partial
    assert outcome_of(record).outcome == "INCOMPLETE"
    assert {path.name for path in out.iterdir()} >= {*REPORTS, "a.md.findings.html"}
    assert not list((tmp_path / "tmp").iterdir())


def test_a_signal_while_temporary_files_are_removed_leaves_none(suite: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(SIGNALS_ITSELF, encoding="utf-8")
    process = started(suite, tmp_path, "numpy", path=tmp_path)
    printed, errors = process.communicate(timeout=120)
    assert process.returncode == 128 + signal.SIGTERM, errors
    assert b"Traceback" not in printed + errors
    assert not list((tmp_path / "tmp").iterdir())


@pytest.mark.parametrize(
    ("where", "name", "code"),
    [
        ("a full disk", "numpy.same", 0),
        in_slow("a full disk", "numpy.wrong", 1),
        ("a full disk", "numpy.dies", 4),
        ("a closed pipe", "numpy.same", 0),
        in_slow("a closed pipe", "numpy.dies", 4),
        ("nothing", "numpy.same", 0),
        in_slow("nothing", "numpy.dies", 4),
        ("a full disk for errors too", "numpy.same", 0),
        in_slow("a full disk for errors too", "numpy.dies", 4),
    ],
)
def test_output_that_nobody_takes_changes_no_exit_code(
    suite: Path, tmp_path: Path, where: str, name: str, code: int
) -> None:
    redirected = {
        "a full disk": "> /dev/full",
        "a closed pipe": "| head -c 1 > /dev/null; exit ${PIPESTATUS[0]}",
        "nothing": ">&-",
        "a full disk for errors too": "> /dev/full 2> /dev/full",
    }[where]
    if "full" in where and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    command = f'"$@" {redirected}'
    words = [*COMMAND, "run", "--suite", str(suite), "--out", "out", "--impl", "numpy", "--impl", name]
    result = subprocess.run(
        ["bash", "-c", command, "bash", *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode == code, result.stderr
    expected = "not all could be printed: No space left on device\n" if where == "a full disk" else ""
    assert result.stderr == expected
    assert {path.name for path in (tmp_path / "out").iterdir()} > REPORTS
    footer = read_record(tmp_path / "out" / "results.jsonl").footer
    assert footer is not None
    assert not footer.partial
