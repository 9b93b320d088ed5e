"""Tables of pandas that nbconvert writes as HTML, with a style sheet that Markdown would cut in two."""

from __future__ import annotations

from pathlib import Path

from harness.documents.compare_printed import compare_printed
from harness.documents.html_tables import tables_as_text
from harness.documents.parse import parse_document
from harness.model.article import BlockKind
from tests.unit.documents.test_layouts import outputs, parsed

STYLE = (
    "<style scoped>\n    .dataframe th {\n        top: 1;\n    }\n\n    .dataframe td {\n    }\n</style>\n"
)
ROWS = """<table border="1" class="dataframe">
  <thead>
    <tr style="text-align: right;">
      <th></th>
      <th>name</th>
      <th>score</th>
    </tr>
  </thead>
  <tbody>
    <tr>
      <th>0</th>
      <td>A &amp; B</td>
      <td>4.5</td>
    </tr>
    <tr>
      <th>1</th>
      <td>C</td>
      <td>NaN</td>
    </tr>
  </tbody>
</table>
"""
PRINTED = "    name  score\n0  A & B    4.5\n1      C    NaN"


def test_a_table_is_the_output_and_its_style_sheet_is_not(tmp_path: Path) -> None:
    for style in (STYLE, ""):
        document = parsed(tmp_path, f"```python\ndf\n```\n\n<div>\n{style}{ROWS}</div>\n\nBelow.\n")
        ((line, kind, text),) = outputs(document)
        assert (line, kind) == (6, "printed")
        assert compare_printed(text, PRINTED, "python").kind in (BlockKind.REPRODUCED, BlockKind.FORMATTING)
        assert compare_printed(text, PRINTED.replace("4.5", "4.6"), "python").kind is BlockKind.DIFFERS
        assert compare_printed(text, PRINTED.replace("C", "D"), "python").kind is BlockKind.DIFFERS


def test_lines_keep_their_numbers() -> None:
    text = f"above\n\n<div>\n{STYLE}{ROWS}<p>2 rows × 2 columns</p>\n</div>\nbelow\n"
    as_text = tables_as_text(text)
    assert as_text.split("\n").index("below") == text.split("\n").index("below")
    assert "[2 rows x 2 columns]" in as_text


def test_a_table_behind_no_code_is_counted(tmp_path: Path) -> None:
    document = parsed(tmp_path, f"# Title\n\n<div>\n{STYLE}{ROWS}</div>\n")
    assert len(document.unread) == 1


def test_other_html_is_left_as_it_is() -> None:
    for text in ('<div>\n<p>class="dataframe"</p>\n</div>\n', "plain\n"):
        assert tables_as_text(text) == text


def test_a_page_with_the_style_sheets_of_pandas_was_made_of_a_notebook(tmp_path: Path) -> None:
    for style, engine in (("<style scoped>\n</style>\n", "jupyter"), ("", "")):
        path = tmp_path / "a.md"
        path.write_text(f'```python\nframe\n```\n\n<div>\n{style}<table class="dataframe"></table>\n</div>\n')
        assert parse_document(path).engine == engine
