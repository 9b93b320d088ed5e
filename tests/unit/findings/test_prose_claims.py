"""What prose and comments say of an output, against what it shows."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from harness.documents.model import OutputBlock
from harness.documents.parse import parse_document
from harness.findings.prose_claims import said_of_outputs
from harness.findings.prose_comments import comments_of
from harness.model.article import Answer, Severity
from tests.unit.findings.made_runs import Ran, chunk


def claimed(
    tmp_path: Path, text: str, answer: Answer = Answer.REPRODUCED, *, wrong: bool = False
) -> list[str]:
    path = tmp_path / "a.md"
    path.write_text(text, encoding="utf-8")
    runs = Ran([], [])
    runs.document = parse_document(path)
    answers = {
        (chunk.index, place): answer for chunk in runs.document.chunks for place in range(len(chunk.output))
    }
    return [
        finding.evidence
        for finding in said_of_outputs(runs, answers)
        if not wrong or finding.severity is Severity.WRONG
    ]


def beside(code: str, output: str, prose: str, language: str = "python") -> str:
    return f"# T\n\n```{language}\n{code}\n```\n\n```output\n{output}\n```\n\n{prose}\n"


@pytest.mark.parametrize(
    ("code", "output", "prose", "said"),
    [
        ("y(1)", "30.0", "That is $3(1 + 4)^2 = 3(10) = 35$.", "35, and the code gives 30.0"),
        ("y(1)", "30.0", "That is $3(1 + 4)^2 = 3(10) = 30$.", ""),
        ("y(1)", "12.0", "That is $3(1 + 4)^2 = 3(10) = 35$.", ""),
        ("y(1)", "3.5", r"Here $\frac{7}{2}=3.6$.", "3.6, and the code gives 3.5"),
        ("y(1)", "3.5", r"Here $x + \frac{7}{2}=3.6$.", ""),
        ("y(1)", "0.3333333", "Here 1 / 3 = 0.33.", ""),
        ("y(1)", "0.1", r"In binary, $1 / 10 = 0.00011001\cdots_2$.", ""),
        ("y(1)", "0.1", r"In decimals, $1 / 10 = 0.00011001$.", "0.00011001, and the code gives 0.1"),
        ("y(1)", "6", "That is all of it (2 * 3 = 5).", "5, and the code gives 6"),
        ("y(1)", "6", "That is all of it (2 * 3 = 6).", ""),
        ("y(1)", "6", "That is f(2 * 3 = 5) of it.", ""),
        ("y(1)", "0.6296296", "So 136/(6.0**3) = 0.83 of them.", "0.83, and the code gives 0.6296296"),
        ("y(1)", "0.6296296", "So 136/(6.0**3) = 0.63 of them.", ""),
        ("eps()", "2.2204e-16", r"$2.2240 \times 10^{-16}$", "2.2240e-16, and the code prints 2.2204e-16"),
        ("eps()", "2.220446e-16", r"It is $2.2204 \times 10^{-16}$ and 2.22e-16.", ""),
        ("eps()", "2.220446e-16", r"It is $2.2240 \times 10^{-15}$.", ""),
        ("fit(x)", "4.15786", "Their mean is 4.1758565 now.", "4.1758565, and the code prints 4.15786"),
        ("fit(x)", "4.15786", "Their mean is 4.1578565 now.", ""),
        ("fit(x)", "3.14169", "It tends to 3.14159265 now.", ""),
        ("share(x)", "0.5216", "That is 52.4% of them.", "52.4%, and the code prints 0.5216"),
        ("share(x)", "0.5216", "That is 52.2% of them.", ""),
        ("nrow(x)", "1704", "There are 1794 rows.", "1794, and the code gives 1704"),
        ("nrow(x)", "1704", "It was so in 1794.", ""),
        ("drop(x)", "59", "It is missing for 51 players.", "51, and the code prints 59"),
        ("drop(x)", "59", "It is missing for some 50 players.", ""),
        ("drop(x)", "59\n7", "It is missing for 51 players.", ""),
        ("rise(x)", "9.17054", "That is an increase of 2.17 each.", "2.17, and the code prints 9.17054"),
        ("f(x)", "[23.6166 18.7630]", "They are $23.62, 19.76$ each.", "19.76, and the code gives 18.7630"),
        ("f(x)", "[23.6166 18.7630]", "They are $23.62, 18.76$ each.", ""),
        ("prior(x)", "0.50801603", r"Here $\pi_{Up}=0.507$ holds.", "0.507, and the code prints 0.50801603"),
        ("prior(x)", "0.50801603", r"Here $\pi_{Up}=0.508$ holds.", ""),
        ("prior(x)", "0.50801603", r"Here $\pi_{Up}>=0.507$ holds.", ""),
        ("stats(x)", "10765 10766", "The mean (10266) and the rest.", "10266, and the code gives 10766"),
        ("stats(x)", "10765 10766", "The mean f(10266) and the rest.", ""),
        ("stats(x)", "10765 10766", "The mean (10266 + 500) and the rest.", ""),
        ("sizes.nbytes", "8", "So sizes nbytes is 4 here.", "4, and the code gives 8"),
        ("sizes.nbytes", "8", "If sizes nbytes is 4, all is well.", ""),
        ("len(names)", "6", "The length of the list is 5.", "5, and the code gives 6"),
        ("len(names)", "6", "The length of the list is 15.", ""),
        ("det(A)", "-2.0", "Then det(A) $I = 0$ holds.", ""),
        ("ncol(frame)", "6", "There are 9 columns.", "9, and the code gives 6"),
        ("ncol(frame)", "6", "There are 9 columns in the frame.", "9, and the code gives 6"),
        ("ncol(frame)", "6", "There are 6 columns.", ""),
        ("ncol(frame)", "6", "There are 2 columns with names.", ""),
        ("ncol(frame)", "6", "We take 2 columns.", ""),
        ("len(frame)", "6", "It is 2 columns.", ""),
        ("total(names)", "6", "So the result is 5.", "5, and the code gives 6"),
        ("total(names)", "6", "**ANSWER:** 5", "5, and the code gives 6"),
        ("total(names)", "2.27", "Answer: 3", ""),
        ("total(names)", "6", "Answer: 5", "5, and the code gives 6"),
        ("total(names)", "6", "**Answer 5**: no", ""),
        ("total(names)", "6", "The result is 6.", ""),
        ("total(names)", "6", "Another result is 5.", ""),
        ("total(names)", "6\n7", "The result is 5.", ""),
        ("total(names)", "6", "The result is 5 * 2.", ""),
        ("total(names)", "6", "It has 5 of them.", ""),
        ("9 / 2", "4.5", "Here `9 / 2` gives `4.6`.", "4.6, and the code gives 4.5"),
        ("9 / 2", "4.5", "Here `9 // 2` gives `4`.", ""),
        ("v", "[1 2 4 8 16]", "So it is `[1, 2, 4, 9, 16]`.", "9, and the code gives 8"),
        ("v", "[1 2 4 8 16]", "So it is `[1, 2, 4, 8]`.", ""),
        ("v", "[6 2 6 -6]", r"$\begin{bmatrix} 6 & 2 \\ 6 & -5 \end{bmatrix}$", "-5, and the code gives -6"),
        ("v", "[6 2 6 -6]", r"$$\begin{bmatrix} 6 & 6 \\ 2 & -6 \end{bmatrix}$$", ""),
        ("v", "[5 2 0 8]", r"$\begin{bmatrix} 5 & 2 \\ 0 & 7 \end{bmatrix}$", "7, and the code gives 8"),
        ("v", "[5 2 0 0 8]", r"$\begin{bmatrix} 5 & 0 \\ 0 & 0 \\ 8 \end{bmatrix}$", ""),
        (
            "v",
            "[5 2 9 8]",
            r"$\begin{bmatrix} 5 & 2 \\ 9 & 7 \end{bmatrix}=\begin{bmatrix} 5 & 3 \\ 1 & 1 \end{bmatrix}$",
            "",
        ),
        ("v", "[1 2 4 8]", "It is either `[1, 2, 4, 9]` or `[1, 2, 4, 7]`.", ""),
        ("v", "[1 2 4 8]", "So `[1, 2, 4, 0]` becomes `[1, 2, 4, 8]`.", ""),
        ("v", "[1 0 0 7]", r"Take $\begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix}$.", ""),
        ("v", "[1.+2.j 2.+0.j 4.+8.j 8.+0.j]", "The frequencies are `[1, 2, 4, 9]`.", ""),
        ("z", "(2+3j)", "It is `2+4j` now.", "2+4j, and the code gives 2+3j"),
        ("z", "(2+3j)", "It is `2+3j` now.", ""),
        ("m.shape", "(4, 7)", "4 rows and 6 columns.", "4 rows and 6 columns, and the code gives 4 × 7"),
        ("dot(a)", "[[ 7 10]\n [15 22]]", "`np.array([[7, 10], [15, 25]])`.", "25, and the code gives 22"),
        ("dot(a)", "[[ 7 10]\n [15 22]]", "`np.array([[7, 10], [15, 22]])`.", ""),
        ("m.shape", "(4, 7)", "6 columns and 4 rows.", "6 columns and 4 rows, and the code gives 4 × 7"),
        ("m.shape", "(4, 7)", "It has 7 columns and 4 rows.", ""),
        ("m.shape", "(4, 7)", "It has 9 columns.", "9, and the code gives 7"),
        ("m.shape", "(4, 7)", "There are 3 rows in the matrix.", "3, and the code gives 4"),
        ("m.shape", "(4, 7)", "There are 3 rows with zeros.", ""),
        ("m.shape", "(4, 7)", "There are 7 columns.", ""),
        ("m[3].shape", "(4, 7)", "There are 3 rows.", ""),
        ("m.shape", "(4, 7)", "The shape is `(7, 4)`.", "(7, 4), and the code gives 4 × 7"),
        ("m.shape", "(4, 7)", "Transposed, its shape is `(7, 4)`.", ""),
        ("m.shape", "(4, 7)", "The shape is `(4, 7)`, and (1, 2) a point.", ""),
        ("m", "(4, 7)", "The shape is `(7, 4)`.", ""),
    ],
)  # fmt: skip
def test_prose_is_held_against_the_output_beside_it(
    tmp_path: Path, code: str, output: str, prose: str, said: str
) -> None:
    found = claimed(tmp_path, beside(code, output, prose))
    wrong = [one.rpartition(" (")[0] for one in found]
    assert wrong == ([f"the text says {said}"] if said else [])


@pytest.mark.parametrize(
    ("prose", "said"),
    [
        ("The mean was 6210.4, and the largest, unlike before, 8912.", "8912, and the code gives 8812"),
        ("The mean was 6210.4, and the largest, unlike before, 8812.", ""),
        ("The mean was 6210.4, then 6212.4.", ""),
        ("The mean was 6210.4, and would be 8912.", ""),
        ("The mean was 6210.4, and the largest 8813 or about 8800.", ""),
        ("Unlike before, the largest is 8912.", ""),
    ],
)
def test_who_tells_some_numbers_of_an_output_tells_the_others_too(
    tmp_path: Path, prose: str, said: str
) -> None:
    found = claimed(tmp_path, beside("stats(x)", "mean 6210.4\nmax 8812\nn 17", prose), wrong=True)
    assert [one.rpartition(" (")[0] for one in found] == ([f"the text says {said}"] if said else [])


def test_of_a_long_output_a_line_is_told(tmp_path: Path) -> None:
    rows = "\n".join(f"{name} {1000 + 37 * name} {500 + 29 * name}" for name in range(1, 9))
    text = beside("table(x)", rows, "The first one made %s of 1037 then, and not fewer.")
    (found,) = claimed(tmp_path, text % "539", wrong=True)
    assert found.startswith("the text says 539, and the code gives 529 ")
    assert claimed(tmp_path, text % "529", wrong=True) == []
    assert claimed(tmp_path, text % "558", wrong=True) == []


def test_what_is_held_against_a_long_number_differs_from_it_at_its_end(tmp_path: Path) -> None:
    text = beside("se(x)", "0.02558013", "It is close to the theoretical one, %s.")
    assert len(claimed(tmp_path, text % "0.02758013", wrong=True)) == 1
    assert claimed(tmp_path, text % "0.02558019", wrong=True) == []


def test_a_list_that_the_document_has_elsewhere_is_meant_for_that(tmp_path: Path) -> None:
    text = beside("v", "[1 2 4 8 16]", "So it is `[1, 2, 4, 9, 16]`.")
    assert claimed(tmp_path, f"{text}\n```python\nw = [1, 2, 4, 9, 16]\n```\n") == []


def test_what_was_changed_behind_an_output_has_another_count(tmp_path: Path) -> None:
    counted = "# T\n\n```r\nlength(x)\n```\n\n    ## [1] 919\n\n"
    changed = "```r\nx <- x[-1]\nclass(x)\n```\n\n    ## [1] 2\n\n"
    assert claimed(tmp_path, f"{counted}{changed}It has 918 items.\n") == []
    assert len(claimed(tmp_path, f"{counted}It has 918 items.\n")) == 1


def test_only_a_reproduced_output_contradicts(tmp_path: Path) -> None:
    text = beside("len(names)", "6", "The length of the list is 5.")
    assert claimed(tmp_path, text, Answer.WRONG) == []
    # What differs here is what the author saw all the same, and worth a look.
    assert len(claimed(tmp_path, text, Answer.HERE)) == 1
    assert claimed(tmp_path, text, Answer.HERE, wrong=True) == []


def test_a_number_in_front_of_an_output_is_held_against_it(tmp_path: Path) -> None:
    text = "# T\n\n```python\nx = 1 / 80\n```\n\nNow it is 0.0152:\n\n```python\n>>> x\n0.0125\n```\n"
    assert claimed(tmp_path, text) == ["the text says 0.0152, and the code gives 0.0125 (line 11)"]
    assert claimed(tmp_path, text.replace("0.0152", "0.0125")) == []
    assert claimed(tmp_path, text.replace("Now it is 0.0152", "It was 0.0135")) == []
    assert claimed(tmp_path, text.replace("Now it is", "[ ]")) == []


@pytest.mark.parametrize("denied", ["not as `3456`", "instead of 3456", "rather than 3456"])
def test_a_number_that_a_text_denies_is_told_by_nothing(tmp_path: Path, denied: str) -> None:
    text = "# T\n\nThe array is shown as `3546`, %s.\n\n```python\n>>> show(A)\n3546\n```\n"
    assert claimed(tmp_path, text % denied, wrong=True) == []
    assert len(claimed(tmp_path, text % "and so 3456", wrong=True)) == 1


@pytest.mark.parametrize(
    ("code", "output", "said"),
    [
        ("print(a)\nprint(a[1, 1])  # should be 5", "[[1 2]\n [3 4]]\n4", "5, and the code gives 4"),
        ("print(a)\nprint(a[1, 1])  # should be 4", "[[1 2]\n [3 4]]\n4", ""),
        ("print(a[1, 1])  # should be 5\nprint(b)", "4\n7", ""),
        ("t.head(3)  # shows the first 4 rows", "   a\n0  1\n1  2\n2  3", "4, and the code gives 3"),
        ("t.head(3)  # shows the first 3 rows", "   a\n0  1\n1  2\n2  3", ""),
        ("t.head(3)  # one of the 4 tables", "   a\n0  1\n1  2\n2  3", ""),
        (
            "print(\n    dot(a, a),  # [[7, 10], [15, 25]]\n)",
            "[[ 7 10]\n [15 22]]",
            "25, and the code gives 22",
        ),
        ("print(\n    dot(a, a),  # [[7, 10], [15, 22]]\n)", "[[ 7 10]\n [15 22]]", ""),
        ("b = [7, 10, 15, 25]  # not [7, 10, 15, 22]\nprint(dot(b))", "[ 7 10 15 24]", ""),
        ("# a matrix, 3 x 5\nprint(m.shape)", "(3, 4)", "3 x 5, and the code gives 3 × 4"),
        ("x = f(5)\n# 5 is the value of x\nx", "4", ""),
        ("print(mean(x))  # about 17.35", "17.53012", "17.35, and the code gives 17.53012"),
    ],
)
def test_comments_are_held_against_the_code_and_its_output(
    tmp_path: Path, code: str, output: str, said: str
) -> None:
    found = claimed(tmp_path, beside(code, output, "So it is."))
    assert [one.partition(" (")[0] for one in found] == ([f"the comment says {said}"] if said else [])


@pytest.mark.parametrize(("mark", "said"), [("##", 0), ("#", 1)])
def test_a_comment_with_the_mark_of_outputs_may_be_one_that_is_not_read(
    tmp_path: Path, mark: str, said: int
) -> None:
    code = f"mean(x)\n## [1] 17.53012\nfit(x)\n{mark} mean of all: 17.35012\ny <- 1"
    assert len(claimed(tmp_path, f"# T\n\n```r\n{code}\n```\n")) == said


def test_a_text_is_held_to_what_could_not_be_run_and_accuses_nobody(tmp_path: Path) -> None:
    text = beside("fit(x)", "1.719057 8.780943", "The limits are 1.719057 and %s.")
    (found,) = claimed(tmp_path, text % "8.780934", Answer.UNCHECKED)
    assert found.startswith("the text says 8.780934, and the output shows 8.780943 ")
    assert claimed(tmp_path, text % "8.780934", Answer.UNCHECKED, wrong=True) == []
    assert claimed(tmp_path, text % "8.780943", Answer.UNCHECKED) == []
    assert claimed(tmp_path, text % "8.780934", Answer.NOBODY) == []


@pytest.mark.parametrize(
    ("prose", "said"),
    [
        ("The mean is 5.0187245 here.", "5.0187245, and the code gives 5.0178245"),
        ("The mean is 5.0178245 here.", ""),
        ("The mean is 5.0179 here.", ""),
        ("The mean is 5.0187245 or 5.0178245 here.", "5.0187245, and the code gives 5.0178245"),
        ("The mean is 5.0171845 here.", ""),
        ("It is not 5.0187245 here.", ""),
        ("The order ID 51078 is there.", ""),
        ("The order 51078 is there.", "51078, and the code gives 50178"),
        ("The order 51078 is there, and 51078 again.", ""),
        ("Of 50178 and 900 orders, 51078 are there.", ""),
        ("The rest, 49821.9825, is there.", ""),
        ("Here $$ x_1 = 5.0187245, \\quad y = 2 $$ holds.", "5.0187245, and the code gives 5.0178245"),
        ("Here $$ x_1 = 5.0178245, \\quad y = 2 $$ holds.", ""),
        ("The height is 187.", ""),
        ("The height is 178.", ""),
    ],
)
def test_a_long_number_is_held_to_outputs_that_are_far_away(tmp_path: Path, prose: str, said: str) -> None:
    shown = "# T\n\n```python\nx.order()\n```\n\n```output\n5.0178245\n50178\n```\n\nSo.\n\n"
    between = "".join(f"```python\ny = {n}\n```\n\nThen.\n\n" for n in range(5))
    found = claimed(tmp_path, f"{shown}{between}{prose}\n")
    assert [one.rpartition(" (")[0] for one in found] == ([f"the text says {said}"] if said else [])


def test_among_many_numbers_one_is_like_another_by_chance(tmp_path: Path) -> None:
    text = "# T\n\n```python\nf(x)\n```\n\n```output\n%s\n```\n\nSo.\n\n"
    text += "```python\ny = 1\n```\n\nIt is 4318 then.\n"
    assert len(claimed(tmp_path, text % "4138")) == 1
    assert claimed(tmp_path, text % " ".join(["4138", *map(str, range(2000, 2100))])) == []


@pytest.mark.parametrize(
    ("code", "output", "prose", "said"),
    [
        ("m", "array([[1, 2, 3],\n       [4, 5, 6]])", "A 2 by 4 array.", "2 by 4, and the code gives 2 × 3"),
        ("m", "array([[1, 2, 3],\n       [4, 5, 6]])", "A 2 by 3 array.", ""),
        ("m", "array([[1, ..., 3],\n       [4, ..., 6]])", "A 2 by 4 array.", ""),
        ("m", "array([[1, 2, 3],\n       [4, 5]])", "A 2 by 4 array.", ""),
        ("m", "[[1 2 3]\n [4 5 6]]", "It has four rows.", "four, and the code gives 2"),
        ("m", "[[1 2 3]\n [4 5 6]]", "It has two rows.", ""),
        ("m", "[[1 2 3]\n [4 5 6]]", "The whole matrix has 1,000 rows.", ""),
        ("m", "[[1 2 3]\n [4 5 6]]", "Imagine a matrix with 4 rows.", ""),
        ("m", "[[1 2 3]\n [4 5 6]]", "Here is a matrix with 4 rows (of two).", "4, and the code gives 2"),
        ("m", "[[1 2 3]\n [4 5 6]]", "It has three columns.", ""),
        ("m", "[[1 2 3]\n [4 5 6]]", "It has five columns in frame.", ""),
        ("m", "[[1 2 3]\n [4 5 6]]", "It has five columns in m.", "five, and the code gives 3"),
        ("m", "[[1 2 3]\n [4 5 6]]",
            "A table of 2 rows and five columns.", "2 rows and five columns, and the code gives 2 × 3"),
        ("v", "[1 2 3 4]", "It is a vector of length 5.", "5, and the code gives 4"),
        ("v", "[1 2 3 4]", "It is a list with five elements.", "five, and the code gives 4"),
        ("v", "[1 2 3 4]", "It is a list with four elements.", ""),
        ("v[:5]", "[1 2 3 4]", "It is a list with five elements.", ""),
        ("v", "[1 2 3 4]", "One is a vector of length 1.", ""),
        ("v", "[1 2 3 4]", "One is a vector of length 9.", ""),
        ("math.degrees(pi)", "180.0", "So pi is 190 degrees.", "190, and the code gives 180.0"),
        ("math.degrees(pi)", "180.0", "So pi is 180 degrees.", ""),
        ("versin(n)", "2", "As versin n = 1 - (-1)^n holds.", ""),
    ],
)  # fmt: skip
def test_shapes_lengths_and_units_are_held_to_what_is_printed(
    tmp_path: Path, code: str, output: str, prose: str, said: str
) -> None:
    found = claimed(tmp_path, beside(code, output, prose))
    assert [one.rpartition(" (")[0] for one in found] == ([f"the text says {said}"] if said else [])


def test_the_width_may_stand_in_front_of_the_height(tmp_path: Path) -> None:
    text = beside("m", "[[1 2 3]\n [4 5 6]]", "%s")
    assert len(claimed(tmp_path, text % "A 3 by 2 array.")) == 1
    assert claimed(tmp_path, text % "A 3 by 2 array.", wrong=True) == []
    assert len(claimed(tmp_path, text % "An array of 3 rows and 2 columns.", wrong=True)) == 1


def test_a_text_speaks_of_the_first_output_below_what_is_set_up(tmp_path: Path) -> None:
    head = "# T\n\nConsider a 2 by %s array.\n\n```python\nm = f()\n```\n\n"
    text = head + "```python\nm\n```\n\n```output\n[[1 2 3]\n [4 5 6]]\n```\n"
    assert claimed(tmp_path, text % 4) == ["the text says 2 by 4, and the code gives 2 × 3 (line 14)"]
    assert claimed(tmp_path, text % 3) == []


def test_what_was_printed_above_is_what_has_columns(tmp_path: Path) -> None:
    text = beside("head(x)", "a b c d\n1 2 3 4", "Now it has four columns%s")
    below = "\n```python\ny.shape\n```\n\n```output\n(17, 2)\n```\n"
    assert claimed(tmp_path, text % "." + below) == []
    assert len(claimed(tmp_path, text % ":" + below)) == 1


def test_rows_and_columns_are_told_far_from_where_they_are_printed(tmp_path: Path) -> None:
    shown = beside(
        "d.shape", "(150, 4)", "So.\n\n```python\nx = 1\n```\n\nThen.\n\n```python\ny = 1\n```\n\n%s"
    )
    said = "the text says 160 **observations** and 4 **features, and the code gives 150 × 4 (line 8)"
    assert claimed(tmp_path, shown % "There are 160 **observations** and 4 **features**.") == [said]
    assert claimed(tmp_path, shown % "There are 150 **observations** and 4 **features**.") == []
    assert claimed(tmp_path, shown % "Take 100 observations and 3 features.") == []


def test_an_output_that_stands_in_the_next_block_is_no_line_of_the_code() -> None:
    block = OutputBlock(line=99, text="2", info="comment")
    made = msgspec.structs.replace(chunk(0, "# the sum\n1 + 1"), output=(block,))
    assert list(comments_of(made)) == [(1, "the sum")]


@pytest.mark.parametrize(
    ("output", "prose"),
    [
        # One number is no list, and what a list is said to hold may be a part of it.
        ("[1] 3", "A vector of two integers, as defined by `1:2`."),
        ("[1] 5 6 7", "A vector of two integers, as defined by `5:6`."),
        # A fraction of two digits is like many, rounded or not, and an exercise has a number.
        ("[1] 0.06063451", "With three of them the new alpha is 0.016."),
        ("[1] 0.115", "The mean square tells it. See 1.12 for more."),
        ("[1] 1.1345", "Exercise 1.12: use a boxplot."),
    ],
)
def test_what_a_text_need_not_have_from_the_output_beside_it_is_no_accusation(
    tmp_path: Path, output: str, prose: str
) -> None:
    assert claimed(tmp_path, beside("x", output, prose, "r"), wrong=True) == []


@pytest.mark.parametrize(("order", "accused"), [((0, 1, 2), 0), ((1, 2, 0), 1)])
def test_a_text_in_front_of_all_code_may_speak_of_other_data(
    tmp_path: Path, order: tuple[int, ...], accused: int
) -> None:
    parts = (
        "The file with all examples has 41188 of them.\n\n",
        "```python\nx = read()\n```\n\nSo.\n\n```python\nx.count()\n```\n\n```output\n71188\n```\n\n",
        "Now.\n\n```python\ny = 1\n```\n\n",
    )
    text = "# T\n\n" + "".join(parts[place] for place in order)
    assert len(claimed(tmp_path, text)) == 1
    assert len(claimed(tmp_path, text, wrong=True)) == accused
