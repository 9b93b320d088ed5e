"""The value in a comment against what its statement shows."""

from __future__ import annotations

import pytest

from harness.documents.compare_value import compare_value
from harness.model.article import BlockKind

ARRAY = "3-element Array{Int64,1}:\n 4\n 5\n 6\n"


@pytest.mark.parametrize(
    ("published", "produced", "language", "kind"),
    [
        ("3", "3\n", "python", BlockKind.REPRODUCED),
        ("4", "3\n", "python", BlockKind.DIFFERS),
        ("[4, 5, 6]", ARRAY, "julia", BlockKind.FORMATTING),
        ("[4, 5, 7]", ARRAY, "julia", BlockKind.DIFFERS),
        ("3.14159...", "3.141592653589793\n", "python", BlockKind.FORMATTING),
        ("0.66...", "0.6666666666666666\n", "python", BlockKind.FORMATTING),
        ("0.68...", "0.6666666666666666\n", "python", BlockKind.DIFFERS),
        ("5", "1\n2\n5\n", "python", BlockKind.REPRODUCED),
        ("4", "1\n2\n5\n", "python", BlockKind.DIFFERS),
        ("9", "[1] 8\n", "r", BlockKind.DIFFERS),
        ("8", "[1] 8\n", "r", BlockKind.FORMATTING),
        ("FALSE FALSE TRUE", "[1] FALSE FALSE  TRUE\n", "r", BlockKind.FORMATTING),
        ("FALSE TRUE", "[1] FALSE\n[2] TRUE\n", "r", BlockKind.FORMATTING),
        ("FALSE TRUE TRUE", "[1] FALSE FALSE  TRUE\n", "r", BlockKind.UNCHECKED),
        ('"a" "b"', '[1] "a" "b"\n', "r", BlockKind.FORMATTING),
        ("2 3 5", "[1] 2 3 4\n", "r", BlockKind.DIFFERS),
        ("True", "False\n", "python", BlockKind.DIFFERS),
        ('"abc"', "'abc'\n", "python", BlockKind.REPRODUCED),
        ('"abc"', "'abd'\n", "python", BlockKind.DIFFERS),
        ("True, as it should be", "True\n", "python", BlockKind.UNCHECKED),
        ("3 and then 4", "3\n", "python", BlockKind.UNCHECKED),
        ("3", "", "python", BlockKind.UNCHECKED),
        ("Green 170\nRed 198\nBlue 160", "Red 198\nGreen 170\nBlue 160\n", "python", BlockKind.DIFFERS),
        ("Green 170\nRed 198", "Red 198\nGreen 170\n", "python", BlockKind.UNCHECKED),
        ("You cannot divide with zero!", "You cannot divide by zero!\n", "python", BlockKind.DIFFERS),
        ("You cannot divide it", "You may divide this\n", "python", BlockKind.UNCHECKED),
        ("the colours\nare in\nany order", "Red 198\nGreen 170\n", "python", BlockKind.UNCHECKED),
    ],
)
def test_only_another_number_is_a_difference(
    published: str, produced: str, language: str, kind: BlockKind
) -> None:
    assert compare_value(published, produced, language).kind in (
        (kind, BlockKind.FORMATTING) if kind is BlockKind.REPRODUCED else (kind,)
    )


@pytest.mark.parametrize(
    ("published", "shown", "kind"),
    [
        ("[35, 12, 99, 45]", "[35, 12, 99, 45, 66]", BlockKind.DIFFERS),
        ("['I', 'love', 'you', 'much']", "['I', 'love', 'you#much']", BlockKind.DIFFERS),
        ("[1, 2]", "[1, 2, 3, 4, 5]", BlockKind.UNCHECKED),  # may be no more than how it begins
        ("(35, 12, 99)", "[35, 12, 99, 45]", BlockKind.UNCHECKED),
        ("[7, 8, 9]", "[1, 2, 3, 4]", BlockKind.UNCHECKED),
        ("three, two", "[3, 2, 1]", BlockKind.UNCHECKED),
    ],
)
def test_a_list_with_other_elements_is_another_value(published: str, shown: str, kind: BlockKind) -> None:
    assert compare_value(f"# {published}", shown, "python").kind is kind


@pytest.mark.parametrize(
    ("published", "shown", "certain", "kind"),
    [
        ("Hello, Guest!", "Welcome, Guest!", True, BlockKind.DIFFERS),
        ("Hello, Guest!", "Hello, Guest!", True, BlockKind.REPRODUCED),
        ("Hello, Guest!", "Welcome, Guest!", False, BlockKind.UNCHECKED),
        ("a greeting for", "Welcome, Guest!", True, BlockKind.UNCHECKED),
    ],
)
def test_a_comment_that_calls_itself_an_output_has_no_word_of_its_own(
    published: str, shown: str, certain: bool, kind: BlockKind
) -> None:
    assert compare_value(f"# {published}", shown, "python", certain=certain).kind is kind
