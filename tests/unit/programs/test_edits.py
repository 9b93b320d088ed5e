"""Small changes of a line: what people write by mistake, and what mends it."""

from __future__ import annotations

import pytest

from harness.programs.code_tokens import numbers_of, tokens_of_line, unread
from harness.programs.edits import edits


def written(language: str, line: str, *more: str, numbers: tuple[str, ...] = ()) -> set[str]:
    return {edit.text for edit in edits(language, [line, *more], 1, numbers)}


@pytest.mark.parametrize(
    ("language", "line", "meant"),
    [
        ("python", "s2 = rss / (n - 1)", "s2 = rss / (n - 2)"),
        ("python", "if late[i] >= 1:", "if late[i] > 1:"),
        ("python", "gap = max(d[i] for i in own)", "gap = min(d[i] for i in own)"),
        ("python", "return dot / nu * nv", "return dot / nu / nv"),
        ("python", "w = n * mu", "w = n * mu.T"),
        ("python", "s = x.std()", "s = x.std(ddof=1)"),
        ("python", "s = x.rolling(25).mean()", "s = x.rolling(25, center=True).mean()"),
        ("python", "s = x.std(ddof=1)", "s = x.std()"),
        ("python", "r = math.sqrt(v / n) * k", "r = (v / n) * k"),
        ("python", "e = 1 / (1 + np.exp(-d / 400))", "e = 1 / (1 + 10 ** (-d / 400))"),
        ("julia", "e = 10 .^ (-d ./ 400)", "e = exp.(-d ./ 400)"),
        ("r", "f <- sum(m >= 2)", "f <- sum(m == 2)"),
        ("r", "z <- sum(x^2) / length(x)", "z <- sum(x^2) / (length(x) - 1)"),
        ("r", "g <- r[a] - 60 - r[b]", "g <- r[a] + 60 - r[b]"),
        ("r", "m <- mean(R[lower.tri(R, diag = TRUE)])", "m <- mean(R[lower.tri(R)])"),
        ("r", "p <- (abs(u - m) - 0.5) / s", "p <- (abs(u - m)) / s"),
        ("r", "S <- v %o% w / sum(v)", "S <- w %o% w / sum(v)"),
        ("julia", "h = top .+ 1 ./ n", "h = top .- 1 ./ n"),
        ("julia", "B = A' * (X .- m)' .* w[1:end]", "B = A * (X .- m)' .* w[1:end]"),
        ("julia", "B = A' * (X .- m)' .* w[1:end]", "B = A' * (X .- m) .* w[1:end]"),
        ("julia", "B = A' * (X .- m)' .* w[1:end]", "B = A' * (X .- m)' .* w[1:(end - 1)]"),
        ("julia", "C = R' * R", "C = R * R'"),
        ("python", "u = np.triu_indices(len(c))", "u = np.triu_indices(len(c), k=1)"),
        ("python", "n = np.searchsorted(t, x)", 'n = np.searchsorted(t, x, side="right")'),
        ("r", "z <- scale(x)", "z <- scale(x, scale = FALSE)"),
        ("r", "d <- c(g = 4.5, e = 1.5, c = 2)", "d <- c(g = 4.5, e = 2, c = 1.5)"),
        ("python", 'd = {"g": 4.5, "e": 1.5, "c": [1, 2]}', 'd = {"g": 1.5, "e": 4.5, "c": [1, 2]}'),
        ("julia", "C = P * x", "C = P' * x"),
        ("julia", "C = P * x", "C = P .* x"),
        ("julia", "s = std(x; dims=1) ./ √n", "s = std(x) ./ √n"),
        ("julia", "s = std(x, dims=1)[1]", "s = std(x, dims=2)[1]"),
        ("julia", "s = var(x)", "s = var(x, corrected=false)"),
        ("julia", "s = log.(x[i, :])", "s = log10.(x[i, :])"),
        ("julia", "s = log.(x[i, :])", "s = (x[i, :])"),
        ("julia", "s = U[i, j] ÷ 2", "s = U[j, i] ÷ 2"),
        ("julia", "s = U[i, j] ÷ 2", "s = U[i, j] / 2"),
        ("julia", "s = mod(a, b) - 2ρ^2 * k", "s = rem(a, b) - 2ρ^2 * k"),
        ("julia", "s = mod(a, b) - 2ρ^2 * k", "s = mod(a, b) - 2ρ^2"),
        ("julia", "s = mod(a, b) - 2ρ^2 * k", "s = mod(a, b) - k"),
        ("julia", "keep = x[.!late .& (x .<= 3)]", "keep = x[late .& (x .<= 3)]"),
        ("julia", "keep = x[.!late .& (x .<= 3)]", "keep = x[.!late .& (x .< 3)]"),
        ("julia", "push!(found, a - b^2 * c)", "push!(found, b^2 * c - a)"),
        ("julia", "β = X \\ y", "β = X / y"),
        ("julia", "v = g / drag", "v = sqrt.(g / drag)"),
        ("python", "black.note(white, 1 - points, e)", "black.note(white, 1 - points, (1 - e))"),
        ("python", "z = np.cos(a) + zenith", "z = np.cos(a) + np.degrees(zenith)"),
        ("python", "g[i, j] -= 1 / r", "g[j, i] -= 1 / r"),
        ("python", "low = order[-group:-1]", "low = order[-group:]"),
        ("python", "low = f(x[a[2:n], 1:])", "low = f(x[a[2:n], :])"),
        ("python", "low = f(x[a[2:n], 1:])", "low = f(x[a[:n], 1:])"),
        ("python", "h = sin((a - b) / 2) + sin(c - d)", "h = sin((a - b) / 2) + sin((c - d) / 2)"),
        ("r", "h <- sin((a - b) / 2)^2 * sin(c - d)^2", "h <- sin((a - b) / 2)^2 * sin((c - d) / 2)^2"),
        ("python", "c = a + 7 * b * d", "c = a"),
        ("python", "half = dx / k", "half = dx / (2 * k)"),
        ("python", "area = 3 * (d / 100) ** 2", "area = 3 * (d / 200) ** 2"),
        ("python", 'k = np.convolve(x, K, mode="same")', 'k = np.convolve(x, K[::-1], mode="same")'),
        ("r", "if (h < 0) az <- 2 * pi - az", "if (h > 0) az <- 2 * pi - az"),
        ("r", "d <- 1 / (a + 273) - 1 / (b + 273)", "d <- 1 / (b + 273) - 1 / (a + 273)"),
        ("r", "h <- cos(p * rad) * cos(q)", "h <- cos(p * rad) * cos(q * rad)"),
        ("r", "m <- f(x, matrix(s, n, n))", "m <- f(x, matrix(s, n, n, byrow = TRUE))"),
        ("r", "r <- rep(who, each = n)", "r <- rep(who, times = n)"),
        ("r", "A <- sum(h * (t[-m] * y1 + t[-1] * y0)) / 2", "A <- sum(h * (t[-m] * y0 + t[-1] * y1)) / 2"),
        ("python", 'e = f(lo) * row["rmin"] + row["rmax"]', 'e = f(lo) * row["rmax"] + row["rmin"]'),
        ("r", "a[d] <- h / (log10(y0) - log10(y1))", "a[d] <- h / (log(y0) - log(y1))"),
        ("python", "h -= k / n * np.log2(k / n)", "h -= k / (n - 1) * np.log2(k / (n - 1))"),
        ("r", "v <- (p$high - p$low) / 6", "v <- ((p$high - p$low) / 6) ^ 2"),
        ("r", "J <- day(w)$yday", "J <- day(w)$yday + 1"),
        ("python", "order = np.argsort(val)", "order = (np.argsort(val))[::-1]"),
        ("r", "b <- tab[, 1] / rowSums(tab)", "b <- tab[, 1] / rowSums(tab[, -1])"),
        ("r", "r <- cor(X[, j], rowSums(X))", "r <- cor(X[, j], rowSums(X[, -j]))"),
        ("python", "s = sum(discount[1:])", "s = sum(discount)"),
        ("r", "v <- left / left[m]", "v <- left / left[1]"),
        ("python", "ra = np.arctan(q[:, 1] / q[:, 0])", "ra = np.arctan2(q[:, 1], q[:, 0])"),
        ("julia", "g = rad2deg.(atan.(s ./ c))", "g = rad2deg.(atan.(s, c))"),
        ("julia", "g = rad2deg.(atan.(s, c))", "g = rad2deg.(atan.(s ./ c))"),
        ("python", "b = w * abs(m - k)", "b = w * (m - k) ** 2"),
        ("julia", "b = sum(x .^ 2)", "b = sum(abs.(x))"),
        ("r", "bin <- floor(good$v)", "bin <- floor(good$v + 0.5)"),
        ("python", 'p = s.rank(method="min") / n', 'p = s.rank(method="average") / n'),
        ("python", "v = x.var() / n", "v = x.var(ddof=0) / n"),
    ],
)
def test_a_small_mistake_is_among_the_changes(language: str, line: str, meant: str) -> None:
    assert meant in written(language, line)


def test_other_columns_of_a_table_are_tried_wherever_they_are_named() -> None:
    far = [""] * 40
    assert "tr <- tr[order(tr$time), ]" in written("r", "tr <- tr[order(tr$trip), ]", *far, "tr$time <- 1")
    assert 'w = part["watts"] * 2' in written("python", 'w = part["amps"] * 2', *far, 'x = part["watts"]')
    assert 'w = part["b"]' not in written("python", 'w = part["a"]', *far, 'x = other["b"]')


def test_a_mere_copy_more_often_lacks_a_function_than_an_operand_does() -> None:
    copied = {edit.text: edit.sort for edit in edits("python", ["z = zenith", "y = np.sin(z)"], 1)}
    assert copied["z = np.degrees(zenith)"] == "copy wrapped"
    made = {edit.text: edit.sort for edit in edits("python", ["z = zenith * 2", "y = np.sin(z)"], 1)}
    assert made["z = np.degrees(zenith * 2)"] == "all wrapped"
    assert made["z = np.degrees(zenith) * 2"] == "wrapped"


def test_names_around_the_line_and_numbers_of_the_other_program_are_tried() -> None:
    assert "c = f(u + h * b)" in written("python", "c = f(u + h * a)", "b = f(u)", "a = b - 1")
    assert "q = quantile(x, 0.975)" in written("r", "q = quantile(x, 0.95)", numbers=("0.975",))
    assert numbers_of(["x <- 3L + 2.50 # 7", 'y <- "8"']) == {3.0: "3", 2.5: "2.50"}


def test_an_index_or_a_step_may_be_meant_as_a_variable_of_the_lines_around() -> None:
    assert "p <- h[k]" in written("r", "p <- h[1]", "k <- 2")
    assert "s2 <- rss / (n - p)" in written("r", "s2 <- rss / (n - 1)", "p <- ncol(X)")


def test_of_two_names_those_that_are_alike_are_sooner_swapped() -> None:
    sorts = {edit.text: edit.sort for edit in edits("python", ["e = y0 * area / y1"], 1)}
    assert sorts["e = y1 * area / y0"] == "swapped alike"
    assert sorts["e = area * y0 / y1"] != "swapped alike"
    assert {edit.sort for edit in edits("python", ["e = width - low"], 1)} & {"swapped", "operands"}


def test_the_words_of_a_line_of_julia() -> None:
    line = """δ .+= f!.(A', x'; dims=2)::Float64 .÷ 2π # 'c'"""
    assert [one.text for one in tokens_of_line(line)] == [
        "δ", ".+=", "f!", "(", "A", "'", ",", "x", "'", ";", "dims", "=", "2", ")",
        "::", "Float64", ".÷", "2", "π",
    ]  # fmt: skip
    assert [one.text for one in tokens_of_line("""g('a', "b$(c)" ^ 2, d['e'])""") if one.kind == "text"] == [
        "'a'", '"b$(c)"', "'e'",
    ]  # fmt: skip
    assert not list(edits("julia", ['rm("a" * "b")'], 1))


def test_only_what_is_computed_is_changed_and_nothing_twice() -> None:
    made = [edit.text for edit in edits("python", ["total = a - b  # a + b", "a = 1"], 1)]
    assert made
    assert len({"".join(text.split()) for text in made}) == len(made)
    assert all(text.startswith("total = ") and text.endswith("  # a + b") for text in made)
    assert not list(edits("python", ['title = "1 + 2 < 3"'], 1))
    assert not list(edits("python", ["shutil.rmtree(folders[1])"], 1))
    assert not list(edits("r", ["unlink(paths[2 - 1])"], 1))


def test_an_argument_a_column_or_a_function_of_ones_own_may_be_called_as_one_that_reaches_outside() -> None:
    assert "m <- mean(x, na.rm = TRUE)" in {
        edit.text for edit in edits("r", ["m <- median(x, na.rm = TRUE)"], 1)
    }
    assert list(edits("r", ["change <- prices$open - prices$close"], 1))
    assert list(edits("python", ["def run(x):", "    return x", "y = run(3) - 1"], 3))
    assert not list(edits("python", ["y = subprocess.run(words, timeout=3)"], 1))
    assert not list(edits("r", ["sapply(paths[1:2], unlink)"], 1))


def test_a_variable_that_is_read_nowhere_may_have_been_forgotten() -> None:
    lines = [
        "GRACE = 2", "def f(days, rate):", "    late = days * 3", "    return days * 0.5", "print(f(9, 1))",
    ]  # fmt: skip
    assert unread(lines) == {"GRACE": range(2, 6), "rate": range(3, 5), "late": range(4, 5)}
    made = {edit.text for edit in edits("python", lines, 4)}
    assert {
        "    return (days - GRACE) * 0.5",
        "    return days * (0.5 * rate)",
        "    return late * 0.5",
    } <= made
    assert not unread(["x <- 1", "mean(y, trim = 0.1,", "  na.rm = x)"])
    assert not unread(["k = 3", 'print(f"{k:.2f}")', "def f(a):", "    return a.mean()"])


def test_a_line_of_prose_has_its_changes_too() -> None:
    prose = '"""Returns the indices that would sort an array.'
    assert written("python", prose, "x = 1")


@pytest.mark.parametrize(
    ("language", "line"),
    [("python", "from math import log, exp"), ("r", "library(stats)"), ("julia", "using Printf, Statistics")],
)
def test_what_fetches_a_package_is_not_changed(language: str, line: str) -> None:
    assert not written(language, line, "y = x + 1")


def test_an_argument_that_another_call_of_the_function_has_is_put_in() -> None:
    more = "edge = padded(img, 2, mode='edge')"
    assert "x = padded(soft, 1, mode='edge')" in written("python", "x = padded(soft, 1)", more)
    assert "x = cut(soft, 1, mode='edge')" not in written("python", "x = cut(soft, 1)", more)


def test_a_name_that_stands_there_twice_is_changed_in_both_places() -> None:
    made = written("r", "d <- elo[a] - elo[b]", "start <- elo")
    assert {"d <- start[a] - start[b]", "d <- start[a] - elo[b]"} <= made
