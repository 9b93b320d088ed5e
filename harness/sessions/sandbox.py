"""A sandbox for untrusted code: which one this machine offers, and a worker's command inside of it."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from harness.errors import UsageError
from harness.model import Frozen
from harness.runtimes.child import LOCALE, PINNED_THREADS
from harness.runtimes.registry import Launch

_WORKERS = Path(__file__).resolve().parents[1] / "workers"
_USERS = range(61184, 65520)
"""Numbers that no account has: systemd, too, gives them to whatever needs a user for a while."""
_INSIDE = Path("/document")
"""The scratch folder's name inside bubblewrap, and the home of whoever runs there."""

_MADE = frozenset({Path("/"), Path("/tmp"), _INSIDE})

_SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt/homebrew", "/etc/alternatives", "/etc/fonts",
    "/etc/group", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/locale.alias",
    "/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd", "/etc/R",
)  # fmt: skip
_KEPT = ("JULIA_", "PYTHON_JULIA", "R_HOME", "R_LIBS", "LD_LIBRARY_PATH", "TZ")
"""Prefixes of the environment variables that a worker keeps; all others may hold secrets."""


class Limits(Frozen, frozen=True, kw_only=True):
    """What a document's code may use.

    Attributes
    ----------
    chunk_seconds : float
        Time for one chunk.
    memory : int
        Bytes of resident memory, of all its processes together.
    processes : int
        Processes and threads.
    file_bytes : int
        Size of one file that it writes.
    scratch_bytes : int
        Size of everything that it writes.
    text_bytes : int
        Printed text that is kept of one chunk.
    """

    chunk_seconds: float = 300.0
    memory: int = 4 << 30
    processes: int = 64
    file_bytes: int = 64 << 20
    scratch_bytes: int = 256 << 20
    text_bytes: int = 1 << 20


class Sandbox(Frozen, frozen=True, kw_only=True):
    """What keeps a document's code from the rest of the machine.

    Attributes
    ----------
    kind : {"bubblewrap", "namespaces", "none"}
        ``bubblewrap``: files, network, processes; ``namespaces``: network and processes; else only limits.
    drops_root : bool
        Whether the code runs as an ordinary user, because the harness runs as root.
    reason : str
        Why it is not the best kind, where it is not.
    """

    kind: Literal["bubblewrap", "namespaces", "none"]
    drops_root: bool = False
    reason: str = ""

    @property
    def statement(self) -> str:
        """One sentence for the report: what the code was kept from."""
        said = {
            "bubblewrap": "in bubblewrap: no network, own processes, a scratch folder, all else read-only",
            "namespaces": "with no network and its own processes; files of this user were NOT protected",
            "none": "with limits alone: network and files of this user were NOT protected",
        }[self.kind]
        return f"{said} ({self.reason})" if self.reason else said


class ScratchDirs(msgspec.Struct, frozen=True, kw_only=True):
    """What is made ready for one worker: a folder of the parent's, and what the code may read."""

    folder: Path
    files: Mapping[str, Path]
    readable: tuple[Path, ...] = ()

    @property
    def pipes(self) -> Path:
        """The folder of the pipes that the worker prints into."""
        return self.folder / "pipes"

    @property
    def scratch(self) -> Path:
        """Where the code runs, outside bubblewrap."""
        return self.folder / "scratch"


def find_sandbox() -> Sandbox:
    """The best sandbox that works on this machine: each one is tried, not only looked up."""
    tries = [Sandbox(kind="bubblewrap"), Sandbox(kind="namespaces")]
    if os.getuid() == 0:
        # Limits on the number of processes do not count for root.
        tries.insert(0, Sandbox(kind="bubblewrap", drops_root=True))
    reasons: list[str] = []
    for sandbox in tries:
        why = _why_not(sandbox)
        if not why:
            reason = "; ".join(dict.fromkeys(reasons)) if sandbox.kind != "bubblewrap" else ""
            return msgspec.structs.replace(sandbox, reason=reason)
        reasons.append(why)
    return Sandbox(kind="none", reason="; ".join(dict.fromkeys(reasons)))


def requires_trust(paths: Iterable[Path], trust: bool, ask: Callable[[str], bool] | None = None) -> None:
    """Refuse to run documents whose code nobody has vouched for.

    Parameters
    ----------
    paths : iterable of Path
        The documents.
    trust : bool
        Whether the user has said so (``--trust``).
    ask : callable, optional
        Puts a question to a person; None where there is none to ask.

    Raises
    ------
    UsageError
        If they may not be run.
    """
    if trust:
        return
    names = ", ".join(path.name for path in paths)
    question = f"Run the code of {names}? It is a stranger's, and runs on this machine."
    if ask is not None and ask(question):
        return
    raise UsageError(f"not run: the code of {names} is a stranger's", advice="say --trust to run it")


def make_scratch_dirs(folder: Path, files: Mapping[str, Path], readable: Iterable[Path] = ()) -> ScratchDirs:
    """Make a worker's folders; ``files`` appear in the scratch folder, by their names, read-only.

    Parameters
    ----------
    folder : Path
        An empty folder.
    files : mapping of str to Path
        Name in the scratch folder, and where the file is.
    readable : iterable of Path
        Files and folders that the code may read where they are.
    """
    dirs = ScratchDirs(
        folder=folder,
        files={name: path.resolve() for name, path in files.items()},
        readable=tuple(path.resolve() for path in readable),
    )
    for directory in (folder, dirs.pipes, dirs.scratch):
        directory.mkdir(exist_ok=True)
        # The account that the code runs as must reach the pipes, but not list the folder.
        directory.chmod(0o711)
    return dirs


def enclose(sandbox: Sandbox, launch: Launch, dirs: ScratchDirs, limits: Limits) -> Launch:
    """Return a worker's launch inside the sandbox, with an environment that has no secrets.

    Parameters
    ----------
    sandbox : Sandbox
        From `find_sandbox`.
    launch : Launch
        The worker outside of it.
    dirs : ScratchDirs
        From `make_room`.
    limits : Limits
        What its code may use.
    """
    inside = _INSIDE if sandbox.kind == "bubblewrap" else dirs.scratch
    env = _environment(launch, inside)
    wanted = {
        "folder": str(inside),
        "nproc": limits.processes,
        "fsize": limits.file_bytes,
        "core": 0,
    }
    readable = list(_readable(launch, env, dirs)) if sandbox.kind == "bubblewrap" else []
    drops_root = sandbox.drops_root and all(map(_open_to_all, readable))
    if drops_root:
        wanted["user"] = random.choice(_USERS)
    elif sandbox.kind == "none":
        # Outside of a user namespace, the limit counts all of the user's processes.
        del wanted["nproc"]
    limited = [sys.executable, "-I", "-S", str(_WORKERS / "limited.py"), json.dumps(wanted), *launch.command]
    settings = ["env", "-i", *(f"{name}={value}" for name, value in env.items())]
    match sandbox.kind:
        case "bubblewrap":
            return Launch(command=(*settings, *_bubblewrap(dirs, limits, readable, drops_root), *limited))
        case "namespaces":
            _copy_files(dirs)
            return Launch(command=(*settings, *_UNSHARE, *limited))
        case "none":
            _copy_files(dirs)
            return Launch(command=(*settings, *limited))


_UNSHARE = ("unshare", "-U", "-r", "-n", "-p", "-f", "--kill-child", "--")


def _bubblewrap(dirs: ScratchDirs, limits: Limits, readable: Iterable[Path], drops_root: bool) -> list[str]:
    sized = ["--size", str(limits.scratch_bytes), "--perms", "1777", "--tmpfs"]
    words = ["bwrap", "--die-with-parent", "--proc", "/proc", "--dev", "/dev"]
    if drops_root:
        # Without a user namespace: inside of one, root has no other users to become.
        words += ["--unshare-ipc", "--unshare-net", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"]
        words += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        words += ["--unshare-all", "--cap-drop", "ALL"]
    words += [*sized, "/tmp", *sized, str(_INSIDE)]
    bound = {path: path for path in (*readable, dirs.pipes)} | {
        _INSIDE / name: path for name, path in dirs.files.items()
    }
    folders = dict.fromkeys(parent for path in bound for parent in reversed(path.parents))
    for folder in folders:
        # bubblewrap would make them accessible to their owner only.
        words += ["--perms", "0755", "--dir", str(folder)] if folder not in _MADE else []
    for inside, path in bound.items():
        words += ["--ro-bind", str(path), str(inside)]
    # The root itself and /dev are in memory too: they are made read-only.
    return [*words, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", str(_INSIDE), "--"]


def _readable(launch: Launch, env: Mapping[str, str], dirs: ScratchDirs) -> Iterator[Path]:
    given = [sys.prefix, sys.base_prefix, str(_WORKERS.parent), *launch.command]
    given += [part for value in env.values() for part in value.split(os.pathsep)]
    candidates = [Path(name) for name in (*_SYSTEM, *given) if name.startswith("/")]
    # For a link, its target has to be there under its own name too.
    real = [path.resolve() for path in candidates if path.exists()]
    programs = [path.parent.parent for path in real if path.is_file() and os.access(path, os.X_OK)]
    seen: list[Path] = []
    for path in [*candidates, *real, *programs, *dirs.readable]:
        hidden = path in (Path("/"), Path("/tmp"), _INSIDE, Path.home())
        if path.exists() and not hidden and not any(path.is_relative_to(other) for other in seen):
            seen.append(path)
            yield path


def _environment(launch: Launch, inside: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name.startswith(_KEPT)}
    env = {
        **kept,
        **PINNED_THREADS,
        **LOCALE,
        "PATH": os.pathsep.join(["/usr/local/bin", "/usr/bin", "/bin"]),
        "HOME": str(inside),
        "LINES": "30",
        "COLUMNS": "80",
        "MPLBACKEND": "Agg",
        "PYTHONDONTWRITEBYTECODE": "1",
        **launch.env,
    }
    # Julia writes what it compiles into the first of its depots.
    depots = env.get("JULIA_DEPOT_PATH", str(Path.home() / ".julia") + os.pathsep)
    return {**env, "JULIA_DEPOT_PATH": os.pathsep.join([str(inside / ".julia"), depots])}


def _copy_files(dirs: ScratchDirs) -> None:
    for name, path in dirs.files.items():
        shutil.copyfile(path, dirs.scratch / name)
        (dirs.scratch / name).chmod(0o444)


def _open_to_all(path: Path) -> bool:
    # Its parents do not matter: they are other folders inside.
    mode = path.stat().st_mode
    return bool(mode & 0o004) and (not path.is_dir() or bool(mode & 0o001))


def _why_not(sandbox: Sandbox) -> str:
    """Run a program inside, and return why it fails, or an empty text."""
    program = "bwrap" if sandbox.kind == "bubblewrap" else "unshare"
    if shutil.which(program) is None:
        return f"there is no {program}"
    with tempfile.TemporaryDirectory(prefix="harness-") as name:
        dirs = make_scratch_dirs(Path(name), {})
        probe = enclose(sandbox, Launch(command=("/bin/sh", "-c", "exit 0")), dirs, Limits())
        try:
            done = subprocess.run(probe.command, capture_output=True, timeout=20, text=True, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"{program} does not run: {error}"
    said = done.stderr.strip().splitlines()
    return "" if done.returncode == 0 else f"{program} does not run: {said[-1] if said else done.returncode}"
