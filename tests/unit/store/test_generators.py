"""The generator sections: what each kind makes, and what is refused, with the line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.errors import FixtureError
from harness.model import Array
from harness.store.generators import Made, make
from harness.store.toml import Toml
from harness.streams import julia, r, torch


def made(folder: Path, generators: str, **arrays: tuple[list[int], str]) -> Made:
    sections = [
        f'[arrays."{name}"]\nshape = {shape}\ndtype = "{dtype}"\norigin = "o"\n'
        for name, (shape, dtype) in arrays.items()
    ]
    path = folder / "fixture.toml"
    path.write_text(generators + "\n\n" + "\n".join(sections), encoding="utf-8")
    return make(Toml(path, FixtureError))


def drawn(folder: Path, kind: str, draws: str, options: str = "", **arrays: Any) -> dict[str, Array]:
    text = f'[[generator]]\nkind = "{kind}"\nseed = 5\n{options}\ndraws = [\n{draws}\n]'
    return dict(made(folder, text, **arrays).arrays)


def test_r_fills_columns_and_floors(tmp_path: Path) -> None:
    line = '{ name = "W", call = "runif", args = [6, 0, 3], floor = true, shape = [2, 3], order = "F" },'
    generated = drawn(tmp_path, "r", line, W=([2, 3], "int64"))
    assert np.array_equal(generated["W"], np.floor(r.set_seed(5).runif(6, 0, 3)).reshape(3, 2).T)
    assert generated["W"].dtype == np.int64


def test_r_takes_its_kinds(tmp_path: Path) -> None:
    line = '{ name = "s", call = "sample", args = [9] },'
    options = 'stream = "Wichmann-Hill"\nsample_kind = "Rounding"'
    generated = drawn(tmp_path, "r", line, options, s=([9], "int64"))
    expected = r.set_seed(5, kind="Wichmann-Hill", sample_kind="Rounding").sample(9)
    assert np.array_equal(generated["s"], expected)


def test_torch_passes_over_stacks_and_names_the_bias(tmp_path: Path) -> None:
    lines = """
    { name = "_", call = "randn", args = [[2, 9]] },
    { name = "heads", at = 1, call = "linear", args = [4, 2] },
    { name = "heads", at = 0, call = "linear", args = [4, 2] },
    { name = "out", call = "linear", args = [4, 2], bias = "out_bias" },
    { name = "_", call = "linear", args = [4, 2], bias = "_" },
    { name = "table", call = "embedding", args = [3, 8] },"""
    shapes = {"heads": [2, 2, 4], "out": [2, 4], "out_bias": [2], "table": [3, 8]}
    arrays: dict[str, Any] = {name: (shape, "float32") for name, shape in shapes.items()}
    generated = drawn(tmp_path, "torch", lines, **arrays)
    stream = torch.Generator(5)
    stream.randn((2, 9))
    second, first = (stream.linear(4, 2, bias=False)["weight"] for _ in range(2))
    assert np.array_equal(generated["heads"], np.stack([first, second]))
    layer = stream.linear(4, 2)
    assert np.array_equal(generated["out"], layer["weight"])
    assert np.array_equal(generated["out_bias"], layer["bias"])
    stream.linear(4, 2)
    assert np.array_equal(generated["table"], stream.embedding(3, 8))


@pytest.mark.parametrize(
    ("options", "stream"),
    [
        ("", lambda: julia.MersenneTwister(5)),
        ('version = "1.11"', lambda: julia.MersenneTwister(5, version="1.11")),
        ('stream = "Xoshiro"', lambda: julia.Xoshiro(5, version="1.10")),
    ],
)
def test_julia_fills_arrays_in_a_version(tmp_path: Path, options: str, stream: Any) -> None:
    line = '{ name = "Q", call = "randn", args = [[4, 3]], divide = 100 },'
    generated = drawn(tmp_path, "julia", line, options, Q=([4, 3], "float64"))
    assert np.array_equal(generated["Q"], stream().randn((4, 3)) / 100)


def test_copies_may_stand_before_what_they_copy(tmp_path: Path) -> None:
    copy = '[[generator]]\nkind = "copy"\narrays = { b = "a" }\n'
    text = copy + '[[generator]]\nkind = "literal"\narrays = { a = [1] }'
    generated = made(tmp_path, text, a=([1], "float64"), b=([1], "float32"))
    assert generated.arrays["b"].tolist() == [1.0]
    assert generated.arrays["b"].dtype == np.float32
    assert generated.kinds == ("copy", "literal")


LITERAL = '[[generator]]\nkind = "literal"\narrays = { a = [0.1] }\n'
NUMPY = '[[generator]]\nkind = "numpy"\nseed = 1\ndraws = [\n    %s\n]'


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ('[[generator]]\nkind = "cobol"', "unknown kind of generator 'cobol'", 2),
        ('[generator]\nkind = "cobol"', "unknown kind of generator 'cobol'", 2),
        ("[[generator]]\nseed = 1", "unknown kind of generator None", 1),
        (LITERAL + "seed = 1", "unknown key 'seed'", 4),
        (LITERAL + LITERAL, "the array 'a' is made twice", 6),
        (LITERAL.replace("{ a", "{ z = [1], a"), "the array 'z' is made, but not described", 3),
        (LITERAL.replace("[0.1]", "[1, 2]"), "comes out with the shape [2], but [1] is stated", None),
        (LITERAL.replace("[0.1]", '["x"]'), "is not of numbers", 3),
        (LITERAL.replace("[0.1]", "[[1], [1, 2]]"), "differ in length", 3),
        ('[[generator]]\nkind = "literal"\narrays = {}', "no generator makes the array 'a'", None),
        ('[[generator]]\nkind = "copy"\narrays = { a = "b" }', "there is no array 'b' to copy", 3),
        ('[[generator]]\nkind = "data"\narrays = ["z"]', "'z' is made elsewhere, or not described", 3),
        (LITERAL + '[[generator]]\nkind = "data"\narrays = ["a"]', "'a' is made elsewhere", 6),
        (NUMPY % '{ name = "a", call = "seed" },', "there is no call 'seed'", 5),
        (NUMPY % '{ name = "a", call = "rand", args = [-1] },', "the stream refuses this", 5),
        (NUMPY % '{ name = "a", call = "rand", args = ["x"] },', "the stream refuses this", 5),
        (NUMPY % '{ name = "a", call = "rand", args = [3], shape = [2] },', "3 numbers do not fill [2]", 5),
        (NUMPY % '{ name = "a", call = "rand", args = [1], at = 1 },', "leave a gap", 5),
        (NUMPY.replace("seed = 1", "seed = -1") % "", "the stream refuses this: the seed -1", 3),
        (
            NUMPY % '{ name = "a", call = "rand", args = [1] }, { name = "a", call = "rand", args = [1] },',
            "the array 'a' is drawn twice",
            5,
        ),
    ],
)
def test_what_cannot_be_made_is_refused_with_its_line(
    tmp_path: Path, text: str, message: str, line: int | None
) -> None:
    with pytest.raises(FixtureError) as caught:
        made(tmp_path, text, a=([1], "float64"))
    assert message in caught.value.message
    assert caught.value.line is not None
    if line is not None:
        assert caught.value.line == line


@pytest.mark.parametrize("dtype", ["int64", "float16", "bool", "float32"])
def test_a_dtype_that_cannot_hold_the_values_is_refused(tmp_path: Path, dtype: str) -> None:
    with pytest.raises(FixtureError, match=f"float64, and {dtype} cannot hold it"):
        made(tmp_path, LITERAL, a=([1], dtype))


def test_a_dtype_that_there_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FixtureError, match="there is no dtype 'float33'"):
        made(tmp_path, LITERAL, a=([1], "float33"))
