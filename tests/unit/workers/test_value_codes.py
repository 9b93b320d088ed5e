"""Dates and times that 64 bits cannot count are refused: NumPy wraps them without a word."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pytest

from harness.store.typed_columns import instants as instants_of_texts
from harness.workers.value_codes import Refused, instants, is_missing, with_missing


def far(count: int, unit: str) -> Any:
    return np.array([count]).view(f"datetime64[{unit}]")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (far(1_577_836_800 + 2**58, "s"), "time"),
        (far(300_000, "Y"), "time"),
        (far(2**50, "W"), "time"),
        (far(2**63 - 1, "Y"), "date"),
        ([np.datetime64(2**58, "s")], "time"),
    ],
)
def test_what_64_bits_cannot_count_is_refused(value: Any, kind: str) -> None:
    with pytest.raises(Refused, match=f"a {kind} that 64 bits cannot count"):
        instants(value, kind)


@pytest.mark.parametrize(
    ("value", "kind", "said"),
    [
        (np.array(["2020-01-01T00:00:00.000000001"], "M8[ns]"), "time", "a part of a microsecond"),
        ([np.datetime64("2020-01-01T00:00:00.000000001")], "time", "a part of a microsecond"),
        (np.array(["2020-01-01T01"], "M8[h]"), "date", "a time of day"),
    ],
)
def test_what_is_finer_is_refused(value: Any, kind: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        instants(value, kind)


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (np.array(["1970-01-02", "NaT"], "M8[s]"), "time", [86_400_000_000, -(2**63)]),
        (np.array("1970-01-01T00:00:05", "M8[s]"), "time", 5_000_000),
        ([datetime.date(1970, 1, 2), None], "date", [1, -(2**63)]),
        (far(2**62, "D"), "date", [2**62]),
    ],
)
def test_what_can_be_counted_is(value: Any, kind: str, expected: Any) -> None:
    assert instants(value, kind).tolist() == expected


def test_text_of_a_fixture_that_cannot_be_counted_stays_text() -> None:
    text = np.array(["300000-01-01"])
    assert instants_of_texts(text, "time") is None
    days = instants_of_texts(text, "date")
    assert days is not None
    assert days.tolist() == [108_853_222]


def test_truth_values_of_which_some_are_missing_may_be_a_list() -> None:
    made = with_missing([None, True, False], {"dtype": "bool"})
    assert is_missing(made).tolist() == [True, False, False]
    assert made[1:].tolist() == [1.0, 0.0]


def test_integers_are_taken_for_floats_beside_missing_ones_where_that_is_said() -> None:
    whole = np.ma.MaskedArray([1, 2, 3], mask=[False, True, False])
    with pytest.raises(Refused, match="int64, and float is expected"):
        with_missing(whole, {"dtype": "float"})
    made = with_missing(whole, {"dtype": "float", "lenient": True})
    assert (made[0], made[2], is_missing(made).tolist()) == (1.0, 3.0, [False, True, False])
    floats = np.ma.MaskedArray([1.0, 2.0], mask=[False, True])
    assert with_missing(floats, {"dtype": "int", "lenient": True})[0] == 1.0
    with pytest.raises(Refused, match="not whole"):
        with_missing(floats + 0.5, {"dtype": "int", "lenient": True})
    with pytest.raises(Refused, match="float64 cannot hold"):
        with_missing(np.array([2**53 + 1]), {"dtype": "float", "lenient": True})
