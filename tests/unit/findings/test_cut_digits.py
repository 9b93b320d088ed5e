"""A number of a notebook that lacks its last digit, which every machine prints."""

from __future__ import annotations

import pytest

from harness.findings.answers import judged
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left

RIGHT, WRONG = Answer.REPRODUCED, Answer.WRONG
ROOT = "1.4142135623730951"


@pytest.mark.parametrize(
    ("code", "language", "published", "cell", "answer"),
    [
        ("x = 2\nsqrt(x)", "julia", "1.414213562373095", 1, WRONG),
        ("import math\nprint(math.sqrt(2))", "python", "1.414213562373095", 1, WRONG),
        ("x = 2\nsqrt(x)", "julia", "1.414213562373095", 0, RIGHT),  # by hand
        ("x = 2\nsqrt(x)", "julia", "1.4142", 1, RIGHT),  # by a format
        ("x = 2\nexp(x)", "julia", "1.414213562373095", 1, RIGHT),  # of which the last digit is the machine's
        ("import numpy as np\nprint(np.sqrt(2))", "python", "1.414213562373095", 1, RIGHT),
    ],
)
def test_what_every_machine_prints_no_notebook_shows_shorter(
    code: str, language: str, published: str, cell: int, answer: Answer
) -> None:
    given = {"cell": cell, "execution_count": 1} if cell else {}
    runs = Ran([chunk(0, code, language, output=f"{published}\n", **given)], [left(f"{ROOT}\n")])
    assert judged(runs).blocks[0].answer is answer


@pytest.mark.parametrize(
    ("published", "answer"),
    [("2.14748365e9", WRONG), ("2.14748e9", RIGHT), ("2.14748365e8", Answer.WRONG)],
)
def test_a_number_with_an_exponent_is_cut_by_hand(published: str, answer: Answer) -> None:
    some = chunk(0, "2.0 * 1073741824", "julia", output=f"{published}\n", cell=1, execution_count=1)
    assert judged(Ran([some], [left("2.147483648e9\n")])).blocks[0].answer is answer


@pytest.mark.parametrize(
    ("code", "published", "answer"),
    [
        ("sin.([1., 3.])", "2-element Vector{Float64}:\n 0.8414709848078965\n 0.141120008059867", WRONG),
        ("sin.([1., 3.])", "2-element Vector{Float64}:\n 0.8414709848078965\n 0.1411200080599", Answer.HERE),
        ("sin.([1., 3.] .+ 0)", "2-element Vector{Float64}:\n 0.8414709848078965\n 0.141120008059867", WRONG),
        (
            "sin.([1., 3.]) .+ 0",
            "2-element Vector{Float64}:\n 0.8414709848078965\n 0.141120008059867",
            Answer.HERE,
        ),
    ],
)
def test_the_head_of_another_version_hides_no_cut_digit(code: str, published: str, answer: Answer) -> None:
    some = chunk(0, code, "julia", output=f"{published}\n", cell=1, execution_count=1)
    printed = "2-element Array{Float64,1}:\n 0.8414709848078965\n 0.1411200080598672\n"
    assert judged(Ran([some], [left(printed)])).blocks[0].answer is answer


@pytest.mark.parametrize(("round_it", "answer"), [("31.41592653589793", WRONG), ("31.4", Answer.HERE)])
def test_who_shows_one_number_in_full_cuts_no_other_by_hand(round_it: str, answer: Answer) -> None:
    code = 'println("area ", pi * 5^2)\nprintln("around ", 10pi)'
    some = chunk(0, code, "julia", output=f"area 78.5398163397448\naround {round_it}\n")
    printed = "area 78.53981633974483\naround 31.41592653589793\n"
    assert judged(Ran([some], [left(printed)])).blocks[0].answer is answer
