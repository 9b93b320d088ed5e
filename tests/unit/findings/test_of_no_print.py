"""What nothing of Python prints, whatever its version: other brackets, mixed arrays, rows passed over."""

from __future__ import annotations

import pytest

from harness.findings.brackets import are_of_nothing
from harness.findings.older_pythons import of_another_print
from harness.findings.one_kind import counts_otherwise, stands_alone
from harness.findings.open_orders import only_the_order
from harness.findings.which_first import OF_A_SET, left_open


@pytest.mark.parametrize(
    ("published", "printed", "nothing"),
    [
        ("array([1, 2)", "array([1, 2])", True),
        ("[[1, 2], [3, 4]", "[[1, 2], [3, 4]]", True),
        ("array[[1, 2]]", "array([1, 2])", True),
        ("array((1, 2))", "array([1, 2])", True),
        ("[x + y]**2", "(x + y)**2", True),
        ("([1 2)\n [3 4]]", "[[1 2]\n [3 4]]", True),
        ("(1, 2)", "[1, 2]", False),
        ("[1, 2]", "(1, 2)", False),
        ("array([1, 2], (3))", "array([1, 2], [3])", False),
        ("[1, 2", "[1, 2, 3]", False),
        ("[1, 2 ...", "[1, 2 ...]", False),
        ("'(' [1]", "'((' [1]", False),
        ("[1] :)", "[1] :) )", False),
        ("1, 2", "[1, 2]", False),
        ("a note [of 2]", "a note (of 2)", False),
    ],
)
def test_brackets_that_nothing_prints(published: str, printed: str, nothing: bool) -> None:
    assert are_of_nothing(published, printed) is nothing


def test_another_print_closes_its_brackets() -> None:
    assert not of_another_print("array((u'a', 'b'))", "array([u'a', 'b'])")
    assert of_another_print("[u'a', u'b']", "['a', 'b']")


@pytest.mark.parametrize(
    ("published", "printed", "alone"),
    [
        ("array([10, 7, 10.0])", "array([10, 7, 10])", True),
        ("[[3 4 5.0]\n [6 7 8]]", "[[3 4 5]\n [6 7 8]]", True),
        ("array([1., 2, 3.])", "array([1., 2., 3.])", True),
        ("array([ 1.903, 26.2 , 50.5 ])", "array([ 1.903, 26.25 , 50.5 ])", True),
        ("a 1.25\nb 2.5\nc 3.75", "a 1.25\nb 2.50\nc 3.75", True),
        ("   n\na  1.0\nb  2\nc  3", "   n\na  1\nb  2\nc  3", True),
        # A list holds numbers of any kind; where all are others, it is another array.
        ("[10, 7, 10.0]", "[10, 7, 10]", False),
        ("array([10., 7., 10.])", "array([10, 7, 10])", False),
        ("array([10, 7, 11.0])", "array([10, 7, 10])", False),
        ("array([0.3, 0.4, 0.5])", "array([0.30000001, 0.4, 0.5])", False),
        ("a 1.0\nb 2\nc 3.5", "a 1\nb 2\nc 3.5", False),
        ("1.0\n2", "1\n2", False),
    ],
)
def test_a_number_that_is_shown_in_another_way_than_all_of_its_kind(
    published: str, printed: str, alone: bool
) -> None:
    assert stands_alone(published, printed) is alone


@pytest.mark.parametrize(
    ("rows", "over"),
    [
        ("0 1 3 4", True),
        ("1 2 3 4", True),
        ("0 2 1 3 4", True),
        ("0 3 2 1 4", False),
        ("0 1 2 3", False),
        ("0 1 2", False),
        ("0 1 2 3 4", False),
    ],
)
def test_rows_that_are_counted_are_all_there(rows: str, over: bool) -> None:
    table = "   a  b\n" + "\n".join(f"{n}  x  y{n}" for n in rows.split())
    whole = "   a  b\n" + "\n".join(f"{n}  x  y{n}" for n in range(5))
    assert counts_otherwise(table, whole) is over
    # What is chosen of a frame is not counted on.
    assert not counts_otherwise("2 a\n9 b", "2 a\n5 c\n9 b")


def test_no_order_makes_other_brackets() -> None:
    code = "print(set('x + y'))"
    assert not only_the_order("[x + y]", "(x + y)", code, "python")
    assert only_the_order("{'y', 'x'}", "{'x', 'y'}", code, "python")
    assert only_the_order("{'(', ')'}", "{')', '('}", code, "python")


def test_no_order_misspells_a_truth() -> None:
    code = "s = {3, 4}\nprint(3 in s)"
    assert left_open("Treu", "True", None, code, "python", stated="", same=False) == ""
    assert left_open("3", "4", None, "print(list({3, 4})[0])", "python", stated="", same=False) == OF_A_SET
