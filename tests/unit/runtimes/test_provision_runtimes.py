"""Which R, Julia and PyTorch is found, and what is done to get one, on staged machines.

A staged machine has a PATH of shell scripts that behave as the real programs do, so that every decision
goes through real processes.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from harness.errors import ProvisionError
from harness.runtimes import doctor
from harness.runtimes.provision.julia import find_julia, install_julia
from harness.runtimes.provision.julia_offline.build import PrivateJulia, build_folder, why_impossible
from harness.runtimes.provision.machine import CommandResult, Machine, run_command
from harness.runtimes.provision.provision import RuntimeName
from harness.runtimes.provision.r import find_r, install_r, rpy2_requirements
from harness.runtimes.provision.torch import CPU_INDEX, PINNED, find_torch, install_torch


class Stage:
    """A machine of scripts, and the log of what was run on it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.log = root / "log"
        self.log.write_text("")
        self.packages: dict[str, str] = {}
        self.environ = {"PATH": f"{root}/bin:/usr/bin:/bin"}
        self.python("exit 1")

    def script(self, name: str, body: str) -> str:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        note = f'(printf "%s " {path.name} "$@"; echo) >> {self.log}'
        path.write_text(f"#!/bin/sh\n{note}\n{body}\n")
        path.chmod(0o755)
        return str(path)

    def python(self, body: str) -> None:
        """The Python of the staged environment; pip installs by writing to a list that `installed` reads."""
        self.script(
            "env/bin/python",
            f'if [ "$2" = pip ]; then for a; do case "$a" in *==*) echo "$a" >> {self.root}/pip;; esac; done;'
            f" exit 0; fi\n{body}",
        )

    def r(self, version: str, name: str = "bin/R") -> str:
        folders = " ".join(f"{self.root}/R{name}" for name in ("", "/lib", "/doc", "/share", "/include"))
        return self.script(name, f"printf '%s\\n' {version} {folders}")

    def installed(self, distribution: str) -> str | None:
        listed = self.root / "pip"
        lines = listed.read_text().split() if listed.exists() else []
        return {**self.packages, **dict(line.split("==") for line in lines)}.get(distribution)

    def machine(self, **changes: object) -> Machine:
        settings: dict[str, object] = {
            "environ": self.environ,
            "system": "Linux",
            "arch": "x86_64",
            "distribution": frozenset({"debian"}),
            "is_root": True,
            "python": str(self.root / "env/bin/python"),
            "cache": self.root / "cache",
            "runner": run_command,
            "installed": self.installed,
        }
        return _Staged(**{**settings, **changes})  # type: ignore[arg-type]

    def ran(self) -> list[str]:
        return self.log.read_text().splitlines()


class _Staged(Machine, frozen=True, kw_only=True):
    def which(self, program: str) -> str | None:
        """Only what is staged: the programs of the machine that the tests run on are not seen."""
        path = Path(self.environ["PATH"].split(":")[0], program)
        return str(path) if path.is_file() else None


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


# R


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


# Julia

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


# PyTorch


def test_no_torch(stage: Stage) -> None:
    provision = find_torch(stage.machine())
    assert not provision.available
    assert "not installed" in provision.reason


def test_torch_is_pinned(stage: Stage) -> None:
    stage.python("exit 0")
    provision = install_torch(stage.machine())
    assert (provision.available, provision.version, provision.reason) == (True, "2.13.0", "")


WITH_CUDA = '{"install": [{"metadata": {"name": "torch"}}, {"metadata": {"name": "nvidia-cublas"}}]}'
PLAIN = '{"install": [{"metadata": {"name": "torch"}}]}'


@pytest.mark.parametrize(
    ("plan", "gpu", "answers", "options", "said"),
    [
        (WITH_CUDA, False, True, f" --index-url {CPU_INDEX} ", "without CUDA"),
        (WITH_CUDA, False, False, " ", "2.7 GB to fetch"),
        (WITH_CUDA, True, True, " ", ""),
        (PLAIN, False, True, " ", ""),
        ("pip says no JSON", False, True, " ", ""),
    ],
)
def test_the_build_of_torch_fits_the_machine(
    stage: Stage, plan: str, gpu: bool, answers: bool, options: str, said: str
) -> None:
    # Only what is really installed is listed: not what pip was asked to plan.
    stage.script(
        "env/bin/python",
        f"""case "$*" in
*--dry-run*) echo '{plan}' ;;
*pip*) echo torch=={PINNED} >> {stage.root}/pip ;;
*urlopen*) exit {int(not answers)} ;;
esac""",
    )
    if gpu:
        stage.script("bin/nvidia-smi", "exit 0")
    lines: list[str] = []
    assert install_torch(stage.machine(), lines.append).available
    (installed,) = [line for line in stage.ran() if "pip" in line and "--dry-run" not in line]
    assert f"install -q{options}torch=={PINNED}" in installed
    assert said in "\n".join(lines)
    assert ("CUDA" in "\n".join(lines)) == bool(said)


def test_another_torch_is_used_and_said(stage: Stage) -> None:
    stage.packages = {"torch": "2.9.1+cu128"}
    stage.python("exit 0")
    provision = install_torch(stage.machine())
    assert (provision.available, provision.version) == (True, "2.9.1+cu128")
    assert "not 2.13.0, with which" in provision.reason
    assert not (stage.root / "pip").exists()


def test_a_torch_that_cannot_be_imported(stage: Stage) -> None:
    stage.packages = {"torch": "2.13.0"}
    stage.python("echo 'ImportError: libgomp' >&2; exit 1")
    assert "libgomp" in find_torch(stage.machine()).reason
    assert find_torch(stage.machine()).broken


# Doctor


THREE: tuple[RuntimeName, ...] = ("r", "julia", "torch")


def test_the_doctor_looks_for_all_three(stage: Stage) -> None:
    stage.packages = {"torch": "2.13.0"}
    stage.python("exit 0")
    provisions = doctor.check(stage.machine(), THREE)
    assert [(p.runtime, p.available) for p in provisions] == [("r", False), ("julia", False), ("torch", True)]
    rows = doctor.rows(provisions)
    assert [row[:2] for row in rows] == [("r", "missing"), ("julia", "missing"), ("torch", "found")]
    assert "no R on PATH" in rows[0][4]
    assert all(line in rows[0][4] for line in provisions[0].advice)
    assert rows[2] == ("torch", "found", "2.13.0", "python", "")


def test_the_doctor_carries_on(stage: Stage) -> None:
    """An installation that raises in the middle leaves a reason, and the next one is still made."""

    def runner(argv: object, **options: object) -> CommandResult:
        if "juliacall==" in str(argv):
            raise ProvisionError("the disk is full")
        return run_command(argv, **options)  # type: ignore[arg-type]

    stage.python("exit 0")
    said: list[str] = []
    machine = stage.machine(runner=runner, distribution=frozenset({"fedora"}))
    provisions = doctor.fix(machine, said.append, THREE)
    assert [p.available for p in provisions] == [False, False, True]
    assert any(line.startswith("torch: installing torch==2.13.0") for line in said)
    assert provisions[1].reason == "the disk is full"
    assert all(p.reason and p.advice for p in provisions[:2])
