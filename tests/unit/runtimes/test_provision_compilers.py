"""Finding and installing compilers, JAX and ONNX Runtime on a machine of scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.runtime_names import Library
from harness.runtimes import doctor
from harness.runtimes.provision.compilers import Compiled, find_compiler, install_compiler
from harness.runtimes.provision.extras import find_extra
from tests.unit.runtimes.staged_machine import Stage

GCC = """\
case "$1" in
  --version) echo "gcc (Debian 12.2.0-14) 12.2.0";;
  -print-file-name=*) echo /lib/libasan.so;;
esac"""


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    staged = Stage(tmp_path)
    staged.environ["PATH"] = f"{tmp_path}/bin"
    return staged


@pytest.mark.parametrize(
    ("language", "package"), [("c", "libc6-dev"), ("cpp", "g++"), ("fortran", "gfortran")]
)
def test_no_compiler_names_the_command_of_each_platform(
    stage: Stage, language: Compiled, package: str
) -> None:
    provision = find_compiler(language, stage.machine())
    assert (provision.available, provision.broken) == (False, False)
    assert "on PATH" in provision.reason
    assert any(line.endswith(package) and f"--fix {language}" in line for line in provision.advice)
    for command in ("dnf install", "macOS"):
        assert any(command in line for line in provision.advice)


def test_a_compiler_says_what_a_worker_is_started_with(stage: Stage) -> None:
    program = stage.script("bin/gcc", GCC)
    provision = find_compiler("c", stage.machine())
    assert (provision.available, provision.version, provision.executable) == (True, "12.2.0", program)
    assert provision.env == {"HARNESS_COMPILED": str(stage.machine().cache / "compiled")}
    before = stage.log.read_text()
    assert find_compiler("c", stage.machine()) == provision
    assert stage.log.read_text() == before


def test_sanitizers_are_loaded_before_anything_else(stage: Stage) -> None:
    stage.script("bin/gcc", GCC)
    stage.environ["HARNESS_SANITIZE"] = "1"
    env = find_compiler("c", stage.machine()).env
    assert env["LD_PRELOAD"] == "/lib/libasan.so"
    assert "detect_leaks=0" in env["ASAN_OPTIONS"]
    stage.script("bin/gcc", "echo libasan.so")
    lacking = find_compiler("c", stage.machine())
    assert (lacking.available, lacking.broken) == (False, True)
    assert "has no library of sanitizers" in lacking.reason


def test_a_compiler_that_compiles_nothing_is_broken(stage: Stage) -> None:
    stage.script("bin/gcc", 'echo "math.h: fatal error: no such file" >&2; exit 1')
    provision = find_compiler("c", stage.machine())
    assert (provision.available, provision.broken) == (False, True)
    assert "does not compile: math.h: fatal error" in provision.reason


def test_the_variable_names_another_one(stage: Stage) -> None:
    stage.script("bin/gcc", GCC)
    other = stage.script("bin/gcc-15", GCC)
    stage.environ["CC"] = "gcc-15 -m64"
    assert find_compiler("c", stage.machine()).executable == other
    stage.environ["CC"] = "gcc-99"
    gone = find_compiler("c", stage.machine())
    assert gone.broken
    assert gone.reason == "CC is gcc-99, which is not there"
    assert install_compiler("c", stage.machine()) == gone


def test_apt_installs_a_compiler(stage: Stage) -> None:
    stage.environ["PATH"] += ":/usr/bin:/bin"
    stage.environ["FC"] = ""
    said: list[str] = []
    put = stage.root / "bin" / "gfortran"
    stage.script(
        "bin/apt-get", f'case "$*" in *install*) printf "#!/bin/sh\\n" > {put}; chmod 755 {put};; esac'
    )
    stage.environ["PATH"] = f"{stage.root}/bin:{stage.root}/coreutils"
    (stage.root / "coreutils").mkdir()
    for name in ("env", "chmod", "sh"):
        real = next(path for folder in ("/usr/bin", "/bin") if (path := Path(folder, name)).exists())
        (stage.root / "coreutils" / name).symlink_to(real)
    provision = install_compiler("fortran", stage.machine(is_root=True), said.append)
    assert said == ["installing gfortran with apt-get"]
    assert (provision.available, provision.executable) == (True, str(put))


@pytest.mark.parametrize(
    ("name", "packages", "old"),
    [
        ("jax", {"jax": "0.10.2", "jaxlib": "0.10.2"}, {"jaxlib": "0.4.1"}),
        ("onnx", {"onnxruntime": "1.32.0", "onnx": "1.23.2"}, {"onnx": "1.15.0"}),
    ],
)
def test_an_extra_is_found_where_all_its_packages_are(
    stage: Stage, name: Library, packages: dict[str, str], old: dict[str, str]
) -> None:
    missing = find_extra(name, stage.machine())
    assert (missing.available, missing.broken) == (False, False)
    assert "not installed in this Python's environment" in missing.reason
    assert f"--fix {name}" in missing.advice[0]
    stage.packages = packages | old
    assert "is older than" in find_extra(name, stage.machine()).reason
    stage.packages = packages
    stage.python("echo 'ImportError: no such symbol' >&2; exit 1")
    assert find_extra(name, stage.machine()).broken
    stage.python("exit 0")
    assert find_extra(name, stage.machine()).available


def test_extras_are_installed_where_they_are_named(stage: Stage) -> None:
    stage.environ["PATH"] += ":/usr/bin:/bin"
    said: list[str] = []
    doctor.fix(stage.machine(distribution=frozenset()), said.append)
    assert not any(line.startswith(("jax", "onnx")) for line in said)
    doctor.fix(stage.machine(distribution=frozenset()), said.append, ("jax",))
    assert said[-1] == "jax: installing jax>=0.4.30 jaxlib>=0.4.30 with pip"
