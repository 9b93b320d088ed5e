"""Standard output and error that cannot fail: a closed pipe or a full disk changes no exit code."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TextIO


def answers() -> bool:
    """Whether there is somebody who can answer a question: standard input may be closed."""
    return sys.stdin is not None and sys.stdin.isatty()


@contextmanager
def unbreakable() -> Iterator[Callable[[], str]]:
    """Drop what standard output and error cannot take; a loss of output is reported on standard error.

    A reader that has seen enough (``| head``) is no error. Characters that a stream cannot show are escaped.

    Yields
    ------
    lost : callable
        Says why something that was printed is lost; empty if nothing is, or to a reader that had seen enough.
    """
    with ExitStack() as stack:
        out = stack.enter_context(_replaced("stdout"))
        stack.enter_context(_replaced("stderr"))

        def lost() -> str:
            sys.stdout.flush()
            problem = out.problem if out is not None else None
            return "" if problem is None or problem.errno == errno.EPIPE else str(problem.strerror)

        try:
            yield lost
        finally:
            if why := lost():
                print(f"not all could be printed: {why}", file=sys.stderr)


class _Lossy(io.RawIOBase):
    """A file that accepts all text; after the first failed write nothing more is written."""

    def __init__(self, file: io.RawIOBase) -> None:
        self.file = file
        self.problem: OSError | None = None

    def writable(self) -> bool:
        """Whether it can be written to: always."""
        return True

    def fileno(self) -> int:
        """The descriptor of the file behind it."""
        return self.file.fileno()

    def isatty(self) -> bool:
        """Whether the file is a terminal."""
        return self.file.isatty()

    def write(self, data: Any) -> int | None:
        """Write the bytes, or drop them."""
        if self.problem is None:
            try:
                return self.file.write(data)
            except OSError as problem:
                self.problem = problem
        return len(memoryview(data).cast("B"))


@contextmanager
def _replaced(name: str) -> Iterator[_Lossy | None]:
    stream: TextIO | None = getattr(sys, name)
    if stream is None:
        # It was closed before the process began.
        with Path(os.devnull).open("w", encoding="utf-8") as nothing:
            setattr(sys, name, nothing)
            try:
                yield None
            finally:
                setattr(sys, name, None)
        return
    buffer = getattr(stream, "buffer", None)
    file = buffer if isinstance(buffer, io.FileIO) else getattr(buffer, "raw", None)
    if not isinstance(file, io.RawIOBase) or not isinstance(stream, io.TextIOWrapper):
        # Not the process's own stream: whoever replaced it handles its errors.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
        yield None
        return
    stream.flush()
    lossy = _Lossy(file)
    ours = io.TextIOWrapper(
        io.BufferedWriter(lossy),
        encoding=stream.encoding,
        errors="backslashreplace",
        line_buffering=stream.line_buffering or name == "stderr",
        write_through=stream.write_through,
    )
    setattr(sys, name, ours)
    try:
        yield lossy
    finally:
        ours.flush()
        setattr(sys, name, stream)
