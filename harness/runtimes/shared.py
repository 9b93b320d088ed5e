"""Memory that this process shares with a worker, as a file that has no name in any folder.

The file belongs to this process: whoever dies, and however, the kernel gives its memory back.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
from pathlib import Path

import numpy as np

from harness.workers.shared import MemoryFile


class SharedMemory(MemoryFile):
    """The file of memory of one worker.

    It is kept from request to request, for new memory costs several times what a copy costs. A worker can
    make it longer and not shorter, so that nothing can be taken away under the reader. Arrays are copied out
    of it, so that nothing changes afterwards.

    Raises
    ------
    OSError
        This system has no such files.
    """

    def __init__(self) -> None:
        if sys.platform != "linux" or not Path("/proc/self/fd").is_dir():
            raise OSError("no files of memory")
        super().__init__(os.memfd_create("harness", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING))
        fcntl.fcntl(self._descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
        os.posix_fallocate(self._descriptor, 0, 1)

    @classmethod
    def where_possible(cls) -> SharedMemory | None:
        """Memory to share; None where this system, or what it has left, does not allow it."""
        with contextlib.suppress(OSError):
            return cls()
        return None

    @property
    def path(self) -> str:
        """The place where a worker of this machine finds it."""
        return f"/proc/{os.getpid()}/fd/{self._descriptor}"

    def close(self) -> None:
        """Give it back."""
        self._bytes = np.empty(0, np.uint8)
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
