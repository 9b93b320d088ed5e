"""What fills a text with blanks in quotation marks is a part of it: on which side it stands is compared."""

from __future__ import annotations

import pytest

from harness.documents.compare_printed import compare_printed
from harness.model.article import Answer, BlockKind
from tests.unit.findings.made_runs import Ran, answers, chunk, left, said


@pytest.mark.parametrize(
    ("published", "printed", "kind"),
    [
        ("'deep      '", "'      deep'", BlockKind.DIFFERS),
        ("['a', 'b ']", "['a ', 'b ']", BlockKind.DIFFERS),
        ("'   deep '", "' deep   '", BlockKind.FORMATTING),
        ("it's  a '", "it's a '", BlockKind.FORMATTING),
        ("' '", "'   '", BlockKind.FORMATTING),
    ],
)
def test_on_which_side_blanks_stand(published: str, printed: str, kind: BlockKind) -> None:
    assert compare_printed(published, printed, "python").kind is kind


def test_blanks_are_no_quotation_marks() -> None:
    code = "f'{name:<9}'"
    assert said(code, "'     deep'\n", "'deep     '\n") is Answer.WRONG
    assert said(code, '"deep     "\n', "'deep     '\n") is not Answer.WRONG


@pytest.mark.parametrize(
    ("published", "kind"),
    [
        ("[ 0.25    0.062   0.    ]", BlockKind.DIFFERS),
        ("[ 0.25    0.0625  0.    ]", BlockKind.FORMATTING),
        ("[ 0.25   0.062  0.   ]", BlockKind.FORMATTING),
        ("[ 0.25 0.062 0. ]", BlockKind.FORMATTING),
    ],
)
def test_blanks_say_how_many_decimals_numpy_printed(published: str, kind: BlockKind) -> None:
    assert compare_printed(published, "[0.25   0.0625 0.    ]", "python").kind is kind


def test_a_number_that_is_cut_in_an_array_is_of_no_version() -> None:
    code = "import numpy as np\nprint(np.array([1, 0.25, 0]) / 4)"
    results = [left("[0.25   0.0625 0.    ]\n"), *(left(f"{n}\n") for n in range(6))]
    others = [chunk(n + 1, f"{n} + 1", output=f"{n}\n") for n in range(6)]
    cut = chunk(0, code, output="[ 0.25    0.062   0.    ]\n", cell=1)
    assert answers(Ran([cut, *others], results))[0] is Answer.WRONG
