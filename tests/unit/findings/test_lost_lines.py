"""A line that is missing in a text: lost where R prints nothing without it, or where all is shown else."""

from __future__ import annotations

import msgspec
import pytest

from harness.documents.prose_model import Paragraph
from harness.findings.answers import judged
from harness.findings.one_place import missing_line
from harness.findings.torn import has_a_row_twice, is_torn
from harness.findings.which_first import left_open
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left

MATRIX = "     [,1] [,2]\n[1,]    1    3\n[2,]    2    4\n"
FRAME = "   x y\n1  5 a\n2  7 b\n10 9 c\n"
NAMED = " a  b \n12 13 \n"
LIST = "$a\n[1] 1 2\n\n$b\n[1] 3\n\n"
VECTOR = " [1] 1 2 3\n [4] 4 5 6\n [7] 7 8 9\n[10] 0\n"
FACTOR = "[1] few many <NA>\nLevels: few many\n"
STRUCTURE = '\'data.frame\':\t2 obs. of  2 variables:\n $ x: int  5 7\n $ y: chr  "a" "b"\n'


@pytest.mark.parametrize(
    ("printed", "at", "torn"),
    [
        (MATRIX, 0, True),
        (MATRIX, 1, False),
        (FRAME, 0, True),
        (FRAME, 1, False),
        (FRAME, 3, False),
        ("       vs=0  Vs=1\np-val 0.137 0.268\n", 1, True),
        (NAMED, 0, True),
        (NAMED, 1, True),
        (LIST, 0, True),
        (LIST, 1, True),
        (LIST, 3, True),
        (LIST, 4, True),
        (VECTOR, 0, True),
        (VECTOR, 1, True),
        (VECTOR, 3, False),
        (STRUCTURE, 0, True),
        (STRUCTURE, 1, False),
        ("  x     y\n <int> <chr>\nr   5     a\n", 1, False),  # kinds, which not all versions print
        (FACTOR, 0, True),
        (FACTOR, 1, True),
        ("[1] 1 2\nLevels: 1 2\n", 1, False),
        ("[1] 1\n[1] 2\n", 0, False),
        ("one two\n", 0, False),
    ],
)
def test_without_some_lines_a_text_is_no_print_of_r(printed: str, at: int, torn: bool) -> None:
    rows = printed.split("\n")
    assert is_torn("\n".join([*rows[:at], *rows[at + 1 :]]), printed) is torn
    assert not is_torn(printed, printed)


@pytest.mark.parametrize(
    ("printed", "at", "twice"),
    [
        (FRAME, 0, False),
        (FRAME, 1, True),
        (FRAME, 3, True),
        (NAMED, 1, True),
        ("  t \n9.1 \n", 1, True),
        ("one two\nthree\n", 1, False),
        ("[1] 1\n[1] 2\n", 1, False),  # a loop that goes on
        ("  x y\na 1 2\na 1 2\n", 1, False),
    ],
)
def test_a_row_below_names_is_printed_once(printed: str, at: int, twice: bool) -> None:
    rows = printed.split("\n")
    assert has_a_row_twice("\n".join([*rows[: at + 1], *rows[at:]]), printed) is twice
    assert not has_a_row_twice(printed, printed)


def runs_with(published: str, printed: str, *, others: str = "[1] 1\n", prose: str = "") -> Ran:
    """The runs of an output among twelve that are reproduced."""
    chunks, results = [chunk(0, "f()", "r", output=published)], [left(printed)]
    for n in range(1, 13):
        chunks.append(chunk(n, f"f({n})", "r", output=others))
        results.append(left(others))
    alone = [results[0], *[left()] * 12]
    runs = Ran(chunks, results, alone=lambda document: Ran(list(document.chunks), alone))
    told = (Paragraph(5, prose, after=0),)
    runs.document = msgspec.structs.replace(runs.document, prose=told)
    return runs


SEVERAL = "[1] 1\n[1] 2\n"
LOOP = "[1] 10\n[1] 20\n[1] 40\n"


@pytest.mark.parametrize(
    ("published", "printed", "given", "answer"),
    [
        (FRAME.partition("\n")[2], FRAME, {}, Answer.WRONG),
        (MATRIX.partition("\n")[2], MATRIX, {}, Answer.WRONG),
        (FRAME.partition("\n")[2], FRAME, {"prose": "The rest is omitted."}, Answer.HERE),
        (f"...\n{LOOP[14:]}", LOOP, {"others": SEVERAL}, Answer.REPRODUCED),
        ("[1] 10\n[1] 20\n", LOOP, {"others": SEVERAL}, Answer.WRONG),
        ("[1] 20\n[1] 40\n", LOOP, {"others": SEVERAL}, Answer.WRONG),
        ("[1] 20\n[1] 40\n", LOOP, {"others": SEVERAL, "prose": "The last rows are:"}, Answer.HERE),
        ("[1] 20\n[1] 40\n", LOOP, {}, Answer.HERE),
        ("[1] 40\n", LOOP, {"others": SEVERAL}, Answer.HERE),
        ("[1] 10\n[1] 20\n", "[1] 10\n[1] 20\nNULL\n", {"others": SEVERAL}, Answer.HERE),
    ],
)
def test_a_line_is_lost_or_left_out(
    published: str, printed: str, given: dict[str, str], answer: Answer
) -> None:
    assert judged(runs_with(published, printed, **given)).blocks[0].answer is answer


@pytest.mark.parametrize(
    ("published", "printed", "line"),
    [
        ("## 1\n## 3\n", "1\n2\n3\n", "2"),
        ("a  b\n", "a b\n\nc   d\n", "c d"),
        ("1\n", "1\n2\n3\n", ""),
        ("1\n5\n", "1\n2\n3\n", ""),
        ("", "1\n", ""),
        ("a 1.2\nb 3.5\n", "a 1.23\nc 3.99\nb 3.46\n", "c 3.99"),
    ],
)
def test_the_line_that_is_missing_is_named(published: str, printed: str, line: str) -> None:
    assert missing_line(published, printed) == line


def test_what_is_said_of_a_lost_line_names_it() -> None:
    said = judged(runs_with("[1] 10\n[1] 20\n", LOOP, others=SEVERAL)).findings
    assert [finding.evidence.partition(";")[0] for finding in said] == ["the line `[1] 40` is missing"]


def test_no_order_of_a_dict_takes_a_line_away() -> None:
    code = "d = {'a': 5, 'b': 7}\nfor k in d:\n    print(k)\n"
    told = {"pairs": None, "code": code, "language": "python", "stated": "3.5", "same": False}
    assert left_open("b\n", "a\nb\n", **told) == ""
    assert left_open("b\na\n", "a\nb\n", **told) != ""
