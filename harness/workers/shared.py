"""Memory that the harness shares, on the worker's side: see ``Shared memory`` in docs/protocol.md."""

from __future__ import annotations

import mmap
import os

import numpy as np

from harness.workers.protocol import ALIGNED, LEAST_SHARED, Array, Descriptor, FrameError


class SharedMemory:
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
        self._descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        self._bytes: Array = np.empty(0, np.uint8)
        self._used = 0
        self._map()

    def look(self, descriptor: Descriptor) -> Array:
        """The bytes of an array of the request, where they lie until the reply.

        Raises
        ------
        FrameError
            They are not there.
        """
        self._map()
        at = descriptor.at or 0
        if at + descriptor.nbytes > self._bytes.size:
            raise FrameError(f"an array lies at {at}, beyond the {self._bytes.size} bytes of shared memory")
        return self._bytes[at : at + descriptor.nbytes]

    def take(self, descriptor: Descriptor) -> Array:
        """A copy of the bytes of an array of the request; raises as `look` does."""
        return self.look(descriptor).copy()

    def begin(self) -> None:
        """Begin a reply: what the request has put there is not needed any more."""
        self._used = 0

    def put(self, data: memoryview) -> int | None:
        """Copy an array's bytes there, and return the place; None where they go through the pipe."""
        if data.nbytes < LEAST_SHARED:
            return None
        at = -(-self._used // ALIGNED) * ALIGNED
        try:
            if at + data.nbytes > self._bytes.size:
                # Not by ftruncate: memory that is not there would end the process when it is written to.
                os.posix_fallocate(self._descriptor, at, data.nbytes)
                self._map()
        except OSError:
            # No memory for one more copy.
            return None
        self._used = at + data.nbytes
        np.copyto(self._bytes[at : self._used], np.frombuffer(data, np.uint8))
        return at

    def _map(self) -> None:
        size = os.fstat(self._descriptor).st_size
        if size != self._bytes.size:
            self._bytes = np.frombuffer(mmap.mmap(self._descriptor, size), np.uint8)
