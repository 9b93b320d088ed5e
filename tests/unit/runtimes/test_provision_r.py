"""Which R is found, and what is done to get one, on staged machines."""

from __future__ import annotations

import pytest

from harness.runtimes import doctor
from harness.runtimes.provision.r import find_r, install_r, rpy2_requirements
from tests.unit.runtimes.staged_machine import Stage


def test_no_r_names_the_command_of_each_platform(stage: Stage) -> None:
    provision = find_r(stage.machine())
    assert not provision.available
    assert "no R on PATH" in provision.reason
    assert not provision.broken
    for command in ("apt-get install", "dnf install", "brew install", "conda install"):
        assert any(command in line for line in provision.advice)


def test_r_without_rpy2_is_not_available(stage: Stage) -> None:
    stage.r("4.2.2")
    provision = find_r(stage.machine())
    assert (provision.available, provision.version) == (False, "4.2.2")
    assert "rpy2 is not installed" in provision.reason


def test_r_with_rpy2_says_what_a_worker_is_started_with(stage: Stage) -> None:
    executable = stage.r("4.2.2")
    stage.packages = {"rpy2": "3.6.4", "rpy2-rinterface": "3.6.4"}
    stage.environ["LD_LIBRARY_PATH"] = "/elsewhere"
    stage.python('test "$RPY2_CFFI_MODE" = ABI')
    provision = find_r(stage.machine())
    assert provision.available
    assert provision.hosting == "rpy2 3.6.4"
    assert provision.executable == executable
    assert provision.env["R_HOME"] == f"{stage.root}/R"
    assert provision.env["LD_LIBRARY_PATH"] == f"{stage.root}/R/lib:/elsewhere"
    assert provision.env["R_DOC_DIR"] == f"{stage.root}/R/doc"
    assert provision.env["R_SHARE_DIR"] == f"{stage.root}/R/share"
    assert not provision.advice


def test_a_second_look_starts_nothing(stage: Stage) -> None:
    stage.r("4.2.2")
    stage.packages = {"rpy2": "3.6.4", "rpy2-rinterface": "3.6.4"}
    stage.python("exit 0")
    first = find_r(stage.machine())
    count = len(stage.ran())
    assert count == 2
    assert find_r(stage.machine()) == first
    assert len(stage.ran()) == count


def test_another_r_is_asked_anew(stage: Stage) -> None:
    stage.r("4.2.2")
    assert find_r(stage.machine()).version == "4.2.2"
    stage.r("4.10.1")
    assert find_r(stage.machine()).version == "4.10.1"


def test_r_home_comes_before_path(stage: Stage) -> None:
    stage.r("4.2.2")
    stage.environ["R_HOME"] = str(stage.root / "own")
    assert "there is no R in it" in find_r(stage.machine()).reason
    executable = stage.r("4.5.0", "own/bin/R")
    provision = find_r(stage.machine())
    assert (provision.executable, provision.version) == (executable, "4.5.0")


def test_an_rpy2_too_new_for_this_r_is_refused(stage: Stage) -> None:
    stage.r("4.4.3")
    stage.packages = {"rpy2": "3.6.9", "rpy2-rinterface": "3.6.7"}
    stage.python("exit 0")
    assert "needs R 4.5" in find_r(stage.machine()).reason
    stage.r("4.5.0")
    assert find_r(stage.machine()).available


def test_an_rpy2_that_cannot_be_imported_is_not_available(stage: Stage) -> None:
    stage.r("4.2.2")
    stage.packages = {"rpy2": "3.6.4", "rpy2-rinterface": "3.6.4"}
    stage.python("echo 'OSError: libR.so: cannot open' >&2; exit 1")
    provision = find_r(stage.machine())
    assert not provision.available
    assert "libR.so: cannot open" in provision.reason
    assert provision.broken
    stage.packages = {}
    assert not find_r(stage.machine()).broken


def test_an_r_that_does_not_run_is_not_a_traceback(stage: Stage) -> None:
    stage.script("bin/R", "echo 'Fatal error: cannot open libR' >&2; exit 2")
    provision = find_r(stage.machine())
    assert (provision.available, provision.broken) == (False, True)
    assert "cannot open libR" in provision.reason


def test_an_r_that_ends_at_once_is_found_and_does_not_run(stage: Stage) -> None:
    executable = stage.script("bin/R", "exit 0")
    provision = find_r(stage.machine())
    assert provision.broken
    assert provision.reason == f"{executable} does not run: exit code 0"
    assert doctor.rows([provision])[0][:2] == ("r", "found and does not run")


def test_an_r_home_that_is_not_there_is_not_a_missing_r(stage: Stage) -> None:
    stage.r("4.2.2")
    stage.environ["R_HOME"] = "/no/such/folder"
    provision = find_r(stage.machine())
    assert provision.broken
    assert provision.reason == "R_HOME is /no/such/folder, and there is no R in it"
    del stage.environ["R_HOME"]
    assert not find_r(stage.machine()).broken


def test_installing_r_from_nothing(stage: Stage) -> None:
    prototype = stage.r("4.2.2", "later/R")
    stage.script(
        "bin/apt-get",
        f'case "$*" in *install*) cp {prototype} {stage.root}/bin/R; '
        f"cp {prototype} {stage.root}/bin/make;; esac",
    )
    stage.python("exit 0")
    provision = install_r(stage.machine())
    assert provision.available
    assert provision.hosting == "rpy2 3.6.4"
    assert any(line.endswith("--no-install-recommends r-base-core make ") for line in stage.ran())


def test_rpy2_needs_make(stage: Stage) -> None:
    stage.r("4.2.2")
    provision = install_r(stage.machine(distribution=frozenset({"fedora"})))
    assert not provision.available
    assert "needs make" in provision.reason
    assert any("dnf install make" in line for line in provision.advice)
    assert not (stage.root / "pip").exists()


def test_where_r_cannot_be_installed_the_reason_says_so(stage: Stage) -> None:
    stage.script("bin/apt-get", "exit 0")
    provision = install_r(stage.machine(is_root=False))
    assert not provision.available
    assert "needs root" in provision.reason


def test_a_wrong_r_home_is_not_repaired_by_an_installation(stage: Stage) -> None:
    stage.script("bin/apt-get", "exit 0")
    stage.environ["R_HOME"] = "/no/such/folder"
    assert not install_r(stage.machine()).available
    assert stage.ran() == []


@pytest.mark.parametrize(
    ("version", "newest"), [("3.6.3", False), ("4.4.3", False), ("4.5.0", True), ("5.0.0", True)]
)
def test_rpy2_is_pinned_by_what_r_supports(version: str, newest: bool) -> None:
    assert ("rpy2-rinterface==3.6.4" in rpy2_requirements(version)) is not newest
