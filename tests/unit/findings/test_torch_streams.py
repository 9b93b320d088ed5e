"""Uniform numbers of PyTorch: where another output of the document shows that they are the author's."""

from __future__ import annotations

import pytest

from harness.findings.torch_streams import is_uniform
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, answers, chunk, left

SEED = "torch.manual_seed(1)"


@pytest.mark.parametrize(
    ("since", "behind", "uniform"),
    [
        (f"{SEED}\nx = 2 * torch.rand(5)\ny = torch.normal(0, 1, (3,))", "x = 2 * torch.rand(5)\nx", True),
        (f"{SEED}\nx = torch.rand(5)\ny = torch.rand(5)\nprint(y)", "y = torch.rand(5)\nprint(y)", True),
        (f"{SEED}\nx = torch.randn(5)\ny = torch.rand(5)", "y = torch.rand(5)\ny", False),
        (f"{SEED}\nx = torch.randn(5)", "x = torch.randn(5)\nx", False),
        (f"{SEED}\nfit(model)\ny = torch.rand(5)", "y = torch.rand(5)\ny", False),
        (f"{SEED}\ny = torch.rand(5, device=d)", "y = torch.rand(5, device=d)\ny", False),
        (f"{SEED}\ny = torch.rand(5)", "y = torch.rand(5)\ny = y.to(d)\ny", False),
        (f"{SEED}\ny = torch.rand(5)", "z = torch.randn(5)\ny = torch.rand(5)\ny + z", False),
        ("np.random.seed(1)\ny = torch.rand(5)", "y = torch.rand(5)\ny", False),
        (f"{SEED}\ny = torch.rand(5)\n3", "3", False),
    ],
)  # fmt: skip
def test_what_is_drawn_first_after_a_seed(since: str, behind: str, uniform: bool) -> None:
    """All draws move one stream: what others took of it is not known of another version."""
    assert is_uniform(since, behind) is uniform


@pytest.mark.parametrize(
    ("reproduced", "shown", "answer"),
    [
        ("torch.rand(4)", "torch.rand(3)", Answer.WRONG),
        ("torch.rand(4)", "torch.randn(3)", Answer.HERE),
        ("torch.randn(4)", "torch.rand(3)", Answer.HERE),
    ],
)
def test_one_output_shows_the_numbers_of_another(reproduced: str, shown: str, answer: Answer) -> None:
    alike = "tensor([0.7576, 0.2793, 0.4031, 0.7347])\n"
    chunks = [
        chunk(0, "import torch"),
        chunk(1, f"{SEED}\nx = {shown}\nx", output="tensor([0.1113, 0.9263, 0.5124])\n"),
        chunk(2, f"{SEED}\ny = {reproduced}\ny", output=alike),
    ]
    printed = [left(), left("tensor([0.7576, 0.2793, 0.4031])\n"), left(alike)]
    assert answers(Ran(chunks, printed))[0] is answer
