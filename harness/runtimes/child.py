"""A child process with pipes: started in a group of its own, never waited for without a deadline."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

from harness.runtimes.descendants import descendants, kill_all, marked

PINNED_THREADS: Mapping[str, str] = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "BLIS_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "JULIA_NUM_THREADS": "1",
}
"""One thread for each library: with more, the order of sums changes, and with it their last bits."""

LOCALE: Mapping[str, str] = {
    "LC_ALL": "en_US.UTF-8" if sys.platform == "darwin" else "C.UTF-8",
    "LANGUAGE": "en",
}
"""One locale, so that sorting, decimal points and messages are the same; UTF-8 encodes every file name."""

_LOOK_AROUND = 0.25
"""Seconds between checks whether the child still lives and how much it has written to its stderr."""
_PIPE_BYTES = 1 << 20
_MOST_STDERR = 1 << 28


class ChildEnded(Exception):
    """The child has closed its pipes or ended."""


class Flooded(Exception):
    """The child has written more to its standard error than is kept."""


class Child:
    """A process, its two pipes and a file with what it writes to standard error.

    When the process ends, for whatever reason, the rest of its process group is killed, and so is what it has
    started outside of the group.

    Parameters
    ----------
    command : sequence of str
        Program and arguments.
    env : mapping
        The whole environment.
    stderr : Path
        File for its standard error; written anew.

    Raises
    ------
    OSError
        The program cannot be started, or the file cannot be written.
    """

    def __init__(self, command: Sequence[str], env: Mapping[str, str], stderr: Path) -> None:
        self._command = list(command)
        self._env, self._mark = marked(env)
        self._descendants: set[psutil.Process] = set()
        self._stderr = stderr
        self._started = threading.Event()
        self._ended = threading.Event()
        self._refused: Exception | None = None
        self._process: subprocess.Popen[bytes] | None = None
        # Linux kills such a child when the thread that started it ends, so that thread is kept.
        threading.Thread(target=self._guard, name=f"guard of {command[0]}", daemon=True).start()
        self._started.wait()
        if self._refused is not None:
            raise self._refused
        process = self.process
        assert process.stdin is not None
        assert process.stdout is not None
        self._in: io.FileIO = process.stdin  # type: ignore[assignment]
        self._out: io.FileIO = process.stdout  # type: ignore[assignment]
        self._buffer = bytearray()
        self.filled = 0
        for pipe in (self._in, self._out):
            os.set_blocking(pipe.fileno(), False)
            with contextlib.suppress(OSError, AttributeError):
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """The process itself."""
        assert self._process is not None
        return self._process

    @property
    def ended(self) -> bool:
        """Whether the process has ended and been reaped."""
        return self._ended.is_set()

    def _guard(self) -> None:
        try:
            with self._stderr.open("wb") as errors:
                self._process = subprocess.Popen(
                    self._command, env=self._env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    stderr=errors, bufsize=0, start_new_session=True,
                )  # fmt: skip
        except Exception as error:
            self._refused = error
            return
        finally:
            self._started.set()
        pid = self._process.pid
        if hasattr(os, "waitid"):
            # Not reaped yet, so its number, and its group's, cannot belong to another.
            with contextlib.suppress(ChildProcessError):
                os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
            self.signal(signal.SIGKILL)
            kill_all(self._mark, list(self._descendants))
            self._process.wait()
        else:
            self._process.wait()
            self.signal(signal.SIGKILL)
            kill_all(self._mark, list(self._descendants))
        self._ended.set()

    def note_descendants(self) -> None:
        """Note what the process has started, while that can be seen; all of it is killed at the end."""
        with contextlib.suppress(psutil.Error):
            self._descendants |= descendants(psutil.Process(self.process.pid))

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the whole group, if there still is one."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)

    def wait(self, seconds: float) -> bool:
        """Wait for the end, and return whether the process has ended."""
        return self._ended.wait(seconds)

    def close(self) -> None:
        """Close both pipes."""
        for pipe in (self._in, self._out):
            with contextlib.suppress(OSError):
                pipe.close()

    def end_input(self) -> None:
        """Close the pipe that the child reads: nothing more will come."""
        with contextlib.suppress(OSError):
            self._in.close()

    def write(self, pieces: Sequence[bytes | memoryview], until: float) -> None:
        """Write everything before the monotonic time ``until``.

        Raises
        ------
        TimeoutError
            The child did not read it in time.
        ChildEnded
            The child has closed its end.
        Flooded
            The child has filled its standard error.
        """
        for piece in pieces:
            view = memoryview(piece).cast("B")
            while view:
                try:
                    count = self._in.write(view)
                except (BrokenPipeError, ValueError) as error:
                    raise ChildEnded from error
                if count is None:
                    self._wait_for(self._in, select.POLLOUT, until)
                else:
                    view = view[count:]

    def read_line(self, longest: int, until: float) -> bytes:
        """Read up to and with the next line break, or ``longest`` bytes; raises as `write` does."""
        seen = 0
        while (end := self._buffer.find(b"\n", seen)) < 0 and len(self._buffer) < longest:
            seen = len(self._buffer)
            self._buffer += self._read(1 << 16, until)
        end = end + 1 if end >= 0 else longest
        line = bytes(self._buffer[:end])
        del self._buffer[:end]
        return line

    def fill(self, view: memoryview, until: float) -> None:
        """Fill a memory view with the next bytes, and count them; raises as `write` does."""
        count = min(len(view), len(self._buffer))
        self.filled += count
        view[:count] = self._buffer[:count]
        del self._buffer[:count]
        view = view[count:]
        while view:
            read = self._out.readinto(view)
            if read == 0:
                raise ChildEnded
            if read is None:
                self._wait_for(self._out, select.POLLIN, until)
            else:
                self.filled += read
                view = view[read:]

    def _read(self, most: int, until: float) -> bytes:
        while (data := self._out.read(most)) is None:
            self._wait_for(self._out, select.POLLIN, until)
        if not data:
            raise ChildEnded
        return data

    def _wait_for(self, pipe: io.FileIO, event: int, until: float) -> None:
        poll = select.poll()
        poll.register(pipe, event)
        while True:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            gone = self.ended
            if poll.poll(1000 * min(left, _LOOK_AROUND)):
                return
            # A process that the child started may keep the pipe open: without more data, this is the end.
            if gone:
                raise ChildEnded
            if self.flooded:
                raise Flooded

    @property
    def flooded(self) -> bool:
        """Whether the child has written more to standard error than is kept."""
        return self.stderr_size > _MOST_STDERR

    @property
    def stderr_size(self) -> int:
        """How many bytes the child has written to standard error; 0 where the file was removed."""
        try:
            return self._stderr.stat().st_size
        except OSError:
            return 0

    def stderr_tail(self, most: int = 4000, since: int = 0) -> str:
        """Return the end of what the child has written to standard error, after the first ``since`` bytes."""
        try:
            with self._stderr.open("rb") as errors:
                errors.seek(0, os.SEEK_END)
                size = errors.tell()
                errors.seek(max(since, size - most))
                data = errors.read(most)
        except OSError:
            return ""
        if size - since > most:
            # The first line may be cut, even within a character.
            data = data.split(b"\n", 1)[-1]
        return data.decode("utf-8", "replace")
