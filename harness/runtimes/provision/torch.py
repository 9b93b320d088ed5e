"""Find PyTorch, or install it."""

from __future__ import annotations

import msgspec

from harness.runtimes.provision.extras import PythonLibrary
from harness.runtimes.provision.machine import Machine, this_machine
from harness.runtimes.provision.packages import pip_install
from harness.runtimes.provision.provision import FIX, Provision, Say, silent

PINNED = "2.13.0"
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
"""Where PyTorch keeps its builds without CUDA; from pytorch.org, "Start locally"."""
SIZE = "2.7 GB to fetch, 4.6 GB on the disk"
"""Of torch 2.13.0 with what it needs of CUDA, for Linux on x86-64."""
_ADVICE = (f"{FIX}, or pip install torch=={PINNED}",)
_ANSWERS = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=10)"
_TORCH = PythonLibrary("PyTorch", {"torch": (2, 0)}, "import torch; print(torch.__version__)")


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
    found = _TORCH.looked_for("torch", machine, _ADVICE)
    if not found.available or (found.version or "").split("+")[0] == PINNED:
        return found
    return msgspec.structs.replace(found, reason=f"not {PINNED}, with which the harness is tested")


def install_torch(machine: Machine | None = None, say: Say = silent) -> Provision:
    """Install the tested PyTorch into the running Python's environment, from where pip is set up to look.

    Where pip would take a build with CUDA and there is no NVIDIA GPU, PyTorch's own index of builds without
    it is taken; if that does not answer, the size is said before it begins.

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
    wanted = [f"torch=={PINNED}"]
    if reason := pip_install(machine, wanted, say, options=_from_where(machine, wanted, say), timeout=3600):
        return msgspec.structs.replace(provision, reason=reason, advice=_ADVICE, broken=False)
    return find_torch(machine)


def _from_where(machine: Machine, wanted: list[str], say: Say) -> tuple[str, ...]:
    """Options of pip for the build that fits this machine."""
    if not _brings_cuda(machine, wanted) or machine.which("nvidia-smi"):
        return ()
    if machine.run(machine.python, "-c", _ANSWERS, f"{CPU_INDEX}/torch/", timeout=30).code == 0:
        say("no NVIDIA GPU here: taking PyTorch's build without CUDA")
        return ("--index-url", CPU_INDEX)
    say(f"{CPU_INDEX} does not answer: pip takes the build with CUDA, {SIZE}")
    return ()


def _brings_cuda(machine: Machine, wanted: list[str]) -> bool:
    """Whether pip would install NVIDIA's packages beside it."""
    plan = (machine.python, "-m", "pip", "install", "--quiet", "--dry-run", "--report", "-", *wanted)
    answer = machine.run(*plan, timeout=600)
    try:
        report = msgspec.json.decode(answer.out, type=_Report)
    except msgspec.MsgspecError:
        return False
    return any(item.metadata.name.startswith("nvidia") for item in report.install)


class _Metadata(msgspec.Struct):
    name: str


class _Item(msgspec.Struct):
    metadata: _Metadata


class _Report(msgspec.Struct):
    """What is read of pip's installation report; https://pip.pypa.io/en/stable/reference/installation-report/."""

    install: list[_Item]
