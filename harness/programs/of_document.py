"""The code of a notebook, R Markdown or Quarto document as one program."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import UsageError
from harness.programs.program import NAMES, Program, Where

if TYPE_CHECKING:
    from harness.documents.model import Chunk

_MAGIC = re.compile(r"^(?P<indent>[ \t]*)[%!][^\n]*$", re.MULTILINE)
_CALLED = re.compile(r"[\w.]+(?:\(.*\)|\[.*\])?")
_PRINTS = frozenset({"print", "println", "display", "show"})


def program_of_document(path: Path, arguments: Sequence[str], language: str) -> Program:
    """The chunks of a document that are run, one behind the other.

    Chunks that are not evaluated, or whose errors are shown, are left out. What a notebook shows without
    being told to, the value of a cell's last expression, is printed.

    Parameters
    ----------
    path : Path
        A document.
    arguments : sequence of str
        What its code finds as the program's arguments.
    language : str
        Whose chunks are meant; may be empty where all are in one language.

    Raises
    ------
    UsageError
        There are no chunks that are run, or they are in several languages; the packages for documents are
        not installed.
    DocumentError
        It cannot be read.
    """
    chunks = [
        chunk for chunk in _chunks(path)
        if chunk.executable and chunk.evaluated and chunk.supported and not chunk.error
    ]  # fmt: skip
    counts = Counter(chunk.language for chunk in chunks)
    if language and language not in counts:
        raise UsageError(f"no chunk of it in {NAMES.get(language, language)} is run", path=path)
    if not counts:
        raise UsageError("no chunk of it in Python, R or Julia is run", path=path)
    if len(counts) > 1 and not language:
        said = ", ".join(f"{count} in {NAMES[name]}" for name, count in counts.items())
        raise UsageError(
            f"its chunks are in several languages ({said})",
            path=path,
            advice="say which with --language-a or --language-b",
        )
    chosen = language or next(iter(counts))
    code: list[str] = []
    listing: list[str] = []
    places: list[Where] = []
    for chunk in chunks:
        if chunk.language != chosen:
            continue
        own = chunk.code.rstrip("\n").split("\n")
        run = _run(chunk).rstrip("\n").split("\n")
        code += [*run, *[""] * (len(own) - len(run))]
        listing += own
        name = chunk.source or path.name
        if chunk.cell:
            places += (Where(name, number + chunk.skipped, chunk.cell) for number in range(1, len(own) + 1))
        else:
            places += (Where(name, chunk.code_line + number) for number in range(len(own)))
    if chosen == "python" and re.search(r"\bdisplay\(", "\n".join(code)):
        # Notebooks have it without an import.
        code[0] = f"display = print; {code[0]}" if code[0][:1].strip() not in ("", "@") else code[0]
    return Program(
        path=path, language=chosen, arguments=tuple(arguments),
        code="\n".join(code) + "\n", listing=tuple(listing), places=tuple(places),
    )  # fmt: skip


def _chunks(path: Path) -> tuple[Chunk, ...]:
    try:
        from harness.documents.parse import parse_document

        return parse_document(path).chunks
    except ModuleNotFoundError as missing:
        raise UsageError(
            f"documents cannot be read: {missing.name} is not installed",
            advice="python3 -m pip install 'polyglot-harness[documents]'",
        ) from missing


def _run(chunk: Chunk) -> str:
    """A chunk's code as a script has it, line for line."""
    code = chunk.code
    if chunk.language == "python":
        code = _MAGIC.sub(lambda match: f"{match['indent']}pass" if match["indent"] else "", code)
        return _shown_python(code)
    return _shown_julia(code) if chunk.language == "julia" else code


def _shown_python(code: str) -> str:
    """Print the last expression; code that cannot be read is left for Python to refuse."""
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError):
        return code
    last = body[-1] if body else None
    if not isinstance(last, ast.Expr) or last.end_lineno is None or last.end_col_offset is None:
        return code
    value = last.value
    if isinstance(value, ast.Call) and ast.unparse(value.func).rpartition(".")[2] in _PRINTS:
        return code
    if isinstance(value, ast.Constant | ast.Await | ast.Yield) and not isinstance(value, ast.Constant):
        return code
    lines = [line.encode() for line in code.split("\n")]
    end = lines[last.end_lineno - 1]
    if end[last.end_col_offset :].lstrip().startswith(b";"):
        return code
    lines[last.end_lineno - 1] = end[: last.end_col_offset] + b")" + end[last.end_col_offset :]
    first = lines[last.lineno - 1]
    lines[last.lineno - 1] = first[: last.col_offset] + b"print(" + first[last.col_offset :]
    return b"\n".join(lines).decode()


def _shown_julia(code: str) -> str:
    """Print the last line where it is a name or one call."""
    lines = code.rstrip("\n").split("\n")
    last = lines[-1].rstrip()
    name = re.match(r"[\w.!]*", last)
    if name is None or name[0] in _PRINTS or name[0] in ("end", "nothing") or not _CALLED.fullmatch(last):
        return code
    if not _closes_at_the_end(last[name.end() :]):
        return code
    lines[-1] = f"println({last})"
    return "\n".join(lines) + "\n"


def _closes_at_the_end(brackets: str) -> bool:
    """Whether a first bracket is closed by the last character; nothing at all is as good."""
    depth = 0
    for number, character in enumerate(brackets, 1):
        depth += (character in "([{") - (character in ")]}")
        if depth <= 0:
            return number == len(brackets)
    return not brackets
