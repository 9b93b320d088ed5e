"""The sentiment cases, live: autograd over the whole loss, and three epochs of every training."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from harness.model import Absent
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry
from harness.store.cases import load_case
from harness.store.fixtures import load_fixture

SUITE = Path(__file__).parents[2] / "reference_impls"
PARAMETERS = ("Q", "Qb", "K", "Kb", "V", "Vb", "W", "b")
LONG = 120.0
pytestmark = pytest.mark.usefixtures("julia_process")


@pytest.fixture(autouse=True)
def made_up_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HARNESS_GLOVE", raising=False)


def functions(case: str, suffix: str = ".py") -> dict[str, Callable[..., Any]]:
    return runpy.run_path(str(SUITE / case / f"{case}{suffix}"))


@pytest.mark.torch
def test_autograd_over_the_whole_loss_gives_the_exact_gradient() -> None:
    torch = pytest.importorskip("torch")
    fixture = load_fixture(load_case(SUITE / "sentiment_backward"), SUITE)
    ours = functions("sentiment_backward")
    for sample in fixture.samples:
        given = {name: np.array(array) for name, array in fixture.arrays(sample).items()}
        x = ours["x"](given["table"].astype(np.float64), given["tokens"])
        gradients = ours["gradient"](x, given["y"], *(given[name] for name in PARAMETERS))

        leaves = {name: torch.tensor(given[name], requires_grad=True) for name in PARAMETERS}
        q, k, v = (leaves[n] @ torch.from_numpy(x) + leaves[f"{n}b"] for n in "QKV")
        attention = torch.softmax(q.T @ k / q.numel() ** 0.5, dim=1)
        logits = (leaves["W"] @ v @ attention.T + leaves["b"]).mean(dim=1)
        label = torch.tensor(int(given["y"].argmax()))
        torch.nn.functional.cross_entropy(logits, label).backward()
        for name, gradient in zip(PARAMETERS, gradients, strict=True):
            # the largest gradients of Q and K are 1e-6 to 1e-3
            np.testing.assert_allclose(
                gradient, leaves[name].grad.numpy(), rtol=1e-9, atol=1e-16, err_msg=f"{sample} {name}"
            )


@pytest.mark.parametrize(
    "runtime",
    [
        # Six seconds; its gradients are compared with autograd below.
        pytest.param("torch", marks=[pytest.mark.torch, pytest.mark.slow]),
        pytest.param("r", marks=pytest.mark.r),
        # It compiles for eight seconds; `nox -s conform` runs every training in Julia.
        pytest.param("julia", marks=[pytest.mark.julia, pytest.mark.slow]),
    ],
)
def test_three_epochs_of_every_training(runtime: str, tmp_path: Path) -> None:
    case = load_case(SUITE / "sentiment_training")
    registry = Registry.load(SUITE)
    launch = registry.launch(runtime)
    if isinstance(launch, Absent):
        pytest.skip(f"{runtime}: {launch.reason}")
    (shipped,) = (
        implementation
        for implementation in registry.implementations(SUITE / case.name)
        if implementation.id == runtime
    )
    values = {name: np.array(a) for name, a in load_fixture(case, SUITE).arrays("epochs_0100").items()}
    values |= {"table": values["table"].astype(np.float64), "epochs": np.array([3])}
    ours: dict[str, Callable[..., tuple[npt.NDArray[Any], ...]]] = functions(case.name)

    worker = Worker.start(runtime, launch, stderr=tmp_path / "stderr", deadline=LONG)
    try:
        stages = {stage.name: len(stage.inputs) for stage in case.stages}
        loaded = worker.load(shipped.path, stages, deadline=LONG)
        assert not loaded.problems
        for stage in case.stages:
            inputs = [values[name] for name in stage.inputs]
            due = ours[stage.name](*inputs)
            got, _ = worker.call(loaded.handle, stage.name, inputs, outputs=len(stage.outputs), deadline=LONG)
            for value, mine, theirs in zip(stage.outputs, due, got, strict=True):
                assert theirs.shape == mine.shape, value.name
                np.testing.assert_allclose(
                    theirs.astype(np.float64), mine, rtol=1e-12, atol=1e-15, err_msg=value.name
                )
                values[value.name] = mine
    finally:
        worker.stop()
