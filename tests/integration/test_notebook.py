"""A notebook, run as Jupyter does: functions of its cells are checked, and the matrix is what it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
nbformat = pytest.importorskip("nbformat")

CELLS = (
    "import numpy as np\nimport harness\nTEMPERATURE = 2.0",
    "def shifted(x):\n    return x - x.max()",
    "def softmax(x):\n    e = np.exp(shifted(x) / TEMPERATURE)\n    return e / e.sum()",
    "harness.check({'numpy': softmax}, {'x': [1.0, 2.0, 3.0]})",
    "harness.check({'numpy': softmax, 'short': lambda x: softmax(x) + 1e-9}, {'x': [1.0, 2.0, 3.0]})",
)


@pytest.mark.filterwarnings("ignore")
def test_cells_are_checked_and_shown(tmp_path: Path) -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    client = nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    right, wrong = (notebook.cells[at].outputs[-1]["data"] for at in (3, 4))
    # The function of a cell has a source: a limit is derived for it.
    assert ">AGREEMENT</strong>" in right["text/html"]
    assert '<th scope="col">numpy</th>' in right["text/html"]
    assert "in this process" not in right["text/html"]
    assert right["text/plain"].startswith("AGREEMENT: ")
    assert ">DIVERGENCE</strong>" in wrong["text/html"]
    assert "python.short was called in this process: it is a lambda" in wrong["text/html"]
