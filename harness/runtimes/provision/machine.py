"""The machine as provisioning sees it: programs, packages, a cache folder, and a way to run commands."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.metadata
import os
import platform
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec
import platformdirs

from harness.errors import UsageError
from harness.store.atomic import write_whole
from harness.workers.plain_temporary import plain_names


class CommandResult(msgspec.Struct, frozen=True, kw_only=True):
    """A command that has ended: 127 where there is no such program, 124 where it ran out of time."""

    code: int
    out: str = ""
    err: str = ""

    @property
    def last_line(self) -> str:
        """The line to show: the last that apt, pip or a compiler marks as an error, else the last."""
        lines = [line.strip() for line in (self.err.strip() or self.out.strip()).splitlines()]
        marked = [line for line in lines if line.startswith(("E: ", "ERROR: ")) or "fatal error: " in line]
        return (marked or lines or [f"exit code {self.code}"])[-1][:300]


class Runner(Protocol):
    """Runs a command to its end."""

    def __call__(
        self, argv: Sequence[str], *, env: Mapping[str, str], timeout: float, cwd: Path | None = None
    ) -> CommandResult:
        """Run ``argv`` in exactly ``env``; never raise for what the command does."""


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """What provisioning needs of a machine; tests pass another one."""

    environ: dict[str, str]
    system: str
    arch: str
    distribution: frozenset[str]
    is_root: bool
    python: str
    cache: Path
    runner: Runner
    installed: Callable[[str], str | None]

    def which(self, program: str) -> str | None:
        """Path of a program on this machine's PATH."""
        return shutil.which(program, path=self.environ.get("PATH", os.defpath))

    def run(
        self, *argv: str, env: Mapping[str, str] | None = None, timeout: float = 60, cwd: Path | None = None
    ) -> CommandResult:
        """Run a command with ``env`` on top of the machine's own environment."""
        return self.runner(argv, env={**self.environ, **(env or {})}, timeout=timeout, cwd=cwd)

    def remembered(self, key: Sequence[str], ask: Callable[[], CommandResult]) -> CommandResult:
        """Run a slow command once and cache its result; only one with exit code 0 is kept."""
        name = hashlib.sha256("\0".join([stamp(self.python), *key]).encode()).hexdigest()[:32]
        path = self.cache / "probes" / f"{name}.json"
        try:
            return msgspec.json.decode(path.read_bytes(), type=CommandResult)
        except (OSError, msgspec.MsgspecError):
            answer = ask()
        if answer.code == 0:
            # If the cache cannot be written, only time is lost.
            try:
                write_whole({path: msgspec.json.encode(answer)})
            except OSError:
                return answer
        return answer


def stamp(path: str | Path) -> str:
    """Name, time and size of a file: changes when the file does."""
    try:
        status = Path(path).stat()
    except OSError:
        return f"{path} missing"
    return f"{path} {status.st_mtime_ns} {status.st_size}"


def run_command(
    argv: Sequence[str], *, env: Mapping[str, str], timeout: float, cwd: Path | None = None
) -> CommandResult:
    """Run a command in a process group of its own, which does not outlive the deadline or an interrupt."""
    with contextlib.ExitStack() as stack:
        # The command may be R, or start it.
        return _run({**env, **plain_names(env, stack)}, argv, timeout, cwd)


def _run(env: dict[str, str], argv: Sequence[str], timeout: float, cwd: Path | None) -> CommandResult:
    try:
        process = subprocess.Popen(
            argv,
            env=env,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        return CommandResult(code=127, err=f"{argv[0]}: {error.strerror or error}")
    with process:
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            _end_group(process)
            return CommandResult(
                code=124, err=f"error: {Path(argv[0]).name} took longer than {timeout:.0f} s"
            )
        except BaseException:
            _end_group(process)
            raise
    return CommandResult(code=process.returncode, out=out, err=err)


def _end_group(process: subprocess.Popen[str]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        process.kill()
    process.communicate()


def installed_version(distribution: str) -> str | None:
    """Version of a Python distribution in the running environment."""
    importlib.invalidate_caches()
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def cache_folder(environ: Mapping[str, str]) -> Path:
    """``HARNESS_CACHE``, or the user's cache folder for this project.

    Raises
    ------
    UsageError
        ``HARNESS_CACHE`` names something that is no folder.
    """
    named = environ.get("HARNESS_CACHE")
    if not named:
        return platformdirs.user_cache_path("harness")
    path = Path(named).expanduser().absolute()
    if path.exists() and not path.is_dir():
        raise UsageError("HARNESS_CACHE names a file", path=path, advice="name a folder, or unset it")
    return path


def this_machine() -> Machine:
    """The machine that this process runs on."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        release = {}
    environ = dict(os.environ)
    return Machine(
        environ=environ,
        system=platform.system(),
        arch=platform.machine(),
        distribution=frozenset([release.get("ID", ""), *release.get("ID_LIKE", "").split()]) - {""},
        is_root=hasattr(os, "geteuid") and os.geteuid() == 0,
        python=sys.executable,
        cache=cache_folder(environ),
        runner=run_command,
        installed=installed_version,
    )
