"""CSV and Parquet of all cells."""

import csv
import io
import math
import sys
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
    failed, other = lines
    assert (failed["case"], failed["stage"], failed["verdict"], failed["mode"]) == (
        "four_word",
        "Q",
        "FAIL",
        "chained",
    )
    assert float(failed["limit"]) == 1 / 3
    assert (failed["max_abs"], failed["max_ulp"], failed["max_rel"]) == ("0.1", "Infinity", "NaN")
    assert (failed["place"], failed["beyond"]) == ("[1, 2]", "3")
    assert (other["max_abs"], other["place"], other["verdict"]) == ("", "", "NOT_RUN")


def test_text_is_quoted(cell: MakeCell, record: MakeRecord) -> None:
    (line,) = read(record(cell("Q", "FAIL", reason='a "quoted", long\nreason\x00')))
    assert line["reason"] == 'a "quoted", long\nreason\\u0000'


def test_parquet_comes_back_with_its_types(cell: MakeCell, record: MakeRecord) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    odd = ErrorStats(
        count=4,
        max_abs=math.inf,
        max_rel=math.nan,
        max_ulp=5e-324,
        rms=-0.0,
        used=1 / 3,
        first_beyond=(1, 2),
        beyond=3,
    )
    name = 'a "name", √ <b>\nof lines' + "x" * 10_000
    run = record(
        cell(name, "FAIL", stats=odd, limit=-math.inf, inherited=True, seconds=1e300, detail=name),
        cell("K", "NOT_RUN", "julia"),
        cell("Q", "PASS", "published.r", detail="patched: margin"),
    )
    stored = pq.read_table(io.BytesIO(table.write_parquet(run)))
    assert tuple(stored.column_names) == table.COLUMNS
    kinds = dict(zip(stored.schema.names, map(str, stored.schema.types), strict=True))
    assert {kinds[name] for name in ("case", "stage", "verdict", "detail", "place")} == {"string"}
    assert {kinds[name] for name in ("max_abs", "limit", "used", "seconds")} == {"double"}
    assert {kinds[name] for name in ("samples", "count", "beyond", "inherited")} == {"int64"}
    rows = {row["implementation"]: row for row in stored.to_pylist()}
    failed, gone, theirs = rows["r"], rows["julia"], rows["published.r"]
    assert (failed["stage"], failed["detail"], failed["place"]) == (name, name, "[1, 2]")
    assert (failed["max_abs"], failed["limit"], failed["max_ulp"], failed["used"]) == (
        math.inf,
        -math.inf,
        5e-324,
        1 / 3,
    )
    assert math.isnan(failed["max_rel"])
    assert math.copysign(1.0, failed["rms"]) == -1.0
    assert (failed["count"], failed["beyond"], failed["inherited"], failed["seconds"]) == (4, 3, 1, 1e300)
    assert (gone["max_abs"], gone["count"], gone["place"], gone["verdict"]) == (None, None, None, "NOT_RUN")
    assert theirs["detail"] == "patched: margin"


def test_parquet_holds_what_the_record_does(cell: MakeCell, record: MakeRecord) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    run = record(
        *(cell(f"stage {n}", "PASS", stats=ErrorStats(count=n, max_abs=1 / n)) for n in range(1, 99))
    )
    rows = pq.read_table(io.BytesIO(table.write_parquet(run))).to_pylist()
    assert [tuple(row.values()) for row in rows] == list(table.rows(run))


def test_broken_text_is_written_as_what_it_is(cell: MakeCell, record: MakeRecord) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    run = record(cell("Q", "FAIL", reason="half \udc80, control \x00"))
    (row,) = pq.read_table(io.BytesIO(table.write_parquet(run))).to_pylist()
    assert row["reason"] == "half \\udc80, control \\u0000"


def test_without_pyarrow_a_word_on_what_is_needed(
    cell: MakeCell, record: MakeRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match="Parquet needs pyarrow"):
        table.write_parquet(record(cell("Q", "PASS")))
