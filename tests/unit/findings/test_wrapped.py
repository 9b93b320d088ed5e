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


TABLE = "##             p.value  low high\n## Equal Var    0.0604 -0.1  7.5\n## Unequal Var  0.0606 -0.2  7.6"
PARTS = """              p.value
Equal Var      0.0604
Unequal Var    0.0606
             low
Equal Var   -0.1
Unequal Var -0.3
            high
Equal Var    7.5
Unequal Var  7.6
"""


def test_a_table_of_another_width_is_the_same_table() -> None:
    found = values_apart(TABLE, PARTS)
    assert found is not None
    assert [(pair.published, pair.produced) for pair in found] == [("-0.2", "-0.3")]
    assert [one for one in number_pairs(TABLE, PARTS) or () if one[0] != one[1]] == [("-0.2", "-0.3")]


@pytest.mark.parametrize(
    "parts",
    [PARTS.replace("Unequal Var  7.6", "Other Var    7.6"), PARTS.replace("Unequal Var  7.6\n", "")],
)
def test_parts_with_other_rows_are_no_parts_of_one_table(parts: str) -> None:
    assert values_apart(TABLE, parts) is None
