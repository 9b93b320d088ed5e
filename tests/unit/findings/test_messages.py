"""Errors and warnings are held to what the code says line by line, not to pieces of it."""

from __future__ import annotations

import msgspec
import pytest

from harness.documents.model import OutputBlock
from harness.documents.read_errors import as_error
from harness.documents.results import ChunkRun
from harness.findings.messages import are_lines_of, ends_with, is_another_call, is_error
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


@pytest.mark.parametrize(
    ("published", "call", "other"),
    [
        ("Warning in log(-1): NaNs produced", "log(-1)", False),
        ("Warning in log(-1): NaNs produced", "", False),
        ("Warning: NaNs produced", "log(-1)", False),
        ("Warning message:\nIn log( -1 ) : NaNs produced", "log(-1)", False),
        ("2: In log(-2) : NaNs produced", "log(-1)", True),
        ("## Error in `f()`:\n## ! NaNs produced", "f()", False),
        ("Error in for (i in x) {: NaNs produced\nCalls: f", "for (i in x) {", False),
        ("Error in for (i in y) {: NaNs produced\nCalls: f", "for (i in x) {", True),
        ("Error in eval(expr, envir, enclos): NaNs produced", "f(x)", False),
        ("Error in f(a = 1234567890, bcd = 1234567890, : NaNs produced",
         "f(a = 1234567890, bcd = 1234567890, c = 2)", False),
    ],
)  # fmt: skip
def test_the_call_that_r_names(published: str, call: str, other: bool) -> None:
    assert is_another_call(published, "NaNs produced", call) is other


@pytest.mark.parametrize(("call", "kind"), [("f(2)", FORMATTING), ("f(3)", UNCHECKED), ("", FORMATTING)])
def test_a_warning_of_another_call_is_another(call: str, kind: BlockKind) -> None:
    block = OutputBlock(line=3, text="Warning in f(2): no", kind="message")
    given = Evaluated(text="", messages="", warnings=("no",), calls=(call,))
    assert compared(block, "r", given) is kind


@pytest.mark.parametrize(("call", "kind"), [("f(2)", REPRODUCED), ("f(3)", UNCHECKED)])
def test_an_error_of_another_call_is_another(call: str, kind: BlockKind) -> None:
    block = as_error(OutputBlock(line=3, text="Error in f(2): no"), "r")
    error = CodeError(message="no", kind="simpleError", call=call)
    assert compared(block, "r", Evaluated(text="", messages="", error=error)) is kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[1] 2\nWarning in f(2): no", FORMATTING),
        ("Warning in f(2): no\n[1] 2", FORMATTING),
        ("[1] 2\nWarning in f(2): yes", UNCHECKED),
        ("Warning in f(3): no\n[1] 2", UNCHECKED),
    ],
)
def test_a_warning_beside_a_value_is_compared(text: str, kind: BlockKind) -> None:
    given = Evaluated(text="[1] 2\n", messages="", warnings=("no",), calls=("f(2)",))
    assert compared(OutputBlock(line=3, text=text), "r", given) is kind


def compared(block: OutputBlock, language: str, given: Evaluated) -> BlockKind:
    part = msgspec.structs.replace(chunk(0, "f(x)", language), output=(block,))
    run = ChunkRun(index=0, line=1, language=language, left=given)
    return verdicts(part, run)[0].kind
