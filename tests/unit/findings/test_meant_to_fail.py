"""Code that a document shows because it fails accuses nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.model import OutputBlock
from harness.documents.parse import parse_document
from harness.documents.read_errors import read_error
from harness.findings.answers import judged
from harness.findings.meant_to_fail import SHOWS_NOTHING, is_meant_to_fail
from harness.model.article import Answer
from tests.unit.findings.made_runs import Ran, chunk, left


@pytest.mark.parametrize(
    ("code", "above", "below", "meant"),
    [
        ("print(p['city'])  # Error", "", "", True),
        ("print(p['city'])", "The city raises a KeyError.", "", True),
        ("print(p['city'])", "", "It fails, since there is no such key.", True),
        ("print(p['city'])", "The city of a person:", "Next, the street.", False),
        ("print(p['city'])  # the city", "", "", False),
        ("print(p['city'])", "Don’t worry about how this works.", "", False),
    ],
)
def test_words_around_a_statement_say_that_it_fails(
    tmp_path: Path, code: str, above: str, below: str, meant: bool
) -> None:
    path = tmp_path / "a.md"
    path.write_text(f"# A\n\n{above}\n\n```python\np = {{}}\n{code}\n```\n\n{below}\n", encoding="utf-8")
    document = parse_document(path)
    assert is_meant_to_fail(document, document.chunks[0], 2) is meant


def test_an_error_whose_last_line_is_indented_is_read() -> None:
    text = "Traceback (most recent call last):\n  File \"<stdin>\", line 1, in <module>\n  KeyError: 'bear'"
    error = read_error(text, "python")
    assert error is not None
    assert (error.name, error.message) == ("KeyError", "'bear'")


@pytest.mark.parametrize(("after", "answer"), [(1, Answer.REPRODUCED), (2, Answer.WRONG)])
def test_what_is_printed_above_a_failure_does_not_depend_on_it(after: int, answer: Answer) -> None:
    import msgspec

    code = chunk(0, "print(4)\n[1][3]")
    code = msgspec.structs.replace(code, output=(OutputBlock(line=9, text="4", after=after, info="value"),))
    failed = left("4\n", error="IndexError: list index out of range", line=3)
    said = judged(Ran([code], [failed]))
    accused = [finding for finding in said.findings if finding.answer is Answer.WRONG]
    assert bool(accused) is (answer is Answer.WRONG)


@pytest.mark.parametrize(
    ("output", "printed", "answer"),
    [
        ("", "", Answer.UNCHECKED),
        ("4\n", "4\n", Answer.UNCHECKED),
        ("4\n5\n", "4\n", Answer.WRONG),
        ("5\n", "", Answer.WRONG),
    ],
)
def test_only_shown_output_says_that_failing_code_succeeds(output: str, printed: str, answer: Answer) -> None:
    chunks = [
        chunk(0, "print(4)\ny = [1][3]\nprint(5)", executable=True, output=output),
        chunk(1, "print(y)", executable=True, output="7\n"),
    ]
    failed = left(printed, error="IndexError: list index out of range", line=3)
    (finding,) = [f for f in judged(Ran(chunks, [failed, left()])).findings if "IndexError" in f.evidence]
    assert finding.answer is answer
    assert (SHOWS_NOTHING in finding.evidence) is (answer is Answer.UNCHECKED)


def test_a_name_set_only_below_accuses_where_output_is_shown() -> None:
    def said(output: str) -> Answer | None:
        chunks = [chunk(0, "y = x", executable=True, output=output), chunk(1, "x = 1", executable=True)]
        chunks.append(chunk(2, "print(y)", executable=True, output="1\n"))
        failed = left(error="NameError: name 'x' is not defined", line=2)
        return judged(Ran(chunks, [failed, left(), left()])).findings[0].answer

    assert (said(""), said("1\n")) == (Answer.UNCHECKED, Answer.WRONG)
