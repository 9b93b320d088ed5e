"""Tensors as libtorch prints them, which R's torch does too: rows, slices, columns in parts, a scale."""

from __future__ import annotations

import re
from decimal import Decimal

import msgspec

from harness.documents.tokens import Elision, Group, Item, Number, Shape, lex

_FOOTER = re.compile(r"\s*\[ (?:CPU|CUDA|MPS)?(?P<type>\w+?)Type\{(?P<dims>[\d,]*)\} \](?P<rest>.*)")
_SLICE = re.compile(r"\s*\((?:\d+,)*\.,\.\) =\s*")
_TEN = r"1(?:0*|e[-+]\d+)|0\.0*1"
_SCALE = re.compile(rf"\s*(?P<scale>{_TEN}) +\*\s*")
# a scale is printed right behind the number of the last column, with no blank between
_COLUMNS = re.compile(rf"\s*Columns (?P<first>\d+) to \d+?(?P<rest>(?:\s.*|(?:{_TEN}) \*\s*)?)")
_TRUNCATED = re.compile(r"\s*\.\.\. \[ the output was truncated.*|\s*\.\.\.\s*")


class Tensor(msgspec.Struct, frozen=True):
    """A tensor found among lines: it takes those from ``start`` up to ``end``."""

    start: int
    end: int
    items: tuple[Item, ...]


def find_tensors(lines: list[tuple[int, str]]) -> dict[int, Tensor]:
    """Find tensors by their last line, such as ``[ CPUFloatType{1,3,8} ]``; by the first line they take."""
    tensors: dict[int, Tensor] = {}
    done = 0
    for at, (line, text) in enumerate(lines):
        footer = _FOOTER.fullmatch(text)
        if footer is None:
            continue
        start = at
        while start > done and _belongs(lines[start - 1][1]):
            start -= 1
        dims = tuple(int(size) for size in footer["dims"].split(",") if size)
        shape = Shape(text.strip(), line, dims, footer["type"])
        done = at + 1
        tensors[start] = Tensor(start, done, (_body(lines[start:at], dims, line), shape))
    return tensors


def _belongs(text: str) -> bool:
    if not text.strip() or _SLICE.fullmatch(text) or _SCALE.fullmatch(text) or _TRUNCATED.fullmatch(text):
        return True
    columns = _COLUMNS.fullmatch(text)
    rest = columns["rest"] if columns else text
    return bool(columns and _SCALE.fullmatch(rest)) or all(isinstance(item, Number) for item in lex(rest, 0))


def _body(lines: list[tuple[int, str]], dims: tuple[int, ...], footer: int) -> Group:
    matrices: list[list[Item]] = [[]]
    scale, row, width_known = 0, 0, False
    for line, text in lines:
        if _SLICE.fullmatch(text):
            if matrices[-1]:
                matrices.append([])
            scale, row, width_known = 0, 0, False
            continue
        columns = _COLUMNS.fullmatch(text)
        if columns is not None:
            scale, row, width_known = 0, 0, columns["first"] != "1"
            text = columns["rest"]
        scaled = _SCALE.fullmatch(text)
        if scaled is not None:
            scale = Decimal(scaled["scale"]).adjusted()
            continue
        if not text.strip():
            continue
        if _TRUNCATED.fullmatch(text):
            matrices[-1].append(Elision(line))
            continue
        values = tuple(lex(text, line, fixed=True, scale=scale))
        before = matrices[-1][row] if width_known and row < len(matrices[-1]) else None
        if isinstance(before, Group):
            matrices[-1][row] = Group("row", before.line, (*before.items, *values))
        else:
            matrices[-1].append(Group("row", line, values))
        row += 1
    if len(dims) < 2:
        flat = [item for part in matrices[0] for item in (part.items if isinstance(part, Group) else (part,))]
        return Group("array", footer, tuple(flat))
    groups = [Group("array", footer, tuple(rows)) for rows in matrices]
    return groups[0] if len(dims) == 2 else Group("array", footer, tuple(groups))
