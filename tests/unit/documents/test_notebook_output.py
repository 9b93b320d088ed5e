"""What a notebook's cells show: text, errors, messages, pictures, and where a statement stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.documents.model import Document, place_of
from harness.documents.parse import parse_document
from harness.findings.versions import stated_versions


def notebook(
    tmp_path: Path, outputs: list[dict[str, Any]], source: str = "f(1)\n", **metadata: Any
) -> Document:
    cell = {"cell_type": "code", "source": source, "metadata": {}, "execution_count": 7, "outputs": outputs}
    text = {"cell_type": "markdown", "source": "# T", "metadata": {}}
    whole = {"nbformat": 4, "nbformat_minor": 4, "metadata": metadata, "cells": [text, cell]}
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(whole), encoding="utf-8")
    return parse_document(path)


def stream(name: str, text: str) -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def shown(**data: str) -> dict[str, Any]:
    named = {key.replace("_", "/"): text for key, text in data.items()}
    return {"output_type": "display_data", "data": named, "metadata": {}}


def test_pieces_of_a_stream_are_one_text_and_messages_are_apart(tmp_path: Path) -> None:
    document = notebook(
        tmp_path, [stream("stdout", "1\n"), stream("stdout", "2\n"), stream("stderr", "slow\n")]
    )
    assert [(b.kind, b.text) for b in document.chunks[0].output] == [("printed", "1\n2"), ("message", "slow")]


def test_an_error_has_a_kind_and_a_message(tmp_path: Path) -> None:
    error = {
        "output_type": "error",
        "ename": "KeyError",
        "evalue": "'\x1b[31ma\x1b[0m'",
        "traceback": ["\x1b[31mKeyError\x1b[0m ..."],
    }
    (block,) = notebook(tmp_path, [error]).chunks[0].output
    assert (block.kind, block.ename, block.evalue) == ("error", "KeyError", "'a'")


COLAB = "application/vnd.google.colaboratory.intrinsic+json"
WRANGLER = "application/vnd.microsoft.datawrangler.viewer.v0+json"


@pytest.mark.parametrize(
    ("data", "read", "unread", "pictures"),
    [
        ({"text_plain": "[1, 2]", "text_html": "<b>1</b>"}, ["[1, 2]"], [], 0),
        ({"text_plain": "<Figure size 640x480 with 1 Axes>", "image_png": "iVBO"}, [], [], 1),
        ({"image_svg+xml": "<svg/>"}, [], [], 1),
        ({"text_html": "<table></table>"}, [], ["it is stored as HTML alone"], 0),
        ({"text_plain": "   a\n0  1", COLAB: "{}"}, ["   a\n0  1"], [], 0),
        ({"text_plain": "   a\n0  1", WRANGLER: "{}"}, ["   a\n0  1"], [], 0),
        ({"text_plain": "HBox()", "application/vnd.jupyter.widget-view+json": "{}"}, [], [], 1),
        ({"text_html": "<video controls>AAAA</video>"}, [], [], 1),
        ({"text_html": "<script>t()</script><table></table>"}, [], ["it is stored as HTML alone"], 0),
        (
            {"text_plain": "<IPython.core.display.HTML object>", "text_html": "x"},
            [],
            ["it is stored as HTML alone"],
            0,
        ),
    ],
)
def test_what_holds_no_text_is_counted(
    tmp_path: Path, data: dict[str, str], read: list[str], unread: list[str], pictures: int
) -> None:
    document = notebook(tmp_path, [shown(**data)])
    assert [block.text for block in document.chunks[0].output] == read
    assert [output.why for output in document.unread] == unread
    assert (document.pictures, document.shown, document.read) == (pictures, len(read + unread), len(read))


def test_a_line_is_named_by_its_cell(tmp_path: Path) -> None:
    document = notebook(tmp_path, [], "#| echo: true\nx = 1\ny = 1 / 0\n")
    place = place_of(document, document.chunks[0], 2)
    assert (place.cell, place.execution_count, place.cell_line, place.text) == (2, 7, 3, "y = 1 / 0")
    assert str(place) == "a.ipynb, cell 2 (In [7]), line 3"


def test_a_line_of_a_markdown_file_is_named_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("A\n\n```python\nx = 1\nx / 0\n```\n", encoding="utf-8")
    document = parse_document(path)
    assert str(place_of(document, document.chunks[0], 2)) == "a.md:5"


def test_the_version_that_a_notebook_was_saved_with(tmp_path: Path) -> None:
    named = notebook(tmp_path, [], language_info={"name": "python", "version": "3.5.1"})
    assert named.written_for == {"python": "3.5.1"}
    kernel = {"name": "julia-0.6", "display_name": "Julia 0.6.2", "language": "julia"}
    assert notebook(tmp_path, [], kernelspec=kernel).written_for == {"julia": "0.6.2"}
    another = {"name": "julia", "version": "3.8.3-final"}  # of the tool that saved it
    document = notebook(tmp_path, [], kernelspec=kernel, language_info=another)
    assert document.written_for == stated_versions(document) == {"julia": "0.6.2"}
