"""Objects in comments, and comments that begin with words that the code prints."""

from __future__ import annotations

import pytest

from harness.documents.comment_output import read_comments
from harness.documents.shown_objects import object_in


@pytest.mark.parametrize(
    ("remark", "value"),
    [
        ("Point(x=1, y=2)", "Point(x=1, y=2)"),
        ("geo.Size([2, 3]) : (2, 4) by (4, 3)", "geo.Size([2, 3])"),
        ("Size([2, 1]) ： 2 rows", "Size([2, 1])"),
        ("Fraction(-1, 2)", "Fraction(-1, 2)"),
        ("Pair(left=Leaf(1), right=Leaf())", "Pair(left=Leaf(1), right=Leaf())"),
        ("Point(x, y)", ""),  # code, and no value
        ("point(1, 2)", ""),
        ("N(0, 1)", ""),
        ("Point", ""),
        ("a Point(1, 2)", ""),
        ("Point(1, 2) is what it gives", ""),
        ("Point(1, 2", ""),
    ],
)
def test_an_object_is_told_from_code_and_words(remark: str, value: str) -> None:
    assert object_in(remark) == value


@pytest.mark.parametrize(
    ("code", "texts"),
    [
        ("p.size  # Size([2, 3]): two rows\n", ["Size([2, 3])"]),
        ("p.size\n# Size([2, 3]) : (2, 1) @ (1, 3)\n", ["Size([2, 3])"]),
        ("parts[1]\n# Leaf(3, end=True)\n", ["Leaf(3, end=True)"]),
        ("Leaf(1)\n# Leaf(3)\n", []),  # it may be code that is commented out
        (
            "net\n# Tree(\n#   (0): Leaf(3)\n#   (1): Leaf(4)\n# )\n",
            ["Tree(\n  (0): Leaf(3)\n  (1): Leaf(4)\n)"],
        ),
        ("print('Size:', n)\n# Size: 3\n", ["Size: 3"]),
        ("print('Rows:', x)\n# Rows: [[1,\n#  2]]\n", ["Rows: [[1,\n 2]]"]),
        ("print('Rows:', x)\n# Rows: 3\n# this is how many rows there are\n", ["Rows: 3"]),
        ("print('Rows:', x)\n# Rows are what it has\n", []),
        ("print('Rows', x, sep='=')\n# Rows 3\n", []),
        ("f(x)\n# KeyError: 'b'\n", ["KeyError: 'b'"]),
        ("x  # b'\\xe9'\n", ["b'\\xe9'"]),
    ],
)
def test_comments_of_python_that_are_what_is_shown(code: str, texts: list[str]) -> None:
    assert [block.text for block in read_comments(code, "python", 1, values=True).blocks] == texts


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("print('Rows:', x)\n# Rows: 3\n# 3 = 2 + 1\n", "are printed cannot be told"),
        ("print('Tree:', x)\n# Tree: Tree(\n#   Leaf(3)\n)\n", "cannot be told"),
        ("print(x.size)  # now Size([2, 3])\n", "which words of the comment"),
        ("y = f(x)\n# 1275\n", "behind an assignment"),
        ("y = f(x)\n# [('a', 1), ...]\n", "behind an assignment"),
        ("y = f(x)  # (64, 400)\n", "behind an assignment"),
        ("y = f(x)  # ValueError: no such row\n", "behind an assignment"),
        ("y = f(x)\n\n# ValueError: no such row\n", "a blank line"),
        ("f(x)\n\n# [1, 2]\n", "a blank line"),
    ],
)
def test_what_may_be_shown_is_counted(code: str, why: str) -> None:
    found = read_comments(code, "python", 1, values=True)
    assert found.blocks == ()
    assert [why in output.why for output in found.unread] == [True]


@pytest.mark.parametrize("code", ["y = 3\n# 1275\n", "y = f(x)  # 3\n", "y = f(x)  # (rows, columns)\n"])
def test_remarks_on_an_assignment_are_not_counted(code: str) -> None:
    found = read_comments(code, "python", 1, values=True)
    assert (found.blocks, found.unread) == ((), ())
