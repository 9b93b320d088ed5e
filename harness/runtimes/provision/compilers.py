"""Find a compiler of C, C++ or Fortran, or install it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from harness.runtime_names import Compiled
from harness.runtimes.provision.machine import CommandResult, Machine, stamp, this_machine
from harness.runtimes.provision.packages import apt_install
from harness.runtimes.provision.provision import FIX, Provision, Say, silent
from harness.workers.compiler import FOLDER, SANITIZE, version_in


class _Known(NamedTuple):
    """A language's compilers: the variable that names one, programs on PATH, a file to try, and packages."""

    variable: str
    programs: tuple[str, ...]
    tried: tuple[str, ...]
    debian: tuple[str, ...]
    advice: tuple[str, ...]


_LANGUAGES: Mapping[Compiled, _Known] = {
    "c": _Known(
        "CC", ("gcc", "cc", "clang"), ("-x", "c", "-include", "math.h"), ("gcc", "libc6-dev"),
        ("Debian, Ubuntu (root or sudo): {fix}, or apt-get install gcc libc6-dev", "Fedora: dnf install gcc",
         "macOS: xcode-select --install", "one elsewhere: set CC to it"),
    ),
    "cpp": _Known(
        "CXX", ("g++", "c++", "clang++"), ("-x", "c++", "-include", "cmath"), ("g++", "libc6-dev"),
        ("Debian, Ubuntu (root or sudo): {fix}, or apt-get install g++", "Fedora: dnf install gcc-c++",
         "macOS: xcode-select --install", "one elsewhere: set CXX to it"),
    ),
    "fortran": _Known(
        "FC", ("gfortran",), ("-x", "f95", "-fc-prototypes-external"), ("gfortran",),
        ("Debian, Ubuntu (root or sudo): {fix}, or apt-get install gfortran",
         "Fedora: dnf install gcc-gfortran", "macOS: brew install gcc",
         "a gfortran elsewhere, 9 or newer: set FC to it"),
    ),
}  # fmt: skip


def find_compiler(language: Compiled, machine: Machine | None = None) -> Provision:
    """Look for a compiler; nothing is installed.

    Parameters
    ----------
    language : {"c", "cpp", "fortran"}
        What it compiles.
    machine : Machine, optional
        Where to look; this machine if not given.

    Returns
    -------
    Provision
        Available where it has read a file that includes the language's mathematics. Where
        ``HARNESS_SANITIZE`` is set, ``env`` loads the sanitizers' library.
    """
    machine = machine or this_machine()
    known = _LANGUAGES[language]
    named = machine.environ.get(known.variable, "").split()
    if named and machine.which(named[0]) is None:
        advice = (f"set {known.variable} to a compiler, or unset it",)
        return _missing(language, f"{known.variable} is {named[0]}, which is not there", advice, broken=True)
    program = next((path for name in named[:1] or known.programs if (path := machine.which(name))), None)
    if program is None:
        return _missing(language, f"no {' or '.join(known.programs)} on PATH", _advice(language))
    answer = machine.remembered(
        ["compiler", stamp(program), *known.tried],
        lambda: machine.run(program, *known.tried, "-fsyntax-only", "/dev/null", timeout=60),
    )
    if answer.code != 0:
        reason = f"{program} does not compile: {answer.last_line}"
        return _missing(language, reason, _advice(language), broken=True)
    env = {FOLDER: str(machine.cache / "compiled")}
    if machine.environ.get(SANITIZE):
        library = _sanitizer(machine, program)
        if library is None:
            reason = f"{program} has no library of sanitizers, and {SANITIZE} asks for it"
            return _missing(language, reason, ("install it, or run without --sanitize",), broken=True)
        env |= {"LD_PRELOAD": library, **_SANITIZED}
    version = machine.remembered(["version", stamp(program)], lambda: _version(machine, program))
    return Provision(
        runtime=language,
        available=True,
        version=version_in(version.out),
        hosting="ctypes",
        env=env,
        executable=program,
    )


# Python does not free all its memory, and an interpreter's leaks are none of the file's.
_SANITIZED = {
    "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1:abort_on_error=1",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
}


def install_compiler(language: Compiled, machine: Machine | None = None, say: Say = silent) -> Provision:
    """Install a compiler (Debian and Ubuntu, as root or with a sudo without password).

    Parameters
    ----------
    language : {"c", "cpp", "fortran"}
        What it compiles.
    machine : Machine, optional
        Where to install; this machine if not given.
    say : callable, optional
        Told what is being done.

    Returns
    -------
    Provision
        As `find_compiler` returns it; with the reason and advice where it could not be had.
    """
    machine = machine or this_machine()
    provision = find_compiler(language, machine)
    if provision.available or machine.environ.get(_LANGUAGES[language].variable):
        return provision
    if reason := apt_install(machine, list(_LANGUAGES[language].debian), say):
        return _missing(language, f"{provision.reason}; {reason}", provision.advice, broken=provision.broken)
    return find_compiler(language, machine)


def _version(machine: Machine, program: str) -> CommandResult:
    return machine.run(program, "--version", timeout=30)


def _sanitizer(machine: Machine, program: str) -> str | None:
    """The library that has to be loaded before any other; a compiler that lacks it prints its name alone."""
    for name in ("libasan.so", "libclang_rt.asan-x86_64.so"):
        printed = machine.run(program, f"-print-file-name={name}", timeout=30).out.strip()
        if "/" in printed:
            return printed
    return None


def _advice(language: Compiled) -> tuple[str, ...]:
    return tuple(line.format(fix=f"{FIX} {language}") for line in _LANGUAGES[language].advice)


def _missing(language: Compiled, reason: str, advice: tuple[str, ...], broken: bool = False) -> Provision:
    return Provision(runtime=language, available=False, reason=reason, advice=advice, broken=broken)
