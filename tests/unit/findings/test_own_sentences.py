"""Sentences of the document's own, which no version of a package prints otherwise."""

from __future__ import annotations

import pytest

from harness.model.article import Answer
from tests.unit.findings.made_runs import said

TORCH = "import torch\ny = torch.tensor([0, 1])\n"
TAIL = " tensor([0, 1])\n"


@pytest.mark.parametrize(
    ("shown", "published", "printed", "answer"),
    [
        ("print('true class labels:', y)", "actual class labels:", "true class labels:", Answer.WRONG),
        ('print(f"class labels: {y}")', "labels of class:", "class labels:", Answer.WRONG),
        ("print(y.describe('true class labels:'))", "actual classes", "true classes", Answer.HERE),
        ("print('class labels:', y)", "tensor of another kind:", "class labels:", Answer.HERE),
    ],
)
def test_a_sentence_of_the_code_is_of_no_version(
    shown: str, published: str, printed: str, answer: Answer
) -> None:
    given = said(
        TORCH + shown, published + TAIL, printed + TAIL, rest=(TORCH + "print(y + 1)", "tensor([1, 2])\n")
    )
    assert given is answer


def test_what_stands_behind_the_sentence_is_of_the_package() -> None:
    shown, printed = TORCH + "print('class labels:', y)", "class labels: tensor([0, 1])\n"
    assert said(shown, "known class: tensor([0, 1], device='cpu')\n", printed) is Answer.HERE
