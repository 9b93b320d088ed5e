"""``harness doctor``."""

import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import Result
from filelock import FileLock

from harness.cli.doctor import NAMES
from harness.errors import ProvisionError
from harness.runtimes import doctor
from harness.runtimes.provision.machine import Machine
from harness.runtimes.provision.provision import Provision, Say

Harness = Callable[..., Result]
FOUND = Provision(runtime="r", available=True, version="4.2.2", hosting="rpy2 3.6.4")
LOST = Provision(
    runtime="julia", available=False, reason="no julia on PATH [here]", advice=("dnf install julia", "or not")
)


def test_what_is_found_and_what_to_do(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "check", lambda names: (FOUND, LOST))
    result = harness("doctor")
    assert result.exit_code == 0
    words = (
        "found",
        "4.2.2",
        "rpy2 3.6.4",
        "missing",
        "no julia on PATH [here]",
        "dnf install julia",
        "or not",
    )
    assert all(word in result.stdout for word in words)


def test_fix_says_what_it_does_on_stderr(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    def fix(*, say: Say, names: Sequence[str]) -> tuple[Provision, ...]:
        say("r: installing")
        assert tuple(names) == tuple(name for name in doctor.NAMES if name not in ("jax", "onnx", "octave"))
        return (FOUND,)

    monkeypatch.setattr(doctor, "fix", fix)
    result = harness("doctor", "--fix")
    assert result.exit_code == 0
    assert result.stderr == "r: installing\n"
    assert "4.2.2" in result.stdout


def test_only_what_is_named_is_installed(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    installed: list[str] = []

    def install(_machine: Machine | None, _say: Say) -> Provision:
        installed.append("r")
        return FOUND

    def never(_machine: Machine | None, _say: Say) -> Provision:
        raise AssertionError("nobody asked for it")

    lost = Provision(runtime="r", available=False, reason="no R", advice=("get it",))
    monkeypatch.setitem(doctor._FIND, "r", lambda _machine: lost)
    monkeypatch.setitem(doctor._FIND, "julia", lambda _machine: LOST)
    monkeypatch.setitem(doctor._INSTALL, "r", install)
    monkeypatch.setitem(doctor._INSTALL, "julia", never)
    result = harness("doctor", "--fix", "r", "oracle")
    assert (result.exit_code, installed) == (0, ["r"]), result.output
    assert "julia" not in result.stdout
    assert "4.2.2" in result.stdout


def test_of_two_at_once_the_second_waits_and_finds_it_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    installing, waiting = threading.Event(), threading.Event()
    installed: list[str] = []

    def find(_machine: Machine | None) -> Provision:
        return FOUND if installed else Provision(runtime="r", available=False, reason="no R")

    def install(_machine: Machine | None, say: Say) -> Provision:
        installing.set()
        assert waiting.wait(60)
        installed.append("r")
        say("installed")
        return FOUND

    def note(line: str) -> None:
        said.append(line)
        waiting.set()

    said: list[str] = []
    monkeypatch.setitem(doctor._FIND, "r", find)
    monkeypatch.setitem(doctor._INSTALL, "r", install)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(doctor.fix, names=("r",))
        assert installing.wait(60)
        second = pool.submit(doctor.fix, say=note, names=("r",))
        assert first.result() == second.result() == (FOUND,)
    assert installed == ["r"]
    assert said == ["another harness doctor --fix is installing: waiting for it to end"]


def test_one_that_never_ends_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path))
    monkeypatch.setattr(doctor, "_PATIENCE", 0.1)
    with (
        FileLock(tmp_path / "doctor.lock"),
        pytest.raises(ProvisionError, match="has been installing for an hour") as caught,
    ):
        doctor.fix(names=("r",))
    assert caught.value.advice == "end it, then try again"


@pytest.mark.skipif(sys.platform != "linux", reason="a folder that nobody can write to")
def test_a_cache_that_cannot_be_written_to_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS_CACHE", "/proc/no/cache")
    monkeypatch.setitem(doctor._FIND, "r", lambda _machine: FOUND)
    said: list[str] = []
    assert doctor.fix(say=said.append, names=("r",)) == (FOUND,)
    assert said == ["no lock in /proc/no/cache (No such file or directory): run this command once at a time"]


def test_the_oracle_is_listed(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("flint")
    result = harness("doctor", "oracle")
    assert "found" in result.stdout
    assert "python-flint" in result.stdout
    monkeypatch.setattr("harness.runtimes.oracle.installed_version", lambda _package: None)
    result = harness("doctor", "oracle", "--fix")
    assert "missing" in result.stdout
    assert "pip install python-flint" in result.stdout


def test_a_runtime_that_nobody_knows(harness: Harness) -> None:
    result = harness("doctor", "cobol")
    assert result.exit_code == 2
    assert "'oracle'" in result.stderr


def test_the_names_are_those_that_are_looked_for() -> None:
    assert NAMES == doctor.NAMES
