"""A value that passes, or is the machine's, is carried by the columns of R's frames that it is put into."""

from __future__ import annotations

import pytest

from harness.findings.carried import of_the_place
from harness.findings.frame_columns import without_columns
from tests.unit.findings.made_runs import chunk

FRAME = "day <- weekdays(as.Date(x$at))\nkind <- paste(day, '(')\nd <- data.frame(n = f(x$n, 2), kind = kind)"
COLUMN = "x$day <- weekdays(as.Date(x$date))"


@pytest.mark.parametrize(
    ("above", "shown", "carried"),
    [
        (FRAME, "mean(d$n)", False),
        (FRAME, "d$kind[1]", True),
        (FRAME, 'd[["kind"]]', True),
        (FRAME, "head(d)", True),
        (FRAME, "aggregate(n ~ kind, data = d, FUN = mean)", True),
        (FRAME, "aggregate(n ~ m, data = d, FUN = mean)", False),
        (FRAME, "lm(n ~ ., data = d)", True),
        (FRAME, "with(d, mean(n))", False),
        (FRAME, "with(d, table(kind))", True),
        (FRAME, "kind", True),
        (f"{FRAME}\nm <- mean(d$n)", "m", False),
        (f"{FRAME}\ne <- d[order(d$n), ]", "e$n", True),
        (f"{FRAME}\nd <- data.frame(kind = 1)", "d", False),
        (f"{FRAME}\nd <- 5", "d", False),
        (FRAME.replace("kind = kind", "kind"), "mean(d$n)", True),
        (COLUMN, "mean(x$n)", False),
        (COLUMN, "table(x$day)", True),
        (COLUMN, "mean(x$n[x$day == 'Monday'])", True),
        (COLUMN, "summary(x)", True),
        (f"{COLUMN}\nx$m <- x$n + 1", "table(x$day)", True),
        (f"{COLUMN}\nx$free <- x$day == 'Sunday'", "sum(x$free)", True),
        (f"{COLUMN}\nx$m <- x$n + 1", "sum(x$m)", False),
        (f"{COLUMN}\nnames(x)[3] <- 'd'", "table(x$d)", True),
        ("x[, 'day'] <- weekdays(as.Date(x$date))", "mean(x$n)", True),
    ],
)
def test_what_the_machine_says_stays_in_the_columns_that_it_was_put_into(
    above: str, shown: str, *, carried: bool
) -> None:
    assert of_the_place([chunk(0, above, "r"), chunk(1, shown, "r")], shown) is carried


def test_of_other_languages_a_frame_is_one_value() -> None:
    above = "x.day = os.listdir(p)"
    assert of_the_place([chunk(0, f"import os\nx = g()\n{above}\ny = x", "python")], "x.day")


@pytest.mark.parametrize(
    ("code", "bare"),
    [
        ("subset(d, day == x & f(n), select = c(n, m))", "subset(d,   ==   & f( ),   = c( ,  ))"),
        ("mean(with(d, day))\nday", "mean(with(d,  ))\nday"),
        ("with(subset(d, day > 1), n)", "with(subset(d,   > 1),  )"),
        ("with(d)", "with(d)"),
        ("subset(d, day", "subset(d, day"),
    ],
)
def test_names_that_are_looked_up_in_a_frame_are_columns(code: str, bare: str) -> None:
    assert without_columns(code) == bare
