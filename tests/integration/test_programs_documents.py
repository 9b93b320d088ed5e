"""Documents as programs: a notebook against a script, R Markdown and Quarto, with lines as they have them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import main
from harness.runtimes.provision.r import find_r

pytest.importorskip("scipy")
nbformat = pytest.importorskip("nbformat")

DATA = "[151.8, 139.7, 136.5, 156.8, 145.4, 163.8]"
R = f"""---
title: Heights
---

```{{r}}
h <- c({DATA[1:-1]})
```

Prose, and what is not run:

```{{r eval=FALSE}}
stop("never")
```

```{{r, echo=FALSE}}
m <- mean(h)
s <- sqrt(sum((h - m)^2) / (length(h) - 1))
s
```
"""
PYTHON = f"""Text.

```{{python}}
from statistics import mean
x = {DATA}
middle = mean(x)
deviation = (sum((v - middle) ** 2 for v in x) / (len(x) - 1)) ** 0.5
deviation
```
"""


def notebook(folder: Path, divisor: int, last: str = "spread") -> Path:
    made = nbformat.v4.new_notebook()
    made.metadata["kernelspec"] = {"name": "python3", "language": "python", "display_name": "Python 3"}
    made.cells = [
        nbformat.v4.new_markdown_cell("# Heights"),
        nbformat.v4.new_code_cell(f"%matplotlib inline\nimport numpy as np\n\nheight = np.array({DATA})"),
        nbformat.v4.new_code_cell(
            "centre = height.mean()\n"
            f"spread = np.sqrt(np.sum((height - centre) ** 2) / (len(height) - {divisor}))\n{last}"
        ),
    ]
    path = folder / "heights.ipynb"
    nbformat.write(made, path)
    return path


def align(*words: object) -> tuple[int, dict]:
    done = CliRunner().invoke(main, ["align", *map(str, words), "--json", "--seconds", "120"])
    assert done.stdout, done.stderr
    return done.exit_code, json.loads(done.stdout)


def test_a_notebook_and_a_document_of_quarto(tmp_path: Path) -> None:
    other = tmp_path / "heights.qmd"
    other.write_text(PYTHON, encoding="utf-8")
    code, said = align(notebook(tmp_path, 1), other)
    assert (code, said["outcome"]) == (0, "AGREEMENT")
    page = tmp_path / "page.html"
    code, said = align(notebook(tmp_path, 2), other, "--html", page)
    assert (code, said["outcome"]) == (1, "DIVERGENCE")
    first = said["divergences"][0]
    assert {key: first["a"][key] for key in ("file", "line", "cell")} == {
        "file": "heights.ipynb", "line": 2, "cell": 3,
    }  # fmt: skip
    assert (first["b"]["file"], first["b"]["line"]) == ("heights.qmd", 7)
    assert "cell" not in first["b"]
    shown = page.read_text(encoding="utf-8")
    assert 'id="a0-6" class="' in shown
    assert '<span class="no">3:2</span>' in shown
    assert '<span class="no">7</span>' in shown


def test_a_notebook_and_r_markdown(tmp_path: Path) -> None:
    if not find_r().available:
        pytest.skip("there is no R")
    other = tmp_path / "heights.Rmd"
    other.write_text(R, encoding="utf-8")
    assert align(notebook(tmp_path, 1), other)[0] == 0
    code, said = align(notebook(tmp_path, 2), other)
    assert (code, said["divergences"][0]["a"]["cell"], said["divergences"][0]["b"]["line"]) == (1, 3, 17)


def test_a_cell_that_fails_is_named(tmp_path: Path) -> None:
    other = tmp_path / "heights.qmd"
    other.write_text(PYTHON, encoding="utf-8")
    code, said = align(notebook(tmp_path, 1, "spread.nothing"), other)
    assert code == 4
    assert "heights.ipynb: it failed in cell 3, line 3: AttributeError" in said["sentence"]


def test_two_languages_of_one_document(tmp_path: Path) -> None:
    if not find_r().available:
        pytest.skip("there is no R")
    both = tmp_path / "both.qmd"
    both.write_text(R + PYTHON, encoding="utf-8")
    code, said = align(both, both, "--language-a", "r", "--language-b", "python")
    assert (code, said["outcome"]) == (0, "AGREEMENT")
    done = CliRunner().invoke(main, ["align", str(both), str(both)])
    assert done.exit_code == 2
    assert "several languages (2 in R, 1 in Python)" in done.stderr
