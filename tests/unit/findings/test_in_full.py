"""What torch prints rounded is held to all of its digits where the last one is another."""

from __future__ import annotations

import pytest

from harness.documents.model import Document
from harness.findings.answers import judged
from harness.findings.runs import DocumentRuns
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left

RIGHT = [(f"print({n})", f"{n}\n") for n in range(4)]


def said_of(code: str, published: str, printed: str, full: str) -> Answer:
    """What is said of numbers of torch, of which a run that prints all digits gives others."""
    codes = [("import torch", ""), (code, f"tensor([{published}])\n"), *RIGHT]
    chunks = [chunk(n, text, output=output) for n, (text, output) in enumerate(codes)]
    results = [left(), left(f"tensor([{printed}])\n"), *(left(output) for _, output in RIGHT)]

    def by_itself(document: Document) -> DocumentRuns | None:
        in_full = "precision" in document.chunks[0].code
        if len(document.chunks) != len(chunks) + in_full:
            return None
        again = [left(), left(), left(f"tensor([{full}])\n"), *results[2:]] if in_full else results
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
