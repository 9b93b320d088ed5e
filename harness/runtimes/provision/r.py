"""Find R and rpy2, or install them."""

from __future__ import annotations

from pathlib import Path

import msgspec

from harness.runtimes.provision.machine import CommandResult, Machine, stamp, this_machine
from harness.runtimes.provision.packages import apt_install, pip_install
from harness.runtimes.provision.provision import FIX, Provision, Say, silent, version_tuple

# rpy2-rinterface 3.6.5 and newer call functions of R's C interface that appeared with R 4.5.
_FIRST_R_OF_NEW_RPY2 = (4, 5)
_RPY2_FOR_OLDER_R = ("rpy2==3.6.4", "rpy2-rinterface==3.6.4", "rpy2-robjects==3.6.6")
_RPY2_FOR_NEWER_R = ("rpy2>=3.6.5",)
_LAST_RINTERFACE_FOR_OLDER_R = (3, 6, 4)

# The ABI mode loads libR at run time: no compiler, no headers, and no extension tied to one build of R.
_RPY2_MODE = {"RPY2_CFFI_MODE": "ABI"}

_ADVICE_R = (
    f"Debian, Ubuntu (root or sudo): {FIX}, or apt-get install r-base-core make",
    "Fedora: dnf install R-core make",
    "macOS: brew install r",
    "conda: conda install -c conda-forge r-base make",
    "R elsewhere: set R_HOME to what `R RHOME` prints",
)
_ADVICE_R_HOME = ("set R_HOME to what `R RHOME` prints, or unset it: the R on PATH is used then",)
_ADVICE_PATH = ("repair this R, or put another one before it on PATH",)
_ADVICE_RPY2 = (f"{FIX}, which installs rpy2 into this Python's environment",)
_ADVICE_MAKE = (
    "Debian, Ubuntu: apt-get install make",
    "Fedora: dnf install make",
    "macOS: xcode-select --install",
    "conda: conda install -c conda-forge make",
    f"then: {FIX}",
)
# Its launcher, which a worker does without, tells R where these folders are.
_FOLDERS = {"R_DOC_DIR": "doc", "R_SHARE_DIR": "share", "R_INCLUDE_DIR": "include"}
_QUESTION = "".join(
    [
        'cat(as.character(getRversion()), R.home(), R.home("lib")',
        *(f', R.home("{name}")' for name in _FOLDERS.values()),
        ', sep = "\\n")',
    ]
)
_IMPORT = "import rpy2.robjects as r; print(r.r('as.character(getRversion())')[0])"


def find_r(machine: Machine | None = None) -> Provision:
    """Look for R and an rpy2 that fits it; nothing is installed.

    Parameters
    ----------
    machine : Machine, optional
        Where to look; this machine if not given.

    Returns
    -------
    Provision
        Available where a child process has imported ``rpy2.robjects`` with this R.
    """
    machine = machine or this_machine()
    executable = r_executable(machine)
    if executable is None:
        home = machine.environ.get("R_HOME")
        if home:
            return _broken(f"R_HOME is {home}, and there is no R in it", _ADVICE_R_HOME)
        return _missing("no R on PATH, and R_HOME is not set", _ADVICE_R)
    answer = machine.remembered(
        ["r", stamp(executable), _QUESTION],
        lambda: machine.run(executable, "--vanilla", "-s", "-e", _QUESTION, timeout=30),
    )
    lines = answer.out.splitlines()
    if answer.code != 0 or len(lines) != 3 + len(_FOLDERS):
        advice = _ADVICE_R_HOME if machine.environ.get("R_HOME") else _ADVICE_PATH
        return _broken(f"{executable} does not run: {answer.last_line}", advice)
    version, home, library, *folders = lines
    provision = Provision(
        runtime="r",
        available=False,
        version=version,
        executable=executable,
        env={**_environment(machine, home, library), **dict(zip(_FOLDERS, folders, strict=True))},
    )
    return _with_rpy2(machine, provision)


def install_r(machine: Machine | None = None, say: Say = silent) -> Provision:
    """Install R (Debian and Ubuntu, as root or with a sudo without password) and the rpy2 that fits it.

    Parameters
    ----------
    machine : Machine, optional
        Where to install; this machine if not given.
    say : callable, optional
        Told what is being done.

    Returns
    -------
    Provision
        As `find_r` returns it; with the reason and advice where it could not be had.
    """
    machine = machine or this_machine()
    provision = find_r(machine)
    if provision.available:
        return provision
    if provision.executable is None:
        if machine.environ.get("R_HOME"):
            return provision
        if reason := apt_install(machine, ["r-base-core", "make"], say):
            return msgspec.structs.replace(provision, reason=f"{provision.reason}; {reason}")
        provision = find_r(machine)
    if provision.version is None or provision.available:
        return provision
    # rpy2's set-up asks `R CMD config`, which is a makefile.
    if machine.which("make") is None and (reason := apt_install(machine, ["make"], say)):
        return _missing(f"rpy2 needs make to install; {reason}", _ADVICE_MAKE)
    if reason := pip_install(
        machine, rpy2_requirements(provision.version), say, env={**provision.env, **_RPY2_MODE}
    ):
        return _missing(reason, _ADVICE_RPY2)
    return find_r(machine)


def rpy2_requirements(r_version: str) -> tuple[str, ...]:
    """The rpy2 that supports this version of R, as pip requirements."""
    newer = version_tuple(r_version) >= _FIRST_R_OF_NEW_RPY2
    return _RPY2_FOR_NEWER_R if newer else _RPY2_FOR_OLDER_R


def r_executable(machine: Machine) -> str | None:
    """R itself: that of R_HOME, or the one on PATH."""
    home = machine.environ.get("R_HOME")
    if not home:
        return machine.which("R")
    path = Path(home) / "bin" / "R"
    return str(path) if path.is_file() else None


def _environment(machine: Machine, home: str, library: str) -> dict[str, str]:
    env = {"R_HOME": home, **_RPY2_MODE}
    if machine.system == "Linux":
        # An R that is not the system's finds its own libRblas and libRlapack only there.
        env["LD_LIBRARY_PATH"] = ":".join(filter(None, [library, machine.environ.get("LD_LIBRARY_PATH")]))
    return env


def _with_rpy2(machine: Machine, provision: Provision) -> Provision:
    rpy2, rinterface = machine.installed("rpy2"), machine.installed("rpy2-rinterface")
    if provision.version is None or provision.executable is None or rpy2 is None:
        return _lacking(provision, "rpy2 is not installed in this Python's environment")
    older = version_tuple(provision.version) < _FIRST_R_OF_NEW_RPY2
    if older and version_tuple(rinterface or "") > _LAST_RINTERFACE_FOR_OLDER_R:
        needs = f"rpy2-rinterface {rinterface} needs R 4.5 or newer"
        return _lacking(provision, f"{needs}, and this is R {provision.version}")

    def ask() -> CommandResult:
        return machine.run(machine.python, "-c", _IMPORT, env=provision.env, timeout=300)

    key = [
        "rpy2",
        stamp(provision.executable),
        rpy2,
        str(rinterface),
        str(machine.installed("rpy2-robjects")),
    ]
    answer = machine.remembered([*key, *map(str, provision.env.items())], ask)
    if answer.code != 0:
        reason = f"rpy2 {rpy2} cannot be imported: {answer.last_line}"
        return msgspec.structs.replace(_lacking(provision, reason), broken=True)
    return Provision(
        runtime="r",
        available=True,
        version=provision.version,
        hosting=f"rpy2 {rpy2}",
        env=provision.env,
        executable=provision.executable,
    )


def _missing(reason: str, advice: tuple[str, ...]) -> Provision:
    return Provision(runtime="r", available=False, reason=reason, advice=advice)


def _broken(reason: str, advice: tuple[str, ...]) -> Provision:
    return Provision(runtime="r", available=False, broken=True, reason=reason, advice=advice)


def _lacking(provision: Provision, reason: str) -> Provision:
    return Provision(
        runtime="r",
        available=False,
        version=provision.version,
        env=provision.env,
        executable=provision.executable,
        reason=reason,
        advice=_ADVICE_RPY2,
    )
