"""Printed output of R: vectors behind ``[1]``, matrices with ``[1,]`` and ``[,1]``, tables cut by width."""

from __future__ import annotations

import re

import msgspec

from harness.documents.read_libtorch import find_tensors
from harness.documents.tokens import ELISION_LINE, Elision, Group, Item, Number, Word, lex

_VECTOR = re.compile(r"\s*\[(?P<index>\d+)\](?=\s|$)(?P<rest>.*)")
_ROW = re.compile(r"\s*(?P<label>\[\d+,\])(?P<rest>.*)")
_COLUMN = re.compile(r"\[,\d+\]")
_REACHED = re.compile(r"\s*\[ reached .*\]\s*")
_FIELD = re.compile(r"\S+")

Lines = list[tuple[int, str]]


class _Table(msgspec.Struct):
    """Part of a table: ``rows`` are labels with values; a label of None marks an elision."""

    columns: list[Item]
    rows: list[tuple[str | None, int, list[Item]]]
    indexed: bool
    end: int

    @property
    def labels(self) -> list[str | None]:
        return [label for label, _, _ in self.rows]


def read_r(lines: Lines) -> list[Item]:
    """Read numbered lines; what R repeats or cuts because of the width is put together again."""
    items: list[Item] = []
    tensors = find_tensors(lines)
    vector: list[Item] | None = None
    at = 0
    while at < len(lines):
        line, text = lines[at]
        if at in tensors:
            items += tensors[at].items
            at, vector = tensors[at].end, None
            continue
        label = _VECTOR.fullmatch(text)
        if label is not None:
            values = list(lex(label["rest"], line))
            if vector is None or label["index"] == "1":
                vector = []
                items.append(Group("vector", line, ()))
            vector += values
            group = items[-1]
            items[-1] = Group("vector", group.line, tuple(vector))
            at += 1
            continue
        if _REACHED.fullmatch(text) or ELISION_LINE.fullmatch(text):
            _elide(items, line)
            at += 1
            continue
        vector = None
        table = _table(lines, at)
        if table is not None:
            items += _emit(table)
            at = table.end
            continue
        items += [Word(text.strip(), line)] if _is_index(text) else _words(text, line)
        at += 1
    return items


def _is_index(text: str) -> bool:
    """Whether a line names what stands below it: ``$a``, ``[[1]]`` or ``, , 1``."""
    text = text.strip()
    return text.startswith(", , ") or (text.startswith(("[[", "$")) and len(text.split(None, 1)) == 1)


def _elide(items: list[Item], line: int) -> None:
    last = items[-1] if items else None
    if isinstance(last, Group):
        items[-1] = Group(last.kind, last.line, (*last.items, Elision(line)))
    else:
        items.append(Elision(line))


def _words(text: str, line: int) -> list[Item]:
    return [Word("...", line) if isinstance(item, Elision) else item for item in lex(text, line)]


def _table(lines: Lines, start: int) -> _Table | None:
    """Read a table and its continuations, which R prints below it when it is too wide."""
    table = _part(lines, start)
    if table is None:
        return None
    while True:
        more = _part(lines, table.end) if table.labels != [""] else None
        if more is None or more.labels != table.labels or _starts_anew(lines[table.end][1]):
            return table
        table.columns += more.columns
        for (_, _, values), (_, _, added) in zip(table.rows, more.rows, strict=True):
            values += added
        table.end = more.end


def _starts_anew(text: str) -> bool:
    return _ROW.fullmatch(text) is not None or text.split()[0] == "[,1]"


def _part(lines: Lines, start: int) -> _Table | None:
    if start >= len(lines):
        return None
    line, text = lines[start]
    head = list(_FIELD.finditer(text))
    bare = _ROW.fullmatch(text) is not None
    indexed = bool(head) and all(_COLUMN.fullmatch(field[0]) for field in head)
    rows: list[tuple[str | None, int, list[Item]]] = []
    at = start if bare else start + 1
    while at < len(lines):
        row = _read_row(lines[at], [] if bare else head, indexed)
        if row is None:
            break
        rows.append(row)
        at += 1
        if row[0] == "":
            break
    while rows and rows[-1][0] is None:
        rows.pop()
        at -= 1
    if not rows and not indexed:
        return None
    if rows and rows[0][0] == "" and not _names_above_numbers(text, line, rows[0][2]):
        return None
    columns = [] if bare or indexed else _words(text, line)
    return _Table(columns, rows, indexed or any(_ROW.match(label or "") for label, _, _ in rows), at)


def _read_row(
    numbered: tuple[int, str], head: list[re.Match[str]], indexed: bool
) -> tuple[str | None, int, list[Item]] | None:
    line, text = numbered
    row = _ROW.fullmatch(text)
    if row is not None:
        values = list(lex(row["rest"], line))
        fits = not head or indexed or len(_FIELD.findall(row["rest"])) == len(head)
        return (row["label"], line, values) if fits else None
    if not head:
        return None
    if ELISION_LINE.fullmatch(text):
        return None, line, []
    fields = list(_FIELD.finditer(text))
    if len(fields) < len(head) + indexed or _COLUMN.fullmatch(fields[0][0]) or _VECTOR.match(text):
        return None
    cut = len(fields) - len(head)
    ends = [field.end() for field in fields[cut:]]
    if not indexed and ends != [field.end() for field in head]:
        return None
    label = text[: fields[cut].start()].strip()
    return label, line, list(lex(text[fields[cut].start() :], line))


def _names_above_numbers(names: str, line: int, values: list[Item]) -> bool:
    named = list(lex(names, line))
    return all(isinstance(item, Number) for item in values) and not any(isinstance(i, Number) for i in named)


def _emit(table: _Table) -> list[Item]:
    if table.labels == [""]:  # a named vector: name and value, whatever the width
        names = table.columns
        values = table.rows[0][2]
        if len(names) != len(values):
            return [*names, *values]
        return [item for pair in zip(names, values, strict=True) for item in pair]
    rows: list[Item] = []
    for label, line, values in table.rows:
        if label is None:
            rows.append(Elision(line))
            continue
        named: list[Item] = [] if _ROW.match(label) else _words(label, line)
        rows += [Group("row", line, (*named, *values))] if table.indexed else [*named, *values]
    if table.indexed:
        first = table.rows[0][1] if table.rows else 0
        return [*table.columns, Group("matrix", first, tuple(rows))]
    return [*table.columns, *rows]
