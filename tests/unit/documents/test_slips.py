"""Slips that are planted into documents, to count those that are found: each changes what it names."""

from __future__ import annotations

import json
import random
from pathlib import Path

import msgspec
import pytest

from harness.documents.model import Document
from harness.documents.parse import parse_document
from tests.strangers.recall import is_planted
from tests.strangers.slips import KINDS, OF_CODE, Slip, slips_in
from tests.strangers.table import documents_in

MARKDOWN = """# Numbers

```python
print(f())
```

```text
theta 1.23456 2.5 -3.5
alpha 4.5 5.5 6.5
gamma 4.5 5.5 7.5
total
```

The largest is 6.5 here, since 2012.

```python
import numpy as np
np.random.seed(42)
print(np.zeros((2, 3)).shape)
```

```text
(2, 3)
```
"""


def slips(path: Path) -> tuple[Document, list[Slip]]:
    document = parse_document(path)
    right = [(chunk.index, place) for chunk in document.chunks for place in range(len(chunk.output))]
    return document, list(slips_in(document, right, random.Random(1)))


def markdown(folder: Path) -> Path:
    path = folder / "a.md"
    path.write_text(MARKDOWN, encoding="utf-8")
    return path


def notebook(folder: Path) -> Path:
    cells = [
        {"cell_type": "code", "execution_count": n, "metadata": {}, "source": ["f()"],
         "outputs": [{"output_type": "stream", "name": "stdout", "text": [text]}]}
        for n, text in enumerate(["theta 1.23456 2.5\nalpha -3.5 4.5\ngamma 6.5 7.5\ntotal\n", "(2, 3)\n"], 1)
    ]  # fmt: skip
    path = folder / "a.ipynb"
    whole = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}
    path.write_text(json.dumps(whole, indent=1), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("make", "kinds"),
    [
        (markdown, set(KINDS)),
        (notebook, set(KINDS) - {"prose", "seed", "code"}),
    ],
)
def test_every_kind_of_slip_changes_the_outputs_that_it_names(
    make: type, kinds: set[str], tmp_path: Path
) -> None:
    path: Path = make(tmp_path)
    before, made = slips(path)
    assert {slip.kind for slip in made} == kinds
    for slip in made:
        path.write_text(slip.text, encoding="utf-8")
        after = parse_document(path)
        changed = {
            (chunk.index, place)
            for chunk, other in zip(before.chunks, after.chunks, strict=True)
            for place, (one, two) in enumerate(zip(chunk.output, other.output, strict=True))
            if one.text != two.text
        }
        assert changed == (set() if slip.kind in ("prose", *OF_CODE) else set(slip.outputs))
        codes = [[chunk.code for chunk in document.chunks] for document in (before, after)]
        assert (codes[0] != codes[1]) == (slip.kind in OF_CODE)


def test_what_the_layout_prints_is_no_slip(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    head = "     [,1] [,2]\n[1,]   12   23\n[2,]   30   40\n[3,]   50   60\n"
    path.write_text(f"```r\nm\n```\n\n```\n{head}```\n", encoding="utf-8")
    _, made = slips(path)
    assert {slip.kind for slip in made} >= {"digit", "turned", "exchange", "rows", "line"}
    for slip in made:
        assert slip.new.startswith("     [,1] [,2]\n[1,] ") or slip.kind in ("rows", "cell")
    turned = [slip.new.split("\n") for slip in made if slip.kind == "rows"]
    assert all(rows[0] == "     [,1] [,2]" and len(rows) == 4 for rows in turned)


def test_a_slip_in_prose_is_in_a_number_that_an_output_above_repeats(tmp_path: Path) -> None:
    _, made = slips(markdown(tmp_path))
    (slip,) = [slip for slip in made if slip.kind == "prose"]
    assert (slip.old, slip.line, slip.outputs) == ("6.5", 14, ((0, 0),))
    assert f"The largest is {slip.new} here, since 2012." in slip.text


def test_the_rendered_text_of_another_document_is_none(tmp_path: Path) -> None:
    for name in ("a.Rmd", "a.md", "b.md", "c.txt"):
        (tmp_path / name).write_text("", encoding="utf-8")
    assert [path.name for path in documents_in(tmp_path)] == ["a.Rmd", "b.md"]


def test_two_outputs_of_one_cell_change_places(tmp_path: Path) -> None:
    path = notebook(tmp_path)
    whole = json.loads(path.read_text(encoding="utf-8"))
    shown = {"output_type": "execute_result", "data": {"text/plain": ["7.5"]}, "metadata": {}}
    whole["cells"][0]["outputs"].append({**shown, "execution_count": 1})
    path.write_text(json.dumps(whole, indent=1), encoding="utf-8")
    _, made = slips(path)
    (slip,) = [slip for slip in made if slip.outputs == ((0, 0), (0, 1))]
    path.write_text(slip.text, encoding="utf-8")
    assert [block.text.strip() for block in parse_document(path).chunks[0].output] == [
        "7.5",
        "theta 1.23456 2.5\nalpha -3.5 4.5\ngamma 6.5 7.5\ntotal",
    ]


def test_a_slip_in_a_remark_leaves_the_code_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("```python\nx = 25\nx + 0  # 25\n25 + 1  # 26\n```\n", encoding="utf-8")
    before, made = slips(path)
    assert {slip.kind for slip in made} >= {"digit", "swap"}
    assert all(is_planted(slip, before, _reread(path, slip)) for slip in made)


def test_nothing_is_planted_where_something_else_is_read_otherwise(tmp_path: Path) -> None:
    before, made = slips(markdown(tmp_path))
    slip = next(slip for slip in made if slip.kind == "digit")
    elsewhere = msgspec.structs.replace(slip, outputs=((1, 0),))
    after = _reread(tmp_path / "a.md", slip)
    assert is_planted(slip, before, after)
    assert not is_planted(elsewhere, before, after)
    assert not is_planted(slip, before, before)


def _reread(path: Path, slip: Slip) -> Document:
    path.write_text(slip.text, encoding="utf-8")
    return parse_document(path)
