"""The parent side of a session: open it in a worker, have code evaluated, and get values as arrays."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from harness.errors import ImplementationError, WorkerError
from harness.model import Array, Frozen
from harness.runtimes.process import Worker
from harness.runtimes.replies import LONGEST_CALL
from harness.sessions.printed_text import TextPipe

Semantics = Literal["prompt", "script"]
Show = Literal["each", "last"]

_LONGEST_REPLY = 1 << 22
"""Bytes of the line of a reply: messages, warnings and names of plots."""
_PLACES = re.compile(r"^(\d{1,9}) (\d{1,9})$", re.MULTILINE)


class CodeError(Frozen, frozen=True, kw_only=True):
    """An error that code raised; ``line`` is that of the file, ``kind`` the language's own class of it.

    ``call`` is the one that R names in front of the message.

    Where the session ended, ``kind`` is ``time`` or ``ended``, and ``line`` and ``end`` are the first and the
    last line of the statement that was evaluated, as far as that is known.
    """

    message: str
    kind: str = ""
    line: int | None = None
    end: int | None = None
    call: str = ""


class Evaluated(Frozen, frozen=True, kw_only=True):
    """The result of one piece of code.

    ``text`` is what it printed and what the prompt showed, in order; ``messages`` what went to standard
    error. ``cut`` is how many bytes of both were not kept. ``calls`` are those that the warnings of R are
    of; empty where a warning names none.
    """

    text: str
    messages: str
    error: CodeError | None = None
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()
    plots: tuple[str, ...] = ()
    cut: int = 0
    calls: tuple[str, ...] = ()


class _Reply(msgspec.Struct, frozen=True, kw_only=True):
    ok: bool
    seconds: float
    error: CodeError | None = None
    warnings: tuple[str, ...] = ()
    plots: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()


class Session(Worker):
    """A worker that holds one session. Made by `Session.start`, then `open`."""

    # Few sessions are asked for an array at all, and in a sandbox none could open the file.
    may_share_memory = False

    def open(
        self,
        folder: Path,
        *,
        mode: Semantics,
        show: Show,
        stand_ins: Sequence[str] = (),
        keep: int = 1 << 20,
        deadline: float = 60.0,
    ) -> Mapping[str, str]:
        """Begin the session.

        Parameters
        ----------
        folder : Path
            Where the pipes are made that the worker prints into; it must exist.
        mode : {"prompt", "script"}
            As at the language's prompt, or as the parts of a script.
        show : {"each", "last"}
            At a prompt: the value of every top-level expression is shown, or of the last one alone.
        stand_ins : sequence of str
            What may be stood in for where it is not installed.
        keep : int
            Bytes of printed text that are kept of one evaluation.
        deadline : float
            Seconds until it must be open.

        Returns
        -------
        mapping of str to str
            The stand-ins in use, and what each of them is.

        Raises
        ------
        ImplementationError
            A stand-in cannot be installed.
        WorkerCrashed, WorkerTimeout
            The worker is dead then.
        """
        self._pipes = tuple(TextPipe(folder / name, keep=keep) for name in ("stdout", "stderr", "place"))
        params = {
            "mode": mode,
            "show": show,
            "stand_ins": list(stand_ins),
            "stdout": str(self._pipes[0].path),
            "stderr": str(self._pipes[1].path),
            "place": str(self._pipes[2].path),
        }
        result, _ = self._talk.ask("open", params, (), deadline, "open")
        used = result.get("stand_ins", {})
        if not isinstance(used, dict):
            self._talk.not_the_protocol("open", "the stand-ins are not an object")
        return {str(name): str(what) for name, what in used.items()}

    def eval(
        self, code: str, *, file: str, line: int, keep_going: bool = False, deadline: float
    ) -> Evaluated:
        """Evaluate code.

        Parameters
        ----------
        code : str
            One or more statements.
        file : str
            The name that tracebacks give the file.
        line : int
            The line of that file, counted from 1, that the code's first line stands on.
        keep_going : bool
            Whether the statements after one that fails are evaluated all the same.
        deadline : float
            Seconds until it must be done.

        Raises
        ------
        WorkerCrashed, WorkerTimeout
            The worker is dead then; `printed` has what it printed before.
        """
        params = {"code": code, "file": file, "line": max(1, line), "keep_going": keep_going}
        result, _ = self._talk.ask(
            "eval", params, (), deadline, f"{file}:{line}", longest=_LONGEST_REPLY, most_bytes=0
        )
        try:
            reply = msgspec.convert(result, _Reply)
        except (msgspec.ValidationError, OverflowError, UnicodeError) as error:
            self._talk.not_the_protocol("eval", str(error))
        if not 0 <= reply.seconds <= LONGEST_CALL:
            self._talk.not_the_protocol("eval", f"seconds are expected, not {reply.seconds!r:.80}")
        text, messages, cut = self.printed()
        return Evaluated(
            text=text,
            messages=messages,
            cut=cut,
            error=reply.error,
            seconds=reply.seconds,
            warnings=reply.warnings,
            plots=reply.plots,
            calls=reply.calls,
        )

    def get(self, expressions: Sequence[str], *, deadline: float = 30.0) -> list[Array | str]:
        """Values of expressions of the language as arrays; a text says why one is none.

        Values of more than `most_array_bytes` bytes, all together, are not taken.

        Raises
        ------
        WorkerCrashed, WorkerTimeout
            The worker is dead then.
        """
        most = self.most_array_bytes
        params = {"expressions": list(expressions), "most_bytes": most}
        result, arrays = self._talk.ask(
            "get", params, (), deadline, "get", longest=_LONGEST_REPLY, most_bytes=most
        )
        values = result.get("values")
        if not isinstance(values, list) or len(values) != len(expressions):
            self._talk.not_the_protocol("get", f"{len(expressions)} values are expected")
        given = iter(arrays)
        answers: list[Array | str] = []
        for value in values:
            if not isinstance(value, dict):
                self._talk.not_the_protocol("get", f"a value is no object: {value!r:.80}")
            array = next(given, None) if value.get("array") is True else None
            answers.append(str(value.get("why", "")) if array is None else array)
        return answers

    def printed(self) -> tuple[str, str, int]:
        """What was printed since the last evaluation: to standard output, to standard error, and cut."""
        text, messages, _ = (pipe.take() for pipe in self._pipes)
        return text.text, messages.text, text.dropped + messages.dropped

    def reached(self) -> tuple[int, int] | None:
        """The first and the last line of the statement that was begun last; asked before `printed`."""
        said = _PLACES.findall(self._pipes[2].take().text)
        return (int(said[-1][0]), int(said[-1][1])) if said else None

    def close(self) -> None:
        """Stop the worker, and remove the pipes."""
        with contextlib.suppress(WorkerError, ImplementationError):
            self.stop()
        for pipe in self._pipes:
            pipe.close()

    most_array_bytes = 256 << 20
    """Bytes that the values of one `get` may have."""
    _pipes: tuple[TextPipe, ...] = ()
