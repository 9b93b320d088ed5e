"""A case in float16 and bfloat16: right implementations agree, a planted fault of each is found."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.model import Basis, Cell, Check, Record, Verdict

pytest.importorskip("flint")

pytestmark = pytest.mark.usefixtures("interpreted_julia")
SUITE = Path(__file__).parents[2] / "reference_impls"
CASE = "self_attention"
FAULTS = {
    "numpy": ("return scores / math.sqrt(K.shape[-1])", "return scores / (math.sqrt(K.shape[-1]) - {})"),
    "torch": ("return scores / K.shape[-1] ** 0.5", "return scores / (K.shape[-1] ** 0.5 - {})"),
    "julia": (
        "scaled(scores, K) = scores ./ sqrt(eltype(K)(size(K, 3)))",
        "scaled(scores, K) = scores ./ (sqrt(eltype(K)(size(K, 3))) - eltype(K)({}))",
    ),
}
SUFFIXES = {"numpy": ".py", "torch": "_torch.py", "julia": ".jl"}
OFF = {"float16": "0.01", "bfloat16": "0.2"}
"""What is taken from 4, by which scores are divided: five units of float16, and twelve of bfloat16."""


def cells_of(record: Record, implementation: str) -> list[Cell]:
    return [
        cell
        for cell in record.cells
        if cell.implementation == implementation and cell.check is not Check.REPEAT
    ]


@pytest.mark.parametrize(
    ("runtime", "precision"),
    [
        ("numpy", "float16"),
        pytest.param("torch", "float16", marks=pytest.mark.torch),
        pytest.param("torch", "bfloat16", marks=pytest.mark.torch),
        pytest.param("julia", "float16", marks=pytest.mark.julia),
    ],
)
def test_right_implementations_agree_and_a_fault_is_found(
    tmp_path: Path, runtime: str, precision: str
) -> None:
    folder = tmp_path / "suite"
    shutil.copytree(SUITE / CASE, folder / CASE)
    shutil.copytree(SUITE.parent / "fixtures" / CASE, folder / "fixtures" / CASE)
    case = folder / CASE / "case.toml"
    head = case.read_text(encoding="utf-8")
    assert head.count('"float16"]') == 1
    case.write_text(head.replace('"float16"]', '"float16", "bfloat16"]'), encoding="utf-8")
    source = folder / CASE / f"{CASE}{SUFFIXES[runtime]}"
    text = source.read_text(encoding="utf-8")
    old, new = FAULTS[runtime]
    assert text.count(old) == 1
    faulty = source.with_name(f"{CASE}.off{SUFFIXES[runtime]}")
    faulty.write_text(text.replace(old, new.format(OFF[precision])), encoding="utf-8")
    plan = make_plan(folder, implementations=("numpy", runtime, f"{runtime}.off"), precisions=(precision,))
    record = run(plan, out=None, require=(runtime, "oracle"))
    assert record.footer is not None
    assert not record.footer.complaints
    right = cells_of(record, runtime)
    truth = [cell for cell in right if cell.check is Check.ORACLE]
    assert {cell.verdict for cell in right} == {Verdict.PASS}
    assert {cell.basis for cell in truth} == {Basis.DERIVED}
    # 18 outputs less the mask, which is exact, chained and isolated.
    assert len(truth) == 2 * 17
    wrong = [cell for cell in cells_of(record, f"{runtime}.off") if cell.verdict is Verdict.FAIL]
    assert {cell.stage for cell in wrong if cell.mode == "isolated"} == {"scaled"}
    assert any(cell.check is Check.ORACLE for cell in wrong)


@pytest.mark.r
def test_r_has_no_such_format(tmp_path: Path) -> None:
    plan = make_plan(SUITE, cases=(CASE,), implementations=("numpy", "r"), precisions=("float16",))
    record = run(plan, out=None, require=("r",))
    of_r = [cell for cell in record.cells if cell.implementation == "r"]
    assert {cell.verdict for cell in of_r} == {Verdict.UNSUPPORTED}
    assert {cell.reason for cell in of_r} == {"r has no float16"}


@pytest.mark.torch
def test_another_format_than_bfloat16_is_a_failure(tmp_path: Path) -> None:
    """Whole numbers are bfloat16 numbers too: that the dtype is another one is seen all the same."""
    folder = tmp_path / "suite"
    shutil.copytree(SUITE / CASE, folder / CASE)
    shutil.copytree(SUITE.parent / "fixtures" / CASE, folder / "fixtures" / CASE)
    case = folder / CASE / "case.toml"
    head = case.read_text(encoding="utf-8")
    case.write_text(head.replace('"float16"]', '"bfloat16"]'), encoding="utf-8")
    source = folder / CASE / f"{CASE}_torch.py"
    text = source.read_text(encoding="utf-8")
    old = "torch.ones_like(scaled[0]).tril()"
    assert text.count(old) == 1
    source.write_text(text.replace(old, old + ".float()"), encoding="utf-8")
    plan = make_plan(folder, implementations=("numpy", "torch"), precisions=("bfloat16",))
    record = run(plan, out=None, require=("torch", "oracle"))
    mask = [cell for cell in cells_of(record, "torch") if cell.stage == "mask"]
    assert {cell.verdict for cell in mask} == {Verdict.FAIL}
    assert all("dtype float32 where bfloat16 is expected" in cell.reason for cell in mask)
