"""Processes that a worker has started, in its process group or out of it."""

from __future__ import annotations

import contextlib
import os
import time
import uuid
from collections.abc import Collection, Iterator, Mapping

import psutil

MARK = "HARNESS_STARTED_BY"
"""An environment variable of a worker and of all that it starts: its mark, after those of workers above."""

_ROUNDS = 20
_ROUND_SECONDS = 0.1
_EXEC_SECONDS = 0.01
"""While a process becomes another program, its environment reads as empty for an instant."""


def marked(env: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """Return an environment with a new mark, and that mark."""
    mark = uuid.uuid4().hex
    return {**env, MARK: " ".join(filter(None, [env.get(MARK, ""), mark]))}, mark


def descendants(process: psutil.Process) -> set[psutil.Process]:
    """The processes below this one, as long as those between them live."""
    try:
        return set(process.children(recursive=True))
    except psutil.Error:
        return set()


def with_mark(mark: str) -> Iterator[psutil.Process]:
    """The processes that have this mark in their environment; on Linux alone can that be read."""
    for pid in psutil.pids():
        # Another user's cannot be read, nor one that has ended.
        with contextlib.suppress(psutil.Error, OSError):
            if pid != os.getpid() and has_mark(_environ(pid), mark):
                yield psutil.Process(pid)


def _environ(pid: int) -> bytes:
    # A Path would intern every number there is, and the table of interned names would grow with each look.
    with open(f"/proc/{pid}/environ", "rb") as file:  # noqa: PTH123
        return file.read()


def kill_all(mark: str, known: Collection[psutil.Process]) -> None:
    """Kill the processes with a mark from `marked`, those that are known, and what is below all of these.

    What was started without the mark, by a process that has ended, is not found.
    """
    quiet = 0
    for _ in range(_ROUNDS):
        # One that is found may have started another since.
        found = {*with_mark(mark), *(process for process in known if process.is_running())}
        for process in list(found):
            found |= descendants(process)
        found = {process for process in found if not _is_dead(process)}
        if not found:
            quiet += 1
            if quiet == 2:
                return
            time.sleep(_EXEC_SECONDS)
            continue
        quiet = 0
        for process in found:
            with contextlib.suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(found, timeout=_ROUND_SECONDS)


def has_mark(environ: bytes, mark: str) -> bool:
    """Whether the variable has the whole mark as one of its words: never a part of one, or of another."""
    start = f"{MARK}=".encode()
    return any(
        mark.encode() in variable.removeprefix(start).split(b" ")
        for variable in environ.split(b"\0")
        if variable.startswith(start)
    )


def _is_dead(process: psutil.Process) -> bool:
    try:
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return True
