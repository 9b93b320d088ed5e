"""What values of a program are to its own language, and their numbers: it is run once more to say so."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files

import msgspec
import numpy as np

from harness.adoption.pieces import Pieces
from harness.adoption.slices import Set
from harness.errors import UsageError
from harness.model import Array, Frozen
from harness.programs.launch import record
from harness.programs.program import Where
from harness.sessions.sandbox import Limits, Sandbox

_MARK = "\x1eadopt"
_PROBES = {"python": "describe_python.py", "r": "describe.R", "julia": "describe.jl"}
_CALLS = {
    "python": "_harness_described({number}, lambda: ({value}))",
    "r": ".harness_described({number}L, {value})",
    "julia": "HarnessDescribed.line({number}, () -> ({value}))",
}
_TYPES = {"f": np.float64, "i": np.int64, "b": np.bool_, "c": np.complex128}


class Wanted(Frozen, frozen=True, kw_only=True, order=True):
    """A value after a piece: of a variable, or of a part of it, as its language writes it."""

    at: int
    name: str
    written: str

    @property
    def variable(self) -> Set:
        """The variable that it is of."""
        return Set(at=self.at, name=self.name)


class Fact(Frozen, frozen=True, kw_only=True):
    """What one value is.

    Attributes
    ----------
    kind : str
        ``array``, ``scalar``, ``list``, ``tuple``, ``dict``, ``series``, ``tensor``, ``table``, ``factor``,
        ``nested`` (vectors in a vector), ``tuples``; or ``frame``, ``large`` or ``other``, of which there is
        no array.
    array : Array or None
        Its numbers or texts, in its language's shape; of an R vector of one, none.
    more : tuple of str
        Names, as code of its language; of a scalar its type; of a frame its sort and its columns; of what
        cannot be had, what it is.
    """

    kind: str
    array: Array | None
    more: tuple[str, ...] = ()


def facts_of(
    program: Pieces, wanted: Sequence[Wanted], sandbox: Sandbox, limits: Limits
) -> dict[Wanted, Fact]:
    """Run a program once more and describe some of its values.

    Raises
    ------
    UsageError
        It does not run to its end so.
    """
    told = _with_calls(program, wanted)
    lines = told.count("\n") + 1
    again = msgspec.structs.replace(
        program.program,
        code=told,
        listing=("",) * lines,
        places=tuple(Where(program.program.path.name, line) for line in range(1, lines + 1)),
    )
    done = record(again, sandbox, limits=limits, bare=True)
    if done.trouble:
        inside = f", with the body of {program.inside}() at the top level" if program.inside else ""
        raise UsageError(
            f"cannot be run again with its values described{inside}: {done.trouble}",
            path=program.program.path,
        )
    language = program.program.language
    return {
        wanted[int(number)]: _fact(fields, language)
        for number, *fields in _rows(done.printed)
        if int(number) < len(wanted)
    }


def _with_calls(program: Pieces, wanted: Sequence[Wanted]) -> str:
    language = program.program.language
    probe = files("harness.adoption").joinpath("probes", _PROBES[language]).read_text(encoding="utf-8")
    after: dict[int, list[str]] = {}
    for number, each in enumerate(wanted):
        call = _CALLS[language].format(number=number, value=each.written)
        after.setdefault(each.at, []).append(call)
    parts = []
    for piece in program.pieces:
        parts.append(without_global(piece.text, language) if program.inside else piece.text)
        parts += after.get(piece.at, [])
    futures = [text for text in parts if language == "python" and text.startswith("from __future__")]
    return "\n".join([*futures, probe, *parts]) + "\n"


def without_global(text: str, language: str) -> str:
    """Julia code as it is inside of a function: what it sets is local there."""
    if language != "julia":
        return text
    return re.sub(r"^(\s*)(?:global|const)\s+(?=[^\W\d])", r"\1", text, flags=re.MULTILINE)


def _rows(printed: str) -> list[list[str]]:
    rows = [line.split("\t") for line in printed.split("\n") if line.startswith(_MARK)]
    return [row[1:] for row in rows if len(row) == 7]


def _fact(fields: Sequence[str], language: str) -> Fact:
    kind, letter, shape, more, text = fields
    names = tuple(more.split("\x1f")) if more else ()
    if not letter:
        return Fact(kind=kind, array=None, more=names)
    sizes = tuple(int(size) for size in shape.split("x") if size)
    if language == "r" and sizes == (1,):
        # R has no numbers, only vectors of one.
        sizes = ()
    flat: Array
    if letter == "U":
        flat = np.array(text.split("\x1f") if int(np.prod(sizes)) else [], dtype=np.str_)
    else:
        numbers = np.array([float(word) for word in text.split()]) if letter in "fc" else None
        if letter == "c" and numbers is not None:
            flat = numbers[::2] + 1j * numbers[1::2]
        elif numbers is not None:
            flat = numbers
        else:
            flat = np.array([int(word) for word in text.split()], dtype=np.int64).astype(_TYPES[letter])
    order: Mapping[str, str] = {"python": "C"}
    if flat.size != int(np.prod(sizes)):
        return Fact(kind="other", array=None, more=("something that cannot be read",))
    laid = flat.reshape(sizes, order=order.get(language, "F"))  # type: ignore[call-overload]
    return Fact(kind=kind, array=laid, more=names)
