"""What R makes of a document's own texts is the document's own."""

from __future__ import annotations

import pytest

from harness.findings.r_texts import texts_of
from tests.unit.findings.test_plain_slips import said_by_r


@pytest.mark.parametrize(
    ("code", "printed", "own"),
    [
        ('paste("group", LETTERS[1:2], sep = "_")', '[1] "group_A" "group_B"', True),
        ('f <- function(s) toupper(rev(s))\nf(c("group_b", "group_a"))', '[1] "group_A" "group_B"', True),
        ('class("group")', '[1] "group_A"', False),
        ("months(d)", '[1] "group_A"', False),
        ("paste(0.1 + 0.2)", '[1] "group_A 0.3"', False),
        ('paste("group", "A")', "[1] group_A", False),
    ],
)
def test_what_functions_without_words_of_their_own_make(code: str, printed: str, *, own: bool) -> None:
    assert ("group_a" in texts_of(code, "r", printed)) is own


def test_words_that_the_code_joins_are_no_versions() -> None:
    made = 'paste("gorup", LETTERS[1:3], sep = "_")'
    published, printed = '[1] "group_A" "group_B" "group_C"\n', '[1] "gorup_A" "gorup_B" "gorup_C"\n'
    assert said_by_r(published, printed, made) == ""
    assert said_by_r(published, printed, f"attributes({made})") != ""
