"""ONNX models: a stage is a part of the graph; what is missing, other precisions, faults, our own files."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.errors import ImplementationError
from harness.model import Absent, Mode, Verdict
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry
from tests import onnx_models

pytestmark = pytest.mark.onnx
ROOT = Path(__file__).parents[2]

CASE = """
[inputs]
x = ["n", "d"]
W = ["d", "k"]
few = { shape = ["n"], dtype = "int" }

[[stage]]
name = "scores"
inputs = ["x", "W"]
shape = ["n", "k"]

[[stage]]
name = "total"
inputs = ["scores"]
outputs = [{ name = "sums", shape = ["n"] }, { name = "most", shape = [] }]

[[stage]]
name = "picked"
inputs = ["scores", "few"]
shape = ["n", "k"]

[[stage]]
name = "centred"
inputs = ["scores"]
shape = ["n", "k"]

[[stage]]
name = "absent"
inputs = ["scores"]
shape = ["n"]
"""
MODEL = """
<ir_version: 8, opset_import: ["" : 17]>
toy (REAL[n, d] x, REAL[d, k] W, int32[n] few)
    => (REAL[n] sums, REAL most, REAL[n, k] picked, REAL[n, k] centred)
<REAL[1] shift = {1}>
{
    scores = MatMul (x, W)
    axis = Constant <value_ints = [1]> ()
    sums = ReduceSum <keepdims = 0> (scores, axis)
    most = ReduceMax <keepdims = 0> (scores)
    picked = Gather <axis = 0> (scores, few)
    shifted = Add (scores, shift)
    means = ReduceMean <axes = [0]> (x)
    middle = ReduceMean <keepdims = 0> (means)
    centred = Sub (shifted, middle)
}
"""
ARITY = {"scores": 2, "total": 1, "picked": 2, "centred": 1, "absent": 1}


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    folder = tmp_path_factory.mktemp("onnx")
    launch = Registry.load(folder).launch("onnx")
    if isinstance(launch, Absent):
        pytest.skip(launch.reason)
    worker = Worker.start("onnx", launch, stderr=folder / "stderr", deadline=120)
    (folder / "case.toml").write_text(CASE, encoding="utf-8")
    yield worker, folder
    worker.stop()


def written(folder: Path, text: str = MODEL, real: str = "double") -> Path:
    import onnx

    path = folder / f"{real}.onnx"
    path.write_bytes(onnx.parser.parse_model(text.replace("REAL", real)).SerializeToString())
    return path


X, W = np.array([[1.0, 2.0], [3.0, -4.0]]), np.array([[1.0, 0.0, 2.0], [0.5, 1.0, -1.0]])


def test_a_stage_is_the_part_of_the_graph_between_its_inputs_and_its_outputs(
    worker: tuple[Worker, Path],
) -> None:
    talk, folder = worker
    loaded = talk.load(written(folder), ARITY, deadline=60, precision="float64")
    told = {stage: f"{why.kind}: {why}" for stage, why in loaded.problems.items()}
    assert set(told) == {"centred", "absent"}
    assert "arity: " in told["centred"]
    assert "the graph computes centred from x too, and case.toml from scores" in told["centred"]
    assert "missing: " in told["absent"]
    assert "the graph has no value called absent" in told["absent"]

    def call(stage: str, *inputs: np.ndarray, outputs: int = 1) -> list[np.ndarray]:
        return talk.call(loaded.handle, stage, inputs, outputs=outputs, deadline=60)[0]

    assert call("scores", X, W)[0].tolist() == (X @ W).tolist()
    other = np.array([[1.0, 2.0, 3.0]])
    sums, most = call("total", other, outputs=2)
    assert (sums.tolist(), most.shape, float(most), sums.dtype) == ([6.0], (), 3.0, np.float64)
    assert call("picked", np.array([[1.0], [2.0]]), np.array([1, 0]))[0].tolist() == [[2.0], [1.0]]
    with pytest.raises(ImplementationError, match="few has integers that int32 does not hold"):
        call("picked", np.array([[1.0], [2.0]]), np.array([2**40, 0]))
    with pytest.raises(ImplementationError, match="few has integers that int32 does not hold"):
        call("picked", np.array([[1.0], [2.0]]), np.array([2**64 - 1, 0], "u8"))
    with pytest.raises(ImplementationError, match="x is complex128, and the graph takes float64"):
        call("scores", X + 1j, W)
    with pytest.raises(ImplementationError, match="indices element out of data bounds"):
        call("picked", np.array([[1.0], [2.0]]), np.array([7, 0]))
    assert call("scores", X, W)[0].tolist() == (X @ W).tolist()


def test_a_model_has_the_precision_that_it_has(worker: tuple[Worker, Path]) -> None:
    talk, folder = worker
    path = written(folder, real="float")
    with pytest.raises(ImplementationError, match=r"float.onnx is in float32, and has no float64") as caught:
        talk.load(path, ARITY, deadline=60, precision="float64")
    assert caught.value.kind == "unsupported"
    handle = talk.load(path, ARITY, deadline=60, precision="float32").handle
    (scores,) = talk.call(handle, "scores", [X.astype("f4"), W.astype("f4")], outputs=1, deadline=60)[0]
    assert scores.dtype == np.float32


def test_what_is_no_model_is_told(worker: tuple[Worker, Path]) -> None:
    talk, folder = worker
    path = folder / "text.onnx"
    path.write_text("this is no model", encoding="utf-8")
    with pytest.raises(ImplementationError, match=r"text\.onnx is no model that ONNX can read") as caught:
        talk.load(path, ARITY, deadline=60)
    assert caught.value.kind == "load"


HEAD = "toy (double[n, d] x, double[d, k] W) => (double[n, d] scores)"


@pytest.mark.parametrize(
    ("opset", "body", "words"),
    [
        (17, "scores = And (x, x)", r"Type Error: Type 'tensor\(double\)' of input parameter \(x\)"),
        (99, "scores = Add (x, x)", "it does not know the opset 99$"),
        (17, "few_of = Cast <to = 6> (x) scores = Add (x, few_of)", "Type Error: Type parameter"),
    ],
)
def test_a_model_that_is_not_sound_is_an_error_of_the_file(
    worker: tuple[Worker, Path], opset: int, body: str, words: str
) -> None:
    talk, folder = worker
    text = f'<ir_version: 8, opset_import: ["" : {opset}]>\n{HEAD} {{ {body} }}'
    with pytest.raises(ImplementationError, match=rf"can evaluate: {words}") as caught:
        talk.load(written(folder, text), {"scores": 2}, deadline=60, precision="float64")
    assert caught.value.kind == "load"
    assert not any(word in caught.value.message for word in ("::", "ONNXRuntimeError", "/"))


def test_an_operator_that_onnx_runtime_has_not_is_left_out(worker: tuple[Worker, Path]) -> None:
    talk, folder = worker
    text = f'<ir_version: 8, opset_import: ["" : 17, "own" : 1]>\n{HEAD}'
    loaded = talk.load(
        written(folder, f"{text} {{ scores = own.Odd (x) }}"), {"scores": 2}, deadline=60, precision="float64"
    )
    assert loaded.problems["scores"].kind == "unsupported"
    assert "own:Odd" in loaded.problems["scores"].message


def test_the_committed_models_are_those_of_their_text() -> None:
    pytest.importorskip("onnx")
    assert onnx_models.main(check=True) == 0


def test_a_fault_is_found_at_its_stage(tmp_path: Path) -> None:
    """The root of the scale is left out of four_word's softmax: that is off, and what follows inherits it."""
    onnx: Any = pytest.importorskip("onnx")
    suite = tmp_path / "reference_impls"
    shutil.copytree(ROOT / "reference_impls" / "four_word", suite / "four_word")
    shutil.copytree(ROOT / "fixtures" / "four_word", tmp_path / "fixtures" / "four_word")
    text = onnx_models.HEAD + onnx_models.FOUR_WORD
    wrong = text.replace("scaled = Div (below, root)", "scaled = Div (below, d_k_real)")
    assert wrong != text
    path = suite / "four_word" / "four_word.off.onnx"
    path.write_bytes(onnx.parser.parse_model(wrong).SerializeToString())
    chosen = ("numpy", "onnx", "onnx.off")
    record = run(make_plan(suite, implementations=chosen, precisions=("float64",)), out=None, replay="never")
    if record.header.absent:
        pytest.skip(record.header.absent[0].reason)
    for name in chosen:
        cells = [c for c in record.cells if c.implementation == name and c.mode is Mode.ISOLATED]
        assert len({cell.stage for cell in cells}) == 7
        off = {cell.stage for cell in cells if cell.verdict is not Verdict.PASS}
        assert off == ({"weights"} if name == "onnx.off" else set()), name
    inherited = {c.stage for c in record.cells if c.implementation == "onnx.off" and c.inherited}
    assert inherited == {"attention"}


@pytest.mark.parametrize("held", ["double[d, k] W = {2, 0, 0, 2, 1, 1}", ""])
def test_weights_that_the_model_holds_are_its_own(worker: tuple[Worker, Path], held: str) -> None:
    """As deployed: nobody can give an exported model other weights, and wrong ones must show."""
    talk, folder = worker
    constant = "" if held else "W = Constant <value = double[2, 3] {2, 0, 0, 2, 1, 1}> ()"
    text = f"""
<ir_version: 8, opset_import: ["" : 17]>
held (double[n, d] x, int32[n] few) => (double[n, k] scores)
{f"<{held.replace('d, k', '2, 3')}>" if held else ""}
{{
    {constant}
    scores = MatMul (x, W)
}}
"""
    loaded = talk.load(written(folder, text), {"scores": 2}, deadline=60, precision="float64")
    assert not loaded.problems
    (scores,) = talk.call(loaded.handle, "scores", [X, W], outputs=1, deadline=60)[0]
    assert scores.tolist() == (X @ np.array([[2.0, 0.0, 0.0], [2.0, 1.0, 1.0]])).tolist()
