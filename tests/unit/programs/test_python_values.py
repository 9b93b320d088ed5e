"""Times and spans as a program in Python has them: in days, as R and Julia count, or in seconds."""

from __future__ import annotations

from array import array
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from harness.programs.recorders.python_restored import restored
from harness.programs.recorders.python_values import Part, hands_on, parts_of


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


def test_the_labels_of_the_rows_of_tables_and_series_are_kept_where_they_are_texts_or_numbers() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"slope": [2.5, 3.0], "n": [1, 2]}, index=["ACTB", "TNF"])
    assert [part.labels for part in parts_of(table)] == ['[["ACTB", "TNF"], null]', ""]
    assert [part.labels for part in parts_of(table["slope"])] == ['[["ACTB", "TNF"], null]']
    mixed = pandas.Series([1.5, 2.5], index=["a", _Odd()])
    plain = pandas.Series([1.5, 2.5])
    assert [part.labels for one in (plain, mixed) for part in parts_of(one)] == ["", ""]


class _Odd:
    """Tells whoever looks at it."""

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(name)

    def __eq__(self, other: object) -> bool:
        raise AssertionError

    def __repr__(self) -> str:
        raise AssertionError

    def __hash__(self) -> int:
        return 1


class _OddList(list[Any]):
    def __iter__(self) -> Any:
        raise AssertionError

    def __len__(self) -> int:
        raise AssertionError


class _OddDict(dict[Any, Any]):
    def items(self) -> Any:
        raise AssertionError

    def values(self) -> Any:
        raise AssertionError

    def __len__(self) -> int:
        raise AssertionError


class _Fraction(Fraction):
    def __float__(self) -> float:
        raise AssertionError


def test_days_and_none_beside_whole_numbers_break_nothing() -> None:
    assert _numbers([3, date(1970, 1, 3)]) == [3.0, 2.0]
    assert _numbers([timedelta(days=1), 2]) == [86400.0, 2.0]
    assert _numbers([Fraction(1, 2), Decimal("0.25"), 1]) == [0.5, 0.25, 1.0]
    assert [part.path for part in parts_of([3, date(1970, 1, 3), None])] == ["[0]", "[1]"]


def test_what_the_program_says_of_its_own_values_is_not_asked() -> None:
    modules = frozenset({__name__})
    assert parts_of(_Odd(), modules) == parts_of([_Odd(), _Odd()], modules) == []
    assert [part.shape for part in parts_of(_OddList([1, 2]), modules)] == [(2,)]
    assert [part.path for part in parts_of(_OddDict(a=1, b="x"), modules)] == ["['a']", "['b']"]
    assert [part.path for part in parts_of({_Odd(): 1, "b": "x"}, modules)] == ["[0]", "['b']"]


def test_what_cannot_be_looked_at_is_left_out() -> None:
    itself: list[Any] = []
    itself.append(itself)
    assert parts_of(itself) == parts_of([_Fraction(1, 2), 1]) == []
    assert parts_of(np.array([10**400, 1.5], dtype=object)) == []
    assert parts_of([Decimal("sNaN"), 10**400]) == []


def test_what_is_computed_as_it_is_asked_for_is_left_alone() -> None:
    numbers = iter([1, 2, 3])
    assert parts_of(numbers) == parts_of(map(int, "12")) == parts_of(n for n in numbers) == []
    assert next(numbers) == 1


@pytest.mark.filterwarnings("error")
def test_what_is_too_large_for_a_float_warns_nobody() -> None:
    assert _numbers(np.array([np.longdouble("1e4000")])) == [np.inf]


def test_what_has_no_numbers_of_its_own_may_hold_those_that_it_was_made_of() -> None:
    assert all(map(hands_on, (enumerate([1.5]), {1.5, 2.5}, iter([1.5]))))
    assert not any(map(hands_on, (None, [], {}, "", len, hands_on, np, float, [].append)))
