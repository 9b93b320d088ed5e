"""Listings of code that hold their output too, and outputs in the text cells of notebooks."""

from __future__ import annotations

import pytest

from harness.documents.parse import parse_document
from tests.unit.documents.written import Write, code_cell, notebook


def _read(write: Write, text: str) -> list[tuple[int, str, list[tuple[int, str]]]]:
    document = parse_document(write("d.md", text))
    assert document.unread == ()
    return [
        (chunk.line, chunk.code, [(output.line, output.text) for output in chunk.output])
        for chunk in document.chunks
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "```python\nshow(3)\n```\n\n```python\n# what it gives\n[Out]:  a 3\n        b 4\n```\n",
            [(1, "show(3)\n", [(7, "a 3\nb 4")])],
        ),
        (
            "```python\nx = [1]\nx[1:]\nOut[3]: []  # nothing is left\n```\n",
            [(1, "x = [1]\nx[1:]\n", [(4, "[]")])],
        ),
        (
            "```python\ndef f():\n    return 'a'\n'''\n>>> f()\n'a'\n\n>>> f() * 2\n'aa'\n'''\n```\n",
            [
                (1, "def f():\n    return 'a'\n", []),
                (5, "f()\n", [(6, "'a'")]),
                (8, "f() * 2\n", [(9, "'aa'")]),
            ],
        ),
    ],
)
def test_a_listing_of_code_holds_its_output(
    write: Write, text: str, expected: list[tuple[int, str, list[tuple[int, str]]]]
) -> None:
    assert _read(write, text) == expected


@pytest.mark.parametrize(
    "code",
    [
        "x = 1\n[Out]: 2\ny = 3\n",  # code goes on
        "'''\n>>> f()\n1\n'''\ndef f():\n    return 1\n",  # the text describes what follows
        "def f():\n    '''\n    >>> f()\n    1\n    '''\n",
        "In [1]: x\nOut[1]: 3\n",
    ],
)
def test_other_listings_stay_whole(write: Write, code: str) -> None:
    (chunk, *more) = parse_document(write("d.md", f"```python\n{code}```\n")).chunks
    assert not more
    assert chunk.code.strip() in (code.strip(), "x")


def test_outputs_in_a_text_cell_are_counted(write: Write) -> None:
    text = {
        "cell_type": "markdown",
        "metadata": {},
        "source": "Such as:\n\n    >>> 1 + 1\n    2\n    >>> x = 1\n    >>> y\n"
        "    Traceback (most recent call last):\n    NameError: name 'y' is not defined\n\nand\n\n"
        "```python\nf()  # 3\n```\n",
    }
    document = parse_document(write("d.ipynb", notebook(text, code_cell("1 + 1"))))
    assert document.read == 0
    assert [output.text.split("\n")[0] for output in document.unread] == [
        "2",
        "Traceback (most recent call last):",
    ]
    assert {output.why for output in document.unread} == {"it stands in a text cell, whose code is not run"}


@pytest.mark.parametrize("source", ["plain words", "```python\nnever closed", "---\na: [\n---\n```\n"])
def test_a_text_cell_may_hold_anything(write: Write, source: str) -> None:
    text = {"cell_type": "markdown", "metadata": {}, "source": source}
    assert parse_document(write("d.ipynb", notebook(text))).unread == ()


def test_an_error_that_julia_shows_ends_a_listing(write: Write) -> None:
    text = "```julia\nd = Dict()\nd[3]\nERROR: KeyError: key 3 not found\nmore of it\n```\n"
    (chunk,) = parse_document(write("d.md", text)).chunks
    assert [(output.line, output.kind, output.ename, output.after) for output in chunk.output] == [
        (4, "error", "KeyError", 2)
    ]


def test_no_error_of_julia_is_marked_inside_of_a_statement(write: Write) -> None:
    text = '```julia\ns = """\nERROR: none\n"""\n```\n'
    (chunk,) = parse_document(write("d.md", text)).chunks
    assert chunk.output == ()


def test_values_behind_a_prompt_below_code_without_one(write: Write) -> None:
    code = "x = State('a')\nx.name\n>>> 'a'\n\n# and another\nx.all\n>>> ['a', 2]\n>>> b # too\n"
    ((_, _, shown),) = _read(write, f"```python\n{code}```\n")
    assert shown == [(4, "#> 'a'"), (8, "#> ['a', 2]\n#> b # too")]


@pytest.mark.parametrize(
    "code",
    [
        "x = 2\n>>> x + 1\n3\n",
        "x = 2\n>>> x\n2\n",
        "# two\n>>> 2\n2\n",
        ">>> 'a'\n'a'\n",
        "x = 2\n>>> f(x)\n",
        "x = 2\n>>> x = 3\n>>> 3\n3\n",
    ],
)
def test_code_behind_a_prompt_stays_code(write: Write, code: str) -> None:
    assert any(chunk.prompts for chunk in parse_document(write("d.md", f"```python\n{code}```\n")).chunks)
