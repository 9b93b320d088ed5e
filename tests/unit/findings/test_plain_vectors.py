"""What no version of R makes of a plain vector that it prints."""

from __future__ import annotations

import pytest

from harness.findings.plain_slips import no_version_explains
from harness.findings.plain_vectors import differs_as_no_version_does
from harness.model.article import Answer
from tests.unit.findings.made_runs import said

CLASSES = '[1] "factor"\n', '[1] "character"\n'
CODE = 'if (i > 5) print("it is greater") else print("it is less")'


@pytest.mark.parametrize(
    ("published", "printed", "none"),
    [
        ("## [1] 1 0 0\n", "[1]  TRUE FALSE FALSE\n", True),
        ("[1]  TRUE FALSE FALSE\n", "[1] 1 0 0\n", True),
        ("[1] 1 0 1\n", "[1]  TRUE FALSE FALSE\n", True),
        ("[1] 1\n", "[1] TRUE\n", True),
        ("[1] 1 1 2 3 5\n", "[1] 1 1 2 3 5 8\n", True),
        ("[1] 1 1 2 3\n", "[1] 1 1 2 3 5 8\n", True),
        ("[1] 1 NA 2\n", "[1] 1 2\n", True),
        ("[1] NA NA NA\n", "[1] NA NA NA NA\n", True),
        ("[1] a NA 2\n", "[1] a 2\n", False),
        ("[1] NA NA NA\n", "[1] 0.0 0.5  NA\n", True),
        ("[1] NA 0.6 NA\n", "[1] 0.0 0.5  NA\n", True),
        ("[1] NA TRUE\n", "[1] 0.5 0.5\n", True),
        ("[1] 1\n[1] 1\n", "[1] 1\n", True),
        ("[1] 1\n[1] 3\n", "[1] 1\n", True),
        ('[1] "it is less"\n', '[1] "it is greater"\n', True),
        ('[1] "it is few"\n', '[1] "it is greater"\n', True),
        ('[1] "it is less"\n', '[1] "it is few"\n', False),
        ('[1] "a" "b"\n', '[1] "a" "it is less"\n', True),
        ("x 1 2 3\n", "x 1 2\n", False),
        ('[1] "5"\n', "[1] 5\n", True),
        ("a b c\n3 8 1\n", "a b c\n3 NA 1\n", True),
        ("a b c\n3 x 1\n", "a b c\n3 NA 1\n", False),
        ("[1] a b\n", '[1] "a" "b"\n', True),
        ("  a b\n1 2 3.3\n2 4 4.5\n3 4 6.1\n", "  a    b\n1 2 3.34\n2 4 4.50\n", True),
        ("  a b\n1 2 3.3\n", "  a    b\n1 2 3.34\n2 4 4.50\n", True),
        ("  a b\n1 2 3\n", "  a b\n1 2 3\n2 4 NA\n", False),
        ("  a b\n1 2 3\n", "  a b\n1 2 3\nsaid so\n", False),
        ("1 2 3\n", "1 2 4\n2 4 5\n", False),
        ("[1] NaN 1\n", "[1] NA 1\n", False),
        ('[1] "a" "c"\n', '[1] "a" "b"\n', False),
        ('[1] 3.5\nattr(,"conf.level")\n[1] 0.95\n', '[1] 1 3.5\nattr(,"conf.level")\n[1] 0.95\n', True),
        ("$a\n[1] 1\n\n$b\n[1] 2 2\n", "$a\n[1] 1\n\n$b\n[1] 2\n", True),
        ("$a\n[1] 1\n\n$c\n[1] 2 2\n", "$a\n[1] 1\n\n$b\n[1] 2\n", False),
        ("[1] x y\nLevels: x y\n", "[1] x y y\nLevels: x y\n", True),
        ("[1] x y\nLevels: x y\nLevels: x y\n", "[1] x y\nLevels: x y\n", True),
        ("[1] x y y\nLevels: x\n", "[1] x y y\nLevels: x y\n", True),
        ('[1] "x" "y"\n', "[1] x y y\nLevels: x y\n", False),
        (" $ dose: num  0.5 1\n", ' $ dose: Factor w/ 2 levels "0.5","1": 1 2\n', True),
        (" $ dose: int  1 2\n", " $ dose: num  1 2\n", True),
        (' $ supp: chr  "a" "b"\n', ' $ supp: Factor w/ 2 levels "a","b": 1 2\n', False),
        (" $ len: num  0.5 1\n", ' $ dose: Factor w/ 2 levels "0.5","1": 1 2\n', False),
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
        ("x > 5", "[1] 3 7 9\n", True),
        ("sort(x)", "[1] 3 7 9\n", True),
        ("seq(x)", "[1] 3 7 9\n", True),
        ("typeof(seq(x))", "[1] 3 7 9\n", False),
        ("get('x', environment(mean))", "[1] 3 7 9\n", True),
    ],
)
def test_no_version_of_r_prints_truths_otherwise(code: str, printed: str, *, none: bool) -> None:
    published, above = "[1]  TRUE FALSE  TRUE\n", "x <- c(3, 7, 9)\n"
    assert no_version_explains(published, printed, above + code, "r", above + code, "3.4", "4.2") is none


@pytest.mark.parametrize(
    ("published", "printed", "code", "none"),
    [
        ('[1] "numeric"\n', '[1] "integer"\n', "class(1:3)", True),
        ('[1] "list"\n', '[1] "character"\n', "class(letters)", True),
        (*CLASSES, "class(data.frame(x = letters)$x)", False),
        ('[1] "integer"\n', '[1] "character"\n', "typeof(data.frame(x = letters)$x)", False),
        ('[1] "matrix"\n', '[1] "matrix" "array"\n', "class(matrix(1))", False),
        ('[1] "matrix"\n', '[1] "matrix" "array" "x"\n', "class(matrix(1))", True),
        (" $ a: int  1 2\n", " $ a: num  1 2\n", "str(iris)", True),
        ("[1] a b\n", '[1] "a" "b"\n', "gsub('c', '', letters)", True),
        ("[1] a b\n", '[1] "a" "b"\n', "levels(factor(letters))", False),
        ("[1] a\n", "[1] a\nLevels: a\n", "factor(letters)", True),
        ("[1] a\n", "[1] a\nLevels: a\n", "theirs(letters)", False),
        ("$a\n[1] 1\n", "$a\n[1] 1 2\n", "x <- 1\nattributes(x)", True),
        (" $ a: num  1\n", ' $ a: Factor w/ 1 level "b": 1\n', "str(iris)", True),
        (" $ a: num  1\n", ' $ a: Factor w/ 1 level "b": 1\n', "seq(1)\nstr(iris)", False),
    ],
)
def test_kinds_are_otherwise_in_versions_of_r_where_these_changed_them(
    published: str, printed: str, code: str, *, none: bool
) -> None:
    assert no_version_explains(published, printed, code, "r", code, "3.4", "4.2") is none


@pytest.mark.parametrize(
    ("published", "printed", "rest", "answer"),
    [
        # Of what R prints otherwise, four outputs differ as well: of its vectors, none.
        ("[1] a b\n", '[1] "a" "b"\n', ("c('a')", '[1] "a"\n'), Answer.WRONG),
        ("[1] a b\n", '[1] "a" "b"\n', ("c('a')", "[1] 1\n"), Answer.HERE),
        ("a b\n", '[1] "a" "b"\n', ("c('a')", '[1] "a"\n'), Answer.HERE),
    ],
)
def test_quotation_marks_that_all_other_texts_have_are_not_left_out_of_one(
    published: str, printed: str, rest: tuple[str, str], answer: Answer
) -> None:
    code = "c('a', 'b')"
    assert said(code, published, printed, language="r", rest=rest, here=4, stated="4.3.1") is answer
