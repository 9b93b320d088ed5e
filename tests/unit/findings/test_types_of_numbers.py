"""Numbers that are shown as those of another type, or with more digits than are printed, accuse nobody."""

from __future__ import annotations

import pytest

from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, answers, chunk, left, said


@pytest.mark.parametrize(
    ("code", "published", "printed", "language"),
    [
        ("print(x / 2)", "5", "5.0", "python"),
        ("print(x, y)", "3.0 4", "3 4.0", "python"),
        ("println(x / 2)", "5", "5.0", "julia"),
        ("print(day)", "2020-01-2", "2020-01-02", "python"),
        ("print(share(x))", "0.1253", "0.125", "python"),
    ],
)
def test_numbers_of_another_type_or_with_more_digits_are_no_slip(
    code: str, published: str, printed: str, language: str
) -> None:
    assert said(code, published + "\n", printed + "\n", language=language, stated="") is Answer.HERE


@pytest.mark.parametrize(
    ("code", "published", "answer"),
    [
        ("np.array([1, 2], dtype=np.uint8)", "array([1, 2], dtype=int8)", Answer.WRONG),
        ("np.array([1, 2]).astype('uint8')", "array([1, 2], dtype=int64)", Answer.WRONG),
        ("np.array([1, 2], dtype=np.uint8) + y", "array([1, 2], dtype=int8)", Answer.HERE),
    ],
)
def test_a_kind_that_code_asks_for_is_of_no_version(code: str, published: str, answer: Answer) -> None:
    code = f"import numpy as np\n{code}"
    assert said(code, f"{published}\n", "array([1, 2], dtype=uint8)\n", stated="3.6.5") is answer


@pytest.mark.parametrize(
    ("cell", "code", "published", "printed", "answer"),
    [
        (1, "int('11')", "'11'", "11", Answer.WRONG),
        (1, "'11'", "11", "'11'", Answer.WRONG),
        (1, "'it'", '"it"', "'it'", Answer.HERE),
        (0, "int('11')", "'11'", "11", Answer.HERE),
        (1, "try:\n    f()\nexcept ValueError as e:\n    print(e)", "no a", "no 'a'", Answer.HERE),
        (1, "import polars as pl\npl.Series(['11'])", "11", "'11'", Answer.HERE),
    ],
)
def test_python_puts_quotation_marks_around_texts_alone(
    cell: int, code: str, published: str, printed: str, answer: Answer
) -> None:
    others = [chunk(n + 1, f"{n} + 1", output=f"{n}\n") for n in range(6)]
    chunks = [chunk(0, code, output=f"{published}\n", cell=cell), *others]
    assert answers(Ran(chunks, [left(f"{printed}\n"), *(left(f"{n}\n") for n in range(6))]))[0] is answer


@pytest.mark.parametrize(
    ("cell", "code", "published", "printed", "answer"),
    [
        (1, "print('n', 5 // 2)", "n 2.0", "n 2", Answer.WRONG),
        (1, "print('n', 4 / 2)", "n 2", "n 2.0", Answer.HERE),
        (1, "print('n', round(4 / 2))", "n 2.0", "n 2", Answer.HERE),
        (1, "print(f'{5 // 2}')", "2.0", "2", Answer.WRONG),
        (1, "print('n', 5 * 2.0)", "n 10", "n 10.0", Answer.WRONG),
        (0, "print('n', 5 * 2)", "n 10.0", "n 10", Answer.WRONG),
        (0, "print('n', 5 * 2.0)", "n 10", "n 10.0", Answer.HERE),
        (1, "round(5 * 2.0)", "10.0", "10", Answer.HERE),
        (1, "from decimal import Decimal as D\nD('0.5') + 1", "1.5", "Decimal('1.5')", Answer.WRONG),
        (0, "from decimal import Decimal as D\nD('0.5') + 1", "1.5", "Decimal('1.5')", Answer.HERE),
    ],
)
def test_no_python_3_prints_a_number_as_one_of_another_kind(
    cell: int, code: str, published: str, printed: str, answer: Answer
) -> None:
    others = [chunk(n + 1, f"{n} + 1", output=f"{n}\n") for n in range(6)]
    chunks = [chunk(0, code, output=f"{published}\n", cell=cell), *others]
    assert answers(Ran(chunks, [left(f"{printed}\n"), *(left(f"{n}\n") for n in range(6))]))[0] is answer
