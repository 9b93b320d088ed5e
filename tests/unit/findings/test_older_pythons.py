"""What Python gave before: of division, of NumPy's whole numbers, of texts that nothing splits."""

from __future__ import annotations

import pytest

from harness.findings.apart import values_apart
from harness.findings.older_pythons import (
    is_of_python_3,
    of_another_kind,
    of_whole_division,
    of_whole_numbers,
    splits_at_nothing,
)
from harness.model.article import Answer
from tests.unit.findings.made_runs import said


@pytest.mark.parametrize(
    ("code", "published", "printed", "older"),
    [
        ("type(1 / 2)", "int", "float", True),
        ("type(1 // 2)", "int", "float", False),
        ("type(2)", "int", "float", False),
        ("isinstance(np.array([1])[0], int)", "True", "False", True),
        ("isinstance(np.array([1])[0], int)", "False", "True", False),
        ("isinstance(one, int)", "True", "False", False),
    ],
)
def test_of_which_kind_a_number_is_in_python_2(code: str, published: str, printed: str, older: bool) -> None:
    assert of_another_kind(values_apart(published, printed) or (), code) is older


@pytest.mark.parametrize(
    ("code", "published", "printed", "older"),
    [
        ("(5 / 9) * (100 - 32)", "0", "37.77777777777778", True),
        ("3 / 2 * 2", "2", "3.0", True),
        ("5 / 2 + 1", "35", "3.5", False),
        ("7 / 2", "4", "3.5", False),
        ("5 // 2 + 1", "4", "3.0", False),
        ("5 / 2 + 1", "3.4", "3.5", False),
    ],
)
def test_a_division_gives_whole_numbers_in_python_2(
    code: str, published: str, printed: str, older: bool
) -> None:
    assert of_whole_numbers(values_apart(published, printed) or (), code) is older


def test_a_whole_quotient_may_be_made_a_fraction() -> None:
    assert of_whole_division([("3.0", "3.5")], "float(7 / 2)")
    assert not of_whole_division([("3.1", "3.5")], "float(7 / 2)")
    assert not of_whole_division([("0", "+4.2e-18j"), ("1.5j", "+4.2e-18j")], "7 / 2")


@pytest.mark.parametrize(
    ("code", "at_nothing"),
    [
        ("re.split('', 'ab')", True),
        ("re.sub(r'x*', '-', 'abxd')", True),
        ("re.escape('a b')", True),
        ("re.sub('x', '-', 'abxd')", False),
        ("'a b'.split('')", False),
    ],
)
def test_what_matches_nothing_splits_since_python_3_7(code: str, at_nothing: bool) -> None:
    assert splits_at_nothing(code) is at_nothing


@pytest.mark.parametrize(
    ("code", "published", "printed", "language", "stated"),
    [
        ("print(type(1 / 2))", "<type 'int'>", "<class 'float'>", "python", ""),
        ("re.split('', 'ab')", "['ab']", "['', 'a', 'b', '']", "python", "3.6.9"),
        ("random.seed(1)\nrandom.randint(1, 10)", "2", "3", "python", "2.7.13"),
        ("date.strftime('%B')", "'Januar'", "'January'", "python", "3.7.1"),
        ("getsizeof(text)", "1118", "1128", "python", "3.7.1"),
        ("np.abs(np.linalg.eigvals(a))", "[3.75 2.25]", "[2.25 3.75]", "python", "3.7.1"),
        ("sort(c('a', 'B'))", '[1] "B" "a"', '[1] "a" "B"', "r", "4.0.1"),
        ("months(x)", '[1] "Januar"', '[1] "January"', "r", "4.0.1"),
        ("order(c('b', 'A', 'a'))", "[1] 2 3 1", "[1] 3 2 1", "r", "4.0.1"),
        ("promote_type(Int8, UInt16)", "Int64", "UInt16", "julia", ""),
        ("typeof(nothing)", "Void", "Nothing", "julia", ""),
        ("Char(955)", "'λ': Unicode U+03bb", "'λ': Unicode U+03BB", "julia", "1.0.5"),
        ("[i for i in 1:3]", "3-element Array{Any,1}:\n 1", "3-element Array{Int64,1}:\n 1", "julia", ""),
    ],
)
def test_what_versions_locales_and_libraries_make_accuses_nobody(
    code: str, published: str, printed: str, language: str, stated: str
) -> None:
    rest = ("1 + 1", "[1] 2\n" if language == "r" else "2\n")
    given = said(code, f"{published}\n", f"{printed}\n", language=language, rest=rest, stated=stated)
    assert given is not Answer.WRONG


@pytest.mark.parametrize(
    ("code", "answer"),
    [("print(f'é {x.ok}')", Answer.WRONG), ("print('é {}'.format(x.ok))", Answer.HERE)],
)
def test_python_2_reads_no_formatted_literals(code: str, answer: Answer) -> None:
    assert said(code, "é False\n", "é True\n", stated="") is answer


@pytest.mark.parametrize(
    ("code", "shown", "of_3"),
    [
        ("print(a / b)", "22.14 (<class 'float'>)\n", True),
        ("print(a / b)", "22.14 (<type 'float'>)\n", False),
        ("print(a / b)", "<class '__main__.Card'>\n", False),
        ("print(a, end='')", "3\n", True),
        ("from __future__ import print_function\nprint(a, end='')", "3\n", False),
        ("def f(a: int) -> int:\n    return a", "", True),
        ("def f(a={1: 2}):\n    return a", "", False),
        ("d.keys()", "dict_keys(['a'])\n", True),
        ("s = 'print(a, end=1)'", "", False),
    ],
)
def test_what_python_2_cannot_read_or_words_otherwise(code: str, shown: str, of_3: bool) -> None:
    assert is_of_python_3(code, shown) is of_3


def test_a_plain_kind_of_value_is_excused_by_no_version_of_python_3() -> None:
    code = "c = 155 / 7\nprint(c, type(c))"
    of_numpy = "import numpy\nc = numpy.sum(155) / 7\nprint(c, type(c))"
    assert said(code, "22.5 <class 'int'>\n", "22.5 <class 'float'>\n") is Answer.WRONG
    assert said(code, "22.5 <type 'int'>\n", "22.5 <type 'float'>\n") is Answer.HERE
    assert said(of_numpy, "22.5 <class 'int'>\n", "22.5 <class 'float'>\n") is Answer.HERE


@pytest.mark.parametrize(
    ("code", "published", "answer"),
    [
        ("x <- c(1, 2)\nprint(class(x))", "integer", Answer.WRONG),
        ("x <- c(1, 2)\nprint(class(x))", "matrix", Answer.WRONG),
        ("x <- seq(1, 2)\nprint(class(x))", "integer", Answer.HERE),
    ],
)
def test_a_plain_kind_of_value_is_excused_by_no_version_of_r(
    code: str, published: str, answer: Answer
) -> None:
    printed = '[1] "numeric"\n'
    rest = ("print(1 + 1)", "[1] 2\n")
    found = said(code, f'[1] "{published}"\n', printed, language="r", rest=rest, stated="3.6.1")
    assert found is answer
