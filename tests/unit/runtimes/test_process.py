"""The parent's side against workers that end, hang or do not start."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from harness.errors import WorkerCrashed, WorkerStartFailed, WorkerTimeout
from harness.runtimes.child import PINNED_THREADS
from harness.runtimes.process import Worker
from harness.runtimes.registry import Launch, Registry
from tests.unit.runtimes.fake_worker import START, X, call, gone, greeting, wait_for

ENDS = {
    "exit code": ("sys.exit(3)", "exit code 3"),
    "killed": ("os.kill(os.getpid(), 9)", "SIGKILL"),
    "exit within an array": ("answer(request, {'seconds': 0}, bytes(7), arrays=one([1])[1])", "exit code 0"),
    "exit within a line": ("send(b'{\"id\":')", "exit code 0"),
    "closes its output": ("os.close(1); time.sleep(60)", "closed its pipes"),
    # Something that it started holds the pipe open, out of the group's reach.
    "leaves a child": (
        "subprocess.Popen(['sleep', '5'], start_new_session=True, stderr=subprocess.DEVNULL); os._exit(4)",
        "exit code 4",
    ),
}


@pytest.mark.parametrize(("source", "words"), ENDS.values(), ids=ENDS)
def test_a_worker_that_ends(fake: Callable[..., Worker], source: str, words: str) -> None:
    worker = fake(f"request = greet()\nprint('last words', file=sys.stderr, flush=True)\n{source}")
    begun = time.monotonic()
    with pytest.raises(WorkerCrashed, match=words) as caught:
        call(worker)
    assert time.monotonic() - begun < 4
    assert "last words" in caught.value.message
    assert "stderr" in caught.value.advice
    assert not worker.alive
    with pytest.raises(WorkerCrashed):
        call(worker)


HANGS = {
    "silent": "time.sleep(60)",
    "half a line": "send(b'{\"id\":'); time.sleep(60)",
    "half an array": "answer(request, {'seconds': 0}, bytes(7), arrays=one([1])[1]); time.sleep(60)",
    "dribbles": "while True: send(b' '); time.sleep(0.05)",
    "deaf to SIGTERM": "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(60)",
}


@pytest.mark.parametrize("source", HANGS.values(), ids=HANGS)
def test_a_worker_that_hangs(fake: Callable[..., Worker], source: str) -> None:
    worker = fake(f"request = greet()\n{source}")
    begun = time.monotonic()
    with pytest.raises(WorkerTimeout, match=r"within 0\.5 s: call of f"):
        call(worker, deadline=0.5)
    assert 0.4 < time.monotonic() - begun < 10
    assert not worker.alive


@pytest.mark.parametrize(("after", "error"), [("time.sleep(60)", WorkerTimeout), ("", WorkerCrashed)])
def test_how_much_of_what_was_announced_came_is_told(
    fake: Callable[..., Worker], after: str, error: type[Exception]
) -> None:
    worker = fake(f"request = greet()\n{HANGS['half an array'].partition(';')[0]}\n{after}")
    with pytest.raises(error, match="; its reply announces 8 bytes of arrays, of which 7 came"):
        call(worker, deadline=1)


def test_a_worker_that_stops_reading(fake: Callable[..., Worker]) -> None:
    worker = fake("""
        answer(read(), {"protocol": 1, "runtime": {"language": "Fake", "version": "1"}})
        answer(read(), {"handle": "h1", "problems": []})
        time.sleep(60)
    """)
    with pytest.raises(WorkerTimeout):
        call(worker, np.zeros(10_000_000), deadline=0.5)
    assert not worker.alive


def test_a_worker_that_dies_while_it_is_written_to(fake: Callable[..., Worker]) -> None:
    worker = fake("""
        answer(read(), {"protocol": 1, "runtime": {"language": "Fake", "version": "1"}})
        answer(read(), {"handle": "h1", "problems": []})
        requests.read(1_000_000)
        os._exit(5)
    """)
    with pytest.raises(WorkerCrashed, match="exit code 5"):
        call(worker, np.zeros(10_000_000))


def test_the_whole_group_dies(fake: Callable[..., Worker]) -> None:
    for last in ("time.sleep(60)", "os._exit(1)"):
        worker = fake(f"""
            request = greet()
            child = subprocess.Popen(["sleep", "600"])
            print("child", child.pid, file=sys.stderr, flush=True)
            {last}
        """)
        with pytest.raises((WorkerTimeout, WorkerCrashed)):
            call(worker, deadline=1.0)
        child = re.search(r"child (\d+)", worker.stderr_tail())
        assert child is not None
        wait_for(lambda pid=int(child[1]): gone(pid))


def test_a_worker_has_a_session_of_its_own(fake: Callable[..., Worker]) -> None:
    worker = fake("greet()", greeted=False)
    assert os.getsid(worker.pid) == os.getpgid(worker.pid) == worker.pid


def test_a_worker_that_does_not_start(fake: Callable[..., Worker], tmp_path: Path) -> None:
    for source, words in (
        ("print('no such library', file=sys.stderr); sys.exit(1)", "exit code 1.*no such library"),
        ("answer(read(), {'protocol': 2, 'runtime': {}})", "version 2"),
        ("answer(read(), {'protocol': 1})", "the runtime is missing"),
        ("answer(read(), {'protocol': 1, 'runtime': {'language': 'X'}})", "version"),
        ("answer(read(), {'protocol': 1, 'runtime': {'language': 'X', 'version': 1}})", "version"),
        ("request = read(); refuse(id=1, kind='load', message='there is no R')", "there is no R"),
        (greeting("'threads': 10 ** 30"), "threads"),
        (greeting("'version': ['1']"), "version"),
        (greeting("'version': '\\ud800'"), "not as it should be"),
        (greeting("'libraries': {'x': 'y' * 100_000}"), "bytes of its runtime"),
        (greeting("'dtypes': 'float64'"), "dtypes"),
    ):
        with pytest.raises(WorkerStartFailed, match=f"(?s)fake did not start.*{words}"):
            fake(source)
    with pytest.raises(WorkerTimeout, match="hello"):
        fake("time.sleep(60)", deadline=0.5)
    with pytest.raises(WorkerStartFailed, match=r"cannot be started.*no-such-program"):
        Worker.start("fake", Launch(command=("no-such-program",)), stderr=tmp_path / "stderr")
    with pytest.raises(WorkerStartFailed, match="cannot be started"):
        Worker.start("fake", Launch(command=(sys.executable,)), stderr=tmp_path / "none" / "stderr")


def test_an_interrupt_kills_the_worker(fake: Callable[..., Worker]) -> None:
    worker = fake("greet()\ntime.sleep(60)")
    threading.Timer(0.3, lambda: os.kill(os.getpid(), 2)).start()
    with pytest.raises(KeyboardInterrupt):
        call(worker)
    assert not worker.alive


def test_another_thread_may_kill_it(fake: Callable[..., Worker]) -> None:
    worker = fake("greet()\ntime.sleep(60)")
    killer = threading.Timer(0.3, worker.kill)
    begun = time.monotonic()
    killer.start()
    with pytest.raises(WorkerCrashed, match="SIGKILL"):
        call(worker)
    killer.join()
    assert time.monotonic() - begun < 10
    assert not worker.alive


def test_the_environment_is_pinned(fake: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "8")
    monkeypatch.setenv("LC_ALL", "tr_TR.UTF-8")
    worker = fake("""
        print(json.dumps(dict(os.environ)), file=sys.stderr, flush=True)
        request = greet()
    """)
    text = worker.stderr_tail(1_000_000)
    for name in PINNED_THREADS:
        assert f'"{name}": "1"' in text
    assert '"LC_ALL": "C.UTF-8"' in text or sys.platform == "darwin"


def test_a_worker_outlives_the_thread_that_started_it(tmp_path: Path) -> None:
    launch = Registry.load(tmp_path).launch("numpy")
    assert isinstance(launch, Launch)
    workers: list[Worker] = []
    starter = threading.Thread(
        target=lambda: workers.append(Worker.start("numpy", launch, stderr=tmp_path / "stderr"))
    )
    starter.start()
    starter.join()
    source = tmp_path / "case.py"
    source.write_text("def f(x): return x\n", encoding="utf-8")
    time.sleep(0.2)
    handle = workers[0].load(source, {"f": 1}, deadline=START).handle
    assert workers[0].call(handle, "f", [X], outputs=1, deadline=START)[0][0].tolist() == X.tolist()
    workers[0].stop()


PARENT = """
import sys, time
from pathlib import Path
from harness.runtimes.process import Worker
from harness.runtimes.registry import Registry
folder = Path(sys.argv[1])
(folder / "case.py").write_text("import time\\ndef f():\\n    while True: time.sleep(1)\\n")
worker = Worker.start("numpy", Registry.load(folder).launch("numpy"), stderr=folder / "stderr")
handle = worker.load(folder / "case.py", {"f": 0}, deadline=20).handle
print(worker.pid, flush=True)
worker.call(handle, "f", [], outputs=1, deadline=60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a busy worker ends when it next reads")
def test_a_busy_worker_dies_with_its_parent(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=root
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        time.sleep(0.2)
        assert not gone(pid)
        parent.kill()
    wait_for(lambda: gone(pid))


def test_a_function_that_forks_is_answered_once(tmp_path: Path) -> None:
    source = tmp_path / "case.py"
    source.write_text(
        "import os\ndef f(x):\n    return x * 0 + (2 if os.fork() else 1)\ndef g(x): return x\n",
        encoding="utf-8",
    )
    launch = Registry.load(tmp_path).launch("numpy")
    assert isinstance(launch, Launch)
    worker = Worker.start("numpy", launch, stderr=tmp_path / "stderr")
    handle = worker.load(source, {"f": 1, "g": 1}, deadline=START).handle
    for _ in range(3):
        assert worker.call(handle, "f", [X], outputs=1, deadline=START)[0][0].tolist() == [2.0, 2.0, 2.0]
        assert worker.call(handle, "g", [X], outputs=1, deadline=START)[0][0].tolist() == X.tolist()
    worker.stop()


def test_a_log_that_is_removed_ends_no_call(fake: Callable[..., Worker], tmp_path: Path) -> None:
    answer = "answer(request, {'seconds': 0}, bytes(8), arrays=one([1])[1])"
    worker = fake(f"request = greet()\ntime.sleep(0.6)\n{answer}\nread()")
    (tmp_path / "stderr").unlink()
    assert call(worker)[0] == [0.0]
