"""The memory that processes use: their own, what they share, and what lies in file systems in memory."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import psutil

_INODE = 1 << 10
"""Bytes that the kernel keeps for a file without content, at least."""
_SHARED = ("/dev/zero (deleted)", "/memfd:", "/SYSV")
"""Names of shared memory without a file, which outlives the mapping of whoever has written to it."""


def resident(processes: Iterable[psutil.Process]) -> int:
    """Bytes of resident memory; shared pages count once for each process. Quick, and never too few."""
    total = 0
    for process in processes:
        with contextlib.suppress(psutil.Error):
            total += process.memory_info().rss
    return total


def proportional(processes: Iterable[psutil.Process]) -> int:
    """Bytes of memory, swapped or not; each shared page counts once. Slow where much is used.

    Shared memory without a file is left out: `shared` has it.
    """
    total = 0
    for process in processes:
        try:
            sizes = _sizes(Path(f"/proc/{process.pid}/smaps_rollup"))
            total += sizes["Pss"] - sizes.get("Pss_Shmem", 0) + sizes.get("SwapPss", 0)
        except (OSError, KeyError):
            total += resident([process])
    return total


def shared(processes: Iterable[psutil.Process]) -> int:
    """Bytes of shared memory without a file, as large as it is mapped, and of page tables.

    No process is resident in what it has written there and then given back (``MADV_DONTNEED``), nor in the
    tables of pages of zeros that it has only read: the kernel keeps both.
    """
    objects: dict[str, int] = {}
    tables = 0
    for process in processes:
        with contextlib.suppress(OSError, KeyError):
            tables += _sizes(Path(f"/proc/{process.pid}/status"))["VmPTE"]
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{process.pid}/maps").read_text("utf-8", "replace").splitlines():
                if not any(name in line for name in _SHARED):
                    continue
                addresses, _, offset, device, inode, _ = line.split(maxsplit=5)
                first, last = (int(address, 16) for address in addresses.split("-"))
                key = f"{device} {inode}"
                objects[key] = max(objects.get(key, 0), int(offset, 16) + last - first)
    return tables + sum(objects.values())


def in_file_systems(processes: Iterable[psutil.Process], folders: Sequence[Path]) -> int:
    """Bytes in file systems in memory, with those of deleted files and of names.

    Parameters
    ----------
    processes : iterable of Process
        The first of them that has another root folder than this process is asked.
    folders : sequence of Path
        Where the file systems are mounted, as it sees them.
    """
    here = _identity(Path("/"))
    for process in processes:
        root = Path(f"/proc/{process.pid}/root")
        with contextlib.suppress(OSError):
            if _identity(root) != here:
                return sum(_used(os.statvfs(f"{root}{folder}")) for folder in folders)
    return 0


def _used(facts: os.statvfs_result) -> int:
    blocks, names = facts.f_blocks - facts.f_bfree, facts.f_files - facts.f_ffree
    return blocks * facts.f_frsize + names * _INODE


def _identity(path: Path) -> tuple[int, int]:
    facts = path.stat()
    return facts.st_dev, facts.st_ino


def _sizes(path: Path) -> dict[str, int]:
    # Lines such as "Pss:   1234 kB".
    sizes = {}
    for line in path.read_text("utf-8", "replace").splitlines():
        name, _, size = line.partition(":")
        if size.endswith(" kB"):
            sizes[name] = int(size.removesuffix(" kB")) * 1024
    return sizes
