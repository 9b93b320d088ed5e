"""Memory that the harness and a worker share, and the worker's side of it (docs/protocol.md)."""

from __future__ import annotations

import mmap
import os

import numpy as np

from harness.workers.protocol import ALIGNED, LEAST_SHARED, Array, Descriptor, FrameError


class MemoryFile:
    """A file of memory for the large arrays of a request, and then for those of its reply.

    Parameters
    ----------
    descriptor : int
        Of the open file.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._bytes: Array = np.empty(0, np.uint8)
        self._used = 0

    def begin(self) -> None:
        """Begin a frame: what lies there is not needed any more."""
        self._used = 0

    def look(self, descriptor: Descriptor) -> Array:
        """The bytes of an array of the other side, where they lie until the next frame.

        Raises
        ------
        FrameError
            They are not there.
        """
        try:
            self._map()
        except OSError as error:
            raise FrameError(f"the shared memory cannot be read: {error.strerror}") from error
        at = descriptor.at
        if at is None or at + descriptor.nbytes > self._bytes.size:
            raise FrameError(f"an array lies at {at}, beyond the {self._bytes.size} bytes of shared memory")
        return self._bytes[at : at + descriptor.nbytes]

    def take(self, descriptor: Descriptor) -> Array:
        """A copy of the bytes of an array of the other side; raises as `look` does."""
        return self.look(descriptor).copy()

    def put(self, data: memoryview) -> int | None:
        """Copy an array's bytes there, and return the place; None where they go through the pipe.

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

    def _map(self) -> None:
        size = os.fstat(self._descriptor).st_size
        if size != self._bytes.size:
            self._bytes = np.frombuffer(mmap.mmap(self._descriptor, size), np.uint8)


class SharedMemory(MemoryFile):
    """The file of memory that ``hello`` names.

    Parameters
    ----------
    path : str
        Its place.

    Raises
    ------
    OSError
        It cannot be opened here.
    """

    def __init__(self, path: str) -> None:
        super().__init__(os.open(path, os.O_RDWR | os.O_CLOEXEC))
        self._map()
