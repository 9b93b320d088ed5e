"""Running commands, remembering answers, installing packages."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from harness.errors import UsageError
from harness.runtimes.provision.machine import (
    CommandResult,
    Machine,
    cache_folder,
    installed_version,
    run_command,
    stamp,
    this_machine,
)
from harness.runtimes.provision.packages import apt_install, pip_install
from harness.runtimes.provision.provision import silent, version_tuple


def machine(tmp_path: Path, **changes: object) -> Machine:
    settings: dict[str, object] = {
        "environ": {"PATH": f"{tmp_path}/bin:/usr/bin:/bin"},
        "system": "Linux",
        "arch": "x86_64",
        "distribution": frozenset({"debian"}),
        "is_root": True,
        "python": sys.executable,
        "cache": tmp_path / "cache",
        "runner": run_command,
        "installed": installed_version,
    }
    return Machine(**{**settings, **changes})  # type: ignore[arg-type]


def script(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def test_a_command_gives_its_code_and_what_it_wrote() -> None:
    done = run_command(["sh", "-c", "echo out; echo err >&2; exit 3"], env=os.environ, timeout=10)
    assert done == CommandResult(code=3, out="out\n", err="err\n")


def test_a_missing_program_is_an_answer() -> None:
    done = run_command(["/no/such/program"], env={}, timeout=10)
    assert done.code == 127
    assert "/no/such/program" in done.last_line


def test_the_deadline_ends_the_children_too(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    start = time.monotonic()
    done = run_command(["sh", "-c", f"sleep 60 & echo $! > {pid_file}; wait"], env=os.environ, timeout=1)
    assert done.code == 124
    assert time.monotonic() - start < 10
    pid = int(pid_file.read_text())
    state = Path(f"/proc/{pid}/stat")
    if Path("/proc").is_dir():
        deadline = time.monotonic() + 5
        while state.exists() and state.read_text().split()[2] != "Z" and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not state.exists() or state.read_text().split()[2] == "Z"


@pytest.mark.parametrize(
    ("err", "shown"),
    [
        ("E: Unable to locate package x\nnote\n", "E: Unable to locate package x"),
        (
            "ERROR: No matching distribution found for x\n[notice] new pip\n",
            "ERROR: No matching distribution",
        ),
        ("a.c:1:10: fatal error: dlfcn.h: No such file\ncompilation terminated.\n", "dlfcn.h"),
        ("error: decoding address ranges\nRuntimeError: no\n", "RuntimeError: no"),
        ("", "exit code 9"),
    ],
)
def test_the_line_to_show(err: str, shown: str) -> None:
    assert shown in CommandResult(code=9, err=err).last_line


def test_only_good_answers_are_remembered(tmp_path: Path) -> None:
    here = machine(tmp_path)
    answers = [CommandResult(code=1), CommandResult(code=0, out="first"), CommandResult(code=0, out="second")]
    assert here.remembered(["key"], lambda: answers.pop(0)).code == 1
    assert here.remembered(["key"], lambda: answers.pop(0)).out == "first"
    assert here.remembered(["key"], lambda: answers.pop(0)).out == "first"
    assert here.remembered(["another"], lambda: answers.pop(0)).out == "second"


def test_a_damaged_answer_is_asked_again(tmp_path: Path) -> None:
    here = machine(tmp_path)
    here.remembered(["key"], lambda: CommandResult(code=0, out="first"))
    (file,) = (tmp_path / "cache" / "probes").iterdir()
    file.write_bytes(b"{")
    assert here.remembered(["key"], lambda: CommandResult(code=0, out="again")).out == "again"


def test_a_stamp_changes_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    missing = stamp(path)
    path.write_text("a")
    short = stamp(path)
    path.write_text("ab")
    assert len({missing, short, stamp(path)}) == 3


def test_the_cache_folder_is_what_is_named(tmp_path: Path) -> None:
    assert cache_folder({"HARNESS_CACHE": str(tmp_path)}) == tmp_path
    assert cache_folder({}).name == "harness"
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="HARNESS_CACHE names a file") as caught:
        cache_folder({"HARNESS_CACHE": str(tmp_path / "file")})
    assert caught.value.exit_code == 2
    assert caught.value.advice == "name a folder, or unset it"


def test_this_machine_knows_its_own_packages() -> None:
    here = this_machine()
    assert here.installed("msgspec") is not None
    assert here.installed("no-such-distribution-anywhere") is None


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("4.2.2", (4, 2, 2)), ("2.13.0+cpu", (2, 13, 0)), ("1.11.0-rc1", (1, 11, 0)), ("dev", ()), ("", ())],
)
def test_version_numbers(text: str, numbers: tuple[int, ...]) -> None:
    assert version_tuple(text) == numbers


def test_apt_is_asked_without_questions_and_without_recommendations(tmp_path: Path) -> None:
    script(tmp_path / "bin" / "apt-get", f'echo "$DEBIAN_FRONTEND $@" >> {tmp_path}/log')
    assert apt_install(machine(tmp_path), ["r-base-core"], silent) == ""
    update, install = (tmp_path / "log").read_text().splitlines()
    assert update.startswith("noninteractive ")
    assert update.endswith(" update")
    assert install.startswith("noninteractive ")
    assert install.endswith(" install -y --no-install-recommends r-base-core")


def test_apt_says_why_it_failed(tmp_path: Path) -> None:
    script(tmp_path / "bin" / "apt-get", "echo 'E: Could not resolve the mirror' >&2; exit 100")
    assert "Could not resolve the mirror" in apt_install(machine(tmp_path), ["x"], silent)


def test_without_root_a_sudo_that_asks_is_not_used(tmp_path: Path) -> None:
    script(tmp_path / "bin" / "apt-get", f"touch {tmp_path}/ran")
    script(tmp_path / "bin" / "sudo", "echo 'sudo: a password is required' >&2; exit 1")
    assert "needs root" in apt_install(machine(tmp_path, is_root=False), ["x"], silent)
    assert not (tmp_path / "ran").exists()


def test_without_root_a_sudo_without_password_is_used(tmp_path: Path) -> None:
    script(tmp_path / "bin" / "apt-get", f'echo "$@" >> {tmp_path}/log')
    script(tmp_path / "bin" / "sudo", f'echo sudo "$@" >> {tmp_path}/log; shift; exec "$@"')
    assert apt_install(machine(tmp_path, is_root=False), ["x"], silent) == ""
    assert "sudo -n env" in (tmp_path / "log").read_text()


def test_elsewhere_than_on_debian_apt_is_not_tried(tmp_path: Path) -> None:
    script(tmp_path / "bin" / "apt-get", f"touch {tmp_path}/ran")
    assert "Debian" in apt_install(machine(tmp_path, distribution=frozenset({"fedora"})), ["x"], silent)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("err", "shown"),
    [
        ("python: No module named pip", "-m ensurepip"),
        ("error: externally-managed-environment", "virtual environment"),
        ("ERROR: No matching distribution found for x", "No matching distribution found for x"),
    ],
)
def test_pip_says_why_it_failed(tmp_path: Path, err: str, shown: str) -> None:
    python = script(tmp_path / "python", f"echo '{err}' >&2; exit 1")
    assert shown in pip_install(machine(tmp_path, python=str(python)), ["x"], silent)
