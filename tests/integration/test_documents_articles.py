"""The articles beside the checkout, run as they are published; skipped where they are not there."""

from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import pytest

from harness.documents.capture import judge_captures
from harness.documents.engine import RunSettings, execute_document
from harness.documents.parse import parse_document
from harness.documents.patch import load_document_specs, specs_for
from harness.documents.results import Execution, counts
from harness.model import Absent, Array, Cell, Verdict
from harness.model.article import Count
from harness.runtimes.registry import Registry
from harness.sessions.sandbox import find_sandbox
from harness.sessions.session import Semantics

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "reference_impls"
SHARED = ROOT.parent / "shared"
ARTICLES = SHARED / "articles"
GLOVE = SHARED / "glove" / "glove.6B.50d.first9163.txt"

pytestmark = pytest.mark.skipif(not ARTICLES.is_dir(), reason=f"no articles in {ARTICLES}")


@cache
def run(name: str, mode: Semantics = "prompt", patched: bool = True, stand_ins: bool = True) -> Execution:
    registry = Registry.load(SUITE)
    document = parse_document(ARTICLES / name)
    for language, runtime in (("r", "r"), ("julia", "julia")):
        launch = registry.session(runtime)
        if isinstance(launch, Absent) and any(chunk.language == language for chunk in document.chunks):
            pytest.skip(launch.reason)
    specs = specs_for(document, load_document_specs(SUITE))
    plan = RunSettings(
        mode=mode,
        run_unevaluated=True,
        stand_ins=stand_ins,
        glove=GLOVE if GLOVE.is_file() else None,
        patches=tuple(patch for spec in specs for patch in spec.patch) if patched else (),
        captures=tuple(capture for spec in specs for capture in spec.capture),
    )
    return execute_document(
        document, registry=registry, sandbox=find_sandbox(unsandboxed=True), trust=True, plan=plan
    )


def cells(execution: Execution) -> list[Cell]:
    specs = specs_for(execution.document, load_document_specs(SUITE))
    return judge_captures(execution, specs, suite=SUITE, glove=GLOVE if GLOVE.is_file() else None)


@cache
def judged_as_published(name: str) -> tuple[Cell, ...]:
    return tuple(cells(run(name)))


def off(value: Array | str) -> Array | str:
    """Another value of the same shape; zeros in place of what is not finite."""
    if isinstance(value, str):
        return value
    moved = np.abs(value) * 1.01 + 0.01 if np.isfinite(value).all() else np.zeros_like(value)
    return moved.astype(value.dtype)


def spoilt(execution: Execution) -> Execution:
    captured = {
        name: {key: off(value) for key, value in values.items()}
        for name, values in execution.captured.items()
    }
    return msgspec.structs.replace(execution, captured=captured)


NOT_INSTALLED = ("unable to install packages", "trying to use CRAN without setting a mirror")
"""Of a session that cannot write R's library, and of root's where no sandbox runs."""


def failures(execution: Execution) -> dict[int, str]:
    return {run.index: run.error.message for run in execution.chunks if run.error is not None}


def count(execution: Execution, language: str) -> Count:
    return next(answers for answers in counts(execution) if answers.language == language)


@pytest.mark.r
class TestTheBlogInR:
    def test_unpatched_it_fails_where_apply_is_called(self) -> None:
        execution = run("attention-in-r.md", patched=False)
        errors = failures(execution)
        assert errors.pop(0) in NOT_INSTALLED
        assert errors == {
            7: 'argument "FUN" is missing, with no default',
            9: "object 'maxs' not found",
        }
        assert not execution.patched

    def test_what_follows_an_error_prints_zeros_and_no_error(self) -> None:
        last = run("attention-in-r.md", patched=False).chunks[-1]
        assert last.left is not None
        assert last.left.text.count(" 0") == 12

    def test_patched_it_agrees_with_ours(self) -> None:
        execution = run("attention-in-r.md")
        errors = failures(execution)
        assert errors.pop(0) in NOT_INSTALLED
        assert errors == {}
        judged = cells(execution)
        assert len(judged) == 7
        assert {cell.verdict for cell in judged} == {Verdict.PASS}
        assert all("patched: apply_margin" in cell.detail for cell in judged)

    def test_the_vignette(self) -> None:
        execution = run("complete-attention.Rmd")
        assert count(execution, "r") == Count(language="r", total=12, run=12, sound=12)
        judged = cells(execution)
        assert len(judged) == 7
        assert {cell.verdict for cell in judged} == {Verdict.PASS}


@pytest.mark.torch
@pytest.mark.r
@pytest.mark.parametrize(
    "name",
    [
        "attention-in-r.md",
        "complete-attention.Rmd",
        "simple-attention-pytorch.md",
        # All its languages run again for it.
        pytest.param("lets-talk-attention.qmd", marks=pytest.mark.slow),
    ],
)
def test_what_is_off_fails(name: str) -> None:
    judged = cells(spoilt(run(name)))
    assert judged
    assert {cell.verdict for cell in judged} == {Verdict.FAIL}


@pytest.mark.torch
def test_the_two_parts_in_pytorch() -> None:
    execution = run("simple-attention-pytorch.md")
    assert count(execution, "python") == Count(language="python", total=20, run=20, sound=20)
    judged = cells(execution)
    assert {cell.case for cell in judged} == {"token_attention", "einsum_multi_head"}
    assert {cell.verdict for cell in judged} == {Verdict.PASS}
    assert {cell.precision.value for cell in judged} == {"float32"}


@pytest.mark.torch
@pytest.mark.r
@pytest.mark.slow
class TestTheQuartoArticle:
    """Both languages run all of it, in sessions of their own; `conform` runs it too."""

    def test_both_tracks_run(self) -> None:
        execution = run("lets-talk-attention.qmd")
        assert count(execution, "python") == Count(language="python", total=14, run=14, sound=14)
        r = next(track for track in execution.tracks if track.language == "r")
        if not r.stand_ins:
            pytest.skip("R has torch itself")
        assert "stand-in" in r.stand_ins["torch"]
        assert list(failures(execution).values()) == ['could not find function "rpubsUpload"']

    def test_both_tracks_agree_with_ours(self) -> None:
        judged = judged_as_published("lets-talk-attention.qmd")
        assert {(cell.case, cell.implementation) for cell in judged} == {
            (case, column)
            for case in ("self_attention", "multi_head")
            for column in ("published.python", "published.r")
        }
        assert {cell.verdict for cell in judged} == {Verdict.PASS}
        assert all(("torch: stand-in" in cell.detail) == (cell.language == "R") for cell in judged)


@pytest.mark.julia
@pytest.mark.slow
@pytest.mark.skipif(not GLOVE.is_file(), reason=f"no {GLOVE}")
class TestTheJuliaArticle:
    def test_at_a_prompt_the_last_listing_trains(self) -> None:
        execution = run("attention-from-scratch-julia.md")
        last = execution.chunks[-1]
        assert last.error is None
        assert last.left is not None
        losses = [line for line in last.left.text.splitlines() if line.startswith("Total loss:")]
        assert len(losses) == 1000
        assert float(losses[0].split(":")[1]) > float(losses[-1].split(":")[1])
        assert last.left.plots == ('heatmap "Attention weights α" of 6, 6, 6×6',)

    def test_the_listings_before_it_diverge(self) -> None:
        execution = run("attention-from-scratch-julia.md")
        chunk = next(
            chunk_run
            for chunk_run in execution.chunks
            if chunk_run.left and "Total loss" in chunk_run.left.text
        )
        assert chunk.left is not None
        assert chunk.left.text.rstrip().endswith("NaN")

    def test_as_a_script_its_loop_fails(self) -> None:
        execution = run("attention-from-scratch-julia.md", mode="script")
        error = execution.chunks[-1].error
        assert error is not None
        assert error.kind == "UndefVarError"

    def test_what_it_trains_is_what_ours_train(self) -> None:
        judged = judged_as_published("attention-from-scratch-julia.md")
        names = ("forward", "backward", "training")
        assert {cell.case for cell in judged} == {f"sentiment_{name}" for name in names}
        # Training everything diverges: the parameters are NaN in the article, and in ours.
        lost = {cell.stage for cell in judged if cell.verdict is Verdict.NOT_RUN}
        assert len(lost) == 13
        assert all(stage.endswith("_published_all") for stage in lost)
        assert {cell.reason for cell in judged if cell.stage in lost} == {
            "nothing was compared by number: all elements are NaN on both sides"
        }
        assert {cell.verdict for cell in judged if cell.stage not in lost} == {Verdict.PASS}
        stages = {cell.stage for cell in judged}
        both = ["losses_published", *(f"attention_{place}_published" for place in range(1, 6))]
        assert {f"{name}{end}" for name in both for end in ("", "_all")} <= stages
        alpha = {(cell.case, cell.samples) for cell in judged if cell.stage == "alpha"}
        assert alpha == {("sentiment_forward", 44), ("sentiment_backward", 39)}
        assert (
            all("CSV: stand-in" in cell.detail for cell in judged)
            or not run("attention-from-scratch-julia.md").tracks[0].stand_ins
        )

    def test_its_backward_pass_is_what_ours_call_published(self) -> None:
        backward = [
            cell
            for cell in judged_as_published("attention-from-scratch-julia.md")
            if cell.case == "sentiment_backward"
        ]
        assert {(cell.verdict, cell.samples) for cell in backward} == {(Verdict.PASS, 39)}
        gradients = {f"dL_d{name}" for name in ("Q", "Qb", "K", "Kb", "V", "Vb", "W", "b")}
        assert gradients < {cell.stage for cell in backward}
        assert not [cell.stage for cell in backward if cell.stage.endswith("_exact")]

    def test_every_case_has_a_document(self) -> None:
        cases = {path.parent.name for path in SUITE.glob("*/case.toml")}
        assert {spec.case for spec in load_document_specs(SUITE)} == cases
        assert len(cases) == 9

    def test_what_is_off_fails(self) -> None:
        judged = cells(spoilt(run("attention-from-scratch-julia.md")))
        assert {cell.verdict for cell in judged} == {Verdict.FAIL}

    def test_without_stand_ins_it_says_what_is_missing(self) -> None:
        execution = run("attention-from-scratch-julia.md", stand_ins=False)
        if execution.chunks[0].error is None:
            pytest.skip("Embeddings is installed")
        lacking = [error.message for error in execution.chunks[0].lacking]
        assert any("Package Embeddings not found" in message for message in lacking)
        assert "GloVe not defined" in execution.chunks[0].error.message
