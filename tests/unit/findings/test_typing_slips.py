"""What only a slip of typing explains is wrong, whatever version or package else might be a reason."""

from __future__ import annotations

import msgspec
import pytest

from harness.findings.answers import judged
from harness.findings.typing_slips import slip_in
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left

TURNED, WITHIN = "two digits stand in each other's place", "one digit within is another"
SIGN, LETTERS = "a sign is lost", "two letters stand in each other's place"


@pytest.mark.parametrize(
    ("published", "printed", "slip"),
    [
        ("[1] 13249", "[1] 13294", TURNED),
        ("mean 9345.23 of 4", "mean 9354.23 of 4", TURNED),
        ("a 2.53 b", "a 2.35 b", TURNED),
        ("x 35.94", "x 39.54", TURNED),
        ("1 305", "1 350", TURNED),
        ("820.5830", "820.8530", TURNED),
        ("12", "21", ""),
        ("4.330279166666667", "4.330729166666667", TURNED),
        ("228.41", "288.41", WITHIN),
        ("2284", "2884", WITHIN),
        ("228", "288", ""),
        ("2285", "2286", ""),
        ("1.2345", "1.2346", ""),
        ("5000", "5200", ""),
        ("a 22", "a -22", SIGN),
        ("a -0.25", "a 0.25", SIGN),
        ("a 2", "a -2", ""),
        ("500", "5000", ""),
        ("2147483648", "-2147483648", ""),
        ("3.7416573867739413", "3.7416573867739431", ""),
        ("Hermoine", "Hermione", LETTERS),
        ('"TestProgam"', '"TestProgram"', "a letter is missing"),
        ("resuults", "results", "a letter stands there twice"),
        ('"eNw Hampshire" 2', '"New Hampshire" 2', LETTERS),
        ('"New Hampshire"', '"NewH ampshire"', ""),
        ('"eN w"', '"Ne w"', ""),
        ("World", "world", ""),
        ("colour", "color", ""),
        ("'3/8 as a percenatge is 37.5%.'", "'3/8 as a percentage is 37.5%.'", LETTERS),
        ("'i = +1234.56  of 2'", "'i = +1324.56  of 2'", "two digits stand in each other's place"),
        ("summarize", "summarise", ""),
        ("results", "result", ""),
        ("object", "str", ""),
        ("form", "from", ""),
        ("TRUE", "FALSE", ""),
        ("[1] TRUE FASLE", "[1] TRUE FALSE", "FALSE is misspelt"),
        ("[1] true", "[1] TRUE", ""),
        ("[1] NA", "[1] TRUE", ""),
        ("13249 1", "13294 2", ""),
        ("13249 rows", "13294 row s", ""),
        ("13294", "13294", ""),
        ("12.49 22.71 9.6", "22.71 12.49 9.6", "two numbers stand in each other's place"),
        ("12.49 22.71", "22.71 12.49", ""),
        ("0.7071 0.7071 -0.7071", "0.7071 -0.7071 0.7071", ""),
        ("12 22 9.6", "22 12 9.6", ""),
        ("12.49 22.71 9.7", "22.71 12.49 9.6", ""),
    ],
)
def test_one_value_that_was_typed_falsely(published: str, printed: str, slip: str) -> None:
    assert slip_in(published, printed) == slip


@pytest.mark.parametrize(
    ("published", "printed", "found"),
    [
        ("Jake Millner 24", "Jake Milner 24", True),
        ("Jake Milner 24", "Jake Milner 24", False),
        ("Jake Mil 24", "Jake Milner 24", False),
        ("Jake Miller 24", "Jake Milner 24", False),
        ("colour 3", "color 3", False),
    ],
)
def test_a_word_of_the_code_is_spelled_by_no_version_otherwise(
    published: str, printed: str, found: bool
) -> None:
    """A word that is another one of the code's own may be another value."""
    assert bool(slip_in(published, printed, "'jake' 'milner' 'miller'")) is found


def test_a_text_of_many_values_of_which_one_is_another_was_read_rightly() -> None:
    printed = " ".join(f"{n}.{n}74{n}" for n in range(2, 22))
    rest = [chunk(n, "import pandas as pd\npd.Series([1])", output="0 1\n1 2\n") for n in range(1, 8)]
    chunks = [chunk(0, "import pandas as pd\npd.Series(x)", output=printed.replace("9.9749", "-9.9749"))]
    runs = Ran([*chunks, *rest], [left(printed), *[left("0: 1, 1: 2\n")] * 7])
    said = [block.answer for block in judged(runs).blocks]
    assert said == [Answer.WRONG, *[Answer.HERE] * 7]


def of_another_version(
    published: str, printed: str, code: str = "library(dplyr)\nnrow(filter(d, a > 1))", **again: str
) -> Ran:
    """A document of R 3.4 and dplyr, of which another version is here."""
    chunks = [
        chunk(0, "library(dplyr)\nsummarise(d)", "r", executable=True, output="[1] 3\n"),
        chunk(1, code, "r", executable=True, output=published),
    ]
    runs = Ran(chunks, [left("[1] 3\n"), left(printed)])
    if again:
        runs.again = Ran(chunks, [left("[1] 3\n"), left(again["again"])]).published
    runs.document = msgspec.structs.replace(runs.document, written_for={"r": "3.4.3"})
    return runs


@pytest.mark.parametrize(
    ("published", "printed", "answer"),
    [
        ("[1] 13249\n", "[1] 13294\n", Answer.WRONG),
        ("[1] 13294\n", "[1] 13301\n", Answer.HERE),
        ("[1] 13293\n", "[1] 13294\n", Answer.HERE),
        ("[1] 13249 3\n", "[1] 13294 4\n", Answer.HERE),
        ("[2] 13294 3\n", "[1] 13294 3\n", Answer.WRONG),
        ("[2] 13294 3\n", "[1] 13294 4\n", Answer.HERE),
    ],
)
def test_another_version_types_no_digits_falsely(published: str, printed: str, answer: Answer) -> None:
    (_, block) = judged(of_another_version(published, printed)).blocks
    assert block.answer is answer, block.why


def test_what_two_runs_print_otherwise_is_no_slip() -> None:
    runs = of_another_version("[1] 13249\n", "[1] 13294\n", again="[1] 13301\n")
    assert judged(runs).blocks[1].answer is not Answer.WRONG


def test_the_finding_says_what_was_typed() -> None:
    (finding,) = [each for each in judged(of_another_version("[1] 13249\n", "[1] 13294\n")).findings
                  if each.answer is Answer.WRONG]  # fmt: skip
    assert TURNED in finding.evidence
    assert finding.evidence.endswith("and all else is as it is printed here")


@pytest.mark.parametrize(("code", "answer"), [("sd(d)", Answer.WRONG), ("eigen(d)$values", Answer.HERE)])
def test_two_long_numbers_are_exchanged_by_no_version_but_where_an_order_is_left_open(
    code: str, answer: Answer
) -> None:
    runs = of_another_version(
        "[1] 12.49 22.71  9.60\n", "[1] 22.71 12.49  9.60\n", code=f"library(dplyr)\n{code}"
    )
    assert judged(runs).blocks[1].answer is answer


@pytest.mark.parametrize(
    ("published", "answer"),
    [
        ("  Murder   Assault \n", Answer.WRONG),
        ("  Murder   Assault \n 4.35551  83.33766 \n 4.35551  83.33766 \n", Answer.WRONG),
        ("  Murder   Assault \n...\n", Answer.HERE),
    ],
)
def test_no_version_of_r_prints_names_without_values_or_a_row_twice(published: str, answer: Answer) -> None:
    printed = "  Murder   Assault \n 4.35551  83.33766 \n"
    assert judged(of_another_version(published, printed)).blocks[1].answer is answer


@pytest.mark.parametrize(
    ("code", "answer"), [("!mask # turned", Answer.WRONG), ("object.size(mask)", Answer.HERE)]
)
def test_a_negation_is_no_command_of_the_shell(code: str, answer: Answer) -> None:
    printed = "     [,1]  [,2]\n[1,] TRUE FALSE\n[2,] TRUE  TRUE\n[3,] TRUE FALSE\n"
    published = printed.replace("[2,] TRUE  TRUE\n", "")
    assert judged(of_another_version(published, printed, code)).blocks[1].answer is answer
