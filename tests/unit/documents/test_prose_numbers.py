"""Numbers in prose: linked where the link is certain, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.parse import parse_document
from harness.documents.prose_model import ProseNumber
from harness.documents.prose_numbers import numbers_written, printed_number
from harness.documents.written_numbers import rounds_to


def linked(
    tmp_path: Path, prose: str, output: str = "accuracy 0.8732\nloss 12.5041\n"
) -> tuple[ProseNumber, ...]:
    path = tmp_path / "a.md"
    path.write_text(f"# T\n\n```python\nf()\n```\n\n```output\n{output}```\n\n{prose}\n", encoding="utf-8")
    return parse_document(path).numbers


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("We reach an accuracy of 0.87.", [("0.87", True, 12)]),
        ("We reach 87.3% here.", [("87.3%", True, 12)]),
        ("Here\nthe loss is 12.50.", [("12.50", True, 13)]),
        ("The accuracy is 0.88.", [("0.88", False, 12)]),
        ("The loss ends at 12.4051 now.", [("12.4051", False, 12)]),
        ("It may well be 0.88.", []),
        ("The accuracy is 0.31.", []),
        ("See section 0.87, `x = 0.87`, $0.87$ and [a](http://a.b/0.87).", []),
        ("It is `12.5041` and not `x.1`.", [("12.5041", True, 12)]),
        ("It is $12.4041$.", [("12.4041", False, 12)]),
        ("So $z = [0.8722, 12.5041]$ is it.", [("0.8722", False, 12), ("12.5041", True, 12)]),
        ("So $z = 12.5041 + 3$ is it.", []),
        ("So $z = 3 + 12.5041 $ is it.", []),
        ("It falls by `12.4051 m` then.", [("12.4051", False, 12)]),
        ("[x] It is 12.4051.", []),
        ("損失は12.4051であり、", [("12.4051", False, 12)]),
        ("损失为12.5041。", [("12.5041", True, 12)]),
        ("It is x12.4051 or Ä12.4051.", []),
        ("There are 3 of them.", []),
        ("Since 2012 it is 13.", []),
    ],
)
def test_links(tmp_path: Path, prose: str, expected: list[tuple[str, bool, int]]) -> None:
    assert [(n.text, n.exact, n.line) for n in linked(tmp_path, prose)] == expected


@pytest.mark.parametrize(
    ("prose", "output", "number"),
    [
        ("There are 738 rows, 78 of them new.", "728\n61\n", "738"),
        ("Look at the 71 in the corner.", "[[1, 0], [17, 2]]\n", "71"),
        ("The mean is 5.4 here.", "n 12\nmean 4.5\n", "5.4"),
        ("It took `0.052` of it.", "0.025\n", "0.052"),
        ("Look at the 18 in the corner.", "[[1, 0], [17, 2]]\n", ""),
        ("He made 587 of them.", "584\n578\n", "587"),
        ("It costs $6.25 for each.", "6.52\n", "6.25"),
        ("It falls by 7.42 now.", "-7.2449\n", "7.42"),
        ("It falls by 1.08 now.", "-1.80921138\n", "1.08"),
        ("It falls by 1.80 now.", "-1.80921138\n1.30412\n", ""),
        ("It is 0.025 now.", "0.05296\n", ""),
        ("From 150 to 200 on.", "180.5738\n", ""),
        ("There were 71 of them.", f"{list(range(30, 45))}\n17\n", ""),
    ],
)
def test_a_short_number_is_linked_to_one_that_is_turned_or_has_all_digits_but_one(
    tmp_path: Path, prose: str, output: str, number: str
) -> None:
    """Among many printed numbers, one of two digits is another's by chance."""
    found = [(one.text, one.exact) for one in linked(tmp_path, prose, output)]
    assert found == ([(number, False)] if number else [])


def test_two_printed_numbers_that_round_to_it_are_no_link(tmp_path: Path) -> None:
    assert linked(tmp_path, "It is 0.87.", "0.8732\n0.8701\n") == ()


def test_the_place_of_a_linked_number_names_it_in_another_text(tmp_path: Path) -> None:
    (number,) = linked(tmp_path, "The loss is 12.50.")
    other = printed_number("accuracy 0.8732\nloss 12.6041\n", "python", number.item)
    assert other is not None
    assert other.text == "12.6041"
    assert not rounds_to(other, number.text)
    same = printed_number("accuracy 0.8732\nloss 12.5041\n", "python", number.item)
    assert same is not None
    assert rounds_to(same, number.text)


def test_a_heading_ends_what_belongs_together(tmp_path: Path) -> None:
    assert linked(tmp_path, "## Next\n\nIt is 0.8732.") == ()


def test_numbers_of_many_digits(tmp_path: Path) -> None:
    long = "0.199999999999999733546474089962430298328399658203125"
    assert linked(tmp_path, f"It is {long} in truth.", "0.19999999999999973\n") == ()
    assert linked(tmp_path, f"It is 0.{'0' * 3000}12 and {'7' * 3000}.", "12.5\n") == ()


@pytest.mark.parametrize(("prose", "links"), [("It is 73.84.", 0), ("It is 73.95.", 1), ("It is 73.85.", 1)])
def test_a_number_that_is_cut_and_not_rounded_is_no_other(tmp_path: Path, prose: str, links: int) -> None:
    assert len(linked(tmp_path, prose, "mean 73.847017\n")) == links


def test_a_power_of_ten_that_is_zero_is_no_year() -> None:
    assert [found[0] for found in numbers_written("a tolerance of 0.000e-4 is used")] == []


@pytest.mark.parametrize(
    "prose",
    [
        r"It is $\frac{1825}{6649}=0.274$.",
        r"It is $\frac{6350.5}{12001}\approx0.529$",
        "\\begin{equation*}\nN(0.75, 2.33)\n\\end{equation*}",
        r"It is \(x = 0.274\) and \[y = 0.529\]",
    ],
)
def test_what_a_formula_itself_comes_to_repeats_no_output(prose: str) -> None:
    assert [found[0] for found in numbers_written(prose)] == []


def test_what_a_formula_does_not_come_to_may_repeat_one() -> None:
    assert [found[0].strip() for found in numbers_written(r"It is $\frac{1825}{6649}=0.247$")] == ["0.247"]
