"""A value agrees with print if it would print these digits."""

from __future__ import annotations

import numpy as np
import pytest

from harness.numerics.printed import hold_to_print, is_number, prints_as


@pytest.mark.parametrize(
    ("value", "text", "agrees"),
    [
        (0.98522025491, "0.98522025", True),
        (0.985220256, "0.98522025", False),
        (0.5, "0.5000000", True),
        (0.50000006, "0.5000000", False),
        (10.0, "10", True),
        (10.4, "10", True),
        (10.6, "10", False),
        (6.03372e-6, "6.0337e-06", True),
        (6.0339e-6, "6.0337e-06", False),
        (float("-inf"), "-Inf", True),
        (float("-inf"), "-inf", True),
        (float("inf"), "-Inf", False),
        (float("nan"), "NaN", True),
        (1.0, "NaN", False),
        (float("nan"), "1.0", False),
        (-0.00001, "-0.0000", True),
        (0.125, "0.12", True),
        (0.375, "0.38", True),
    ],
)
def test_prints_as(value: float, text: str, agrees: bool) -> None:
    assert prints_as(value, text) is agrees


@pytest.mark.parametrize(
    ("value", "text", "agrees"),
    [
        (1e25, "0.98522025", False),
        (-1.7976931348623157e308, "0.50", False),
        (1.7976931348623157e308, "1.797693e308", True),
        (1.7976931348623157e308, "1.797694e308", False),
        (1e25, "1e25", True),
        (1e25, "10000000000000000905969664", True),
        (1e25, "10000000000000000905969665", False),
        (1.5e25, "1e25", False),
        (1.5e25, "2e25", True),
        (12345.0, "1e9", False),
        (12345.0, "0e9", True),
        (5e-324, "4.94e-324", True),
        (5e-324, "4.95e-324", False),
        (5e-324, "0." + "0" * 300, True),
        (5e-324, "0." + "0" * 400, False),
        (0.5, "0.5" + "0" * 3000, True),
        (0.5, "0.5" + "0" * 2999 + "1", False),
        (0.1, "0.1" + "0" * 3000, False),
        (1.0, "1e-999999999", False),
        (1.0, "1e999999999", False),
    ],
)
def test_every_magnitude(value: float, text: str, agrees: bool) -> None:
    assert prints_as(value, text) is agrees


@pytest.mark.parametrize("text", ["1e39", "-1e400", "3.5"])
def test_what_float32_cannot_hold(text: str) -> None:
    assert prints_as(3.5, text, float32=True) is (text == "3.5")
    assert prints_as(1e39, "1e39", float32=True)


def test_complex_values_print_no_real_numbers() -> None:
    printed_number = hold_to_print(["1"], np.array([1 + 0j]))
    assert (printed_number.checked, printed_number.problem) == (
        0,
        "complex128 where real numbers are expected",
    )


def test_dropped_zeros_need_the_decimals() -> None:
    assert prints_as(0.54, "0.5")
    assert not prints_as(0.54, "0.5", decimals=8)
    assert prints_as(0.5, "0.5", decimals=8)


def test_shortest_digits_of_float32() -> None:
    assert prints_as(float(np.float32(-0.12878)), "-0.12878", float32=True)
    assert not prints_as(float(np.nextafter(np.float32(-0.12878), np.float32(0))), "-0.12878", float32=True)


def test_elided_items_are_skipped_and_the_rest_is_compared() -> None:
    array = np.array([[1.0], [2.0], [3.0], [4.0]])
    assert hold_to_print([["1"], "...", ["4"]], array).checked == 2
    printed_number = hold_to_print([["1"], "...", ["5"]], array)
    assert [misprint.index for misprint in printed_number.misprints] == [(3, 0)]
    assert "[3, 0] is 4.0, printed 5" in str(printed_number.misprints[0])


@pytest.mark.parametrize(
    "values",
    [
        ["1", "2"],
        [["1"], ["2"]],
        [["1", "2"], ["3", "4"], ["5", "6"]],
        [["1", "2", "3"], ["4", "5", "6"]],
        "1",
    ],
)
def test_nesting_that_does_not_fit_is_a_problem_and_compares_nothing(values: list[object]) -> None:
    printed_number = hold_to_print(values, np.zeros((2, 2)))
    assert printed_number.problem
    assert printed_number.checked == 0


def test_more_items_than_the_array_has() -> None:
    assert hold_to_print([["1", "...", "2", "3"]], np.zeros((1, 2))).problem


@pytest.mark.parametrize(("text", "number"), [("1e5", True), ("NaN", True), ("-Inf", True), ("x", False)])
def test_is_number(text: str, number: bool) -> None:
    assert is_number(text) is number


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ("1", "the printed numbers have 0 dimensions, the array has 2"),
        (["1", "2"], "the printed numbers have 1 dimensions, the array has 2"),
        ([[["1"], ["2"]], ["3", "4"]], "the printed numbers have more than the array's 2 dimensions"),
        ([["1", "2"]], "1 printed items for size 2 of dimension 0"),
        ([["1", "2"], ["3", "4", "5"]], "3 printed items for size 2 of dimension 1"),
        ([["1", "2"], ["3", "4"], "...", ["5", "6"]], "2 and 1 printed items around '...' do not fit size 2"),
        ([["1", "2"], "...", "..."], "1 and 1 printed items around '...' do not fit size 2"),
    ],
)
def test_what_does_not_fit_is_said(values: object, problem: str) -> None:
    answer = hold_to_print(values, np.zeros((2, 2)))  # type: ignore[arg-type]
    assert (answer.checked, answer.misprints, answer.problem) == (0, (), problem)


def test_what_is_elided_stands_at_its_level() -> None:
    array = np.arange(12.0).reshape(3, 4)
    answer = hold_to_print([["0", "...", "3"], "...", ["8", "9", "..."]], array)
    assert (answer.checked, answer.misprints) == (4, ())
    answer = hold_to_print(["...", ["...", "10.5", "11.5"]], array)
    assert [(item.index, item.printed, item.value) for item in answer.misprints] == [
        ((2, 2), "10.5", 10.0),
        ((2, 3), "11.5", 11.0),
    ]
    assert hold_to_print([["...", "0", "1", "2", "3"], ["..."], ["..."]], array).misprints == ()


def test_how_a_printer_rounded_is_passed_on() -> None:
    array = np.array([0.54, float(np.float32(0.1))])
    assert [item.index for item in hold_to_print(["0.5", "0.1"], array).misprints] == []
    assert [item.index for item in hold_to_print(["0.5", "0.1"], array, decimals=2).misprints] == [(0,)]
    assert [item.index for item in hold_to_print(["0.5", "0.1"], array, float32=True).misprints] == [(0,)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((text, float("nan")) for text in ("nan", "NaN", "NA", "na")),
        *((text, float("inf")) for text in ("inf", "Inf", "+inf", "+Inf")),
        ("-inf", -float("inf")),
    ],
)
def test_what_is_no_number_has_its_names(text: str, value: float) -> None:
    assert prints_as(value, text)
    assert is_number(text)
    for other in (0.0, float("nan"), float("inf"), -float("inf")):
        assert prints_as(other, text) == (repr(other) == repr(value))
