"""What no version of R makes of a plain vector that it prints."""

from __future__ import annotations

import pytest

from harness.findings.plain_slips import no_version_explains
from harness.findings.plain_vectors import differs_as_no_version_does
from harness.model.article import Answer
from tests.unit.findings.made_runs import said

CODE = 'if (i > 5) print("it is greater") else print("it is less")'


@pytest.mark.parametrize(
    ("published", "printed", "none"),
    [
        ("## [1] 1 0 0\n", "[1]  TRUE FALSE FALSE\n", True),
        ("[1]  TRUE FALSE FALSE\n", "[1] 1 0 0\n", True),
        ("[1] 1 0 1\n", "[1]  TRUE FALSE FALSE\n", False),
        ("[1] 1\n", "[1] TRUE\n", False),
        ("[1] 1 1 2 3 5\n", "[1] 1 1 2 3 5 8\n", True),
        ("[1] 1 1 2 3\n", "[1] 1 1 2 3 5 8\n", False),
        ("[1] 1 NA 2\n", "[1] 1 2\n", True),
        ("[1] NA NA NA\n", "[1] NA NA NA NA\n", True),
        ("[1] a NA 2\n", "[1] a 2\n", False),
        ("[1] NA NA NA\n", "[1] 0.0 0.5  NA\n", True),
        ("[1] NA 0.6 NA\n", "[1] 0.0 0.5  NA\n", False),
        ("[1] 1\n[1] 1\n", "[1] 1\n", True),
        ("[1] 1\n[1] 3\n", "[1] 1\n", False),
        ('[1] "it is less"\n', '[1] "it is greater"\n', True),
        ('[1] "it is few"\n', '[1] "it is greater"\n', False),
        ("x 1 2 3\n", "x 1 2\n", False),
    ],
)
def test_how_r_prints_a_plain_vector_is_of_no_version(published: str, printed: str, *, none: bool) -> None:
    assert differs_as_no_version_does(published, printed, CODE) is none


@pytest.mark.parametrize(
    ("code", "published", "printed", "answer"),
    [
        (f"i <- 7\n{CODE}", '[1] "it is less"\n', '[1] "it is greater"\n', Answer.WRONG),
        (f"i <- foo(7)\n{CODE}", '[1] "it is less"\n', '[1] "it is greater"\n', Answer.HERE),
    ],
)
def test_a_vector_of_the_language_alone_is_the_same_in_all_versions(
    code: str, published: str, printed: str, answer: Answer
) -> None:
    rest = ("print(1 + 1)", "[1] 2\n")
    assert said(code, published, printed, language="r", rest=rest, here=4, stated="4.3.1") is answer


@pytest.mark.parametrize(
    ("code", "published", "printed", "answer"),
    [
        ("gamma(3.5)", "[1] 3.323350\n", "[1] 3.323351\n", Answer.WRONG),
        ("gamma(3.5)", "[1] 3.32335\n", "[1] 3.323351\n", Answer.REPRODUCED),
        ("signif(c(gamma(3.5), 1), 6)", "[1] 3.323350 1\n", "[1] 3.323351 1\n", Answer.HERE),
        ("c(0.06, 1)", "[1] 0.06040 1\n", "[1] 0.06039337 1\n", Answer.WRONG),
        ("c(0.06, 1)", "[1] 0.0604 1\n", "[1] 0.06039337 1\n", Answer.REPRODUCED),
    ],
)
def test_no_option_of_r_fills_up_with_zeros(code: str, published: str, printed: str, answer: Answer) -> None:
    assert said(code, published, printed, language="r", rest=("1 + 1", "[1] 2\n")) is answer


@pytest.mark.parametrize(
    ("first", "answer"), [("0.06063 -0.171 7.571", Answer.WRONG), ("0.06062 -0.171 7.572", Answer.HERE)]
)
def test_no_other_data_give_the_same_numbers_in_other_places(first: str, answer: Answer) -> None:
    published = f"  a b c\nx {first}\ny 0.06039 -0.167 7.567\n"
    printed = "  a b c\nx 0.06039 -0.167 7.567\ny 0.06063 -0.171 7.571\n"
    code = "data.frame(a = c(1, 2), b = 3, c = 4)"
    assert said(code, published, printed, language="r", rest=("1 + 1", "[1] 2\n")) is answer


@pytest.mark.parametrize(
    ("code", "printed", "none"),
    [
        ("x > 5", "[1] FALSE  TRUE FALSE\n", True),
        ("identical(x, 5)", "[1] FALSE  TRUE FALSE\n", False),
        ("theirs(x)", "[1] FALSE  TRUE FALSE\n", False),
        ("x > 5", "[1] 3 7 9\n", False),
    ],
)
def test_no_version_of_r_prints_truths_otherwise(code: str, printed: str, *, none: bool) -> None:
    published, above = "[1]  TRUE FALSE  TRUE\n", "x <- c(3, 7, 9)\n"
    assert no_version_explains(published, printed, above + code, "r", above + code, "3.4", "4.2") is none
