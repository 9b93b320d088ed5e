"""Marks of knitr's before printed lines."""

from __future__ import annotations

import pytest

from harness.documents.comment_marks import with_known_mark


@pytest.mark.parametrize(
    ("text", "mark", "read"),
    [
        ("##> [1] 2\n##> [1] 3", "", "#> [1] 2\n#> [1] 3"),
        ("#> [1] 2", "", "#> [1] 2"),
        ("## [1] 2", "", "## [1] 2"),
        ("// [1] 2\n//\n// 3", "//", "#> [1] 2\n#>\n#> 3"),
        ("// [1] 2", "", "// [1] 2"),
        ("##> [1] 2\nplain", "", "##> [1] 2\nplain"),
        ("// [1] 2\nplain", "//", "// [1] 2\nplain"),
        ("#' [1] 2", "", "#> [1] 2"),
        ("[1] 2", "", "[1] 2"),
        ("", "", ""),
    ],
)
def test_another_mark_is_read_as_the_usual_one(text: str, mark: str, read: str) -> None:
    assert with_known_mark(text, mark) == read
