"""Numbers that a text states."""

from __future__ import annotations

import pytest

from harness.findings.prose_stated import stated


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("a mean of 5.05, and 12,345 rows", ["5.05", "12,345"]),
        ("Four animals and twelve words", ["Four", "twelve"]),
        ("a 3d matrix of 4x6", ["3", "4"]),
        ("in steps of .1 and -2.5e-3", [".1", "-2.5e-3"]),
        ("`75` and $0.25$ alone, not `f(75)` or $x_3 = 25$", ["75", "0.25"]),
        ("```\nx = 75\n```\nafter 57", ["57"]),
        ("1. the first of 25\n2. another", ["25"]),
        ("# 2.3 Heads\n- 17 left", []),
        ("Table 3, Figure 12, version 3.10, seed 42, ISBN 123, #45", []),
        ("since 284 < 410, at $75,418", ["284", "410", "75,418"]),
        ("on May 12 and 3 June, at 12:30, 2019-03-04", []),
        ("the 3rd of 4 GB in 5 minutes", []),
        ("between 100-200, 3 * 4 and x_17, cell-25", []),
        ("0 and 1 are said of anything", []),
        ("[of 17](http://a.b/18) <b id=19>[@20]", ["17"]),
        ("a link[[3]](#note-3)", []),
        ("before 1e400 and 99999999999999999999", []),
    ],
)
def test_what_counts_names_or_computes_is_no_number_that_is_stated(text: str, numbers: list[str]) -> None:
    assert [one.text for one in stated(text)] == numbers


@pytest.mark.parametrize(
    ("text", "kind", "digits", "places"),
    [
        ("eight lines", "word", "8", 0),
        ("8 lines", "one", "8", 0),
        ("80 lines", "two", "80", 0),
        ("8,000 lines", "long", "8000", 0),
        ("in 1952", "year", "1952", 0),
        ("is -0.25 now", "fraction", "0.25", 2),
        ("is 2.5e-3 now", "fraction", "2.5e-3", 4),
    ],
)
def test_a_number_has_a_kind_digits_and_places(text: str, kind: str, digits: str, places: int) -> None:
    (one,) = stated(text)
    assert (one.kind, one.digits, one.places) == (kind, digits, places)


def test_a_number_has_its_sentence_and_hundredths_are_told() -> None:
    text = "One in 20 is here. Of these, 97.5% are\nright; 12 percent are not."
    assert [text[one.sentence].strip() for one in stated(text)] == [
        "One in 20 is here.",
        "Of these, 97.5% are\nright;",
        "12 percent are not.",
    ]
    assert [one.percent for one in stated(text)] == [False, True, True]
