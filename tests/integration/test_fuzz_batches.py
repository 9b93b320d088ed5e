"""A batch of inputs gives what calls one by one give, in every language."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from harness.model import Absent
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry

pytest.importorskip("hypothesis")
pytest.importorskip("flint")

LIVE = {
    "numpy": (
        "toy.py",
        """
import numpy as np


def pair(x, s):
    if x[0] == 3.0:
        raise ValueError("three")
    return x * s, x[:1] if x[0] == 4.0 else x


def total(x):
    return x.sum()
""",
    ),
    "torch": (
        "toy_torch.py",
        """
def pair(x, s):
    if x[0] == 3.0:
        raise ValueError("three")
    return x * s, x[:1] if x[0] == 4.0 else x


def total(x):
    return x.sum()
""",
    ),
    "r": (
        "toy.R",
        """
pair <- function(x, s) {
  if (x[1, 1] == 3) stop("three")
  warning("heard by nobody")
  list(x * s, if (x[1, 1] == 4) x[1, , drop = FALSE] else x)
}

total <- function(x) sum(x)
""",
    ),
    "julia": (
        "toy.jl",
        """
function pair(x, s)
    x[1, 1] == 3.0 && error("three")
    return x .* s, x[1, 1] == 4.0 ? x[1:1, :] : x
end

total(x) = sum(x)
""",
    ),
}


@pytest.mark.parametrize(
    "runtime",
    [
        "numpy",
        pytest.param("torch", marks=pytest.mark.torch),
        pytest.param("r", marks=pytest.mark.r),
        # It compiles for ten seconds.
        pytest.param("julia", marks=[pytest.mark.julia, pytest.mark.slow]),
        pytest.param("julia-process", marks=pytest.mark.julia),
    ],
)
def test_a_batch_gives_what_calls_one_by_one_give(
    tmp_path: Path, runtime: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, _, hosting = runtime.partition("-")
    if hosting:
        monkeypatch.setenv("HARNESS_JULIA_HOSTING", "process")
    launch = Registry.load(tmp_path).launch(name)
    if isinstance(launch, Absent):
        pytest.skip(launch.reason)
    if hosting:
        program, *rest = launch.command
        launch = msgspec.structs.replace(launch, command=(program, "--compile=min", *rest))
    path = tmp_path / LIVE[name][0]
    path.write_text(LIVE[name][1], encoding="utf-8")
    x = np.random.default_rng(0).normal(size=(9, 2, 3))
    x[2, 0, 0], x[5, 0, 0], x[6, 1, 1] = 3.0, 4.0, -0.0
    x[8] = [[1.0, np.inf, -np.inf], [5e-324, np.nan, -0.0]]
    s = np.linspace(1.0, 2.0, 9)
    if name in ("numpy", "torch"):
        # What is compared there is the first row.
        x = x.reshape(9, 6)
    worker = Worker.start(name, launch, stderr=tmp_path / "stderr", deadline=180.0)
    try:
        assert worker.batches
        handle = worker.load(path, {"pair": 2, "total": 1}, deadline=60.0).handle
        stacks, others, seconds = worker.calls(handle, "pair", [x, s], 9, names=["a", "b"], deadline=60.0)
        assert others == [2, 5]
        assert seconds > 0.0
        for place in sorted(set(range(9)) - set(others)):
            alone, _ = worker.call(
                handle, "pair", [x[place], s[place]], outputs=2, deadline=60.0, names=["a", "b"]
            )
            for stack, array in zip(stacks, alone, strict=True):
                assert stack[place].tobytes() == np.ascontiguousarray(array).tobytes()
        totals, others, _ = worker.calls(handle, "total", [x], 9, names=["t"], deadline=60.0)
        assert others == []
        assert totals[0].reshape(9)[:8].tolist() == pytest.approx(x[:8].reshape(8, -1).sum(axis=1).tolist())
        none, others, _ = worker.calls(
            handle, "pair", [np.full_like(x, 3.0), s], 9, names=["a", "b"], deadline=60.0
        )
        assert others == list(range(9))
        assert len(none) == 2
        empty, others, _ = worker.calls(handle, "total", [x[:, :0]], 9, names=["t"], deadline=60.0)
        assert empty[0].reshape(9).tolist() == [0.0] * 9
    finally:
        worker.kill()
