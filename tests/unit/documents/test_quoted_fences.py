"""Fences in quotations whose last line lacks the mark of the quotation."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.documents.test_layouts import outputs, parsed


def test_a_fence_of_a_quotation_that_is_closed_below_it(tmp_path: Path) -> None:
    document = parsed(
        tmp_path, "> He wrote:\n>\n> ```r\n> mean(1)\n> #> [1] 1\n```\n\n```r\nsum(2)\n#> [1] 2\n```\n"
    )
    assert outputs(document) == [(5, "printed", "#> [1] 1"), (10, "printed", "#> [1] 2")]


@pytest.mark.parametrize(
    "rest", ["> ```\n\n```r\nsum(2)\n#> [1] 2\n```\n", "\n```r\nsum(2)\n#> [1] 2\n```\n"]
)
def test_others_are_left_as_they_are(tmp_path: Path, rest: str) -> None:
    text = f"> ```r\n> mean(1)\n{rest}"
    assert outputs(parsed(tmp_path, text))[-1][2] == "#> [1] 2"
