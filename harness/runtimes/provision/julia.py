"""Find Julia and juliacall, or install them; a plain Julia process where juliacall cannot run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from harness.errors import ProvisionError
from harness.runtimes.provision.julia_offline.build import JULIACALL, build, find_build, why_impossible
from harness.runtimes.provision.machine import CommandResult, Machine, stamp, this_machine
from harness.runtimes.provision.packages import apt_install, pip_install
from harness.runtimes.provision.provision import FIX, Provision, Say, silent, version_tuple

HOSTING = "HARNESS_JULIA_HOSTING"

_FIRST_FOR_JULIACALL = (1, 10, 3)  # as juliacall's own requirements say
_FIRST_FOR_PROCESS = (1, 5)
_BOTH = ("PYTHON_JULIACALL_EXE", "PYTHON_JULIACALL_PROJECT")
_SETTINGS = (*_BOTH, "PYTHON_JULIAPKG_EXE", "PYTHON_JULIAPKG_PROJECT")
_OFFLINE = {"PYTHON_JULIAPKG_OFFLINE": "yes"}
_INTERPRETED = {"HARNESS_JULIA_START": "interpreted"}
"""For julia_host.py, where Julia keeps no machine code: what starts PythonCall is not compiled."""
_DEPOT = "HARNESS_JULIA_DEPOT"
"""Where by_version.jl keeps the worker as a package."""
_ADVICE = (
    f"{FIX}: downloads Julia, or builds it from Debian's packages",
    "or install Julia 1.10.3 or newer (juliaup, conda-forge, brew install julia) so that `julia` is on PATH",
    "or set PYTHON_JULIACALL_EXE and PYTHON_JULIACALL_PROJECT to a Julia with PythonCall",
)
_IMPORT = "import juliacall; print(); print(juliacall.Main.seval('string(VERSION)'))"
# juliapkg asks Julia's server for the newest version.
_REACHABLE = "import juliapkg.install_julia as j; j.best_julia_version()"


class _Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A Julia in which juliacall may run."""

    executable: str
    env: dict[str, str]
    exact: bool = False


def find_julia(machine: Machine | None = None) -> Provision:
    """Look for a Julia that juliacall runs in, else for any Julia; nothing is installed or downloaded.

    Looked at in this order: what ``PYTHON_JULIACALL_*`` and ``PYTHON_JULIAPKG_*`` say; ``julia`` on PATH and
    juliacall's own download, where juliacall has been set up for them; the private Julia in the cache folder.
    ``HARNESS_JULIA_HOSTING=process`` asks for a plain process, ``=juliacall`` for nothing else.

    Parameters
    ----------
    machine : Machine, optional
        Where to look; this machine if not given.

    Returns
    -------
    Provision
        ``hosting`` is ``"juliacall <version>"`` or ``"process"``; with the latter, ``reason`` says why.
    """
    machine = machine or this_machine()
    mistake = _mistaken_settings(machine)
    if mistake is not None:
        return mistake
    wish = machine.environ.get(HOSTING)
    if wish == "process":
        return _process(machine, f"{HOSTING}=process", ())
    reasons: list[str] = []
    broken = False
    for candidate in _candidates(machine):
        provision = _with_juliacall(machine, candidate)
        if provision.available:
            return provision
        reasons.append(provision.reason)
        broken = broken or provision.broken
    built = find_build(machine.cache)
    if built is not None and built.why_not_juliacall:
        reasons.append(f"juliacall cannot run in the private Julia: {built.why_not_juliacall}")
    reason = "; ".join(reasons) or "juliacall is not set up"
    if wish == "juliacall":
        return _broken(reason, _ADVICE) if broken else _missing(reason, _ADVICE)
    return _process(machine, reason, _ADVICE)


def install_julia(machine: Machine | None = None, say: Say = silent) -> Provision:
    """Install juliacall and set up a Julia for it, in the order that `find_julia` looks.

    Parameters
    ----------
    machine : Machine, optional
        Where to install; this machine if not given.
    say : callable, optional
        Told what is being done.

    Returns
    -------
    Provision
        As `find_julia` returns it; with the reasons and advice where something could not be had.
    """
    machine = machine or this_machine()
    provision = find_julia(machine)
    if (provision.available and not provision.advice) or _mistaken_settings(machine) is not None:
        return provision
    problems: list[str] = []
    if machine.environ.get(HOSTING) != "process":
        problems += filter(None, [_install_juliacall(machine, say)])
        if not problems:
            problems += filter(None, [_set_up(machine, say)])
        provision = find_julia(machine)
        if (provision.available and not provision.advice) or _settings(machine):
            return _explained(provision, problems)
    problems += filter(None, [_build_private(machine, say)])
    return _explained(find_julia(machine), problems)


def _settings(machine: Machine) -> dict[str, str]:
    """Return the Julia that the user's own settings name."""
    return {name: value for name in _SETTINGS if (value := machine.environ.get(name))}


def _mistaken_settings(machine: Machine) -> Provision | None:
    wish = machine.environ.get(HOSTING)
    if wish not in {None, "", "juliacall", "process"}:
        return _broken(f"{HOSTING} is {wish!r}", ("set it to juliacall or process, or unset it",))
    named = [name for name in _BOTH if machine.environ.get(name)]
    if len(named) == 1:
        other = _BOTH[1 - _BOTH.index(named[0])]
        return _broken(f"{named[0]} is set, and {other} is not", (f"set {' and '.join(_BOTH)}, or neither",))
    for name in ("PYTHON_JULIACALL_EXE", "PYTHON_JULIAPKG_EXE"):
        executable = machine.environ.get(name)
        if executable and _version(machine, executable) is None:
            why = f"{name} is {executable}, which does not run: {_asked(machine, executable).last_line}"
            return _broken(why, (f"set {name} to a Julia that runs, or unset it",))
    return None


def _candidates(machine: Machine) -> Iterator[_Candidate]:
    settings = _settings(machine)
    if "PYTHON_JULIACALL_EXE" in settings:
        yield _Candidate(executable=settings["PYTHON_JULIACALL_EXE"], env={})
        return
    ready = _resolved(machine)
    if ready is not None:
        env = dict(_OFFLINE)
        path = None if settings else _julia_on_path(machine)
        if path is not None:
            env["PYTHON_JULIAPKG_EXE"] = path
        yield _Candidate(executable=settings.get("PYTHON_JULIAPKG_EXE") or path or ready, env=env)
    if settings:
        return
    built = find_build(machine.cache)
    if built is not None and not built.why_not_juliacall:
        # juliacall would start Julia once more to ask it where it lies.
        env = {**built.juliacall_env, "PYTHON_JULIACALL_BINDIR": str(built.executable.parent), **_INTERPRETED}
        yield _Candidate(executable=str(built.executable), env=env, exact=True)


def _with_juliacall(machine: Machine, candidate: _Candidate) -> Provision:
    version = machine.installed("juliacall")
    if version is None:
        return _missing("juliacall is not installed in this Python's environment", _ADVICE)
    if candidate.exact and version != JULIACALL:
        return _missing(f"the private Julia needs juliacall {JULIACALL}, and {version} is installed", _ADVICE)

    def ask() -> CommandResult:
        return machine.run(machine.python, "-c", _IMPORT, env=candidate.env, timeout=300)

    key = ["juliacall", version, stamp(candidate.executable), *map(str, _settings(machine).items())]
    answer = machine.remembered([*key, *map(str, candidate.env.items())], ask)
    if answer.code != 0:
        return _broken(f"juliacall {version} cannot be imported: {answer.last_line}", _ADVICE)
    return Provision(
        runtime="julia",
        available=True,
        version=answer.out.split()[-1],
        hosting=f"juliacall {version}",
        env={**candidate.env, _DEPOT: _depot(machine)},
        executable=candidate.executable,
    )


def _process(machine: Machine, reason: str, advice: tuple[str, ...]) -> Provision:
    """A plain Julia process, with the first Julia there is."""
    built = find_build(machine.cache)
    settings = _settings(machine)
    places = [
        (settings.get("PYTHON_JULIACALL_EXE"), {}),
        (settings.get("PYTHON_JULIAPKG_EXE"), {}),
        (machine.which("julia"), {}),
        (_resolved(machine), {}),
        *([(str(built.executable), built.process_env)] if built is not None else []),
    ]
    for executable, env in places:
        version = _version(machine, executable) if executable else None
        if version is not None and version_tuple(version) >= _FIRST_FOR_PROCESS:
            return Provision(
                runtime="julia",
                available=True,
                version=version,
                hosting="process",
                env={**env, _DEPOT: _depot(machine)},
                executable=executable,
                reason=reason,
                advice=advice,
            )
    for executable, _ in places:
        if executable and _version(machine, executable) is None:
            why = f"{executable} does not run: {_asked(machine, executable).last_line}"
            return _broken(f"{why}; {reason}", advice or _ADVICE)
    return _missing(f"no Julia found; {reason}", advice or _ADVICE)


def _depot(machine: Machine) -> str:
    return str(machine.cache / "julia-worker")


def _version(machine: Machine, executable: str) -> str | None:
    answer = _asked(machine, executable)
    words = answer.out.split()
    return words[2] if answer.code == 0 and words[:2] == ["julia", "version"] else None


def _asked(machine: Machine, executable: str) -> CommandResult:
    # Not cached: a launcher such as juliaup's may start another Julia without changing itself.
    return machine.run(executable, "--version", timeout=30)


def _julia_on_path(machine: Machine) -> str | None:
    """The ``julia`` on PATH, if juliacall can use it."""
    path = machine.which("julia")
    version = _version(machine, path) if path else None
    return path if version is not None and version_tuple(version) >= _FIRST_FOR_JULIACALL else None


def _resolved(machine: Machine) -> str | None:
    """The Julia of the project that juliacall has set up for this Python, if it has."""
    named = machine.environ.get("PYTHON_JULIAPKG_PROJECT")
    prefix = Path(machine.python).parent.parent
    conda = machine.environ.get("CONDA_PREFIX")
    depot = (machine.environ.get("JULIA_DEPOT_PATH") or "~/.julia").split(os.pathsep)[0]
    if named:
        project = Path(named)
    elif (prefix / "pyvenv.cfg").is_file():
        project = prefix / "julia_env"
    elif conda:
        project = Path(conda) / "julia_env"
    else:
        project = Path(depot).expanduser() / "environments" / "pyjuliapkg"
    try:
        executable = json.loads((project / "pyjuliapkg" / "meta.json").read_bytes())["executable"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return executable if isinstance(executable, str) and Path(executable).is_file() else None


def _install_juliacall(machine: Machine, say: Say) -> str:
    version = machine.installed("juliacall")
    if version == JULIACALL or (version is not None and _settings(machine)):
        return ""
    return pip_install(machine, [f"juliacall=={JULIACALL}"], say)


def _set_up(machine: Machine, say: Say) -> str:
    """Let juliacall set itself up, with the user's settings, ``julia`` on PATH or its own download."""
    settings, path = _settings(machine), _julia_on_path(machine)
    if not settings and not machine.environ.get("JULIA_PKG_SERVER"):
        say("asking Julia's server which Julia is the newest")
        if machine.run(machine.python, "-c", _REACHABLE, timeout=15).code != 0:
            return "Julia's server cannot be reached"
    say("letting juliacall set up its Julia")
    env = {"PYTHON_JULIAPKG_EXE": path} if path and not settings else {}
    done = machine.run(machine.python, "-c", _IMPORT, env=env, timeout=1800)
    return "" if done.code == 0 else f"juliacall could not set up Julia: {done.last_line}"


def _build_private(machine: Machine, say: Say) -> str:
    if reason := why_impossible(machine):
        return reason
    compilers = ("cc", "gcc", "clang")
    if not any(machine.which(name) for name in compilers):
        # Without a compiler the build still gives a Julia as a process; find_julia then says why.
        apt_install(machine, ["gcc", "libc6-dev"], say)
    try:
        build(machine, say)
    except ProvisionError as error:
        return str(error)
    return ""


def _explained(provision: Provision, problems: list[str]) -> Provision:
    """Add what went wrong on the way, unless the preferred hosting was reached after all."""
    if provision.available and not provision.advice:
        return provision
    reasons = dict.fromkeys(filter(None, [*problems, provision.reason]))
    return msgspec.structs.replace(provision, reason="; ".join(reasons))


def _missing(reason: str, advice: tuple[str, ...]) -> Provision:
    return Provision(runtime="julia", available=False, reason=reason, advice=advice)


def _broken(reason: str, advice: tuple[str, ...]) -> Provision:
    return Provision(runtime="julia", available=False, broken=True, reason=reason, advice=advice)
