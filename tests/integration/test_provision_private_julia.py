"""The private Julia, really built: complete, relocatable, used by juliacall, and safe to interrupt.

A build that is there already is one of this recipe: its folder has the recipe's digest for a name.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from harness.errors import ProvisionError
from harness.runtimes.provision.julia import find_julia
from harness.runtimes.provision.julia_offline.build import (
    JULIACALL,
    build,
    build_folder,
    find_build,
    why_impossible,
)
from harness.runtimes.provision.machine import CommandResult, Machine, run_command, this_machine
from harness.runtimes.provision.provision import silent

pytestmark = [pytest.mark.julia, pytest.mark.slow]


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """This machine with none of the user's settings of Julia; with an empty cache, if it has no build."""
    here = this_machine()
    if reason := why_impossible(here):
        pytest.skip(reason)
    if here.installed("juliacall") != JULIACALL:
        pytest.skip(f"juliacall {JULIACALL} is not installed")
    environ = {
        name: value
        for name, value in here.environ.items()
        if not name.startswith(("JULIA_", "PYTHON_JULIA", "HARNESS_JULIA"))
    }
    there = find_build(here.cache)
    whole = there is not None and not there.why_not_juliacall
    cache = here.cache if whole else tmp_path_factory.mktemp("cache")
    return msgspec.structs.replace(here, environ=environ, cache=cache)


def test_an_interrupted_build_leaves_nothing_that_is_found(machine: Machine, tmp_path: Path) -> None:
    script = (
        "from harness.runtimes.provision.machine import this_machine;"
        "from harness.runtimes.provision.julia_offline.build import build;"
        "build(this_machine(), lambda line: print(line, flush=True))"
    )
    environ = {**machine.environ, "HARNESS_CACHE": str(tmp_path)}
    child = subprocess.Popen([sys.executable, "-c", script], env=environ, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    with child:
        assert "unpacking" in child.stdout.readline()
        time.sleep(0.5)
        assert build_folder(tmp_path).exists()
        child.send_signal(signal.SIGINT)
        child.wait(timeout=60)
    assert child.returncode != 0
    assert find_build(tmp_path) is None
    assert not build_folder(tmp_path).exists()


def test_a_failed_step_says_which_and_leaves_nothing(machine: Machine, tmp_path: Path) -> None:
    def without_packages(argv: tuple[str, ...], **options: object) -> CommandResult:
        if argv[0] == "apt-get" and "update" in argv:
            return CommandResult(code=100, err="E: The repository is not signed.")
        return run_command(argv, **options)  # type: ignore[arg-type]

    here = msgspec.structs.replace(machine, runner=without_packages, cache=tmp_path)
    with pytest.raises(ProvisionError, match=r"package lists: E: The repository is not signed\."):
        build(here, silent)
    assert not build_folder(tmp_path).exists()


def nothing_is_run(argv: tuple[str, ...], **_: object) -> CommandResult:
    raise AssertionError(f"{argv} was run")


def test_the_build_is_found_and_juliacall_runs_in_it(machine: Machine) -> None:
    built = build(machine, silent)
    assert built.why_not_juliacall == ""
    assert not (built.folder / "work").exists()
    assert build(msgspec.structs.replace(machine, runner=nothing_is_run), silent) == built

    provision = find_julia(machine)
    assert (provision.available, provision.version, provision.hosting) == (
        True,
        "1.5.3",
        f"juliacall {JULIACALL}",
    )
    script = (
        "import juliacall, numpy; f = juliacall.Main.seval('(a, b) -> a * b');"
        "print(f(numpy.eye(2), numpy.array([[1.0, 2.0], [3.0, 4.0]])).to_numpy().tolist())"
    )
    done = machine.run(sys.executable, "-c", script, env=provision.env, timeout=120)
    assert done.out == "[[1.0, 2.0], [3.0, 4.0]]\n", done.err


def test_its_libraries_come_from_the_build_or_from_every_debian(machine: Machine) -> None:
    built = build(machine, silent)
    everywhere = {
        "linux-vdso.so.1",
        "ld-linux-x86-64.so.2",
        "libc.so.6",
        "libm.so.6",
        "libdl.so.2",
        "libpthread.so.0",
        "librt.so.1",
        "libgcc_s.so.1",
        "libstdc++.so.6",
        "libz.so.1",
        "liblzma.so.5",
        "libtinfo.so.6",
    }
    # sys.so is loaded by the libjulia that it needs.
    libraries = [
        path
        for path in built.folder.rglob("*.so*")
        if path.is_file() and not path.is_symlink() and path.name != "sys.so"
    ]
    assert len(libraries) > 20
    listed = machine.run("ldd", *map(str, libraries)).out
    assert "not found" not in listed
    for line in listed.splitlines():
        if "=>" in line and str(built.folder) not in line:
            assert Path(line.split()[0]).name in everywhere, line


def linked(source: str, copy: str) -> None:
    """A file once more, without its bytes where one disk has both."""
    try:
        os.link(source, copy)
    except OSError:
        shutil.copy2(source, copy)


def test_a_front_is_all_that_needs_a_compiler(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a C compiler there is a Julia, as a process: all steps before the front's are as with one."""
    whole = build(machine, silent)
    reached = []

    def unpack(_machine: Machine, _work: Path, tree: Path) -> None:
        for name in ("julia", "PythonCall", "project", "stand_ins"):
            shutil.copytree(whole.folder / name, tree.parent / name, symlinks=True, copy_function=linked)

    monkeypatch.setattr("harness.runtimes.provision.julia_offline.build._unpack", unpack)
    for step in ("_relocate", "_add_pythoncall"):
        name = f"harness.runtimes.provision.julia_offline.build.{step}"
        monkeypatch.setattr(name, lambda *_, step=step: reached.append(step))
    programs = tmp_path / "bin"
    programs.mkdir()
    for folder in reversed(machine.environ["PATH"].split(os.pathsep)):
        for path in Path(folder).glob("*"):
            if path.name not in {"cc", "gcc", "clang"}:
                (programs / path.name).unlink(missing_ok=True)
                (programs / path.name).symlink_to(path)
    here = msgspec.structs.replace(
        machine, cache=tmp_path / "cache", environ={**machine.environ, "PATH": str(programs)}
    )
    built = build(here, silent)
    assert reached == ["_relocate", "_add_pythoncall"]
    assert "no C compiler" in built.why_not_juliacall
    provision = find_julia(here)
    env = {**built.process_env, "HARNESS_JULIA_DEPOT": str(here.cache / "julia-worker")}
    assert (provision.available, provision.hosting, provision.env) == (True, "process", env), provision.reason
    assert provision.executable == str(built.executable)
    script = "using LinearAlgebra; print([1.0 2.0; 3.0 4.0] * [1.0, 1.0])"
    done = machine.run(provision.executable, "--startup-file=no", "-e", script, env=provision.env)
    assert done.out == "[3.0, 7.0]", done.err
