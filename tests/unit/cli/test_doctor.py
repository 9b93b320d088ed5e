"""``harness doctor``."""

from collections.abc import Callable, Sequence

import pytest
from click.testing import Result

from harness.cli.doctor import NAMES
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
        assert tuple(names) == doctor.NAMES
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
