"""Names of packages that a page of Python uses as everybody does and imports nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.parse import parse_document


def parsed(folder: Path, code: str) -> tuple[list[str], list[str]]:
    path = folder / "page.md"
    path.write_text(f"# Page\n\n```python\n{code}\n```\n", encoding="utf-8")
    document = parse_document(path)
    return [chunk.code.strip() for chunk in document.chunks], [note.text for note in document.notes]


@pytest.mark.parametrize(
    ("code", "imports"),
    [
        ("np.sum([1, 2])", "import numpy as np"),
        (">>> x = torch.ones(2)\n>>> pd.Series([1]).sum()\n1", "import pandas as pd\nimport torch"),
        ("import numpy as np\nnp.sum([1, 2])", ""),
        ("np = 3", ""),
        ("import jax.numpy as np\nnp.sum([1, 2])", ""),
        ("from numpy import *\nnp.sum([1, 2])", ""),
        ("for np in x:\n    np.sum()", ""),
        ("def f(np):\n    return np.sum()", ""),
        ('print("np.sum(x)")', ""),
        ("np.sum(1)\nNameError: name 'np' is not defined", ""),
    ],
)
def test_the_usual_import_stands_above_where_a_name_is_set_nowhere(
    tmp_path: Path, code: str, imports: str
) -> None:
    chunks, notes = parsed(tmp_path, code)
    assert (chunks[0] == imports) is bool(imports)
    assert any("imports them nowhere" in note for note in notes) is bool(imports)


def test_the_page_is_said_to_be_run_with_it(tmp_path: Path) -> None:
    _, notes = parsed(tmp_path, "np.sum([1, 2])")
    assert notes[0] == "the page imports them nowhere: run as if it began with import numpy as np"
