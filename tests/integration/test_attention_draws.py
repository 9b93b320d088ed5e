"""The fixtures of the attention cases are what PyTorch and R themselves draw, in the articles' order."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from harness.store.arrays import read_array_file

FIXTURES = Path(__file__).parents[2] / "fixtures"
ROLES = ("query", "key", "value")


def arrays(name: str) -> dict[str, npt.NDArray[Any]]:
    return read_array_file(FIXTURES / name / "arrays.safetensors")


def assert_same(stored: dict[str, npt.NDArray[Any]], drawn: dict[str, Any]) -> None:
    assert set(drawn) <= set(stored)
    for name, tensor in drawn.items():
        array = tensor.detach().numpy()
        assert array.dtype == stored[name].dtype, name
        assert np.array_equal(array.view(np.int32), stored[name].view(np.int32)), name


@pytest.mark.torch
def test_seed_89_gives_one_layer_one_head_and_four_heads() -> None:
    torch = pytest.importorskip("torch")

    def layers(inputs: int, outputs: int) -> list[Any]:
        return [torch.nn.Linear(inputs, outputs, bias=False).weight for _ in ROLES]

    torch.manual_seed(89)
    x = torch.randn((1, 3, 5))
    layer = layers(5, 16)
    head_x = torch.randn((1, 3, 32))
    head = layers(32, 8)
    multi_x = torch.randn((1, 3, 32))
    heads = [layers(32, 8) for _ in range(4)]
    output = torch.nn.Linear(32, 32)

    first = {"x": x, "head_x": head_x}
    first |= {f"{role}_weight": weight for role, weight in zip(ROLES, layer, strict=True)}
    first |= {f"head_{role}_weight": weight for role, weight in zip(ROLES, head, strict=True)}
    assert_same(arrays("self_attention"), first)
    assert set(first) == set(arrays("self_attention"))

    second = {"x": multi_x, "output_weight": output.weight, "output_bias": output.bias}
    second |= {f"{role}_weight": torch.stack([h[i] for h in heads]) for i, role in enumerate(ROLES)}
    assert_same(arrays("multi_head"), second)
    assert set(second) == set(arrays("multi_head"))


@pytest.mark.torch
@pytest.mark.parametrize(
    ("name", "shapes"),
    [
        ("token_attention", {"w_key": (16, 16), "w_query": (16, 16), "w_value": (16, 16)}),
        (
            "einsum_multi_head",
            {"w_query": (4, 16, 4), "w_key": (4, 16, 4), "w_value": (4, 16, 4), "w_output": (16, 16)},
        ),
    ],
)
def test_seed_0_gives_the_embedding_and_then_each_parts_matrices(
    name: str, shapes: dict[str, tuple[int, ...]]
) -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    drawn = {"embedding": torch.nn.Embedding(10, 16).weight}
    drawn |= {matrix: torch.rand(*shape) for matrix, shape in shapes.items()}
    assert_same(arrays(name), drawn)
    assert {*drawn, "tokens"} == set(arrays(name))


@pytest.mark.r
def test_rs_seed_0_gives_the_three_matrices() -> None:
    rscript = shutil.which("Rscript")
    if rscript is None:
        pytest.skip("Rscript is not on PATH")
    code = "set.seed(0); for (i in 1:3) cat(floor(runif(9, 0, 3)), fill = 1000)"
    done = subprocess.run([rscript, "-e", code], capture_output=True, text=True, check=True, timeout=60)
    rows = [[float(number) for number in line.split()] for line in done.stdout.splitlines()]
    stored = arrays("four_word_r_seed")
    for name, row in zip(("W_Q", "W_K", "W_V"), rows, strict=True):
        assert np.array_equal(stored[name].ravel(order="F"), row), name
