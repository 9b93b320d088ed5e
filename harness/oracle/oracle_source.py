"""A reference's file in the oracle's arithmetics: evaluated once in each, with its NumPy."""

from __future__ import annotations

import dis
import re
from pathlib import Path
from typing import Any

from harness.oracle.facade import importing
from harness.oracle.rewriting import rewritten
from harness.oracle.unknown import (
    IN_VALUES,
    NOT_FOLLOWED,
    OF_A_STAGE,
    Converted,
    NotUnderstood,
    Undecided,
    Unknown,
    no_limit,
    raised_by,
    snippet,
)
from harness.workers.loop import Signatures, WorkerFault
from harness.workers.python_source import PythonFile

_PLACED = re.compile(r"\(line \d+ of ")
"""A line that a reason already has."""


class OracleSource:
    """One file, plain and in every arithmetic that is requested.

    Parameters
    ----------
    path : str
        The file.
    signatures : mapping, optional
        As `PythonFile` has them.

    Raises
    ------
    Fault
        Kind ``load``: the file cannot be read or evaluated.
    """

    def __init__(self, path: str, signatures: Signatures | None = None) -> None:
        self.plain = PythonFile(path, signatures=signatures)
        self._signatures = signatures
        self.path = path
        self.files = set(self.plain.files)
        self._known: dict[Any, PythonFile] = {}
        self._kinds: dict[Any, Any] = {}

    def drop(self) -> None:
        """Forget the file in every arithmetic: nothing is asked of it again."""
        for file in (self.plain, *self._known.values()):
            file.drop()
        self._known.clear()
        self._kinds.clear()

    def kind(self, make: Any, bits: int, precision: int) -> Any:
        """The arithmetic that ``make(bits)`` gives, one for each precision, so that the file is read once."""
        return self._kinds.setdefault((make, bits, precision), make(bits))

    def within(self, kind: Any) -> PythonFile:
        """The file, evaluated in an arithmetic.

        Raises
        ------
        Unknown
            If code outside of its functions is not understood.
        """
        if kind not in self._known:
            kind.branches.files = self.files
            try:
                self._known[kind] = PythonFile(self.path, importing(kind), rewritten, self._signatures)
            except WorkerFault as fault:
                raise self.reason(fault) from fault
            kind.restart()
        # A function may import a module when it is called.
        self.files |= self._known[kind].files
        return self._known[kind]

    def placed(self, reason: str, stage: str) -> str:
        """Reasons, in which those that name no line name the stage and the line of its result."""
        line = self._line_of_result(stage)
        place = f"line {line} of {Path(self.path).name}" if line else ""

        parts = reason.split("; ")
        bare = [
            part for part in parts if any(what in part for what in OF_A_STAGE) and not _PLACED.search(part)
        ]
        whole = no_limit(stage, place, ", and ".join(bare))
        return "; ".join(dict.fromkeys(whole if part in bare else part for part in parts))

    def _line_of_result(self, stage: str) -> int | None:
        """The line of a function's one ``return``; the one in which it begins, if it has several."""
        code = self.plain.code_of(stage)
        if code is None:
            return None
        ends = {
            instruction.positions.lineno
            for instruction in dis.get_instructions(code)
            if instruction.opname.startswith("RETURN_") and instruction.positions is not None
        }
        return ends.pop() if len(ends) == 1 else int(code.co_firstlineno)

    def reason(self, error: Exception) -> Unknown:
        """The reason why there is no true value, in words for a user."""
        cause = error.__cause__ if isinstance(error, WorkerFault) else error
        if cause is None:
            return Unknown(str(error))
        if isinstance(cause, Undecided):
            return cause
        what, place = snippet(cause, self.files)
        if not place and _converted(cause) is not None:
            # Before any line of the file: where its arguments are made of arrays.
            return Unknown(IN_VALUES)
        if not place:
            return Unknown(str(cause) if isinstance(cause, Unknown) else NOT_FOLLOWED)
        if (converted := _converted(cause)) is not None:
            return Unknown(no_limit(what, place, converted.why))
        if isinstance(cause, NotUnderstood):
            return Unknown(f"{cause} ({place})")
        if isinstance(cause, Unknown):
            return Unknown(no_limit(what, place, str(cause)))
        if raised_by(cause, self.files):
            return Unknown(no_limit(what, place, f"{type(cause).__name__}: {cause}"))
        return Unknown(no_limit(what, place))


def _converted(error: BaseException | None) -> Converted | None:
    """The `Converted` error among the causes of an error; NumPy may have raised another one from it."""
    while error is not None and not isinstance(error, Converted):
        error = error.__cause__ or error.__context__
    return error
