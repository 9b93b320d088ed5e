"""A document's code as a script: what it shows by itself, and which chunks are meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import UsageError
from harness.programs.of_document import _shown_julia, _shown_python
from harness.programs.program import Where, as_program

pytest.importorskip("markdown_it")

TABS = """---
title: Both
---

```{python}
x = 2.5
x
```

```{r}
y <- 2.5
y
```

```{r eval=FALSE}
stop()
```
"""


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("x", "print(x)"),
        ("x = 1", "x = 1"),
        ("f(\n  x)  # é", "print(f(\n  x))  # é"),
        ("'é'; x", "'é'; print(x)"),
        ("x;", "x;"),
        ("print(x)", "print(x)"),
        ("a.show()", "a.show()"),
        ("x =", "x ="),
        ("", ""),
    ],
)
def test_the_last_expression_in_python_is_printed(code: str, shown: str) -> None:
    assert _shown_python(code) == shown


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("x = 1\nx\n", "x = 1\nprintln(x)\n"),
        ("sum(x)\n", "println(sum(x))\n"),
        ("println(x)\n", "println(x)\n"),
        ("for i in x\n  f(i)\nend\n", "for i in x\n  f(i)\nend\n"),
        ("x = f(\n1)\n", "x = f(\n1)\n"),
        ("x = 1\n", "x = 1\n"),
        ("f(x) = (x)\n", "f(x) = (x)\n"),
        ("f(1) + (2)\n", "f(1) + (2)\n"),
    ],
)
def test_the_last_name_or_call_in_julia_is_printed(code: str, shown: str) -> None:
    assert _shown_julia(code) == shown


def test_one_language_of_a_document(tmp_path: Path) -> None:
    path = tmp_path / "both.qmd"
    path.write_text(TABS, encoding="utf-8")
    program = as_program(path, language="r")
    assert (program.code, program.places) == ("y <- 2.5\ny\n", (Where("both.qmd", 11), Where("both.qmd", 12)))
    with pytest.raises(UsageError, match=r"several languages \(1 in Python, 1 in R\)"):
        as_program(path)
    with pytest.raises(UsageError, match="no chunk of it in Julia is run"):
        as_program(path, language="julia")


def test_a_document_without_code(tmp_path: Path) -> None:
    path = tmp_path / "none.Rmd"
    path.write_text("Nothing.\n", encoding="utf-8")
    with pytest.raises(UsageError, match="no chunk of it in Python, R or Julia is run"):
        as_program(path)


def test_another_language_than_a_script_has(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1\n", encoding="utf-8")
    with pytest.raises(UsageError, match="is a program in Python, not in R"):
        as_program(path, language="r")
