"""What versions, widths and terminals make of printed text is no difference; a changed digit is one."""

from __future__ import annotations

import pytest

from harness.documents.compare_printed import compare_printed
from harness.documents.printed_layout import plain_layout
from harness.model.article import BlockKind

WIDE = """\
   first  second    third
a    1.5     2.5   words
b    3.5     4.5  more
"""
PARTS = """\
   first  second  \\
a    1.5     2.5
b    3.5     4.5

     third
a    words
b     more
"""
ALIKE = [
    ("step 1\rstep 2\n3\n", "step 2\n3\n"),
    ("abc\rx\n", "xbc\n"),
    ("\x1b[31m2\x1b[0m\n", "2\n"),
    ("[True, False]", "[np.True_, np.False_]"),
    ("{'a': 1.5, 'b': 2}", "{'a': np.float64(1.5), 'b': np.int64(2)}"),
    ("array([1.,  2.5])", "array([1. , 2.5])"),
    ("unexpected symbol in “x”", 'unexpected symbol in "x"'),
    ("{'a', 'b', 'c'}", "{'c', 'a', 'b'}"),
    (WIDE, PARTS),
    ("array([ True, False], dtype=bool)", "array([ True, False])"),
    ("array([1, ..., 2])", "array([1, ..., 2], shape=(768,))"),
    ("{'b': [1, 2], 'a': 'x y', 3: None}", "{'a': 'x y', 3: None, 'b': [1, 2]}"),
    ("int", "<class 'int'>"),
    ("[numpy.float64, <function f>]", "[<class 'numpy.float64'>, <function f at 0x7f12ab>]"),
    ("<function __main__.f(x)>", "<function f at 0x7f12ab>"),
]


@pytest.mark.parametrize(("published", "produced"), ALIKE)
def test_layout_is_no_difference(published: str, produced: str) -> None:
    kinds = {compare_printed(*pair, "python").kind for pair in ((published, produced), (produced, published))}
    assert kinds <= {BlockKind.REPRODUCED, BlockKind.FORMATTING}


def test_an_authors_remarks_behind_the_print_are_no_difference() -> None:
    published = "[1,   # the first\n 2]  # the second"
    assert compare_printed(published, "[1, 2]", "python").kind is BlockKind.FORMATTING
    assert compare_printed(published, "[1, 3]", "python").kind is BlockKind.DIFFERS


def test_dots_below_commented_lines_stand_for_the_rest() -> None:
    published, produced = "##  [1] 1 2\n##  [3] 3 4\n....", " [1] 1 2 3\n [4] 4 5 6\n"
    assert compare_printed(published, produced, "r").kind is BlockKind.FORMATTING
    assert compare_printed(published.replace("3 4", "3 5"), produced, "r").kind is BlockKind.DIFFERS


def test_tibbles_of_two_versions() -> None:
    old = "# A tibble: 3 x 2\n      a\n  <dbl>\n1   1.5\n# … with 2 more rows\n"
    new = "# A tibble: 3 × 2\n      a\n  <dbl>\n1   1.5\n# ℹ 2 more rows\n"
    assert compare_printed(old, new, "r").kind is BlockKind.FORMATTING
    assert compare_printed(old, new.replace("1.5", "1.6"), "r").kind is BlockKind.DIFFERS


@pytest.mark.parametrize(
    ("published", "produced"),
    [
        ("step 1\rstep 2\n3\n", "step 2\n4\n"),
        ("{'a', 'b', 'c'}", "{'c', 'a', 'd'}"),
        ("[True, True]", "[np.True_, np.False_]"),
        (WIDE.replace("4.5", "4.6"), PARTS),
        (WIDE.replace("more", "less"), PARTS),
        ("[np.float64(1.5)]", "[1.25]"),
        ("{'b': 1, 'a': 2}", "{'a': 1, 'b': 2}"),
        ("{'b': 1, 'a': 2}", "{'a': 2, 'c': 1}"),
        ("{'b': [1, 2], 'a': 2}", "{'a': 2, 'b': [1, 3]}"),
        ("int", "<class 'float'>"),
        ("array([1, ..., 2], shape=(767,))", "array([1, ..., 2], shape=(768,))"),
        ("array([1, 2], dtype=int32)", "array([1, 2])"),
    ],
)
def test_what_is_printed_is_still_compared(published: str, produced: str) -> None:
    assert compare_printed(published, produced, "python").kind is BlockKind.DIFFERS


def test_a_backslash_in_other_text_is_left_alone() -> None:
    text = "a path \\\nnext\n"
    assert plain_layout(text) == text
