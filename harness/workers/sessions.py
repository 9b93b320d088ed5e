"""Sessions: code evaluated piece by piece, as at a language's prompt or as parts of a script."""

from __future__ import annotations

import ctypes
import io
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from harness.workers.lines import LARGEST_REPLY
from harness.workers.loop import Problem, Signatures, WorkerFault

if TYPE_CHECKING:
    from harness.workers.protocol import Array

_LONGEST_MESSAGE = 4_000
_MOST_WARNINGS = 100


class Asked(NamedTuple):
    """What ``open`` asks for: see docs/protocol.md."""

    mode: str
    show: str
    stand_ins: tuple[str, ...]
    place: str = ""

    @property
    def shows_each(self) -> bool:
        """Whether the value of every top-level expression is shown."""
        return self.mode == "prompt" and self.show == "each"

    @property
    def shows_last(self) -> bool:
        """Whether the value of the last expression alone is shown."""
        return self.mode == "prompt" and self.show == "last"


class Problems(NamedTuple):
    """The error, the warnings, the plots, and the calls that the warnings are of."""

    error: dict[str, Any] | None
    warnings: Sequence[str] = ()
    plots: Sequence[str] = ()
    calls: Sequence[str] = ()


class Language(Protocol):
    """One language's session in this process."""

    def describe(self) -> dict[str, Any]:
        """What ``hello`` says of the runtime."""

    def open(self, asked: Asked) -> dict[str, str]:
        """Begin; the stand-ins that are in use, and what each of them is."""

    def eval(self, code: str, file: str, line: int, keep_going: bool) -> tuple[float, Problems]:
        """Evaluate code from a line of a file on; return the seconds it took, and its problems."""

    def get(self, expression: str) -> Array:
        """The value of an expression as an array; raises with the reason where it is none."""


class SessionHost:
    """A language's session as a host of the loop: it answers ``open``, ``eval`` and ``get``."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._open = False

    def describe(self) -> dict[str, Any]:
        """What ``hello`` says of the runtime."""
        return self._language.describe()

    def load(
        self, source: str, stages: Mapping[str, int], signatures: Signatures
    ) -> tuple[Any, list[Problem]]:
        """Refuse: stages are another worker's."""
        raise WorkerFault("protocol", "this worker holds a session: it loads no stages")

    def call(
        self, loaded: Any, stage: str, arrays: list[Array], outputs: int
    ) -> tuple[float, Sequence[Array]]:
        """Refuse: stages are another worker's."""
        raise WorkerFault("protocol", "this worker holds a session: it calls no stages")

    def close(self) -> None:
        """Do nothing: the process ends, and the parent removes its scratch folder."""

    def answer(self, method: str, params: Mapping[str, Any]) -> tuple[dict[str, Any], Sequence[Array]]:
        """Answer one of the session's methods."""
        if method == "open":
            if self._open:
                raise WorkerFault("protocol", "the session is open already")
            self._open = True
            stand_ins = tuple(str(name) for name in params.get("stand_ins", ()))
            place = str(params.get("place", ""))
            asked = Asked(str(params["mode"]), str(params.get("show", "each")), stand_ins, place)
            used = self._language.open(asked)
            point_descriptors(str(params["stdout"]), str(params["stderr"]))
            return {"stand_ins": used}, ()
        if not self._open:
            raise WorkerFault("protocol", "open comes first")
        if method == "eval":
            return self._eval(params), ()
        return self._get(params["expressions"], int(params.get("most_bytes", LARGEST_REPLY)))

    def _eval(self, params: Mapping[str, Any]) -> dict[str, Any]:
        code, file, line = str(params["code"]), str(params["file"]), int(params["line"])
        seconds, left = self._language.eval(code, file, line, bool(params.get("keep_going", False)))
        sys.stdout.flush()
        sys.stderr.flush()
        reply: dict[str, Any] = {
            "ok": left.error is None,
            "seconds": seconds,
            "warnings": [text[:_LONGEST_MESSAGE] for text in left.warnings[:_MOST_WARNINGS]],
            "plots": list(left.plots),
            "calls": [text[:_LONGEST_MESSAGE] for text in left.calls[:_MOST_WARNINGS]],
        }
        if left.error is not None:
            error = {**left.error, "message": str(left.error["message"])[:_LONGEST_MESSAGE]}
            reply["error"] = {key: value for key, value in error.items() if value is not None}
        return reply

    def _get(self, expressions: Sequence[str], most: int) -> tuple[dict[str, Any], Sequence[Array]]:
        values: list[dict[str, Any]] = []
        arrays: list[Array] = []
        for expression in expressions:
            try:
                array = self._language.get(expression)
                left = most - sum(array.nbytes for array in arrays)
                if array.nbytes > left:
                    raise WorkerFault("value", too_large(array.nbytes, most))
                arrays.append(array)
                values.append({"array": True})
            except BaseException as error:
                why = error.message if isinstance(error, WorkerFault) else f"{type(error).__name__}: {error}"
                values.append({"array": False, "why": why[:_LONGEST_MESSAGE]})
        return {"values": values}, arrays


def too_large(size: int, most: int) -> str:
    """Why a value is not taken out of the session."""
    return f"it has {size} bytes, and {most} are taken at once: take a part of it (array_bytes of Limits)"


def point_descriptors(stdout: str, stderr: str) -> None:
    """Point descriptors 1 and 2 at two files, for Python, C, R and every program that is started."""
    sys.stdout.flush()
    sys.stderr.flush()
    for descriptor, path in ((1, stdout), (2, stderr)):
        opened = os.open(path, os.O_WRONLY)
        os.dup2(opened, descriptor)
        os.close(opened)
    # Anew: the streams that were there took descriptor 1 for a file.
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        stream = _unbuffered(descriptor)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    _unbuffer_c()


def _unbuffered(descriptor: int) -> io.TextIOWrapper:
    # A raw file behaves as a buffer that holds nothing back: what `python -u` uses, too.
    raw: Any = open(descriptor, "wb", buffering=0, closefd=False)  # noqa: SIM115
    return io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", write_through=True)


def _unbuffer_c() -> None:
    # What C prints must come between what Python prints, in the order of the code.
    libc = ctypes.CDLL(None)
    for name in ("stdout", "__stdoutp"):
        if hasattr(libc, name):
            libc.setvbuf(ctypes.c_void_p.in_dll(libc, name), None, 2, ctypes.c_size_t(0))
            return
