"""Which Julia is found, and what is done to get one, on staged machines."""

from __future__ import annotations

import msgspec
import pytest

from harness.runtimes.provision.julia import find_julia, install_julia
from harness.runtimes.provision.julia_offline.build import PrivateJulia, build_folder, why_impossible
from tests.unit.runtimes.staged_machine import Stage

PROJECT = "env/julia_env/pyjuliapkg/meta.json"


def julia(stage: Stage, version: str, name: str = "bin/julia") -> str:
    return stage.script(name, f'test "$1" = --version && echo julia version {version}')


def set_up(stage: Stage, executable: str) -> None:
    """What juliacall leaves when it has set itself up."""
    (stage.root / "env/pyvenv.cfg").write_text("")
    path = stage.root / PROJECT
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.encode({"executable": executable}))


def private(stage: Stage, why_not: str = "") -> PrivateJulia:
    built = PrivateJulia(folder=build_folder(stage.root / "cache"), why_not_juliacall=why_not)
    julia(stage, "1.5.3", str(built.executable.relative_to(stage.root)))
    (built.folder / "complete.json").write_bytes(msgspec.json.encode(built, enc_hook=str))
    return built


def test_no_julia_says_what_to_do(stage: Stage) -> None:
    provision = find_julia(stage.machine())
    assert not provision.available
    assert "no Julia found" in provision.reason
    assert not provision.broken
    assert "harness doctor --fix" in provision.advice[0]


def test_a_plain_julia_is_a_process_that_could_be_better(stage: Stage) -> None:
    executable = julia(stage, "1.5.3")
    provision = find_julia(stage.machine())
    assert (provision.available, provision.hosting, provision.version) == (True, "process", "1.5.3")
    assert provision.executable == executable
    assert provision.advice


def test_a_julia_older_than_1_5_is_none(stage: Stage) -> None:
    julia(stage, "1.4.1")
    assert not find_julia(stage.machine()).available


def test_julia_on_path_with_juliacall_set_up(stage: Stage) -> None:
    executable = julia(stage, "1.11.2")
    set_up(stage, executable)
    stage.packages = {"juliacall": "0.9.37"}
    stage.python(
        f'test "$PYTHON_JULIAPKG_EXE" = {executable} -a "$PYTHON_JULIAPKG_OFFLINE" = yes && echo 1.11.2'
    )
    provision = find_julia(stage.machine())
    assert (provision.available, provision.hosting, provision.version) == (True, "juliacall 0.9.37", "1.11.2")
    assert not provision.advice


def test_julia_on_path_comes_before_the_private_one(stage: Stage) -> None:
    private(stage)
    set_up(stage, julia(stage, "1.10.3"))
    stage.packages = {"juliacall": "0.9.37"}
    stage.python('test -n "$PYTHON_JULIACALL_EXE" && echo 1.5.3 || echo 1.10.3')
    assert find_julia(stage.machine()).version == "1.10.3"


def test_a_julia_on_path_too_old_for_juliacall_leaves_the_private_one(stage: Stage) -> None:
    built = private(stage)
    julia(stage, "1.10.2")
    stage.packages = {"juliacall": "0.9.37"}
    stage.python('test -n "$PYTHON_JULIACALL_LIB" && echo 1.5.3')
    provision = find_julia(stage.machine())
    assert (provision.hosting, provision.executable) == ("juliacall 0.9.37", str(built.executable))
    assert built.juliacall_env.items() <= provision.env.items()
    assert provision.env["HARNESS_JULIA_START"] == "interpreted"


def test_the_private_julia_needs_its_own_version_of_juliacall(stage: Stage) -> None:
    private(stage)
    stage.packages = {"juliacall": "0.9.38"}
    stage.python("echo 1.5.3")
    provision = find_julia(stage.machine())
    assert provision.hosting == "process"
    assert "needs juliacall 0.9.37" in provision.reason


def test_a_private_julia_without_front_is_a_process(stage: Stage) -> None:
    built = private(stage, "there is no C compiler")
    stage.packages = {"juliacall": "0.9.37"}
    provision = find_julia(stage.machine())
    depot = {"HARNESS_JULIA_DEPOT": str(stage.machine().cache / "julia-worker")}
    assert (provision.hosting, provision.env) == ("process", {**built.process_env, **depot})
    assert "there is no C compiler" in provision.reason


def test_a_half_made_or_moved_private_julia_is_not_found(stage: Stage) -> None:
    built = private(stage)
    marker = built.folder / "complete.json"
    marker.write_bytes(marker.read_bytes()[:-5])
    assert not find_julia(stage.machine()).available
    marker.write_bytes(msgspec.json.encode(msgspec.structs.replace(built, folder=stage.root), enc_hook=str))
    assert not find_julia(stage.machine()).available


def test_the_users_settings_come_first(stage: Stage) -> None:
    private(stage)
    executable = julia(stage, "1.12.0", "own/julia")
    stage.environ |= {"PYTHON_JULIACALL_EXE": executable, "PYTHON_JULIACALL_PROJECT": str(stage.root)}
    stage.packages = {"juliacall": "0.9.37"}
    stage.python("echo 1.12.0")
    provision = find_julia(stage.machine())
    depot = {"HARNESS_JULIA_DEPOT": str(stage.machine().cache / "julia-worker")}
    assert (provision.version, provision.executable, provision.env) == ("1.12.0", executable, depot)


def test_half_of_the_users_settings_is_a_mistake(stage: Stage) -> None:
    julia(stage, "1.11.2")
    stage.environ["PYTHON_JULIACALL_EXE"] = "julia"
    for provision in (find_julia(stage.machine()), install_julia(stage.machine())):
        assert not provision.available
        assert "PYTHON_JULIACALL_PROJECT is not" in provision.reason


def test_a_julia_that_does_not_run_is_not_missing(stage: Stage) -> None:
    stage.script("bin/julia", "echo 'libjulia: cannot open' >&2; exit 127")
    provision = find_julia(stage.machine())
    assert (provision.available, provision.broken) == (False, True)
    assert f"{stage.root}/bin/julia does not run: libjulia: cannot open" in provision.reason


@pytest.mark.parametrize("name", ["PYTHON_JULIAPKG_EXE", "PYTHON_JULIACALL_EXE"])
def test_a_julia_that_a_setting_names_is_not_stood_in_for(stage: Stage, name: str) -> None:
    julia(stage, "1.11.2")
    stage.environ |= {"PYTHON_JULIACALL_PROJECT": str(stage.root)} if "CALL" in name else {}
    stage.environ[name] = "/no/such/julia"
    provision = find_julia(stage.machine())
    assert (provision.available, provision.broken) == (False, True)
    assert f"{name} is /no/such/julia, which does not run" in provision.reason


def test_a_process_can_be_asked_for(stage: Stage) -> None:
    private(stage)
    stage.packages = {"juliacall": "0.9.37"}
    stage.python("echo 1.5.3")
    stage.environ["HARNESS_JULIA_HOSTING"] = "process"
    provision = find_julia(stage.machine())
    assert (provision.available, provision.hosting, provision.advice) == (True, "process", ())
    stage.environ["HARNESS_JULIA_HOSTING"] = "thread"
    assert "thread" in find_julia(stage.machine()).reason


def test_juliacall_can_be_insisted_on(stage: Stage) -> None:
    julia(stage, "1.5.3")
    stage.environ["HARNESS_JULIA_HOSTING"] = "juliacall"
    assert not find_julia(stage.machine()).available


def test_installing_lets_juliacall_set_up_the_julia_on_path(stage: Stage) -> None:
    executable = julia(stage, "1.11.2")
    meta = stage.root / PROJECT
    (stage.root / "env/pyvenv.cfg").write_text("")
    stage.python(
        f'case "$*" in *juliapkg.install_julia*) exit 0;; esac; mkdir -p {meta.parent}; '
        f'echo \'{{"executable": "{executable}"}}\' > {meta}; echo 1.11.2'
    )
    provision = install_julia(stage.machine())
    assert (provision.hosting, provision.version) == ("juliacall 0.9.37", "1.11.2")
    again = len(stage.ran())
    assert install_julia(stage.machine()) == provision
    assert len(stage.ran()) == again + 1  # julia --version


def test_where_nothing_can_be_installed_the_plain_julia_stays(stage: Stage) -> None:
    julia(stage, "1.11.2")
    stage.python("echo 'URLError: no route' >&2; exit 1")
    provision = install_julia(stage.machine(distribution=frozenset({"fedora"})))
    assert (provision.available, provision.hosting) == (True, "process")
    assert "server cannot be reached" in provision.reason
    assert "on Debian (x86_64) only" in provision.reason


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"arch": "aarch64"}, "x86_64"),
        ({"system": "Darwin"}, "Debian"),
        ({}, "apt-get and dpkg-deb not found"),
    ],
)
def test_where_the_private_julia_cannot_be_built(stage: Stage, changes: dict[str, object], why: str) -> None:
    assert why in why_impossible(stage.machine(**changes))


def test_ubuntu_has_no_mirror_for_it(stage: Stage) -> None:
    stage.script("bin/apt-get", "echo file:/mirror/ubuntu/")
    stage.script("bin/dpkg-deb", "exit 0")
    assert "names no Debian mirror" in why_impossible(
        stage.machine(distribution=frozenset({"ubuntu", "debian"}))
    )
