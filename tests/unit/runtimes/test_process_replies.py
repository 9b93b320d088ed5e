"""The parent's side against replies that are not the protocol, errors, and what is printed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.errors import ImplementationError, WorkerCrashed
from harness.runtimes.process import Worker
from tests.unit.runtimes.fake_worker import START, call, greeting


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
    "no array": ("answer(request, {'seconds': 0})", "1 arrays are expected, and 0 came"),
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
        "seconds are expected, not True",
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
        "at most 1073741824 are expected",
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
