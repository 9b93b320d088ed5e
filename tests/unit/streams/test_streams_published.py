"""Every published value that was found comes out of the reproduced streams."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.streams import julia, mt19937, numpy, r, torch
from harness.streams.r_uniforms import scrambled

LANGUAGES = {"julia": julia, "numpy": numpy, "r": r, "torch": torch}
PUBLISHED = tomllib.loads(Path(__file__).with_name("published.toml").read_text(encoding="utf-8"))["published"]


def drawn(entry: dict[str, Any]) -> np.ndarray[Any, Any]:
    language, maker = entry["stream"].split(".")
    stream = getattr(LANGUAGES[language], maker)(entry["seed"], **entry.get("options", {}))
    if entry.get("skip") == "runif":
        stream.runif(100)
    if entry.get("skip") == "randexp":
        stream.randexp(dtype="Float32")
    arguments = list(entry.get("arguments", []))
    if "range" in entry:
        first, last = entry["range"]
        arguments.insert(0, range(first, last + 1))
    values = np.asarray(getattr(stream, entry["method"])(*arguments, **entry.get("keywords", {})))
    flat = values.reshape(-1, order="F" if language == "julia" else "C") * entry.get("times", 1)
    flat = np.floor(flat) if entry.get("floor") else flat
    return np.sort(flat) if entry.get("sorted") else flat


@pytest.mark.parametrize("entry", PUBLISHED, ids=[f"{e['stream']}-{i}" for i, e in enumerate(PUBLISHED)])
def test_published_value(entry: dict[str, Any]) -> None:
    ours, theirs = drawn(entry), np.array(entry["values"])
    assert ours.shape == theirs.shape
    if "decimals" in entry:
        # printed to so many places: ours must print the same
        np.testing.assert_allclose(ours, theirs, rtol=0.0, atol=0.500001 * 10.0 ** -entry["decimals"])
    else:
        np.testing.assert_array_equal(ours, theirs)


def test_every_entry_names_its_source() -> None:
    assert len(PUBLISHED) > 50
    assert all(len(entry["source"]) > 15 for entry in PUBLISHED)


def test_words_of_the_standard_twister() -> None:
    """The C++ standard fixes the 10000th word of MT19937 with its default seed, [rand.predef]."""
    assert int(mt19937.from_seed_2002(5489).words(10_000)[-1]) == 4123659995


def test_start_of_r() -> None:
    """`.Random.seed[3:9]` after `set.seed(0)`, from the README of lib-r-math.js."""
    start = np.array(scrambled(0, 8)[1:], dtype=np.uint32).view(np.int32)
    assert start.tolist() == [
        1280795612,
        -169270483,
        -442010614,
        -603558397,
        -222347416,
        1489374793,
        865871222,
    ]
