"""Faults planted in small documents of all languages, and sound documents, which have none."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from harness.documents.engine import RunSettings
from harness.documents.patch import load_document_specs
from harness.findings import lengths
from harness.findings.examine import Detector, examine
from harness.findings.experiments import DETECTORS
from harness.findings.failures import needed_versions
from harness.findings.growing_loss import growing_loss
from harness.findings.labels import printed_labels
from harness.findings.masked import masked_names
from harness.findings.shapes import stated_shapes
from harness.findings.sizes import hard_coded_sizes
from harness.findings.stages import stages_off_the_reference
from harness.findings.training import training_diverges
from harness.findings.unused import unused_arguments
from harness.findings.wrong_axis import wrong_axis
from harness.model import Examined
from harness.model.article import Finding, Kind, Severity
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import find_sandbox

pytestmark = pytest.mark.usefixtures("interpreted_sessions")
ROOT = Path(__file__).parents[2]
SLOW_JULIA = pytest.param("julia", marks=[pytest.mark.julia, pytest.mark.slow])
# Each document starts its language several times.
LANGUAGES = ["python", pytest.param("r", marks=[pytest.mark.r, pytest.mark.slow]), SLOW_JULIA]


def written(folder: Path, language: str, *chunks: str) -> Path:
    parts = ["# A document", *(f"```{language}\n{chunk}\n```" for chunk in chunks)]
    path = folder / "document.md"
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return path


def examined(path: Path, detectors: Iterable[Detector], suite: Path | None = None) -> Examined:
    document = examine(
        path,
        registry=Registry.load(path.parent),
        sandbox=find_sandbox(unsandboxed=True),
        plan=RunSettings(),
        specs=load_document_specs(suite) if suite else (),
        suite=suite,
        detectors=detectors,
    ).examined
    assert not document.problem
    assert not document.failure
    assert not document.missing
    return document


def only(path: Path, detector: Detector) -> Finding:
    document = examined(path, [detector])
    assert not document.unchecked
    assert all(line.outcome == "ran" for line in document.chunks)
    (finding,) = document.findings
    return finding


def line(path: Path, finding: Finding) -> str:
    return path.read_text(encoding="utf-8").split("\n")[finding.line - 1].strip()


# ---- shapes ----------------------------------------------------------------------------------------------

SHAPES = {
    "python": (
        "import numpy as np\ndef apply(w, x):\n    y = w @ x  # shape: [2xn]\n    t = x.T  # shape: [4xd]\n"
        "    u = x @ t  # shape: [dxd]\n    v = t @ x  # shape: [nxn]\n    z = y @ t  # shape: [2xd]\n"
        "    return z",
        "for n in (2, 4, 5):\n    apply(np.ones((2, 3)), np.ones((3, n)))",
    ),
    "r": (
        "apply_all <- function(w, x) {\n  y <- w %*% x  # shape: [2xn]\n  t <- t(x)  # shape: [4xd]\n"
        "  u <- x %*% t  # shape: [dxd]\n  v <- t %*% x  # shape: [nxn]\n  z <- y %*% t  # shape: [2xd]\n}",
        "for (n in c(2, 4, 5)) apply_all(matrix(1, 2, 3), matrix(1, 3, n))",
    ),
    "julia": (
        "function apply_all(w, x)\n    y = w * x  #shape: [2xn]\n    ∂t = x'  #shape: [4xd]\n"
        "    u = x * ∂t  #shape: [dxd]\n    v = ∂t * x  #shape: [nxn]\n    return y * ∂t\nend",
        "for n in (2, 4, 5)\n    apply_all(ones(2, 3), ones(3, n))\nend",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stated_shape_that_is_right_for_one_size_alone(tmp_path: Path, language: str) -> None:
    path = written(tmp_path, language, *SHAPES[language])
    finding = only(path, stated_shapes)
    assert (finding.kind, finding.severity) == (Kind.SHAPE, Severity.NOTE)
    assert "[4xd]" in line(path, finding)
    assert (
        finding.evidence.lstrip("∂")
        == "t is stated to be 4 × d, and is 2 × 3, 5 × 3, in 2 of 3 calls: where it says 4 it is 2"
    )
    right = tmp_path / "right"
    right.mkdir()
    sound = written(right, language, *(chunk.replace("[4xd]", "[nxd]") for chunk in SHAPES[language]))
    assert examined(sound, [stated_shapes]).findings == ()


def test_a_letter_that_stands_for_two_sizes(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "python",
        "import numpy as np\na = np.ones((3, 5))  # shape: (n, d)\nb = np.ones((5, 3))  # shape: (n, d)\n"
        "c = a @ b  # shape: (n, n)\ne = np.ones((3, 5))  # shape: (n, d)",
    )
    finding = only(path, stated_shapes)
    assert finding.line == 6
    assert finding.evidence == "b is stated to be n × d, and is 5 × 3: n is 5 here, and 3 on most other lines"


def test_brackets_in_a_comment_that_are_no_shape(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "python",
        "import numpy as np\na = np.arange(3)  # [0, 1, 2]\nb = a.sum()  # (see [3])\n"
        "words = [1, 2]  # [my, name]\nc = np.ones((2, 2))  # (2, 2)",
    )
    assert examined(path, [stated_shapes]).findings == ()


# ---- labels, and names of the language -------------------------------------------------------------------

LABELS = {
    "python": ("w_sum = 3", "other = 4\nprint(f'w_sum: {other}')"),
    "r": ("w_sum <- 3", 'other <- 4\ncat("w_sum:", other)'),
    "julia": ("w_sum = 3", 'other = 4\nprintln("w_sum: ", other)'),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_label_of_another_name(tmp_path: Path, language: str) -> None:
    path = written(tmp_path, language, *LABELS[language])
    finding = only(path, printed_labels)
    assert finding.kind is Kind.LABEL
    assert "the label says w_sum, and what is printed is other, 4; w_sum is 3" in finding.evidence
    same = tmp_path / "same"
    same.mkdir()
    sound = written(same, language, *(chunk.replace("4", "3") for chunk in LABELS[language]))
    assert examined(sound, [printed_labels]).findings == ()


MASKED = {
    "python": ("sum = 1 + 2", "of type int; in the language it is a function"),
    "r": ("T <- 3", "T is 3; in the language it is TRUE"),
    "julia": ("sum = 1 + 2", "of type Int64; in the language it is a function"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_of_the_language_for_something_else(tmp_path: Path, language: str) -> None:
    code, said = MASKED[language]
    finding = only(written(tmp_path, language, "rows = 3", code), masked_names)
    assert finding.kind is Kind.MASKED
    assert said in finding.evidence
    assert finding.smallest == code


UNUSED = {
    "python": ("def area(w, h, d):\n    return w * h", "a = area(2, 3, 4)\nb = area(2, 3, d=5)"),
    "r": ("area <- function(w, h, d) {\n  w * h\n}", "a <- area(2, 3, 4)\nb <- area(2, 3, d = 5)"),
    "julia": ("function area(w, h, d)\n    return w * h\nend", "a = area(2, 3, 4)\nb = area(2, 3, 5)"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_argument_that_nothing_reads(tmp_path: Path, language: str) -> None:
    path = written(tmp_path, language, *UNUSED[language])
    finding = only(path, unused_arguments)
    assert (finding.kind, finding.severity, finding.line) == (Kind.DEAD_CODE, Severity.NOTE, 4)
    assert finding.evidence.startswith("area does not read d: in 2 calls, ")
    used = tmp_path / "used"
    used.mkdir()
    sound = written(used, language, *(chunk.replace("w * h", "w * h * d") for chunk in UNUSED[language]))
    assert examined(sound, [unused_arguments]).findings == ()


def test_an_argument_that_is_read_behind_our_back(tmp_path: Path) -> None:
    path = written(tmp_path, "python", "def area(w, d):\n    return w * locals()['d'].real", "a = area(2, 3)")
    assert examined(path, [unused_arguments]).findings == ()


# ---- sizes behind functions ------------------------------------------------------------------------------

LENGTHS = {
    "python": (
        "def vector(word):\n    return [float(len(word)), 1.0, 2.0]",
        "weights = [0.5] * 3\ntotal = 0.0\n"
        "for i, x in enumerate(vector('red')):\n    total += weights[i] * x",
    ),
    "r": (
        "vector <- function(word) c(nchar(word), 1, 2)",
        "weights <- matrix(0.5, nrow = 1, ncol = 3)\ntotal <- weights %*% vector('red')",
    ),
    "julia": (
        "function vector(word)\n    return [length(word), 1.0, 2.0]\nend",
        'weights = ones(1, 3)\ntotal = weights * vector("red")',
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_size_that_a_function_decides(tmp_path: Path, language: str) -> None:
    path = written(tmp_path, language, *LENGTHS[language])
    finding = only(path, hard_coded_sizes)
    assert finding.kind is Kind.HARD_CODED_SIZE
    assert line(path, finding).startswith("weights")
    assert "where vector returns one row more" in finding.evidence
    assert "with 4 for 3, which this chunk writes 1 time, it runs" in finding.evidence


def test_a_size_that_is_asked_for_is_none(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "python",
        LENGTHS["python"][0],
        "x = vector('red')\nweights = [0.5] * len(x)\ntotal = sum(w * v for w, v in zip(weights, x)) / 3",
    )
    assert examined(path, [hard_coded_sizes]).findings == ()


def test_what_the_budget_does_not_cover_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lengths, "SECONDS", 0.0)
    document = examined(written(tmp_path, "python", *LENGTHS["python"]), [hard_coded_sizes])
    assert document.findings == ()
    assert document.unchecked == (
        "hard coded sizes: what vector returns in python, which takes more than 0 s",
    )


# ---- stages, versions, training --------------------------------------------------------------------------

DOCUMENT = """file = "document.md"

[[capture]]
id = "four_word"
language = "python"

[capture.values]
scores = "scores"
maxs = "maxs"
"""


@pytest.mark.parametrize("wrong", [False, True])
def test_a_stage_that_is_not_the_reference(tmp_path: Path, wrong: bool) -> None:
    suite = tmp_path / "reference_impls"
    shutil.copytree(ROOT / "reference_impls" / "four_word", suite / "four_word")
    shutil.copytree(ROOT / "fixtures" / "four_word", tmp_path / "fixtures" / "four_word")
    (suite / "four_word" / "document.toml").write_text(DOCUMENT, encoding="utf-8")
    scores = [[8, 2, 10, 2], [4, 0, 4, 0], [12, 2, 14, 2], [10, 4, 14, 3]]
    path = written(
        tmp_path,
        "python",
        f"import numpy as np\nscores = np.array({scores}, dtype=float){' + 0.5' if wrong else ''}",
        "maxs = np.array([[10.0], [4.0], [14.0], [14.0]])",
    )
    document = examined(path, [stages_off_the_reference], suite)
    assert not document.unchecked
    if not wrong:
        assert document.findings == ()
        return
    (finding,) = document.findings
    assert (finding.kind, finding.severity) == (Kind.DEPARTS, Severity.WRONG)
    assert finding.evidence.startswith("of the case four_word, 1 comparisons fail (scores); scores: ")
    assert finding.evidence.endswith("first at [0, 0]; up to 0.5 off")
    assert finding.smallest == "harness show four_word scores --mode chained"


@pytest.mark.julia
@pytest.mark.slow
def test_a_method_of_a_later_version(tmp_path: Path) -> None:
    path = written(tmp_path, "julia", "places = collect(range(0, 3))")
    document = examined(path, [needed_versions])
    if not document.stand_ins:
        pytest.skip("this Julia has the method")
    (finding,) = document.findings
    assert (finding.line, finding.kind) == (4, Kind.NEEDS_VERSION)
    assert finding.consequence == "it needs Julia 1.7 or newer, and does not say so"


def test_training_that_diverges(tmp_path: Path) -> None:
    step = (
        "w = 1.5\nfor epoch in range(12):\n    w = w - {} * 4 * w**3 if abs(w) < 1e90 else float('nan')\n"
        "    print('loss:', w * w)"
    )
    finding = only(written(tmp_path, "python", step.format(1.0)), training_diverges)
    assert finding.kind is Kind.DIVERGES
    assert "is NaN from line" in finding.evidence
    sound = tmp_path / "sound"
    sound.mkdir()
    assert examined(written(sound, "python", step.format(0.01)), [training_diverges]).findings == ()


# ---- weights along the wrong axis, and a loss that grows --------------------------------------------------

ATTENDING = {
    "python": "import numpy as np\nS, V = np.arange(9.0).reshape(3, 3) % 4, np.eye(3)[:, :2] + 1\n"
    "def attend(S, V):\n    W = np.exp(S) / np.exp(S).sum(axis={}, keepdims=True)\n    return W @ V\n"
    "O = attend(S, V)",
    "r": "S <- matrix(0:8 %% 4, 3)\nV <- diag(3)[, 1:2] + 1\nattend <- function(S, V) {{\n"
    "  W <- {}(apply(S, 1, function(x) exp(x) / sum(exp(x))))\n  W %*% V\n}}\nO <- attend(S, V)",
    "julia": "S = reshape(collect(0.0:8.0) .% 4, 3, 3); V = [2.0 1; 1 2; 1 1]\nfunction attend(S, V)\n"
    "    W = exp.(S) ./ sum(exp.(S), dims={})\n    return W * V\nend\nO = attend(S, V)",
}
AXES = {"python": ("0", "1"), "r": ("", "t"), "julia": ("1", "2")}
FITTING = {
    "python": "w, x = 0.0, 3.0\nfor i in range(8):\n    loss = (w * x - 6) ** 2\n"
    "    w {}= 0.01 * 2 * x * (w * x - 6)",
    "r": "w <- 0; x <- 3\nfor (i in 1:8) {{\n  loss <- (w * x - 6)^2\n"
    "  w <- w {} 0.01 * 2 * x * (w * x - 6)\n}}",
    "julia": "function fit(x)\n    w = 0.0\n    for i in 1:8\n        loss = (w * x - 6)^2\n"
    "        w {}= 0.01 * 2 * x * (w * x - 6)\n    end\n    return w\nend\nw = fit(3.0)",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_weights_along_the_wrong_axis_and_a_loss_that_grows(tmp_path: Path, language: str) -> None:
    (wrong, right), look = AXES[language], [wrong_axis, growing_loss]
    chunks = ATTENDING[language], FITTING[language]
    path = written(tmp_path, language, chunks[0].format(wrong), chunks[1].format("+"))
    axis, loss = examined(path, look).findings
    assert (axis.kind, loss.kind) == (Kind.AXIS, Kind.DIVERGES)
    assert line(path, axis).endswith("V")
    assert "its columns sum to 1, and its rows to" in axis.evidence
    assert line(path, loss).startswith("loss ")
    assert "loss grows from 36 to" in loss.evidence
    path = written(tmp_path, language, chunks[0].format(right), chunks[1].format("-"))
    assert examined(path, look).findings == ()


# ---- sound documents -------------------------------------------------------------------------------------

SOUND = {
    "python": (
        "import numpy as np\nfrom collections.abc import Callable",
        "rng = np.random.default_rng(7)\nx = rng.normal(size=(6, 3))  # shape: (n, d)",
        "def weights(q, k):\n    scores = q @ k.T / np.sqrt(q.shape[1])  # shape: (n, n)\n"
        "    powers = np.exp(scores - scores.max(axis=1, keepdims=True))  # shape: (n, n)\n"
        "    return powers / powers.sum(axis=1, keepdims=True)",
        "w = weights(x, x)\nprint(f'w.shape: {w.shape}')",
        "np.allclose(w.sum(axis=1), 1)",
        "z = w @ x  # shape: (n, d)\nprint(z.shape)",
    ),
    "r": (
        "set.seed(7)\nx <- matrix(runif(18), ncol = 3)  # shape: (n, d)",
        "weights <- function(q, k) {\n  scores <- q %*% t(k) / sqrt(ncol(q))  # shape: (n, n)\n"
        "  powers <- exp(scores - apply(scores, 1, max))  # shape: (n, n)\n  powers / rowSums(powers)\n}",
        'w <- weights(x, x)\ncat("w_rows:", nrow(w), "\\n")',
        "rowSums(w)",
        "z <- w %*% x  # shape: (n, d)\nprint(dim(z))",
    ),
    "julia": (
        "x = [0.1 0.4 0.2; 0.3 0.2 0.9]  #shape: [nxd]",
        "function weights(q, k)\n    scores = q * k' / sqrt(size(q, 2))  #shape: [nxn]\n"
        "    powers = exp.(scores .- maximum(scores, dims = 2))  #shape: [nxn]\n"
        "    return powers ./ sum(powers, dims = 2)\nend",
        'w = weights(x, x)\nprintln("w_rows: ", size(w, 1))',
        "z = w * x  #shape: [nxd]",
        "sum(z, dims = 2)",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sound_document_has_no_findings_at_all(tmp_path: Path, language: str) -> None:
    document = examined(written(tmp_path, language, *SOUND[language]), DETECTORS)
    assert not document.unchecked
    assert all(row.outcome == "ran" for row in document.chunks)
    assert document.findings == ()
