"""Why an output of R is not reproduced, said as it is."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from harness.documents.knitr_defaults import takes_knitr_as_attached
from harness.documents.parse import parse_document
from harness.documents.surroundings import missing_here
from harness.findings.answers import judged
from harness.findings.lacking import set_nowhere
from harness.findings.r_versions import changed_in_r_4
from harness.findings.sources import calls_the_language_alone
from harness.findings.which_first import left_open
from harness.model.article import Answer
from harness.sessions.session import CodeError
from tests.unit.findings.made_runs import Ran, answers, chunk, left
from tests.unit.findings.made_runs import said as said_beside_others


@pytest.mark.parametrize(
    ("published", "produced", "local"),
    [
        ('[1] "a" "B"', '[1] "B" "a"', True),
        ("One-sample test\nD = 0.07", "Asymptotic one-sample test\nD = 0.07", False),
        ('[1] "a"', '[1] "B"', False),
    ],
)
def test_capitals_matter_where_the_same_items_stand_in_another_order(
    published: str, produced: str, local: bool
) -> None:
    code = 'sort(c("a", "B"))'
    said = left_open(published, produced, None, code, "r", stated="", same=False)
    assert bool(said) is local


def test_what_packages_say_when_they_are_attached_is_no_factor() -> None:
    made = 'd <- data.frame(x = "a")\n'
    assert changed_in_r_4(None, "[1] a\nLevels: a", '[1] "a"', "d", made)
    assert not changed_in_r_4(
        None, "", "Attaching", 'library(dplyr)\nsuppressPackageStartupMessages(library("tidyr"))\n', made
    )


@pytest.mark.parametrize(("between", "answer"), [("1", Answer.HERE), ("set.seed(2)", Answer.WRONG)])
def test_what_sample_took_of_the_stream_others_have_not(between: str, answer: Answer) -> None:
    published, printed = "[1] -1.23753 -0.22426  0.37739\n", "[1] -0.69095 -1.28459  0.04672\n"
    codes = [("set.seed(1)\nx <- sample(10)", ""), (between, ""), ("rnorm(3)", published)]
    chunks = [chunk(n, code, "r", output=text) for n, (code, text) in enumerate(codes)]
    rest = [chunk(n, f"{n} + 1", "r", output=f"[1] {n + 1}\n") for n in range(3, 12)]
    results = [left(), left(), left(printed), *(left(f"[1] {n + 1}\n") for n in range(3, 12))]
    assert judged(Ran([*chunks, *rest], results)).blocks[0].answer is answer


@pytest.mark.parametrize(
    ("code", "older", "answer"),
    [
        ("set.seed(1)\nx <- sample(9)", "[1] 3 4 5 7 2 8 9 6 1\n", Answer.HERE),
        ("set.seed(1)\nx <- sample(9)", "[1] 1 4 5 7 2 8 9 6 3\n", Answer.WRONG),
        ("library(dplyr)\nset.seed(1)\nx <- sample_n(9)", "[1] 1 4 5 7 2 8 9 6 3\n", Answer.HERE),
    ],
)
def test_the_older_way_to_sample_is_a_reason_where_it_gives_what_is_published(
    code: str, older: str, answer: Answer
) -> None:
    chunks = [chunk(0, code, "r"), chunk(1, "x", "r", output="[1] 3 4 5 7 2 8 9 6 1\n")]
    chunks += [chunk(n, f"{n} + 1", "r", output=f"[1] {n + 1}\n") for n in range(2, 14)]
    rest = [left(f"[1] {n + 1}\n") for n in range(2, 14)]
    printed, before = ([left(), left(text), *rest] for text in ("[1] 9 4 7 1 2 5 3 8 6\n", older))
    assert answers(Ran(chunks, printed, with_other_code=before))[0] is answer


@pytest.mark.parametrize(
    ("published", "printed", "shown", "changed"),
    [
        ('[1] "matrix"', '[1] "matrix" "array"', "class(m)", True),
        ('[1] "factor"', '[1] "character"', "class(d$x)", True),
        ("[1] FALSE", "[1] TRUE", 'inherits(m, "array")', True),
        ('[1] "POSIXt" "POSIXct"', '[1] "POSIXct" "POSIXt"', "class(t)", True),
        ('[1] "numeric"', '[1] "integer"', "class(x)", False),
        ('[1] "numeric"', '[1] "character"', "class(c(1, 'a'))", False),
        ('[1] "numeric"', '[1] "character"', "class(data.frame(a = 'b')$a)", True),
        ('[1] "POSIXct" "POSItX"', '[1] "POSIXct" "POSIXt"', "class(t)", False),
    ],
)
def test_of_classes_r_4_changed_those_of_matrices_and_of_texts_in_data_frames(
    published: str, printed: str, shown: str, *, changed: bool
) -> None:
    said = changed_in_r_4(None, published, printed, shown, shown)
    assert (said == "the classes of a value are others since R 4.0") is changed


@pytest.mark.parametrize(
    ("code", "answer"),
    [("x <- c(0.5, 'a')\nclass(x)", Answer.WRONG), ("x <- read.csv('a.csv')\nclass(x$a)", Answer.HERE)],
)
def test_the_class_of_what_is_no_data_frame_is_one_in_all_versions(code: str, answer: Answer) -> None:
    texts, rest = ('[1] "numeric"\n', '[1] "character"\n'), ("1 + 1", "[1] 2\n")
    assert said_beside_others(code, *texts, language="r", rest=rest, stated="3.6.1") is answer


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("'curl' call had nonzero exit status", "network"),
        ("'/document/data/survey.csv' does not exist.", "file"),
        ("cannot change working directory", "file"),
        ("object 'x' does not exist", None),
    ],
)
def test_what_r_says_of_files_and_the_network(message: str, kind: str | None) -> None:
    lack = missing_here(CodeError(message=message), "read(x)", "r")
    assert (lack.kind if lack is not None else None) == kind


LACKS = left(error="there is no package called ‘RUnit’", line=2)
NO_FUNCTION = left(error='could not find function "checkEquals"')


def said(shown: str) -> str:
    chunks = [
        chunk(0, "library(RUnit)", "r", executable=True),
        chunk(1, "checkEquals(1, 2)", "r", executable=True, output=shown),
    ]
    return judged(Ran(chunks, [LACKS, NO_FUNCTION])).blocks[0].why


def test_another_error_than_the_document_shows_where_a_package_is_missing() -> None:
    assert said("## Error in checkEquals(1, 2): Mean relative difference: 1") == "RUnit is not installed"
    shown = '## Error in checkEquals(1, 2): could not find function "checkEquals"'
    assert said(shown) != "RUnit is not installed"


def test_a_warning_is_no_error_that_the_document_shows() -> None:
    warned = chunk(1, "x <- checkEquals(1, 2)", "r", executable=True, output="## Warning: it is odd")
    block = msgspec.structs.replace(warned.output[0], kind="message")
    chunks = [
        chunk(0, "library(RUnit)", "r", executable=True),
        msgspec.structs.replace(warned, output=(block,)),
    ]
    assert judged(Ran(chunks, [LACKS, NO_FUNCTION])).blocks[0].why == "RUnit is not installed"


def test_a_draw_behind_words_of_other_code_is_random() -> None:
    prose = "But if you do not, R goes by position:\n\n"
    published, printed = "## [1] 0.1363\n", "[1] 0.9635\n"
    drawn = chunk(0, "rnorm(1)", "r", executable=True, output=published)
    drawn = msgspec.structs.replace(
        drawn, doubtful=f"the text above it speaks of other code ({prose.strip()})"
    )
    (block,) = judged(Ran([drawn], [left(printed)])).blocks
    assert block.answer is Answer.NOBODY


@pytest.mark.parametrize(
    ("code", "attached"),
    [
        ("opts_chunk$set(comment = NA)", True),
        ("knitr::opts_chunk$set(comment = NA)", False),
        ("library(knitr)\nopts_chunk$set(comment = NA)", False),
        ("x <- 1", False),
    ],
)
def test_where_knitr_is_taken_as_attached(tmp_path: Path, code: str, attached: bool) -> None:
    path = tmp_path / "a.Rmd"
    path.write_text(f"```{{r}}\n{code}\n```\n", encoding="utf-8")
    assert takes_knitr_as_attached(parse_document(path)) is attached


@pytest.mark.parametrize(("attached", "named"), [("", True), ("library(zeal)\n", False)])
def test_the_package_of_a_readme_that_does_not_attach_it(tmp_path: Path, attached: str, named: bool) -> None:
    (tmp_path / "DESCRIPTION").write_text("Title: Zeal\nPackage: zeal\n", encoding="utf-8")
    path = tmp_path / "README.md"
    path.write_text(f"```r\n{attached}pour(1)\n```\n", encoding="utf-8")
    document = parse_document(path)
    reason = set_nowhere(document, document.chunks[0], "pour", of_a_package=True)
    assert ("zeal, the package of the DESCRIPTION beside it" in reason) is named


@pytest.mark.parametrize(
    ("installs", "attached", "said"),
    [
        ('install.packages("zeal")', "", "zeal, which may have it, is installed there and not attached"),
        ('pak::pak("r-lib/zeal")', "", "zeal, which may have it, is installed there and not attached"),
        ('install.packages(c("a", "zeal"))', "", "a or zeal, which may have it, is installed there"),
        ('install.packages("zeal")', "library(zeal)", "and no package that it attaches here has it"),
    ],
)
def test_a_package_that_a_readme_installs_is_not_attached(installs: str, attached: str, said: str) -> None:
    chunks = [chunk(0, installs, "r"), chunk(1, attached, "r"), chunk(2, "pour(1)", "r", output="[1] 2\n")]
    lacking = left(error="there is no package called ‘pak’", line=1)
    failing = left(error='could not find function "pour"', line=1)
    (block,) = judged(Ran(chunks, [lacking, left(), failing])).blocks
    assert block.answer is Answer.UNCHECKED
    assert said in block.why
    assert block.why.startswith("pour is set nowhere in the document")


def test_a_listing_that_is_no_code_of_r_is_not_said_to_be_of_another_version() -> None:
    failing = msgspec.structs.replace(
        left(), error=CodeError(message="a.md:2:5: unexpected symbol", kind="syntax", line=2)
    )
    (block,) = judged(Ran([chunk(0, "The sum is\nsum(1, 2)", "r", output="[1] 3\n")], [failing])).blocks
    assert (block.answer, block.why[:31]) == (Answer.UNCHECKED, "it is no code of R as it stands")


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("d <- as.data.frame(m)\nd$x + 1", Answer.HERE),
        ("d <- as.data.frame(m, stringsAsFactors = FALSE)\nd$x + 1", Answer.WRONG),
    ],
)
def test_code_that_computes_with_texts_may_have_had_factors(code: str, answer: Answer) -> None:
    failed = left(error="non-numeric argument to binary operator", line=2)
    chunks = [chunk(0, code, language="r", executable=True, output="[1] 2\n")]
    runs = Ran([*chunks, chunk(1, "1 + 1", language="r", output="[1] 2\n")], [failed, left("[1] 2\n")])
    assert judged(runs).blocks[0].answer == answer


@pytest.mark.parametrize(
    ("code", "published", "printed", "answer"),
    [
        ("1 %/% 0.1", "[1] 10\n", "[1] 9\n", Answer.HERE),
        ("x <- 1 / 10\n1 %/% x", "[1] 10\n", "[1] 9\n", Answer.HERE),
        ("1 %% 0.1", "[1] 0\n", "[1] 0.1\n", Answer.HERE),
        ("x <- 1 / 5\n1 %% x", "[1] 0\n", "[1] 0.2\n", Answer.HERE),
        ("1 / 0.1", "[1] 11\n", "[1] 10\n", Answer.WRONG),
        ("1 %/% 0.1", "[1] 19\n", "[1] 9\n", Answer.WRONG),
        ("100 %/% 11", "[1] 10\n", "[1] 9\n", Answer.WRONG),
        ("17 %% 1.5", "[1] 1.5\n", "[1] 0.5\n", Answer.WRONG),
    ],
)
def test_how_often_a_fraction_goes_into_a_number_is_the_platforms(
    code: str, published: str, printed: str, answer: Answer
) -> None:
    chunks = [chunk(0, code, "r", output=published)]
    chunks += [chunk(n, f"{n} + 1", "r", output=f"[1] {n + 1}\n") for n in range(1, 30)]
    results = [left(printed), *(left(f"[1] {n + 1}\n") for n in range(1, 30))]
    assert judged(Ran(chunks, results)).blocks[0].answer is answer


@pytest.mark.parametrize(
    ("code", "published", "printed", "changed"),
    [
        ("d <- data.frame(x = 1:3)\nd", "  x\n1 1\n", "  x  y\n1 1 NA\n", False),
        ("d <- data.frame(x = letters)\nd", "[1] a\nLevels: a\n", '[1] "a"\n', True),
        ("d <- read.csv('a.csv')\nd$x", "[1] a\nLevels: a\n", '[1] "a"\n', True),
        ("d <- data.frame(x = 'a')\nd", "  x\n1 a\n", "  x\n1 a\n2 b\n", False),
        ("d <- data.frame(x = 'a')\nlevels(d$x)", "NULL\n", "[1] 1\nNULL\n", False),
        ("d <- data.frame(x = 'a')\nd$x", "[1] a b\n", "[1] a b\nLevels: a b\n", True),
    ],
)
def test_no_version_makes_factors_of_numbers_or_takes_a_row_from_a_frame(
    code: str, published: str, printed: str, *, changed: bool
) -> None:
    said = changed_in_r_4(None, published, printed, code.split("\n")[-1], code)
    assert (said == "strings in a data frame are factors before R 4.0") is changed


@pytest.mark.parametrize(
    ("shown", "answer"),
    [
        ("x <- get('a', envir = environment(f))", Answer.WRONG),
        ("x <- c(environment(f))", Answer.HERE),
    ],
)
def test_where_a_value_is_looked_up_is_not_what_the_language_says_of_it(shown: str, answer: Answer) -> None:
    code = f"f <- function() 1\n{shown}\nx"
    texts, rest = ("[1] 3 5 7\n", "[1] 3 5 8\n"), ("1 + 1", "[1] 2\n")
    given = said_beside_others(code, *texts, language="r", rest=rest, stated="4.1.0")
    assert given is answer


@pytest.mark.parametrize(
    ("code", "alone"),
    [("x %>% mean() %>% round(2)", True), ("x %>% theirs()", False), ("subset(x, day > 3)", True)],
)
def test_what_r_pipes_to_its_own_functions_is_of_no_package(code: str, alone: bool) -> None:
    above = f"library(magrittr)\nx <- c(1, 2)\n{code}"
    assert calls_the_language_alone(code, above, "r") is alone
