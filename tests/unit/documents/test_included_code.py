"""Code that a listing takes from a file beside the document."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.model import Chunk, place_of
from harness.documents.parse import parse_document

FENCE = "`" * 3
FILE = "def f(n):\n    return 2 * n\n"


def chunk(folder: Path, code: str, language: str = "python") -> Chunk:
    (folder / "a.md").write_text(f"{FENCE}{language}\n{code}\n{FENCE}\n")
    return parse_document(folder / "a.md").chunks[0]


@pytest.mark.parametrize("where", ["x.py", "_includes/x.py"])
@pytest.mark.parametrize(
    "line", ['{% include "x.py" %}', "{%- include x.py -%}", "{% include_relative x.py %}"]
)
def test_it_is_read_where_it_is(where: str, line: str, tmp_path: Path) -> None:
    (tmp_path / where).parent.mkdir(exist_ok=True)
    (tmp_path / where).write_text(FILE)
    found = chunk(tmp_path, f"import os\n{line}\nf(2)  # => 4")
    assert found.code == f"import os\n{FILE}f(2)  # => 4\n"
    assert found.output[0].after == 4
    assert not found.doubtful
    document = parse_document(tmp_path / "a.md")
    assert [place_of(document, found, row).line for row in (1, 2, 3, 4)] == [2, 3, 3, 4]
    assert place_of(document, found, 3).text == "return 2 * n"


def test_what_is_indented_stays_so(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text("a = 1\n\nb = 2\n")
    assert chunk(tmp_path, "if True:\n  {% include 'x.py' %}").code == "if True:\n  a = 1\n\n  b = 2\n"


@pytest.mark.parametrize(("name", "why"), [("x.py", "is not there"), ("../x.py", "lies outside")])
def test_what_is_not_there_is_said(name: str, why: str, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (tmp_path / "x.py").write_text("secret = 1")
    found = chunk(folder, f'{{% include "{name}" %}}')
    assert found.doubtful.startswith(f"it includes {name}, and {name} {why}")
    assert "secret" not in found.code
    assert any(why in note.text for note in parse_document(folder / "a.md").notes)


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", 't = """\n{% include "x.py" %}\n"""'),
        ("python", "{% include 'x.html' %}"),
        ("r", "{% include 'x.py' %}"),
        ("text", "{% include 'x.py' %}"),
    ],
)
def test_a_template_in_a_text_and_files_of_others_stay(language: str, code: str, tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text(FILE)
    (tmp_path / "a.md").write_text(f"{FENCE}{language}\n{code}\n{FENCE}\n")
    assert all(found.code == f"{code}\n" for found in parse_document(tmp_path / "a.md").chunks)
