"""Notebooks as chunks, outputs and notes."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from harness.documents.evaluate import without_quiet_magics
from harness.documents.parse import parse_document
from harness.errors import DocumentError
from harness.findings.names import names_in
from tests.unit.documents.written import Write, code_cell, notebook, notes


def test_notebook_cells_and_outputs(write: Write) -> None:
    outputs: list[dict[str, Any]] = [
        {"output_type": "stream", "name": "stdout", "text": ["1\n", "2\n"]},
        {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": "3"}},
        {"output_type": "error", "ename": "E", "evalue": "\u001b[31mwhy\u001b[0m", "traceback": []},
    ]
    prose = {"cell_type": "markdown", "metadata": {}, "source": "# Name\nwords"}
    text = notebook(
        prose,
        code_cell("#| eval: false\nx\ny", *outputs),
        code_cell("1/0", tags=("raises-exception",)),
        code_cell("%%R\nz"),
    )
    document = parse_document(write("a.ipynb", text))
    first, second, third = document.chunks
    assert (document.title, document.kind) == ("Name", "notebook")
    assert (first.code, first.evaluated, first.cell, first.index) == ("x\ny\n", False, 2, 0)
    assert text.split("\n")[first.line - 1].strip() == r'"#| eval: false\n",'
    assert text.split("\n")[second.line - 1].strip() == '"1/0"'
    assert [(o.info, o.text) for o in first.output] == [
        ("stdout", "1\n2"),
        ("result", "3"),
        ("error", "E: why"),
    ]
    assert (second.error, second.evaluated) == (True, True)
    assert (third.language, third.code) == ("r", "z\n")


def test_notebook_language_and_magics(write: Write) -> None:
    julia = {"kernelspec": {"name": "julia-1.5", "display_name": "Julia", "language": "julia"}}
    document = parse_document(write("a.ipynb", notebook(code_cell("x"), metadata=julia)))
    assert [chunk.language for chunk in document.chunks] == ["julia"]
    document = parse_document(
        write("b.ipynb", notebook(code_cell("%matplotlib inline\nx"), code_cell("%%latex\n$x$")))
    )
    assert [chunk.language for chunk in document.chunks] == ["python", "latex"]
    assert "magics" in notes(document)
    assert "no engine runs latex" in notes(document)


def test_cells_that_ipython_hands_to_a_program_or_a_file(write: Write) -> None:
    sources = [
        "%%bash --out kept\necho '#| a' \"\\n\"\n\nls",
        "%%writefile a/b.py\n#| x\ny = 1\n",
        "z = open('t.txt').read()",
        "%%script false",
    ]
    document = parse_document(write("a.ipynb", notebook(*map(code_cell, sources))))
    bash, file, reads, script = document.chunks
    assert {chunk.language for chunk in document.chunks} == {"python"}
    assert "magics" not in notes(document)
    assert (bash.code.count("\n"), bash.skipped) == (3, 1)
    calls = [ast.parse(chunk.code).body[-1] for chunk in (bash, file, script)]
    given = [[ast.literal_eval(one) for one in call.value.args] for call in calls]  # type: ignore[attr-defined]
    assert given == [
        ["bash", "--out kept", "echo '#| a' \"\\n\"\n\nls\n"],
        ["writefile", "a/b.py", "#| x\ny = 1\n"],
        ["script", "false", "\n"],
    ]
    assert "kept" in names_in(bash.code, "python").sets
    assert names_in(file.code, "python").sets == {"file:a/b.py"}
    assert bash.doubtful == "it is run by bash, whose programs and files are those of another machine here"
    assert file.doubtful == "it says whether the file was there before"
    assert "may read what the program at line" in reads.doubtful


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('{\n"cells": [\n', 3, "is not JSON"),
        ("[]", None, "names no format"),
        ("[" * 200_000, None, "is not JSON"),
        (notebook(nbformat=2), None, "format 2"),
        (notebook(nbformat=3), None, "format 3"),
        (notebook(nbformat=3, worksheets=[{"cells": [3]}]), None, "not a valid notebook"),
        (notebook({"cell_type": "code"}), 3, "not a valid notebook"),
        (notebook(cells=3), None, "not a valid notebook"),
        (notebook(code_cell("#| label: a\nx"), code_cell("#| label: a\nx")), 23, "cells 1 and 2"),
        (notebook(code_cell("#| ]\nx")), 11, "as YAML"),
    ],
)
def test_bad_notebooks(write: Write, text: str, line: int | None, message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        parse_document(write("a.ipynb", text))
    assert message in str(caught.value)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("heading", "between", "code", "left_out"),
    [
        ("### Exercise: masks", "z = f()", "\nprint(z)", True),
        ("**Your turn**\nwrite a sort", "z = f()", "\n\nz", True),
        ("## 2nd challenge", "z = f()", "\nz", True),
        ("### Exercise: masks", "z = f()", "print(z)", False),
        ("### Exercise: masks", "z = f()", "\nz[z > 3] = 0\nprint(z)", False),
        ("### Exercise: masks", "z = f()", "\nprint(g(z))", False),
        ("### Masks", "z = f()", "\nprint(z)", False),
        ("It is good exercise to mask", "z = f()", "\nprint(z)", False),
    ],
)
def test_the_answer_to_an_exercise_may_be_left_out(
    write: Write, heading: str, between: str, code: str, left_out: bool
) -> None:
    stream = {"output_type": "stream", "name": "stdout", "text": ["1\n"]}
    task = {"cell_type": "markdown", "metadata": {}, "source": heading}
    after = {"cell_type": "markdown", "metadata": {}, "source": "## Broadcasting"}
    text = notebook(task, code_cell(between), code_cell(code, stream), after, code_cell(code, stream))
    asked, answered, below = parse_document(write("a.ipynb", text)).chunks
    assert bool(answered.doubtful) is left_out
    assert not asked.doubtful
    assert not below.doubtful


@pytest.mark.parametrize(
    ("code", "run"),
    [
        ("%load_ext sympyprinting\nx", '__import__("sympy").init_printing()\nx'),
        ("%load_ext sympy.interactive.ipythonprinting", '__import__("sympy").init_printing()'),
        ("%load_ext autoreload\nx", "\nx"),
        ("if x:\n    %matplotlib inline", "if x:\n    pass"),
    ],
)
def test_what_is_run_for_a_magic(code: str, run: str) -> None:
    assert without_quiet_magics(code) == run
