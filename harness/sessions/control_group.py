"""A control group of the kernel's (cgroup v2): its limit of memory holds at every instant, and for all kinds.

Source: Linux, Documentation/admin-guide/cgroup-v2.rst.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from pathlib import Path

from harness.runtimes.registry import Launch

_MOUNTED = Path("/sys/fs/cgroup")
_PATIENCE = 2.0
"""Seconds for the kernel to end what is left in a group."""


class ControlGroup:
    """A group with a limit of memory. Made by `ControlGroup.make`.

    Parameters
    ----------
    folder : Path
        The group's own, which exists.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def make(cls, memory: int, mounted: Path = _MOUNTED) -> ControlGroup | None:
        """Make a group beside or below that of this process, or return None where that is not possible.

        It is possible for root where they are mounted for writing, and for a user whose service manager
        lets them (systemd: programs of a user's session).

        Parameters
        ----------
        memory : int
            Bytes that its processes may use, with files in memory and the kernel's memory for them.
        mounted : Path
            Where the control groups are.
        """
        with contextlib.suppress(OSError):
            lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
            # With version 2, there is a line "0::/a/b".
            own = next((line.removeprefix("0::/") for line in lines if line.startswith("0::/")), None)
            if own is not None and (mounted / "cgroup.controllers").exists():
                # A group with processes gives no memory to groups below it, unless it is the first of all.
                for parent in dict.fromkeys((mounted / own, (mounted / own).parent)):
                    if parent.is_relative_to(mounted) and (group := cls._below(parent, memory)) is not None:
                        return group
        return None

    @classmethod
    def _below(cls, parent: Path, memory: int) -> ControlGroup | None:
        if not os.access(parent / "cgroup.procs", os.W_OK):
            return None
        try:
            folder = Path(tempfile.mkdtemp(prefix="harness-", dir=parent))
        except OSError:
            return None
        group = cls(folder)
        try:
            (folder / "memory.max").write_text(str(memory), encoding="ascii")
            (folder / "memory.oom.group").write_text("1", encoding="ascii")
            if (folder / "memory.swap.max").exists():
                (folder / "memory.swap.max").write_text("0", encoding="ascii")
        except OSError:
            group.close()
            return None
        return group

    def around(self, launch: Launch) -> Launch:
        """Return a launch whose program joins the group before anything else."""
        join = 'echo 0 > "$0"; exec "$@"'
        return Launch(
            command=("/bin/sh", "-c", join, str(self._folder / "cgroup.procs"), *launch.command),
            env=launch.env,
        )

    @property
    def exceeded(self) -> bool:
        """Whether the kernel ended its processes for the memory that they used."""
        with contextlib.suppress(OSError):
            events = (self._folder / "memory.events").read_text(encoding="ascii").split()
            return int(events[events.index("oom_kill") + 1]) > 0
        return False

    def close(self) -> None:
        """End whatever is left in it, and remove it."""
        with contextlib.suppress(OSError):
            (self._folder / "cgroup.kill").write_text("1", encoding="ascii")
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            try:
                self._folder.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.02)
            else:
                return
