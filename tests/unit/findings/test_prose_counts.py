"""What a sentence states of what is asked for right beside it, and of numbers that are told with others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.findings.test_prose_claims import beside, claimed

_TEST = "t = 1.5624, df = 50, p-value = 0.1245"


@pytest.mark.parametrize(
    ("code", "output", "prose", "said"),
    [
        ("length(x)", "## [1] 4", "We learn that there are five items in it.", "five, and the code gives 4"),
        ("length(x)", "## [1] 4", "We learn that there are four items in it.", ""),
        ("length(x)", "## [1] 4", "Without them, there are not five items in it.", ""),
        ("length(x)", "## [1] 4", "The first of five items is the head.", ""),
        ("length(x)", "## [1] 4", "There are five other items.", ""),
        ("length(c(1, 5))", "## [1] 2", "There are three items.", ""),
        (
            "length(x)",
            "## [1] 2",
            "x has a length of three, as it has two items.",
            "three, and the code gives 2",
        ),
        ("length(x)", "## [1] 2", "The list is of length two.", ""),
        ("ncol(m)", "## [1] 3", "It has 8 rows and 4 columns.", "4, and the code gives 3"),
        ("ncol(m)", "## [1] 3", "It has 8 rows and 3 columns.", ""),
        ("ncol(m)", "## [1] 3", "It has 3 rows and 44 columns.", ""),
        ("v[5]", "## [1] 4", "It has five items.", ""),
        ("t(x)", _TEST, "For 51 degrees of freedom it is so.", "51, and the code gives 50"),
        ("t(x)", _TEST, "For 50 degrees of freedom it is so.", ""),
        ("t(x)", _TEST, "For 6 degrees of freedom it is so.", ""),
        ("t(x)", f"{_TEST}\n{_TEST.replace('50', '52')}", "For 51 degrees of freedom it is so.", ""),
    ],
)
def test_counts_are_held_to_what_asks_for_them(
    tmp_path: Path, code: str, output: str, prose: str, said: str
) -> None:
    found = claimed(tmp_path, beside(code, output, prose, "r"))
    assert [one.rpartition(" (")[0] for one in found] == ([f"the text says {said}"] if said else [])
    assert claimed(tmp_path, beside(code, output, prose, "r"), wrong=True) == []


def test_what_is_asked_for_right_above_is_meant_whatever_else_the_code_holds(tmp_path: Path) -> None:
    shown = "# T\n\n```r\nmax(x)\n```\n\n```output\n## [1] 4\n```\n\n"
    asked = beside("length(x)", "## [1] 3", "It contains four elements.", "r").removeprefix("# T\n\n")
    assert len(claimed(tmp_path, shown + asked)) == 1


@pytest.mark.parametrize(
    ("code", "output", "prose", "said"),
    [
        ("m", "[[1 2 3]\n [4 5 6]]", "The second **axis** has length 4.", "4, and the code gives 3"),
        ("m", "[[1 2 3]\n [4 5 6]]", "The second axis has a length of 3.", ""),
        ("m", "[[1 2 3]\n [4 5 6]]", "The first dimension is of size 2.", ""),
        ("m", "[[1 2 3]\n [4 5 6]]", "The third axis has length 9.", ""),
        (
            "print(m)",
            "of shape (3, 4)",
            "With shape (3, 4), the last axis has length 6.",
            "6, and the code gives 4",
        ),
        ("print(m)", "of shape (3, 4)", "With shape (3, 6), the last axis has length 6.", ""),
        ("v.shape", "torch.Size([2])", "It has a shape of [3].", "3, and the code gives 2"),
        ("v.shape", "torch.Size([2])", "It has a shape of [2].", ""),
        ("v.shape", "(2,)", "Its shape is (3,) now.", "3, and the code gives 2"),
    ],
)
def test_axes_are_held_to_the_shape_that_is_printed(
    tmp_path: Path, code: str, output: str, prose: str, said: str
) -> None:
    found = claimed(tmp_path, beside(code, output, prose), wrong=True)
    assert [one.rpartition(" (")[0] for one in found] == ([f"the text says {said}"] if said else [])


@pytest.mark.parametrize(
    ("output", "prose", "said"),
    [
        ("p-value = 0.006359", "The p-value is 0.0635 there.", "0.0635, and the code gives 0.006359"),
        ("p-value = 0.006359", "The p-value is 0.00636 there.", ""),
        ("p-value = 0.006359", "The p-value is 0.635 there.", ""),
        ("p-value = 0.9639", "The p-value is 0.93685 there.", "0.93685, and the code gives 0.9639"),
        ("p-value = 0.9639", "The p-value is 0.96385 there.", ""),
        ("1.770262 8.729738", "They lie above (1.87 - 8.73 of it).", "1.87, and the code gives 1.770262"),
        ("1.770262 8.729738", "They lie above (1.77 - 8.73 of it).", ""),
        ("1.770262 8.629738", "They lie above (1.87 - 8.73 of it).", ""),
        ("0.046875", "It is as large as $0.046785.$", "0.046785, and the code gives 0.046875"),
    ],
)
def test_a_zero_too_many_and_a_number_among_others_are_told_far_away(
    tmp_path: Path, output: str, prose: str, said: str
) -> None:
    text = f"# T\n\n```python\nx.test()\n```\n\n```output\n{output}\n```\n\nSo.\n\n"
    text += "```python\ny = 1\n```\n\n"
    found = claimed(tmp_path, f"{text}{prose}\n")
    assert [one.rpartition(" (")[0] for one in found] == ([f"the text says {said}"] if said else [])
