"""Texts, dates, categories, missing elements, dictionaries and lists as .csv files of a folder."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from harness.workers.array_folder import FolderFault, read_array, write_array
from harness.workers.value_codes import UNITS, Coded, is_none, labels_and_levels
from harness.workers.values import ABSENT, Forms, flat, names_of, take

_FIELD = re.compile(r'"((?:[^"]|"")*)"|([^",\n]*)')
_NA = "NA"
_TRUTHS = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}


def write_values(folder: Path, takes: Forms, arrays: Sequence[Any]) -> None:
    """Write what a stage takes: a file for each array, called as in case.toml; a frame is a table too.

    Raises
    ------
    FolderFault
        No .csv can hold it.
    """
    left = list(arrays)
    for form in takes:
        value = take(form, left)
        if value is not ABSENT:
            _write(folder, form, value)


def read_values(folder: Path, returns: Forms, ranks: Mapping[str, int]) -> list[Any]:
    """Read what a stage returns, as arrays of numbers in the order of the forms.

    Parameters
    ----------
    folder : Path
        Where the program wrote it.
    returns : sequence of mapping
        The form of each value.
    ranks : mapping
        The number of dimensions of each array.

    Raises
    ------
    FolderFault
        A file is missing, or holds something else.
    Refused
        A value is not what the case declares.
    """
    values = {form["name"]: _read(folder, form, ranks) for form in returns}
    arrays = flat(values, returns)
    arrays = arrays if isinstance(arrays, list) else [arrays]
    return [np.asarray(each.array if isinstance(each, Coded) else each) for each in arrays]


def _write(folder: Path, form: Mapping[str, Any], value: Any) -> None:
    kind, name = form.get("kind", "array"), form["name"]
    if kind in ("names", "list"):
        items = value.values() if kind == "names" else value
        known = [(part, item) for part, item in zip(form["parts"], items, strict=True) if item is not None]
        for part, item in known:
            _write(folder, part, item)
        if kind == "names" and (columns := _columns(known)):
            _write_lines(folder / f"{name}.csv", [names_of(form), *zip(*columns, strict=True)])
        return
    if kind == "category":
        labels, levels = labels_and_levels(value)
        _write_words(folder / f"{name}.csv", np.asarray(labels, dtype=object))
        _write_words(folder / f"{name}.levels.csv", np.asarray(levels, dtype=object))
    elif kind == "array" and not form.get("missing"):
        write_array(folder / f"{name}.csv", value)
    else:
        _write_words(folder / f"{name}.csv", value)


def _columns(parts: Sequence[tuple[Mapping[str, Any], Any]]) -> list[list[str]]:
    """The words of each column, where all parts are vectors of one length; else nothing."""
    found = []
    for part, item in parts:
        if part.get("kind", "array") in ("names", "list"):
            return []
        array = labels_and_levels(item)[0] if part.get("kind") == "category" else item
        found.append(_words(array))
    sizes = {array.shape for array in found}
    return [list(array) for array in found] if len(sizes) == 1 and len(next(iter(sizes))) == 1 else []


def _words(array: Any) -> Any:
    """Each element as it is written: texts in quotes, NA where one is missing."""
    if isinstance(array, np.ma.MaskedArray):
        gone, array = np.ma.getmaskarray(array), array.data
    else:
        array = np.asarray(array)
        gone = np.array([is_none(item) for item in array.ravel().tolist()], dtype=bool).reshape(array.shape)
        gone = np.isnat(array) if array.dtype.kind == "M" else gone
    made = np.empty(array.shape, dtype=object)
    for place in np.ndindex(array.shape):
        item = array[place]
        if gone[place]:
            made[place] = _NA
        elif isinstance(item, str):
            quoted = item.replace('"', '""')
            made[place] = f'"{quoted}"'
        elif array.dtype.kind == "M":
            made[place] = str(item)
        else:
            made[place] = repr(int(item) if array.dtype.kind == "b" else item.item())
    return made


def _write_words(path: Path, array: Any) -> None:
    words = _words(array)
    if words.ndim > 2:
        raise FolderFault(f"a .csv cannot hold {words.ndim} dimensions")
    _write_lines(path, words if words.ndim == 2 else [[word] for word in words.reshape(-1)])


def _write_lines(path: Path, rows: Any) -> None:
    path.write_text("".join(",".join(row) + "\n" for row in rows), encoding="utf-8")


def _read(folder: Path, form: Mapping[str, Any], ranks: Mapping[str, int]) -> Any:
    kind, name = form.get("kind", "array"), form["name"]
    path = folder / f"{name}.csv"
    if kind == "names" and path.is_file():
        return _table(path, form)
    if kind == "names":
        return dict(zip(names_of(form), (_read(folder, part, ranks) for part in form["parts"]), strict=True))
    if kind == "list":
        return [_read(folder, part, ranks) for part in form["parts"]]
    if not path.is_file():
        there = ", ".join(sorted(each.name for each in folder.iterdir())) or "nothing"
        raise FolderFault(f"the program wrote no {path.name}; the folder of outputs holds {there}")
    if kind == "array" and not form.get("missing"):
        try:
            return read_array(path, ranks[name], form.get("dtype", "float"))
        except FolderFault as fault:
            raise FolderFault(f"{path.name}: {fault}") from fault
    values = _shaped(
        path, [[_value(each, form, path, at) for each in row] for at, row in _rows(path)], ranks[name]
    )
    if kind != "category":
        return values
    levels = folder / f"{name}.levels.csv"
    if not levels.is_file():
        raise FolderFault(f"the program wrote {path.name} and no {levels.name}")
    return {"labels": values, "levels": [text for _, row in _rows(levels) for text, _ in row]}


def _table(path: Path, form: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a table with a header."""
    (_, header), *rows = _rows(path) or [(1, [])]
    names = [text.strip() for text, _ in header]
    made: dict[str, Any] = {}
    for part, name in zip(form["parts"], names_of(form), strict=True):
        if name not in names:
            raise FolderFault(f"{path.name}: its header has no {name}, but {', '.join(names) or 'nothing'}")
        at = names.index(name)
        if short := next((line for line, row in rows if len(row) != len(names)), None):
            raise FolderFault(f"{path.name}: line {short} has not as many fields as the header")
        column = [_value(row[at], part, path, line) for line, row in rows]
        made[name] = (
            column if part.get("missing") or part.get("kind", "array") != "array" else np.array(column)
        )
    return made


def _rows(path: Path) -> list[tuple[int, list[tuple[str, bool]]]]:
    """The lines with their numbers: each field, and whether it stands in quotes."""
    try:
        text = path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise FolderFault(f"{path.name} is not UTF-8") from error
    rows: list[tuple[int, list[tuple[str, bool]]]] = []
    at, line, begun = 0, 1, 1
    row: list[tuple[str, bool]] = []
    while at < len(text):
        found = _FIELD.match(text, at)
        assert found is not None
        quoted = found[1] is not None
        row.append((found[1].replace('""', '"') if quoted else found[2], quoted))
        line += text.count("\n", at, found.end())
        at = found.end()
        if at < len(text) and text[at] not in ",\n":
            raise FolderFault(f"{path.name}: line {line} has a quote inside of a field")
        if at >= len(text) or text[at] == "\n":
            if len(row) > 1 or quoted or row[0][0].strip():
                rows.append((begun, row))
            row, line = [], line + 1
            begun = line
        at += 1
    return rows


def _value(field: tuple[str, bool], form: Mapping[str, Any], path: Path, line: int) -> Any:
    """One element: None where it is missing."""
    given, quoted = field
    text = given.strip()
    kind, dtype = form.get("kind", "array"), form.get("dtype", "float")
    if text == _NA and not quoted:
        return None
    if kind in ("text", "category"):
        return given
    try:
        if kind in UNITS:
            return np.asarray(text).astype(UNITS[kind])[()]
        if dtype == "bool":
            return _TRUTHS[text.lower()]
        return int(text) if dtype == "int" else float(text)
    except (ValueError, KeyError) as error:
        what = kind if kind in UNITS else {"bool": "truth value", "int": "whole number"}.get(dtype, "number")
        raise FolderFault(f"{path.name}: line {line} has {text[:40]!r}, which is no {what}") from error


def _shaped(path: Path, rows: list[list[Any]], rank: int) -> Any:
    flat_ = [item for row in rows for item in row]
    if rank == 0 and len(flat_) != 1:
        raise FolderFault(f"{path.name} has {len(flat_)} values, and one is expected")
    if rank > 2 or (rank == 1 and len(rows) > 1 and any(len(row) != 1 for row in rows)):
        raise FolderFault(f"{path.name} has lines of several values, and {rank} dimensions are expected")
    if len({len(row) for row in rows}) > 1:
        raise FolderFault(f"{path.name} has lines of different lengths")
    made = np.empty((len(rows), len(rows[0]) if rows else 0) if rank == 2 else len(flat_), dtype=object)
    made.reshape(-1)[:] = flat_
    if any(isinstance(item, np.datetime64) for item in flat_):
        made = np.array([np.datetime64("NaT") if x is None else x for x in flat_]).reshape(made.shape)
    return made[0] if rank == 0 else made
