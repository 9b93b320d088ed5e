"""What a worker's code prints, read from named pipes while it runs; no more of it is kept than asked for."""

from __future__ import annotations

import contextlib
import os
import select
import threading
from pathlib import Path
from typing import NamedTuple

_PIECE = 1 << 16
_LOOK_AROUND = 100
"""Longest wait for printed text, in milliseconds."""
_AT_ONCE = 64
"""Pieces that are read at the end: what the pipe holds, and not what a child goes on printing."""


class CapturedText(NamedTuple):
    """Text, and how many bytes of it were not kept."""

    text: str
    dropped: int


class TextPipe:
    """A named pipe that is read as it fills.

    Parameters
    ----------
    path : Path
        Where the pipe is made; anybody may write to it.
    keep : int
        Bytes that are kept between two calls of `take`.
    """

    def __init__(self, path: Path, *, keep: int) -> None:
        os.mkfifo(path)
        path.chmod(0o622)
        self.path = path
        self._keep = keep
        self._kept = bytearray()
        self._dropped = 0
        # Open for writing too: the pipe has no end while nobody writes.
        self._descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._reader = threading.Thread(target=self._read_on, name=f"reader of {path.name}", daemon=True)
        self._reader.start()

    def take(self) -> CapturedText:
        """Everything that was printed since the last call."""
        with self._lock:
            for _ in range(_AT_ONCE):
                if not self._read():
                    break
            text = bytes(self._kept).decode("utf-8", "replace")
            dropped = self._dropped
            self._kept.clear()
            self._dropped = 0
        return CapturedText(text, dropped)

    def close(self) -> None:
        """Stop reading, and remove the pipe."""
        self._closed.set()
        # The reader waits for a byte; where the pipe is full, it has some.
        with contextlib.suppress(OSError):
            os.write(self._descriptor, b"\0")
        self._reader.join()
        os.close(self._descriptor)
        with contextlib.suppress(OSError):
            self.path.unlink()

    def _read_on(self) -> None:
        poll = select.poll()
        poll.register(self._descriptor, select.POLLIN)
        while not self._closed.is_set():
            if poll.poll(_LOOK_AROUND):
                with self._lock:
                    self._read()

    def _read(self) -> bool:
        try:
            piece = os.read(self._descriptor, _PIECE)
        except BlockingIOError:
            return False
        room = max(0, self._keep - len(self._kept))
        self._kept += piece[:room]
        self._dropped += max(0, len(piece) - room)
        return bool(piece)
