"""Texts that differ in one place: a cell of a table, a word, a row that is missing or stands elsewhere."""

from __future__ import annotations

import re

import pytest

from harness.findings.answers import judged
from harness.findings.one_place import in_one_place, is_one_of_many, row_left_out
from harness.findings.stands_for import may_stand_for
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left, said

WRONG, HERE = Answer.WRONG, Answer.HERE

TABLE = "ATL BOS BRK CHI CHO CLE \n 14  15  15  15  15  16 \n"


NARROW = "ATL BOS BRK CHI \n 14  15  15  13 \nCHO CLE \n 15  16 \n"


@pytest.mark.parametrize(
    ("published", "printed", "language", "what"),
    [
        ("a 17 b", "a 16 b", "python", "value"),
        ("True", "False", "python", "value"),
        ("<class 'list'>", "<class 'tuple'>", "python", "word"),
        ("that is mad", "that is crazy", "python", "word"),
        ("[1] PG PF C", "[1] PF PG C", "r", "word"),
        ("x - (y + 2)", "x + (y + 2)", "python", "value"),
        ("a 4.9 b 2.0", "a 2.0 b 4.9", "python", "exchange"),
        ("## a 1\n## c 5\n## b 3\n", "a 1\nb 3\nc 5\n", "r", "element"),
        ("(3,)", "(3, 1)", "python", "element"),
        ("[1, 2, 4]", "[1, 2, 3, 4]", "python", "element"),
        ("<Dog at 0x7f1b2c3d4e>\n3\nAda", "<Dog at 0x7f99999999>\nAda\n3", "python", "element"),
        ("a 1 2\nc 5 6\nb 3 4\nd 7 8 9", "a 1 2\nb 3 4\nc 5 6\nd 7 8 9", "python", "element"),
        (NARROW, TABLE, "r", "value"),
        ("the red one\nis here\n", "is here\nthe red one\n", "julia", "element"),
        ("b\na\nc d\n", "a\nb\nd c\n", "julia", ""),
        ("a 17 b 3", "a 16 b 4", "python", ""),
        ("a b\n1 (0, 12]\n2 (0, 12]\n", "a b\n1 (12, 19]\n2 (0, 12]\n", "python", "value"),
        ("a b\n1 2021-03-14\n2 2021-03-15\n", "a b\n1 2020-04-14\n2 2021-03-15\n", "python", "value"),
        ("a b\n1 (0, 12]\n2 (3, 12]\n", "a b\n1 (12, 19]\n2 (0, 12]\n", "python", ""),
        ("(0, 12)", "(12, 19)", "python", ""),
        ("1, 2 and 4", "1, 2, 3 and 4", "python", ""),
        ("[1, 4]", "[1, 2, 3, 4]", "python", ""),
        ("a 1\nb 2\nc 3 4", "c 3 4\na 1\nb 2", "python", ""),
        ("the same", "the same", "python", ""),
        ("  a b\n1 3 4\n2 5 6\n2 5 6", "  a b\n1 3 4\n2 5 6", "r", "element"),
        ("[[1 0]\n [1 0]\n [0 1]\n [5 6]]", "[[1 0]\n [0 1]\n [5 6]]", "python", "element"),
        (
            "matrix([[1, 3],\n  [4, 5],\n  [2, 9]])",
            "matrix([[1, 3],\n  [2, 9],\n  [4, 5]])",
            "python",
            "element",
        ),
        ("a 1\nc 5", "a 1\nb 3 x\nc 5", "python", "element"),
        ("a 1\nb 3 x", "a 1\nb 3 x\nc 5", "python", ""),
        ("b 3 x\nc 5", "a 1\nb 3 x\nc 5", "python", ""),
        ("a 1\nc 6", "a 1\nb 3 x\nc 5", "python", ""),
        ("a 1\nd 7", "a 1\nb 3 x\nc 5\nd 7", "python", ""),
        ("a\na\nb\nd", "a\nb\nc", "python", ""),
    ],
)
def test_what_differs_in_one_place(published: str, printed: str, language: str, what: str) -> None:
    assert in_one_place(published, printed, language) == what


@pytest.mark.parametrize(
    ("published", "printed", "same"),
    [
        ("dtype: object", "dtype: str", True),
        ("int32", "int64", True),
        ('"matrix"', '"array"', True),
        ('"factor"', '"character"', True),
        ("'#32#yy'", "'#43#yy'", True),
        ("'cuda'", "'cpu'", True),
        ("dtype='datetime64[ns]'", "dtype='datetime64[us]'", True),
        ("dtype='M8[ns]'", "dtype='M8[us]'", True),
        ("freq='6H'", "freq='6h'", True),
        ("freq='6H'", "freq='7h'", False),
        ("Freq: Q-DEC, Length: 3", "Freq: QE-DEC, Length: 3", True),
        ("H 3", "h 3", False),
        ("a  None", "a  NaN", True),
        ("Unnamed: 0  Unnamed: 0.1  a", "Unnamed: 0.1  Unnamed: 0  a", True),
        ("Unnamed: 0  a", "Unnamed: 0  b", False),
        ("tuple", "list", False),
        ("Int64Index([3, 5])", "Index([3, 5])", True),
        ("Int64Idnex([3, 5])", "Int64Index([3, 5])", False),
        ('"double"', '"integer"', False),
        ("numeric", "integer", False),
        ("3", "4", False),
    ],
)
def test_words_of_versions_and_machines_stand_for_one_another(
    published: str, printed: str, same: bool
) -> None:
    assert may_stand_for(published, printed) is same


def test_a_table_with_one_other_cell_was_read_rightly() -> None:
    assert is_one_of_many(NARROW, TABLE, "r")
    assert not is_one_of_many("17 3", "16 3", "r")
    assert not is_one_of_many("a b c d e f 1 2", "a b c d e f 3 4", "r")


@pytest.mark.parametrize(("values", "answer"), [(14, WRONG), (9, HERE)])
def test_of_a_table_of_many_values_half_of_the_rest_is_enough(values: int, answer: Answer) -> None:
    printed = " ".join(f"w{n} {n}{n}" for n in range(1, values // 2 + 2))
    code = f"import pandas as pd\nprint(pd.merge({printed.split()}, b))"
    rest = ("import pandas as pd\nprint(pd.Series([1]).sum())", "1\n")
    told = said(code, printed.replace("w2 ", "w9 "), printed, rest=rest, right=9, here=6)
    assert told is answer


SAID = "for w in ('Alice', 'Bob', 'Charlie'):\n    print('Hello,', w)"


GREETED = "Hello, Alice\nHello, Bob\nHello, Charlie\n"


@pytest.mark.parametrize(
    ("published", "answer"),
    [
        ("Hello, Alice\nHello, Charlie\n", WRONG),
        ("Hello, Alice\n...\nHello, Charlie\n", Answer.REPRODUCED),
        ("Hello, Alice\nHello, Bob\n", HERE),
        ("Hello, Bob\nHello, Charlie\n", HERE),
        ("Hello, Alice\n", HERE),
    ],
)
def test_a_row_that_is_missing_between_others_is_no_part_that_an_author_shows(
    published: str, answer: Answer
) -> None:
    assert said(SAID, published, GREETED) is answer


def test_an_author_who_shows_parts_elsewhere_may_have_left_a_row_out_on_purpose() -> None:
    rest = ("for n in range(4):\n    print(n)", "0\n")
    chunks = [chunk(0, SAID, output="Hello, Alice\nHello, Charlie\n"), chunk(1, rest[0], output=rest[1])]
    results = [left(GREETED), left("0\n1\n2\n3\n")]
    for n in range(2, 20):
        chunks.append(chunk(n, f"{n}", output=f"{n}\n"))
        results.append(left(f"{n}\n"))
    assert [block.answer for block in judged(Ran(chunks, results)).blocks[:2]] == [HERE, HERE]


@pytest.mark.parametrize(
    ("published", "answer"),
    [
        ("1\n4\n16\n", WRONG),
        ("1\n4\n9\n9\n16\n", WRONG),
        ("1\n9\n4\n16\n", WRONG),
        ("4\n9\n16\n", HERE),
    ],
)
def test_half_of_the_rest_is_enough_for_rows(published: str, answer: Answer) -> None:
    code = 'for i in 1:4\n    println("no. ", i^2)\nend'
    published, printed = (re.sub(r"(?m)^", "no. ", text)[:-4] for text in (published, "1\n4\n9\n16\n"))
    assert said(code, published, printed, language="julia", rest=("1 + 1", "2\n"), here=7) is answer


@pytest.mark.parametrize("code", ["print_all(flights)", "try:\n    print_all(q)\nexcept KeyError:\n    pass"])
def test_rows_in_each_others_place_are_of_no_data_of_rs_and_of_no_errors_words(code: str) -> None:
    rows = ["United 46 Los Angeles\n", "United 302 London\n", "Southwest 59 Dulles\n"]
    assert said(code, "".join([rows[1], rows[0], rows[2]]), "".join(rows)) is WRONG


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (["row 1", "row 2", "row 3"], 3),
        (["1", "2"], 0),
        (["row 1", "row 2", "ready"], 0),
        (["1", "1", "1"], 0),
        ([str(n) for n in range(30)], 0),
    ],
)
def test_the_last_of_few_rows_that_are_alike_is_not_left_out(rows: list[str], found: int) -> None:
    last = "row 4" if rows[0] == "row 1" else "1" if rows[-1] == "1" else "99"
    assert row_left_out("\n".join(rows), "\n".join([*rows, last])) == found
