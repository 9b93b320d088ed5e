"""The command line of bubblewrap: what the code inside can see, and what it may do."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

INSIDE = Path("/document")
"""The scratch folder's name inside, and the home of whoever runs there."""

_MADE = frozenset({Path("/"), Path("/tmp"), INSIDE})

_SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt/homebrew", "/etc/alternatives", "/etc/fonts",
    "/etc/group", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/locale.alias",
    "/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd", "/etc/R",
)  # fmt: skip


def command(
    *,
    scratch_bytes: int,
    readable: Iterable[Path],
    files: Mapping[str, Path],
    drops_root: bool,
    place: str = "",
    copied: Collection[str] = (),
) -> list[str]:
    """The words before the program that runs inside.

    Parameters
    ----------
    scratch_bytes : int
        Size of the scratch folder, and of ``/tmp``; both are in memory.
    readable : iterable of Path
        Files and folders that are there under their own names, read-only.
    files : mapping of str to Path
        Name in the scratch folder, and where the file is; read-only.
    drops_root : bool
        Whether root starts it, and the program will become another user.
    place : str
        Where in the scratch folder it runs.
    copied : collection of str
        The files that are not in the scratch folder yet: `copies` says where they are, and what is to be
        copied there.
    """
    sized = ["--size", str(scratch_bytes), "--perms", "1777", "--tmpfs"]
    words = [shutil.which("bwrap") or "bwrap", "--die-with-parent", "--proc", "/proc", "--dev", "/dev"]
    if drops_root or (os.getuid() == 0 and not _can_make_userns(words[0])):
        # Root needs no user namespace, and inside of one it has no other users to become.
        words += ["--unshare-ipc", "--unshare-net", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"]
        words += ["--cap-drop", "ALL"]
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"] if drops_root else []
    else:
        words += ["--unshare-all", "--cap-drop", "ALL"]
        words += ["--unshare-user", "--disable-userns"] if _can_disable_userns(words[0]) else []
    words += [*sized, "/tmp", *sized, str(INSIDE)]
    bound = {path: path for path in readable}
    bound |= {INSIDE / name: path for name, path in files.items() if name not in copied}
    bound |= {Path(source): files[name] for name, (source, _) in copies(copied).items()}
    begun = INSIDE / place
    folders = dict.fromkeys(
        parent
        for path in (*bound, *(INSIDE / name for name in copied), begun / "file")
        for parent in reversed(path.parents)
    )
    for folder in folders:
        # bubblewrap would make them accessible to their owner only; code may write beside its files.
        mode = "1777" if INSIDE in folder.parents else "0755"
        words += ["--perms", mode, "--dir", str(folder)] if folder not in _MADE else []
    for inside, path in bound.items():
        words += ["--ro-bind", str(path), str(inside)]
    # The root itself and /dev are in memory too: they are made read-only.
    return [*words, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", str(begun), "--"]


def copies(copied: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Where files lie inside from which copies are made, and where these are to be, by name.

    Parameters
    ----------
    copied : iterable of str
        Names in the scratch folder.
    """
    return {name: (f"/given/{number}", str(INSIDE / name)) for number, name in enumerate(sorted(copied))}


def readable(names: Iterable[str], more: Iterable[Path]) -> Iterator[Path]:
    """What must be there for a program to run: the system's folders, Python's, and what the program names.

    Parameters
    ----------
    names : iterable of str
        Words of the program's command and parts of its environment; those that begin with ``/`` count.
    more : iterable of Path
        Files and folders that it may read besides.
    """
    candidates = [
        Path(name) for name in (*_SYSTEM, sys.prefix, sys.base_prefix, *names) if name.startswith("/")
    ]
    # For a link, its target has to be there under its own name too.
    real = [path.resolve() for path in candidates if path.exists()]
    programs = [path.parent.parent for path in real if path.is_file() and os.access(path, os.X_OK)]
    hidden = {Path("/"), Path("/tmp"), INSIDE, Path.home()}
    seen: set[Path] = set()
    for path in [*candidates, *real, *programs, *more]:
        known = path in hidden or path in seen or not seen.isdisjoint(path.parents)
        if not known and path.exists():
            seen.add(path)
            yield path


@functools.cache
def _can_disable_userns(program: str) -> bool:
    # From bubblewrap 0.8 on. The filter of system calls refuses user namespaces as well.
    done = _tried(program, "--help")
    return done is not None and "--disable-userns" in done.stdout + done.stderr


@functools.cache
def _can_make_userns(program: str) -> bool:
    # In a chroot, and where a setting of the kernel forbids it, nobody can.
    done = _tried(program, "--unshare-user", "--ro-bind", "/", "/", "true")
    return done is not None and done.returncode == 0


def _tried(*command: str) -> subprocess.CompletedProcess[str] | None:
    """Run a program that ends at once; None where it does not start or does not end."""
    try:
        return subprocess.run(command, capture_output=True, timeout=20, text=True, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
