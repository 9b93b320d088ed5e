"""Which lines of a chunk a failure names, and which statements it left undone."""

from __future__ import annotations

from harness.documents.evaluate import statement_at
from harness.documents.model import Chunk
from harness.documents.results import ChunkRun
from harness.findings.names import names_in
from harness.findings.outputs import piece
from harness.sessions.session import CodeError
from harness.workers.pylab_names import PYLAB


def line_in(chunk: Chunk, error: CodeError) -> int:
    """Return the line of a chunk's code that an error names, counted from 1; 0 if it names none there."""
    line = (error.line or 0) - max(1, chunk.code_line) + 1
    return line if error.line and 0 < line <= chunk.code.count("\n") + 1 else 0


def from_failure(chunk: Chunk, run: ChunkRun) -> str:
    """Return the part of a chunk's code that was not run to its end.

    Parameters
    ----------
    chunk, run : Chunk, ChunkRun
        A chunk, and its result.
    """
    lines = chunk.code.split("\n")
    if run.incomplete:
        return chunk.code
    if run.lacking and run.error in run.lacking:
        return lacking_code(chunk, run)
    line = line_in(chunk, run.error) if run.error is not None else 0
    if line and run.error is not None and not left_out(lines[line - 1], run.error):
        return "\n".join(lines[line:])
    return (
        "\n".join(lines[max(0, line - 1) :]) if chunk.language != "python" or not line else _rest(lines, line)
    )


def is_apart(chunk: Chunk, run: ChunkRun, place: int) -> bool:
    """Whether an output is of statements that ran, and use nothing that those which failed would have set.

    Parameters
    ----------
    chunk, run : Chunk, ChunkRun
        A chunk that failed, and its result.
    place : int
        The output's place among the chunk's.
    """
    part = run.parts[place] if place < len(run.parts) else None
    if part is None or part.error is not None:
        return False
    lines = chunk.code.split("\n")
    errors = [other.error for other in run.parts if other is not None and other.error is not None]
    if run.error is not None:
        errors.append(run.error)
    failed = "\n".join(lines[line - 1] for error in errors if (line := line_in(chunk, error)))
    uses = names_in(piece(chunk, place), chunk.language).uses
    return not uses & names_in(failed, chunk.language).sets


def lacking_code(chunk: Chunk, run: ChunkRun) -> str:
    """Return the statements of a chunk that need what is not here, and after which the rest was run.

    Parameters
    ----------
    chunk, run : Chunk, ChunkRun
        A chunk, and its result.
    """
    lines = chunk.code.split("\n")
    return "\n".join(
        left_out("\n".join(statement_at(lines, line - 1)), error)
        for error in run.lacking
        if (line := line_in(chunk, error))
    )


def left_out(text: str, error: CodeError) -> str:
    """What an import that failed does not bring: of pylab, NumPy's names are there without matplotlib."""
    return "" if PYLAB.fullmatch(text) and "'matplotlib" in error.message else text


def _rest(lines: list[str], line: int) -> str:
    """The lines from the beginning of the statement on that a line of Python belongs to."""
    begun = line - 1
    while begun > 0 and lines[begun][:1] in (" ", "\t", ")", "]", "}"):
        begun -= 1
    return "\n".join(lines[begun:])
