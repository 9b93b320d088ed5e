"""Finds what the runtimes need, and installs what is missing."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from filelock import FileLock, Timeout

from harness.errors import HarnessError, ProvisionError
from harness.model import Absent
from harness.runtime_names import COMPILED, INTERPRETERS, LIBRARIES, NAMES
from harness.runtimes.oracle import ID as ORACLE
from harness.runtimes.oracle import find_oracle, oracle_info
from harness.runtimes.provision.compilers import find_compiler, install_compiler
from harness.runtimes.provision.documents import find_documents, install_documents
from harness.runtimes.provision.extras import find_extra, install_extra
from harness.runtimes.provision.interpreters import find_interpreter, install_interpreter
from harness.runtimes.provision.julia import find_julia, install_julia
from harness.runtimes.provision.machine import Machine, this_machine
from harness.runtimes.provision.provision import Provision, RuntimeName, Say, silent
from harness.runtimes.provision.r import find_r, install_r
from harness.runtimes.provision.torch import find_torch, install_torch


def _oracle(_machine: Machine | None) -> Provision:
    absent = find_oracle()
    if isinstance(absent, Absent):
        return Provision(runtime=ORACLE, available=False, reason=absent.reason, advice=absent.advice)
    info = oracle_info()
    return Provision(runtime=ORACLE, available=True, version=info.version, hosting=info.hosting)


_FIND: dict[RuntimeName, Callable[[Machine | None], Provision]] = {
    "r": find_r,
    "julia": find_julia,
    "torch": find_torch,
    **{name: partial(find_compiler, name) for name in COMPILED},
    **{name: partial(find_extra, name) for name in LIBRARIES},
    **{name: partial(find_interpreter, name) for name in INTERPRETERS},
    ORACLE: _oracle,
    "documents": find_documents,
}
_INSTALL: dict[RuntimeName, Callable[[Machine | None, Say], Provision]] = {
    "r": install_r,
    "julia": install_julia,
    "torch": install_torch,
    **{name: partial(install_compiler, name) for name in COMPILED},
    **{name: partial(install_extra, name) for name in LIBRARIES},
    **{name: partial(install_interpreter, name) for name in INTERPRETERS},
    "documents": install_documents,
}

_PATIENCE = 3600.0
"""Seconds that another process may install."""

USUAL: tuple[RuntimeName, ...] = tuple(name for name in NAMES if name not in (*LIBRARIES, "octave"))
"""What is installed where nothing is named: all but the largest."""


def check(machine: Machine | None = None, names: Sequence[RuntimeName] = NAMES) -> tuple[Provision, ...]:
    """Look for runtimes; nothing is installed.

    Parameters
    ----------
    machine : Machine, optional
        Where to look; this machine if not given.
    names : sequence of str
        What to look for, of `NAMES`.

    Returns
    -------
    tuple of Provision
        One for each name, in the order of `NAMES`.
    """
    here = machine or this_machine()
    wanted = [find for name, find in _FIND.items() if name in names]
    with ThreadPoolExecutor(len(_FIND)) as pool:
        return tuple(pool.map(lambda find: find(here), wanted))


def fix(
    machine: Machine | None = None, say: Say = silent, names: Sequence[RuntimeName] = USUAL
) -> tuple[Provision, ...]:
    """Install what is missing; where one cannot be had, say so in its Provision and carry on with the others.

    Parameters
    ----------
    machine : Machine, optional
        Where to install; this machine if not given.
    say : callable, optional
        Called with a line for each step.
    names : sequence of str
        What to look for, of `NAMES`; nothing else is installed.

    Returns
    -------
    tuple of Provision
        As `check` returns it.

    Raises
    ------
    ProvisionError
        Another process has been installing for an hour.
    """
    here = machine or this_machine()
    with _alone(here.cache, say):
        return tuple(_fix_one(here, provision, say) for provision in check(here, names))


@contextlib.contextmanager
def _alone(cache: Path, say: Say) -> Iterator[None]:
    """Wait until no other process installs: pip and R would write into one folder at once."""
    with contextlib.ExitStack() as stack:
        try:
            cache.mkdir(parents=True, exist_ok=True)
            lock = FileLock(cache / "doctor.lock")
            try:
                stack.enter_context(lock.acquire(timeout=0))
            except Timeout:
                say("another harness doctor --fix is installing: waiting for it to end")
                stack.enter_context(lock.acquire(timeout=_PATIENCE))
        except Timeout as error:
            raise ProvisionError(
                "another harness doctor --fix has been installing for an hour",
                path=cache,
                advice="end it, then try again",
            ) from error
        except OSError as error:
            say(f"no lock in {cache} ({error.strerror}): run this command once at a time")
        yield


def _fix_one(machine: Machine, provision: Provision, say: Say) -> Provision:
    install = _INSTALL.get(provision.runtime)
    if install is None or (provision.available and not provision.advice):
        return provision
    try:
        return install(machine, lambda line: say(f"{provision.runtime}: {line}"))
    except (HarnessError, OSError) as error:
        return Provision(
            runtime=provision.runtime,
            available=False,
            broken=provision.broken,
            reason=str(error),
            advice=provision.advice,
        )


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
            provision.runtime,
            _state(provision),
            provision.version or "",
            provision.hosting,
            "\n".join(filter(None, [provision.reason, *provision.advice])),
        )
        for provision in provisions
    ]


def _state(provision: Provision) -> str:
    if provision.broken:
        return "found and does not run"
    return "found" if provision.available else "missing"
