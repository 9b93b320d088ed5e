"""Find JAX, or ONNX Runtime, or install them where they are named."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from harness.runtime_names import Library, RuntimeName
from harness.runtimes.provision.machine import Machine, this_machine
from harness.runtimes.provision.packages import pip_install
from harness.runtimes.provision.provision import FIX, Provision, Say, silent, version_tuple


class PythonLibrary(NamedTuple):
    """A runtime's name, its packages with the oldest version of each, what is run to import it, and where."""

    name: str
    packages: Mapping[str, tuple[int, ...]]
    imported: str
    env: Mapping[str, str] = MappingProxyType({})

    def looked_for(self, runtime: RuntimeName, machine: Machine, advice: tuple[str, ...]) -> Provision:
        """Look for it in an environment; nothing is installed or imported here.

        Parameters
        ----------
        runtime : str
            What it is called in commands.
        machine : Machine
            Where to look.
        advice : tuple of str
            What to do where it is missing.

        Returns
        -------
        Provision
            Available where a child process has imported it.
        """
        versions = {package: machine.installed(package) for package in self.packages}
        first = next(iter(versions.values()))

        def missing(reason: str, *, broken: bool = False) -> Provision:
            return Provision(
                runtime=runtime, available=False, version=first, reason=reason, advice=advice, broken=broken
            )

        if lacking := [package for package, version in versions.items() if version is None]:
            what = f"{self.name} is" if len(versions) == 1 else " and ".join(lacking)
            return missing(f"{what} not installed in this Python's environment")
        for package, oldest in self.packages.items():
            if version_tuple(versions[package] or "") < oldest:
                what = self.name if len(versions) == 1 else package
                return missing(f"{what} {versions[package]} is older than {'.'.join(map(str, oldest))}")
        answer = machine.remembered(
            [runtime, *map(str, versions.values()), machine.environ.get("PYTHONPATH", "")],
            lambda: machine.run(machine.python, "-c", self.imported, env=self.env, timeout=300),
        )
        if answer.code != 0:
            return missing(f"{self.name} {first} cannot be imported: {answer.last_line}", broken=True)
        return Provision(
            runtime=runtime,
            available=True,
            version=first,
            hosting="python",
            executable=machine.python,
            env=dict(self.env),
        )


_EXTRAS: Mapping[Library, PythonLibrary] = {
    "jax": PythonLibrary(
        "JAX",
        {"jax": (0, 4, 30), "jaxlib": (0, 4, 30)},
        "import jax; jax.numpy.zeros(1)",
        {
            "JAX_ENABLE_X64": "1",
            "JAX_PLATFORMS": "cpu",
            "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
        },
    ),
    "onnx": PythonLibrary(
        "ONNX Runtime",
        {"onnxruntime": (1, 18), "onnx": (1, 16)},
        "import onnx, onnxruntime",
        {},
    ),
}


def find_extra(name: Library, machine: Machine | None = None) -> Provision:
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
    return _EXTRAS[name].looked_for(name, machine or this_machine(), _advice(name))


def install_extra(name: Library, machine: Machine | None = None, say: Say = silent) -> Provision:
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
        return msgspec.structs.replace(provision, reason=reason, advice=_advice(name), broken=False)
    return find_extra(name, machine)


def _advice(name: Library) -> tuple[str, ...]:
    return (f"{FIX} {name}, or pip install {' '.join(_EXTRAS[name].packages)}",)
