"""All cells as a table: columns for the page, CSV, Parquet."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from harness.errors import UsageError
from harness.model import Cell, Record
from harness.report import by_sample, view
from harness.report.text import visible

_LONGEST = 4000
_CUT = frozenset({"reason", "detail", "weaker_because"})

_TEXTS: Mapping[str, Callable[[Cell], str]] = {
    "case": lambda cell: cell.case,
    "stage": lambda cell: cell.stage,
    "implementation": lambda cell: cell.implementation,
    "language": lambda cell: cell.language,
    "mode": lambda cell: cell.mode.value,
    "precision": lambda cell: cell.precision.value,
    "check": lambda cell: cell.check.value,
    "against": lambda cell: cell.against,
    "source": lambda cell: cell.source.value,
    "verdict": lambda cell: cell.verdict.value,
    "reason": lambda cell: cell.reason,
    "worst_sample": lambda cell: cell.worst_sample,
    "divergence": lambda cell: cell.divergence,
    "basis": lambda cell: cell.basis.value if cell.basis is not None else "",
    "weaker_because": lambda cell: cell.weaker_because,
    "detail": lambda cell: cell.detail,
}

_NUMBERS: Mapping[str, Callable[[Cell], float | None]] = {
    "max_abs": lambda cell: cell.stats.max_abs if cell.stats is not None else None,
    "max_rel": lambda cell: cell.stats.max_rel if cell.stats is not None else None,
    "max_ulp": lambda cell: cell.stats.max_ulp if cell.stats is not None else None,
    "rms": lambda cell: cell.stats.rms if cell.stats is not None else None,
    "used": lambda cell: cell.stats.used if cell.stats is not None else None,
    "limit": lambda cell: cell.limit,
    "worst": lambda cell: cell.worst,
    "ulp_error": lambda cell: cell.ulp_error,
    "ulp_of_stage": lambda cell: cell.ulp_of_stage,
    "seconds": lambda cell: cell.seconds,
    "first_call": lambda cell: cell.calls.first if cell.calls is not None else None,
    "later_call": lambda cell: cell.calls.later if cell.calls is not None else None,
}

_COUNTS: Mapping[str, Callable[[Cell], int | None]] = {
    "samples": lambda cell: cell.samples,
    "count": lambda cell: cell.stats.count if cell.stats is not None else None,
    "beyond": lambda cell: cell.stats.beyond if cell.stats is not None else None,
    "nan_mismatch": lambda cell: cell.stats.nan_mismatch if cell.stats is not None else None,
    "inf_mismatch": lambda cell: cell.stats.inf_mismatch if cell.stats is not None else None,
    "zero_sign_mismatch": lambda cell: cell.stats.zero_sign_mismatch if cell.stats is not None else None,
    "undecided": lambda cell: cell.undecided,
    "inherited": lambda cell: int(cell.inherited),
}

COLUMNS = (*_TEXTS, *_NUMBERS, *_COUNTS, "place")
"""The columns of the table, in their order; ``place`` is the element to look at."""


def rows(record: Record) -> Sequence[tuple[Any, ...]]:
    """One row for each cell, in the order of `COLUMNS`; None where there is nothing."""
    getters = (*_TEXTS.values(), *_NUMBERS.values(), *_COUNTS.values(), _place)
    return [tuple(get(cell) for get in getters) for cell in view.ordered(record)]


def cell_columns(record: Record) -> dict[str, Any]:
    """The table as the page holds it: texts as numbers of a list of texts, numbers in four digits."""
    cells = view.ordered(record)
    columns: dict[str, list[Any]] = {}
    texts: dict[str, int] = {"": 0}
    for name, text in {**_TEXTS, "place": _place}.items():
        values = [text(cell) or "" for cell in cells]
        places = {}
        for value in dict.fromkeys(values):
            shown = _cut(visible(value)) if name in _CUT else visible(value)
            places[value] = texts.setdefault(shown, len(texts))
        columns[name] = [places[value] for value in values]
    for name, number in _NUMBERS.items():
        rounded = {value: _rounded(value) for value in dict.fromkeys(map(number, cells))}
        columns[name] = [
            rounded[value] if value in rounded else _rounded(value) for value in map(number, cells)
        ]
    for name, count in _COUNTS.items():
        columns[name] = [count(cell) for cell in cells]
    samples = by_sample.packed(cells, texts)
    return {"rows": len(cells), "texts": list(texts), "columns": columns, "samples": samples}


def write_csv(record: Record) -> str:
    """The table as CSV, RFC 4180, with a line of names; numbers in all digits, ``NaN``, ``Infinity``."""
    return b"".join(csv_pieces([record])).decode()


def csv_pieces(parts: Iterable[Record]) -> Iterator[bytes]:
    """The same of a record that comes in parts."""
    yield _csv([COLUMNS])
    for part in parts:
        yield _csv([_plain(value) for value in row] for row in rows(part))


def _csv(lines: Iterable[Sequence[Any]]) -> bytes:
    file = io.StringIO()
    csv.writer(file).writerows(lines)
    return file.getvalue().encode()


def write_parquet(*parts: Record) -> bytes:
    """The table as Parquet, of a record, or of all of its parts.

    Raises
    ------
    UsageError
        pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ModuleNotFoundError as error:
        raise UsageError(
            "Parquet needs pyarrow, which is not installed", advice="pip install pyarrow, or use --csv"
        ) from error
    kinds = [
        *(pa.string() for _ in _TEXTS),
        *(pa.float64() for _ in _NUMBERS),
        *(pa.int64() for _ in _COUNTS),
        pa.string(),
    ]
    table_rows = [row for part in parts for row in rows(part)]
    columns = [[_shown(row[place]) for row in table_rows] for place in range(len(COLUMNS))]
    arrays = [pa.array(column, type=kind) for column, kind in zip(columns, kinds, strict=True)]
    file = io.BytesIO()
    pq.write_table(pa.table(arrays, names=list(COLUMNS)), file)
    return file.getvalue()


def _place(cell: Cell) -> str | None:
    place = view.place_of_error(cell.stats) if cell.stats is not None else None
    return None if place is None else "[" + ", ".join(map(str, place)) + "]"


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        return repr(value) if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"
    return _shown(value)


def _shown(value: Any) -> Any:
    return visible(value) if isinstance(value, str) else value


def _rounded(value: float | None) -> float | str | None:
    if value is None or value == 0:
        return value if value is None else 0
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "∞" if value > 0 else "-∞"
    return float(f"{value:.4g}")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
