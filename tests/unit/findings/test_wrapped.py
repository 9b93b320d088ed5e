"""Values below their names, in lines that are as long as the session is wide."""

from __future__ import annotations

import pytest

from harness.findings.apart import values_apart
from harness.findings.number_pairs import in_rows_of, number_pairs

WIDE = "team\nATL BOS BRK \n 14  15  15 \n"


@pytest.mark.parametrize(
    ("published", "apart"),
    [
        ("## team\n## ATL BOS\n##  14  15\n## BRK\n##  15", []),
        ("## team\n## ATL BOS\n##  14  16\n## BRK\n##  15", [("16", "15")]),
        ("## team\n## ATL BOS\n##  15  14\n## BRK\n##  15", [("15", "14"), ("14", "15")]),
        ("## team\n## ATL\n##  14\n## BOS BRK\n##  15  15", []),
    ],
)
def test_other_widths_are_no_other_values(published: str, apart: list[tuple[str, str]]) -> None:
    found = values_apart(published, WIDE)
    assert found is not None
    assert number_pairs(published, WIDE) is not None
    assert [(pair.published, pair.produced) for pair in found] == apart


@pytest.mark.parametrize(
    "published", ["## team\n## ATL BOS\n##  14  15", "ATL 14\nBOS 15\nBRK 15", "14 15 15"]
)
def test_texts_of_other_values_are_left_as_they_are(published: str) -> None:
    assert in_rows_of(published, WIDE) == WIDE
