"""CSV and Parquet of all cells."""

import csv
import io
import math
from collections.abc import Callable

import pytest

from harness.errors import UsageError
from harness.model import Cell, ErrorStats, Record
from harness.report import table

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]


def read(run: Record) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table.write_csv(run), newline="")))


def test_every_cell_is_a_line_with_all_digits(cell: MakeCell, record: MakeRecord) -> None:
    stats = ErrorStats(
        count=4, max_abs=0.1, max_ulp=math.inf, max_rel=math.nan, first_beyond=(1, 2), beyond=3
    )
    lines = read(record(cell("Q", "FAIL", stats=stats, limit=1 / 3), cell("K", "NOT_RUN", "julia")))
    assert tuple(lines[0]) == table.COLUMNS
    one, other = lines
    assert (one["case"], one["stage"], one["verdict"], one["mode"]) == ("four_word", "Q", "FAIL", "chained")
    assert float(one["limit"]) == 1 / 3
    assert (one["max_abs"], one["max_ulp"], one["max_rel"]) == ("0.1", "Infinity", "NaN")
    assert (one["place"], one["beyond"]) == ("[1, 2]", "3")
    assert (other["max_abs"], other["place"], other["verdict"]) == ("", "", "NOT_RUN")


def test_text_is_quoted(cell: MakeCell, record: MakeRecord) -> None:
    (line,) = read(record(cell("Q", "FAIL", reason='a "quoted", long\nreason\x00')))
    assert line["reason"] == 'a "quoted", long\nreason\\u0000'


def test_parquet_or_a_word_on_what_it_needs(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "FAIL", stats=ErrorStats(count=4, max_abs=0.5)), cell("K", "NOT_RUN", "julia"))
    try:
        import pyarrow.parquet as pq
    except ModuleNotFoundError:
        with pytest.raises(UsageError, match="pyarrow"):
            table.write_parquet(run)
        return
    found = pq.read_table(io.BytesIO(table.write_parquet(run))).to_pylist()
    assert [row["verdict"] for row in found] == ["FAIL", "NOT_RUN"]
    assert [row["max_abs"] for row in found] == [0.5, None]
    assert tuple(found[0]) == table.COLUMNS
