"""Notebooks of format 3, as IPython wrote them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.documents.parse import parse_document


def written(path: Path, *inputs: tuple[str, list[dict[str, Any]]], language: str = "python") -> Path:
    cells: list[dict[str, Any]] = [{"cell_type": "heading", "level": 1, "source": "Sums"}]
    for count, (source, outputs) in enumerate(inputs, 1):
        cells.append(
            {
                "cell_type": "code",
                "collapsed": False,
                "input": source.splitlines(keepends=True),
                "language": language,
                "metadata": {},
                "outputs": outputs,
                "prompt_number": count,
            }
        )
    whole = {"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0}
    whole["worksheets"] = [{"cells": cells, "metadata": {}}]
    path.write_text(json.dumps(whole, indent=1))
    return path


VALUE = {"output_type": "pyout", "prompt_number": 1, "metadata": {}, "text": ["3"]}
PRINTED = {"output_type": "stream", "stream": "stdout", "text": ["4\n"]}
FAILED = {"output_type": "pyerr", "ename": "NameError", "evalue": "name 'x' is not defined", "traceback": []}


def test_outputs_of_all_kinds(tmp_path: Path) -> None:
    path = written(tmp_path / "a.ipynb", ("1 + 2", [VALUE]), ("print(4)", [PRINTED]), ("x", [FAILED]))
    document = parse_document(path)
    assert document.title == "Sums"
    assert [(c.cell, c.execution_count, c.code) for c in document.chunks] == [
        (2, 1, "1 + 2\n"),
        (3, 2, "print(4)\n"),
        (4, 3, "x\n"),
    ]
    assert [[(b.kind, b.text) for b in c.output] for c in document.chunks[:2]] == [
        [("printed", "3")],
        [("printed", "4")],
    ]
    assert document.chunks[2].output[0].ename == "NameError"
    lines = path.read_text().split("\n")
    assert [lines[c.line - 1].strip() for c in document.chunks] == ['"1 + 2"', '"print(4)"', '"x"']


@pytest.mark.parametrize(
    ("source", "language", "version"),
    [("x = 3", "python", "3.4"), ("print 3", "python", "2.7"), ("x = 3", "julia", "0.3")],
)
def test_the_version_that_it_was_written_for(
    tmp_path: Path, source: str, language: str, version: str
) -> None:
    document = parse_document(written(tmp_path / "a.ipynb", (source, []), language=language))
    assert document.written_for == {language: version}


def test_the_language_of_the_whole_is_that_of_cells_that_name_another(tmp_path: Path) -> None:
    path = written(tmp_path / "a.ipynb", ("1 + 2", [VALUE]))
    whole = json.loads(path.read_text())
    whole["metadata"] = {"language": "Julia", "name": ""}
    path.write_text(json.dumps(whole, indent=1))
    document = parse_document(path)
    assert [chunk.language for chunk in document.chunks] == ["julia"]
    assert document.written_for["julia"].startswith("0.3")
