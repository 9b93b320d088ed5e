"""The reference's own NumPy code as a document: what is captured of it is judged like any implementation."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from harness.documents.capture import judge_captures
from harness.documents.model import Document
from harness.documents.patch import Capture, DocumentSpec
from harness.documents.results import ChunkRun, Execution, TrackRun
from harness.documents.surroundings import missing_here
from harness.errors import CaseError
from harness.model import Array, Cell, Check, Precision, Verdict
from harness.sessions.session import CodeError

SUITE = Path(__file__).parents[3] / "reference_impls"
SCORES = np.array([[8.0, 2, 10, 2], [4, 0, 4, 0], [12, 2, 14, 2], [10, 4, 14, 3]])


def judge(
    captured: dict[str, Array | str],
    precision: Precision = Precision.FLOAT64,
    patched: tuple[str, ...] = (),
    samples: tuple[str, ...] = ("default",),
    suite: Path = SUITE,
) -> list[Cell]:
    capture = Capture(
        id="c",
        language="r",
        precision=precision,
        values={name: name for name in captured},
        samples=dict.fromkeys(samples, ""),
    )
    execution = Execution(
        document=Document(path=Path("a.md"), kind="markdown", title=""),
        mode="prompt",
        chunks=(ChunkRun(index=0, line=1, language="r", patched=patched),),
        tracks=(TrackRun(language="r", stand_ins={"torch": "a stand-in"}),),
        captured={"c": {("default", name): value for name, value in captured.items()}},
        sandbox="",
        seconds=0.0,
    )
    spec = DocumentSpec(file="a.md", case="four_word", capture=(capture,))
    return judge_captures(execution, [spec], suite=suite)


def test_what_agrees_passes() -> None:
    (cell,) = judge({"scores": SCORES})
    assert cell.verdict is Verdict.PASS
    assert (cell.case, cell.stage, cell.implementation, cell.language) == (
        "four_word",
        "scores",
        "published.r",
        "R",
    )
    assert cell.check is Check.REFERENCE
    assert cell.samples == 1


def test_the_reference_computes_what_is_captured_and_what_that_follows_from(tmp_path: Path) -> None:
    suite, ran = tmp_path / "reference_impls", tmp_path / "ran"
    shutil.copytree(SUITE / "four_word", suite / "four_word")
    shutil.copytree(SUITE.parent / "fixtures" / "four_word", tmp_path / "fixtures" / "four_word")
    source = suite / "four_word" / "four_word.py"
    text = source.read_text(encoding="utf-8")
    assert text.count("return weights @ V") == 1
    told = f"open({str(ran)!r}, 'w').close() or weights @ V"
    source.write_text(text.replace("weights @ V", told), encoding="utf-8")
    (cell,) = judge({"scores": SCORES}, suite=suite)
    assert cell.verdict is Verdict.PASS
    assert not ran.exists()
    judge({"attention": SCORES}, suite=suite)
    assert ran.exists()


def test_what_differs_fails_with_its_size() -> None:
    cells = {
        cell.stage: cell
        for cell in judge({"scores": SCORES + 0.5, "maxs": SCORES.max(axis=1, keepdims=True)})
    }
    assert cells["scores"].verdict is Verdict.FAIL
    assert cells["scores"].stats is not None
    assert cells["scores"].stats.max_abs == 0.5
    assert cells["maxs"].verdict is Verdict.PASS


def test_a_wrong_shape_fails() -> None:
    (cell,) = judge({"scores": SCORES[:3]})
    assert cell.verdict is Verdict.FAIL


def test_what_was_not_captured_is_an_error_and_no_pass() -> None:
    (cell,) = judge({"scores": "object 'scores' not found"})
    assert cell.verdict is Verdict.ERROR
    assert "object 'scores' not found" in cell.reason


def test_without_word_vectors_it_counts_as_not_run() -> None:
    """The stand-in for the package that downloads them says so; it is no fault of the document's."""
    said = "ArgumentError: the stand-in needs a file of word vectors, and none was given"
    lack = missing_here(CodeError(message=said, kind="ArgumentError", line=1))
    assert lack is not None
    assert lack.kind == "network"
    assert missing_here(CodeError(message="ArgumentError: none", kind="ArgumentError", line=1)) is None


def test_doubles_that_are_float32_are_compared_as_such() -> None:
    (cell,) = judge({"scores": SCORES}, Precision.FLOAT32)
    assert cell.verdict is Verdict.PASS
    assert cell.precision is Precision.FLOAT32


def test_doubles_that_are_not_float32_fail_there() -> None:
    (cell,) = judge({"scores": SCORES + 1e-12}, Precision.FLOAT32)
    assert cell.verdict is Verdict.FAIL
    assert "float64" in cell.reason


def test_patches_and_stand_ins_are_named() -> None:
    (cell,) = judge({"scores": SCORES}, patched=("margin",))
    assert "patched: margin" in cell.detail
    assert "torch: a stand-in" in cell.detail


def test_a_sample_that_the_case_has_not() -> None:
    with pytest.raises(CaseError, match="the case has no elsewhere"):
        judge({"scores": SCORES}, samples=("default", "elsewhere"))


def test_a_value_that_the_case_has_not() -> None:
    with pytest.raises(CaseError, match="the case has no nonsense"):
        judge({"nonsense": SCORES})
