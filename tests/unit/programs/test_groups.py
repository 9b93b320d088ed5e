"""Changes of brackets, of functions of functions, and of what a line sets."""

from __future__ import annotations

import pytest

from harness.programs.edits import edits


@pytest.mark.parametrize(
    ("language", "wrong", "right"),
    [
        ("python", "arg = np.deg2rad(speed * hours) + v0", "arg = np.deg2rad(speed * hours + v0)"),
        ("r", "rbg <- sum(con) / (2 * sum(num^2))", "rbg <- sum(con) / (2 * sum(num)^2)"),
        ("python", "return dot / nu * nv", "return dot / (nu * nv)"),
        ("julia", "m = u .* p .- c", "m = u .* (p .- c)"),
        ("r", "p <- plogis(1.2 * (v - 5.4))", "p <- plogis(1.2 * v - 5.4)"),
        ("python", "x = a + b * c", "x = (a + b) * c"),
        ("r", "d <- sqrt(rowMeans(a^2 + b^2))", "d <- rowMeans(sqrt(a^2 + b^2))"),
        ("python", "  total = p", "  total += p"),
        ("julia", "  total += p", "  total = p"),
        ("r", "  total[i] <- p", "  total[i] <- total[i] + p"),
        ("julia", "flows[1] += 100", "flows[end] += 100"),
        ("python", "x = y[-1] - z", "x = y[0] - z"),
        ("r", "x <- y[1] - z", "x <- y[length(y)] - z"),
        ("python", "before = ratings", "before = ratings.copy()"),
        ("julia", "before = ratings", "before = copy(ratings)"),
        ("python", "cols, rows = f(x)", "rows, cols = f(x)"),
    ],
)
def test_what_is_put_together_otherwise_is_changed(language: str, wrong: str, right: str) -> None:
    assert right in [one.text for one in edits(language, [wrong], 1)]


@pytest.mark.parametrize(
    ("language", "line", "never"),
    [
        ("python", "x = a + b + c", "x = a + (b + c)"),
        ("python", "total = p", "total += p"),
        ("r", "x <- y[length(y)]", "x <- y[1]"),
    ],
)
def test_what_would_be_the_same_or_cannot_be_is_not_tried(language: str, line: str, never: str) -> None:
    assert never not in [one.text for one in edits(language, [line], 1)]
