"""How far machines are apart in one elementary function of Julia's, and what is no machine's."""

from __future__ import annotations

import pytest

from harness.findings.answers import judged
from harness.findings.elementary import no_machine_computes
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left

_SINC = (
    "function f(x)\n    if x == 0\n        return 1\n    end\n    return sin(pi * x) / (pi * x)\nend\nf(30)"
)


@pytest.mark.parametrize(
    ("code", "units"),
    [
        ("sin(3)", 1),
        ("x = 0.3\ny = x^2 + 1\nexp(y)", 1),
        ("@show sin(2)", 1),
        ("2sin(3)", 2),
        ("sin.([1, 2, 3]) ./ 2", 2),
        ("sin(3) / (1 + 2)", 2),
        ("sqrt(exp(1))", 2),
        ("f(x) = sin(x)\nf.([1, 2])", 1),
        ("y = exp(1)\ny * y", 4),
        ("tan(3)", 3),
        ("log(8) / log(2)", 3),
        (_SINC, 2),
    ],
)
def test_what_is_further_off_than_functions_of_exact_numbers_is_no_machines(code: str, units: int) -> None:
    # A unit of the last digit of 1.0 is the largest share that one is of a number.
    pairs = [(repr(1 + (units + n) * 2.0**-52), "1.0") for n in (0, 1)]
    assert [no_machine_computes([pair], code, "julia") for pair in pairs] == [False, True]


def test_what_shows_fewer_digits_was_rounded_by_a_printer() -> None:
    pairs = [("0.841471", "0.8414709848078965"), ("1.09861228866811", "1.0986122886681098")]
    assert [no_machine_computes([pair], "sin(1)", "julia") for pair in pairs] == [False, False]


@pytest.mark.parametrize(
    "code",
    [
        "exp(3) - 20",
        "y = sin(3)\ny - 0.1",
        "y = sin(3)\ny += 1",
        "sin(sin(3))",
        "y = exp(3)\nlog(y)",
        "f(x) = exp(x)\nf(f(2))",
        "f(x) = sin(x)\ng(x) = x - 0.1\ng(f(3))",
        "function f(x)\n    y = sin(x)\n    return cos(y)\nend\nf(3)",
        "map(sin, [1, 2])",
        "for k in 1:3\n    println(sin(k))\nend",
        'println("it is $(exp(3) - 20)")',
        "exp(2.0f0)",
        "exp(1im)",
        "exp([1 2; 3 4])",
        "log(2, 8)",
        "sin(x) = x / 3\nsin(3)",
        "1 / 3",
        "sin(",
    ],
)
def test_what_may_widen_it_is_not_known(code: str) -> None:
    assert not no_machine_computes([("1.10000000000001", "1.0")], code, "julia")


@pytest.mark.parametrize(
    ("published", "answer"),
    [("7.38905609893066", Answer.WRONG), ("7.389056098930651", Answer.REPRODUCED)],
)
def test_the_machine_is_no_reason_for_more_than_the_last_unit(published: str, answer: Answer) -> None:
    chunks = [chunk(0, "exp(2)", "julia", output=f"{published}\n", cell=1, execution_count=1)]
    results = [left("7.38905609893065\n")]
    for n in range(1, 5):
        chunks.append(chunk(n, f"{n} + 1", "julia", output=f"{n + 1}\n", cell=n + 1, execution_count=n + 1))
        results.append(left(f"{n + 1}\n"))
    assert judged(Ran(chunks, results)).blocks[0].answer is answer
