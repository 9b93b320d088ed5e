"""What each output of a chunk is of, where comments in the code and a listing below it show some."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any, cast

import pytest

from harness.documents.evaluate import evaluate_chunk
from harness.documents.parse import parse_document
from harness.sessions.lasting_session import LastingSession
from harness.sessions.session import Evaluated


class _Typed:
    """Evaluates code as a session of Python does."""

    ended = False

    def __init__(self) -> None:
        self._names: dict[str, Any] = {}

    def eval(self, code: str, **_: object) -> Evaluated:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "<chunk>", "exec"), self._names)
        return Evaluated(text=printed.getvalue(), messages="")


@pytest.mark.parametrize(("listed", "is_of"), [("1\n2\n", "1\n2\n"), ("2\n", "2\n"), ("3\n", "2\n")])
def test_a_listing_may_show_again_what_comments_showed(tmp_path: Path, listed: str, is_of: str) -> None:
    path = tmp_path / "a.md"
    path.write_text(f"```python\nprint(1)  # 1\nprint(2)\n```\n\n```\n{listed}```\n", encoding="utf-8")
    (chunk,) = parse_document(path).chunks
    found = evaluate_chunk(cast("LastingSession", _Typed()), chunk, chunk.code, "a.md")
    assert [part.text for part in found.parts if part is not None] == ["1\n", is_of]
