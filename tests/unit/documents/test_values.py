"""What captures ask for: expressions with a document's own chunks in them, and printed numbers."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from harness.documents.model import Chunk, Document
from harness.documents.patch import Capture, PrintedCapture
from harness.documents.results import ChunkRun
from harness.documents.values import expressions, names_of, printed_numbers, setup_code
from harness.errors import CaseError
from harness.sessions.session import Evaluated

DOCUMENT = Document(
    path=Path("a.md"), kind="markdown", title="",
    chunks=(
        Chunk(index=0, line=1, end_line=3, code_line=2, language="julia", code='draw("a b")\n'),
        Chunk(index=1, line=5, end_line=7, code_line=6, language="julia", code="x = 1\n"),
    ),
)  # fmt: skip


def capture(**values: str | PrintedCapture) -> Capture:
    return Capture(id="c", language="julia", values=values, samples={"one": "1", "two": "{chunk 0}"})


def printed(text: str, cut: int = 0) -> ChunkRun:
    left = Evaluated(text=text, messages="", cut=cut)
    return ChunkRun(index=0, line=4, language="julia", left=left)


def test_samples_and_chunks_stand_in_expressions() -> None:
    given = capture(x="f({sample})", y="g({chunk 0}, 2)", z=PrintedCapture(printed="Loss:"))
    assert expressions(given, DOCUMENT) == {
        ("one", "x"): "f(1)",
        ("two", "x"): 'f(draw("a b"))',
        ("one", "y"): 'g(draw("a b"), 2)',
        ("two", "y"): 'g(draw("a b"), 2)',
    }
    assert names_of(given) == [(sample, name) for sample in ("one", "two") for name in ("x", "y", "z")]


def test_a_chunk_that_is_not_there_is_refused() -> None:
    with pytest.raises(CaseError, match="names chunk 7, which is not there"):
        expressions(capture(x="f({chunk 7})"), DOCUMENT)
    asked = msgspec.structs.replace(capture(), setup="f() = {chunk 8}")
    with pytest.raises(CaseError, match="names chunk 8, which is not there"):
        setup_code(asked, DOCUMENT)


def test_listings_stand_in_the_code_that_comes_first() -> None:
    asked = msgspec.structs.replace(capture(), setup="begin\n{chunk 1}\n{chunk 0}\nend")
    assert setup_code(asked, DOCUMENT) == 'begin\nx = 1\ndraw("a b")\nend'
    assert setup_code(capture(), DOCUMENT) == ""


def test_printed_numbers_are_those_behind_the_label_to_the_last_digit() -> None:
    array = printed_numbers(
        printed("begins\nLoss:1.1000000000000001\nLoss: NaN\nloss:9\nends Loss:2\n"), "Loss:"
    )
    assert isinstance(array, np.ndarray)
    assert array.dtype == np.float64
    assert np.array_equal(array, [1.1000000000000001, np.nan], equal_nan=True)


@pytest.mark.parametrize(
    ("run", "why"),
    [
        (printed("Loss:1\n", cut=12), "12 bytes"),
        (printed("nothing\n"), "no line that begins with 'Loss:'"),
        (printed("Loss:1\nLoss:two\n"), "is not a number"),
        (ChunkRun(index=0, line=4, language="julia", skipped="eval is false"), "did not run: eval is false"),
    ],
)
def test_why_there_are_no_numbers(run: ChunkRun, why: str) -> None:
    array = printed_numbers(run, "Loss:")
    assert isinstance(array, str)
    assert why in array
