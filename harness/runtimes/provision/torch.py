"""Find PyTorch, or install it."""

from __future__ import annotations

import msgspec

from harness.runtimes.provision.machine import Machine, this_machine
from harness.runtimes.provision.packages import pip_install
from harness.runtimes.provision.provision import FIX, Provision, Say, silent, version_tuple

PINNED = "2.13.0"
_OLDEST = (2, 0)
_ADVICE = (
    f"{FIX}, or pip install torch=={PINNED}",
    "a smaller build without GPU libraries (Linux): set PIP_EXTRA_INDEX_URL to the CPU index that PyTorch's"
    " installation page names, then the same",
)
_IMPORT = "import torch; print(torch.__version__)"


def find_torch(machine: Machine | None = None) -> Provision:
    """Look for PyTorch in the running Python's environment; nothing is installed or imported here.

    Parameters
    ----------
    machine : Machine, optional
        Where to look; this machine if not given.

    Returns
    -------
    Provision
        Available where a child process has imported ``torch``, in any version since 2.0.
    """
    machine = machine or this_machine()
    version = machine.installed("torch")
    if version is None:
        return _missing(None, "PyTorch is not installed in this Python's environment")
    if version_tuple(version) < _OLDEST:
        return _missing(version, f"PyTorch {version} is older than 2.0")
    answer = machine.remembered(
        ["torch", version], lambda: machine.run(machine.python, "-c", _IMPORT, timeout=300)
    )
    if answer.code != 0:
        missing = _missing(version, f"PyTorch {version} cannot be imported: {answer.last_line}")
        return msgspec.structs.replace(missing, broken=True)
    other = "" if version.split("+")[0] == PINNED else f"not {PINNED}, with which the harness is tested"
    return Provision(
        runtime="torch",
        available=True,
        version=version,
        hosting="python",
        executable=machine.python,
        reason=other,
    )


def install_torch(machine: Machine | None = None, say: Say = silent) -> Provision:
    """Install the tested PyTorch into the running Python's environment, from where pip is set up to look.

    Parameters
    ----------
    machine : Machine, optional
        Where to install; this machine if not given.
    say : callable, optional
        Told what is being done.

    Returns
    -------
    Provision
        As `find_torch` returns it; with the reason and advice where it could not be had.
    """
    machine = machine or this_machine()
    provision = find_torch(machine)
    if provision.available:
        return provision
    if reason := pip_install(machine, [f"torch=={PINNED}"], say, timeout=3600):
        return _missing(provision.version, reason)
    return find_torch(machine)


def _missing(version: str | None, reason: str) -> Provision:
    return Provision(runtime="torch", available=False, version=version, reason=reason, advice=_ADVICE)
