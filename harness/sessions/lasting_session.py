"""A session that is begun anew, without the statement that ended it; all before is run again."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import NamedTuple, Self

import msgspec

from harness.errors import ImplementationError, WorkerError
from harness.model import Array, RuntimeInfo
from harness.runtimes.registry import Launch
from harness.sessions.sandboxed_session import SandboxedSession, Setting
from harness.sessions.session import CodeError, Evaluated

_LATER = 0.2
"""Part of the time for one evaluation that others have, once a statement has used up all of it."""
_LATER_SECONDS = 30.0
"""Seconds that each of them has at least."""
_TIMES = 2.0
"""How many times the time for one evaluation may go to what ends a session; as much to running again."""
_LEAST = 60.0
"""Seconds that may go to either in any document."""


class Piece(NamedTuple):
    """One evaluation: what was asked for."""

    code: str
    file: str
    line: int
    keep_going: bool


Lost = Mapping[Piece, CodeError]
"""Evaluations that ended a session, and how; in another run, their statements are left out from the start."""


class TimeLost:
    """Time that a document's statements that end sessions have taken, and running again what was before them.

    Parameters
    ----------
    most : float
        Seconds for one evaluation; twice as many may be lost, and twice as many go to running again: a long
        document that is run again after a crash is not cut off for what hung in it.
    """

    def __init__(self, most: float) -> None:
        self._one = most
        self._most = max(most * _TIMES, _LEAST)
        self.spent = 0.0
        self.again = 0.0
        self.late = False

    @property
    def limit(self) -> float:
        """Seconds for the next evaluation."""
        return max(self._one * _LATER, min(self._one, _LATER_SECONDS)) if self.late else self._one

    def allows(self, seconds: float) -> bool:
        """Whether running again what took so many seconds is within the document's time."""
        return self.spent <= self._most and self.again + seconds <= self._most

    @property
    def statement(self) -> str:
        """Why a session is not begun anew."""
        return f"the session was not begun anew: that would take more than {self._most:g} s for this document"


class LastingSession:
    """A context in which a session runs, and others after it where it ends.

    Parameters
    ----------
    runtime, launch, setting : str, Launch, Setting
        As of `SandboxedSession`.
    lost : mapping of Piece to CodeError
        From an earlier run of the same code.
    time_lost : TimeLost
        The document's.

    Raises
    ------
    WorkerStartFailed, WorkerTimeout, WorkerCrashed, ImplementationError, UsageError
        On entering, as of `SandboxedSession`.
    """

    def __init__(
        self, runtime: str, launch: Launch, setting: Setting, *, lost: Lost, time_lost: TimeLost
    ) -> None:
        self._runtime = runtime
        self._launch = launch
        self._setting = setting
        self._known = lost
        self._time = time_lost
        self._stack = contextlib.ExitStack()
        self._done: list[Piece] = []
        self._seconds = 0.0
        self.lost: dict[Piece, CodeError] = {}
        self.ended = ""

    def __enter__(self) -> Self:
        begun = time.monotonic()
        self._begin()
        self._seconds = time.monotonic() - begun
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _begin(self) -> None:
        session = SandboxedSession(self._runtime, self._launch, self._setting)
        self._session = self._stack.enter_context(session)

    @property
    def info(self) -> RuntimeInfo:
        """The worker's description of its runtime."""
        return self._session.info

    @property
    def stand_ins(self) -> Mapping[str, str]:
        """The stand-ins in use, and what each of them is."""
        return self._session.stand_ins

    @property
    def as_root(self) -> str:
        """Why the code runs as root, where it does."""
        return self._session.as_root

    def get(self, expressions: Sequence[str]) -> list[Array | str]:
        """Values of expressions; a text says why one is none."""
        values = self._session.get(expressions)
        self.ended = self.ended or self._session.ended
        return values

    def eval(self, code: str, *, file: str, line: int, keep_going: bool = False) -> Evaluated:
        """Evaluate code; where it ends the session, what can go on goes on in another one.

        Parameters
        ----------
        code, file, line, keep_going
            As of `SandboxedSession.eval`.

        Returns
        -------
        Evaluated
            Where a session ended, with that error; its line is that of the statement that did not end.
            ``ended`` says why there is no other session, where that is so.
        """
        piece = Piece(code, file, line, keep_going)
        known = self._known.get(piece)
        if known is not None:
            self.lost[piece] = known
            return self._without(piece, Evaluated(text="", messages="", error=known))
        begun = time.monotonic()
        limit = self._time.limit
        left = self._session.eval(code, file=file, line=line, keep_going=keep_going, seconds=limit)
        taken = time.monotonic() - begun
        if not self._session.ended or left.error is None:
            self._done.append(piece)
            self._seconds += taken
            return left
        self._time.spent += taken
        self._time.late |= left.error.kind == "time"
        self.ended = self._session.ended
        why = self._anew()
        said = f"{left.error.message}; {why or 'the session was begun anew without it'}"
        error = msgspec.structs.replace(left.error, message=said)
        left = msgspec.structs.replace(left, error=error)
        if why:
            self.ended += f"; {why}"
            return left
        self.ended = ""
        self.lost[piece] = error
        return self._without(piece, left)

    def _anew(self) -> str:
        """Begin a session, and run again all that was evaluated; return why that is not possible."""
        if self._setting.stop.is_set():
            return "the run was stopped"
        if not self._time.allows(self._seconds):
            return self._time.statement
        begun = time.monotonic()
        self._stack.close()
        try:
            self._begin()
            for piece in self._done:
                again = self._session.eval(
                    piece.code, file=piece.file, line=piece.line, keep_going=piece.keep_going
                )
                if self._session.ended:
                    reason = again.error.message if again.error is not None else self._session.ended
                    return f"the session was begun anew, and ended while the code before ran again: {reason}"
        except (WorkerError, ImplementationError) as error:
            return f"the session could not be begun anew: {error.message}"
        finally:
            self._time.again += time.monotonic() - begun
        return ""

    def _without(self, piece: Piece, left: Evaluated) -> Evaluated:
        """Evaluate what stands before a statement that ended a session; behind it, if errors stop nothing."""
        assert left.error is not None
        lines = piece.code.split("\n")
        first = (left.error.line or 0) - piece.line
        if left.error.line is None or not 0 <= first < len(lines):
            return left
        last = max(first, (left.error.end or left.error.line) - piece.line)
        before, after = "\n".join(lines[:first]), "\n".join(lines[last + 1 :])
        done = []
        if before.strip():
            done.append(self.eval(before, file=piece.file, line=piece.line, keep_going=piece.keep_going))
        if piece.keep_going and after.strip() and not self.ended:
            done.append(self.eval(after, file=piece.file, line=piece.line + last + 1, keep_going=True))
        if not done:
            return left
        return Evaluated(
            text="".join(part.text for part in done),
            messages="".join(part.messages for part in done),
            error=left.error,
            seconds=sum(part.seconds for part in done),
            warnings=tuple(warning for part in done for warning in part.warnings),
            plots=tuple(plot for part in done for plot in part.plots),
            calls=tuple(call for part in done for call in part.calls),
            cut=sum(part.cut for part in done),
        )
