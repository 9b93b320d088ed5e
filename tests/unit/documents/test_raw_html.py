"""HTML between the marks of Franklin."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.documents.test_layouts import outputs, parsed

CODE = "```python\nx\n```\n\n"


@pytest.mark.parametrize(
    "html",
    [
        "~~~<a href='b'>c</a>~~~ and more.",
        "~~~\n<div>\n  7\n</div>\n~~~",
        "~~~<b>~~~\nText\n~~~</b>~~~",
        "~~~<a>b</a>\n<a>c</a>~~~",
    ],
)
def test_html_between_marks_is_no_listing(tmp_path: Path, html: str) -> None:
    document = parsed(tmp_path, f"{CODE}Text.\n\n{html}\n\n```python\ny\n#> 3\n```\n")
    line = 11 + html.count("\n")
    assert outputs(document) == [(line, "printed", "#> 3")]
    assert document.unread == ()


@pytest.mark.parametrize("text", ["<class 'int'>", "3 < 4", "<html>"])
def test_other_text_between_marks_is_output(tmp_path: Path, text: str) -> None:
    document = parsed(tmp_path, f"{CODE}~~~\n{text}\n~~~\n\n~~~\n<div>\n~~~\n")
    assert outputs(document)[0] == (6, "printed", text)


def test_marks_inside_of_a_listing_stay(tmp_path: Path) -> None:
    document = parsed(tmp_path, "```python\nx\n#> 3\n~~~<b>~~~\n```\n")
    assert document.chunks[0].code == "x\n#> 3\n~~~<b>~~~\n"
