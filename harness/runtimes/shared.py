"""Memory that this process shares with a worker, as a file that has no name in any folder.

The file belongs to this process: whoever dies, and however, the kernel gives its memory back.
"""

from __future__ import annotations

import contextlib
import fcntl
import mmap
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from harness.workers.protocol import ALIGNED, LEAST_SHARED, FrameError

if TYPE_CHECKING:
    from harness.model import Array
    from harness.workers.protocol import Descriptor


class SharedMemory:
    """A file of memory for the large arrays of a request, and then for those of its reply.

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
        self._descriptor = os.memfd_create("harness", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        fcntl.fcntl(self._descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
        self._bytes: Array = np.empty(0, np.uint8)
        self._used = 0
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

    def begin(self) -> None:
        """Begin a request: what lies there is not needed any more."""
        self._used = 0

    def put(self, data: memoryview) -> int | None:
        """Copy bytes to where a worker finds them, and return the place; None where they go through the pipe.

        That is where they are few, and where there is no memory for them.
        """
        if data.nbytes < LEAST_SHARED or self._descriptor < 0:
            return None
        at = -(-self._used // ALIGNED) * ALIGNED
        try:
            if at + data.nbytes > self._bytes.size:
                # Not by ftruncate: memory that is not there would end the process when it is written to.
                os.posix_fallocate(self._descriptor, at, data.nbytes)
                self._map()
        except OSError:
            return None
        self._used = at + data.nbytes
        np.copyto(self._bytes[at : self._used], np.frombuffer(data, np.uint8))
        return at

    def take(self, announced: Descriptor) -> Array:
        """Return a copy of the bytes of an array that a worker has put there.

        Raises
        ------
        FrameError
            They are not there.
        """
        at = announced.at
        try:
            self._map()
        except OSError as error:
            raise FrameError(f"the shared memory cannot be read: {error.strerror}") from error
        if at is None or at + announced.nbytes > self._bytes.size:
            raise FrameError(f"an array lies at {at}, beyond the {self._bytes.size} bytes of shared memory")
        return self._bytes[at : at + announced.nbytes].copy()

    def close(self) -> None:
        """Give it back."""
        self._bytes = np.empty(0, np.uint8)
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _map(self) -> None:
        size = os.fstat(self._descriptor).st_size
        if size != self._bytes.size:
            self._bytes = np.frombuffer(mmap.mmap(self._descriptor, size), np.uint8)
