"""Of an expression of SymPy's, no version gives one other number; its digits no machine rounds."""

from __future__ import annotations

import pytest

from harness.model.article import Answer
from tests.unit.findings.made_runs import said

WRONG, HERE = Answer.WRONG, Answer.HERE
OTHER = ("from sympy import *\nprint(S(1) + 1)", "2\n")


@pytest.mark.parametrize(
    ("code", "published", "printed", "answer"),
    [
        ("diff(2*x**2, x)", "3*x\n", "4*x\n", WRONG),
        ("Matrix([[2, 0], [0, 1]]).nullspace()", "[3*x]\n", "[4*x]\n", HERE),
        ("factor(x)", "4*(x + y)\n", "4*x + 4*y\n", HERE),
        ("foo.diff(2*x**2, x)", "3*x\n", "4*x\n", HERE),
        ("(pi + E).evalf()", "5.85987448204883\n", "5.85987448204884\n", WRONG),
        ("(pi + E).evalf() + 0.5", "5.85987448204883\n", "5.85987448204884\n", HERE),
        ("Integral(exp(x), (x, 0, 1)).evalf()", "5.85987448204883\n", "5.85987448204884\n", HERE),
        ("math.pi + math.e ** pi", "5.85987448204883\n", "5.85987448204884\n", HERE),
    ],
)
def test_numbers_of_expressions(code: str, published: str, printed: str, answer: Answer) -> None:
    above = "from sympy import *\nimport foo\n" if "foo" in code else "from sympy import *\n"
    assert said(f"{above}{code}", published, printed, rest=OTHER, stated="") is answer
