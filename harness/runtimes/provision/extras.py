"""Find JAX, or ONNX Runtime, or install them where they are named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from harness.runtimes.provision.machine import Machine, this_machine
from harness.runtimes.provision.packages import pip_install
from harness.runtimes.provision.provision import FIX, Provision, Say, silent, version_tuple

Extra = Literal["jax", "onnx"]


class _Known(NamedTuple):
    """A runtime's name, its packages with the oldest version of each, and what has to be imported."""

    name: str
    packages: Mapping[str, tuple[int, ...]]
    imported: str
    env: Mapping[str, str]


_EXTRAS: Mapping[Extra, _Known] = {
    "jax": _Known(
        "JAX",
        {"jax": (0, 4, 30), "jaxlib": (0, 4, 30)},
        "import jax; jax.numpy.zeros(1)",
        {
            "JAX_ENABLE_X64": "1",
            "JAX_PLATFORMS": "cpu",
            "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
        },
    ),
    "onnx": _Known(
        "ONNX Runtime",
        {"onnxruntime": (1, 18), "onnx": (1, 16)},
        "import onnx, onnxruntime",
        {},
    ),
}


def find_extra(name: Extra, machine: Machine | None = None) -> Provision:
    """Look for one in the running Python's environment; nothing is installed or imported here.

    Parameters
    ----------
    name : {"jax", "onnx"}
        Which.
    machine : Machine, optional
        Where to look; this machine if not given.

    Returns
    -------
    Provision
        Available where a child process has imported it.
    """
    machine = machine or this_machine()
    known = _EXTRAS[name]
    versions = {package: machine.installed(package) for package in known.packages}
    first = next(iter(versions.values()))
    lacking = [package for package, version in versions.items() if version is None]
    if lacking:
        return _missing(name, first, f"{' and '.join(lacking)} not installed in this Python's environment")
    for package, oldest in known.packages.items():
        if version_tuple(versions[package] or "") < oldest:
            needed = ".".join(map(str, oldest))
            return _missing(name, first, f"{package} {versions[package]} is older than {needed}")
    answer = machine.remembered(
        [name, *map(str, versions.values()), machine.environ.get("PYTHONPATH", "")],
        lambda: machine.run(machine.python, "-c", known.imported, env=known.env, timeout=300),
    )
    if answer.code != 0:
        missing = _missing(name, first, f"{known.name} {first} cannot be imported: {answer.last_line}")
        return msgspec.structs.replace(missing, broken=True)
    return Provision(
        runtime=name,
        available=True,
        version=first,
        hosting="python",
        executable=machine.python,
        env=dict(known.env),
    )


def install_extra(name: Extra, machine: Machine | None = None, say: Say = silent) -> Provision:
    """Install one into the running Python's environment, from where pip is set up to look.

    Parameters
    ----------
    name : {"jax", "onnx"}
        Which.
    machine : Machine, optional
        Where to install; this machine if not given.
    say : callable, optional
        Told what is being done.

    Returns
    -------
    Provision
        As `find_extra` returns it; with the reason and advice where it could not be had.
    """
    machine = machine or this_machine()
    provision = find_extra(name, machine)
    if provision.available:
        return provision
    oldest = _EXTRAS[name].packages.items()
    wanted = [f"{package}>={'.'.join(map(str, version))}" for package, version in oldest]
    if reason := pip_install(machine, wanted, say, timeout=3600):
        return _missing(name, provision.version, reason)
    return find_extra(name, machine)


def _missing(name: Extra, version: str | None, reason: str) -> Provision:
    advice = (f"{FIX} {name}, or pip install {' '.join(_EXTRAS[name].packages)}",)
    return Provision(runtime=name, available=False, version=version, reason=reason, advice=advice)
