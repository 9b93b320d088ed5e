"""The numbers and words of a printout."""

from __future__ import annotations

import pytest

from harness.programs.tokens import tokens_of


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
