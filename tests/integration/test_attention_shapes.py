"""The attention implementations of every language on shapes of which no fixture is: batches, one token."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from harness.model import Absent, Case
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry
from harness.store.cases import load_case

SUITE = Path(__file__).parents[2] / "reference_impls"
CASES = (
    "four_word",
    "four_word_r_seed",
    "self_attention",
    "multi_head",
    "token_attention",
    "einsum_multi_head",
)
SENTENCE = {"n": 4, "d": 6, "d_k": 5, "d_v": 7, "d_out": 3, "vocabulary": 9}
BATCH = {"B": 2, "T": 4, "head_size": 3, "embed_dim": 7, "heads": 3, "out_dim": 5}
HEAD = {"head_B": 3, "head_T": 5, "head_dim": 2}
DIFFERENT = {**SENTENCE, **BATCH, **HEAD}
ONE_TOKEN = {**DIFFERENT, "n": 1, "T": 1, "B": 1, "head_T": 1}
ONE_HEAD = {**DIFFERENT, "heads": 1}
ONE_FEATURE = {**DIFFERENT, "d_k": 1, "head_size": 1, "head_dim": 1}

Values = dict[str, npt.NDArray[Any]]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param("torch", marks=pytest.mark.torch),
        pytest.param("r", marks=pytest.mark.r),
        pytest.param("julia", marks=pytest.mark.julia),
    ],
)
def worker(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, interpreted_julia: None
) -> Iterator[tuple[str, Worker]]:
    runtime: str = request.param
    launch = Registry.load(SUITE).launch(runtime)
    if isinstance(launch, Absent):
        pytest.skip(launch.reason)
    stderr = tmp_path_factory.mktemp("worker") / f"{runtime}.log"
    started = Worker.start(runtime, launch, stderr=stderr, deadline=120)
    yield runtime, started
    started.kill()


def drawn(case: Case, sizes: dict[str, int]) -> Values:
    """Inputs of the case in other sizes: floats are normal, integers are rows of the embedding."""
    per_head = sizes["d_k"] if case.name == "einsum_multi_head" else sizes["head_size"]
    known = {**sizes, "concat_dim": sizes["heads"] * per_head}
    generator = np.random.default_rng(1)
    values: Values = {}
    for value in case.inputs:
        shape = tuple(size if isinstance(size, int) else known[size] for size in value.shape)
        values[value.name] = (
            generator.integers(0, known["vocabulary"], size=shape)
            if value.dtype == "int"
            else generator.normal(size=shape)
        )
    return values


@pytest.mark.parametrize(
    "sizes",
    [
        pytest.param(DIFFERENT, id="all-different"),
        pytest.param(ONE_TOKEN, id="one-token"),
        # Each takes every language through every case once more.
        pytest.param(ONE_HEAD, id="one-head", marks=pytest.mark.slow),
        pytest.param(ONE_FEATURE, id="one-feature", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("name", CASES)
def test_agrees_with_numpy(worker: tuple[str, Worker], name: str, sizes: dict[str, int]) -> None:
    runtime, process = worker
    case = load_case(SUITE / name)
    path = next(i.path for i in Registry.load(SUITE).implementations(SUITE / name) if i.id == runtime)
    loaded = process.load(path, {stage.name: len(stage.inputs) for stage in case.stages}, deadline=60)
    assert not loaded.problems
    reference = runpy.run_path(str(SUITE / name / f"{name}.py"))
    expected = drawn(case, sizes)
    computed = dict(expected)
    for stage in case.stages:
        expected[stage.name] = reference[stage.name](*(expected[i] for i in stage.inputs))
        arguments = [computed[i] for i in stage.inputs]
        (computed[stage.name],), _ = process.call(
            loaded.handle, stage.name, arguments, outputs=1, deadline=60
        )
        assert computed[stage.name].shape == expected[stage.name].shape, stage.name
        np.testing.assert_allclose(
            computed[stage.name], expected[stage.name], rtol=1e-11, atol=1e-13, err_msg=stage.name
        )
