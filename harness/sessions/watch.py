"""Limits that not every kernel enforces: the memory and the number of a worker's processes."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path

import psutil

from harness.cores import cores
from harness.runtimes.process import Worker
from harness.sessions import memory
from harness.sessions.sandbox import Limits

_EVERY = 0.05
"""Seconds between two checks, at least."""
_SELDOM = 0.25
"""Seconds between two checks, at most."""
_FASTEST = 8 << 30
"""Bytes that a core fills in a second, at most: no kernel gives out empty memory more quickly."""
_MAPS_EVERY = 2
"""Checks of the processes for each look at what they have mapped, which takes longer."""
_FOLDER_EVERY = 10
"""Checks of the processes for each check of the folder."""


class Watch:
    """Checks a worker's processes, and kills all of them when they exceed a limit.

    Parameters
    ----------
    worker : Worker
        The worker whose processes are checked.
    limits : Limits
        What they may use.
    stop : threading.Event
        Ends them too, once it is set.
    folder : Path, optional
        A folder whose size counts, where the file system itself has no limit.
    in_memory : tuple of Path
        File systems in memory that the worker sees: what is in them counts as memory.
    """

    def __init__(
        self,
        worker: Worker,
        limits: Limits,
        stop: threading.Event,
        folder: Path | None = None,
        in_memory: tuple[Path, ...] = (),
    ) -> None:
        self.reason = ""
        self._in_memory = in_memory
        self._mapped = 0
        self._used = limits.memory
        self._worker = worker
        self._limits = limits
        self._stop = stop
        self._folder = folder
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look_on, name="watch", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop watching."""
        self._done.set()
        self._thread.join()

    def _look_on(self) -> None:
        looks, waited = 0, 0.0
        while not self._done.wait(_EVERY):
            waited += _EVERY
            if self._stop.is_set():
                self.reason = "the run was stopped"
            elif waited >= until_next_look(self._limits.memory - self._used, cores()):
                looks, waited = looks + 1, 0.0
                with contextlib.suppress(psutil.Error, OSError):
                    self.reason = self._look(looks)
            if self.reason:
                self._worker.kill_group()
                return

    def _look(self, looks: int) -> str:
        limits = self._limits
        root = psutil.Process(self._worker.pid)
        processes = [root, *root.children(recursive=True)]
        # Those of the sandbox itself, and threads, are counted by the kernel's own limit.
        if len(processes) > limits.processes + 4:
            return f"it started more than the {limits.processes} processes that it may"
        if looks % _MAPS_EVERY == 0:
            self._mapped = memory.shared(processes)
        elsewhere = self._mapped + memory.in_file_systems(processes, self._in_memory)
        # The first sum counts shared pages more than once, and is quick; the second does not, and is slow.
        self._used = memory.resident(processes) + elsewhere
        if elsewhere > limits.memory or (
            self._used > limits.memory and memory.proportional(processes) + elsewhere > limits.memory
        ):
            return too_much_memory(limits)
        if (
            self._folder is not None
            and looks % _FOLDER_EVERY == 0
            and _bytes_in(self._folder) > limits.scratch_bytes
        ):
            return f"it wrote more than the {_size(limits.scratch_bytes)} that it may"
        return ""


def until_next_look(left: int, busy: int) -> float:
    """Seconds in which no program could use up the memory that is left to it.

    Parameters
    ----------
    left : int
        Bytes.
    busy : int
        Cores that may fill memory at the same time.
    """
    return min(max(left / (_FASTEST * busy), _EVERY), _SELDOM)


def too_much_memory(limits: Limits) -> str:
    """Why a session ended that used more memory than it may."""
    return f"it used more than the {_size(limits.memory)} of memory that it may"


def _bytes_in(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            total += path.lstat().st_blocks * 512
    return total


def _size(count: int) -> str:
    return f"{count / (1 << 30):.3g} GiB" if count >= 1 << 30 else f"{count / (1 << 20):.3g} MiB"
