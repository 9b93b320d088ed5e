"""JAX, as functions are written and each compiled by ``jit``: bits, errors, what cannot be traced, faults."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.errors import ImplementationError
from harness.model import Absent, Mode, Verdict
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry
from harness.workers.protocol import BFLOAT16

pytestmark = pytest.mark.jax
ROOT = Path(__file__).parents[2]

STAGES = """
import jax.numpy as jnp
import numpy as np


def same(x):
    print("noise")
    return x


def two(a, b):
    return b, a * 1


def boom(x):
    raise ValueError("it went wrong")


def branch(x):
    if x[0] > 0:
        return x
    return -x


def chosen(x):
    return x[x > 0]


def text(x):
    return "four"


def in_numpy(x):
    return np.asarray(x) + 1


def total(x):
    return x.sum()
"""
ARITY = {"same": 1, "two": 2, "boom": 1, "branch": 1, "chosen": 1, "text": 1, "in_numpy": 1, "total": 1}
BITS = [
    np.arange(24.0).reshape(2, 3, 4),
    np.arange(24.0).reshape(2, 3, 4).T,
    np.array([-0.0, 1.7976931348623157e308, np.inf, np.nan]),
    np.array(2.5),
    np.zeros((0, 3)),
    np.array([1, -(2**62)]),
    np.array([True, False]),
    np.array([1.5, -0.0], np.float32),
    np.array([1.5, 65504], np.float16),
    np.array([1 + 2j]),
    np.array([0x3F80, 0x7FC0, 0xFF80], np.uint16).view(BFLOAT16),
]


@pytest.fixture(scope="module", params=["jax", "jax-jit"])
def worker(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    folder = tmp_path_factory.mktemp("jax")
    launch = Registry.load(folder).launch(request.param)
    if isinstance(launch, Absent):
        pytest.skip(launch.reason)
    worker = Worker.start(request.param, launch, stderr=folder / "stderr", deadline=120)
    source = folder / "stages_jax.py"
    source.write_text(STAGES, encoding="utf-8")
    loaded = worker.load(source, {**ARITY, "none": 1}, deadline=60)
    assert {stage: problem.kind for stage, problem in loaded.problems.items()} == {"none": "missing"}
    yield request.param, worker, loaded.handle
    worker.stop()


def call(
    worker: tuple[str, Worker, str], stage: str, *inputs: np.ndarray, outputs: int = 1
) -> list[np.ndarray]:
    return worker[1].call(worker[2], stage, inputs, outputs=outputs, deadline=60)[0]


@pytest.mark.parametrize("sent", BITS, ids=lambda sent: f"{sent.dtype}{sent.shape}")
def test_every_bit_crosses_both_ways(worker: tuple[str, Worker, str], sent: np.ndarray) -> None:
    (got,) = call(worker, "same", sent)
    assert (got.dtype, got.shape) == (sent.dtype, sent.shape)
    assert np.ascontiguousarray(got).tobytes() == np.ascontiguousarray(sent).tobytes()
    assert "noise" in worker[1].stderr_tail()


def test_several_outputs_keep_their_order_and_a_scalar_has_no_dimension(
    worker: tuple[str, Worker, str],
) -> None:
    first, second = call(worker, "two", np.ones(1), np.zeros(2), outputs=2)
    assert (first.tolist(), second.tolist()) == ([0, 0], [1])
    (total,) = call(worker, "total", np.array([1.0, 2.0]))
    assert (total.shape, total.dtype, float(total)) == ((), np.float64, 3.0)


def test_many_inputs_at_once_are_as_each_alone(worker: tuple[str, Worker, str]) -> None:
    arrays, others, _ = worker[1].calls(
        worker[2], "total", [np.arange(6.0).reshape(3, 2)], 3, names=["total"], deadline=60
    )
    assert (arrays[0].tolist(), others) == ([1.0, 5.0, 9.0], [])


def test_errors_have_a_kind_and_a_line(worker: tuple[str, Worker, str]) -> None:
    lines = STAGES.splitlines()
    for stage, kind, marker in (("boom", "call", "it went wrong"), ("text", "value", "")):
        with pytest.raises(ImplementationError) as caught:
            call(worker, stage, np.ones(2))
        assert caught.value.kind == kind
        if marker:
            assert caught.value.line == next(n for n, line in enumerate(lines, 1) if marker in line)
    assert call(worker, "same", np.ones(2))[0].tolist() == [1, 1]


@pytest.mark.parametrize("stage", ["branch", "chosen", "in_numpy"])
def test_what_depends_on_values_runs_as_written_and_is_not_compiled(
    worker: tuple[str, Worker, str], stage: str
) -> None:
    if worker[0] == "jax":
        assert call(worker, stage, np.array([1.0]))[0].shape == (1,)
        return
    with pytest.raises(
        ImplementationError, match=f"jax.jit cannot trace {stage}, which depends on the values"
    ) as caught:
        call(worker, stage, np.array([1.0]))
    assert caught.value.kind == "unsupported"
    assert caught.value.line is not None


def test_a_fault_is_found_at_its_stage(tmp_path: Path) -> None:
    """The softmax of four_word is made wrong by 1e-9: eager and compiled are off there, and nowhere else."""
    suite = tmp_path / "reference_impls"
    shutil.copytree(ROOT / "reference_impls" / "four_word", suite / "four_word")
    shutil.copytree(ROOT / "fixtures" / "four_word", tmp_path / "fixtures" / "four_word")
    right = suite / "four_word" / "four_word_jax.py"
    text = right.read_text(encoding="utf-8")
    old, new = "K.shape[1] ** 0.5, axis=1)", "K.shape[1] ** 0.5, axis=1) * (1 + 1e-9)"
    assert text.count(old) == 1
    (suite / "four_word" / "four_word.off_jax.py").write_text(text.replace(old, new), encoding="utf-8")
    chosen = ("numpy", "jax", "jax-jit", "jax.off", "jax-jit.off")
    record = run(make_plan(suite, implementations=chosen, precisions=("float64",)), out=None, replay="never")
    if record.header.absent:
        pytest.skip(record.header.absent[0].reason)
    for name in chosen:
        cells = [c for c in record.cells if c.implementation == name and c.mode is Mode.ISOLATED]
        assert len({cell.stage for cell in cells}) == 7
        wrong = {cell.stage for cell in cells if cell.verdict is not Verdict.PASS}
        assert wrong == ({"weights"} if name.endswith(".off") else set()), name
