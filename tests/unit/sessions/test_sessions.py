"""The child side of a session, without a process."""

import json
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.errors import WorkerCrashed
from harness.sessions.printed_text import TextPipe
from harness.sessions.session import Session
from harness.workers.embedded_r import _literal
from harness.workers.loop import WorkerFault
from harness.workers.protocol import Array
from harness.workers.sessions import Asked, Problems, SessionHost
from tests.damage.kinds import Written


class Parrot:
    """A language that says what it is told."""

    def describe(self) -> dict[str, Any]:
        return {"language": "Parrot"}

    def open(self, asked: Asked) -> dict[str, str]:
        return {}

    def eval(self, code: str, file: str, line: int, keep_going: bool) -> tuple[float, Problems]:
        error = {"message": "x" * 10_000, "kind": "squawk", "line": None} if code == "fail" else None
        return 0.5, Problems(error, ["w"] * 200, ["p"])

    def get(self, expression: str) -> Array:
        if expression == "boom":
            raise ZeroDivisionError("boom")
        if expression == "fault":
            raise WorkerFault("value", "no array")
        return np.array([1.0])


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> SessionHost:
    monkeypatch.setattr("harness.workers.sessions.point_descriptors", lambda stdout, stderr: None)
    host = SessionHost(Parrot())
    host.answer("open", {"mode": "prompt", "stdout": "", "stderr": ""})
    return host


def test_open_comes_first_and_once(host: SessionHost) -> None:
    with pytest.raises(WorkerFault, match="open comes first"):
        SessionHost(Parrot()).answer("eval", {"code": "", "file": "", "line": 1})
    with pytest.raises(WorkerFault, match="open already"):
        host.answer("open", {"mode": "prompt", "stdout": "", "stderr": ""})


def test_stages_are_another_workers(host: SessionHost) -> None:
    with pytest.raises(WorkerFault, match="loads no stages"):
        host.load("a.py", {}, {})
    with pytest.raises(WorkerFault, match="calls no stages"):
        host.call(None, "a", [], 1)


def test_an_error_of_the_code_is_a_result(host: SessionHost) -> None:
    reply, _ = host.answer("eval", {"code": "fail", "file": "a.md", "line": 1})
    assert not reply["ok"]
    assert reply["error"]["kind"] == "squawk"
    assert "line" not in reply["error"]
    assert len(reply["error"]["message"]) == 4000
    assert len(reply["warnings"]) == 100
    good, _ = host.answer("eval", {"code": "x", "file": "a.md", "line": 1})
    assert good["ok"]
    assert "error" not in good


def test_values_that_are_none_have_a_reason(host: SessionHost) -> None:
    reply, arrays = host.answer("get", {"expressions": ["boom", "x", "fault"]})
    assert [value["array"] for value in reply["values"]] == [False, True, False]
    assert reply["values"][0]["why"] == "ZeroDivisionError: boom"
    assert reply["values"][2]["why"] == "no array"
    assert len(arrays) == 1


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, "TRUE"),
        (3, "3L"),
        ([], "character()"),
        (["a", 'b"'], 'c("a", "b\\"")'),
        ("é\n\\\0", '"é\\n\\\\"'),
    ],
)
def test_arguments_as_r_writes_them(value: Any, written: str) -> None:
    assert _literal(value) == written


def test_what_a_session_of_r_begins_with_has_no_numpy() -> None:
    """NumPy takes about as long to import as R to start, and no document of R needs it."""
    code = "import harness.workers.session_r, sys; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "False\n"


class TestPipes:
    def test_text_is_there_when_it_has_been_written(self, tmp_path: Path) -> None:
        pipe = TextPipe(tmp_path / "out", keep=100)
        with pipe.path.open("wb", buffering=0) as writer:
            writer.write("é1".encode())
            assert pipe.take() == ("é1", 0)
            writer.write(b"2")
            assert pipe.take() == ("2", 0)
            assert pipe.take() == ("", 0)
        pipe.close()
        assert not pipe.path.exists()

    def test_what_is_too_much_is_counted(self, tmp_path: Path) -> None:
        pipe = TextPipe(tmp_path / "out", keep=10)
        with pipe.path.open("wb", buffering=0) as writer:
            # More than a pipe holds: it is read while it is written.
            writer.write(b"x" * 300_000)
            assert pipe.take() == ("x" * 10, 299_990)
        pipe.close()

    def test_its_end_waits_for_nobody(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("harness.sessions.printed_text._LOOK_AROUND", 3_600_000)
        pipe = TextPipe(tmp_path / "out", keep=10)
        closing = threading.Thread(target=pipe.close, daemon=True)
        closing.start()
        closing.join(60)
        assert not closing.is_alive()

    def test_half_a_character_is_marked(self, tmp_path: Path) -> None:
        pipe = TextPipe(tmp_path / "out", keep=1)
        with pipe.path.open("wb", buffering=0) as writer:
            writer.write("é".encode())
            assert pipe.take() == ("\ufffd", 1)
        pipe.close()


@pytest.mark.parametrize("value", [5, "text", None, [1]])
def test_a_value_that_is_no_object_breaks_the_protocol(tmp_path: Path, value: Any) -> None:
    reply = {"id": 1, "result": {"values": [value]}}
    child: Any = Written(json.dumps(reply).encode() + b"\n")
    worker = Session("r", child, tmp_path / "stderr")
    with pytest.raises(WorkerCrashed, match="a value is no object"):
        worker.get(["x"])


def test_a_key_that_cannot_be_encoded_breaks_the_protocol(tmp_path: Path) -> None:
    reply = {"id": 1, "result": {"ok": True, "seconds": 0.5, "\ud800": 1}}
    child: Any = Written(json.dumps(reply).encode() + b"\n")
    with pytest.raises(WorkerCrashed, match="surrogates"):
        Session("r", child, tmp_path / "stderr").eval("x", file="a.md", line=1, deadline=1.0)


@pytest.mark.parametrize("seconds", [True, "1", None, [0.5]])
def test_seconds_that_are_no_number_break_the_protocol(tmp_path: Path, seconds: Any) -> None:
    result = {"seconds": seconds}
    for reply in ({"id": 1, "result": result}, {"id": 1, "result": {**result, "ok": True}}):
        child: Any = Written(json.dumps(reply).encode() + b"\n")
        worker = Session("r", child, tmp_path / "stderr")
        evaluate = partial(worker.eval, "x", file="a.md", line=1, deadline=1.0)
        call = partial(worker.call, "h", "Q", [], outputs=0, deadline=1.0)
        with pytest.raises(WorkerCrashed, match=r"seconds"):
            (evaluate if "ok" in reply["result"] else call)()
