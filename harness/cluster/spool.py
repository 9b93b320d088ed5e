"""Brings answers into the order of the plan: those that are early wait on the disk."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

from harness.cluster.units import Answer
from harness.errors import UsageError


class Spool:
    """Answers by their places.

    Parameters
    ----------
    folder : Path
        Where those that are early wait, so that memory does not grow with them.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._early: set[int] = set()
        self._next = 0

    def put(self, place: int, answer: Answer) -> Iterator[tuple[int, Answer]]:
        """Take an answer, and give all whose turn it is now.

        Raises
        ------
        UsageError
            The disk for temporary files is full.
        """
        if place < self._next or place in self._early:
            raise ValueError(f"there are two answers for unit {place}")
        if place != self._next:
            self._keep(place, answer)
            return
        yield place, answer
        self._next += 1
        while self._next in self._early:
            path = self._path(self._next)
            yield self._next, pickle.loads(path.read_bytes())
            path.unlink()
            self._early.remove(self._next)
            self._next += 1

    def rest(self) -> Iterator[tuple[int, Answer]]:
        """Give all that still wait: the run was interrupted."""
        for place in sorted(self._early):
            yield place, pickle.loads(self._path(place).read_bytes())
        self._early.clear()

    def _keep(self, place: int, answer: Answer) -> None:
        try:
            self._path(place).write_bytes(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))
        except OSError as error:
            raise UsageError(
                f"cannot be written: {error.strerror}",
                path=self._folder,
                advice="set TMPDIR to a folder on a disk that has room",
            ) from error
        self._early.add(place)

    def _path(self, place: int) -> Path:
        return self._folder / str(place)
