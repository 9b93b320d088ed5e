"""R counts the elements of a vector before each of its rows: another count is a difference."""

from __future__ import annotations

import pytest

from harness.documents.compare_printed import compare_printed
from harness.documents.row_marks import miscounted
from harness.model.article import BlockKind


@pytest.mark.parametrize(
    ("published", "printed", "found"),
    [
        ("[2] 1.6", "[1] 1.6", (1, "[2]", "[1]")),
        ("[-1] TRUE", "[1] TRUE", (1, "[-1]", "[1]")),
        ("## [1] 1 2\n## [4] 3 4", "[1] 1 2\n[3] 3 4", (2, "[4]", "[3]")),
        ("## [1] 1 2\n## [3] 3 4", "[1] 1 2\n[3] 3 4", None),
        # another width
        ("[1] 1 2 3\n[4] 4", "[1] 1 2\n[3] 3 4", None),
        ("[2] 1 2 3\n[5] 4", "[1] 1 2\n[3] 3 4", (1, "[2]", "[1]")),
        # what is left out is counted
        ("[1] 1 2\n...\n[98] 98 99", "[1] 1 2\n[3] 3 4", None),
        ("[[1]]\n[1] 1\n\n[[2]]\n[1] 1", "[[1]]\n[1] 1\n\n[[2]]\n[1] 1", None),
        ("[7] 9", "[1] 1", (1, "[7]", "[1]")),
        ("[7] 9 10", "[1] 1", None),
        ("[1] 1 2 3\n[3] 4", "[1] 1 2\n[3] 3 4", (2, "[3]", "[4]")),
        ("[1] 'a b' c\n[3] d", "[1] 'a b'\n[2] c d", None),
        # the values of a row may be rounded, and its mark set in
        ("[14] 21.0 3.1", "[1] 21.000 3.141", (1, "[14]", "[1]")),
        ("##  [3] 1 2", " [1] 1 2", (1, "[3]", "[1]")),
        # rows and columns of a matrix
        ("     [,1] [,3]\n[1,]  1 2", "     [,1] [,2]\n[1,]  1 2", (1, "[,3]", "[,2]")),
        ("     [,1]\n[1,]  1 2", "     [,1] [,2]\n[1,]  1 2", (1, "nothing", "[,2]")),
        ("     [,1]\n[2,]  1", "     [,1]\n[1,]  1", (2, "[2,]", "[1,]")),
        ("## [2,] 1 2\n## [1,] 3 4", "[1,] 1 2\n[2,] 3 4", (1, "[2,]", "[1,]")),
        ("  [,1] [,2]\n[1,] 1 2\n[2,] 3 4", "  [,1]\n[1,] 1\n[2,] 3\n  [,2]\n[1,] 2\n[2,] 4", None),
    ],
)
def test_rows_that_are_counted_otherwise(
    published: str, printed: str, found: tuple[int, str, str] | None
) -> None:
    assert miscounted(published, printed) == found


def test_a_count_is_compared() -> None:
    assert compare_printed("[2] 1.6", "[1] 1.6", "r").kind is BlockKind.DIFFERS
    assert compare_printed("## [1] 1.6", "[1] 1.6", "r").kind is BlockKind.FORMATTING


def test_a_matrix_has_a_row_above_its_columns() -> None:
    matrix = "     [,1] [,2]\n[1,]    1    3\n[2,]    2    4\n"
    without = matrix.partition("\n")[2]
    assert compare_printed(without, matrix, "r").kind is BlockKind.DIFFERS
    assert miscounted(without, matrix) == (2, "nothing", "[,1]")
