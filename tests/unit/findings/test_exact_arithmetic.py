"""Last digits of sums, products and quotients are the same on all machines; of functions they need not be."""

from __future__ import annotations

import pytest

from harness.findings.answers import judged
from harness.findings.exact_arithmetic import differs_in_exact_digits
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left

LOOP = "money = 100\nwhile money < 200:\n    money = money * 1.05\nprint('in the end', money)"


@pytest.mark.parametrize(
    ("code", "exact"),
    [
        (LOOP, True),
        ("def half(x):\n    return x / 2\nprint(half(0.3))", True),
        ("print('{} of {}'.format(1 / 3, 2))", True),
        ("print([n / 7 for n in range(3)])", True),
        ("print(2 ** 0.5)", False),
        ("print(sum([0.1] * 10))", False),
        ("import math\nprint(math.pi / 3, math.sqrt(2))", True),
        ("import math\nprint(math.sin(0.3))", False),
        ("from math import sqrt, pi as half\nprint(sqrt(half))", True),
        ("from math import exp\nprint(exp(0.5))", False),
        ("from decimal import Decimal as D\nprint(D('1.1') / 3)", True),
        ("import numpy as np\nprint(np.pi / 3)", False),
        ("class A:\n    def half(self):\n        return self.x / 2\nprint(A().half())", True),
        ("print(2 ** 64 / 3)", True),
        ("print(rate / 3)", False),
        ("print(model.predict(0.1))", False),
        ("print(", False),
    ],
)
def test_what_computes_the_same_digits_everywhere(code: str, exact: bool) -> None:
    assert differs_in_exact_digits([("207.8928179411368", "207.89281794113688")], code, "python") is exact


@pytest.mark.parametrize(
    ("code", "exact"),
    [
        ("a = 5.0\nα = 5.1\nerr = abs(a - α)\nα, err, err / abs(a)", True),
        (
            "f(x) = x^2 / (1 + sqrt(1 + x^2))\nx = 1e-6\nfor k = 1:9\n    println(f(x))\n    x = x / 10\nend",
            True,
        ),
        ("a = 355//113\nFloat64(a)", True),
        ('x = 2π / 3\nprintln("it is $(x / 7)")', True),
        ('x = 0.3\nprintln("it is $(sin(x))")', False),
        ("v = [0.1, -0.2, 3]\nv ./ 3", True),
        ("10^2 / 3", True),
        ("2.0^31 / 3", True),
        ("1.5^40", False),
        ("0.3^5", False),
        ("1 + eps()", True),
        ("x = 0.3\nx^5", False),
        ("0.3^0.5", False),
        ("exp(0.3)", False),
        ("map(sin, [0.3])", False),
        ("sum([0.1, 0.2])", False),
        ("A = [0.1 0.2; 0.3 0.4]\nA * A", False),
        ("A = [0.1 -0.2]\nA * 3", False),
        ("v = [0.1, 0.2]\nv' * v", False),
        ("abs(0.1 + 0.3im)", False),
        ("x / 3", False),
        ("@fastmath 0.1 + 0.2", False),
        ("(0.1 + ", False),
    ],
)
def test_what_computes_the_same_digits_in_all_versions_of_julia(code: str, exact: bool) -> None:
    assert differs_in_exact_digits([("0.1999999999", "0.2999999999")], code, "julia") is exact


@pytest.mark.parametrize(
    ("published", "printed", "differs"),
    [
        ("0.30000000000000005", "0.30000000000000004", True),
        ("2.2999999999999998", "2.3", False),
        ("0.333333333333", "0.3333333333333333", False),
        ("0.3333333333333333", "0.3333333333333333", False),
    ],
)
def test_an_earlier_python_prints_more_digits_or_fewer(published: str, printed: str, differs: bool) -> None:
    assert differs_in_exact_digits([(published, printed)], "print(1.0)", "python") is differs


@pytest.mark.parametrize(
    ("code", "answer"), [(LOOP, Answer.WRONG), (LOOP.replace("* 1.05", "** 1.01"), Answer.HERE)]
)
def test_the_machine_is_no_reason_for_the_last_digits_of_a_product(code: str, answer: Answer) -> None:
    chunks = [chunk(0, code, executable=True, output="in the end 207.8928179411368\n")]
    results = [left("in the end 207.89281794113688\n")]
    for n in range(1, 5):
        chunks.append(chunk(n, f"print({n})", executable=True, output=f"{n}\n"))
        results.append(left(f"{n}\n"))
    assert judged(Ran(chunks, results)).blocks[0].answer is answer
