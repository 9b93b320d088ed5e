"""Where in a line an expression stands that another may take the place of."""

from __future__ import annotations

import pytest

from harness.programs.slots import slots, statement


@pytest.mark.parametrize(
    ("language", "line", "expected"),
    [
        ("python", "    x[i] = a / (b - 1)  # why", ["a / (b - 1)", "b - 1"]),
        ("r", "f <- function(a, b = 2) a * sum(b + 1)", ["a * sum(b + 1)", "b + 1"]),
        ("julia", "            D=1 - sum(x) / n,", ["1 - sum(x) / n"]),
        (
            "python",
            "rows.append((a, b / c, d=e * f))",
            ["rows.append((a, b / c, d=e * f))", "b / c", "e * f"],
        ),
        ("r", "x <- f(a, (b +", []),
        ("python", "for i in range(n - 1):", []),
        ("julia", "return a - b", ["a - b"]),
    ],
)
def test_the_whole_stands_before_its_arguments(language: str, line: str, expected: list[str]) -> None:
    found = slots(language, line)
    assert [one.text for one in found if one.text in expected] == expected
    assert [line[one.start : one.end] for one in found] == [one.text for one in found]
    assert not found or found[0].text == expected[0]


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("python", "elif a < b - 1:"), ("r", "} else if (a < b - 1) {"), ("julia", "while a < b - 1"),
        ("r", "if (a < b - 1) next"),
    ],
)  # fmt: skip
def test_a_test_is_another_sort_than_a_value(language: str, line: str) -> None:
    first = slots(language, line)[0]
    assert (first.sort, first.text) == ("test", "a < b - 1")


def test_what_is_added_says_to_what() -> None:
    (first, *_) = slots("python", "    total[k] += a * b")
    assert (first.text, first.added_to) == ("a * b", ("total[k]", "+"))


def test_a_statement_goes_on_until_its_brackets_are_closed() -> None:
    lines = ["x <- f(a, # one", "  b) +", "  c", "y <- 2"]
    assert statement(lines, 1) == "x <- f(a, b) + c"
    assert statement(lines, 4) == "y <- 2"
