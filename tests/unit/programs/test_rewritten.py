"""What one language writes, read, and written in another."""

from __future__ import annotations

import pytest

from harness.programs.common_form import common_form
from harness.programs.expressions import Node, expression
from harness.programs.rewritten import Unwritten, Writer


def written(text: str, language: str, into: str, matrices: bool = False) -> str:
    tree = expression(language, text, {"np", "math"})
    assert tree is not None
    return Writer(into, str, str, matrices=matrices).text(common_form(tree, language))


@pytest.mark.parametrize(
    ("language", "text", "into", "expected"),
    [
        ("julia", "1 - sum(x .* (x .- 1)) / n^2", "r", "1 - sum(x * (x - 1)) / n ^ 2"),
        ("r", "1 - sum(x * (x - 1)) / n^2", "julia", "1 .- sum(x .* (x .- 1)) ./ n .^ 2"),
        ("julia", "2x[i] + π", "python", "2 * x[i] + np.pi"),
        ("r", "x[-1] - x[-length(x)]", "python", "x[1:] - x[:-1]"),
        ("python", "x[1:] - x[:-1]", "julia", "x[2:end] .- x[1:(end - 1)]"),
        ("python", "x[0] + x[-1]", "r", "x[1] + x[length(x)]"),
        ("julia", "m[end, 2]", "python", "m[-1, 1]"),
        ("python", "m[:, 2]", "r", "m[, 3]"),
        ("python", "x.std()", "r", "sqrt(mean((x - mean(x))^2))"),
        ("python", "np.std(x, ddof=1)", "julia", "std(x; corrected=true)"),
        ("r", "sd(x)", "python", "np.std(x, ddof=1)"),
        ("r", "colMeans(m)", "julia", "vec(mean(m, dims=1))"),
        ("julia", "vec(sum(m, dims=2))", "r", "rowSums(m)"),
        ("r", "apply(m, 2, median)", "python", "np.median(m, axis=0)"),
        ("python", "a if x > 2 and y else b", "r", "(if ((x > 2) & y) a else b)"),
        ("julia", "x > 2 ? a : b", "python", "(a if x > 2 else b)"),
        ("r", "ifelse(!is.na(x), x %/% 2, x %% 3)", "python", "np.where(~np.isnan(x), x // 2, x % 3)"),
        ("python", "x // 2 + x % 3", "julia", "(fld.(x, 2)) .+ (mod.(x, 3))"),
        ("r", "M %*% t(b)", "python", "M @ (b).T"),
        ("python", "X.T @ y", "r", "t(X) %*% y"),
        ("python", "np.hypot(a, b)", "r", "sqrt(a ^ 2 + b ^ 2)"),
        ("python", "np.arctan2(s, c)", "julia", "atan.(s, c)"),
        ("julia", "atan.(s, c)", "r", "atan2(s, c)"),
        ("python", "max(a, len(b))", "r", "pmax(a, length(b))"),
        ("python", "np.arange(3, n)", "r", "3:(n - 1)"),
        ("r", "c(1, nrow(m))", "python", "np.array([1, m.shape[0]])"),
        ("r", "a / (b * c) - (d - e)", "python", "a / (b * c) - (d - e)"),
        ("r", "a / b * c - d - e", "julia", "a ./ b .* c .- d .- e"),
        ("python", "(a ** b) ** c > (d > e)", "r", "(a ^ b) ^ c > (d > e)"),
        ("python", "-x ** 2", "julia", "-(x .^ 2)"),
    ],
)
def test_the_same_is_written_as_another_language_has_it(
    language: str, text: str, into: str, expected: str
) -> None:
    assert written(text, language, into) == expected


def test_what_julia_multiplies_may_be_matrices() -> None:
    assert [written("A * B", "julia", "python", matrices) for matrices in (False, True)] == ["A * B", "A @ B"]


@pytest.mark.parametrize(
    ("language", "text"),
    [("python", "[x for x in y]"), ("python", "x[::2]"), ("r", "function(x) x"), ("julia", "x = ")],
)
def test_what_is_no_plain_expression_is_not_read(language: str, text: str) -> None:
    assert expression(language, text) is None


def test_what_has_no_form_in_the_other_language_is_refused() -> None:
    with pytest.raises(Unwritten):
        written("x.std(axis=0)", "python", "r")
    nameless = Writer("r", lambda _: None, str)
    with pytest.raises(Unwritten):
        nameless.text(Node("name", "x"))
