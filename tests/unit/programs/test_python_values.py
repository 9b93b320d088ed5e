"""Times and spans as a program in Python has them: in days, as R and Julia count, or in seconds."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
import pytest

from harness.programs.recorders.python_values import Part, parts_of, restored


def _numbers(value: Any) -> list[float]:
    (part,) = parts_of(value)
    assert part.type == "f8"
    return np.frombuffer(part.data).tolist()


def test_a_missing_day_leaves_the_others_days() -> None:
    days = np.array(["1970-01-03", "NaT", "2024-01-13"], "datetime64[ns]")
    np.testing.assert_equal(_numbers(days), [2.0, np.nan, 19735.0])


def test_spans_of_whole_days_are_days_and_others_seconds() -> None:
    spans = np.array(["2024-01-13", "NaT", "2024-01-10"], "datetime64[ns]") - np.datetime64("2024-01-01")
    np.testing.assert_equal(_numbers(spans), [12.0, np.nan, 9.0])
    np.testing.assert_equal(_numbers(spans / 24), [43200.0, np.nan, 32400.0])


@pytest.mark.parametrize("unit", ["datetime64[D]", "datetime64[ns]", "timedelta64[ns]"])
def test_what_another_program_has_is_put_in_as_times(unit: str) -> None:
    own = np.array([19735, 19700, 3], unit.replace("[ns]", "[D]")).astype(unit)
    other = Part("", "f8", (3,), array("d", [19736.0, np.nan, 4.0]).tobytes())
    filled = restored(own, other)
    assert filled.dtype == own.dtype
    np.testing.assert_equal(_numbers(filled), [19736.0, np.nan, 4.0])


def test_a_column_of_days_stays_one() -> None:
    pandas = pytest.importorskip("pandas")
    own = pandas.Series(pandas.to_datetime(["2024-01-13", None]), index=[4, 7], name="back")
    filled = restored(own, Part("", "f8", (2,), array("d", [19736.0, 19740.0]).tobytes()))
    assert (filled.dtype, [*filled.index], filled.name) == (own.dtype, [4, 7], "back")
    assert [str(day.date()) for day in filled] == ["2024-01-14", "2024-01-18"]


def test_a_slice_has_the_numbers_that_it_is_made_of() -> None:
    parts = parts_of(slice(3, None))
    assert [(part.path, array("q", part.data).tolist()) for part in parts] == [(".start", [3])]


def test_a_range_is_the_numbers_that_it_goes_over() -> None:
    (part,) = parts_of(range(3, 9, 2))
    assert (part.shape, array("q", part.data).tolist()) == ((3,), [3, 5, 7])


def test_records_and_rows_of_several_types_have_their_cells() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"site": ["a", "b"], "depth": [2.5, 3.0]})
    assert [part.path for part in parts_of(table.iloc[1])] == ["['site']", "['depth']"]
    records = np.array([(1, 2.5), (2, 3.0)], dtype=[("number", int), ("depth", float)])
    assert [(part.path, part.shape) for part in parts_of(records)] == [
        ("['number']", (2,)),
        ("['depth']", (2,)),
    ]
    assert [part.path for part in parts_of(records[0])] == ["['number']", "['depth']"]
