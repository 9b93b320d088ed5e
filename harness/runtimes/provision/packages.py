"""Install packages with the machine's own tools, as it has configured them: apt and pip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.runtimes.provision.machine import Machine
from harness.runtimes.provision.provision import Say

_APT_ENV = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
_APT_OPTIONS = ("-qq", "-o", "DPkg::Lock::Timeout=120", "-o", "APT::Update::Error-Mode=any")


def is_debian(machine: Machine) -> bool:
    """Debian, Ubuntu or another child of Debian, with apt."""
    return "debian" in machine.distribution and machine.which("apt-get") is not None


def apt_install(machine: Machine, packages: Sequence[str], say: Say) -> str:
    """Install system packages on Debian or Ubuntu; an empty string, or why it could not be done."""
    if not is_debian(machine):
        return "the system's packages can be installed from here on Debian and Ubuntu only"
    prefix: tuple[str, ...] = ("env",)
    if not machine.is_root:
        if machine.which("sudo") is None or machine.run("sudo", "-n", "true", timeout=10).code != 0:
            return "installing system packages needs root or a sudo without password"
        prefix = ("sudo", "-n", "env")
    settings = [f"{name}={value}" for name, value in _APT_ENV.items()]
    say(f"installing {' '.join(packages)} with apt-get")
    updated = machine.run(*prefix, *settings, "apt-get", *_APT_OPTIONS, "update", timeout=300)
    done = machine.run(
        *prefix,
        *settings,
        "apt-get",
        *_APT_OPTIONS,
        "install",
        "-y",
        "--no-install-recommends",
        *packages,
        timeout=1200,
    )
    if done.code == 0:
        return ""
    # A package that is not found is the consequence of lists that could not be read.
    failed = done if updated.code == 0 else updated
    return f"apt-get could not install {' '.join(packages)}: {failed.last_line}"


def is_unknown_package(problem: str) -> bool:
    """Whether `apt_install` failed because the distribution has no such package."""
    return "Unable to locate package" in problem or "no installation candidate" in problem


def pip_install(
    machine: Machine,
    requirements: Sequence[str],
    say: Say,
    *,
    env: Mapping[str, str] | None = None,
    options: Sequence[str] = (),
    timeout: float = 1800,
) -> str:
    """Install Python packages into the running environment; an empty string, or why it could not be done."""
    say(f"installing {' '.join(requirements)} with pip")
    command = (machine.python, "-m", "pip", "--disable-pip-version-check")
    done = machine.run(*command, "install", "-q", *options, *requirements, env=env, timeout=timeout)
    if done.code == 0:
        return ""
    if "No module named pip" in done.err:
        return f"this Python has no pip: run {machine.python} -m ensurepip"
    if "externally-managed-environment" in done.err:
        return f"{machine.python} is managed by the system: use a virtual environment"
    return f"pip could not install {' '.join(requirements)}: {done.last_line}"
