"""Numbers that two programs print elsewhere are paired by what stands beside them."""

from __future__ import annotations

import pytest

from harness.programs.beside import beside
from harness.programs.places import in_place
from harness.programs.tokens import tokens_of


def off(
    a: str, b: str, names: tuple[dict[str, str], dict[str, str]] = ({}, {})
) -> list[tuple[str, str, float]]:
    first, second = tokens_of(a), tokens_of(b)
    shown = tuple(
        {n: own[one.text] for n, one in enumerate(side) if one.text in own}
        for side, own in zip((first, second), names, strict=True)
    )
    made = beside(first, second, in_place(first, second), (shown[0], shown[1]))
    return [(first[one.a].text, second[one.b].text, one.scale) for one in made if not one.agrees]


TABLE = "      area  length\nana  26.05   14.85\nbea  28.88   14.60\nr -0.93"


def test_the_words_of_a_row_and_of_its_column_say_what_a_number_is() -> None:
    b = "ana\n  area 15.40 length 14.85\nbea\n  area 14.98 length 14.60\nr = -0.93"
    assert off(TABLE, b) == [("26.05", "15.40", 1.0), ("28.88", "14.98", 1.0)]


def test_the_title_of_a_table_is_a_word_of_its_rows() -> None:
    a = "F1 in Bark\n a e i\nana 8.62 6.84 4.69\nF2 in Bark\n a e i\nana 12.15 14.57 15.71\nr -0.93"
    b = "ana F1 [7.56, 5.78, 3.63] F2 [11.09, 13.51, 14.65]\nr -0.93"
    assert [one[:2] for one in off(a, b)] == [
        ("8.62", "7.56"), ("6.84", "5.78"), ("4.69", "3.63"),
        ("12.15", "11.09"), ("14.57", "13.51"), ("15.71", "14.65"),
    ]  # fmt: skip


def test_a_variable_s_name_says_it_too() -> None:
    a = "      mean    sd median\nAsh   4.82  5.42  4.50"
    b = "Ash\n  stay 4.82 (5.35), middle 4.50"
    assert off(a, b) == off(a, b, ({}, {"5.35": "spread"}))
    b = "middle 4.50\nAsh\n  stay 4.82 (5.35) of it 7 7 7"
    assert off(a, b) == []
    assert off(a, b, ({}, {"5.35": "sd"})) == [("5.42", "5.35", 1.0)]


def test_a_share_and_a_per_cent_are_of_one_size() -> None:
    a = "      expected adjusted\nAsh     11.54   0.3383\nr -0.93"
    b = "r -0.93\nAsh\n  adjusted=33.63% expected=11.54"
    assert off(a, b) == [("0.3383", "33.63", 0.01)]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("speed mean 27.5\nr -0.93\nspeed highest 36.4", "speed median 28.1\nspeed mean 27.5\nr -0.93"),
        ("mean 27.5\nr -0.93\nheight 1.84", "r -0.93\nmean 27.5\nweight 1.94 7 7"),
    ],
)
def test_other_words_are_of_other_numbers(a: str, b: str) -> None:
    assert off(a, b) == []


def test_cells_that_nothing_tells_apart_are_paired_where_both_have_as_many() -> None:
    b = "mean 7.25\ncut at 0.26\ncut at 0.37\ncut at 0.48"
    same = "cut at 0.25\ncut at 0.35\ncut at 0.45"
    assert off(f"{same}\nmean 7.25", b) == [("0.35", "0.37", 1.0), ("0.45", "0.48", 1.0)]
    # What stands in the same place stays a pair.
    assert off(f"{same}\ncut at 0.55\nmean 7.25", b) == [("0.35", "0.37", 1.0)]
