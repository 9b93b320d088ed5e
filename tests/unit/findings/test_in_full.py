"""What torch prints rounded is held to all of its digits where the last one is another."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.model import Document
from harness.findings.answers import judged
from harness.findings.in_full import in_double
from harness.findings.runs import DocumentRuns
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left

RIGHT = [(f"print({n})", f"{n}\n") for n in range(4)]


def said_of(code: str, published: str, printed: str, full: str, double: str = "") -> Answer:
    """What is said of numbers of torch, of which a run that prints all digits gives others."""
    codes = [("import torch", ""), (code, f"tensor([{published}])\n"), *RIGHT]
    chunks = [chunk(n, text, output=output) for n, (text, output) in enumerate(codes)]
    results = [left(), left(f"tensor([{printed}])\n"), *(left(output) for _, output in RIGHT)]

    def by_itself(document: Document) -> DocumentRuns | None:
        in_full = "precision" in document.chunks[0].code
        if len(document.chunks) != len(chunks) + in_full:
            return None
        shown = double if "float64" in document.chunks[0].code else full
        again = [left(), left(), left(f"tensor([{shown}])\n"), *results[2:]] if in_full else results
        return Ran(list(document.chunks), again)

    (first, *_) = judged(Ran(chunks, results, alone=by_itself)).blocks
    assert first.answer is not None
    return first.answer


@pytest.mark.parametrize(
    ("code", "published", "printed", "full", "answer"),
    [
        ("torch.tensor([2.]).exp()", "7.3890", "7.3891", "7.389056205750", Answer.WRONG),
        ("torch.tensor([2.]).exp()", "7.3890", "7.3891", "7.389050205750", Answer.HERE),
        ("torch.tensor([2.]).exp().sum()", "7.3890", "7.3891", "7.389056205750", Answer.HERE),
        ("x.fit()\ntorch.tensor(x)", "7.3890", "7.3891", "7.389086205750", Answer.HERE),
    ],
)
def test_what_no_machine_rounds_so_is_a_mistake(
    code: str, published: str, printed: str, full: str, answer: Answer
) -> None:
    assert said_of(code, published, printed, full) is answer


@pytest.mark.parametrize(
    ("code", "double", "answer"),
    [
        ("torch.softmax(x, dim=1)", "0.2000000, 7.3890601", Answer.WRONG),
        # What single precision loses of another number, it may lose of this one elsewhere.
        ("torch.softmax(x, dim=1)", "0.2000010, 7.3890601", Answer.HERE),
        ("torch.softmax(x, dim=1)", "0.7100000, 7.1390601", Answer.HERE),
        ("torch.softmax(x, dim=1)", "", Answer.HERE),
    ],
)
def test_what_a_sum_loses_of_single_precision_double_precision_shows(
    code: str, double: str, answer: Answer
) -> None:
    full = "0.2000001, 7.3890600"
    assert said_of(code, "0.2000, 7.3890", "0.2000, 7.3891", full, double) is answer


def test_what_asks_for_single_precision_is_run_in_double() -> None:
    code = "x = torch.ones(2, dtype=torch.float32) + y.float() + torch.FloatTensor([3])"
    document = Document(path=Path("a.md"), kind="markdown", title="A", chunks=(chunk(0, code),))
    assert in_double(document).chunks[1].code == (
        "x = torch.ones(2, dtype=torch.float64) + y.double() + torch.DoubleTensor([3])"
    )
