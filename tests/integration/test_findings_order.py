"""Orders of execution on small documents, live: what goes wrong without an error, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.engine import RunSettings
from harness.findings import order
from harness.findings.examine import examine
from harness.findings.order import order_of_execution
from harness.model import Examined
from harness.model.article import Finding, Kind, Severity
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import find_sandbox

pytestmark = pytest.mark.usefixtures("interpreted_sessions")


def examined(folder: Path, language: str, *chunks: str) -> Examined:
    path = folder / "document.md"
    parts = ["# A document", *(f"```{language}\n{chunk}\n```" for chunk in chunks)]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    given = examine(
        path,
        registry=Registry.load(folder),
        sandbox=find_sandbox(unsandboxed=True),
        plan=RunSettings(),
        detectors=[order_of_execution],
    ).examined
    assert not given.problem
    assert not given.failure
    assert not given.missing
    assert all(line.outcome == "ran" for line in given.chunks)
    return given


def findings_of(folder: Path, language: str, *chunks: str) -> list[Finding]:
    given = examined(folder, language, *chunks)
    assert not given.unchecked
    assert {(finding.kind, finding.severity) for finding in given.findings} <= {
        (Kind.ORDER, Severity.FRAGILE)
    }
    return list(given.findings)


BACK = {
    "python": ("rate = 0.5", "paid = 10 * rate", "rate = 0.25", "rest = 20 * rate"),
    "r": ("rate <- 0.5", "paid <- 10 * rate", "rate <- 0.25", "rest <- 20 * rate"),
    "julia": ("rate = 0.5;", "paid = 10 * rate;", "rate = 0.25;", "rest = 20 * rate;"),
}
"""The second chunk gives something else once the third has run; and the first puts its value back."""

SWAPPED = {
    "python": ("basket = [1, 2]", "basket.append(3)", "print(len(basket))"),
    "r": ("box <- new.env()", "assign('n', 2, envir = box)", "print(ls(box))"),
    "julia": ("basket = [1, 2];", "push!(basket, 3);", "println(length(basket))"),
}
"""The second and the third name nothing that the other sets."""

AGAIN = {
    "python": ("import math", "print(getattr(math, 'told', 'new'))", "math.told = 'old'"),
    "r": ("print(getOption('told', 'new'))", "options(told = 'old')"),
    "julia": ('println(get(ENV, "TOLD", "new"))', 'ENV["TOLD"] = "old";'),
}
"""What the last chunk leaves behind, the first finds in the next run."""

SOUND = {
    "python": (
        "import random\nrandom.seed(3)\nrows = [random.random() for _ in range(3)]",
        "total = 0\nfor row in rows:\n    total += row",
        "mean = total / len(rows)\nprint(mean)",
        "def half(x):\n    return x / 2",
        "print(half(mean))",
        "for row in rows:\n    print(half(row))",
        "noise = [random.random() for _ in range(2)]",
        "more = [random.random() for _ in range(2)]",
    ),
    "r": (
        "set.seed(3)\nrows <- runif(3)",
        "total <- 0\nfor (row in rows) total <- total + row",
        "mean_of <- total / length(rows)\nmean_of",
        "half <- function(x) x / 2",
        "half(mean_of)",
        "noise <- runif(2)",
        "more <- runif(2)",
    ),
    "julia": (
        "using Random\nrng = MersenneTwister(3)\nrows = rand(rng, 3)",
        "total = sum(rows)",
        "half(x) = x / 2",
        "println(half(total))",
        "noise = rand(rng, 2)",
        "more = rand(rng, 2)",
    ),
}

SLOW_JULIA = pytest.param("julia", marks=[pytest.mark.julia, pytest.mark.slow])
# Each order of a document is run in a session of its own.
LANGUAGES = ["python", pytest.param("r", marks=[pytest.mark.r, pytest.mark.slow]), SLOW_JULIA]


@pytest.mark.parametrize("language", LANGUAGES)
def test_going_back(tmp_path: Path, language: str) -> None:
    back, put_back = sorted(
        findings_of(tmp_path, language, *BACK[language]), key=lambda finding: -finding.line
    )
    assert back.line == 7
    assert "after the one at line 11 has set rate" in back.evidence
    assert "paid differs by up to 2.5, in 1 of 1 values" in back.evidence
    assert back.smallest == "the chunks at lines 3, 7, 11, 7, in this order"
    assert put_back.line == 3
    assert "after the one at line 11, which sets rate too, and then the one at line 15" in put_back.evidence
    assert "rest differs by up to 5, in 1 of 1 values" in put_back.evidence
    assert put_back.smallest == "the chunks at lines 3, 11, 3, 15, in this order"


@pytest.mark.parametrize("language", LANGUAGES)
def test_neighbours_that_look_independent(tmp_path: Path, language: str) -> None:
    given = findings_of(tmp_path, language, *SWAPPED[language])
    reported = next(finding for finding in given if "neither names what the other sets" in finding.evidence)
    assert reported.line == 7
    assert "line 11: it prints" in reported.evidence
    assert reported.smallest.startswith("the chunks at lines 3, 11, 7")


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_again_in_one_session(tmp_path: Path, language: str) -> None:
    given = findings_of(tmp_path, language, *AGAIN[language])
    reported = next(finding for finding in given if "once more in the same session" in finding.evidence)
    assert "old" in reported.evidence
    assert "new" in reported.evidence
    assert reported.smallest == "all chunks, twice, without a restart"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sound_document_has_none(tmp_path: Path, language: str) -> None:
    assert findings_of(tmp_path, language, *SOUND[language]) == []


def test_what_fails_in_another_order_is_seen_and_no_finding(tmp_path: Path) -> None:
    assert findings_of(tmp_path, "python", "rows = [1, 2]", "last = rows[1]", "rows = []") == []


def test_a_function_that_is_defined_twice(tmp_path: Path) -> None:
    chunks = ("def f(x):\n    return x", "a = f(3)", "def f(x):\n    return 2 * x", "b = f(4)")
    (finding,) = findings_of(tmp_path, "python", *chunks)
    assert "has set f" in finding.evidence
    assert "a differs by up to 3" in finding.evidence


def test_what_differs_by_itself_is_no_matter_of_order(tmp_path: Path) -> None:
    chunks = ("import time\nnow = time.perf_counter()", "later = now + 1", "print(round(later - now))")
    assert findings_of(tmp_path, "python", *chunks) == []


def test_what_the_budget_does_not_cover_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "SECONDS", 0.0)
    given = examined(tmp_path, "python", *BACK["python"])
    assert given.findings == ()
    (said,) = given.unchecked
    assert "2 of 2 other orders of python" in said
