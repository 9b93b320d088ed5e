"""A sandbox for untrusted code: which one this machine offers, and a worker's command inside of it."""

from __future__ import annotations

import json
import os
import platform
import random
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from harness.errors import UsageError, WorkerStartFailed
from harness.model import Frozen
from harness.runtimes.child import LOCALE, PINNED_THREADS
from harness.runtimes.registry import Launch
from harness.sessions import bubblewrap
from harness.sessions.scratch import ScratchDirs, make_scratch_dirs
from harness.store.temporary import temporary_folder
from harness.workers.limited import MACHINES

_WORKERS = Path(__file__).resolve().parents[1] / "workers"
_LIMITED = _WORKERS / "limited.py"
_USERS = range(61184, 65520)
"""Numbers that no account has: systemd, too, gives them to whatever needs a user for a while."""
_MOST_OPEN_FILES = 512
_DEADLINE = 60
"""Seconds for a program that does nothing to end inside of a sandbox that works."""

_KEPT = ("JULIA_", "PYTHON_JULIA", "R_HOME", "R_LIBS", "LD_LIBRARY_PATH", "TZ")
"""Prefixes of the environment variables that a worker keeps; all others may hold secrets."""


class Limits(Frozen, frozen=True, kw_only=True):
    """What a document's code may use.

    Attributes
    ----------
    chunk_seconds : float
        Time for one chunk.
    memory : int
        Bytes of memory, of all its processes together, with what they share and what they write to memory.
    processes : int
        Processes and threads.
    file_bytes : int
        Size of one file that it writes.
    scratch_bytes : int
        Size of everything that it writes.
    array_bytes : int
        Size of the arrays that are taken out of a session at once.
    text_bytes : int
        Printed text that is kept of one chunk.
    """

    chunk_seconds: float = 300.0
    memory: int = 4 << 30
    processes: int = 64
    file_bytes: int = 64 << 20
    scratch_bytes: int = 256 << 20
    array_bytes: int = 256 << 20
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
    unsandboxed : bool
        Whether the user has said that code may run where this is no confinement (``--unsandboxed``).
    """

    kind: Literal["bubblewrap", "namespaces", "none"]
    drops_root: bool = False
    reason: str = ""
    unsandboxed: bool = False

    @property
    def confines(self) -> bool:
        """Whether the code is kept from this user's files, the network and other processes."""
        return self.kind == "bubblewrap" and (self.drops_root or os.getuid() != 0)

    @property
    def statement(self) -> str:
        """One sentence for the report: what the code was kept from."""
        said = {
            "bubblewrap": "in bubblewrap: no network, own processes, a scratch folder, all else read-only",
            "namespaces": "with no network and its own processes; files of this user were NOT protected",
            "none": "with limits alone: network and files of this user were NOT protected",
        }[self.kind]
        if sys.platform == "linux" and platform.machine() not in MACHINES:
            said += f"; on {platform.machine()} no system calls are refused"
        return f"{said} ({self.reason})" if self.reason else said

    @property
    def question(self) -> str:
        """What a person should know before the code runs: where it would, and what that leaves open."""
        return {
            "bubblewrap": "It would run in bubblewrap, kept from the network, other processes and this user's"
            " files. It can read installed programs and packages, and files beside the document that"
            " it names; against a hole in the kernel there is no protection.",
            "namespaces": "It would run WITHOUT a sandbox for files: it can read, change and delete whatever"
            " this user can. Network and other processes are kept from it.",
            "none": "It would run WITHOUT a sandbox: it can read, change and delete whatever this user can,"
            " use the network and end other processes.",
        }[self.kind]


def find_sandbox(*, unsandboxed: bool = False) -> Sandbox:
    """The best sandbox that works on this machine: each one is tried, not only looked up.

    Parameters
    ----------
    unsandboxed : bool
        Whether the user has said that code may run without confinement.

    Raises
    ------
    UsageError
        None confines code, and ``unsandboxed`` is false.
    """
    tries = [Sandbox(kind="bubblewrap"), Sandbox(kind="namespaces")]
    if os.getuid() == 0:
        # Root could read what others may not, and limits on the number of processes do not count for it.
        tries = [msgspec.structs.replace(sandbox, drops_root=True) for sandbox in tries]
    reasons: list[str] = []
    for sandbox in tries:
        why = _why_not(sandbox)
        if not why:
            break
        reasons.append(why)
    else:
        sandbox = Sandbox(kind="none", drops_root=os.getuid() == 0)
    reason = "; ".join(dict.fromkeys(reasons)) if sandbox.kind != "bubblewrap" else ""
    sandbox = msgspec.structs.replace(sandbox, reason=reason, unsandboxed=unsandboxed)
    _require_confinement(sandbox)
    return sandbox


def _require_confinement(sandbox: Sandbox) -> None:
    """Refuse to go on where nothing confines code, and nobody has said that nothing needs to.

    Raises
    ------
    UsageError
        With what to install, or to say.
    """
    if sandbox.confines or sandbox.unsandboxed:
        return
    why = f" ({sandbox.reason})" if sandbox.reason else ""
    do = (
        "let bubblewrap make namespaces (docs/security.md says how)"
        if shutil.which("bwrap")
        else "install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap)"
        if sys.platform == "linux"
        else "run it on Linux, where bubblewrap is"
    )
    raise UsageError(
        f"not run: nothing here would keep a document's code from this user's files{why}",
        advice=f"{do}, or say --unsandboxed to run it with this user's rights",
    )


class SandboxedLaunch(NamedTuple):
    """A worker's launch inside the sandbox, and why its code runs as root, where it does."""

    launch: Launch
    as_root: str = ""


def enclose(sandbox: Sandbox, launch: Launch, dirs: ScratchDirs, limits: Limits) -> SandboxedLaunch:
    """Return a worker's launch inside the sandbox, with an environment that has no secrets.

    Parameters
    ----------
    sandbox : Sandbox
        From `find_sandbox`.
    launch : Launch
        The worker outside of it.
    dirs : ScratchDirs
        From `make_scratch_dirs`.
    limits : Limits
        What its code may use.

    Raises
    ------
    UsageError
        The sandbox confines nothing, and nobody has said that it need not.
    WorkerStartFailed
        The code would run as root, and nobody has said that it may.
    """
    _require_confinement(sandbox)
    confined = sandbox.kind == "bubblewrap"
    inside = bubblewrap.INSIDE if confined else dirs.scratch
    env = _environment(launch, inside)
    named = [str(_WORKERS.parent), *launch.command]
    named += [part for value in env.values() for part in value.split(os.pathsep)]
    readable = [*bubblewrap.readable(named, dirs.readable)]
    as_root = _why_root(sandbox, readable, [sys.executable, *launch.command])
    if as_root and not sandbox.unsandboxed:
        raise WorkerStartFailed(
            f"the code would run as root: {as_root}",
            advice="make it readable to other users (chmod o+rX), run the harness as an ordinary user, "
            "or say --unsandboxed",
        )
    wanted: dict[str, object] = {
        "folder": str(inside / dirs.place),
        "nproc": limits.processes,
        "fsize": limits.file_bytes,
        "nofile": _MOST_OPEN_FILES,
        "core": 0,
        "filter": confined,
        "copies": [*bubblewrap.copies(dirs.copied).values()] if confined else [],
    }
    user = random.choice(_USERS) if os.getuid() == 0 and not as_root else None
    if user is not None:
        wanted["user"] = user
    elif sandbox.kind == "none":
        # Outside of a user namespace, the limit counts all of the user's processes.
        del wanted["nproc"]
    limited = [sys.executable, "-I", "-S", str(_LIMITED), json.dumps(wanted), *launch.command]
    settings = ["env", "-i", *(f"{name}={value}" for name, value in env.items())]
    before: list[str] = []
    match sandbox.kind:
        case "bubblewrap":
            before = bubblewrap.command(
                scratch_bytes=limits.scratch_bytes,
                readable=[*readable, dirs.pipes],
                files=dirs.files,
                drops_root=user is not None,
                place=dirs.place,
                copied=dirs.copied,
            )
        case "namespaces":
            program = shutil.which("unshare") or "unshare"
            before = [program, *(_UNSHARE if user is None else _UNSHARE_ROOT), "--"]
        case "none":
            pass
    if not confined:
        dirs.copy_files(user)
    return SandboxedLaunch(Launch(command=(*settings, *before, *limited)), as_root)


_UNSHARE = ("--user", "--map-current-user", "--net", "--pid", "--fork", "--kill-child")
_UNSHARE_ROOT = ("--net", "--ipc", "--pid", "--mount-proc", "--fork", "--kill-child")
"""Root needs no user namespace, and inside of one it has no other users to become."""


def _why_root(sandbox: Sandbox, readable: Iterable[Path], programs: Iterable[str]) -> str:
    """Why code that root starts has to run as root; empty where another user starts it, or it need not."""
    if os.getuid() != 0:
        return ""
    if not sandbox.drops_root:
        return "this sandbox does not change the user"
    if sandbox.kind == "bubblewrap":
        # The folders above do not matter: they are other folders inside.
        closed = [path for path in readable if not _open_to_all(path)]
    else:
        wanted = [Path(word) for word in (*programs, str(_LIMITED)) if word.startswith("/")]
        real = [name for path in wanted for name in (path, path.resolve())]
        closed = [
            path
            for name in real
            for path in (name, *name.parents)
            if path.exists() and not _open_to_all(path)
        ]
    return f"{closed[0]} is closed to all other users" if closed else ""


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


def _open_to_all(path: Path) -> bool:
    mode = path.stat().st_mode
    return bool(mode & 0o004) and (not path.is_dir() or bool(mode & 0o001))


def _why_not(sandbox: Sandbox) -> str:
    """Run a program inside, and return why it fails, or an empty text."""
    program = "bwrap" if sandbox.kind == "bubblewrap" else "unshare"
    if shutil.which(program) is None:
        return f"there is no {program}"
    with temporary_folder() as folder:
        dirs = make_scratch_dirs(folder, {})
        permitted = msgspec.structs.replace(sandbox, unsandboxed=sandbox.kind != "bubblewrap")
        try:
            probe = enclose(permitted, Launch(command=("/bin/sh", "-c", "exit 0")), dirs, Limits()).launch
            done = subprocess.run(
                probe.command, capture_output=True, timeout=_DEADLINE, text=True, check=False
            )
        except WorkerStartFailed as error:
            return error.message
        except subprocess.TimeoutExpired:
            return f"{program} did not end within {_DEADLINE} s"
        except OSError as error:
            return f"{program} does not run: {error}"
    said = done.stderr.strip().splitlines()
    return "" if done.returncode == 0 else f"{program} does not run: {said[-1] if said else done.returncode}"
