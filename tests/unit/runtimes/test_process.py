"""The parent's side against workers that do everything wrong; each is a few lines of Python."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest

from harness.errors import ImplementationError, WorkerCrashed, WorkerStartFailed, WorkerTimeout
from harness.runtimes.child import PINNED_THREADS
from harness.runtimes.process import Worker
from harness.runtimes.registry import Launch, Registry

PREAMBLE = """
import json, os, signal, subprocess, sys, time
requests, replies = sys.stdin.buffer, sys.stdout.buffer

def read():
    line = requests.readline()
    if not line:
        sys.exit()
    header = json.loads(line)
    for item in header.get("arrays", []):
        size = 8
        for one in item["shape"]:
            size *= one
        requests.read(size)
    return header

def send(data):
    replies.write(data)
    replies.flush()

def answer(request, result=None, data=b"", **more):
    reply = {"id": request["id"], **more}
    if result is not None or "error" not in more:
        reply["result"] = {} if result is None else result
    send(json.dumps(reply).encode() + b"\\n" + data)

def refuse(id=3, **error):
    send(json.dumps({"id": id, "error": error}).encode() + b"\\n")

def one(size, dtype="float64", order="C"):
    return {"seconds": 0}, [{"dtype": dtype, "shape": size, "order": order}]

def greet():
    answer(read(), {"protocol": 1, "runtime": {"language": "Fake", "version": "1"}})
    load = read()
    answer(load, {"handle": "h1", "problems": []})
    return read()
"""
START = 20.0
X = np.arange(3.0)


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[Callable[..., Worker]]:
    """Start a worker with this source."""
    workers: list[Worker] = []

    def start(source: str, *, greeted: bool = True, deadline: float = START) -> Worker:
        path = tmp_path / "worker.py"
        path.write_text(PREAMBLE + textwrap.dedent(source), encoding="utf-8")
        launch = Launch(command=(sys.executable, "-I", "-S", str(path)))
        worker = Worker.start("fake", launch, stderr=tmp_path / "stderr", deadline=deadline)
        workers.append(worker)
        if greeted:
            worker.load(tmp_path / "four_word.fake", {"f": 1}, deadline=START)
        return worker

    yield start
    for worker in workers:
        worker.kill()


def greeting(facts: str) -> str:
    """Source of a worker that says this of its runtime."""
    return f"answer(read(), {{'protocol': 1, 'runtime': {{'language': 'X', 'version': '1', {facts}}}}})"


def call(worker: Worker, x: np.ndarray = X, *, outputs: int = 1, deadline: float = START) -> list[np.ndarray]:
    return worker.call("h1", "f", [x], outputs=outputs, deadline=deadline)[0]


def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_for(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.parametrize(("now", "words"), [("", ""), ("it is over", "; it last printed: it is over")])
def test_the_last_words_are_those_of_the_call(fake: Callable[..., Worker], now: str, words: str) -> None:
    worker = fake(f"""
        first = greet()
        print("of another case", file=sys.stderr, flush=True)
        answer(first, *one([1])[:1], data=bytes(8), arrays=one([1])[1])
        read()
        print({now!r}, file=sys.stderr, flush=True)
        sys.exit(5)
    """)
    assert len(call(worker)) == 1
    with pytest.raises(WorkerCrashed) as caught:
        call(worker)
    assert caught.value.message == f"worker fake ended with exit code 5: call of f{words}"


def test_a_good_worker(fake: Callable[..., Worker]) -> None:
    worker = fake("""
        request = greet()
        result, arrays = one([2])
        answer(request, result, bytes(16), arrays=arrays)
        answer(read())
    """)
    assert (worker.info.runtime, worker.info.language, worker.info.version) == ("fake", "Fake", "1")
    assert [array.tolist() for array in call(worker)] == [[0.0, 0.0]]
    assert worker.alive
    worker.stop()
    assert not worker.alive
    worker.stop()


JUNK = {
    "text": ("send(b'hello\\n')", "not JSON"),
    "text before the reply": ("send(b'42 is it\\n'); answer(request)", "not JSON"),
    "no object": ("send(b'[]\\n')", "not a JSON object"),
    "wrong id": ("answer({'id': 7})", "id 7, not 3"),
    "no id": ("send(b'{}\\n')", "id None"),
    "a truth for an id": ("answer({'id': True})", "id True"),
    "neither": ("send(b'{\"id\":3}\\n')", "neither a result nor an error"),
    "error is text": ("send(b'{\"id\":3,\"error\":\"no\"}\\n')", "not an object"),
    "unknown kind": ("refuse(kind='mood', message='m')", "mood"),
    "no message": ("refuse(kind='call')", "message None"),
    "not understood": ("refuse(kind='protocol', message='what?')", r"what\?"),
    "no seconds": ("answer(request, {}, bytes(8), arrays=one([1])[1])", "seconds"),
    "negative seconds": ("answer(request, {'seconds': -1}, bytes(8), arrays=one([1])[1])", "seconds"),
    "no number": ("answer(request, {'seconds': float('nan')}, bytes(8), arrays=one([1])[1])", "seconds"),
    "no array": ("answer(request, {'seconds': 0})", "1 arrays are due, and 0 came"),
    "two arrays": ("answer(request, {'seconds': 0}, bytes(16), arrays=2 * one([1])[1])", "and 2 came"),
    "seconds of 400 digits": (
        "answer(request, {'seconds': 10 ** 400}, bytes(8), arrays=one([1])[1])",
        "seconds",
    ),
    "seconds of 5000 digits": (
        "send(b'{\"id\":3,\"result\":{\"seconds\":' + b'9' * 5000 + b'}}\\n')", "not JSON"
    ),
    "seconds are a truth": (
        "answer(request, {'seconds': True}, bytes(8), arrays=one([1])[1])",
        "seconds are due, not True",
    ),
    "seconds are a list": ("answer(request, {'seconds': [0]}, bytes(8), arrays=one([1])[1])", "seconds"),
    "a key too many": (
        "answer(request, {'seconds': 0}, bytes(8), arrays=one([1])[1], more=1)",
        "unknown key 'more'",
    ),
    "a misspelt key": (
        "answer(request, {'second': 0, 'seconds': 0}, bytes(8), arrays=one([1])[1])",
        "unknown key 'second'",
    ),
    "a key of an error": (
        "refuse(kind='call', message='m', file='f')",
        "unknown key 'file'",
    ),
    "both": (
        "answer(request, {'seconds': 0}, error={'kind': 'call', 'message': 'm'})",
        "both a result and an error",
    ),
    "a kind is a list": ("refuse(kind=['call'], message='m')", "kind"),
    "a message is a list": ("refuse(kind='call', message=['m'])", "message"),
    "a detail is a list": ("refuse(kind='call', message='m', detail=[1])", "message"),
    "a message of 9 MB": (
        "refuse(kind='call', message='m' * 9_000_000)",
        "a line of more than 1048576 bytes",
    ),
    "a shape is text": (
        "answer(request, {'seconds': 0}, arrays=[{'dtype': 'float64', 'shape': 'n', 'order': 'C'}])",
        "shape",
    ),
    "a dtype is a list": (
        "answer(request, {'seconds': 0}, arrays=[{'dtype': [], 'shape': [], 'order': 'C'}])",
        "dtype",
    ),
    "an order is a list": (
        "answer(request, {'seconds': 0}, arrays=[{'dtype': 'bool', 'shape': [], 'order': ['C']}])",
        "order",
    ),
    "nothing by 2^45": ("answer(request, {'seconds': 0}, arrays=one([0, 2 ** 45])[1])", "unusable shape"),
    "nothing by 2^39 by 2^39": (
        "answer(request, {'seconds': 0}, arrays=one([0, 2 ** 39, 2 ** 39])[1])",
        "unusable shape",
    ),
    "a gibibyte and a byte": (
        "answer(request, {'seconds': 0}, arrays=one([2 ** 27])[1] + one([1], 'bool')[1])",
        "more than 1073741824 bytes",
    ),
    "nested lists": ("send(b'[' * 100_000 + b'\\n')", "not JSON"),
    "unknown dtype": ("answer(request, {'seconds': 0}, arrays=one([1], 'float128')[1])", "unknown dtype"),
    "negative size": ("answer(request, {'seconds': 0}, arrays=one([-1])[1])", "unusable shape"),
    "absurd size": ("answer(request, {'seconds': 0}, arrays=one([2 ** 41])[1])", "unusable shape"),
    "absurd sizes": ("answer(request, {'seconds': 0}, arrays=one([2 ** 20, 2 ** 20])[1])", "bytes"),
    "bad boolean": ("answer(request, {'seconds': 0}, b'\\x02', arrays=one([1], 'bool')[1])", "boolean"),
    "endless line": ("send(b'x' * (1 << 25)); time.sleep(60)", "a line of more than 1048576 bytes"),
}  # fmt: skip


@pytest.mark.parametrize(("source", "words"), JUNK.values(), ids=JUNK)
def test_what_is_not_the_protocol(fake: Callable[..., Worker], source: str, words: str) -> None:
    worker = fake(
        f"request = greet()\nprint('a hint', file=sys.stderr, flush=True)\n{source}\ntime.sleep(60)"
    )
    with pytest.raises(WorkerCrashed, match=words) as caught:
        call(worker)
    assert "the worker's reply is not the protocol: fake, call of f: " in caught.value.message
    assert "a hint" in caught.value.message
    assert not worker.alive


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


def test_unknown_keys_of_a_newer_worker_are_no_error(fake: Callable[..., Worker]) -> None:
    worker = fake(
        "answer(read(), {'protocol': 1, 'mood': 1, 'runtime': "
        "{'language': 'X', 'version': '1', 'mood': 'good', 'scalars': False, 'threads': 3}})",
        greeted=False,
    )
    assert worker.scalars is False
    assert worker.info.threads == 3


PROBLEMS = {
    "a stage is a list": ("{'stage': ['f'], 'kind': 'missing', 'message': 'm'}", "names no stage"),
    "no object": ("['f']", "names no stage"),
    "no such kind": ("{'stage': 'f', 'kind': 'call', 'message': 'm'}", "kind 'call'"),
    "a key too many": ("{'stage': 'f', 'kind': 'missing', 'message': 'm', 'x': 3}", "unknown key 'x'"),
}  # fmt: skip


@pytest.mark.parametrize(("problem", "words"), PROBLEMS.values(), ids=PROBLEMS)
def test_problems_that_are_not_the_protocol(fake: Callable[..., Worker], problem: str, words: str) -> None:
    with pytest.raises(WorkerCrashed, match=f"not the protocol: fake, load: .*{words}"):
        fake(f"{greeting('')}\nanswer(read(), {{'handle': 'h1', 'problems': [{problem}]}})")


def test_a_long_message_is_cut(fake: Callable[..., Worker]) -> None:
    worker = fake(
        "greet()\nrefuse(kind='call', message='m' * 100_000, detail='d' * 100_000 + 'end', line=10**300)"
    )
    with pytest.raises(ImplementationError) as caught:
        call(worker)
    assert caught.value.message == "m" * 2_000
    assert len(caught.value.detail) == 20_000
    assert caught.value.detail.endswith("end")
    assert caught.value.line is None
    assert worker.alive


def test_errors_of_the_implementation(fake: Callable[..., Worker], tmp_path: Path) -> None:
    worker = fake("""
        request = greet()
        answer(request, error={"kind": "value", "message": "half \\ud800 a pair", "line": 12, "detail": "d"})
        request = read()
        answer(request, error={"kind": "call", "message": "m", "line": "x"})
        request = read()
        problem = {"stage": "g", "kind": "arity", "message": "a", "line": 3}
        answer(request, {"handle": "h2", "problems": [problem]})
        request = read()
        answer(request, {"handle": "h3", "problems": [dict(problem, stage="other")]})
    """)
    path = tmp_path / "four_word.fake"
    with pytest.raises(ImplementationError) as caught:
        call(worker)
    error = caught.value
    assert (error.kind, error.message, error.line, error.path) == ("value", "half ? a pair", 12, path)
    assert error.detail == "d"
    with pytest.raises(ImplementationError) as caught:
        call(worker)
    assert (caught.value.kind, caught.value.line) == ("call", None)
    problems = worker.load(path, {"g": 1}, deadline=START).problems
    assert {
        name: (implementation_error.kind, implementation_error.line, implementation_error.path)
        for name, implementation_error in problems.items()
    } == {"g": ("arity", 3, path)}
    with pytest.raises(WorkerCrashed, match="names no stage"):
        worker.load(path, {"g": 1}, deadline=START)


def test_an_endless_print_is_stopped(fake: Callable[..., Worker], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.runtimes.child._MOST_STDERR", 1 << 20)
    worker = fake("greet()\nwhile True: os.write(2, b'x' * 1000 + b'\\n'); time.sleep(0.0001)")
    with pytest.raises(WorkerCrashed, match="prints without end"):
        call(worker)
    assert not worker.alive


def test_the_tail_is_bounded_and_whole_lines(fake: Callable[..., Worker]) -> None:
    worker = fake("""
        request = greet()
        for number in range(10_000):
            print("line", number, "\u2202", file=sys.stderr)
        os.write(2, b"\\xff\\n")
        sys.stderr.flush()
        os._exit(1)
    """)
    with pytest.raises(WorkerCrashed):
        call(worker)
    tail = worker.stderr_tail(1000)
    assert 500 < len(tail) <= 1000
    assert tail.startswith("line ")
    assert tail.endswith("line 9999 \u2202\n\ufffd\n")


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
