"""Where a stage that is off is to be looked at: the lines of its function, of the reference's, and a map."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from harness.conformance.plan import PlannedCase
from harness.model import Array, Cell, Implementation, Lines, OffMap

MOST_LINES = 60
"""Of a function; what is longer is cut."""
MOST_COLUMNS = 64
MOST_ROWS = 24
_LARGEST = 1 << 20
"""Bytes of a source that is searched."""
_CLOSES = re.compile(r"\s*(?:[})\]]|end\b)", re.IGNORECASE)
_NO_SOURCE = frozenset({".onnx", ".toml"})
_DEFINES: Mapping[str, tuple[str, ...]] = {
    ".py": (r"\s*(?:async\s+)?def\s+{name}\s*\(", r"\s*class\s+{name}\b", r"{name}\s*(?::[^=\n]*)?=(?!=)"),
    ".r": (
        r"\s*[`\"']?{name}[`\"']?\s*(?:<-|=)\s*(?:function\b|\\\()",
        r"[`\"']?{name}[`\"']?\s*(?:<-|=)(?!=)",
    ),
    ".jl": (
        r"\s*(?:@\w+\s+)*function\s+(?:\w+\.)*{name}\s*[({{]",
        r"\s*(?:@\w+\s+)*(?:\w+\.)*{name}\s*\([^\n]*\)\s*(?:::[^\n=]*|where[^\n=]*)*=(?!=)",
        r"(?:const\s+)?{name}\s*=(?!=)",
    ),
    ".m": (r"\s*function\b(?:[^\n(=]*=)?\s*{name}\s*(?:\(|$)",),
    ".mjs": (
        r"\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*{name}\s*\(",
        r"\s*(?:export\s+)?(?:const|let|var)\s+{name}\s*=",
        r"\s*(?:static\s+|async\s+)*{name}\s*\([^\n]*\)\s*\{{",
        r"\s*(?:export\s+)?class\s+{name}\b",
    ),
    ".f90": (r"(?i)\s*(?!end\b)(?:[\w()=, *]+\s)?(?:subroutine|function)\s+{name}\s*\(",),
}
"""How a definition begins, the surest first; other files are C's."""
_OF_C = (r"(?![^\n]*;\s*$)(?:extern\s+\"C\"\s+)?(?:[\w:<>*&\[\],]+[\s*&]+)+{name}\s*\(",)


def with_lines(cells: list[Cell], planned: PlannedCase, implementation: Implementation) -> list[Cell]:
    """Cells that say what is wrong in a stage, with the lines of its function and of the reference's.

    Parameters
    ----------
    cells : list of Cell
        Of one implementation in a case, from `with_hints`.
    planned : PlannedCase
        The case, with its sources.
    implementation : Implementation
        Whose cells they are.
    """

    def lined(cell: Cell) -> Cell:
        sides = dict.fromkeys((implementation.id, planned.reference.id))
        found = (_lines_of(planned, one, cell.stage) for one in sides)
        return msgspec.structs.replace(cell, lines=tuple(filter(None, found)))

    return [lined(cell) if cell.wrong or cell.relation else cell for cell in cells]


def _lines_of(planned: PlannedCase, name: str, output: str) -> Lines | None:
    """The lines of a stage's function in one implementation; None where they are not found."""
    one = next(one for one in planned.hosted if one.id == name)
    called = planned.case.owner(output).called_in(one.id) or planned.case.owner(output).name
    path = one.path
    if path.is_dir():
        path = next(iter(sorted(path.rglob(f"{called}.*"))), path)
    if path.suffix in _NO_SOURCE or planned.case.modules_in(one.id) is not None:
        return None
    found = function_lines(_text(path), re.split(r"[.:$]", called)[-1], path.suffix.lower())
    if found is None:
        return None
    first, lines = found
    return Lines(implementation=one.id, file=path.name, first=first, text="\n".join(lines))


def _text(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(_LARGEST)
    except OSError:
        return ""


def function_lines(source: str, name: str, suffix: str) -> tuple[int, list[str]] | None:
    """Find the definition of a function in a source, by its first line and its indentation.

    Parameters
    ----------
    source : str
        The text of a file.
    name : str
        What the function, method or class is called.
    suffix : str
        Of the file, in lower case: ``.py``, ``.r``, ``.jl``, ``.m``, ``.mjs``, ``.f90``; others are C's.

    Returns
    -------
    tuple of int and list of str, or None
        The number of its first line and its lines, at most `MOST_LINES`; None where there is none.
    """
    lines = source.split("\n")
    for pattern in _DEFINES.get(suffix, _OF_C):
        begins = re.compile(pattern.format(name=re.escape(name)))
        for number, line in enumerate(lines):
            if begins.match(line):
                return number + 1, list(_body(lines[number:]))[:MOST_LINES]
    return None


def _body(lines: Sequence[str]) -> Iterable[str]:
    """From a definition's first line to its end: what is indented farther, and what closes it."""
    depth = _indent(lines[0])
    kept = [lines[0]]
    for line in lines[1:]:
        if line.strip() and _indent(line) <= depth:
            if _CLOSES.match(line):
                kept.append(line)
                if not line.rstrip().endswith(("{", ":", "(")):
                    break
                continue
            if not line.lstrip().startswith("{"):
                break
        kept.append(line)
    while not kept[-1].strip():
        kept.pop()
    return kept


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def map_of(beyond: Array) -> OffMap | None:
    """Where an output is off, coarsely; None where one element says it, or all are off.

    Parameters
    ----------
    beyond : ndarray of bool
        The elements beyond their limits. What has more than two axes is laid out by its last one.
    """
    if beyond.ndim == 0 or beyond.all() or beyond.size < 4 or not beyond.any():
        return None
    table = beyond.reshape(1, -1) if beyond.ndim == 1 else beyond.reshape(-1, beyond.shape[-1])
    rows, columns = (
        -(-size // most) for size, most in zip(table.shape, (MOST_ROWS, MOST_COLUMNS), strict=True)
    )
    padded = np.zeros(
        (-(-table.shape[0] // rows) * rows, -(-table.shape[1] // columns) * columns), dtype=bool
    )
    padded[: table.shape[0], : table.shape[1]] = table
    blocks = np.asarray(padded.reshape(padded.shape[0] // rows, rows, -1, columns).any(axis=(1, 3)))
    drawn = tuple("".join("#" if off else "." for off in row) for row in blocks.tolist())
    return OffMap(count=int(beyond.sum()), of=beyond.size, block=(rows, columns), rows=drawn)
