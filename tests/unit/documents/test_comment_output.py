"""Output in the comments of code: which statement it is of, and what is only a remark."""

from __future__ import annotations

import pytest

from harness.documents.comment_output import read_comments

Row = tuple[int, str, int, str]


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        ("python", "x + 1  # 9\n", [(1, "9", 1, "")]),
        ("python", "f(\n  2,\n)  # -> 11\n", [(3, "11", 3, "")]),
        ("python", "x\n# Out: 15\ny\n# => [1,\n#     2]\n", [(2, "15", 1, ""), (4, "[1,\n2]", 3, "")]),
        ("python", "print(x)\n# Output:\n# 1\n# 2\n", [(2, "1\n2", 1, "")]),
        ("python", "a = f()  # => 3\n", [(1, "3", 1, "a")]),
        ("python", "s = '# 3'\nt('# => 4')  # 5\n", [(2, "5", 2, "")]),
        ("python", 'print(x)  # Prints "[1 2]"\n', [(1, "[1 2]", 1, "")]),
        ("python", 'print(x)  # Addition; prints "4"\n', [(1, "4", 1, "")]),
        (
            "python",
            'print(x)  # Prints "[[1\n          #          2]]"\ny\n',
            [(1, "[[1\n          2]]", 1, "")],
        ),
        ("python", "print(x)  # prints 4\n", [(1, "4", 1, "")]),
        ("python", "x  # => 2   # rounded\n", [(1, "2", 1, "")]),
        (
            "r",
            "mean(x)\n#> [1] 2\ny\n#> [1] 3\n#> [2] 4\n",
            [(2, "#> [1] 2", 1, ""), (4, "#> [1] 3\n#> [2] 4", 3, "")],
        ),
        ("python", "for i in x:\n    print(i)\n# => 3\n", [(3, "3", 2, "")]),
        ("r", "seq(from = 1, to = 3) # => 3\n", [(1, "3", 1, "")]),
        ("r", "x %>%\n  f() # => 3\n", [(2, "3", 2, "")]),
        ("r", "mean(x)\n## [1] 2\n", [(2, "## [1] 2", 1, "")]),
        ("r", "mean(x)\n\n## [1] 2\n", [(3, "## [1] 2", 1, "")]),
        ("r", "y <- mean(x)\n\n## [1] 2\n", []),
        ("r", "mean(x)\n\n## The mean\n", []),
        ("r", "mean(x) # [1] 2\n", [(1, "2", 1, "")]),
        ("r", "#> [1] 2\n", [(1, "#> [1] 2", 0, "")]),
        ("r", "fit\n## \n## Call:\nz <- 1\n", [(2, "## \n## Call:", 1, "")]),
        ("r", "fit\n## \n## A part:\nz <- 1\n", []),
        ("r", "y <- 3 # => 3\n", [(1, "3", 1, "y")]),
        ("r", 'r"(# => 1)" # => 2\n', [(1, "2", 1, "")]),
        ("julia", "a' * b  # => 3\n", [(1, "3", 1, "")]),
        ("julia", "if x\n  1\nend  # => 1\n", [(3, "1", 3, "")]),
        ("julia", "[i for i in 1:3 if i > 1][end]  # => 3\n", [(1, "3", 1, "")]),
        ("julia", '#= 1 # => 2 =#\n"$(f("#"))"  # => 3\n', [(2, "3", 2, "")]),
        ("julia", "z = 4  # => 4\n", [(1, "4", 1, "")]),
        ("julia", "#= '#=' begins, '=#'\n ends =#\n1 + 1  # => 2\n\"a\"\n", [(3, "2", 3, "")]),
        (
            "python",
            "x + 1  # => 4\nprint \"it's\"  # => it's\nif x:\n    print x\nx  # => 3\n",
            [(1, "4", 1, ""), (2, "it's", 2, ""), (5, "3", 5, "")],
        ),
        ("python", "%matplotlib inline\nx  # => 3\n", [(2, "3", 2, "")]),
        ("python", "try:\n    f()\nexcept E, e:\n    pass\nx  # => 3\n", [(5, "3", 5, "")]),
        ("python", "f(2) #> 7\ng(2)  #> [1,\n      #> 2]\n", [(1, "7", 1, ""), (2, "[1,\n2]", 2, "")]),
        ("python", "a = f(2) #> 7  # seven\n", [(1, "7", 1, "a")]),
        ("julia", "f(2) #> 7\n", [(1, "7", 1, "")]),
        ("r", "x <- 3 * 4   ## [1] 12\nlength(x)  ## [1] 1\n", [(1, "[1] 12", 1, "x"), (2, "[1] 1", 2, "")]),
        ("r", "x[0]  ## numeric(0)\n", [(1, "numeric(0)", 1, "")]),
        ("python", "a = f()\n# Prints: 1\n# Prints: 2\n", [(2, "1\n2", 1, "")]),
        ("python", "a = f(x)\n# ['b', 'c']\n", [(2, "['b', 'c']", 1, "a")]),
        (
            "julia",
            "sqrt(-1)\n# ERROR: DomainError with -1.0:\n# Stacktrace:\n#  [1] f\n",
            [(2, "ERROR: DomainError with -1.0:\nStacktrace:\n [1] f", 1, "")],
        ),
        ("r", "x + 1  # 2 3 4\n", [(1, "2 3 4", 1, "")]),
        ("r", 'c("a", TRUE)  # "a"  "TRUE"\n', [(1, '"a"  "TRUE"', 1, "")]),
        ("r", "x > 2  # FALSE NA TRUE\n", [(1, "FALSE NA TRUE", 1, "")]),
        ("r", "27 %/% 24  # result = 1\n", [(1, "1", 1, "")]),
        ("r", "2 + 2 / 2  # result = 3, because / goes first\n", [(1, "3", 1, "")]),
        ("r", "NA & FALSE  # FALSE (whatever NA is)\n", [(1, "FALSE", 1, "")]),
        ("r", "3 %% 2  # 1  # what is left\n", [(1, "1", 1, "")]),
        (
            "r",
            "head(x)\n# 735 320\n# 325 392\nlength(x)\n# 141\n",
            [(2, "735 320\n325 392", 1, ""), (5, "141", 4, "")],
        ),
    ],
)
def test_values_behind_statements(language: str, code: str, expected: list[Row]) -> None:
    found = read_comments(code, language, 1, values=True).blocks
    assert [(block.line, block.text, block.after, block.shows) for block in found] == expected


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "x = 3  # 3\n"),  # of an assignment, only a marked comment is a claim
        ("python", "load()  # 1\nfit()  # 2\nscore()  # 3\n"),
        ("python", "f()  # the first of 3\n"),
        ("python", "import x  # 2\n"),
        ("python", 'f(x)  # Prints "cat", "dog", each on its own line.\n'),
        ("python", 'f(x)  # Prints "cat\n\ny\n'),
        ("python", "f(x)  # prints 4 lines\n"),
        ("r", "library(x) # 2\n"),
        ("r", "y <- f(x)\n# 2 3 4\n"),
        ("r", "f(x)  # 2 of 3\n"),
        ("r", "f(x)  # 6 (of them)\n"),
        ("r", "f(x)\n\n# 141\n"),
        ("r", "f(x)\n# 2\ng(x)\n"),
        ("r", "f(x)  # result = f, because x\n"),
        ("julia", "x = 3;  # 3\n"),
    ],
)
def test_remarks_are_no_output(language: str, code: str) -> None:
    assert read_comments(code, language, 1, values=True).blocks == ()


@pytest.mark.parametrize(
    ("language", "code", "why"),
    [
        ("python", "for i in x:\n    i  # => 3\n", "it stands inside a function, a loop or a call"),
        ("r", "f <- function(x) {\n  x # => 3\n}\n", "it stands inside a function, a loop or a call"),
        ("julia", "for i in x\n  i # => 3\nend\n", "it stands inside a function, a loop or a call"),
        ("python", "import x  # => 3\n", "the statement before it shows no value"),
        ("python", "def (:\n# => 3\n", "the statement before it cannot be told"),
        (
            "r",
            "y <- 1:3 ## 1 2 3\n",
            "behind an assignment it may be the value that is set, or a remark on it",
        ),
        ("python", "for i in x:\n    g(i) #> 3\n    h(i)\n", "it stands inside a function, a loop or a call"),
        ("julia", "f(x  # => 3\n# => 4\n", "the statement before it cannot be told"),
        ("r", "#> [1] 3\nf(x)\n", "it stands above all code of its block"),
    ],
)
def test_what_cannot_be_read_is_said(language: str, code: str, why: str) -> None:
    found = read_comments(code, language, 11, values=True)
    assert found.blocks == ()
    assert {output.why for output in found.unread} == {why}
    assert found.unread[0].line in (11, 12)


@pytest.mark.parametrize(("comment", "certain"), [("## [1] 2", True), ("## 2", False), ("## [1]", False)])
def test_what_r_prints_is_no_remark(comment: str, *, certain: bool) -> None:
    found = read_comments(f"mean(x)\n\n{comment}\n", "r", 1, values=True).blocks
    assert [block.certain for block in found if block.text == comment] in ([certain], [])
    assert bool(found) or not certain


@pytest.mark.parametrize(("first", "certain"), [("## [1] 2", [True, True]), ("## mean", [False])])
def test_where_knitr_writes_one_output_behind_marks_it_writes_all_so(first: str, certain: list[bool]) -> None:
    code = f"mean(x)\n{first}\nquantile(x, 0.5)\n## 50%\n##   2\n"
    found = read_comments(code, "r", 1, values=True).blocks
    assert [block.certain for block in found] == certain


def test_a_bare_value_is_not_certain_and_a_marked_one_is() -> None:
    found = read_comments("x  # 3\ny  # => 4\n", "python", 1, values=True).blocks
    assert [block.certain for block in found] == [False, True]


def test_where_a_program_prints_the_outputs_comments_are_remarks() -> None:
    found = read_comments("x  # => 3\n#> [1] 3\n", "r", 1, values=False)
    assert [block.text for block in found.blocks] == ["#> [1] 3"]
    assert found.unread == ()


def test_an_error_in_a_comment() -> None:
    (block,) = read_comments("f()\n#> Error: no way\n", "r", 1, values=True).blocks
    assert (block.kind, block.evalue) == ("error", "no way")


def test_one_mark_before_the_output_of_r_is_taken_off() -> None:
    (block,) = read_comments("x\n# [1] 2\n# [2] 3\n", "r", 1, values=True).blocks
    assert block.text == "[1] 2\n[2] 3"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("f(x)\n## a | b\n## 1 | 2\n\ny\n", [(1, "## a | b\n## 1 | 2", False)]),
        ("f(x)\n## a | b\n", [(1, "## a | b", False)]),
        ("f(x)\n## then y\ny\n", []),
        ("t(x)\n## \n##  Welch\n", [(1, "## \n##  Welch", False)]),
        (
            "h(x)\n##             mpg cyl\n## Mazda RX4 1 6\n",
            [(1, "##             mpg cyl\n## Mazda RX4 1 6", False)],
        ),
        (
            "a(x)\n## $dim\n## [1] 2 3\n##\n## $n\n## NULL\n",
            [(1, "## $dim\n## [1] 2 3\n##\n## $n\n## NULL", True)],
        ),
        ("s(x)\n## [[1]]\n## [1] 2\n", [(1, "## [[1]]\n## [1] 2", True)]),
        ("x\n##\n## Next\n##\ny\n", []),
        ("x\n## \n\ny\n", []),
        ("x <- 3\n## that was x\n\ny\n", []),
        ("f(x)\n\n## a remark\n\ny\n", []),
    ],
)
def test_comments_below_a_call_of_r_may_be_its_output(
    code: str, expected: list[tuple[int, str, bool]]
) -> None:
    found = read_comments(code, "r", 1, values=True).blocks
    assert [(block.after, block.text, block.certain) for block in found] == expected


@pytest.mark.parametrize("code", ["(" * 300 + ")" * 300 + "  # 1", "-" * 20_000 + "1  # 1"])
def test_python_that_is_nested_too_deeply_has_no_outputs_that_can_be_told(code: str) -> None:
    read_comments(code, "python", 1, values=True)


@pytest.mark.parametrize(
    ("remark", "shown"),
    [("Ada Byron", True), ("da", True), ("ADA", True), ("line break", False), ("the name of Ada", False)],
)
def test_words_behind_print_may_be_what_it_prints(remark: str, shown: bool) -> None:
    code = f"a = 'Ada'\nprint(a + ' ' + 'Byron')  # {remark}\n"
    found = read_comments(code, "python", 1, values=True).blocks
    assert [(block.text, block.certain) for block in found] == ([(remark, False)] if shown else [])
    assert read_comments(code, "r", 1, values=True).blocks == ()


@pytest.mark.parametrize(
    ("code", "shows"),
    [
        ("x = f()  # 'a'\n", ["x"]),
        ("x = s[1:]  # 'a'\n", ["x"]),
        ("x = s[1:]  # [1, 2]\n", []),
        ("x = f()  # 3\n", []),
        ("x = 'b'  # 'a'\n", []),
        ("x = f()  # a text\n", []),
    ],
)
def test_a_bare_text_behind_what_is_computed_is_the_value_of_the_name(code: str, shows: list[str]) -> None:
    found = read_comments(code, "python", 1, values=True).blocks
    assert [(block.shows, block.certain) for block in found] == [(name, False) for name in shows]


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("'john'.upper()  # JOHN", ["JOHN"]),
        ("'john'.upper()  # capitals", []),
        ("x = 'john'.upper()  # JOHN", []),
    ],
)
def test_a_word_behind_a_method_of_a_text_that_the_code_holds(line: str, read: list[str]) -> None:
    assert [block.text for block in read_comments(f"{line}\n", "python", 1, values=True).blocks] == read
