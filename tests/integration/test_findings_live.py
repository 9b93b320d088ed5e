"""Detectors on small documents with known faults, and on sound ones, live."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from harness.documents.engine import RunSettings
from harness.documents.patch import load_document_specs
from harness.findings.answers import published_outputs
from harness.findings.dead_code import dead_code
from harness.findings.examine import Detector, examine
from harness.findings.experiments import DETECTORS
from harness.findings.failures import (
    as_script,
    needed_versions,
    silent_after_errors,
)
from harness.findings.hidden_globals import hidden_globals
from harness.findings.knowledge import Gradient, GradientPair, Knowledge, Parameter, StatedStep
from harness.findings.languages import languages_differ
from harness.findings.mathematics import departs_from_its_mathematics, wrong_gradients
from harness.findings.repeats import run_twice, unpinned_randomness
from harness.findings.sizes import hard_coded_sizes
from harness.findings.swallowed import swallowed_exceptions
from harness.model.article import Answer, Examined, Finding, Kind, Severity
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import find_sandbox

pytestmark = pytest.mark.usefixtures("interpreted_sessions")
SUITE = Path(__file__).parents[2] / "reference_impls"
ARTICLES = Path(__file__).parents[3] / "shared" / "articles"


def examined(
    path: Path, detectors: Iterable[Detector] = DETECTORS, knowledge: Iterable[Knowledge] = ()
) -> Examined:
    document = examine(
        path,
        registry=Registry.load(SUITE),
        sandbox=find_sandbox(unsandboxed=True),
        plan=RunSettings(run_unevaluated=True),
        specs=load_document_specs(SUITE),
        knowledge=knowledge,
        detectors=detectors,
    ).examined
    assert not document.problem
    assert not document.failure
    assert not document.missing
    assert not document.unchecked
    return document


def written(folder: Path, language: str, *chunks: str) -> Path:
    """A document of these chunks; a text after ``>>>`` is the output block of its chunk."""
    parts = ["# A document"]
    for chunk in chunks:
        code, _, output = chunk.partition(">>>\n")
        parts.append(f"```{language}\n{code.rstrip()}\n```")
        if output:
            parts.append(f"This prints:\n\n```text\n{output.rstrip()}\n```")
    path = folder / "document.md"
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return path


def at(path: Path, examined: Examined) -> dict[Kind, tuple[str, Finding]]:
    """Findings by kind, with the text of their line."""
    lines = path.read_text(encoding="utf-8").split("\n")
    assert len({finding.kind for finding in examined.findings}) == len(examined.findings)
    return {finding.kind: (lines[finding.line - 1].strip(), finding) for finding in examined.findings}


PYTHON = (
    "def area(width, height):\n    return width * height * scale",
    "scale = 2",
    "size = area(2, 3)\nprint(size)\n>>>\n18",
    "total = size\nprint(total)",
    "total = total + 1",
    "import random\nnoise = random.random()",
    'for key in ["a", "b"]:\n    try:\n        {}[key]\n    except KeyError:\n        pass',
    "unused = 1",
    "unused = 2\nprint(unused)",
    "rows = [1, 2, 3, 5]",
    "kept = [0] * 4\nfor i in range(len(rows)):\n    kept[i] = rows[i]",
    "absent_function(1)",
)


def test_faults_of_a_python_document(tmp_path: Path) -> None:
    path = written(tmp_path, "python", *PYTHON)
    findings = at(path, examined(path))
    assert {kind: text for kind, (text, _) in findings.items()} == {
        Kind.HIDDEN_GLOBAL: "return width * height * scale",
        Kind.OUTPUT_DIFFERS: "print(size)",
        Kind.NOT_REPEATABLE: "total = total + 1",
        Kind.RANDOMNESS: "noise = random.random()",
        Kind.SWALLOWED: "except KeyError:",
        Kind.DEAD_CODE: "unused = 1",
        Kind.HARD_CODED_SIZE: "kept = [0] * 4",
        Kind.NOT_CHECKED: "absent_function(1)",
    }
    evidence = {kind: finding.evidence for kind, (_, finding) in findings.items()}
    assert "NameError: name 'scale' is not defined" in evidence[Kind.HIDDEN_GLOBAL]
    assert "size differs by up to 12" in evidence[Kind.HIDDEN_GLOBAL]
    assert "18 is published, and the code prints 12" in evidence[Kind.OUTPUT_DIFFERS]
    assert evidence[Kind.NOT_REPEATABLE].endswith("total differs by up to 1, in 1 of 1 values")
    assert evidence[Kind.SWALLOWED].startswith("2 exceptions of 2 kinds")
    assert "with 5 for 4" in evidence[Kind.HARD_CODED_SIZE]


def test_a_sound_python_document_has_no_findings(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "python",
        "def area(width, height, scale=2):\n    return width * height * scale",
        "size = area(2, 3)\nprint(size)\n>>>\n12",
        "import random\nrandom.seed(1)\nnoise = [random.random() for _ in range(3)]",
        "rows = [1, 2, 3, 5]\nkept = [0] * len(rows)\nfor i in range(len(rows)):\n    kept[i] = rows[i]",
        "try:\n    {}[1]\nexcept KeyError as error:\n    print(error)",
    )
    assert examined(path).findings == ()


def test_mathematics_and_gradients_of_a_python_document(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "python",
        "def norm(x):\n    return (sum(v * v for v in x) / len(x)) ** 0.5",
        "def loss(x):\n    return sum(v**2 for v in x)",
        "def gradient(x):\n    return [2 * x[0] for v in x]",
    )
    known = Knowledge(
        file=path.name,
        stated=(
            StatedStep(
                id="norm",
                language="python",
                states="the root of the sum of squares",
                line="def norm",
                sizes=(1, 2, 4),
                setup="given = [3.0] * {n}",
                values={
                    "norm": GradientPair(published="norm(given)", stated="sum(v * v for v in given) ** 0.5")
                },
            ),
        ),
        gradient=(
            Gradient(
                id="gradient",
                language="python",
                line="2 * x[0]",
                sizes=(1, 2),
                setup="given = [float(i + 1) for i in range({n})]",
                parameters={"x": Parameter(at="given", loss="loss", gradient="gradient(given)")},
            ),
        ),
    )
    findings = at(path, examined(path, [departs_from_its_mathematics, wrong_gradients], [known]))
    text, departs = findings[Kind.DEPARTS]
    assert text == "def norm(x):"
    assert departs.smallest == "n = 2"
    assert "n = 1: the same" in departs.evidence
    assert "0.5 times the stated" in departs.evidence
    text, gradient = findings[Kind.GRADIENT]
    assert text == "return [2 * x[0] for v in x]"
    assert gradient.smallest == "n = 2"
    assert "n = 1: all right" in gradient.evidence
    assert "cosine 0.948683, length 0.6325 times" in gradient.evidence


@pytest.mark.r
@pytest.mark.slow
def test_faults_of_an_r_document(tmp_path: Path) -> None:
    """Every detector starts R anew; single faults of R documents are fast tests, here and beside."""
    path = written(
        tmp_path,
        "r",
        "area <- function(width, height) width * height * scale",
        "scale <- 2",
        "size <- area(2, 3)\nprint(size)\n>>>\n[1] 12",
        "total <- size",
        "total <- total + 1",
        "unused <- 1",
        "unused <- 2\nprint(unused)",
        "rows <- matrix(1:8, nrow = 4)",
        "kept <- matrix(0, nrow = 4, ncol = 2)\nfor (i in seq_len(nrow(rows))) kept[i, ] <- rows[i, ]",
        'for (key in c("a", "b")) tryCatch(stop(key), error = function(e) NULL)',
    )
    findings = at(path, examined(path))
    assert {kind: text for kind, (text, _) in findings.items()} == {
        Kind.HIDDEN_GLOBAL: "area <- function(width, height) width * height * scale",
        Kind.NOT_REPEATABLE: "total <- total + 1",
        Kind.DEAD_CODE: "unused <- 1",
        Kind.HARD_CODED_SIZE: "kept <- matrix(0, nrow = 4, ncol = 2)",
        Kind.SWALLOWED: 'for (key in c("a", "b")) tryCatch(stop(key), error = function(e) NULL)',
    }
    assert findings[Kind.SWALLOWED][1].evidence.startswith("2 exceptions of 2 kinds")


@pytest.mark.julia
@pytest.mark.slow
def test_faults_of_a_julia_document(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "julia",
        "area(width, height) = width * height * scale",
        "scale = 2",
        "size_of = area(2, 3)",
        "total = 0\nfor i in 1:3\n    total = total + i\nend",
        'for key in ["a", "b"]\n    try\n        Dict()[key]\n    catch\n    end\nend',
        "loss(x) = sum(x .^ 2)\ngradient(x) = x",
        "using Random\nrng = MersenneTwister(3)\ndrawn = randn(rng, 5)",
    )
    known = Knowledge(
        file=path.name,
        gradient=(
            Gradient(
                id="half",
                language="julia",
                line="gradient(x) = x",
                sizes=(2,),
                setup="given = collect(1.0:{n})",
                parameters={"x": Parameter(at="given", loss="loss", gradient="gradient(given)")},
            ),
        ),
    )
    detectors = [as_script, hidden_globals, swallowed_exceptions, wrong_gradients, unpinned_randomness]
    findings = at(path, examined(path, detectors, [known]))
    assert {kind: text for kind, (text, _) in findings.items()} == {
        Kind.SCRIPT_FAILS: "total = total + i",
        Kind.HIDDEN_GLOBAL: "area(width, height) = width * height * scale",
        Kind.SWALLOWED: "try",
        Kind.GRADIENT: "gradient(x) = x",
        Kind.RANDOMNESS: "rng = MersenneTwister(3)",
    }
    assert "length 0.5 times" in findings[Kind.GRADIENT][1].evidence
    assert "1.11 and 1.12" in findings[Kind.RANDOMNESS][1].evidence


@pytest.mark.r
def test_languages_of_one_document_are_compared_tab_by_tab(tmp_path: Path) -> None:
    path = tmp_path / "document.qmd"
    tab = "## Python\n\n```{{python}}\n{0}\n```\n\n## R\n\n```{{r}}\n{1}\n```\n"
    tabs = [
        tab.format("same = 3.5", "same <- 3.5"),
        tab.format("rows = [1, 2, 3]\nlast = rows[-1]", "rows <- c(1, 2, 3)\nlast <- rows[-1]"),
        tab.format("h = 2", "h <- 2"),
        tab.format("def area(w):\n    return w * h", "area <- function(w, h) w * h"),
        tab.format("a = area(3)", "a <- area(3, h)"),
    ]
    blocks = "\n".join(f"::: panel-tabset\n\n{content}\n:::\n" for content in tabs)
    path.write_text(f"---\ntitle: two\nengine: knitr\n---\n\n{blocks}", encoding="utf-8")
    findings = examined(path, [languages_differ]).findings
    assert [finding.smallest for finding in findings] == ["last", "h"]
    assert "shape scalar and 2" in findings[0].evidence
    # Values that two runs agree on are proof; a global that one of two definitions reads is none.
    assert [finding.severity for finding in findings] == [Severity.WRONG, Severity.FRAGILE]


@pytest.mark.r
@pytest.mark.slow
def test_the_r_article_as_published() -> None:
    path = ARTICLES / "attention-in-r.md"
    if not path.is_file():
        pytest.skip("no articles beside the checkout")
    wanted = [published_outputs, as_script, needed_versions, silent_after_errors]
    document = examined(path, [*wanted, hard_coded_sizes, run_twice, dead_code])
    assert [block.verdict.kind.value for block in document.blocks] == [
        "reproduced", "not reproducible", "differs",
    ]  # fmt: skip
    assert all(block.patched is not None for block in document.blocks[1:])
    kinds = {(finding.line, finding.kind) for finding in document.findings}
    assert {
        (97, Kind.CHUNK_FAILS),
        (115, Kind.HARD_CODED_SIZE),
        (136, Kind.SILENT),
    } <= kinds
    failing = next(finding for finding in document.findings if finding.kind is Kind.CHUNK_FAILS)
    # What is printed at these lines follows from the one failure.
    assert [text.split(":")[0] for text in failing.follows] == ["line 120", "line 102", "line 143"]
    assert [block.answer for block in document.blocks] == [Answer.REPRODUCED, Answer.WRONG, Answer.WRONG]
