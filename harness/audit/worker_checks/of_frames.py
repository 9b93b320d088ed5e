"""Checks of frames that are odd: split, joined, long, cut, none at all; and of the end of input."""

from __future__ import annotations

import json
import time
from typing import Any

import numpy as np

from harness.audit.worker_checks.bench import Bench, Check, Probe
from harness.audit.worker_checks.ends import NotOffered, Wrong, wrong
from harness.runtimes.child import ChildEnded, Flooded
from harness.workers import protocol

TRANSPORT = "Transport"
BYE = "bye"
ERRORS = "Error kinds"
LONG = 1 << 20
"""Bytes of a line that is long, and allowed."""


def _asking(bench: Bench, probe: Probe) -> dict[str, Any]:
    """A call of ``same`` of a file that is loaded for it."""
    handle = probe.load(bench.source, {"same": 1}, deadline=bench.patience).handle
    return {"id": 901, "method": "call", "params": {"handle": handle, "stage": "same", "outputs": 1}}


def _expect(bench: Bench, probe: Probe, number: int, sent: bytes) -> None:
    """Read a reply with one array of these bytes."""
    line = probe.line(bench.patience)
    header, descriptors = protocol.parse(line, len(sent))
    if header.get("id") != number or "result" not in header or len(descriptors) != 1:
        wrong(f"the reply to request {number} is {protocol.excerpt(line)}")
    (array,) = protocol.receive(descriptors, lambda view: probe.fill(view, bench.patience))
    if array.tobytes() != sent:
        wrong(f"the array of request {number} came back as {array.tolist()}")


def unknown_keys(bench: Bench) -> None:
    """Keys that the worker does not know are left out of account, in the frame and in its parameters."""
    with bench.sound() as probe:
        request = _asking(bench, probe)
        request["params"] |= {"names": ["same"], "luck": {"a": [1, None, "\u2202"]}}
        _send_call(bench, probe, request | {"mood": [True, 1e-3]})


def long_line(bench: Bench) -> None:
    """A line of a mebibyte is one line."""
    with bench.sound() as probe:
        _send_call(bench, probe, _asking(bench, probe) | {"luck": "x" * LONG})


def _send_call(bench: Bench, probe: Probe, request: dict[str, Any]) -> None:
    sent = np.arange(3.0)
    probe.send(b"".join(map(bytes, protocol.frame(request, [sent]))), bench.patience)
    _expect(bench, probe, 901, sent.tobytes())


def in_pieces(bench: Bench) -> None:
    """A frame that arrives in pieces is one frame, and is answered before the next is sent."""
    with bench.sound() as probe:
        request = _asking(bench, probe)
        sent = np.arange(3.0)
        data = b"".join(map(bytes, protocol.frame(request, [sent])))
        for start in range(0, len(data), 29):
            probe.send(data[start : start + 29])
            time.sleep(0.005)
        _expect(bench, probe, 901, sent.tobytes())


def joined(bench: Bench) -> None:
    """Frames that arrive at once are answered one by one, in their order."""
    with bench.sound() as probe:
        request = _asking(bench, probe)
        arrays = [np.full(2, float(number)) for number in range(3)]
        frames = [
            b"".join(map(bytes, protocol.frame(request | {"id": 901 + number}, [array])))
            for number, array in enumerate(arrays)
        ]
        probe.send(b"".join(frames))
        for number, array in enumerate(arrays):
            _expect(bench, probe, 901 + number, array.tobytes())


def _is_refusal(line: bytes) -> str:
    """What a reply to a frame that is none says; raises `Wrong` where it is a result."""
    try:
        reply = json.loads(line)
        error = reply["error"] if "result" not in reply else None
        if error is None or error.get("kind") not in ("protocol", "call", "load"):
            wrong(f"it answered {protocol.excerpt(line)}")
    except (ValueError, KeyError, TypeError, AttributeError) as why:
        raise Wrong(f"it answered {protocol.excerpt(line)}") from why
    return f"an error of kind {error['kind']!r}"


def _refuses(probe: Probe, data: bytes, doing: str) -> str:
    """Send bytes that are no request: an error or the end is right, silence and a result are not."""
    try:
        probe.send(data)
        line = probe.line()
    except (ChildEnded, Flooded):
        probe.ends()
        return f"it {probe.ending}"
    except TimeoutError:
        wrong(f"{doing}: neither an error nor an end within {probe.at_once:g} s")
    return _is_refusal(line)


def garbage(bench: Bench) -> str:
    """A line that is no JSON is an error of kind protocol, or the end."""
    with bench.to_its_end() as probe:
        return _refuses(probe, b"\x7fELF\x02\xff a line of something else\n", "a line that is no JSON")


def unknown_method(bench: Bench) -> str:
    """A method that does not exist is an error of kind protocol, or the end."""
    with bench.sound() as probe:
        data = json.dumps({"id": 901, "method": "luck", "params": {}}).encode() + b"\n"
        return _refuses(probe, data, "a method that does not exist")


def unknown_dtype(bench: Bench) -> str:
    """An array of no known dtype is an error, or the end: how many bytes follow nobody can say."""
    with bench.to_its_end() as probe:
        request = _asking(bench, probe)
        request["arrays"] = [{"dtype": "luck64", "shape": [1], "order": "C"}]
        return _refuses(probe, json.dumps(request).encode() + b"\n" + bytes(8), "a dtype that does not exist")


def oversize(bench: Bench) -> str:
    """A line beyond the limit may be refused, or read."""
    with bench.to_its_end() as probe:
        line = b'{"id":901,"method":"bye","luck":"' + b"x" * protocol.LONGEST_LINE + b'","params":{}}\n'
        try:
            probe.send(line)
            got = probe.line()
        except (ChildEnded, Flooded):
            return f"it {probe.ending}" if probe.ends() else "it closes its pipes"
        except TimeoutError:
            raise NotOffered(f"no answer within {probe.at_once:g} s; none is sent that long") from None
        return f"it answers {protocol.excerpt(got, 60)}"


def cut_line(bench: Bench) -> str:
    """The end of input within a line is the end."""
    with bench.to_its_end() as probe:
        probe.send(b'{"id":901,"method":"call","par')
        return _ends(probe, "the end of input within a line")


def cut_arrays(bench: Bench) -> str:
    """The end of input within an array is the end: a part is no array."""
    with bench.to_its_end() as probe:
        whole = b"".join(map(bytes, protocol.frame(_asking(bench, probe), [np.arange(10.0)])))
        probe.send(whole[:-40])
        return _ends(probe, "the end of input within an array")


def end_of_input(bench: Bench) -> str:
    """The end of input means: exit."""
    with bench.to_its_end() as probe:
        return _ends(probe, "the end of input")


def _ends(probe: Probe, when: str) -> str:
    probe.end_input()
    line = b""
    try:
        line = probe.line()
    except (ChildEnded, Flooded):
        pass
    except TimeoutError:
        wrong(f"{when}: it lives on {probe.at_once:g} s later")
    if b'"result"' in line:
        wrong(f"{when}: it answers {protocol.excerpt(line)}")
    if not probe.ends():
        wrong(f"{when}: it lives on {probe.at_once:g} s later")
    return f"it {probe.ending}"


def bye(bench: Bench) -> str:
    """``bye`` is answered, and the process ends by itself."""
    with bench.to_its_end() as probe:
        result = probe.ask("bye", {}, (), probe.at_once)
        if result:
            wrong(f"the reply to bye has {result}, and an empty result is expected")
        if not probe.ends():
            wrong(f"it lives on {probe.at_once:g} s after bye")
        if probe.ending != "ended with exit code 0":
            return f"it {probe.ending}"
        return ""


CHECKS = (
    Check("unknown keys", TRANSPORT, unknown_keys),
    Check("a frame in pieces", TRANSPORT, in_pieces),
    Check("frames at once", TRANSPORT, joined),
    Check("a long line", TRANSPORT, long_line),
    Check("a line beyond the limit", TRANSPORT, oversize),
    Check("garbage", ERRORS, garbage),
    Check("an unknown method", ERRORS, unknown_method),
    Check("an unknown dtype", TRANSPORT, unknown_dtype),
    Check("a line that is cut", TRANSPORT, cut_line),
    Check("an array that is cut", TRANSPORT, cut_arrays),
    Check("the end of input", TRANSPORT, end_of_input),
    Check("bye", BYE, bye),
)
