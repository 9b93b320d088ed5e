"""An array of whole numbers is none of fractions: no version of NumPy or PyTorch leaves the points out."""

from __future__ import annotations

import pytest

from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, answers, chunk, left, said

WRONG, HERE = Answer.WRONG, Answer.HERE
POINTS = ("print(np.zeros(2))", "[0. 0.]\n")
WHOLE, FRACTIONS = "array([ 0,  1, 12])\n", "array([ 0.,  1., 12.])\n"


def of_numpy(code: str, published: str, printed: str, rest: tuple[str, str] = POINTS) -> Answer | None:
    return said(f"import numpy as np\n{code}", published, printed, rest=rest)


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("np.linspace(0, 12, 3)", WRONG),
        ("np.array([0, 1, 12.0])", WRONG),
        # Whole numbers stay whole there since NumPy 2.1.
        ("np.floor([0, 1, 12])", HERE),
        ("np.full(3, 1)", HERE),
        ("np.set_printoptions(formatter={'float': str})\nnp.linspace(0, 12, 3)", HERE),
    ],
)
def test_an_array_keeps_its_points(code: str, answer: Answer) -> None:
    assert of_numpy(code, WHOLE, FRACTIONS) is answer
    assert of_numpy(code, FRACTIONS, WHOLE) is answer


def test_who_writes_an_output_by_hand_leaves_points_out() -> None:
    whole = ("print(np.arange(2))", "[0 1]\n")
    assert of_numpy("np.linspace(0, 12, 3)", WHOLE, FRACTIONS, whole) is HERE
    assert of_numpy("np.arange(3) * 6", FRACTIONS, WHOLE, whole) is WRONG


def test_what_python_2_divides_is_whole() -> None:
    code = "import numpy as np\nnp.array([0, 2, 24]) / 2"
    assert said(code, WHOLE, FRACTIONS, rest=POINTS, stated="2.7") is HERE
    assert said(code, WHOLE, FRACTIONS, rest=POINTS, stated="3.7") is WRONG


@pytest.mark.parametrize(
    ("cell", "code", "answer"),
    [
        (1, "print(np.ones((2, 1)))", WRONG),
        (1, "print(np.matrix([[1.], [1.]]))", HERE),
        (0, "print(np.ones((2, 1)))", HERE),
    ],
)
def test_no_version_gives_an_array_another_shape(cell: int, code: str, answer: Answer) -> None:
    code = f"import numpy as np\n{code}"
    others = [chunk(n + 1, f"{n} + 1", output=f"{n}\n") for n in range(6)]
    chunks = [chunk(0, code, output="[1. 1.]\n", cell=cell), *others]
    results = [left("[[1.]\n [1.]]\n"), *(left(f"{n}\n") for n in range(6))]
    assert answers(Ran(chunks, results))[0] is answer


@pytest.mark.parametrize(
    ("code", "shown", "answer"),
    [
        ("a[np.where(a == 3)]", "3\n", WRONG),
        ("stats.mode(a)", "3\n", HERE),
        ("a[a == 3]", "3 3\n", HERE),
    ],
)
def test_an_array_of_one_number_is_none_without_brackets(code: str, shown: str, answer: Answer) -> None:
    printed = f"array([{', '.join(shown.split())}])\n"
    others = [chunk(n + 1, f"{n} + 1", output=f"{n}\n") for n in range(6)]
    chunks = [chunk(0, f"import numpy as np\na = np.array([1, 3])\n{code}", output=shown, cell=1), *others]
    results = [left(printed), *(left(f"{n}\n") for n in range(6))]
    assert answers(Ran(chunks, results))[0] is answer
