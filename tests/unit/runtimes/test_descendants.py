"""What a worker has started ends with it, wherever it went."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from harness.errors import WorkerError
from harness.runtimes.descendants import has_mark, with_mark
from harness.runtimes.process import Worker
from tests.unit.runtimes.fake_worker import call, gone, wait_for

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="environments of others are read from /proc")

SLEEPS = "[sys.executable, '-I', '-S', '-c', 'import time; time.sleep(600)']"
START = f"process = subprocess.Popen({SLEEPS}, start_new_session=True, stdout=subprocess.DEVNULL{{}})"
STARTS = {
    "in a session of its own": START.format(""),
    "in a session of its own, without the environment": START.format(", env={}"),
    # Its parent has ended before the worker does.
    "by a child that has ended": """
reading, writing = os.pipe()
if os.fork() == 0:
    os.setsid()
    {}
    os.write(writing, str(process.pid).encode())
    os._exit(0)
os.wait()
class process:
    pid = int(os.read(reading, 20))
""".format(START.format("")),
}
ENDS = {
    "at the end": "answer(request)",
    "without an answer": "time.sleep(600)",
    "by itself": "os._exit(3)",
    "by a signal": "os.kill(os.getpid(), 9)",
}
FOUND = [
    (start, end)
    for start in STARTS
    for end in ENDS
    # Then nothing is left that tells whose it was.
    if not ("without" in start and end.startswith("by"))
]


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[[], psutil.Process]]:
    """The process that the worker has started."""
    path = tmp_path / "started"
    yield lambda: psutil.Process(int(path.read_text(encoding="ascii")))
    with contextlib.suppress(psutil.Error):
        psutil.Process(int(path.read_text(encoding="ascii"))).kill()


@pytest.mark.parametrize(("start", "end"), FOUND)
def test_what_a_worker_started_ends_with_it(
    fake: Callable[..., Worker],
    started: Callable[[], psutil.Process],
    tmp_path: Path,
    start: str,
    end: str,
) -> None:
    note = f"with open({str(tmp_path / 'started')!r}, 'w') as file: file.write(str(process.pid))"
    worker = fake(f"{STARTS[start]}\n{note}\nrequest = greet()\n{ENDS[end]}")
    child = started()
    assert child.is_running()
    if end != "at the end":
        with pytest.raises(WorkerError):
            call(worker, deadline=0.5)
    worker.stop()
    assert gone(child.pid)


def test_another_s_children_live_on(fake: Callable[..., Worker]) -> None:
    other = psutil.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)"])
    try:
        fake("request = greet()").kill()
        assert other.status() != psutil.STATUS_ZOMBIE
    finally:
        other.kill()
        other.wait()


def test_a_worker_of_a_worker_has_both_marks(
    fake: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HARNESS_STARTED_BY", "above")
    path = tmp_path / "marks"
    fake(f"open({str(path)!r}, 'w').write(os.environ['HARNESS_STARTED_BY'])\nrequest = greet()")
    wait_for(path.exists)
    above, own = path.read_text(encoding="ascii").split()
    assert above == "above"
    assert own


@pytest.mark.parametrize(
    ("environ", "found"),
    [
        (b"HARNESS_STARTED_BY=ab cd\0A=b\0", True),
        (b"A=b\0HARNESS_STARTED_BY=cd\0", True),
        (b"HARNESS_STARTED_BY=ab cde\0", False),
        (b"A=cd\0B=cd HARNESS_STARTED_BY=cd\0", False),
        (b"", False),
    ],
)
def test_a_mark_is_the_whole_word_of_its_own_variable(environ: bytes, found: bool) -> None:
    assert has_mark(environ, "cd") is found


@pytest.mark.parametrize("mark", ["", "a", "/", "=", "HARNESS_STARTED_BY"])
def test_what_is_no_mark_is_nobody_s(mark: str) -> None:
    assert not list(with_mark(mark))
