"""What fills a text with blanks in quotation marks is a part of it: on which side it stands is compared."""

from __future__ import annotations

import pytest

from harness.documents.compare_printed import compare_printed
from harness.model.article import Answer, BlockKind
from tests.unit.findings.made_runs import said


@pytest.mark.parametrize(
    ("published", "printed", "kind"),
    [
        ("'deep      '", "'      deep'", BlockKind.DIFFERS),
        ("['a', 'b ']", "['a ', 'b ']", BlockKind.DIFFERS),
        ("'   deep '", "' deep   '", BlockKind.FORMATTING),
        ("it's  a '", "it's a '", BlockKind.FORMATTING),
        ("' '", "'   '", BlockKind.FORMATTING),
    ],
)
def test_on_which_side_blanks_stand(published: str, printed: str, kind: BlockKind) -> None:
    assert compare_printed(published, printed, "python").kind is kind


def test_blanks_are_no_quotation_marks() -> None:
    code = "f'{name:<9}'"
    assert said(code, "'     deep'\n", "'deep     '\n") is Answer.WRONG
    assert said(code, '"deep     "\n', "'deep     '\n") is not Answer.WRONG
