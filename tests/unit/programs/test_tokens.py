"""Numbers of two printouts are paired by their places."""

from __future__ import annotations

import pytest

from harness.programs.tokens import in_place, tokens_of


def paired(a: str, b: str) -> list[tuple[str, str, bool]]:
    first, second = tokens_of(a), tokens_of(b)
    return [(first[one.a].text, second[one.b].text, one.agrees) for one in in_place(first, second)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mean 1.25 sd", ["mean", "1.25", "sd"]),
        ("[1] 1,234.5 -2e-3", ["1234.5", "-2e-3"]),
        ("        [,1] [,2]\nPark     0.5  8.5\n[2,] 1.5", ["park", "0.5", "8.5", "1.5"]),
        ("x1 = 3; 2020-01-05 True NA", ["x1", "3", "2020", "01", "05", "True", "NA"]),
    ],
)
def test_numbers_and_words_are_read(text: str, expected: list[str]) -> None:
    assert [one.text for one in tokens_of(text)] == expected


@pytest.mark.parametrize(("language", "numbers"), [("r", 2), ("julia", 2), ("python", 3), ("", 3)])
def test_r_and_julia_print_infinity_with_a_capital(language: str, numbers: int) -> None:
    assert sum(one.is_number for one in tokens_of("AUC inf 133.5 and Inf", language)) == numbers


def test_numbers_in_other_lines_and_digits_agree() -> None:
    a = "mean 1.2345 sd 0.5\nn 12"
    b = "mean: 1.23\nsd: 0.5000\nn: 12"
    assert paired(a, b) == [("1.2345", "1.23", True), ("0.5", "0.5000", True), ("12", "12", True)]


def test_what_differs_is_paired_with_what_stands_in_its_place() -> None:
    a = "r 0.75 slope 1.5 error 2.25\nrows 4"
    b = "r 0.75 slope 1.75 error 2.25\nrows 5"
    assert paired(a, b) == [
        ("0.75", "0.75", True), ("1.5", "1.75", False), ("2.25", "2.25", True), ("4", "5", False)
    ]  # fmt: skip


def test_one_may_count_from_zero_and_the_other_from_one() -> None:
    first, second = tokens_of("best 3 of 5.25"), tokens_of("best 4 of 5.25")
    assert all(one.agrees for one in in_place(first, second, 1))
    assert not all(one.agrees for one in in_place(first, second, 0))
    assert not all(one.agrees for one in in_place(first, second, -1))


@pytest.mark.parametrize(
    "b",
    ["share 42.31 % of 52", "share: 42.31% of 52", "per cent 42.31 of 52", "share in percent\n42.31 of 52"],
)
def test_a_share_may_be_printed_as_per_cent(b: str) -> None:
    assert paired("share 0.4231 of 52", b) == [("0.4231", "42.31", True), ("52", "52", True)]


@pytest.mark.parametrize(
    ("a", "b", "off"),
    [
        # A hundred times another is something else where no sign says that it is a per cent.
        ("use 0.002253 of 10.5", "use 0.2253 of 10.5", ("0.002253", "0.2253")),
        ("use 0.2253 of 10.5", "use 0.002253 of 10.5", ("0.2253", "0.002253")),
        ("use 0.2253 % of 10.5", "use 22.53 % of 10.5", ("0.2253", "22.53")),
        ("95 % of 10.5 is 42.31", "95 % of 10.5 is 0.4231", ("42.31", "0.4231")),
        # Of zero, a hundredth of anything is within rounding.
        ("sag 0.0 of 10.5", "sag -2.2695 of 10.5", ("0.0", "-2.2695")),
        ("sag 0.0 of 10.5", "sag -2.2695 % of 10.5", ("0.0", "-2.2695")),
        # Each is rounded by half a unit of its last digit at most.
        ("p 0.5 of 10.5", "p 0.7 of 10.5", ("0.5", "0.7")),
        ("p 8 of 10.5", "p 8.9 of 10.5", ("8", "8.9")),
    ],
)
def test_what_no_rounding_makes_alike_differs(a: str, b: str, off: tuple[str, str]) -> None:
    assert [one[:2] for one in paired(a, b) if not one[2]] == [off]


def test_rounding_may_go_either_way() -> None:
    assert paired("p 2.67 of 10.5", "p 2.68 of 10.5")[0][2]
    assert paired("p 2.6 of 10.5", "p 2.65 of 10.5")[0][2]


def test_where_one_prints_more_nothing_is_said_to_differ() -> None:
    assert paired("a 1.5\nb 2.5 3.5\nc 4.5", "a 1.5\nb 7.5\nc 4.5") == [
        ("1.5", "1.5", True), ("4.5", "4.5", True)
    ]  # fmt: skip


def test_columns_in_another_order_are_no_difference() -> None:
    assert all(one[2] for one in paired("p 0.25 chi 1.75 f 0.5", "0.25 0.5 1.75"))


def test_zeros_of_an_exponent_only_fill_up() -> None:
    assert paired("[4.810e-02 1.000e-04]", "0.0481413963 1.43485686e-04") == [
        ("4.810e-02", "0.0481413963", True), ("1.000e-04", "1.43485686e-04", True)
    ]  # fmt: skip
    assert paired("1.000e-04", "2.000e-04") == [("1.000e-04", "2.000e-04", False)]


def test_nothing_is_paired_with_nothing() -> None:
    assert paired("", "a 1.5") == []
