"""Admonitions, tabs, headings that lead to output, and prompts of R without a language."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from harness.documents.model import Document
from harness.documents.parse import parse_document

CODE = "```python\n{name}\n#> {value}\n```\n"


def framed(opened: str, text: str) -> str:
    return f"{opened}\n\n{textwrap.indent(text, '    ')}"


NOTE = framed('!!! note "Title"', "Text.\n\n```python\nx\n```\n\n```text\n3\n```\n") + "\nAfter.\n"
ONE, TWO = CODE.format(name="x", value=3), CODE.format(name="y", value=4)
TABS = framed('=== "One"', ONE) + "\n" + framed('=== "Two"', TWO)
NESTED = "1. Item\n\n" + textwrap.indent(framed("??? tip", framed("!!! note", ONE)), "    ")


def parsed(tmp_path: Path, text: str) -> Document:
    path = tmp_path / "a.md"
    path.write_text(text)
    return parse_document(path)


def outputs(document: Document) -> list[tuple[int, str]]:
    return [(block.line, block.text) for chunk in document.chunks for block in chunk.output]


@pytest.mark.parametrize(
    ("text", "expected"),
    [(NOTE, [(10, "3")]), (TABS, [(5, "#> 3"), (12, "#> 4")]), (NESTED, [(9, "#> 3")])],
)
def test_what_stands_in_frames_is_read(tmp_path: Path, text: str, expected: list[tuple[int, str]]) -> None:
    document = parsed(tmp_path, text)
    assert outputs(document) == expected
    assert document.unread == ()


@pytest.mark.parametrize(
    "text",
    [
        "```python\nx\n```\n\n!!! note\n    Not all of it.\n",
        "```python\nx\n```\n\n```python\n!!! note\n    3\n```\n",
    ],
)
def test_text_in_frames_is_no_output(tmp_path: Path, text: str) -> None:
    document = parsed(tmp_path, text)
    assert (outputs(document), document.unread) == ([], ())


def test_a_line_of_its_own_opens_nothing(tmp_path: Path) -> None:
    document = parsed(tmp_path, "Really\n!!!\n\n```python\nx\n#> 3\n```\n")
    assert outputs(document) == [(6, "#> 3")]


@pytest.mark.parametrize("heading", ["## Output", "### Expected output:", "#### **Output**", "## Result"])
@pytest.mark.parametrize("called", ["json", "text", ""])
def test_output_below_a_heading(tmp_path: Path, heading: str, called: str) -> None:
    document = parsed(tmp_path, f"```python\nprint(x)\n```\n\n{heading}\n\n```{called}\n[0, 1]\n```\n")
    assert outputs(document) == [(8, "[0, 1]")]


def test_a_sample_is_an_example(tmp_path: Path) -> None:
    document = parsed(tmp_path, "```python\nprint(x)\n```\n\n## Sample output\n\n```text\n3\n```\n")
    assert [block.example for chunk in document.chunks for block in chunk.output] == [True]


@pytest.mark.parametrize(
    ("heading", "below"),
    [("## Outputs of functions", "```json\n[0]\n```"), ("## Output", '```python\nprint("x")\n```')],
)
def test_a_heading_of_another_section_leads_to_none(tmp_path: Path, heading: str, below: str) -> None:
    assert outputs(parsed(tmp_path, f"```python\nprint(x)\n```\n\n{heading}\n\n{below}\n")) == []


@pytest.mark.parametrize(
    ("listing", "expected"),
    [
        ('> f <- function() {\n+   cat("a")\n+ }\n> f()\na\n', ["a"]),
        ("> x\n[[1]]\nNULL\n", ["[[1]]\nNULL"]),
        ("> 100:130\n [1] 100 101\n", [" [1] 100 101"]),
        ("> f()\nError in f(): no\n", ["Error in f(): no"]),
    ],
)
def test_prompts_of_r_without_a_language(tmp_path: Path, listing: str, expected: list[str]) -> None:
    document = parsed(tmp_path, f"Text.\n\n```\n{listing}```\n")
    assert [text for _, text in outputs(document)] == expected
    assert {chunk.language for chunk in document.chunks} == {"r"}


def test_prompts_below_those_of_r_are_of_r(tmp_path: Path) -> None:
    document = parsed(tmp_path, "```\n> x <- 2\n> x\n[1] 2\n```\n\nMore.\n\n```\n> cat(x)\n2\n```\n")
    assert [text for _, text in outputs(document)] == ["[1] 2", "2"]


@pytest.mark.parametrize("listing", ["> npm start\nready\n", "> let x = 2\n2\n", "> quoted\n"])
def test_other_prompts_are_not_of_r(tmp_path: Path, listing: str) -> None:
    assert parsed(tmp_path, f"Text.\n\n```\n{listing}```\n").chunks == ()


def test_a_highlight_in_html_is_a_listing(tmp_path: Path) -> None:
    cell = '<div class="input">\n{% highlight julia %}\nx = 3\n\nx\n{% endhighlight %}\n</div>\n\n'
    shown = '**Output:**\n\n<div class="cell">\n{% highlight plaintext %}\n3\n{% endhighlight %}\n</div>\n\n'
    document = parsed(tmp_path, cell + shown + cell)
    assert [chunk.code for chunk in document.chunks] == ["x = 3\n\nx\n"] * 2
    assert outputs(document) == [(13, "3")]


@pytest.mark.parametrize(
    "above",
    [
        "$ python3",
        "~/code$ python",
        "# ./bin/pyspark\nPython 2.7.10 (default)\nWelcome to\n   ____\n  / __/   version 1.5",
        "Python 3.9.1 (main)\n[GCC 9] on linux",
    ],
)
def test_prompts_below_the_start_of_an_interpreter(tmp_path: Path, above: str) -> None:
    document = parsed(tmp_path, f"Text.\n\n```\n{above}\n>>> x = 2\n>>> x\n2\n```\n")
    assert [text for _, text in outputs(document)] == ["2"]


def test_prompts_in_other_text_are_no_transcript(tmp_path: Path) -> None:
    document = parsed(tmp_path, "Text.\n\n```\nHelp on function f:\n\n>>> f(1)\n2\n```\n")
    assert document.chunks == ()


def test_empty_braces_are_no_chunk(tmp_path: Path) -> None:
    path = tmp_path / "a.Rmd"
    path.write_text("```{r}\nx <- 2\n```\n\n```{}\nx\n```\n")
    assert [chunk.code for chunk in parse_document(path).chunks] == ["x <- 2\n"]


@pytest.mark.parametrize("line", ["$ cd ~/Desktop", "> cd code"])
def test_a_command_alone_is_no_output(tmp_path: Path, line: str) -> None:
    document = parsed(tmp_path, f"```python\nx\n```\n\nNow go on.\n\n```\n{line}\n```\n")
    assert (outputs(document), document.unread) == ([], ())
