"""Numbers of two printouts are paired by their places."""

from __future__ import annotations

import pytest

from harness.programs.places import in_place
from harness.programs.tokens import tokens_of


def paired(a: str, b: str) -> list[tuple[str, str, bool]]:
    first, second = tokens_of(a), tokens_of(b)
    return [(first[one.a].text, second[one.b].text, one.agrees) for one in in_place(first, second)]


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


@pytest.mark.parametrize(
    ("a", "b", "off"),
    [
        # All of a row, and all of a column, are counted from elsewhere.
        ("predicted 1 2 2 1 2\nloss 0.25", "predicted 0 1 1 0 1\nloss 0.25", []),
        ("1 0.25 41\n2 0.75 52", "0 0.25 41\n1 0.75 52", []),
        ("best 3 of 5.25", "best 2 of 5.25", []),
        ("1 0.25 41", "0 0.25 41", []),
        # Of counts in a row, one is not.
        ("sizes 27 26 15\nloss 0.25", "sizes 27 25 15\nloss 0.25", [("26", "25")]),
        ("1 0.25 41 9\n2 0.75 52 8", "0 0.25 41 9\n1 0.75 51 8", [("52", "51")]),
    ],
)
def test_what_is_counted_from_one_is_so_in_all_of_a_row_or_column(
    a: str, b: str, off: list[tuple[str, str]]
) -> None:
    first, second = tokens_of(a), tokens_of(b)
    places = in_place(first, second, -1)
    assert [(first[one.a].text, second[one.b].text) for one in places if not one.agrees] == off


def test_a_count_is_another_program_s_that_has_it_elsewhere_and_not_its_neighbour() -> None:
    a = "loss 0.25\n 1  2  3  4\n27 26 15  2\nend 0.75"
    b = "loss 0.25 visits 1: 27, 2: 26, 3: 15, 4: 2 end 0.75"
    first, second = tokens_of(a), tokens_of(b)
    made = [(first[one.a].text, second[one.b].text) for one in in_place(first, second, -1)]
    assert {one for pair in made for one in pair} == {"0.25", "1", "2", "3", "4", "27", "26", "15", "0.75"}
    assert all(one == other for one, other in made)


def test_counts_in_rows_that_are_alike_have_their_places() -> None:
    assert [one for one in paired("0.25\n5 3\n2 7\n0.75", "0.25\n5 2\n3 7\n0.75") if not one[2]] == [
        ("3", "2", False), ("2", "3", False)
    ]  # fmt: skip


def test_a_fraction_is_rather_the_same_fraction_than_a_whole_number_near_it() -> None:
    made = paired("1 of 7.125\nratio 1.3623 of 9.25", "7.125 ratio 1.3623\n9.25")
    assert ("1.3623", "1.3623", True) in made
    assert all(one[0] != "1" for one in made)


def test_what_is_infinite_agrees_with_no_number() -> None:
    assert paired("p 0.5 limit inf of 10.5", "p 0.5 limit 2.5 of 10.5")[1] == ("inf", "2.5", False)
    assert paired("p 0.5 limit inf of 10.5", "p 0.5 limit inf of 10.5")[1][2]


def test_numbers_in_rows_of_another_shape_are_no_difference() -> None:
    a = "mean 1.25 2.25 3.25\nsd 0.15 0.25 0.35\nrate 7.5"
    b = "x 1.25 0.15 y 2.25 0.25 z 3.25 0.35 rate 7.5"
    assert len(paired(a, b)) == 7
    assert all(one[2] for one in paired(a, b))


def test_nothing_is_paired_with_nothing() -> None:
    assert paired("", "a 1.5") == []
