"""Large arrays in memory that the harness shares with a worker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry
from harness.runtimes.shared import SharedMemory
from harness.workers.protocol import LEAST_SHARED, Descriptor, FrameError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has files of memory")

LARGE = LEAST_SHARED // 8 + 3
SOURCE = """
import numpy as np

kept = []

def same(x):
    return x

def keeps(x):
    kept.append(x)
    return np.zeros(1)

def first(x):
    return kept[0]

def spoils(x):
    x[:] = 7.0
    return x[:1]

def two(a, b):
    return np.asfortranarray(b), a.astype("float32")

def none(x):
    return x[:0]
"""


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    folder = tmp_path_factory.mktemp("shared")
    worker = Worker.start("numpy", Registry.load(folder).launch("numpy"), stderr=folder / "stderr")
    yield worker
    worker.kill()


@pytest.fixture(scope="module")
def handle(worker: Worker, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("source") / "stages.py"
    path.write_text(SOURCE, encoding="utf-8")
    stages = {"same": 1, "keeps": 1, "first": 1, "spoils": 1, "two": 2, "none": 1}
    return worker.load(path, stages, deadline=60.0).handle


def call(worker: Worker, handle: str, stage: str, *arrays: np.ndarray, outputs: int = 1) -> list[np.ndarray]:
    return worker.call(handle, stage, arrays, outputs=outputs, deadline=60.0)[0]


def difficult(count: int) -> np.ndarray:
    """NaN with payloads, both zeros, subnormal and infinite numbers."""
    bits = [0x7FF00000000007A2, 0xFFF8000000000001, 0x8000000000000000, 0x1, 0x7FF0000000000000]
    return np.resize(np.array(bits, np.uint64), count).view(np.float64)


@pytest.mark.parametrize("count", [LARGE, 5 * LARGE, LARGE - 4, 3])
def test_bits_stay_as_they_are_in_every_size(worker: Worker, handle: str, count: int) -> None:
    assert worker.shares_memory
    sent = difficult(count)
    (got,) = call(worker, handle, "same", sent)
    assert got.tobytes() == sent.tobytes()
    got[:] = 0.0


def test_large_arrays_do_not_go_through_the_pipe(worker: Worker, handle: str) -> None:
    memory = worker._talk.shared
    assert memory is not None
    call(worker, handle, "same", np.arange(2.0 * LARGE))
    assert memory.take(Descriptor("float64", (2 * LARGE,), "C", 0)).view(np.float64)[-1] == 2 * LARGE - 1


def test_what_is_kept_stays_and_what_is_sent_is_not_changed(worker: Worker, handle: str) -> None:
    sent = np.full(LARGE, 1.5)
    call(worker, handle, "keeps", sent)
    (got,) = call(worker, handle, "spoils", sent)
    assert (got.tolist(), sent[0]) == ([7.0], 1.5)
    result = call(worker, handle, "same", np.full(LARGE, 2.5))[0]
    assert call(worker, handle, "first", np.full(LARGE, 3.5))[0].tobytes() == np.full(LARGE, 1.5).tobytes()
    assert result[0] == 2.5


def test_several_arrays_of_several_orders_and_dtypes(worker: Worker, handle: str) -> None:
    a, b = np.arange(2.0 * LARGE), np.arange(3.0 * LARGE).reshape(3, LARGE)
    first, second = call(worker, handle, "two", a, b, outputs=2)
    assert np.array_equal(first, b)
    assert (second.dtype, second.tolist()) == (np.float32, a.astype("float32").tolist())
    assert call(worker, handle, "none", a)[0].size == 0


def test_a_place_that_is_not_there_is_refused() -> None:
    memory = SharedMemory()
    assert memory.put(memoryview(b"few")) is None
    assert memory.put(memoryview(bytes(LEAST_SHARED))) == 0
    with pytest.raises(FrameError, match="beyond"):
        memory.take(Descriptor("uint8", (LEAST_SHARED + 1,), "C", 64))
    memory.close()
    assert memory.put(memoryview(bytes(LEAST_SHARED))) is None


def test_nobody_makes_it_shorter_under_the_reader() -> None:
    memory = SharedMemory()
    memory.put(memoryview(bytes(LEAST_SHARED)))
    with pytest.raises(PermissionError):
        os.truncate(memory.path, 10)
    memory.close()


def test_without_such_files_all_goes_through_the_pipe(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, handle: str
) -> None:
    monkeypatch.setattr(sys, "platform", "none")
    assert SharedMemory.where_possible() is None
    worker = Worker.start("numpy", Registry.load(tmp_path).launch("numpy"), stderr=tmp_path / "stderr")
    assert not worker.shares_memory
    worker.kill()


KILLED = """
import sys
from pathlib import Path
import numpy as np
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry
folder = Path(sys.argv[1])
worker = Worker.start("numpy", Registry.load(folder).launch("numpy"), stderr=folder / "stderr")
source = folder / "stages.py"
source.write_text("def same(x):\\n    return x\\n")
handle = worker.load(source, {"same": 1}, deadline=60.0).handle
worker.call(handle, "same", [np.ones(1 << 20)], outputs=1, deadline=60.0)
print(worker.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("who", ["worker", "harness"])
def test_nothing_is_left_whoever_is_killed(who: str, tmp_path: Path) -> None:
    shm = Path("/dev/shm")
    before = {path.name for path in shm.iterdir()} if shm.is_dir() else set()
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        os.kill(worker if who == "worker" else parent.pid, signal.SIGKILL)
        parent.communicate(timeout=60)
    left = {path.name for path in shm.iterdir()} - before if shm.is_dir() else set()
    assert not [name for name in left if "harness" in name]
    assert not [path for path in tmp_path.rglob("*") if path.stat().st_size >= LEAST_SHARED]
