"""A version is no reason for a slip in what the language gives in all of them; for what it changed it is."""

from __future__ import annotations

import msgspec
import pytest

from harness.findings.apart import values_apart
from harness.findings.difference import Difference
from harness.findings.doubts import doubt
from harness.findings.evidence import lacks_evidence
from harness.findings.judging_context import Context
from harness.findings.left_out import is_printed_whole
from harness.findings.older_pythons import of_another_print, of_whole_division
from harness.findings.plain_slips import is_one_slip, no_version_explains
from harness.findings.r_versions import (
    changed_in_r_4,
    draws_otherwise,
    may_be_factors,
    names_other_packages,
)
from harness.findings.sources import Ground, Source, calls_the_language_alone
from harness.findings.which_first import OF_A_SET, left_open
from harness.model.article import BlockDifference, BlockKind, BlockVerdict
from tests.unit.findings.made_runs import chunk


@pytest.mark.parametrize(
    ("published", "printed", "one"),
    [
        ("[1] 4 2 13", "[1] 4 2 31", True),  # turned
        ("[1] 4 2 13", "[1] 4 2 18", True),  # a digit
        ("[1] -4", "[1] 4", True),  # a sign
        ("2 1 3", "1 2 3", True),  # two numbers turned
        ("[1] TRUE", "[1] FALSE", True),
        ('"Hermoine"', '"Hermione"', True),
        ("1 2 3", "4 5 3", False),
        ("[1] 120", "[1] 345", False),
        ('"World"', '"world"', False),  # a printer's capital
        ('"some"', '"other"', False),
    ],
)
def test_one_slip_is_told_from_other_values(published: str, printed: str, one: bool) -> None:
    apart = values_apart(published, printed)
    assert apart is not None
    assert is_one_slip(apart) is one


@pytest.mark.parametrize(
    ("language", "code", "stated", "sure"),
    [
        ("r", "x <- c(12, 13)\nsum(x)", "3.4.3", True),
        ("r", "x <- c(12, 13)\nsample(x)", "3.4.3", False),  # sample() is another since 3.6
        ("r", "x <- c(12, 13)\nsample(x)", "3.6.1", True),
        ("r", "x <- c(12, 13)\nround(x / 3, 2)", "3.6.1", False),
        ("r", "x <- c(12, 13)\nround(x / 3, 2)", "4.1.0", True),
        ("r", "x <- c(12, 13)\nsummary(x)", "3.2.3", False),
        ("r", "x <- c(12, 13)\nsummary(x)", "3.4.3", True),
        ("r", "x <- c(12, 13)\nmystery(x)", "3.4.3", False),  # a function of a package
        ("r", "d <- read.csv('a.csv')\nmean(d$a)", "3.4.3", True),
        ("julia", "x = [12, 13]\nsum(x)", "0.6.0", True),
        ("julia", "x = [12 13; 1 2]\nnorm(x)", "0.6.0", False),  # another norm since 0.7
        ("julia", "x = rand(3)\nsum(x)", "1.11.1", False),
    ],
)
def test_what_versions_are_known_to_have_changed_is_a_reason(
    language: str, code: str, stated: str, sure: bool
) -> None:
    assert no_version_explains("[1] 25", "[1] 52", code, language, code, stated) is sure


def test_what_changed_in_words_is_a_reason_for_words_and_for_no_digit() -> None:
    code = "d <- read.csv('a.csv')\nd"
    assert no_version_explains("  a b\n1 Hermoine 7", "  a b\n1 Hermione 7", code, "r", code, "3.4.3")
    kind = "d <- read.csv('a.csv')\nis.factor(d$a)"
    assert not no_version_explains("[1] TRUE", "[1] FALSE", kind, "r", kind, "3.4.3")
    assert no_version_explains("  a b\n1 Hermione 7", "  a b\n1 Hermione 8", code, "r", code, "3.4.3")


def test_data_of_rs_own_are_the_same_in_all_versions() -> None:
    code = "data(sleep)\nhead(sleep)"
    assert no_version_explains("extra groups", "extra group", code, "r", code, "3.5.2")
    assert not no_version_explains("extra groups", "extra group", "data(galton)\nhead(galton)", "r", code)


def test_a_truth_value_of_types_and_identities_may_be_another_versions() -> None:
    assert not no_version_explains("true", "false", 'a = "x"\na === "x"', "julia", "a = 1", "0.6.0")
    assert no_version_explains("true", "false", "a = 1\nisempty([a])", "julia", "a = 1", "0.6.0")


def said_by_r(published: str, printed: str, code: str, stated: str = "3.4.3") -> str:
    shown = chunk(0, code, "r", published)
    context = Context(
        chunks=(shown,),
        here={"r": "4.2.2"},
        stated={"r": stated},
        reproduced={},
        different={},
        alike={"r": 4},
    )
    first = BlockDifference(published=published, produced=printed, kind="number")
    verdict = BlockVerdict(kind=BlockKind.DIFFERS, first=first, numbers=6, differing=1)
    return doubt(Difference(context, shown, published, printed, verdict, code))


def test_another_generation_is_no_reason_for_a_slip_and_one_for_what_it_changed() -> None:
    assert said_by_r("[1] 12 13 15 14 16 17\n", "[1] 12 13 15 41 16 17\n", "c(12, 13, 15, 41, 16, 17)") == ""
    drawn = "sample(c(12, 13, 15, 14, 16, 17))"
    said = said_by_r("[1] 12 13 15 14 16 17\n", "[1] 13 12 15 14 16 17\n", drawn)
    assert said.startswith("what sample() gives after a seed is another since R 3.6")
    assert said_by_r("[1] 1 2\n", "[1] 3 4\n", "c(3, 4)") == ""
    made = "d <- data.frame(x = c('u', 'v'))\nd$x"
    said = said_by_r("[1] u v\nLevels: u v\n", '[1] "u" "v"\n', made)
    assert said.startswith("strings in a data frame are factors before R 4.0")
    assert said_by_r('[1] "u" "w"\n', '[1] "u" "v"\n', made) == ""


@pytest.mark.parametrize(
    ("published", "printed", "shown", "may"),
    [
        ("[1] u\nLevels: u v", '[1] "u"', "d$x[1]", True),
        ("[1] 188.2 181.3", "[1] 188.2 181.3 193.4", "v[c(1, 2)]", False),
        ('[1] "1"', '[1] "u"', "paste(d[1, ])", True),
        ("[1] 1 2", "[1] a b", "cat(d$x)", True),
        ('[1] "numeric"', '[1] "character"', "mode(d$x)", True),
        ("[1] TRUE", "[1] FALSE", "is.factor(d$x)", True),
        ("[1] TRUE", "[1] FALSE", "is.matrix(l[[2]])", False),
        ("[1] TRUE", "[1] FALSE", "is.matrix(sapply(d, levels))", True),
        ("[1] TRUE", "[1] FALSE", "d$n > 2", False),
        ("[1] 2", "[1] 3", "nlevels(d$x)", True),
        ("[1] 2", "[1] 3", "sum(d$n)", False),
        ("red blue\n147 52", "red blue\n146 52", "sapply(d[, 3:4], sum)", False),
        ("red blue\n4 0", "red blue\n0 0", "sapply(d, nlevels)", True),
        ("a 1.5 2.5 3.5\nb 4.5 5.5 7.5", "a 1.5 2.5 3.5\nb 4.5 5.5 6.5", "summary(lm(y ~ x, d))$coef", False),
        ("1 2 3 4 5 6 7 8", "1 2 3 4 5 6 7 9", "as.integer(d$x)", True),
        ("2 1", "1 2", "as.integer(d$x)", True),
    ],
)
def test_factors_have_codes_a_kind_and_another_form(
    published: str, printed: str, shown: str, may: bool
) -> None:
    assert may_be_factors(published, printed, shown) is may


def test_a_package_that_is_attached_and_not_called_prints_nothing() -> None:
    above = chunk(0, "library(purrr)", "r")
    shown = chunk(1, "v <- c(1, NA)\nv[!is.na(v)]", "r", "[1] 1\n")
    here = Context(
        chunks=(above, shown), here={"r": "4.2.2"}, stated={}, reproduced={}, different={}, alike={"r": 4}
    )
    verdict = BlockVerdict(kind=BlockKind.DIFFERS)
    assert doubt(Difference(here, shown, "[1] 1\n", "[1] 2\n", verdict, shown.code)) == ""


@pytest.mark.parametrize(
    ("code", "published", "whole"),
    [
        ("for (i in 1:3) print(i)", "## [1] 1\n## [1] 2\n", True),
        ("for (i in 1:3) print(i)", "## [1] 1\n## [1] 3\n", False),
        ("for (i in 1:3) print(i)", "[1] 1\n[1] 2\n", False),
        ("n <- 3\nfor (i in 1:n) print(i)", "#> [1] 1\n", True),
        ("1\ndata.frame(a = 2)", "## [1] 1\n", False),
    ],
)
def test_what_knitr_wrote_begins_as_the_code_prints_and_ends_so(
    code: str, published: str, whole: bool
) -> None:
    printed = "[1] 1\n[1] 2\n[1] 3\n"
    assert is_printed_whole(chunk(0, code, "r", published), published, printed) is whole


@pytest.mark.parametrize(
    ("file", "options", "whole"), [("a.md", {}, True), ("", {}, False), ("a.md", {"out.lines": 2}, False)]
)
def test_what_stands_in_the_rendered_document_is_whole_but_where_a_hook_cuts_it(
    file: str, options: dict[str, int], whole: bool
) -> None:
    published = "[1] 1\n[1] 2\n"
    shown = chunk(0, "for (i in 1:3) print(i)", "r", published, options=options)
    block = msgspec.structs.replace(shown.output[0], file=file)
    shown = msgspec.structs.replace(shown, output=(block,))
    assert is_printed_whole(shown, published, "[1] 1\n[1] 2\n[1] 3\n") is whole


def test_what_r_prints_may_stand_behind_the_marks_of_comments() -> None:
    assert said_by_r("# [1] 150\n", "[1] 140\n", "7 * 20") == ""
    said = said_by_r("# the product, 150\n", "[1] 140\n", "7 * 20")
    assert said.startswith("it is written as a comment")


def test_pictures_and_what_is_attached_are_no_ground_of_what_is_printed() -> None:
    drawn = "g <- ggplot(d, aes(x)) +\n  geom_histogram()\ng + geom_vline(m)"
    code = f"library(ggplot2)\nm <- mean(c(1, 2))\nm\n{drawn}"
    assert calls_the_language_alone(code, code, "r")
    assert not calls_the_language_alone(f"{code}\nshow_it(m)", code, "r")


def test_an_imaginary_part_is_a_number() -> None:
    apart = values_apart("(3-6j)", "(3+6j)")
    assert apart is not None
    assert [(pair.what, pair.published, pair.produced) for pair in apart] == [("number", "-6j", "+6j")]
    assert values_apart("1 - 2im", "1 + 2im") is not None
    assert values_apart("(3-6j)", "3") is None
    source = Source(Ground.LANGUAGE)
    assert not lacks_evidence("(3-6j)", "(3+6j)", source, code="", shown="", texts="", isolated=(9, 0))


def test_a_number_that_is_rounded_lies_halfway_or_does_not() -> None:
    half = "a number halfway between two is rounded otherwise since R 4.0"
    assert changed_in_r_4([("0.1", "0.2")], "[1] 1", "[1] 2", "round(0.15, 1)", "") == half
    assert changed_in_r_4([("2", "3")], "[1] 1", "[1] 2", "round(2.5, digits = 0)", "") == half
    assert changed_in_r_4([("2", "3")], "[1] 1", "[1] 2", "round(2.5, digits = n)", "") == half
    assert changed_in_r_4([("1200", "1300")], "[1] 1", "[1] 2", "signif(1250, 2)", "") == half
    assert changed_in_r_4([("3.141", "3.142")], "[1] 1", "[1] 2", "round(3.14159, 3)", "") == ""


@pytest.mark.parametrize(
    ("published", "printed", "moved"),
    [
        ("Function: plot (package graphics)", "Function: plot (package base)", True),
        ('[1] "package:graphics"', '[1] "package:base"', True),
        ("<environment: namespace:graphics>", "<environment: namespace:base>", True),
        ("Function: plot (package graphics)", "Function: show (package base)", False),
        ('[1] "package:graphics"', '[1] "package:basis"', False),
    ],
)
def test_plot_was_moved_into_another_package(published: str, printed: str, moved: bool) -> None:
    assert names_other_packages(values_apart(published, printed) or ()) is moved


def test_summary_rounded_before_3_4() -> None:
    said = "summary() rounds to four digits before R 3.4"
    pairs = [("-0.0325", "-0.0325123"), ("0.00046", "0.0004567"), ("0.03550", "0.0355237")]
    assert changed_in_r_4(pairs, "[1] 1", "[1] 2", "summary(x)", "") == said
    assert changed_in_r_4([("13249", "13294")], "[1] 1", "[1] 2", "summary(x)", "") == ""


def test_a_text_that_ends_in_u_is_no_mark_of_python_2() -> None:
    assert not of_another_print("['a', 'e', 'i', 'u', 'o']", "['a', 'e', 'i', 'o', 'u']")
    assert of_another_print("[u'a', u'b']", "['a', 'b']")


@pytest.mark.parametrize(
    ("published", "printed", "open_"),
    [
        ("Set{Int64} with 2 elements:\n  1", "Set{Int64} with 1 element:\n  1", False),
        ("Set{Int64} with 2 elements:\n  1\n  4", "Set{Int64} with 2 elements:\n  4\n  1", True),
        ("6-element Vector{Int64}:\n 4", "5-element Vector{Int64}:\n 4", False),
        ("4", "1", True),
    ],
)
def test_the_size_of_a_set_of_julia_has_no_order(published: str, printed: str, open_: bool) -> None:
    said = left_open(published, printed, None, "first(Set([4, 1]))", "julia", stated="1.8", same=False)
    assert bool(said) is open_


@pytest.mark.parametrize(
    ("published", "printed", "code", "open_"),
    [
        ("{0, 4, 13}", "{0, 4, 8, 13}", "{0, 4} | {8, 13}", False),
        ("False", "True", "{1, 2, 3} == {3, 2, 1}", False),
        ("[13, 4]", "[8, 4]", "list({8, 13, 4})[:2]", True),
        ("'a'", "'b'", "{'a', 'b'}.pop()", True),
    ],
)
def test_whole_sets_and_truth_values_have_no_order(
    published: str, printed: str, code: str, open_: bool
) -> None:
    said = left_open(published, printed, None, code, "python", stated="3.11", same=True)
    assert (said == OF_A_SET) is open_


def test_a_plot_and_a_formula_use_no_package_for_what_is_computed() -> None:
    code = "d <- read.csv('a.csv')\ns <- aggregate(steps ~ day, d, FUN = sum)\n"
    code += "qplot(day, steps, data = s)\nmax(s$steps)"
    assert calls_the_language_alone(code, code, "r")
    assert not calls_the_language_alone(f"{code}\nsummarise(s)", code, "r")


@pytest.mark.parametrize(
    ("language", "code", "stated", "here", "sure"),
    [
        ("r", "x <- c(12, 13)\nquantile(x)", "3.4.3", "4.0.5", False),  # in the list of what always changes
        ("r", "x <- c(12, 13)\nround(x / 3, 2)", "3.6.1", "3.5.1", True),  # both before 4.0
        ("r", "x <- expand.grid(1:2, 1:3)\nnrow(x)", "3.6.1", "4.2.2", True),  # still makes factors
        ("r", "x <- c(1.25, 2)\nsignif(x, 2)", "3.6.1", "4.2.2", True),
        ("julia", "x = [12 13; 1 2]\ndet(x)", "1.9.1", "1.5.3", False),  # newer than what is here
        ("julia", "x = [12 13; 1 2]\ndet(x)", "1.6.1", "1.5.3", True),
        ("julia", "x = [12, 13]\nfindfirst(x)", "1.9.1", "1.5.3", True),  # both since 0.7
        ("julia", "x = [12 13; 1 2]\ndet(x)", "", "1.5.3", False),  # of no known version
    ],
)
def test_what_changed_between_two_versions_is_a_reason(
    language: str, code: str, stated: str, here: str, sure: bool
) -> None:
    assert no_version_explains("[1] 25", "[1] 52", code, language, code, stated, here) is sure


@pytest.mark.parametrize(
    ("stated", "changed"), [("", True), ("3.6.1", True), ("4.0.3", False), ("4.3.1", False)]
)
def test_what_r_4_changed_is_no_reason_in_a_document_of_r_4(stated: str, changed: bool) -> None:
    code = "d <- data.frame(a = c('u', 'v'))\nd$a"
    assert bool(changed_in_r_4(None, "[1] u v\nLevels: u v", '[1] "u" "v"', "d$a", code, stated)) is changed


@pytest.mark.parametrize(
    ("code", "stated", "otherwise"),
    [
        ("sample(26)", "", True),
        ("sample(26)", "3.5.2", True),
        ("sample(26)", "3.6.0", False),
        ("rnorm(26)", "3.5.2", False),
        ("torch_randn(3)", "4.2.2", True),
    ],
)
def test_what_a_seed_gives_in_r_is_known_by_its_version(code: str, stated: str, otherwise: bool) -> None:
    assert draws_otherwise(code, stated) is otherwise


def test_what_python_2_divides_and_prints_with_twelve_digits() -> None:
    pairs = [("0", "0.5555555555555556"), ("0.555555555556", "0.5555555555555556")]
    assert of_whole_division(pairs, "x = 5 / 9\ny = 5. / 9")
    assert not of_whole_division(pairs[1:], "y = 5. / 9")
    assert not of_whole_division([("0", "0.5"), ("0.52", "0.5")], "x = 1 / 2")


@pytest.mark.parametrize(
    ("code", "alone"),
    [
        ('quantile(read.delim("a.txt")$n, probs = 0.5)', True),
        ("addmargins(table(gl(2, 3), ordered(c(1, 2, 1, 2, 1, 2))))", True),
        ("filter(read.delim('a.txt'), n > 2)", False),
    ],
)
def test_what_r_brings_needs_no_package_that_is_attached(code: str, alone: bool) -> None:
    assert calls_the_language_alone(code, code, "r") is alone
