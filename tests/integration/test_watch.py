"""The loop of somebody who ports: a saved file is judged by warm workers, and what it changed is said."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from harness.conformance.plan import make_plan
from harness.conformance.touched import touched, watched_folders
from harness.conformance.warm import WarmWorkers
from harness.model import Outcome, outcome_of
from harness.store.fixture_writer import write_fixture

pytest.importorskip("watchfiles")

CASE = """[case]
name = "{name}"
title = "a mean"
origin = "test"
fixture = "numbers"

[inputs]
x = {{ shape = ["n"] }}

[[stage]]
name = "mean"
inputs = ["x"]
shape = []
"""
RIGHT = "def mean(x):\n    return x.sum() / len(x)\n"
OTHER = "from helper import count\n\n\ndef mean(x):\n    return sum(x.tolist()) / count(x)\n"
DEADLINE = 60.0


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "suite"
    for name in ("first", "second"):
        (folder / name).mkdir(parents=True)
        (folder / name / "case.toml").write_text(CASE.format(name=name), encoding="utf-8")
        (folder / name / f"{name}.py").write_text(RIGHT, encoding="utf-8")
        (folder / name / f"{name}.other.py").write_text(OTHER, encoding="utf-8")
        (folder / name / "helper.py").write_text("def count(x):\n    return len(x)\n", encoding="utf-8")
    write_fixture(
        tmp_path / "fixtures" / "numbers",
        version=1,
        title="three numbers",
        origin="test",
        licence="CC0-1.0",
        generator=(),
        arrays={"x": np.array([0.5123, 1.2581, 2.0377])},
        origins={"x": "made up"},
    )
    return folder


def test_a_change_touches_the_cases_that_read_it(suite: Path) -> None:
    plan = make_plan(suite)
    assert watched_folders(plan) == (suite, suite.parent / "fixtures" / "numbers")
    assert touched(plan, [suite / "first" / "helper.py"]) == ("first",)
    assert touched(plan, [suite / "second" / "case.toml", suite / "first" / "first.py"]) == (
        "first",
        "second",
    )
    assert touched(plan, [suite.parent / "fixtures" / "numbers" / "fixture.toml"]) == ("first", "second")
    assert touched(plan, [suite / "shared" / "helper.R"]) == ("first", "second")
    assert touched(make_plan(suite, cases=("first",)), [suite / "second" / "second.py"]) == ()
    assert touched(plan, [suite.parent / "notes.txt"]) == ()


def test_what_it_prints_into_a_file_of_the_suite_is_no_change(suite: Path) -> None:
    log = suite / "watch.log"
    command = [sys.executable, "-m", "harness", "watch", "--suite", str(suite), "--impl", "numpy*"]
    with log.open("w") as printed:
        process = subprocess.Popen(command, stdout=printed, stderr=subprocess.STDOUT)
    try:
        until = time.monotonic() + DEADLINE
        while "Ctrl-C ends" not in log.read_text() and time.monotonic() < until:
            time.sleep(0.1)
        first = log.read_text()
        (suite / "first" / "helper.py").write_text("def count(x):\n    return 4\n", encoding="utf-8")
        while "first: " not in log.read_text()[len(first) :] and time.monotonic() < until:
            time.sleep(0.1)
        time.sleep(1.5)
        assert len(re.findall(r"^\d\d:\d\d:\d\d ", log.read_text(), re.MULTILINE)) == 2, log.read_text()
    finally:
        process.kill()
        process.wait()


def test_warm_workers_read_sources_anew_and_come_back_after_a_crash(suite: Path) -> None:
    helper = suite / "first" / "helper.py"
    sound = helper.read_text(encoding="utf-8")
    outcomes = []
    with WarmWorkers() as warm:
        for text in (sound, "def count(x):\n    return 4\n", "import os\nos._exit(3)\n", "def (", sound):
            helper.write_text(text, encoding="utf-8")
            record = warm.run(make_plan(suite, cases=("first",)))
            assert record.footer is not None
            outcomes.append(outcome_of(record).outcome)
    a, d, f = Outcome.AGREEMENT, Outcome.DIVERGENCE, Outcome.FAULT
    assert outcomes == [a, d, f, f, a]


def test_a_worker_that_is_killed_between_two_saves_is_renewed(suite: Path) -> None:
    helper = suite / "first" / "helper.py"
    with WarmWorkers() as warm:
        warm.run(make_plan(suite, cases=("first",)))
        assert warm.renew() == []
        (worker,) = [host.worker for host in warm._hosts.values()]
        assert worker is not None
        worker.kill()
        (said,) = warm.renew()
        assert said.startswith("numpy ")
        assert "between two calls after the stage mean of first" in said
        assert said.endswith("it is started again")
        record = warm.run(make_plan(suite, cases=("first",)))
        assert outcome_of(record).outcome is Outcome.AGREEMENT
        # What is wrong is found by the new one.
        helper.write_text("def count(x):\n    return 4\n", encoding="utf-8")
        record = warm.run(make_plan(suite, cases=("first",)))
        assert outcome_of(record).outcome is Outcome.DIVERGENCE


class Watching:
    """A ``harness watch`` and its lines, as they come."""

    def __init__(self, suite: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "harness", "watch", "--suite", str(suite), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def until(self, part: str) -> list[str]:
        lines: list[str] = []
        while not lines or part not in lines[-1]:
            try:
                lines.append(self.lines.get(timeout=DEADLINE))
            except queue.Empty:
                raise AssertionError(f"no line with {part!r} after {lines}") from None
        return lines


@pytest.fixture
def serving(suite: Path) -> Iterator[Watching]:
    watched = Watching(suite, "--serve")
    try:
        yield watched
    finally:
        watched.process.kill()
        watched.process.communicate()


def asked(url: str, host: str = "") -> tuple[int, str]:
    request = urllib.request.Request(url, headers={"Host": host} if host else {})
    try:
        with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, ""


def test_the_page_shows_all_cases_and_what_is_new(suite: Path, serving: Watching) -> None:
    url = serving.until("showing http://127.0.0.1:")[-1].removeprefix("showing ")
    serving.until("Ctrl-C ends")
    assert "/next?after=" in asked(url)[1]
    assert json.loads(asked(f"{url}next?after=0")[1])["words"].startswith("AGREEMENT")
    (suite / "second" / "helper.py").write_text("def count(x):\n    return len(x) - 1\n", encoding="utf-8")
    # The answer comes when there is something new.
    told = json.loads(asked(f"{url}next?after=1")[1])
    assert (told["number"], told["words"][:10]) == (2, "DIVERGENCE")
    status, page = asked(f"{url}report.html")
    assert status == 200
    # The case that was not touched is still there.
    assert "first" in page
    assert "factor 1.5 = n/(n - 1)" in page
    assert [asked(f"{url}{path}")[0] for path in ("etc/passwd", "../x", "next?after=x")] == [404, 404, 200]
    # Another site's name that leads to this machine.
    assert asked(url, host="example.org")[0] == 403


def test_the_page_says_an_error_until_it_is_mended(suite: Path, serving: Watching) -> None:
    url = serving.until("showing http://127.0.0.1:")[-1].removeprefix("showing ")
    serving.until("Ctrl-C ends")
    case = suite / "first" / "case.toml"
    written = case.read_text(encoding="utf-8")
    case.write_text("[case", encoding="utf-8")
    told = json.loads(asked(f"{url}next?after=1")[1])
    assert (told["number"], told["words"][:6]) == (2, "ERROR:")
    assert "is not TOML" in told["words"]
    # Another case runs, and the first one is as broken as it was.
    (suite / "second" / "helper.py").write_text("def count(x):\n    return len(x) * 1\n", encoding="utf-8")
    serving.until(" second: AGREEMENT")
    assert json.loads(asked(f"{url}next?after=2")[1])["words"].startswith("ERROR:")
    case.write_text(written, encoding="utf-8")
    assert json.loads(asked(f"{url}next?after=3")[1])["words"].startswith("AGREEMENT")


def test_a_port_that_is_taken_is_refused(suite: Path, serving: Watching) -> None:
    port = serving.until("showing ")[-1].rstrip("/").rpartition(":")[2]
    other = subprocess.run(
        [sys.executable, "-m", "harness", "watch", "--suite", str(suite), "--serve", "--port", port],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )
    assert other.returncode == 2
    assert f"--port {port}:" in other.stderr


@pytest.fixture
def watching(suite: Path) -> Iterator[Watching]:
    watched = Watching(suite, "--out", str(suite.parent / "results"))
    try:
        yield watched
    finally:
        watched.process.kill()
        watched.process.communicate()


def test_what_is_saved_is_judged_and_what_changed_is_said(suite: Path, watching: Watching) -> None:
    assert any("first, second: AGREEMENT" in line for line in watching.until("Ctrl-C ends"))
    helper = suite / "second" / "helper.py"
    helper.write_text("def count(x):\n    return len(x) - 1\n", encoding="utf-8")
    lines = watching.until("worse: second mean numpy.other chained")
    assert any(" second: DIVERGENCE" in line for line in lines)
    assert any("factor 1.5 = n/(n - 1)" in line for line in lines)
    assert (suite.parent / "results" / "report.html").is_file()
    case = suite / "second" / "case.toml"
    written = case.read_text(encoding="utf-8")
    case.write_text("[case", encoding="utf-8")
    assert "case.toml:1" in watching.until("is not TOML")[-1]
    case.write_text(written, encoding="utf-8")
    helper.write_text("def count(x):\n    return len(x)\n", encoding="utf-8")
    watching.until("better: second mean numpy.other chained")
    watching.process.send_signal(signal.SIGINT)
    assert watching.process.wait(DEADLINE) == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_during_a_run_ends_it(suite: Path, watching: Watching, number: signal.Signals) -> None:
    watching.until("Ctrl-C ends")
    busy = suite.parent / "busy"
    text = f"import pathlib, time\n\ndef count(x):\n    pathlib.Path({str(busy)!r}).touch()\n"
    text += "    time.sleep(50)\n"
    (suite / "first" / "helper.py").write_text(text, encoding="utf-8")
    ends = time.monotonic() + DEADLINE
    while not busy.exists():
        assert time.monotonic() < ends
        time.sleep(0.05)
    watching.process.send_signal(number)
    watching.process.wait(30)
