"""Notebooks that are JSON and no notebooks are refused with a sentence; the other documents go on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from harness.cli import main
from harness.documents.parse import parse_document
from harness.errors import DocumentError

CODE = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": "1"}
GOOD = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [CODE, CODE]}


def with_cell(**changes: Any) -> dict[str, Any]:
    return {**GOOD, "cells": [CODE, {**CODE, **changes}]}


@pytest.mark.parametrize(
    ("notebook", "what", "line"),
    [
        ({**GOOD, "nbformat_minor": "5"}, "nbformat_minor is '5'", None),
        ({**GOOD, "nbformat_minor": True}, "nbformat_minor is True", None),
        ({**GOOD, "nbformat_minor": -1}, "nbformat_minor is -1", None),
        ({key: GOOD[key] for key in ("nbformat", "nbformat_minor", "metadata")}, "no list of cells", None),
        ({**GOOD, "cells": {"a": CODE}}, "no list of cells", None),
        ({**GOOD, "cells": [CODE, "a text"]}, 'cell 2 is "a text", which has no cell_type', 13),
        ({**GOOD, "cells": [CODE, None]}, "cell 2 is null, which has no cell_type", 13),
        (with_cell(cell_type=6), "cell 2 is", 13),
        ({**with_cell(id={"a": 1}), "nbformat_minor": 5}, "nbformat fails on it with TypeError", None),
        (with_cell(source="\ud800"), r"it holds half a character, '\ud800'", None),
        (with_cell(outputs=[[]]), "an output of cell 2 is [], which has no output_type", 13),
        (with_cell(outputs=[{"output_type": 5}]), 'an output of cell 2 is {"output_type": 5}', 13),
    ],
)
def test_what_is_no_notebook(tmp_path: Path, notebook: Any, what: str, line: int | None) -> None:
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(notebook, indent=1), encoding="utf-8")
    with pytest.raises(DocumentError) as caught:
        parse_document(path)
    assert what in caught.value.message
    assert (caught.value.path, caught.value.line) == (path, line)


def test_the_good_one_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text(json.dumps(GOOD), encoding="utf-8")
    assert len(parse_document(tmp_path / "a.ipynb").chunks) == 2


def test_an_output_that_is_no_text(tmp_path: Path) -> None:
    """Nothing is printed there that could be compared."""
    data = {"text/plain": {"a": 1}}
    output = {"output_type": "display_data", "metadata": {}, "data": data}
    (tmp_path / "a.ipynb").write_text(json.dumps(with_cell(outputs=[output])), encoding="utf-8")
    assert parse_document(tmp_path / "a.ipynb").chunks[1].output == ()


def run(folder: Path) -> Any:
    (folder / "c.md").write_text("# Only words\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["documents", str(folder), "--trust", "--json"])
    return result.exit_code, {entry["document"]: entry for entry in json.loads(result.stdout)["documents"]}


def test_the_other_documents_go_on(tmp_path: Path) -> None:
    for name, notebook in (("a", {**GOOD, "nbformat_minor": "5"}), ("b", {**GOOD, "cells": ["text"]})):
        (tmp_path / f"{name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    code, documents = run(tmp_path)
    assert code == 2
    assert [bool(documents[name]["problem"]) for name in ("a.ipynb", "b.ipynb", "c.md")] == [
        True,
        True,
        False,
    ]


def test_a_fault_of_the_harness_ends_one_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(path: Path) -> Any:
        return original(path) if path.suffix == ".md" else {}["a key"]

    original: Callable[[Path], Any] = parse_document
    monkeypatch.setattr("harness.findings.examine.parse_document", breaks)
    (tmp_path / "a.ipynb").write_text(json.dumps(GOOD), encoding="utf-8")
    code, documents = run(tmp_path)
    assert code == 4
    assert "a fault in the harness: KeyError: 'a key' (test_damaged" in documents["a.ipynb"]["failure"]
    assert not documents["c.md"]["failure"]
