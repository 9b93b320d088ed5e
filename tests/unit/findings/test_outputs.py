"""Outputs beside what the code printed: remarks are none of it, and nothing of it is left out for one."""

from __future__ import annotations

import pytest

from harness.findings.outputs import verdicts
from harness.model.article import BlockKind
from tests.unit.findings.made_runs import Ran, chunk, left


def kind(published: str, printed: str, language: str = "r", error: str = "") -> BlockKind:
    chunks = [chunk(0, "f(x)", language, output=published)]
    runs = Ran(chunks, [left(printed, error)])
    return verdicts(chunks[0], runs.published.of(chunks[0]))[0].kind


@pytest.mark.parametrize("error", ["", "missing value where TRUE/FALSE needed"])
def test_of_lines_behind_a_mark_none_is_taken_for_a_remark(error: str) -> None:
    assert kind("## [1] 1\n## [1] 2\n## [1] 3\n", "[1] 1\n", error=error) is BlockKind.DIFFERS
    assert kind("## [1] 1\n## [1] 2\n", "[1] 1\n[1] 2\n", error=error) is BlockKind.FORMATTING
    assert kind("#> [1] 1\n#> [1] 2\n", "[1] 1\n", error=error) is BlockKind.DIFFERS
    assert kind("# 1\n# 2\n", "1\n", "python", error) is BlockKind.DIFFERS


def test_a_remark_behind_what_is_printed_is_none_of_it() -> None:
    assert kind("3  # three\n4  # and four\n", "3\n4\n", "python") is BlockKind.FORMATTING
    assert kind("3  # three\n5  # and five\n", "3\n4\n", "python") is BlockKind.DIFFERS
    assert kind("# 3\n# 4\n", "3\n4\n", "python") is BlockKind.REPRODUCED
