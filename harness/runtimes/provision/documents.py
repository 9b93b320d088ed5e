"""Finds and installs what documents are run with: the sandbox, and R packages that documents use."""

from __future__ import annotations

from harness.runtimes.provision.machine import Machine, this_machine
from harness.runtimes.provision.packages import apt_install, is_unknown_package
from harness.runtimes.provision.provision import FIX, Provision, Say, silent
from harness.runtimes.provision.r import r_executable

_R_PACKAGES = {"knitr": "r-cran-knitr", "purrr": "r-cran-purrr", "reticulate": "r-cran-reticulate"}


def find_documents(machine: Machine | None = None) -> Provision:
    """Look for what documents are run with; without it they run with less protection, or chunks fail.

    Parameters
    ----------
    machine : Machine, optional
        Where to look; this machine if not given.
    """
    machine = machine or this_machine()
    missing = missing_packages(machine)
    if r_executable(machine) is None:
        # Without R, they are not asked for.
        missing = (*missing, *_R_PACKAGES.values())
    return Provision(
        runtime="documents",
        available=True,
        hosting="bubblewrap" if machine.which("bwrap") is not None else "no bubblewrap",
        reason=f"not there: {', '.join(missing)}" if missing else "",
        advice=(f"Debian, Ubuntu (root or sudo): {FIX}, or apt-get install {' '.join(missing)}",)
        if missing
        else (),
    )


def install_documents(machine: Machine | None = None, say: Say = silent) -> Provision:
    """Install what is missing of it.

    Parameters
    ----------
    machine : Machine, optional
        Where to install; this machine if not given.
    say : callable, optional
        Told what is being done.
    """
    machine = machine or this_machine()
    missing = missing_packages(machine)
    problem = apt_install(machine, missing, say) if missing else ""
    if len(missing) > 1 and is_unknown_package(problem):
        # A suite may be without one of them: the others are installed all the same.
        problem = "; ".join(filter(None, [apt_install(machine, [name], say) for name in missing]))
    provision = find_documents(machine)
    if not problem:
        return provision
    return Provision(
        runtime=provision.runtime,
        available=True,
        hosting=provision.hosting,
        reason=problem,
        advice=provision.advice,
    )


def missing_packages(machine: Machine) -> tuple[str, ...]:
    """System packages that documents are run with, and that are not there; R's only where R is."""
    missing = [] if machine.which("bwrap") is not None else ["bubblewrap"]
    executable = r_executable(machine)
    if executable is None:
        return tuple(missing)
    names = ", ".join(f'"{name}"' for name in _R_PACKAGES)
    question = f'cat(Filter(function(name) !nzchar(system.file(package = name)), c({names})), sep = "\\n")'
    answer = machine.run(executable, "--vanilla", "-s", "-e", question, timeout=30)
    return (*missing, *(_R_PACKAGES[name] for name in answer.out.split() if name in _R_PACKAGES))
