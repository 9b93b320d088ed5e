"""Outputs that nobody is accused of, and that differ in one place: shown first, and at most three."""

from __future__ import annotations

import pytest

from harness.findings.answers import judged
from harness.model.article import Answer, Suspect
from tests.unit.findings.made_runs import Ran, chunk, left

NEEDS = "import saying\nsaying.f(1)"


def looked_at(published: str, printed: str, code: str = NEEDS, again: str = "") -> tuple[Suspect, ...]:
    """What is worth a look of an output of a package, of which the version is not known."""
    runs = Ran([chunk(0, code, output=published)], [left(printed)], again=[left(again or printed)])
    said = judged(runs)
    assert [block.answer for block in said.blocks] != [Answer.WRONG]
    return said.suspects


def test_one_value_of_several_is_worth_a_look() -> None:
    (suspect,) = looked_at("16 7 8 9\n", "17 7 8 9\n")
    assert suspect.shows == "line 1 of the output: 16 is published, and the code prints 17"
    assert suspect.place == "line 6"
    assert "version" in suspect.held_back


@pytest.mark.parametrize(
    ("published", "printed"),
    [
        ("1 2 3 4\n", "4 3 2 1\n"),
        ("16.12345678901234 7 8 9\n", "16.12345678901237 7 8 9\n"),
        ("dtype: object 7 8 9\n", "dtype: str 7 8 9\n"),
        ("<Q at 0x7f00aa> 7 8 9\n", "<Q at 0x7f00bb> 7 8 9\n"),
        ("16 7 8 9\n", "True 7 8 9\n"),
    ],
)
def test_what_versions_machines_and_rounding_do_is_not(published: str, printed: str) -> None:
    assert not looked_at(published, printed)


def test_what_is_drawn_is_not_but_what_each_run_prints_alike_beside_it_is() -> None:
    code = "import random\nprint(random.random(), 7, 8)"
    assert not looked_at("0.25 7 8\n", "0.5 7 8\n", code, again="0.75 7 8\n")
    assert not looked_at("0.25 9 8\n", "0.5 7 8\n", code, again="0.5 6 8\n")


def test_no_more_than_three_the_most_telling_first() -> None:
    shown = [f"{'7 ' * n}16 9\n" for n in range(1, 6)]
    chunks = [chunk(n, f"import saying\nsaying.f({n})", output=text) for n, text in enumerate(shown)]
    said = judged(Ran(chunks, [left(text.replace("16", "17")) for text in shown]))
    assert len(said.suspects) == 3
    assert said.suspects[0].line == 46


def test_what_is_missing_tells_nothing_and_an_accusation_taken_back_does() -> None:
    missing = chunk(0, "from lacking import x", output="")
    error = "ModuleNotFoundError: No module named 'lacking'"
    runs = Ran([missing, chunk(1, "print(x, 7)", output="1 7\n")], [left(error=error), left("2 7\n")])
    assert not judged(runs).suspects
    chunks = [chunk(n, f"print({n} + 1, {n})", output=f"{n + 2} {n}\n") for n in range(4)]
    said = judged(Ran(chunks, [left(f"{n + 1} {n}\n") for n in range(4)]))
    assert {block.answer for block in said.blocks} == {Answer.UNCHECKED}
    assert len(said.suspects) == 3


def test_what_is_accused_is_not_listed_twice() -> None:
    said = judged(Ran([chunk(0, "print(1 + 1)", output="3\n")], [left("2\n")]))
    assert [block.answer for block in said.blocks] == [Answer.WRONG]
    assert not said.suspects


def test_a_number_in_a_comment_stands_behind_the_outputs() -> None:
    printed = "       1\n75.01405\n"
    comment = "# The height is circa 57\nplot(fit)"
    runs = Ran(
        [chunk(0, "predict(fit)", "r", output=printed), chunk(1, comment, "r")], [left(printed), left()]
    )
    (suspect,) = judged(runs).suspects
    assert (suspect.place, suspect.language) == ("line 12", "")
    assert suspect.shows.endswith("no 57, but 75: The height is circa 57")
