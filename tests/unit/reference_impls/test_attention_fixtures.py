"""The fixtures of the attention cases hold the numbers that their generators draw."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from harness.store.arrays import read_array_file
from harness.streams.torch import Generator

FIXTURES = Path(__file__).parents[3] / "fixtures"
WORDS = [[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]]

# R documents runif(10) after set.seed(0)
R_SEED_0 = [
    *(0.8966972, 0.2655087, 0.3721239, 0.5728534, 0.9082078),
    *(0.2016819, 0.8983897, 0.9446753, 0.6607978, 0.629114),
]


def arrays(name: str) -> dict[str, npt.NDArray[Any]]:
    return read_array_file(FIXTURES / name / "arrays.safetensors")


def torch_draws(section: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], npt.NDArray[Any]]]:
    """What a generator section of kind "torch" describes: name, draw and array, in the stream's order."""
    generator = Generator(section["seed"])
    for draw in section["draws"]:
        if draw["call"] == "linear":
            inputs, outputs = draw["args"]
            layer = generator.linear(inputs, outputs, bias="bias" in draw)
            yield draw["name"], draw, layer["weight"]
            if "bias" in draw:
                yield draw["bias"], draw, layer["bias"]
        else:
            yield draw["name"], draw, getattr(generator, draw["call"])(*draw["args"])


def test_four_word_is_numpys_seed_42() -> None:
    fixture = arrays("four_word")
    state = np.random.RandomState(42)
    for name in ("W_Q", "W_K", "W_V"):
        assert np.array_equal(fixture[name], state.randint(3, size=(3, 3))), name


def test_four_word_r_seed_is_rs_seed_0() -> None:
    fixture = arrays("four_word_r_seed")
    drawn = np.concatenate([fixture["W_Q"].ravel(order="F"), fixture["W_K"].ravel(order="F")])
    assert np.array_equal(drawn[:10], np.floor(3 * np.array(R_SEED_0)))
    assert set(fixture["W_V"].ravel()) == {0.0, 1.0, 2.0}


@pytest.mark.parametrize("name", ["four_word", "four_word_r_seed"])
def test_the_four_words(name: str) -> None:
    assert np.array_equal(arrays(name)["words"], WORDS)


@pytest.mark.parametrize("name", ["self_attention", "multi_head", "token_attention", "einsum_multi_head"])
def test_torch_fixtures_are_drawn_again_bit_by_bit(name: str) -> None:
    fixture = arrays(name)
    drawn: set[tuple[str, int | None]] = set()
    for section in tomllib.loads((FIXTURES / name / "fixture.toml").read_text())["generator"]:
        if section["kind"] == "literal":
            for key, value in section["arrays"].items():
                assert np.array_equal(fixture[key], value), key
                drawn.add((key, None))
            continue
        for key, draw, array in torch_draws(section):
            if key != "_":
                at = draw.get("at")
                expected = fixture[key] if at is None else fixture[key][at]
                assert np.array_equal(array.view(np.int32), expected.view(np.int32)), draw
                drawn.add((key, at))
    stacked = {key for key, at in drawn if at is not None}
    assert {key for key, _ in drawn} == set(fixture)
    assert all((key, at) in drawn for key in stacked for at in range(len(fixture[key])))


def test_both_parts_of_the_sentence_share_tokens_and_embedding() -> None:
    first, second = arrays("token_attention"), arrays("einsum_multi_head")
    assert np.array_equal(first["tokens"], [2, 6, 8, 3, 1])
    for name in ("tokens", "embedding"):
        assert np.array_equal(first[name], second[name]), name
