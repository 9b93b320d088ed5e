from __future__ import annotations

import importlib
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from harness.fuzz.draw import _MADE, batch_of, make_batch
from harness.fuzz.recipes import GROUPS, KINDS, Recipe, kinds_of, recipes
from harness.model import Precision
from tests.unit.fuzz.cases import case, domain

pytest.importorskip("hypothesis")


def recipe(kind: str, **sizes: int) -> Recipe:
    groups = tuple({"x": kind, "y": "normal"} for _ in range(GROUPS))
    return Recipe(sample=0, sizes={"n": 3, "d": 2, **sizes}, groups=groups, palette=(0.1,), seed=1)


def test_the_same_seed_draws_the_same_and_another_one_does_not() -> None:
    drawn = [list(islice(recipes(domain(), seed), 60)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]
    assert {recipe.sizes["n"] for recipe in drawn[0]} == {1, 2, 3}
    assert {recipe.sizes["d"] for recipe in drawn[0]} == {0, 1, 2}
    # Each size in its turn, none twice before all were there.
    for place in range(0, 60, 3):
        for symbol, known in (("n", {1, 2, 3}), ("d", {0, 1, 2})):
            assert {recipe.sizes[symbol] for recipe in drawn[0][place : place + 3]} == known
    assert {kind for recipe in drawn[0] for group in recipe.groups for kind in group.values()} == set(KINDS)


def test_a_batch_is_made_again_from_its_recipe() -> None:
    one, same = (make_batch(domain(), recipe("normal"), 0, 40) for _ in range(2))
    assert np.array_equal(one.arrays["x"], same.arrays["x"])
    assert one.arrays["x"].shape == (40, 3, 2)
    assert one.sizes == {"n": 3, "d": 2}
    assert one.one(4)["y"].shape == (3,)


@pytest.mark.parametrize("kind", sorted(_MADE))
def test_every_kind_shows_what_its_name_says(kind: str) -> None:
    x = make_batch(domain(), recipe(kind), 0, 256).arrays["x"]
    shown = {
        "whole": (x == np.rint(x)).all(),
        "ties": max(len(np.unique(one)) for one in x) == 2,
        "zeros": 0.3 < (x == 0.0).mean() < 0.5,
        "negative zeros": (np.signbit(x) & (x == 0.0)).any() and (~np.signbit(x) & (x == 0.0)).any(),
        "rows": (x == x[:, :1]).all(),
        "cancelling": np.allclose(np.abs(x), np.abs(x[:, :1, :1]), rtol=1e-14, atol=0.0),
        "wide": np.abs(x).max() > 1e6 and np.abs(x).min() < 1e-6,
        "tiny": np.abs(x).max() < 1e-2,
        "huge": np.abs(x).max() > 1e200,
        "subnormal": ((np.abs(x) < np.finfo(float).tiny) & (x != 0.0)).any(),
    }
    assert shown[kind]
    assert np.isfinite(x).all()


def test_numbers_keep_to_their_range_and_reach_its_ends() -> None:
    x = make_batch(domain(low=-1.0, high=2.0), recipe("huge"), 0, 256).arrays["x"]
    assert x.min() == -1.0
    assert x.max() == 2.0
    whole = make_batch(domain(low=0.0, high=3.0, whole=True), recipe("whole"), 0, 256).arrays["x"]
    assert set(np.unique(whole)) == {0.0, 1.0, 2.0, 3.0}


def test_nan_and_infinities_come_only_where_they_may() -> None:
    assert "special" not in kinds_of(domain(), "x")
    assert "special" in kinds_of(domain(nan=True), "x")
    x = make_batch(domain(nan=True), recipe("special"), 0, 64).arrays["x"]
    assert np.isnan(x).any()
    assert not np.isinf(x).any()
    x = make_batch(domain(infinite=True), recipe("special"), 0, 64).arrays["x"]
    assert np.isposinf(x).any()
    assert np.isneginf(x).any()


def test_what_is_fixed_is_as_in_the_fixture() -> None:
    held = domain(fixed=True, sizes={})
    drawn = next(recipes(held, 0))
    assert set(drawn.groups[0]) == {"y"}
    x = make_batch(held, drawn, 0, 5).arrays["x"]
    assert (x == held.samples[0]["x"]).all()


def test_floats_have_the_precision_that_is_asked_for() -> None:
    batch = make_batch(domain(precision=Precision.FLOAT32), recipe("huge"), 0, 64)
    assert batch.arrays["x"].dtype == np.float32
    assert np.isfinite(batch.arrays["x"]).all()


def test_inputs_without_elements_are_one() -> None:
    batch = make_batch(domain({"n": (0,)}), recipe("normal", n=0), 0, 64)
    assert batch.count == 1


def test_sizes_are_read_from_arrays() -> None:
    batch = batch_of(case(), {"x": np.zeros((7, 3, 2)), "y": np.zeros((7, 3))})
    assert (batch.count, batch.sizes) == (7, {"n": 3, "d": 2})


def test_what_is_drawn_does_not_depend_on_the_modules_that_are_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = list(islice(recipes(domain(), 3), 200))
    # Hypothesis would draw the numbers of a module of somebody's own.
    numbers = "\n".join(
        f"NUMBER_{place} = {place}.{place + 1}e{place % 9}; WHOLE_{place} = {place}" for place in range(400)
    )
    (tmp_path / "full_of_numbers.py").write_text(numbers, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.import_module("full_of_numbers")
    assert list(islice(recipes(domain(), 3), 200)) == before
