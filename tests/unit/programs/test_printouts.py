"""Numbers that each of two programs prints and the other does not."""

from __future__ import annotations

import pytest

from harness.model import Outcome
from harness.programs.alignment import _outcome
from harness.programs.match import Pair
from harness.programs.printouts import all_in_both, apart, named, numbers, reordered, unshared
from harness.programs.sequences import Compared
from tests.unit.programs.test_match import program


def texts(alone: object) -> list[list[str]]:
    return [[one.text for one in side] for side in alone]  # type: ignore[attr-defined]


def test_the_same_in_other_layouts_is_apart_in_nothing() -> None:
    a = "mean 3.1416 of 1,200\nshare: 12.5 %\n  0  1.5\n  1  2.25\n"
    b = '[1] 3.14159265 1200\n[1,] 0.125\n"1" "1.50"\n"2" "2.25"\n'
    assert apart(a, b) == ([], [])


@pytest.mark.parametrize(
    ("a", "b", "alone"),
    [
        ("t = 2.31, p = 0.04\n", "[1] 2.31 0.08\n", [["0.04"], ["0.08"]]),
        ("use 0.0023\n", "use 0.23\n", [["0.0023"], ["0.23"]]),
        ("sag 0.0\n", "sag -2.27\n", [["0.0"], ["-2.27"]]),
        ("total 1234\n", "total 1243\n", [["1234"], ["1243"]]),
        ("-0.5 and 1e-3", "0.5 and 1e-3", [["-0.5"], ["0.5"]]),
        ("6.02e23", "6.12e23", [["6.02e23"], ["6.12e23"]]),
    ],
)
def test_numbers_of_both_that_the_other_lacks(a: str, b: str, alone: list[list[str]]) -> None:
    assert texts(apart(a, b)) == alone


def test_one_program_may_print_more() -> None:
    assert apart("1.5 2.5 3.5", "1.5 3.5") == ([], [])


def test_the_last_bits_are_no_difference() -> None:
    assert apart("63.976438471466196", "63.97643847146621") == ([], [])


def test_rows_names_versions_and_times_are_no_numbers() -> None:
    assert numbers("[12] x1 v2.3.1 12:30 7 col_3.5a") == []


def test_a_few_are_named() -> None:
    (alone, _) = apart("1.1 2.2 3.3 4.4", "9.9")
    assert named(alone) == "1.1, 2.2, 3.3 and 1 more"


def test_what_is_printed_apart_is_no_agreement() -> None:
    """Where a wrong result has no partner, what is matched agrees all the same."""
    assert apart("1.5 2.5", "2.5 1.5") == ([], [])
    assert _outcome([], (), 3, 0, "")[0] is Outcome.AGREEMENT
    outcome, sentence = _outcome([], (), 3, 0, unshared(([], []), apart("1.5 2.5", "2.5 1.75")))
    assert outcome is Outcome.INCOMPLETE
    assert "each program prints numbers that the other does not: 1.5 against 1.75" in sentence


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("6, 1951\nRE 0.657 CE 0.656\nyears 1959 1971\n1 1.25\n", "CE .6562 RE .657 1.25\n1959 1971", True),
        ("RE 0.657 CE 0.656\nyears 1959 1971\n1.25\n", "CE .6562 RE .657 1.25\n1959 1972", False),
        ("RE 0.657 CE 0.656 1.25", "CE .6562 RE .6594 1.25", False),
        ("RE 0.657 CE 0.656 1.25 1.5", "CE .6562 RE .657 1.25", False),
        ("n 7 rate 1.5", "rate 1.5 n 7", False),
        ("", "", False),
    ],
)  # fmt: skip
def test_the_same_in_another_order_is_all_that_both_print(a: str, b: str, same: bool) -> None:
    assert all_in_both(a, b) is all_in_both(b, a) is same


def test_what_each_prints_alone_is_told_with_the_variables_that_have_it() -> None:
    first = program(
        {"all": ([[1.25, 2.5, 3.75, 9.125]], ""), "stems": ([[1.25, 2.5]], ""), "n": ([1.25], "")}
    )
    second = program({"counts": ([[1.125, 2.375]], "")})
    own = numbers("1.25 2.50"), numbers("1.12 2.38")
    said = "each program prints numbers that the other does not: 1.25, 2.50 against 1.12, 2.38; "
    both = "if stems (line 2) and counts (line 1) are meant as the same, say --map stems=counts"
    assert unshared((first, second), own) == said + both
    none = "say with --map which variables they are of"
    assert unshared((first, program({"counts": ([[7.5, 2.375]], "")})), own) == said + none


@pytest.mark.parametrize(
    ("layout", "text", "told"),
    [
        ("permuted", "rose inf 7 [2.50 1.5\n  4.25]", True),
        ("permuted", "east 2.5 west 1.5 north 4.25", False),
        ("permuted", "1 2.5\n2 1.5\n3 4.25", False),
        ("permuted", "2.5 1.5", False),
        ("same", "2.5 1.5 4.25", False),
    ],
)
def test_the_same_numbers_in_another_order_are_no_agreement(layout: str, text: str, told: bool) -> None:
    """Where a word or a number stands beside each of them, the order says nothing."""
    units = program({"bins": ([[1.5, 2.5, 4.25]], "")}), program({"rose": ([[2.5, 1.5, 4.25]], "")})
    pair = Pair(0, 0, Compared(False, "each", layout), 0.7, {})
    said = reordered(units, [pair], ("bins: 1.500 2.500 4.250", text))
    assert ("if that matters, say --map bins=rose, if not, --ignore bins" in said) is told
    assert bool(said) is told
