"""Engines of knitr that hold text: files that they write, and what is said of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.engines import written_by
from harness.documents.parse import parse_document


def test_a_file_that_a_chunk_writes(tmp_path: Path) -> None:
    path = tmp_path / "a.Rmd"
    path.write_text(
        '```{cat, engine.opts = list(file = "a.txt")}\nsome "text"\n\nü\n```\n\n'
        "```{r}\nreadLines('a.txt')\n```\n",
        encoding="utf-8",
    )
    first, second = parse_document(path).chunks
    assert (first.language, first.supported, second.language) == ("r", True, "r")
    assert first.code == 'cat(c("some \\"text\\"",\n"",\n"ü"), file = "a.txt", sep = "\\n")\n'


@pytest.mark.parametrize(
    ("engine", "options"),
    [
        ("bash", 'list(file = "a.txt")'),
        ("cat", "list(file = name)"),
        ("cat", None),
        ("cat", 'list(lang = "r")'),
    ],
)
def test_no_file_is_written_where_none_is_named(engine: str, options: str | None) -> None:
    assert written_by(engine, options, "text\n") is None


def test_what_is_said_of_chunks_that_are_not_run(tmp_path: Path) -> None:
    path = tmp_path / "a.Rmd"
    path.write_text("```{asis, echo=TRUE}\ntext\n```\n\n```{sql}\nselect 1\n```\n", encoding="utf-8")
    notes = [(note.line, note.text) for note in parse_document(path).notes]
    assert notes == [
        (1, "asis holds text: there is nothing to run"),
        (5, "no engine runs sql: the chunk is kept, and not run"),
    ]
