"""Tables of numbers as text: CSV and its relatives."""

from __future__ import annotations

import csv
import re
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from harness.errors import ArrayFileError
from harness.model import Array, Frozen
from harness.numerics.missing import NA_BITS, NO_TEXT
from harness.store.typed_columns import Typed

ONLY = "array"
"""The name of the one array of a file that names none."""

ROW_NAMES = ("", "rownames")
"""Headers of a first column that holds names of rows: what R and pandas write."""

_NUMBER = re.compile(
    r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eEdD][+-]?[0-9]+)?|[+-]?(?:inf|infinity)", re.IGNORECASE
)
_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+(?:[eE][+-]?[0-9]+)?")
_MISSING = frozenset({"", "NA", "N/A", "NaN", "nan", "NAN", "null", "NULL", "None"})
_GAPS = frozenset({"", "NA"})
"""What is missing in a column of text; in one of numbers, all but NaN itself."""
_LOGICAL = {"TRUE": True, "True": True, "true": True, "FALSE": False, "False": False, "false": False}
_EXACT = 1 << 53
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_NA = struct.unpack("<d", struct.pack("<Q", NA_BITS))[0]


class DataFile(Frozen, frozen=True, kw_only=True):
    """What a file holds.

    Attributes
    ----------
    arrays : dict of str to ndarray
        By name, in the order of the file; of a table each column is an array of one dimension.
    text : dict of str to str
        What was left out because it holds no numbers, and why.
    words : dict of str to ndarray of str
        Columns of text, those among ``text``; what is missing is as `harness.numerics.missing` has it.
        Dates and times are ISO 8601, times in UTC.
    kinds : dict of str to str
        What the file says that columns of ``words`` are: dates, times or categories.
    levels : dict of str to tuple of str
        The levels of categories, in their order.
    """

    arrays: dict[str, Array]
    text: dict[str, str] = msgspec.field(default_factory=dict)
    words: dict[str, Array] = msgspec.field(default_factory=dict)
    kinds: dict[str, Typed] = msgspec.field(default_factory=dict)
    levels: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


def damaged(path: Path, kind: str, problem: Exception) -> ArrayFileError:
    """The error that a file is not a whole one of its kind, in its parser's first line."""
    what = (str(problem).splitlines() or [type(problem).__name__])[0]
    return ArrayFileError(f"is not a whole {kind} file: {what}"[:400], path=path)


class _Row(Frozen, frozen=True):
    line: int
    fields: tuple[str, ...]


def read_table(data: bytes, path: Path) -> DataFile:
    """Read a table: ``,``, ``;``, tab or blanks between fields, a decimal point, or a comma beside ``;``.

    Parameters
    ----------
    data : bytes
        The file's. Blank lines, and lines that begin with ``#``, are passed over.
    path : Path
        For errors.

    Returns
    -------
    DataFile
        With a header, one float64 (or bool) array for each column of numbers; without one, the matrix
        called ``array``, or a vector where there is one column. A missing value is NaN.

    Raises
    ------
    ArrayFileError
        With the line: rows of several lengths, a field that is no number among numbers, a header that names
        a column twice, or no numbers at all.
    """
    rows = list(_rows(_decoded(data)))
    if not rows:
        raise ArrayFileError("holds no line of numbers", path=path)
    header, rows = _header(rows, path)
    if not rows and data[:2] in _UTF_16:
        raise ArrayFileError(
            "its first two bytes say that it is UTF-16, and read so it holds no row",
            path=path, line=1, advice="save it as UTF-8",
        )  # fmt: skip
    if not rows:
        raise ArrayFileError("holds a header and no row", path=path, line=1, advice="add the rows")
    width = len(rows[0].fields)
    if header is not None and len(header.fields) == width - 1:
        header = _Row(header.line, ("", *header.fields))
    for row in rows:
        due = width if header is None else len(header.fields)
        if len(row.fields) != due:
            who = "the first row" if header is None else "the header"
            raise ArrayFileError(
                f"this line has {len(row.fields)} fields, and {who} has {due}",
                path=path, line=row.line, advice="each line has the same fields; NA is for what is missing",
            )  # fmt: skip
    if header is None:
        columns = [_column(rows, at, f"column {at + 1}", path) for at in range(width)]
        if isinstance(told := next((column for column in columns if isinstance(column, str)), None), str):
            raise ArrayFileError(
                told, path=path, advice="name the columns in a header line; text is left out"
            )
        stacked = np.column_stack([column for column in columns if not isinstance(column, str)])
        return DataFile(arrays={ONLY: stacked[:, 0] if width == 1 else stacked})
    return _named(header, rows, path)


def _named(header: _Row, rows: Sequence[_Row], path: Path) -> DataFile:
    arrays: dict[str, Array] = {}
    text: dict[str, str] = {}
    words: dict[str, Array] = {}
    for at, name in enumerate(header.fields):
        if at == 0 and name in ROW_NAMES:
            continue
        if not name or name in arrays or name in text:
            what = f"column {at + 1} has no name" if not name else f"two columns are called {name!r}"
            raise ArrayFileError(what, path=path, line=header.line, advice="name each column differently")
        column = _column(rows, at, f"column {name!r}", path)
        if isinstance(column, str):
            text[name] = column
            fields = [row.fields[at] for row in rows]
            words[name] = np.array(
                [chr(NO_TEXT) if field in _GAPS else field for field in fields], dtype=np.str_
            )
        else:
            arrays[name] = column
    return DataFile(arrays=arrays, text=text, words=words)


def _decoded(data: bytes) -> str:
    if data[:2] in _UTF_16:
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")  # Numbers are the same; only names of columns may look odd.


def _rows(text: str) -> Iterator[_Row]:
    lines = [
        (number, line)
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        return
    bare = re.sub(r'"[^"]*"', "", lines[0][1])
    separator = next((mark for mark in ("\t", ";", ",") if mark in bare), " ")
    for number, line in lines:
        kept = line.strip() if separator == " " else line
        fields = next(csv.reader([kept], delimiter=separator, skipinitialspace=True), [])
        fields = [field.strip() for field in fields]
        # In one column, 1,234 may be a number of thousands, or two numbers.
        if separator != "," and len(fields) > 1:
            fields = [field.replace(",", ".") if _COMMA.fullmatch(field) else field for field in fields]
        yield _Row(number, tuple(fields))


def _header(rows: list[_Row], path: Path) -> tuple[_Row | None, list[_Row]]:
    """The line of names, if the first is one; and the others."""
    first = rows[0]
    numbers = [field for field in first.fields if _NUMBER.fullmatch(field)]
    names = [field for field in first.fields if field not in _MISSING and not _NUMBER.fullmatch(field)]
    logical = [field for field in names if field in _LOGICAL]
    # pandas numbers columns that have no name, and leaves the place above its row names empty.
    counted = [str(at) for at in range(len(numbers))]
    if first.fields[0] == "" and len(first.fields) == len(numbers) + 1 and numbers == counted:
        return first, rows[1:]
    if numbers and len(names) > len(logical):
        raise ArrayFileError(
            f"the first line is neither names nor numbers: {names[0]!r} is text, {numbers[0]!r} is a number",
            path=path,
            line=first.line,
            advice="begin with a line that names each column",
        )
    is_header = len(names) > len(logical)
    return (first, rows[1:]) if is_header else (None, rows)


def _column(rows: Sequence[_Row], at: int, name: str, path: Path) -> Array | str:
    """A column's numbers; or, where none of its fields is one, a sentence that says so."""
    fields = [row.fields[at] for row in rows]
    given = [(row.line, field) for row, field in zip(rows, fields, strict=True) if field not in _MISSING]
    if given and all(field in _LOGICAL for _, field in given) and len(given) == len(fields):
        return np.array([_LOGICAL[field] for field in fields])
    odd = [(line, field) for line, field in given if not _NUMBER.fullmatch(field)]
    if odd and len(odd) == len(given):
        return f"{name} holds text ({odd[0][1]!r:.40} in line {odd[0][0]})"
    if odd:
        raise ArrayFileError(
            f"{name}: {odd[0][1]!r:.40} is no number",
            path=path, line=odd[0][0], advice="correct it; a missing value is written NA, or left empty",
        )  # fmt: skip
    for line, field in given:
        digits = field.lstrip("+-0")
        if len(digits) > 15 and digits.isdigit() and (len(digits) > 16 or int(digits) > _EXACT):
            raise ArrayFileError(
                f"{name}: a float64 cannot hold the integer {field:.40}",
                path=path, line=line, advice="save it as .npy or .npz, as int64",
            )  # fmt: skip
    found = np.array([_float(field) for field in fields])
    for place in np.flatnonzero(np.isinf(found)).tolist():
        if "inf" not in fields[place].lower():
            raise ArrayFileError(
                f"{name}: a float64 cannot hold {fields[place]:.40}, which is beyond its range",
                path=path, line=rows[place].line, advice="write Inf where infinity is meant, or leave it out",
            )  # fmt: skip
    return found


def _float(field: str) -> float:
    if field in _MISSING:
        return float("nan") if field.lower() == "nan" else _NA
    return float(field.replace("d", "e").replace("D", "e"))
