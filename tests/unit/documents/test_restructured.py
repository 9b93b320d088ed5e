"""reStructuredText is read as Markdown whose lines have the same numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.model import Document
from harness.documents.parse import parse_document
from harness.documents.restructured import as_markdown

PAGE = """\
=====
Sums
=====

Of numbers
~~~~~~~~~~

.. note:: It is short.

   Adding is `easy <https://example.org>`_:

.. code-block:: python
   :linenos:

   x = [1, 2]
   print(sum(x))

.. a comment
   print("not run")

which prints::

   3

or

>>> sum(x) + 1
4

>>> x[0]
1

and with Sphinx

.. testcode::

   print(x[1])

.. testoutput::

   2
"""


def read(folder: Path, text: str) -> Document:
    path = folder / "page.rst"
    path.write_text(text, encoding="utf-8")
    return parse_document(path)


def test_listings_outputs_and_sessions_are_found_where_they_stand(tmp_path: Path) -> None:
    document = read(tmp_path, PAGE)
    assert [chunk.language for chunk in document.chunks] == ["python"] * len(document.chunks)
    assert "not run" not in "".join(chunk.code for chunk in document.chunks)
    shown = {output.line: output.text.strip() for chunk in document.chunks for output in chunk.output}
    lines = PAGE.split("\n")
    assert sorted(shown.values()) == ["1", "2", "3", "4"]
    assert all(text in "\n".join(lines[line - 1 : line + 2]) for line, text in shown.items())


def test_every_line_keeps_its_number() -> None:
    lines, made = PAGE.split("\n"), as_markdown(PAGE).split("\n")
    assert len(made) == len(lines)
    for n, line in enumerate(lines):
        if line.strip().startswith(("print(x[1])", "x = ", ">>> ", "Adding", "which")):
            assert made[n].strip().rstrip(":") == line.strip().rstrip(":")


@pytest.mark.parametrize(
    ("text", "language", "code"),
    [
        (".. highlight:: r\n\nSo::\n\n    x <- 1\n    x + 1\n", "r", "x <- 1\nx + 1\n"),
        ("1. first\n\n   .. code:: julia\n\n      f(x) = 2x\n      f(3)\n", "julia", "f(x) = 2x\nf(3)\n"),
        (">>> 1 + 1\n2", "python", "1 + 1\n"),
        (".. code:: julia\n\n        f(x) = 2x\n\tf(3)\n", "julia", "f(x) = 2x\nf(3)\n"),
    ],
    ids=["highlight", "in a list", "at the end", "behind a tab"],
)
def test_what_a_listing_holds(tmp_path: Path, text: str, language: str, code: str) -> None:
    (chunk,) = read(tmp_path, text).chunks
    assert (chunk.language, chunk.code) == (language, code)


@pytest.mark.parametrize("name", ["raw", "math", "csv-table", "toctree"])
def test_the_body_of_another_directive_is_no_listing(tmp_path: Path, name: str) -> None:
    assert not read(tmp_path, f"Text\n\n.. {name}:: x\n\n       a = 1\n       print(a)\n\nEnd\n").chunks


@pytest.mark.parametrize(
    ("page", "taken"),
    [
        ("So::\n\n   def f(x):\n       return x + 1\n\nThen\n\n>>> f(1)\n2\n", True),
        ("So::\n\n   some words\n\nThen\n\n>>> f(1)\n2\n", False),
        ("So::\n\n   total: 3\n\nThen\n\n>>> f(1)\n2\n", False),
        ("So::\n\n   def f(x):\n       return x + 1\n", False),
    ],
    ids=["defines", "words", "a label", "no session"],
)
def test_what_sessions_call_may_be_defined_between_them(tmp_path: Path, page: str, taken: bool) -> None:
    assert ("x + 1" in "".join(chunk.code for chunk in read(tmp_path, page).chunks)) is taken


@pytest.mark.parametrize("text", ["::", "..", ">>> ", ".. code-block:: python", "====", "", "a::\n   b\nc"])
def test_what_is_not_finished_is_read(tmp_path: Path, text: str) -> None:
    read(tmp_path, text)


def test_what_ipython_and_jupyter_run_is_code(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        ".. ipython:: python\n   :okwarning:\n\n   x = 1\n   @savefig a.png\n   plot(x)\n\n"
        ".. ipython::\n\n   In [1]: x + 1\n   Out[1]: 2\n\n"
        ".. jupyter-execute::\n   :hide-code:\n\n   print(x)\n",
    )
    assert [(c.language, c.code_line, c.code, [o.text for o in c.output]) for c in document.chunks] == [
        ("python", 4, "x = 1\n\nplot(x)\n", []),
        ("python", 10, "x + 1\n", ["2"]),
        ("python", 16, "print(x)\n", []),
    ]
