"""A language that the harness does not know: a worker of at most 80 lines, a stanza, one source file."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from harness.conformance.plan import make_plan
from harness.conformance.run import run
from harness.errors import ImplementationError, WorkerCrashed
from harness.model import Absent, Verdict
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry

NODE = Path(__file__).parents[1] / "node"
SUITE = NODE / "suite"
STAGES = {"Q": 2, "K": 2, "V": 2, "scores": 2, "weights": 2, "attention": 2}

pytestmark = [
    pytest.mark.node,
    pytest.mark.skipif(shutil.which("node") is None, reason="there is no node on PATH"),
]


@pytest.fixture
def worker(tmp_path: Path) -> Worker:
    launch = Registry.load(SUITE).launch("node")
    assert not isinstance(launch, Absent)
    return Worker.start("node", launch, stderr=tmp_path / "stderr")


def test_the_worker_is_short() -> None:
    assert len((NODE / "worker.mjs").read_text(encoding="utf-8").splitlines()) <= 80


def test_four_words_pass_in_javascript(tmp_path: Path) -> None:
    record = run(make_plan(SUITE), out=tmp_path / "out", require=("node",))
    cells = [cell for cell in record.cells if cell.implementation == "node"]
    assert {cell.stage for cell in cells} == set(STAGES)
    assert {cell.verdict for cell in cells} == {Verdict.PASS}
    assert record.header.runtimes["node"].language == "JavaScript"


def test_values_cross(worker: Worker, tmp_path: Path) -> None:
    path = tmp_path / "stages.mjs"
    path.write_text(
        "export const same = (x) => { console.log('noise'); return x; };\n"
        "export const two = (a, b) => [b, a];\n"
        "export function boom(x) {\n  throw new Error('it went wrong');\n}\n"
        "export const text = (x) => 'four';\n"
        "export const ragged = (x) => [[1], [2, 3]];\n",
        encoding="utf-8",
    )
    stages = {"same": 1, "two": 2, "boom": 1, "text": 1, "ragged": 1, "none": 1}
    loaded = worker.load(path, {**stages, "two": 3}, deadline=10)
    assert {name: problem.kind for name, problem in loaded.problems.items()} == {
        "two": "arity",
        "none": "missing",
    }
    handle = worker.load(path, stages, deadline=10).handle
    cube = np.arange(24.0).reshape(2, 3, 4)
    odd = np.array([-0.0, 5e-324, np.inf])
    # More than the pipe takes while nobody reads.
    long = np.arange(300_000.0)
    for sent in (long, cube, cube.T, odd, np.array(2.5), np.zeros(0), np.arange(3), cube > 3):
        (received,), _ = worker.call(handle, "same", [sent], outputs=1, deadline=10)
        assert received.shape == sent.shape
        assert received.tobytes() == sent.astype(np.float64).tobytes()
    (first, second), _ = worker.call(handle, "two", [np.ones(1), np.zeros(2)], outputs=2, deadline=10)
    assert (first.tolist(), second.tolist()) == ([0, 0], [1])
    for stage, kind, line in (("boom", "call", 4), ("text", "value", None), ("ragged", "value", None)):
        with pytest.raises(ImplementationError) as caught:
            worker.call(handle, stage, [cube], outputs=1, deadline=10)
        assert (caught.value.kind, caught.value.line) == (kind, line)
    assert "noise" in worker.stderr_tail()
    worker.stop()
    assert not worker.alive


def test_errors_of_a_file(worker: Worker, tmp_path: Path) -> None:
    path = tmp_path / "stages.mjs"
    path.write_text("export const f = (x) => x;\n\nexport const g = (x => x;\n", encoding="utf-8")
    with pytest.raises(ImplementationError) as caught:
        worker.load(path, {"f": 1}, deadline=10)
    assert (caught.value.kind, caught.value.path) == ("load", path)
    with pytest.raises(WorkerCrashed):
        worker.call("h1", "f", [np.zeros(2, np.float16)], outputs=1, deadline=10)
