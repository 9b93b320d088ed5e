"""What lines of code are written with, across languages."""

from __future__ import annotations

import pytest

from harness.programs.code_words import CodeWords, code_words

PYTHON = [
    "import numpy as np",
    "n = len(values)",
    "spread = np.sum((values - mean) ** 2) / n",
    "low = x <= 3",
]
R = ["n <- length(values)", "spread <- sum((values - mean)^2) / (n - 1)", "low <- x < 3"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("beta_hat = x.std() ** 2", "betaHat <- sd(x)^2"),
        ("ok = (a <= 0.50) and not b", "ok = (a ≤ 0.5) && !b"),
        ("y = A @ x  # here", "y <- A %*% x"),
        ("s = np.cumsum(v)[1:]", "s = cumsum(v)[1:]"),
        ('t = tab["dose"]', "temperature <- tab$dose"),
    ],
)
def test_lines_that_mean_the_same_are_counted_alike(one: str, other: str) -> None:
    assert code_words(one) == code_words(other)


@pytest.mark.parametrize(
    ("one", "other"), [("a - b", "a + b"), ("x < 3", "x <= 3"), ("mean(x)", "median(x)")]
)
def test_lines_that_do_not_are_not(one: str, other: str) -> None:
    assert code_words(one) != code_words(other)


def test_a_change_is_nearer_where_the_other_program_has_what_it_brings() -> None:
    words = CodeWords(PYTHON, R)
    right = words.nearer(3, "spread = np.sum((values - mean) ** 2) / (n - 1)")
    wrong = words.nearer(3, "spread = np.sum((values + mean) ** 2) / n")
    assert right > 0 > wrong
    assert words.nearer(4, "low = x < 3") > 0
    assert words.nearer(3, PYTHON[2]) == 0.0
    assert words.likelier(4, "low = x < 3") > words.likelier(4, PYTHON[3]) == 1.0


def test_programs_without_a_word_have_nothing_in_common() -> None:
    assert CodeWords(["", "x = 1"], [""]).nearer(2, "x = 2") == 0.0
    assert CodeWords([""], [""]).nearer(1, "x = 2") == 0.0
