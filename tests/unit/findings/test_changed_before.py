"""A statement that changed a value in place is one finding, whatever shows the value as it was before it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from harness.findings.answers import judged
from harness.findings.changed_before import changes_in
from harness.model.article import Answer, Severity
from tests.unit.findings.made_runs import Ran, chunk, left


@dataclass(frozen=True)
class _Shown:
    code: str
    published: str
    printed: str
    before: str


_BELOW = (
    _Shown("prime", "[2, 3, 5]\n", "[5, 3, 2]\n", "[2, 3, 5]\n"),
    _Shown("prime[:1]", "[2]\n", "[5]\n", "[2]\n"),
    _Shown("prime == [2, 3, 5]", "True\n", "False\n", "True\n"),
)


def run(*, before: bool = True) -> Ran:
    chunks = [chunk(0, "prime = [2, 3, 5]"), chunk(1, "prime.reverse()")]
    chunks += [chunk(n, shown.code, output=shown.published) for n, shown in enumerate(_BELOW, 2)]
    right = range(len(chunks), 40)
    chunks += [chunk(n, f"{n - 1} + 1", output=f"{n}\n") for n in right]
    same = [left(f"{n}\n") for n in right]
    printed = [left(), left(), *(left(shown.printed) for shown in _BELOW), *same]
    unchanged = [left(), left(), *(left(shown.before) for shown in _BELOW), *same]
    return Ran(chunks, printed, without={1: unchanged} if before else {})


def test_what_is_shown_as_before_a_change_is_one_finding_that_names_it() -> None:
    said = judged(run())
    assert [block.answer for block in said.blocks[:3]] == [Answer.WRONG] * 3
    (finding,) = said.findings
    assert (finding.severity, finding.smallest, finding.line) == (Severity.WRONG, "prime.reverse()", 12)
    assert finding.evidence == (
        "`prime.reverse()` changes prime in place, and what is shown below is as before it: 3 outputs"
    )


def test_without_a_run_that_gives_what_is_published_each_stands_alone() -> None:
    findings = judged(run(before=False)).findings
    assert {finding.smallest for finding in findings} == {shown.code for shown in _BELOW}


@pytest.mark.parametrize(
    ("code", "language", "name"),
    [
        ("prime.sort()", "python", "prime"),
        ("random.shuffle(prime)", "python", "prime"),
        ("prime[0] = 3", "python", "prime"),
        ("del prime[0]", "python", "prime"),
        ("prime[0] += 1", "python", "prime"),
        ("reverse!(prime)", "julia", "prime"),
        ("prime = sorted(prime)", "python", ""),
        ("prime.index(3)", "python", ""),
        ("def f():\n    prime.sort()", "python", ""),
        ("reverse(prime)", "julia", ""),
    ],
)
def test_the_statements_that_change_a_value_in_place(code: str, language: str, name: str) -> None:
    assert [change.name for change in changes_in([chunk(0, code, language)])] == [name] * bool(name)
