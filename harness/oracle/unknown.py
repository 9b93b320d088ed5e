"""Reasons why a value has no limit: operations without an analysis, comparisons that rounding can turn."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

BEYOND = "a number beyond {0.largest:.6g}, the largest {0.name},"
BY_ZERO = "a division by what rounding may make zero"
INFINITE = "the whole part of a quotient of infinite numbers"
NO_BOUND = "its error has no bound"
NO_NUMBER = "it has no true value: it is not a number, or a quotient by zero"
SINGULAR = "a matrix that is singular, or has no order of its vectors, as far as rounding tells"
UNDERFLOWS = "squares of a matrix's elements that underflow"
SPENT = "the processor time for more bits is spent"
MORE_BITS = "{} bits do not tell its true value: {}"
IN_VALUES = "it is given values in which rounding is not followed, such as numbers of which some are missing"
NOT_FOLLOWED = "its calls cannot be followed"
GAMMA = "the gamma function next to 0 or left of it"
LOG_GAMMA = "the logarithm of the gamma function next to 0 or left of it"

OF_A_STAGE = (
    *(NO_BOUND, "what it is computed from is undecided", NO_NUMBER),
    *("no limit is below the value itself", "do not tell its true value", "its true value needs"),
    *("its shape is", "its rows differ in length", "is no array of real numbers", NOT_FOLLOWED, IN_VALUES),
)
"""Parts of reasons that arise at the end of a stage, and name no line."""

_POLES = (BEYOND.partition("{")[0], BY_ZERO, INFINITE, SINGULAR, UNDERFLOWS, GAMMA, LOG_GAMMA)


def may_be_no_number(met: Sequence[str]) -> bool:
    """Whether undecided elements may be infinite or NaN: their reasons are not comparisons alone."""
    return not met or any(reason.startswith(_POLES) or reason.endswith(NO_BOUND) for reason in met)


def names_no_number(reason: str) -> bool:
    """Whether a reason says that an element has no true value because of exact operands, without rounding."""
    return NO_NUMBER in reason


def names_overflow(reason: str) -> bool:
    """Whether a reason says that a number on the way is beyond the largest of its format."""
    return BEYOND.partition("{")[0] in reason


def no_limit(what: str, place: str = "", why: str = "") -> str:
    """Say that an operation or a stage has no limit: all reasons but comparisons are worded here.

    Parameters
    ----------
    what : str
        The operation as the user wrote it or would name it, or the stage's function.
    place : str
        ``line 12 of lsq.py``; empty where that is not known.
    why : str
        The reason; empty for an operation without an analysis.
    """
    located = f" ({place})" if place else ""
    return f"no limit can be derived for `{what}`{located}{f': {why}' if why else ''}"


class Unknown(Exception):
    """A stage has no true value; the message is the reason."""


class NotUnderstood(Unknown):
    """No limit can be derived for an operation.

    Parameters
    ----------
    what : str
        The operation as a user would name it.
    """

    def __init__(self, what: str) -> None:
        super().__init__(no_limit(what))


class Converted(NotUnderstood):
    """A plain number or array was requested, in which rounding errors cannot be followed.

    Parameters
    ----------
    what : str
        The plain type that was requested.
    """

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.why = f"it needs {what}, in which rounding cannot be followed; NumPy's own functions need none"


class Undecided(Unknown):
    """The control flow depends on a comparison that rounding can turn."""


class Branches:
    """The comparisons that could not be decided, in the order in which they were met.

    Parameters
    ----------
    files : set of str
        The user's own files, whose lines are named.
    """

    def __init__(self, files: set[str]) -> None:
        self.files = files
        self._met: dict[str, None] = {}

    def note(self, what: str) -> str:
        """Record a comparison with the current line of the user's file; return the text."""
        text = self.located(what)
        self._met.setdefault(text)
        return text

    def unbounded(self) -> None:
        """Record that the operation of the current line has no bound on its error."""
        frame = self._frame()
        what, place = _written(frame.f_code, frame.f_lineno, frame.f_lasti) if frame else ("a function", "")
        self._met.setdefault(no_limit(what, place, NO_BOUND))

    def keep(self, text: str) -> None:
        """Record a comparison whose text has its line already."""
        self._met.setdefault(text or self.located("a comparison"))

    def located(self, what: str) -> str:
        """The text of a comparison with the current line of the user's file."""
        place = self._place()
        return f"{what} in {place}" if place else what

    def take(self) -> list[str]:
        """The comparisons that were recorded since the last call."""
        met, self._met = list(self._met), {}
        return met

    def _place(self) -> str:
        frame = self._frame()
        return f"line {frame.f_lineno} of {Path(frame.f_code.co_filename).name}" if frame else ""

    def _frame(self) -> FrameType | None:
        """The innermost call of a function in the user's own files."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename not in self.files:
            frame = frame.f_back
        return frame


def snippet(error: BaseException, files: set[str]) -> tuple[str, str]:
    """The expression of the user's file in which an error arose, and where it stands; empty if in none."""
    trace = error.__traceback__
    innermost = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in files:
            innermost = trace
        trace = trace.tb_next
    if innermost is None:
        return "", ""
    return _written(innermost.tb_frame.f_code, innermost.tb_lineno, innermost.tb_lasti)


def _written(code: CodeType, number: int, instruction: int) -> tuple[str, str]:
    """The expression that an instruction is of, as the user wrote it, and where it stands."""
    spans = list(code.co_positions())
    line, last, start, end = spans[instruction // 2]
    # The file may have been another one when its lines were last asked for.
    linecache.checkcache(code.co_filename)
    text = linecache.getline(code.co_filename, number).rstrip("\n")
    if line == last and line is not None and start is not None and end is not None:
        text = text.encode()[start:end].decode(errors="replace")
    return text.strip(), f"line {number} of {Path(code.co_filename).name}"


def raised_by(error: BaseException, files: set[str]) -> bool:
    """Whether a statement of the user's own file raised it: ``raise`` or ``assert``."""
    trace: Any = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or trace.tb_frame.f_code.co_filename not in files:
        return False
    import dis

    code = trace.tb_frame.f_code.co_code
    return bool(dis.opname[code[trace.tb_lasti]] == "RAISE_VARARGS")
