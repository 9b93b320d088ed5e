"""Transcripts whose code goes on in lines without ``...``, and code that is left to the reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.model import Chunk
from harness.documents.parse import parse_document

CLASS = """class A:
        def f(self):
            return 1

        def g(self):
            return 2
"""


def chunks(tmp_path: Path, *listings: str, prose: str = "Then.") -> tuple[Chunk, ...]:
    path = tmp_path / "a.md"
    fences = f"\n\n{prose}\n\n".join(f"```python\n{listing}\n```" for listing in listings)
    path.write_text(f"# T\n\n{fences}\n", encoding="utf-8")
    return parse_document(path).chunks


@pytest.mark.parametrize(
    ("listing", "codes", "shown"),
    [
        (
            ">>> for s in x:\n        y += s\n\n>>> print(y)\n6",
            ["for s in x:\n        y += s\n", "print(y)\n"],
            ["6"],
        ),
        (">>> for s in x:\n        print(s)\n1\n2", ["for s in x:\n        print(s)\n"], ["1\n2"]),
        (">>> for s in x:\n        print(s)\n\n  1\n  2", ["for s in x:\n        print(s)\n"], ["  1\n  2"]),
        (">>> for s in x:\n        s\n...\n>>> y\n3", ["for s in x:\n        s\n", "y\n"], ["3"]),
        (f">>> {CLASS}\n>>> A().g()\n2", [CLASS, "A().g()\n"], ["2"]),
        (
            ">>> if x:\n        y\n    else:\n        z\n\n1",
            ["if x:\n    y\nelse:\n    z\n"],
            ["1"],
        ),
        (
            ">>> try:\n        f()\nexcept E:\n        g()\n\n1",
            ["try:\n        f()\nexcept E:\n        g()\n"],
            ["1"],
        ),
        (">>> x = [\n  1,\n  2]\n>>> x\n[1, 2]", ["x = [\n  1,\n  2]\n", "x\n"], ["[1, 2]"]),
        (">>> f(1,\n      2)\n(1,\n 2)", ["f(1,\n      2)\n"], ["(1,\n 2)"]),
        (">>> x\n[1,\n 2]", ["x\n"], ["[1,\n 2]"]),
    ],
)
def test_lines_of_code_without_dots(tmp_path: Path, listing: str, codes: list[str], shown: list[str]) -> None:
    found = chunks(tmp_path, listing)
    assert [chunk.code for chunk in found] == codes
    assert [block.text for chunk in found for block in chunk.output] == [text.strip("\n") for text in shown]
    assert not any(chunk.doubtful for chunk in found)


@pytest.mark.parametrize(
    ("listing", "first"),
    [
        (">>> for s in x:\n>>> y\n3", 0),
        (">>> def f(a):\n...\n>>> f(2)\n3", 0),
        (">>> for s in x:\n        y ++ s s\n>>> y\n3", 0),
        (">>> f(1,\n      2\n>>> y\n3", 0),
        (">>> # Append 3\n>>> y\n[3]\n>>> z\n4", 1),
        (">>> # Find where it is\n4\n>>> z\n4", 0),
        (">>> y\n?\n>>> z\n4", 0),
        (">>> x = 1\n>>> s = Stock(...)", 1),
    ],
)
def test_what_is_left_to_the_reader_makes_all_below_doubtful(
    tmp_path: Path, listing: str, first: int
) -> None:
    found = chunks(tmp_path, listing)
    assert [bool(chunk.doubtful) for chunk in found] == [place >= first for place in range(len(found))]


@pytest.mark.parametrize(
    "listing",
    [
        ">>> # Append 3\n>>> y.append(3)\n>>> y\n[3]",
        ">>> # Add them\n>>> a + b\n3",
        ">>> # This is a list\n>>> y\n[3]",
        ">>> x = (1\n  File\nSyntaxError: '(' was never closed",
        ">>> print(...)\nEllipsis",
        ">>> x[...]\n3",
        ">>> f(..., 1)\n3",
    ],
)
def test_what_is_shown_whole_is_not_doubtful(tmp_path: Path, listing: str) -> None:
    assert not any(chunk.doubtful for chunk in chunks(tmp_path, listing))


@pytest.mark.parametrize(
    ("prose", "doubtful"),
    [
        ("If you don't do this, it is confusing:", True),
        ("When the generator finally returns, it raises.", True),
        ("When it returns, it raises.", False),
        ("If you don't know it, read on.\n\nIt prints:", False),
    ],
)
def test_prose_that_speaks_of_other_code(tmp_path: Path, prose: str, doubtful: bool) -> None:
    one, two = chunks(tmp_path, ">>> x = 1", ">>> x\n1", prose=prose)
    assert (one.doubtful, bool(two.doubtful)) == ("", doubtful)
