"""Notebooks whose cells were run in another order, or that lost some."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from harness.documents.cell_numbers import by_numbers
from harness.documents.model import Chunk, Document
from harness.findings.answers import published_outputs
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, answers, chunk, executed, left


def cell(index: int, count: int, code: str, output: str = "") -> Chunk:
    return msgspec.structs.replace(
        chunk(index, code, output=output, executable=True, cell=index + 1, execution_count=count), code_line=0
    )


def notebook(counts: list[int], results: list[str], *, published: str, ordered: str) -> Ran:
    chunks = [
        cell(0, counts[0], "x = 4"),
        cell(1, counts[1], "x = x + 1"),
        cell(2, counts[2], "print(x)", output=published),
    ]
    runs = Ran(chunks, [left(text) for text in results], kind="notebook")
    document = by_numbers(runs.document)
    texts = {0: "", 1: "", 2: ordered}
    runs.__dict__["by_numbers"] = document and executed(
        document, [left(texts[part.index]) for part in document.chunks]
    )
    return runs


@pytest.mark.parametrize(
    ("counts", "ordered", "answer", "said"),
    [
        ([1, 2, 3], "5", Answer.WRONG, "4 is published"),
        ([1, 3, 2], "4", Answer.NOBODY, "cell 3 (In [2]) stands below cell 2 (In [3])"),
        ([1, 3, 2], "5", Answer.HERE, "may be of another session"),
        ([1, 2, 9], "5", Answer.HERE, "In [3] to In [8], run before cell 3 (In [9])"),
    ],
)
def test_the_numbers_of_cells_accuse_only_where_a_run_proves_it(
    counts: list[int], ordered: str, answer: Answer, said: str
) -> None:
    runs = notebook(counts, ["", "", "5\n"], published="4\n", ordered=f"{ordered}\n")
    (finding,) = published_outputs(runs)
    assert finding.answer is answer
    assert said in finding.evidence


@pytest.mark.parametrize(("others", "answer"), [(3, Answer.HERE), (5, Answer.WRONG)])
def test_cells_that_are_lost_left_no_trace_where_all_else_is_as_published(
    others: int, answer: Answer
) -> None:
    shown = [cell(n, n + 8, f"print({n})", output=f"{n}\n") for n in range(2, 2 + others)]
    chunks = [cell(0, 1, "text = 'a. b.'"), cell(1, 9, "print(text)", output="a. c.\n"), *shown]
    results = [left(), left("a. b.\n"), *(left(block.output[0].text) for block in shown)]
    runs = Ran(chunks, results, kind="notebook", alone=lambda part: Ran(list(part.chunks), results))
    assert answers(runs)[0] is answer


def test_numbers_of_cells_say_nothing_of_a_cell_that_depends_on_none() -> None:
    runs = Ran([cell(0, 3, "x = 4"), cell(1, 2, "print(2)", output="3\n")], [left(), left("2\n")])
    assert answers(runs) == [Answer.WRONG]


def test_the_order_of_the_numbers() -> None:
    chunks = tuple(cell(place, count, "1") for place, count in enumerate([2, 1, 3]))
    document = Document(path=Path("a.ipynb"), kind="notebook", title="A", chunks=chunks)
    ordered = by_numbers(document)
    assert ordered is not None
    assert [part.execution_count for part in ordered.chunks] == [1, 2, 3]
    assert by_numbers(ordered) is None


def test_cells_that_are_lost_change_no_package() -> None:
    """Of what another cell sets, a lost one may have set something else."""

    def said(above: str) -> list[Answer]:
        cells = [cell(0, 1, above), cell(1, 9, "print(len(math.__name__))", output="5\n")]
        return answers(Ran(cells, [left(), left("4\n")], kind="notebook"))

    assert said("import math  # sums\n\nimport sys") == [Answer.WRONG]
    assert said("import math\nmath.__name__ = 'maths'") == [Answer.HERE]


@pytest.mark.parametrize(
    ("published", "answer"), [("4.62", Answer.WRONG), ("4.61", Answer.REPRODUCED), ("4.82", Answer.HERE)]
)
def test_no_other_session_rounds_a_number_falsely(published: str, answer: Answer) -> None:
    cells = [cell(0, 1, "x = 4.613833197118566"), cell(1, 5, "print(x)", output=f"{published}\n")]
    assert answers(Ran(cells, [left(), left("4.613833197118566\n")], kind="notebook")) == [answer]


@pytest.mark.parametrize(
    ("published", "answer"),
    [
        ('"the cat and thedog"', Answer.WRONG),
        ('"the cat, not a dog"', Answer.HERE),
        ('"thedog"', Answer.HERE),
    ],
)
def test_no_other_session_leaves_out_one_letter_of_a_text(published: str, answer: Answer) -> None:
    """Of a short text, another may be the same but for a letter."""
    printed = '"the cat and the dog"' if "cat" in published else '"the dog"'
    cells = [cell(n, n + 1, f"{n} + 1", output=f"{n + 1}\n") for n in range(6)]
    cells += [cell(6, 7, f"s = {printed}"), cell(7, 15, "s + ''", output=f"{published}\n")]
    results = [*(left(f"{n + 1}\n") for n in range(6)), left(), left(f"{printed}\n")]
    assert answers(Ran(cells, results, kind="notebook"))[-1] is answer
