"""Find Node.js or Octave, or install it: an interpreter on PATH that reads the harness's worker itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from harness.runtime_names import Interpreter
from harness.runtimes.provision.machine import CommandResult, Machine, stamp, this_machine
from harness.runtimes.provision.packages import apt_install
from harness.runtimes.provision.provision import FIX, Provision, Say, silent, version_tuple

_VERSION = re.compile(r"\d+\.\d+\.\d+")
# Octave's own JSON came with its version 7, and may be left out of a build.
_ASKED_OF_OCTAVE = "printf('%s', OCTAVE_VERSION); jsondecode('1');"


class _Known(NamedTuple):
    """An interpreter: its name, programs on PATH, what each is asked, the oldest version, and packages."""

    name: str
    programs: tuple[str, ...]
    asked: tuple[str, ...]
    oldest: int
    debian: str
    advice: tuple[str, ...]


_KNOWN: Mapping[Interpreter, _Known] = {
    "node": _Known(
        "Node.js", ("node", "nodejs"), ("--version",), 18, "nodejs",
        ("Fedora: dnf install nodejs", "macOS: brew install node",
         "conda: conda install -c conda-forge nodejs"),
    ),
    "octave": _Known(
        "Octave", ("octave-cli", "octave"), ("--quiet", "--norc", "--no-gui", "--eval", _ASKED_OF_OCTAVE), 7,
        "octave",
        ("Fedora: dnf install octave", "macOS: brew install octave",
         "conda: conda install -c conda-forge octave"),
    ),
}  # fmt: skip


def find_interpreter(which: Interpreter, machine: Machine | None = None) -> Provision:
    """Look for an interpreter; nothing is installed.

    Parameters
    ----------
    which : {"node", "octave"}
        Which.
    machine : Machine, optional
        Where to look; this machine if not given.

    Returns
    -------
    Provision
        Available where it has said its version, which is new enough. Of MATLAB it is said where it lies:
        nothing is run in it.
    """
    machine = machine or this_machine()
    known = _KNOWN[which]
    matlab = machine.which("matlab") if which == "octave" else None
    also = f"MATLAB ({matlab}) is not used: no worker was ever tried in it" if matlab is not None else ""
    program = next((path for name in known.programs if (path := machine.which(name))), None)
    if program is None:
        reason = "; ".join(filter(None, [f"no {known.programs[0]} on PATH", also]))
        return _missing(which, reason)

    def ask() -> CommandResult:
        return machine.run(program, *known.asked, timeout=60)

    answer = machine.remembered([which, stamp(program), *known.asked], ask)
    version = _VERSION.search(answer.out)
    if answer.code != 0 or version is None:
        reason = f"{program} does not run: {answer.last_line}"
        return _missing(which, reason, broken=True)
    if version_tuple(version[0]) < (known.oldest,):
        reason = f"{known.name} {version[0]} ({program}) is older than {known.oldest}"
        return _missing(which, reason, version=version[0])
    return Provision(
        runtime=which, available=True, version=version[0], hosting="process", executable=program, reason=also
    )


def install_interpreter(which: Interpreter, machine: Machine | None = None, say: Say = silent) -> Provision:
    """Install an interpreter (Debian and Ubuntu, as root or with a sudo without password).

    Parameters
    ----------
    which : {"node", "octave"}
        Which.
    machine : Machine, optional
        Where to install; this machine if not given.
    say : callable, optional
        Told what is being done.

    Returns
    -------
    Provision
        As `find_interpreter` returns it; with the reason and advice where it could not be had.
    """
    machine = machine or this_machine()
    provision = find_interpreter(which, machine)
    if provision.available or provision.version is not None or provision.broken:
        # The system's package would not be newer, and what is there stands before it on PATH.
        return provision
    if reason := apt_install(machine, [_KNOWN[which].debian], say):
        return _missing(which, f"{provision.reason}; {reason}")
    return find_interpreter(which, machine)


def _missing(
    which: Interpreter, reason: str, *, version: str | None = None, broken: bool = False
) -> Provision:
    known = _KNOWN[which]
    advice = (
        f"Debian, Ubuntu (root or sudo): {FIX} {which}, or apt-get install {known.debian}",
        *known.advice,
        f"one elsewhere, {known.oldest} or newer: put {known.programs[0]} on PATH",
    )
    return Provision(
        runtime=which, available=False, version=version, reason=reason, broken=broken, advice=advice
    )
