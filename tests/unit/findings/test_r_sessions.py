"""What of an author's R session no document shows: what it held, and its locale."""

from __future__ import annotations

import pytest

from harness.findings.apart import values_apart
from harness.findings.names import upstream
from harness.findings.r_sessions import left_to_the_session
from harness.findings.random_numbers import machine_in, place_in
from harness.findings.which_first import left_open
from tests.unit.findings.made_runs import chunk


@pytest.mark.parametrize(
    ("code", "published", "printed", "left_open"),
    [
        ("exists('undefined_thing')", "[1] TRUE", "[1] FALSE", True),
        ("x <- 1\nexists('x')", "[1] FALSE", "[1] TRUE", False),
        ("is.na(as.Date('01/feb/2016', '%d/%b/%Y'))", "[1] TRUE", "[1] FALSE", True),
        ("is.na(as.Date('01/02/2016', '%d/%m/%Y'))", "[1] TRUE", "[1] FALSE", False),
        ("as.Date('01/feb/2016', '%d/%b/%Y')", '[1] "2016-02-10"', '[1] "2016-02-01"', False),
        ("toupper('é')", '[1] "é"', '[1] "É"', True),
        ("toupper('e')", '[1] "e"', '[1] "E"', False),
    ],
)
def test_what_is_left_to_a_session(code: str, published: str, printed: str, left_open: bool) -> None:
    apart = values_apart(published, printed) or ()
    assert bool(left_to_the_session(apart, code.split("\n")[-1], code)) is left_open


@pytest.mark.parametrize(
    ("code", "asks"),
    [
        ("!is.infinite(NA)", False),
        ("x = !isempty(y)", False),
        ("!TRUE", False),
        ("!(x %in% y)", False),
        ("!ls -l", True),
        ("files = !find . -name a", True),
    ],
)
def test_a_negation_asks_no_shell(code: str, asks: bool) -> None:
    assert (machine_in(code) is not None) is (place_in(code) is not None) is asks


@pytest.mark.parametrize(
    ("published", "printed", "open_"),
    [
        ("Andre 210 6.3e-01\nKevin 643 -6.0e-01", "Kevin 643 -6.0e-01\nAndre 210 6.3e-01", False),
        ("Kay 210\nbea 643", "bea 643\nKay 210", True),
        ("[1] TRUE FALSE", "[1] FALSE TRUE", True),
    ],
)
def test_rows_stand_otherwise_in_a_locale_whose_names_do(published: str, printed: str, open_: bool) -> None:
    code = "x <- c('a', 'B')\nd[order(d$name), ]"
    assert bool(left_open(published, printed, None, code, "r", stated="", same=False)) is open_


@pytest.mark.parametrize(
    ("above", "code", "count"),
    [
        ("c <- 25 %% 4", "m <- matrix(c(1, 2), nrow = 2)\nm", 1),
        ("c <- 25 %% 4", "c(1, 2)\nc", 2),
        ("c <- function(x) x", "c(1)", 2),
        ("c <- rev", "c(1)", 2),
        ("c <- 3\nc <- rev", "c(1)", 2),
        ("f <- 3", "f(2)", 2),
        ("c[1] <- 3", "c(2)", 2),
    ],
)
def test_where_r_calls_a_function_it_passes_over_a_number_of_its_name(
    above: str, code: str, count: int
) -> None:
    chunks = [chunk(0, above, "r"), chunk(1, code, "r")]
    assert len(upstream(chunks, chunks[1])) == count
