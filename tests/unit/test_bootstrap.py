"""bootstrap.py: which program runs nox, and what a person is told where none can."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "bootstrap.py"


@pytest.fixture
def bootstrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The script as a module whose folder is empty, on a machine without any installer."""
    spec = importlib.util.spec_from_file_location("bootstrap", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, folder in (("HOME", ""), ("OWN", ".nox/bootstrap"), ("PACKAGES", ".nox/bootstrap-packages")):
        monkeypatch.setattr(module, name, tmp_path / folder)
    monkeypatch.setattr(module.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    return module


def program(tmp_path: Path, name: str) -> str:
    """A program on PATH that prints its arguments."""
    path = tmp_path / "bin" / name
    path.write_text('#!/bin/sh\necho "$@"\n')
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["conform"], ["-s", "conform"]),
        (["lint", "types"], ["-s", "lint", "types"]),
        (["conform", "--", "--case", "x"], ["-s", "conform", "--", "--case", "x"]),
        (["--list"], ["--list"]),
    ],
)
def test_words_become_those_of_nox(bootstrap: ModuleType, words: list[str], expected: list[str]) -> None:
    assert bootstrap.command(words) == expected


@pytest.mark.parametrize("words", [[], ["--", "--case", "x"]])
def test_without_a_session_it_says_how_to_call_it(words: list[str]) -> None:
    done = subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[0]) == (
        2,
        "usage: python3 bootstrap.py SESSION... [-- ARGUMENTS]",
    )


def test_help_is_no_mistake() -> None:
    done = subprocess.run([sys.executable, SCRIPT, "--help"], capture_output=True, text=True, check=False)
    assert (done.returncode, "bootstrap.py conform" in done.stdout) == (0, True)


@pytest.mark.parametrize(
    ("there", "words"),
    [
        (["nox", "uv", "pipx"], ["nox"]),
        (["uv", "pipx"], ["uv", "tool", "run", "--from", "nox>=2025.2.9", "nox"]),
        (["pipx"], ["pipx", "run", "--spec", "nox>=2025.2.9", "nox"]),
    ],
)
def test_a_program_that_brings_nox_is_used_where_python_can_install_nothing(
    bootstrap: ModuleType, tmp_path: Path, there: list[str], words: list[str]
) -> None:
    paths = {name: program(tmp_path, name) for name in there}
    assert bootstrap.nox() == [paths[words[0]], *words[1:]]


def test_where_nothing_can_install_it_says_what_to_install(
    bootstrap: ModuleType, capfd: pytest.CaptureFixture[str]
) -> None:
    assert bootstrap.main(["conform"]) == 3
    assert "this Python can install nothing: it has neither venv nor pip" in capfd.readouterr().err


def test_a_failed_installation_says_which_command_failed(bootstrap: ModuleType) -> None:
    with pytest.raises(bootstrap.Failed, match=r"nox could not be installed: .* ended with 7"):
        bootstrap.run([sys.executable, "-c", "raise SystemExit(7)"], "nox could not be installed")


def test_an_old_python_is_refused(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 10, 0))
    assert bootstrap.main(["conform"]) == 2
    assert "Python 3.11 or newer is needed" in capfd.readouterr().err
