"""What is drawn without a seed excuses nothing that many draws, each with other numbers, leave as it is."""

from __future__ import annotations

import pytest

from harness.documents.model import Document
from harness.findings.answers import judged
from harness.findings.many_draws import many_times
from harness.findings.runs import DocumentRuns
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left

WRONG, NOBODY = Answer.WRONG, Answer.NOBODY


@pytest.mark.parametrize(
    ("drawn", "once", "seconds", "answer"),
    [
        ("x <- rnorm(9)", "[1] TRUE\n", 0.001, WRONG),
        ("x <- rnorm(9)", "[1] FALSE\n", 0.001, NOBODY),
        ("x <- rnorm(9)", "[1] TRUE\n", 5.0, NOBODY),
    ],
)
def test_what_all_of_many_draws_give_is_not_drawn(
    drawn: str, once: str, seconds: float, answer: Answer
) -> None:
    chunks = [chunk(0, drawn, "r"), chunk(1, "all(x < 99)", "r", output="[1] FALSE\n")]
    chunks += [chunk(n, f"{n} + 1", "r", output=f"[1] {n + 1}\n") for n in range(2, 9)]
    right = [left(f"[1] {n + 1}\n") for n in range(2, 9)]

    def alone(document: Document) -> DocumentRuns:
        texts = ["[1] TRUE\n" if part.code.startswith("all(") else "" for part in document.chunks]
        if len(texts) > 101:
            texts[101] = once
        return Ran(list(document.chunks), [left(text, seconds=seconds) for text in texts], alone=alone)

    runs = Ran(chunks, [left(), left("[1] TRUE\n"), *right], alone=alone)
    assert judged(runs).blocks[0].answer is answer


def test_what_two_runs_of_the_whole_draw_otherwise_is_not_run_alone() -> None:
    chunks = [chunk(0, "x <- rnorm(9)", "r"), chunk(1, "all(x < 99)", "r", output="[1] FALSE\n")]
    chunks += [chunk(n, f"{n} + 1", "r", output=f"[1] {n + 1}\n") for n in range(2, 9)]
    right = [left(f"[1] {n + 1}\n") for n in range(2, 9)]
    tried = []

    def alone(document: Document) -> None:
        tried.append(document)

    first, second = ([left(), left(f"[1] {text}\n"), *right] for text in ("TRUE", "FALSE"))
    judged(Ran(chunks, first, again=second, alone=alone))
    assert not tried
    judged(Ran(chunks, first, alone=alone))
    assert tried


def test_code_is_run_many_times_in_its_order() -> None:
    runs = Ran([chunk(0, "a"), chunk(1, ""), chunk(2, "b")], [left()] * 3)
    many = many_times(runs.document, 2).chunks
    assert [(part.index, part.code) for part in many] == [(0, "a"), (1, "b"), (2, "a"), (3, "b")]
