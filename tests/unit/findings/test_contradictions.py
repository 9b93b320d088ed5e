"""A printed text that denies what it says itself was changed, whatever version printed it."""

from __future__ import annotations

import pytest

from harness.findings.answers import judged
from harness.findings.contradictions import contradicts_itself
from harness.model.article import Answer
from tests.unit.findings import made_runs
from tests.unit.findings.test_typing_slips import of_another_version

RAGGED = "the rows of an array have not one length"


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("3-element Vector{Int64}:\n 1\n 2\n 4", "julia", ""),
        ("3-element Vector{Any}:\n 1\n 2", "julia", "3-element Vector{Any} is said, and 2 rows stand there"),
        ("3-element Vector{Int64}:\n 1\n ⋮\n", "julia", ""),
        ("2×3 Matrix{Int64}:\n 1  2  3\n 4  5  6", "julia", ""),
        ("3×2 Array{Int64,2}:\n 1  2  3", "julia", "3×2 Matrix{Int64} is said, and 1 row stands there"),
        ("Set{Any} with 2 elements:\n", "julia", "Set{Any} with 2 elements is said, and 0 rows stand there"),
        ("Dict{String, Int64} with 1 entry:\n  \"a\" => 4", "julia", ""),
        ("2-element Vector{Int64}:\n 1\n 2\n1-element Vector{Int64}:\n 5", "julia", ""),
        (" [1] 3 4\n [3] 5 6\n [5] 7", "r", ""),
        (" [1] 3 4\n [5] 7 8\n [7] 9", "r", "its rows are counted [1], [5], [7]"),
        (" [1] 3 4\n [1] 5 6 7\n[1] TRUE", "r", ""),
        ("     [,1] [,2]\n[1,]    3    5\n[2,]    4    6", "r", ""),
        ("     [,1]\n[1,]    3\n[3,]    4", "r", "behind row [1,] stands row [3,]"),
        ("     [,1]\n[1,]    3\n[1,]    3\n[2,]   4", "r", "behind row [1,] stands row [1,]"),
        ("     [,1]\n[1,]    3\n[2,]    4\n     [,2]\n[1,]    5\n[2,]    6", "r", ""),
        ("List of 2\n $ a: num 1\n $ b: List of 1\n  ..$ c: num 2", "r", ""),
        ("List of 3\n $ a: num 1\n $ b: num 2", "r", "List of 3 is said, and 2 rows stand there"),
        ("'data.frame':\t5 obs. of  2 variables:\n $ a: int  1 2\n $ b: int  3 4", "r", ""),
        ("  a b\n1 2 3\n3 4 5\n", "r", "behind row 1 stands row 3"),
        ("  a b\n1 2 3\n2 4 5\n  c\n1 2\n2 3\n", "r", ""),
        ("2 2 3\n4 4 5\n", "r", ""),
        ("  a b\n2 2 3\n4 4 5\n", "r", ""),
        ("[1] x y z\nLevels: x y\n", "r", "z is none of the levels"),
        ("[1] x y <NA>\nLevels: x < y\n", "r", ""),
        ("## $ len : int  4.2 11.5 ...\n", "r", "4.2 is no value of int"),
        (" $ len : num  4.2 NA 1e+05 ...\n", "r", ""),
        (' $ s: Factor w/ 2 levels "OJ","VC": 2 2 3 ...\n', "r", "3 is no code of 2 levels"),
        (' $ s: Factor w/ 3 levels "OJ","VC": 2 2 ...\n', "r", "3 levels is said, and 2 rows stand there"),
        (' $ s: Factor w/ 3 levels "OJ","VC",..: 2 2 ...\n', "r", ""),
        ("# A tibble: 3 × 1\n  a\n  <int>\n1 1\n2 2\n", "r",
         "A tibble: 3 × 1 is said, and 2 rows stand there"),
        ("# A tibble: 2 x 1\n  a\n  <int>\n1 1\n2 2\n", "r", ""),
        ("# A tibble: 9 x 1\n  a\n  <int>\n1 1\n# … with 8 more rows\n", "r", ""),
        ("[[1 2]\n [3 4]]\n [3 4]]", "python", "its brackets [] do not close"),
        ("'w': ASCII/Unicode U+0077 (category Ll: Letter, lowercase)", "julia", ""),
        ("'w': ASCII/Unicode U+0077 (category Ll: Letter, uppercase)", "julia",
         "Ll is called Letter, uppercase"),
        ("'w': ASCII/Unicode U+0076 (category Ll: Letter, lowercase)", "julia",
         "U+0076 of category Ll is not w"),
        ("'é': Unicode U+00E9 (category Lu: Letter, uppercase)", "julia", "U+00E9 of category Lu is not é"),
        ("2×2 Array{Int64,2}:\n 1  2\n 4  6", "julia", ""),
        ("2×2 Array{Int64,6}:\n 1  2\n 4  6", "julia", "2×2 Array{Int64,6} has 2 dimensions"),
        ("2×2 Vector{Int64}:\n 1  2\n 4  6", "julia", "2×2 Vector{Int64} has 2 dimensions"),
        ("2-element Matrix{Int64}:\n 1\n 4", "julia", "2-element Matrix{Int64} has 1 dimension"),
        ("2-element Arary{Int64,1}:\n 1\n 4", "julia", "Array is misspelt"),
        ("2-element Vecto{Int64}:\n 1\n 4", "julia", "Vector is misspelt"),
        ("2-element MArray{Int64}:\n 1\n 4", "julia", ""),
        ("2-element Vector{Float64}:\n 1\n 4", "julia",
         "its elements are not printed as those of Float64 are"),
        ("2-element Vector{Float64}:\n 1.0\n 4.0e10", "julia", ""),
        ("2-element Vector{Int64}:\n 1.0\n 4.0", "julia",
         "its elements are not printed as those of Int64 are"),
        ("2-element Vector{Real}:\n 1\n 4.0", "julia", ""),
        ("print('a smile :)')", "python", ""),
        ("[[1 2]\n ...\n [3 4]", "python", ""),
        ("tensor([[1., 1.],\n        [1., 1.]])", "python", ""),
        ("tensor([[[1., 1.],\n         [1., 1.]],\n\n        [[1., 1.]]])", "python", RAGGED),
        ("a = [[1 2]\n [3 4 5]] 7", "python", RAGGED),
        ("[[1, 2], [3, 4, 5]]", "python", ""),
        ("array([[1, 2], [3, 4, 5]], dtype=object)", "python", ""),
        ("array([[1, 2, ..., 3],\n [3, 4, 5, ..., 6]])", "python", ""),
    ],
)  # fmt: skip
def test_what_a_text_says_of_its_rows(text: str, language: str, said: str) -> None:
    assert contradicts_itself(text, language) == said


@pytest.mark.parametrize(
    ("published", "printed", "answer"),
    [
        ("[1] 3 4\n[5] 7 8\n[7] 9\n", "[1] 3 4\n[3] 5 6\n[5] 7 8\n[7] 9\n", Answer.WRONG),
        ("[1] 3 4\n[5] 7 7\n[7] 9\n", "[1] 3 4\n[3] 5 6\n[5] 7 8\n[7] 9\n", Answer.HERE),
        ("[1] 3 4\n[3] 5 6\n[5] 7\n", "[1] 3 4\n[3] 5 6\n[5] 7 8\n[7] 9\n", Answer.HERE),
    ],
)
def test_no_version_prints_rows_that_deny_their_counts(published: str, printed: str, answer: Answer) -> None:
    (_, block) = judged(of_another_version(published, printed)).blocks
    assert block.answer is answer, block.why


@pytest.mark.parametrize("stated", ["", "0.6.2", "1.5.3", "1.9.2"])
@pytest.mark.parametrize(
    ("head", "answer"),
    [
        ("Matrix{Int64}", Answer.REPRODUCED),
        ("Arary{Int64,2}", Answer.WRONG),
        ("Matirx{Int64}", Answer.WRONG),
        ("Array{Int64,6}", Answer.WRONG),
        ("Matrix{Float64}", Answer.WRONG),
        ("Matrix{Int32}", Answer.HERE),  # as a machine has it
        ("DArray{Int64,2}", Answer.HERE),
        ("Diagonal{Int64,Array{Int64,1}}", Answer.HERE),
    ],
)
def test_no_version_heads_an_array_so(head: str, answer: Answer, stated: str) -> None:
    published, printed = (f"2×2 {name}:\n 1  2\n 4  6\n" for name in (head, "Array{Int64,2}"))
    rest = ("1 + 1", "2\n")
    assert made_runs.said("foo(x)", published, printed, language="julia", rest=rest, stated=stated) is answer


def test_a_part_of_an_output_denies_nothing_where_more_than_one_row_is_left_out() -> None:
    rows = [f"[{n},]    {n * n}\n" for n in range(1, 7)]
    shown = "".join(["     [,1]\n", *rows[:2], *rows[4:]])
    (_, block) = judged(of_another_version(shown, "".join(["     [,1]\n", *rows]))).blocks
    assert block.answer is Answer.HERE


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("array([2, x, 4.5], dtype=float64)", "float64 is named beside values that say it"),
        ("array([[1.+2.j]],\n      dtype=complex128)", "complex128 is named beside values that say it"),
        ("tensor([2, 4], dtype=torch.int64)", "torch.int64 is named beside values that say it"),
        ("array([], dtype=float64)", ""),
        ("array([1., 2.], dtype=float32)", ""),
        ("array([ True], dtype=bool)", ""),  # as NumPy did before 1.14
        ("masked_array(data=[--, --], mask=[ True, True], fill_value=1e+20, dtype=float64)", ""),
        ("tensor([2., 4.], dtype=torch.float64)", ""),
        ("0     1.0\n1     NaN\ndtype: int64", "its values are not printed as those of int64 are"),
        ("#> 0    1.0\n#> 1    2.5\n#> dtype: int64", "its values are not printed as those of int64 are"),
        ("a    3\nb    4\nName: n, dtype: float64", "its values are not printed as those of float64 are"),
        ("a    1.0\nb    NaN\ndtype: float64", ""),
        ("a    3\nb    4\ndtype: int64", ""),
        ("a    True\nb    False\ndtype: bool", ""),
        ("a    3\nb    4\ndtype: bool", "its values are not printed as those of bool are"),
        ("a      int64\nb    float64\ndtype: object", ""),
        ("a    3.5\n\ndtype: int64", ""),
    ],
)
def test_a_kind_is_named_where_no_version_names_it(text: str, said: str) -> None:
    assert contradicts_itself(text, "python") == said


def test_no_version_of_pandas_calls_fractions_whole() -> None:
    code = "import pandas as pd\ns"
    published, printed = (f"0    1.0\n1    NaN\ndtype: {kind}\n" for kind in ("int64", "float64"))
    assert made_runs.said(code, published, printed) is Answer.WRONG
    assert made_runs.said(code, printed.replace("float64", "object"), printed) is Answer.HERE
