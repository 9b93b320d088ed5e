"""Run nox sessions on a machine that has nothing but Python: ``python3 bootstrap.py conform``.

Standard library alone. Where this Python has no nox, one is installed into ``.nox/bootstrap``, an environment
of its own, so that a distribution's Python (PEP 668) is left as it is.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

NOX = "nox>=2025.2.9"
HOME = Path(__file__).resolve().parent
OWN = HOME / ".nox" / "bootstrap"
PACKAGES = HOME / ".nox" / "bootstrap-packages"
USAGE = """usage: python3 bootstrap.py SESSION... [-- ARGUMENTS]

  python3 bootstrap.py conform    set everything up, run all cases in every language, print the matrix
  python3 bootstrap.py tests      set everything up, run all tests
  python3 bootstrap.py --list     what else there is

What stands behind -- goes on to the session."""
NO_INSTALLER = """error: this Python can install nothing: it has neither venv nor pip, and there is no uv,
pipx or nox on PATH
  -> install one of them, for example: apt-get install python3-pip (Debian, Ubuntu),
     dnf install python3-pip (Fedora), brew install uv (Homebrew); then run this again"""


class Failed(Exception):
    """What a person can act upon; the text says what to do."""


def command(words: list[str]) -> list[str]:
    """Turn this script's words into nox's: sessions first, and what stands behind ``--`` as it is.

    Parameters
    ----------
    words : list of str
        What was typed.

    Raises
    ------
    Failed
        There is no session.
    """
    cut = words.index("--") if "--" in words else len(words)
    sessions, arguments = words[:cut], words[cut:]
    if not sessions or sessions[0] in ("-h", "--help"):
        raise Failed(USAGE)
    # Options of nox itself are passed on.
    return [*(sessions if sessions[0].startswith("-") else ["-s", *sessions]), *arguments]


def has_nox() -> bool:
    """Whether this Python has a nox that is new enough."""
    if importlib.util.find_spec("nox") is None:
        return False
    year, month, *_ = (*metadata.version("nox").split("."), "0")
    return (int(year), int(month)) >= (2025, 2)


def nox() -> list[str]:
    """The command that runs nox; it is installed first where there is none.

    Raises
    ------
    Failed
        Nothing here can install it, or the installation failed.
    """
    if has_nox():
        return [sys.executable, "-m", "nox"]
    python = OWN / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not (OWN / "ready").is_file():
        if not make_environment():
            return ready_made()
        run([str(python), "-m", "pip", "install", "--quiet", NOX], "nox could not be installed")
        (OWN / "ready").touch()
    return [str(python), "-m", "nox"]


def make_environment() -> bool:
    """Make ``.nox/bootstrap`` with venv, or with virtualenv from pip; False where this Python has neither."""
    shutil.rmtree(OWN, ignore_errors=True)
    OWN.parent.mkdir(exist_ok=True)
    if all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
        say(f"putting nox into {OWN.relative_to(HOME)}")
        run([sys.executable, "-m", "venv", str(OWN)], "an environment for nox could not be made")
        return True
    if importlib.util.find_spec("pip") is None:
        return False
    say(f"putting nox into {OWN.relative_to(HOME)}, with virtualenv: this Python has no venv")
    target = ["--target", str(PACKAGES), "--upgrade"]
    install = [sys.executable, "-m", "pip", "install", "--quiet", *target, "virtualenv"]
    run(install, "virtualenv could not be installed")
    run(
        [sys.executable, "-m", "virtualenv", "--quiet", str(OWN)],
        "an environment for nox could not be made",
        PYTHONPATH=str(PACKAGES),
    )
    return True


def ready_made() -> list[str]:
    """A program on PATH that brings nox along."""
    runners = {"nox": [], "uv": ["tool", "run", "--from", NOX, "nox"], "pipx": ["run", "--spec", NOX, "nox"]}
    for name, words in runners.items():
        found = shutil.which(name)
        if found:
            say(f"using {found}")
            return [found, *words]
    raise Failed(NO_INSTALLER)


def run(words: list[str], problem: str, **variables: str) -> None:
    """Run a command; raises Failed if it fails."""
    done = subprocess.run(words, env={**os.environ, **variables}, check=False)
    if done.returncode:
        raise Failed(
            f"error: {problem}: {' '.join(words)} ended with {done.returncode}; its own words stand above"
        )


def say(text: str) -> None:
    """Tell what is being done, before it is done."""
    print(f"bootstrap: {text}", file=sys.stderr, flush=True)


def main(words: list[str]) -> int:
    """Run the sessions; returns nox's exit code, 2 for a mistake, 3 where nox cannot be had."""
    if sys.version_info < (3, 11):  # noqa: UP036 - an older Python has to be told so
        found = sys.version.split()[0]
        print(f"error: Python 3.11 or newer is needed, and this is {found}", file=sys.stderr)
        return 2
    try:
        sessions = command(words)
    except Failed as usage:
        print(usage)
        return 0 if words[:1] in (["-h"], ["--help"]) else 2
    try:
        found = nox()
    except Failed as problem:
        print(problem, file=sys.stderr)
        return 3
    try:
        return subprocess.call([*found, "-f", str(HOME / "noxfile.py"), *sessions])
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
