"""The worker's side of the conversation, without a process."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from harness.workers import protocol
from harness.workers.loop import Problem, WorkerFault, serve
from harness.workers.protocol import Array, FrameError


class Doubler:
    """A host whose only stage doubles its inputs."""

    def __init__(self) -> None:
        self.closed = False

    def describe(self) -> dict[str, Any]:
        return {"language": "None", "version": "1"}

    def load(self, source: str, stages: Mapping[str, int], signatures: Any) -> tuple[str, list[Problem]]:
        if source == "broken":
            raise WorkerFault("load", "it is\n broken", line=7, detail="x" * 100_000)
        return source, [{"stage": stage, "kind": "missing", "message": "none"} for stage in stages]

    def call(
        self, loaded: str, stage: str, arrays: list[Array], names: Sequence[str]
    ) -> tuple[float, Sequence[Array]]:
        if stage == "text":
            return 0.0, [np.array(["text"])]
        return 0.5, [2 * array for array in arrays]

    def close(self) -> None:
        self.closed = True


def ask(*requests: tuple[dict[str, Any], list[Array]], host: Doubler | None = None) -> list[Any]:
    host = host or Doubler()
    written = io.BytesIO()
    frames = (b"".join(protocol.frame(header, arrays)) for header, arrays in requests)
    serve(io.BytesIO(b"".join(frames)), written, lambda: host)
    written.seek(0)

    def fill(view: memoryview) -> None:
        assert written.readinto(view) == len(view)

    replies = []
    while line := written.readline():
        header, descriptors = protocol.parse(line)
        replies.append((header, protocol.receive(descriptors, fill)))
    return replies


HELLO = ({"id": 1, "method": "hello", "params": {"protocol": 1}}, [])
LOAD = ({"id": 2, "method": "load", "params": {"source": "a", "stages": {"f": 1}}}, [])
BYE = ({"id": 9, "method": "bye", "params": {}}, [])


def call(**changes: Any) -> tuple[dict[str, Any], list[Array]]:
    params = {"handle": "h1", "stage": "f", "outputs": 2} | changes
    return {"id": 3, "method": "call", "params": params}, [np.arange(3.0), np.array(True)]


def test_a_conversation() -> None:
    host = Doubler()
    hello, load, (called, arrays), bye = ask(HELLO, LOAD, call(), BYE, HELLO, host=host)
    assert hello[0] == {"id": 1, "result": {"protocol": 1, "runtime": {"language": "None", "version": "1"}}}
    problem = {"stage": "f", "kind": "missing", "message": "none"}
    assert load[0] == {"id": 2, "result": {"handle": "h1", "problems": [problem]}}
    assert called == {"id": 3, "result": {"seconds": 0.5}}
    assert [array.tolist() for array in arrays] == [[0.0, 2.0, 4.0], 2]
    assert bye[0] == {"id": 9, "result": {}}
    assert host.closed


def test_the_end_of_input_is_the_end() -> None:
    host = Doubler()
    assert len(ask(HELLO, host=host)) == 1
    assert host.closed


def test_an_error_is_one_line_of_bounded_length() -> None:
    broken = ({"id": 2, "method": "load", "params": {"source": "broken", "stages": {}}}, [])
    error = ask(HELLO, broken)[1][0]["error"]
    assert (error["kind"], error["message"], error["line"]) == ("load", "it is broken", 7)
    assert len(error["detail"]) == 20_000


NOT_UNDERSTOOD = [
    ({"id": 2, "method": "sing"}, []),
    ({"id": 2}, []),
    ({"id": 2, "method": "call", "params": {"handle": "h1"}}, []),
    call(handle="h7"),
]


@pytest.mark.parametrize(
    ("before", "request_"), [([HELLO, LOAD], bad) for bad in NOT_UNDERSTOOD] + [([], LOAD), ([], call())]
)
def test_what_is_not_understood_is_said(
    before: list[Any], request_: tuple[dict[str, Any], list[Array]], capsys: pytest.CaptureFixture[str]
) -> None:
    replies = ask(*before, request_, BYE)
    assert replies[-2][0]["error"]["kind"] == "protocol"
    assert replies[-1][0]["result"] == {}


def test_another_version_is_refused() -> None:
    (reply, _), *_ = ask(({"id": 1, "method": "hello", "params": {"protocol": 2}}, []))
    assert reply["error"]["kind"] == "protocol"


def test_another_number_of_arrays_than_is_asked_for_is_of_kind_value() -> None:
    for outputs in (1, 3):
        error = ask(HELLO, LOAD, call(outputs=outputs))[2][0]["error"]
        assert error == {"kind": "value", "message": f"f has 2 arrays, and {outputs} are asked for"}


def test_a_host_that_returns_no_numbers_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(HELLO, LOAD, call(stage="text", outputs=1))[2][0]["error"]["kind"] == "protocol"
    assert "FrameError" in capsys.readouterr().err


def test_a_host_that_cannot_start_says_why() -> None:
    def start() -> Doubler:
        raise WorkerFault("load", "there is no such language")

    written = io.BytesIO()
    serve(io.BytesIO(protocol.frame(*HELLO)[0]), written, start)
    assert b"there is no such language" in written.getvalue()


def test_input_that_ends_within_an_array_is_an_error() -> None:
    data = b"".join(protocol.frame(*call()))[:-5]
    with pytest.raises(FrameError, match="ended within"):
        serve(io.BytesIO(data), io.BytesIO(), Doubler)


class Held:
    """A loaded file that has to be let go."""

    def __init__(self) -> None:
        self.dropped = False

    def drop(self) -> None:
        self.dropped = True


def test_a_file_that_is_dropped_is_forgotten_and_its_handle_not_given_again() -> None:
    held: list[Held] = []

    class Holder(Doubler):
        def load(self, source: str, stages: Mapping[str, int], signatures: Any) -> tuple[Any, list[Problem]]:
            held.append(Held())
            return held[-1], []

    again = ({"id": 3, "method": "load", "params": {"source": "b", "stages": {}, "drop": ["h1", "h9"]}}, [])
    call = {"id": 4, "method": "call", "params": {"handle": "h1", "stage": "f", "outputs": 1}}
    *_, second, refused = ask(HELLO, LOAD, again, (call, [np.ones(2)]), host=Holder())
    assert second[0]["result"]["handle"] == "h2"
    assert [each.dropped for each in held] == [True, False]
    assert "unknown handle" in refused[0]["error"]["message"]
