"""Numbers that are shown as those of another type, or with more digits than are printed, accuse nobody."""

from __future__ import annotations

import pytest

from harness.model.article import Answer
from tests.unit.findings.made_runs import said


@pytest.mark.parametrize(
    ("code", "published", "printed", "language"),
    [
        ("print(x / 2)", "5", "5.0", "python"),
        ("print(x, y)", "3.0 4", "3 4.0", "python"),
        ("println(x / 2)", "5", "5.0", "julia"),
        ("print(day)", "2020-01-2", "2020-01-02", "python"),
        ("print(share(x))", "0.1253", "0.125", "python"),
    ],
)
def test_numbers_of_another_type_or_with_more_digits_are_no_slip(
    code: str, published: str, printed: str, language: str
) -> None:
    assert said(code, published + "\n", printed + "\n", language=language, stated="") is Answer.HERE
