"""One tree of errors: each says what happened, where, and what to do; each has an exit code."""

from __future__ import annotations

import signal
from enum import IntEnum
from pathlib import Path
from unicodedata import category


class ExitCode(IntEnum):
    """What the process tells a shell or a CI."""

    OK = 0
    DIVERGENCE = 1
    USAGE = 2
    RUNTIME_MISSING = 3
    WORKER_FAILED = 4
    INCOMPLETE = 5
    INTERNAL = 70  # EX_SOFTWARE of sysexits.h
    INTERRUPTED = 130


class Terminated(KeyboardInterrupt):
    """A signal asked the process to end; what is under way ends as after an interrupt from the keyboard."""

    def __init__(self, number: int) -> None:
        super().__init__(f"ended by {signal.Signals(number).name}")


class HarnessError(Exception):
    """An error that a user can act upon.

    Parameters
    ----------
    message : str
        What is wrong, as one sentence.
    path : Path, optional
        The file that it is wrong in.
    line : int, optional
        The line of that file, counted from 1.
    advice : str, optional
        What to do about it.
    """

    exit_code: ExitCode = ExitCode.USAGE

    def __init__(
        self, message: str, *, path: Path | str | None = None, line: int | None = None, advice: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = Path(path) if path is not None else None
        self.line = line
        self.advice = advice

    def __str__(self) -> str:
        where = ""
        if self.path is not None:
            where = f"{self.path}:{self.line}: " if self.line is not None else f"{self.path}: "
        return _visible(f"{where}{self.message}" + (f"\n  -> {self.advice}" if self.advice else ""))


def _visible(text: str) -> str:
    """Text of files as it can be printed: control characters, and half characters, as their escapes."""
    return "".join(
        character if character in "\n\t" or category(character) not in {"Cc", "Cs"} else repr(character)[1:-1]
        for character in text
    )


class UsageError(HarnessError):
    """An option or argument that cannot be used."""


class CaseError(HarnessError):
    """A case.toml that is not a case."""


class FixtureError(HarnessError):
    """A fixture that is missing, damaged or does not fit its case."""


class ArrayFileError(HarnessError):
    """A file that holds no array that can be compared."""


class CompareError(HarnessError):
    """Two arrays that cannot be compared: shape or dtype differ."""


class DocumentError(HarnessError):
    """A document that cannot be read: damaged, too large, or with chunks or options that make no sense."""


class RecordError(HarnessError):
    """A results file that is not a record, or was changed."""


class ProvisionError(HarnessError):
    """A runtime that could not be found or installed."""

    exit_code = ExitCode.RUNTIME_MISSING


class ClusterError(HarnessError):
    """A cluster that cannot be reached, or none of whose machines can run anything."""

    exit_code = ExitCode.RUNTIME_MISSING


class WorkerError(HarnessError):
    """What went wrong in, or with, a worker; ``kind`` says which."""

    exit_code = ExitCode.WORKER_FAILED


class WorkerCrashed(WorkerError):
    """The worker's process ended, or wrote something that is not the protocol."""


class WorkerTimeout(WorkerError):
    """The worker did not answer before its deadline."""


class TimeTooShort(HarnessError):
    """The time that was given ended before anything could be compared."""

    exit_code = ExitCode.INCOMPLETE


class WorkerStartFailed(WorkerError):
    """The worker could not be started or did not say hello."""


class ImplementationError(HarnessError):
    """The implementation's own fault: a syntax error, a missing stage, an exception, no array returned.

    ``kind`` is one of ``load``, ``missing``, ``arity``, ``unsupported``, ``call`` and ``value`` (the
    protocol's error kinds).
    """

    def __init__(
        self,
        message: str,
        *,
        kind: str,
        path: Path | str | None = None,
        line: int | None = None,
        detail: str = "",
    ) -> None:
        super().__init__(message, path=path, line=line)
        self.kind = kind
        self.detail = detail
