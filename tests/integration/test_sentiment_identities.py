"""Derived identities of the gradient, live: they hold where they should, and no wrong gradient passes.

Julia is slow: it compiles the gradient twice, in two precisions, for half a minute.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.model import Cell, Check, Verdict

ROOT = Path(__file__).parents[2]
NAME = "sentiment_backward"
FILES = {
    "numpy": f"{NAME}.py",
    "torch": f"{NAME}_torch.py",
    "r": f"{NAME}.R",
    "julia": f"{NAME}.jl",
}
HOLD = ("dL_dp", "dL_df", "dL_dW", "dL_db", "dL_dz", "dL_dalpha", "dL_dv", "dL_dV", "dL_dVb")
KNOWN = ("dL_de", "dL_dq", "dL_dk", "dL_dQ", "dL_dK", "dL_dQb", "dL_dKb")
SAMPLE = "review_06"
pytestmark = pytest.mark.usefixtures("julia_process")

# One part in a thousand million too large; the first gradient, from which all others follow.
WRONG = {
    "numpy": "sound = dL_dp\ndef dL_dp(p, y): return sound(p, y) * (1 + 1e-9)",
    "torch": "sound = dL_dp\ndef dL_dp(p, y): return sound(p, y) * (1 + 1e-9)",
    "r": "sound <- dL_dp\ndL_dp <- function(p, y) sound(p, y) * (1 + 1e-9)",
    "julia": "dL_dp(p, y) = (p .- y) .* (1 + 1e-9)",
}
RUNTIMES = [
    "numpy",
    # Ten seconds, of which most are the true values.
    pytest.param("torch", marks=[pytest.mark.torch, pytest.mark.slow]),
    pytest.param("r", marks=pytest.mark.r),
    pytest.param("julia", marks=[pytest.mark.julia, pytest.mark.slow]),
]


def identities(folder: Path, runtime: str, variants: dict[str, str]) -> dict[tuple[str, str, str], Cell]:
    """By implementation, left side and precision."""
    suite = folder / "suite"
    case = suite / NAME
    case.mkdir(parents=True)
    shutil.copytree(ROOT / "fixtures", suite / "fixtures")
    for name in {"case.toml", FILES["numpy"], FILES[runtime]}:
        shutil.copy(ROOT / "reference_impls" / NAME / name, case)
    head = 'fixture = "sentiment"\n'
    text = (case / "case.toml").read_text(encoding="utf-8")
    assert head in text
    text = text.replace(head, head + 'precisions = ["float64", "float32"]\n', 1)
    (case / "case.toml").write_text(text, encoding="utf-8")
    sound = (case / FILES[runtime]).read_text(encoding="utf-8")
    suffix = FILES[runtime].removeprefix(NAME)
    for variant, more in variants.items():
        (case / f"{NAME}.{variant}{suffix}").write_text(f"{sound}\n\n{more}\n", encoding="utf-8")
    record = run(make_plan(suite, samples=(SAMPLE,)), out=None, require=(runtime,))
    return {
        (cell.implementation, cell.stage, cell.precision.value): cell
        for cell in record.cells
        if cell.check is Check.IDENTITY
    }


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_identities_hold_and_a_wrong_gradient_does_not_pass(
    runtime: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("flint")
    monkeypatch.delenv("HARNESS_GLOVE", raising=False)
    cells = identities(tmp_path, runtime, {"wrong": WRONG[runtime]})
    formats = ("float64",) if runtime == "r" else ("float64", "float32")
    for precision in formats:
        for stage in HOLD:
            cell = cells[runtime, stage, precision]
            assert cell.verdict is Verdict.PASS, f"{stage} {precision}: {cell.reason}"
            assert cell.stats is not None
            assert cell.stats.used < 0.5
    for stage in KNOWN:
        cell = cells[runtime, stage, "float64"]
        assert cell.verdict is Verdict.XFAIL, f"{stage}: {cell.reason}"
    for stage in HOLD:
        cell = cells[f"{runtime}.wrong", stage, "float64"]
        assert cell.verdict is Verdict.FAIL, f"{stage}: {cell.reason}"


@pytest.mark.slow
def test_each_identity_fails_by_itself_for_its_own_stage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """23 wrong files beside the sound one; one that is wrong everywhere is a fast test."""
    pytest.importorskip("flint")
    monkeypatch.delenv("HARNESS_GLOVE", raising=False)
    off = "sound = {stage}\ndef {stage}(*given): return sound(*given) * {factor}"
    variants = {stage: off.format(stage=stage, factor="(1 + 1e-9)") for stage in HOLD}
    # Over all samples, the sizes of the bias's gradient differ by a factor of 300,000.
    variants |= {stage: off.format(stage=stage, factor="10.0") for stage in KNOWN[:-1]}
    variants |= {KNOWN[-1]: off.format(stage=KNOWN[-1], factor="1e6")}
    variants |= {f"none_{stage}": off.format(stage=stage, factor="0.0") for stage in KNOWN}
    cells = identities(tmp_path, "numpy", variants)
    for stage in HOLD:
        cell = cells[f"numpy.{stage}", stage, "float64"]
        assert cell.verdict is Verdict.FAIL
        assert "beyond the limit" in cell.reason
    for stage in KNOWN:
        cell = cells[f"numpy.{stage}", stage, "float64"]
        assert cell.verdict is Verdict.FAIL, f"{stage}: {cell.reason}"
        assert cell.reason.startswith(f"larger than known divergence 'published-{stage}' allows: ")
    for stage in KNOWN[:-1]:
        assert cells[f"numpy.none_{stage}", stage, "float64"].verdict is Verdict.FAIL
    # Of the bias of the keys, zero is right.
    assert cells["numpy.none_dL_dKb", "dL_dKb", "float64"].verdict is Verdict.XPASS
