"""What the runtimes need, what is there, and setting up what is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from harness.errors import HarnessError
from harness.runtimes.machine import Machine, this_machine
from harness.runtimes.provision import Provision, RuntimeName, Say, silent
from harness.runtimes.provision_julia import find_julia, install_julia
from harness.runtimes.provision_r import find_r, install_r
from harness.runtimes.provision_torch import find_torch, install_torch

_FIND: dict[RuntimeName, Callable[[Machine | None], Provision]] = {
    "r": find_r,
    "julia": find_julia,
    "torch": find_torch,
}
_INSTALL: dict[RuntimeName, Callable[[Machine | None, Say], Provision]] = {
    "r": install_r,
    "julia": install_julia,
    "torch": install_torch,
}


def check(machine: Machine | None = None) -> tuple[Provision, ...]:
    """Look for R, Julia and PyTorch; nothing is installed.

    Parameters
    ----------
    machine : Machine, optional
        Where to look; this machine if not given.

    Returns
    -------
    tuple of Provision
        One for each runtime, in this order: r, julia, torch.
    """
    here = machine or this_machine()
    with ThreadPoolExecutor(len(_FIND)) as pool:
        return tuple(pool.map(lambda find: find(here), _FIND.values()))


def fix(machine: Machine | None = None, say: Say = silent) -> tuple[Provision, ...]:
    """Install what is missing; where one cannot be had, say so in its Provision and carry on with the others.

    Parameters
    ----------
    machine : Machine, optional
        Where to install; this machine if not given.
    say : callable, optional
        Told what is being done, a line at a time.

    Returns
    -------
    tuple of Provision
        As `check` returns it.
    """
    here = machine or this_machine()
    return tuple(_fix_one(here, found, say) for found in check(here))


def _fix_one(machine: Machine, found: Provision, say: Say) -> Provision:
    if found.available and not found.advice:
        return found
    try:
        return _INSTALL[found.runtime](machine, lambda line: say(f"{found.runtime}: {line}"))
    except (HarnessError, OSError) as error:
        return Provision(runtime=found.runtime, available=False, reason=str(error), advice=found.advice)


def rows(provisions: Iterable[Provision]) -> list[tuple[str, ...]]:
    """Rows of a table: runtime, state, version, hosting, what to do.

    Parameters
    ----------
    provisions : iterable of Provision
        As `check` or `fix` returns them.

    Returns
    -------
    list of tuple of str
        One row of five for each runtime; the last has one line for the reason and each piece of advice.
    """
    return [
        (
            found.runtime,
            "found" if found.available else "missing",
            found.version or "",
            found.hosting,
            "\n".join(filter(None, [found.reason, *found.advice])),
        )
        for found in provisions
    ]
