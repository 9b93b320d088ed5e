"""Errors and warnings are held to what the code says line by line, not to pieces of it."""

from __future__ import annotations

import msgspec
import pytest

from harness.documents.model import OutputBlock
from harness.documents.read_errors import as_error
from harness.documents.results import ChunkRun
from harness.findings.messages import are_lines_of, ends_with, is_error
from harness.findings.outputs import verdicts
from harness.model.article import BlockKind
from harness.sessions.session import CodeError, Evaluated
from tests.unit.findings.made_runs import chunk

REPRODUCED, FORMATTING, UNCHECKED = BlockKind.REPRODUCED, BlockKind.FORMATTING, BlockKind.UNCHECKED


@pytest.mark.parametrize(
    ("published", "message", "kind", "language", "same"),
    [
        ("ValueError: bad shape (2,)", "ValueError: bad shape (2,)", "ValueError", "python", True),
        ("bad shape (2,)", "ValueError: bad shape (2,)", "ValueError", "python", True),
        ("StopIteration: ", "StopIteration", "StopIteration", "python", True),
        ("ValueError: bad", "ValueError: bad shape (2,)", "ValueError", "python", False),
        ("ValueError: a very bad shape (2,)", "ValueError: bad shape (2,)", "ValueError", "python", False),
        ("ValueError: bad ... (2,)", "ValueError: bad shape (2,)", "ValueError", "python", True),
        ("ValueError: good ... (2,)", "ValueError: bad shape (2,)", "ValueError", "python", False),
        ("ValueError: one", "ValueError: one\ntwo", "ValueError", "python", True),
        ("KeyError: not-here'", "KeyError: 'not-here'", "KeyError", "python", False),
        ("Error in f(x) : no x", "no x", "simpleError", "r", True),
        ("## Error in x[-1:3]: only 0's\n## may be", "only 0's may be", "simpleError", "r", True),
        ("Error in f():\n! no x\nBacktrace:\n 1. f()", "no x", "rlang_error", "r", True),
        ("Error in f(x) : no xy", "no x", "simpleError", "r", False),
        ("Error: no x at all", "no x", "simpleError", "r", False),
        ("LoadError: InexactError: Int64(1.6)", "InexactError: Int64(1.6)", "InexactError", "julia", True),
        ("MethodError: no f\nClosest candidates are:\n  f(1)\n  ...", "MethodError: no f", "MethodError",
         "julia", True),
        ("matrix is not square", 'DimensionMismatch("matrix is not square")', "DimensionMismatch", "julia",
         True),
        ("DomainError with -1.0:\nsqrt will", "DomainError with -1.0:", "DomainError", "julia", True),
        ("InexactError: Int64(1.6) there", "InexactError: Int64(1.6)", "InexactError", "julia", False),
    ],
)  # fmt: skip
def test_errors(published: str, message: str, kind: str, language: str, same: bool) -> None:
    assert is_error(published, message, kind, language) is same


@pytest.mark.parametrize(
    ("published", "said", "same"),
    [
        ("two", "one\ntwo\nthree", True),
        ("## one\n## two", "one two\nthree", True),
        ("tw", "one\ntwo", False),
        ("one two thre", "one two\nthree", False),
        ("", "one", False),
        ("", "", True),
    ],
)
def test_messages(published: str, said: str, same: bool) -> None:
    assert are_lines_of(published, said) is same


def test_a_warning_is_compared_as_a_whole() -> None:
    assert ends_with("Warning in log(-1) : NaNs produced", "NaNs produced")
    assert not ends_with("Warning: As introduced by coercion", "NAs introduced by coercion")


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("julia", "ERROR: BoundsError: no f", UNCHECKED),
        ("julia", "ERROR: MethodError: no f", REPRODUCED),
        ("python", "TypeError: no f", UNCHECKED),
    ],
)
def test_an_error_of_another_kind_is_another(language: str, text: str, kind: BlockKind) -> None:
    error = CodeError(message="MethodError: no f", kind="MethodError")
    block = as_error(OutputBlock(line=3, text=text), language)
    assert compared(block, language, Evaluated(text="", messages="", error=error)) is kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Warning: NAs introduced by coercion", FORMATTING),
        ("Warning: NAs introduced by", UNCHECKED),
        ("Warning: As introduced by coercion", UNCHECKED),
        ("## Warning in f(x): NAs introduced\n## by coercion", FORMATTING),
    ],
)
def test_a_piece_of_a_warning_is_none(text: str, kind: BlockKind) -> None:
    block = OutputBlock(line=3, text=text, kind="message")
    given = Evaluated(text="", messages="", warnings=("NAs introduced by coercion", "another"))
    assert compared(block, "r", given) is kind


def compared(block: OutputBlock, language: str, given: Evaluated) -> BlockKind:
    part = msgspec.structs.replace(chunk(0, "f(x)", language), output=(block,))
    run = ChunkRun(index=0, line=1, language=language, left=given)
    return verdicts(part, run)[0].kind
