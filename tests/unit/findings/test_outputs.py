"""Outputs beside what the code printed: remarks are none of it, and nothing of it is left out for one."""

from __future__ import annotations

import msgspec
import pytest

from harness.documents.model import OutputBlock
from harness.findings.outputs import shows_error, verdicts
from harness.model.article import BlockKind
from harness.sessions.session import CodeError
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


@pytest.mark.parametrize(
    ("first", "of", "kinds"),
    [
        ("[1] 2", {}, [BlockKind.REPRODUCED, BlockKind.UNCHECKED]),
        ("[1] 3", {}, [BlockKind.DIFFERS, BlockKind.DIFFERS]),
        ("[1] 2", {"executable": True}, [BlockKind.DIFFERS, BlockKind.DIFFERS]),
        ("[1] 2", {"cell": 3}, [BlockKind.DIFFERS, BlockKind.DIFFERS]),
    ],
)
def test_an_output_behind_all_that_the_code_prints_may_be_of_code_that_is_not_shown(
    first: str, of: dict[str, bool | int], kinds: list[BlockKind]
) -> None:
    output = tuple(OutputBlock(line=line, text=text) for line, text in ((6, first), (9, "[1] 10")))
    one = msgspec.structs.replace(chunk(0, "1 + 1", "r", **of), output=output)
    runs = Ran([one], [left("[1] 2\n")])
    assert [verdict.kind for verdict in verdicts(one, runs.published.of(one))] == kinds


@pytest.mark.parametrize(
    ("shown", "found"),
    [
        ("ValueError: Must be positive", BlockKind.REPRODUCED),
        ("Traceback (most recent call last):\n  ...\nValueError: Must be positive", BlockKind.REPRODUCED),
        ("Must be positive", BlockKind.REPRODUCED),
        ("TypeError: Must be positive", BlockKind.UNCHECKED),
        ("Traceback (most recent call last):\n  ...\nValueError: Must be 2", BlockKind.UNCHECKED),
        ("Traceback (most recent call last):\n  ...\nTypeError: Must be positive", BlockKind.UNCHECKED),
    ],
)
def test_an_error_of_another_kind_with_the_same_message_is_another(shown: str, found: BlockKind) -> None:
    output = (OutputBlock(line=1, text=shown, info="error"),)
    one = msgspec.structs.replace(chunk(0, "f(-1)"), output=output)
    error = CodeError(message="ValueError: Must be positive", kind="ValueError", line=1)
    runs = Ran([one], [msgspec.structs.replace(left(), error=error)])
    assert [verdict.kind for verdict in verdicts(one, runs.published.of(one))] == [found]


@pytest.mark.parametrize("above", ["", 'Traceback (most recent call last):\n  File "<pyshell#28>", line 1\n'])
def test_a_number_in_the_message_of_an_error_is_compared_below_its_lines(above: str) -> None:
    output = (OutputBlock(line=1, text=f"{above}ValueError: 2 values for 3", info="error"),)
    one = msgspec.structs.replace(chunk(0, "a, b = x"), output=output)
    error = CodeError(message="ValueError: 4 values for 3", kind="ValueError", line=1)
    runs = Ran([one], [msgspec.structs.replace(left(), error=error)])
    assert [verdict.kind for verdict in verdicts(one, runs.published.of(one))] == [BlockKind.DIFFERS]


@pytest.mark.parametrize(
    ("said", "language", "fails"),
    [
        ("Warning: Possible conflict in library symbol dgesdd_", "julia", False),
        ("Warning message:\nNAs introduced by coercion", "r", False),
        ("DeprecationWarning: gone", "python", True),
        ("UndefVarError: a not defined", "julia", True),
    ],
)
def test_behind_a_warning_the_code_goes_on(said: str, language: str, fails: bool) -> None:
    output = (OutputBlock(line=6, text=said, info="stderr"),)
    assert shows_error(msgspec.structs.replace(chunk(0, "f(x)", language), output=output)) is fails
