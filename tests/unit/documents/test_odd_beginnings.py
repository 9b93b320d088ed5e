"""Documents that begin, or hold, what their formats do not allow and their readers pass over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.documents.parse import parse_document
from harness.errors import DocumentError
from tests.unit.documents.test_layouts import outputs, parsed
from tests.unit.documents.written import code_cell, notebook

RULE = (
    "---\n# Work: one\nDo it, `a: b`:  first.\n\n```r\nsum(2)\n#> [1] 2\n```\n\n---\n\n"
    "```r\nsum(3)\n#> [1] 3\n```\n"
)


def test_plain_markdown_may_begin_with_a_rule(tmp_path: Path) -> None:
    assert outputs(parsed(tmp_path, RULE)) == [(7, "printed", "#> [1] 2"), (14, "printed", "#> [1] 3")]
    with pytest.raises(DocumentError, match="front matter"):
        parsed(tmp_path, RULE, "a.Rmd")


@pytest.mark.parametrize(
    ("html", "seen"), [("<style>a {}</style>\n<div id='1'>\n</div>", False), ("<b>3</b>", True)]
)
def test_html_without_a_word_is_a_widget(tmp_path: Path, html: str, seen: bool) -> None:
    shown = {"output_type": "display_data", "metadata": {}, "data": {"text/html": html}}
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(json.loads(notebook(code_cell("show()", shown)))))
    document = parse_document(path)
    assert (len(document.unread), document.pictures) == ((1, 0) if seen else (0, 1))
