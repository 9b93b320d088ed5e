"""Parquet files, through pyarrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from harness.errors import ArrayFileError
from harness.model import Array
from harness.store.regular_file import open_regular
from harness.store.tables import DataFile, damaged
from harness.store.typed_columns import Typed, words_of, written


def read_parquet(path: Path) -> DataFile:
    """Read the columns of a Parquet file: numbers, texts, dates, times and dictionaries of texts.

    Raises
    ------
    ArrayFileError
        It is damaged, pyarrow is missing, or no column can be read.
    """
    open_regular(path).close()
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise ArrayFileError(
            "Parquet needs pyarrow, which is not installed",
            path=path,
            advice="pip install pyarrow, or save it as CSV",
        ) from error
    try:
        table = pq.read_table(path)
    except (pa.ArrowException, ValueError) as problem:
        raise damaged(path, "Parquet", problem) from problem
    arrays: dict[str, Array] = {}
    text: dict[str, str] = {}
    words: dict[str, Array] = {}
    kinds: dict[str, Typed] = {}
    levels: dict[str, tuple[str, ...]] = {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        kind = column.type
        if name.startswith("__index_level_"):
            continue
        if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind):
            # A column with gaps has no integers in NumPy: what is missing becomes NaN.
            is_float = pa.types.is_floating(kind)
            given = column.cast(pa.float64()) if column.null_count and not is_float else column
            arrays[name] = np.array(given.to_numpy())
            continue
        text[name] = f"column {name!r} is of type {kind}, not numbers"
        try:
            found, typed, known = _words(pa, column)
        except pa.ArrowException as problem:
            text[name] += f", and cannot be read: {str(problem).partition(chr(10))[0]}"[:200]
            continue
        if found is None:
            continue
        words[name] = found
        if typed is not None:
            kinds[name] = typed
        if known is not None:
            levels[name] = known
    if not arrays and not words:
        raise ArrayFileError("holds no column of numbers", path=path)
    return DataFile(arrays=arrays, text=text, words=words, kinds=kinds, levels=levels)


def _words(pa: Any, column: Any) -> tuple[Array | None, Typed | None, tuple[str, ...] | None]:
    """The texts of a column, what they are, and a category's levels; no texts of what has none."""
    types, kind = pa.types, column.type
    if types.is_date(kind):
        return written(np.asarray(column.cast(pa.date32()).to_numpy(), "datetime64[D]")), "date", None
    if types.is_timestamp(kind):
        # Finer than a microsecond is refused by the cast, which is safe.
        exact = column.cast(pa.timestamp("us", kind.tz)).cast(pa.timestamp("us"))
        return written(np.asarray(exact.to_numpy(), "datetime64[us]")), "time", None
    if types.is_string(kind) or types.is_large_string(kind):
        return words_of(column.to_pylist()), None, None
    if types.is_dictionary(kind) and (
        types.is_string(kind.value_type) or types.is_large_string(kind.value_type)
    ):
        unified = column.unify_dictionaries()
        known = unified.chunk(0).dictionary.to_pylist() if unified.num_chunks else []
        return words_of(unified.to_pylist()), "category", tuple(known)
    return None, None, None
