"""Transcripts in Markdown that stand in no fence."""

from __future__ import annotations

import pytest

from harness.documents.loose_prompts import as_listings
from harness.documents.parse import parse_document
from tests.unit.documents.written import Write


def read(write: Write, text: str) -> list[tuple[str, str, list[str], int]]:
    """The chunks of a document: language, code, outputs and the first line."""
    chunks = parse_document(write("a.md", text)).chunks
    return [(c.language, c.code.strip(), [b.text.strip() for b in c.output], c.code_line) for c in chunks]


def test_prompts_at_the_margin_are_a_transcript(write: Write) -> None:
    text = "Words.\n\n>>> x = 6\n>>> x * 7\n42\n\nMore of them.\n\njulia> 6 * 8\n48\n"
    assert read(write, text) == [
        ("python", "x = 6", [], 3),
        ("python", "x * 7", ["42"], 4),
        ("julia", "6 * 8", ["48"], 9),
    ]


def test_a_fence_too_far_right_is_one_where_a_prompt_stands_at_the_margin(write: Write) -> None:
    text = "\\solution{\n    ```julia-repl\njulia> 6 * 7\n42\n\njulia> 6 * 8\n48\n    ```\n}\n\n## Then\n"
    assert [(code, output) for _, code, output, _ in read(write, text)] == [
        ("6 * 7", ["42"]),
        ("6 * 8", ["48"]),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "```python\n>>> 1\n1\n```\n",
        "Look:\n>>> 1\n",
        "> >>> 1\n> 1\n",
        "    >>> 1\n    1\n",
        "```\n\n>>> 1\n1\n```\n",
        "~~~\n```\n\n>>> 1\n~~~\n",
        "> quoted\n>> twice\n\n>>>deeper\n",
    ],
)
def test_fences_quotations_and_what_goes_on_in_a_paragraph_stay_as_they_are(text: str) -> None:
    assert as_listings(text) == text


def test_a_fence_that_is_never_closed_goes_on_to_the_end(write: Write) -> None:
    document = parse_document(write("a.md", "Words.\n\n```python\n>>> 6 * 7\n42\n"))
    assert [(c.code.strip(), c.output[0].text.strip()) for c in document.chunks] == [("6 * 7", "42")]
    assert [(note.line, "never closed" in note.text) for note in document.notes] == [(3, True)]
