"""Printed output of Julia's REPL: listings below a header that says size and type."""

from __future__ import annotations

import re

from harness.documents.julia_heads import type_of_head
from harness.documents.read_brackets import read_brackets
from harness.documents.tokens import ELISION_LINE, Elision, Group, Item, Shape, Word, canonical_type

_TYPE = r"(?!.*:\s+\S)(?:[A-Z]\w* )?[^\W\d][\w.!]*(?:\{.*\}|\(.*\))?(?: with (?!eltype)[^\[\]]*?)?"
"""A type, or a call that gives one; with values behind a colon in its line it is no header."""
_HEADER = re.compile(
    rf"\s*(?:(?P<length>\d+)-element|(?P<dims>\d+(?:×\d+)+)) (?P<type>{_TYPE})"
    r"(?: with eltype (?P<eltype>[^:]+))?(?P<listing>:?)\s*"
)
_LONGEST_HEADER = 500
_SLICE = re.compile(r"\[:(?:, (?::|\d+))+\] =\s*")


def read_julia(lines: list[tuple[int, str]]) -> list[Item]:
    """Read numbered lines of a REPL's output, which may hold several values."""
    items: list[Item] = []
    plain: list[tuple[int, str]] = []
    at = 0
    while at < len(lines):
        line, text = lines[at]
        header = _HEADER.fullmatch(text) if len(text) <= _LONGEST_HEADER else None
        at += 1
        if header is None:
            plain.append((line, text))
            continue
        items += read_brackets(plain, fixed=False)
        plain = []
        sizes = (header["length"] or header["dims"]).split("×")
        dims = tuple(int(size) for size in sizes)
        shape = Shape(text.strip(), line, dims, _element(header), type_of_head(header["type"]))
        items.append(shape)
        if header["listing"]:
            end = _end(lines, at)
            items.append(_listing(lines[at:end], shape.dims, line))
            at = end
    return items + read_brackets(plain, fixed=False)


def _element(header: re.Match[str]) -> str:
    if header["eltype"]:
        return canonical_type(header["eltype"])
    spelled = canonical_type(header["type"])
    if spelled.startswith("Bit"):
        return "Bool"
    name, _, inside = spelled.partition("{")
    if not inside or name not in ("Vector", "Matrix", "Array", "Adjoint", "Transpose", "SubArray"):
        return ""
    depth = 0
    for at, char in enumerate(inside):
        if depth == 0 and char in ",}":
            return inside[:at]
        depth += {"{": 1, "}": -1}.get(char, 0)
    return ""


def _end(lines: list[tuple[int, str]], start: int) -> int:
    """Return where a listing ends: rows are indented, slices are headed, blank lines stand between."""
    end = start
    for at in range(start, len(lines)):
        text = lines[at][1]
        if not text.strip():
            continue
        if not text.startswith(" ") and not _SLICE.fullmatch(text) and not ELISION_LINE.fullmatch(text):
            break
        end = at + 1
    return end


def _listing(lines: list[tuple[int, str]], dims: tuple[int, ...], header: int) -> Group:
    if len(dims) < 3:
        return Group("array", header, tuple(_rows(lines, dims)))
    slices: list[Item] = []
    start: int | None = None
    for at, (line, text) in [*enumerate(lines), (len(lines), (0, "[:, :] ="))]:
        whole = ELISION_LINE.fullmatch(text) and (start is None or not lines[at - 1][1].strip())
        if not _SLICE.fullmatch(text) and not whole:
            continue
        if start is not None:
            slices.append(Word(lines[start][1].strip(), lines[start][0]))
            slices.append(Group("array", lines[start][0], tuple(_rows(lines[start + 1 : at], dims[:2]))))
        start = None if whole else at
        if whole:
            slices.append(Elision(line))
    return Group("array", header, tuple(slices))


def _rows(lines: list[tuple[int, str]], dims: tuple[int, ...]) -> list[Item]:
    while lines and not lines[-1][1].strip():
        lines = lines[:-1]
    elided = any(ELISION_LINE.fullmatch(text) for _, text in lines)
    shown = dims[0] if elided else sum(bool(text.strip()) for _, text in lines)
    rows: list[Item] = []
    for line, text in lines:
        # A blank line among too few rows is where ⋮ was lost, which stands for two rows or more.
        if ELISION_LINE.fullmatch(text) or (rows and not text.strip() and shown < dims[0] - 1):
            rows.append(Elision(line))
        elif text.strip():
            row = read_brackets([(line, text)], fixed=False)
            row = [Elision(line) if _dots(item) else item for item in row]
            rows += row if len(dims) == 1 else [Group("row", line, tuple(row))]
    return rows if len(dims) == 1 else _elide_columns(rows)


def _elide_columns(rows: list[Item]) -> list[Item]:
    """Put the gap that only some rows mark into all rows that are as short."""
    marked = next((row for row in rows if isinstance(row, Group) and _gap(row) is not None), None)
    gap = _gap(marked) if marked is not None else None
    if marked is None or gap is None:
        return rows
    return [
        Group("row", row.line, (*row.items[:gap], Elision(row.line), *row.items[gap:]))
        if isinstance(row, Group) and _gap(row) is None and len(row.items) == len(marked.items) - 1
        else row
        for row in rows
    ]


def _gap(row: Group) -> int | None:
    return next((at for at, item in enumerate(row.items) if isinstance(item, Elision)), None)


def _dots(item: Item) -> bool:
    return getattr(item, "text", "") == "..."
