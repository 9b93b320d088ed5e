"""Faults in the nodes of ONNX models: where they are put, that they can be read, and are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.audit import onnx_faults
from harness.errors import ImplementationError
from tests import onnx_models

pytestmark = pytest.mark.onnx
ROOT = Path(__file__).parents[2]
CASE = """
[inputs]
x = ["n", "d"]
W = ["d", "k"]
b = ["k"]

[[stage]]
name = "product"
inputs = ["x", "W", "b"]
shape = ["n", "k"]

[[stage]]
name = "weights"
inputs = ["product"]
outputs = [{ name = "power", shape = ["n", "k"] }, { name = "rooted", shape = ["n", "k"] }]
"""
MODEL = """
toy (double[n, d] x, double[d, k] W, double[k] b) => (double[n, k] power, double[n, k] rooted)
{
    made = MatMul (x, W)
    product = Add (made, b)
    most = ReduceMax <axes = [1], keepdims = 1> (product)
    below = Sub (product, most)
    power = Exp (below)
    three = Constant <value = double {3.0}> ()
    root = Sqrt (three)
    places = Constant <value_ints = [1]> ()
    total = ReduceSum <keepdims = 1> (power, places)
    turned = Transpose (total)
    back = Transpose (turned)
    shown = Sub (back, three)
    rooted = Mul (shown, root)
}
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    pytest.importorskip("onnx")
    path = tmp_path / "toy.onnx"
    path.write_bytes(onnx_models.made(MODEL).SerializeToString())
    (tmp_path / "case.toml").write_text(CASE, encoding="utf-8")
    return path


def test_where_faults_are_put(model: Path) -> None:
    changes, uses = onnx_faults.changes(model)
    short = "most = ReduceMax<axes=[{}]>(product)"
    assert {(each.fault.name, each.definition, each.was, each.now) for each in changes} >= {
        ("BIAS", "product", "product = Add(made, b)", "product = Identity(made)"),
        ("SIGN", "product", "product = Add(made, b)", "product = Sub(made, b)"),
        ("AXIS", "most", short.format(1), short.format(0)),
        ("MAXIMUM", "below", "below = Sub(product, most)", "below = Identity(product)"),
        ("MAXIMUM", "below", "below = Sub(product, most)", "below = Add(product, most)"),
        ("CONSTANT", "three", "three = Constant()", "three = Constant()"),
        ("SCALE", "root", "root = Sqrt(three)", "root = Identity(three)"),
        ("TRANSPOSE_REMOVED", "turned", "turned = Transpose(total)", "turned = Identity(total)"),
        ("SIGN", "shown", "shown = Sub(back, three)", "shown = Add(back, three)"),
    }
    assert not any(each.definition == "places" for each in changes)
    assert uses["product"] == {"made", "product"}
    assert {"below", "power", "rooted"} <= uses["weights"]


def test_each_model_is_another_and_can_be_read(model: Path) -> None:
    onnx = pytest.importorskip("onnx")
    changes, _ = onnx_faults.changes(model)
    texts = {change.data for change in changes}
    assert len(texts) == len(changes)
    assert model.read_bytes() not in texts
    for change in changes:
        onnx.checker.check_model(onnx.load_from_string(change.data))


def test_a_file_that_is_no_model_is_told(model: Path) -> None:
    model.write_bytes(b"no model")
    with pytest.raises(ImplementationError, match="its nodes cannot be changed"):
        onnx_faults.changes(model)


def test_the_faults_of_four_word_are_found(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from harness.cli import main

    words = ["audit", "--suite", str(ROOT / "reference_impls"), "--case", "four_word", "--impl", "onnx"]
    result = CliRunner().invoke(main, [*words, "--level", "source"])
    if "not audited: onnx" in result.output:
        pytest.skip("ONNX Runtime is not here")
    assert "8 of 8 faults found, 100 %" in result.output, result.output
    assert "5 more were equivalent" in result.output
