"""Which Node.js and Octave is found, and what is done to get one, on staged machines."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.runtimes.provision.interpreters import Interpreter, find_interpreter, install_interpreter
from tests.unit.runtimes.staged_machine import Stage

VERSIONS: list[tuple[Interpreter, str, str, str]] = [
    ("node", "bin/node", "v20.1.3", "20.1.3"),
    ("node", "bin/nodejs", "v18.0.0", "18.0.0"),
    ("octave", "bin/octave-cli", "7.3.0", "7.3.0"),
    ("octave", "bin/octave", "10.1.0", "10.1.0"),
]


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


@pytest.mark.parametrize(("which", "program", "printed", "version"), VERSIONS)
def test_what_is_on_path_is_found(
    stage: Stage, which: Interpreter, program: str, printed: str, version: str
) -> None:
    path = stage.script(program, f"echo {printed}")
    provision = find_interpreter(which, stage.machine())
    assert (provision.available, provision.version, provision.executable) == (True, version, path)
    assert (provision.hosting, provision.reason, provision.advice) == ("process", "", ())


@pytest.mark.parametrize("which", ["node", "octave"])
def test_what_is_not_there_says_how_to_get_it(stage: Stage, which: Interpreter) -> None:
    provision = find_interpreter(which, stage.machine())
    assert not provision.available
    assert not provision.broken
    assert "on PATH" in provision.reason
    for command in (f"harness doctor --fix {which}", "dnf install", "brew install", "conda install"):
        assert any(command in line for line in provision.advice)


@pytest.mark.parametrize(
    ("which", "name", "old"), [("node", "node", "v16.20.2"), ("octave", "octave", "6.4.0")]
)
def test_what_is_too_old_is_missing_and_is_not_replaced(
    stage: Stage, which: Interpreter, name: str, old: str
) -> None:
    stage.script(f"bin/{name}", f"echo {old}")
    stage.script("bin/apt-get", "exit 0")
    provision = install_interpreter(which, stage.machine())
    assert not provision.available
    assert "is older than" in provision.reason
    assert not any("apt-get" in line for line in stage.ran())


def test_what_does_not_run_is_broken(stage: Stage) -> None:
    stage.script("bin/octave-cli", "echo 'jsondecode: built without RapidJSON' >&2; exit 1")
    provision = find_interpreter("octave", stage.machine())
    assert (provision.available, provision.broken) == (False, True)
    assert "without RapidJSON" in provision.reason


@pytest.mark.parametrize(
    ("which", "package", "program", "printed"),
    [("node", "nodejs", "node", "v18.20.4"), ("octave", "octave", "octave-cli", "7.3.0")],
)
def test_it_is_installed_with_apt(
    stage: Stage, which: Interpreter, package: str, program: str, printed: str
) -> None:
    new = stage.root / "bin" / program
    stage.script(
        "bin/apt-get",
        f'case "$*" in *install*{package}) printf "#!/bin/sh\\necho {printed}\\n" > {new};'
        f" chmod +x {new};; esac",
    )
    said: list[str] = []
    provision = install_interpreter(which, stage.machine(), said.append)
    assert provision.available, provision
    assert said == [f"installing {package} with apt-get"]


def test_where_nothing_can_be_installed_the_reason_says_so(stage: Stage) -> None:
    provision = install_interpreter("octave", stage.machine(distribution=frozenset({"arch"})))
    assert not provision.available
    assert "Debian and Ubuntu only" in provision.reason


def test_matlab_is_said_and_not_used(stage: Stage) -> None:
    matlab = stage.script("bin/matlab", "exit 3")
    missing = find_interpreter("octave", stage.machine())
    assert f"MATLAB ({matlab}) is not used" in missing.reason
    stage.script("bin/octave-cli", "echo 7.3.0")
    there = find_interpreter("octave", stage.machine())
    assert there.available
    assert f"MATLAB ({matlab}) is not used" in there.reason
    assert not any(line.startswith("matlab") for line in stage.ran())
