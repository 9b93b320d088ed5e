"""Stand between the harness and a worker, and make one fault: ``python -I -S inject.py SPEC COMMAND...``.

The process that the harness started becomes the worker, so that its signals and its exit code are the
worker's own. A copy of it, in the same process group, passes frames on in both directions until the state is
reached. SPEC is a JSON file: ``state``, ``fault``, ``stage`` and ``count`` (which call of which stage),
``ends`` (whether the worker's process ends by the fault), and ``marks``, the beginning of the names of
files that say how far things are: ``struck`` (a worker that is started later is left alone), ``done``, and
for the function that is called ``arm``, ``inside`` and ``go``. Linux only; standard library only.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import math
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, NoReturn

SIGNALS = {
    "kill": signal.SIGKILL, "segv": signal.SIGSEGV, "stop": signal.SIGSTOP, "term": signal.SIGTERM,
    "exit0": signal.SIGURG, "grandchild": signal.SIGKILL,
}  # fmt: skip
OTHERS = ("closed_replies", "closed_requests", "flood_replies", "flood_stderr", "memory")
PIPE = 1 << 16
"""Bytes that a pipe takes while nobody reads."""
PART = 1 << 14
"""Bytes of a frame's arrays that are passed on before a fault."""
FLOOD = 257
"""MiB on standard error, of which 256 are allowed."""
SPARE = 64 << 20
"""Bytes that a worker may still take once its memory is limited; it asks for 2 GiB."""
SMALL = 32 << 20
"""Bytes of address space in which no language starts."""

Header = dict[str, Any]


def main(path: str, command: list[str]) -> None:
    """Become the worker, with an injector beside it."""
    spec = json.loads(Path(path).read_text(encoding="utf-8"))
    requests, replies = os.pipe(), os.pipe()
    if not os.fork():
        os.close(requests[0])
        os.close(replies[1])
        with contextlib.suppress(BrokenPipeError):
            Injector(spec, requests[1], replies[0]).serve()
        os._exit(0)
    os.dup2(requests[0], 0)
    os.dup2(replies[1], 1)
    if (spec["state"], spec["fault"]) == ("starting", "memory"):
        resource.setrlimit(resource.RLIMIT_AS, (SMALL, SMALL))
    os.execvp(command[0], command)


class Injector:
    """Passes frames on, and makes the fault once."""

    def __init__(self, spec: dict[str, Any], to_worker: int, from_worker: int) -> None:
        self.state, self.fault = spec["state"], spec["fault"]
        self.stage, self.count = spec["stage"], spec["count"]
        self.marks, self.ends = spec["marks"], spec["ends"]
        self.worker = os.getppid()
        # Below its buffer, a reader takes no more than it is asked for.
        self.requests, self.replies = os.fdopen(0, "rb", PART), os.fdopen(1, "wb", 0)
        self.to_worker, self.from_worker = os.fdopen(to_worker, "wb", 0), os.fdopen(from_worker, "rb", PART)

    def serve(self) -> None:
        """Answer for the worker until the harness or the worker ends."""
        while line := self.requests.readline():
            header = json.loads(line)
            # The harness has made it larger when it has started the worker.
            fcntl.fcntl(self.requests, fcntl.F_SETPIPE_SZ, PIPE)
            reached = not self.mark("struck").exists() and self.reached(header)
            if not reached or self.state == "idle":
                self.pass_on(line, header)
            if reached:
                self.strike(header, line)

    def reached(self, header: Header) -> bool:
        """Whether the fault is made at this request, or after its reply."""
        method = header["method"]
        if self.state in ("starting", "shutdown"):
            # Where an import or the limit of the whole process is the fault, nothing is to be done here.
            if self.state == "starting" and self.fault not in HERE_AT_START:
                return False
            return bool(method == ("hello" if self.state == "starting" else "bye"))
        if method != "call" or header["params"]["stage"] != self.stage:
            return False
        self.count -= 1
        return bool(self.count == 0)

    def strike(self, header: Header, line: bytes) -> None:
        """Bring request and reply into the state, and make the fault."""
        frame, data = fabricated(header)
        match self.state:
            case "idle":
                # The next request may be one whose reply has no arrays.
                frame, data = without(frame, "arrays"), b""
            case "starting" if self.fault in SIGNALS:
                self.request(line, header)
                time.sleep(0.1)
            case "starting" | "shutdown" if self.fault == "closed_requests":
                self.close_requests()
                self.pass_on(line, header)
                self.hold()
            case "receiving":
                write(self.to_worker, line + self.requests.read(PART))
                time.sleep(0.1)
            case "mid-call":
                self.set("arm")
                if self.fault == "exit0":
                    # The worker ends by itself, and with it this process.
                    self.set("struck")
                    self.request(line, header)
                    self.hold()
                self.request(line, header)
                while not self.mark("inside").exists():
                    self.look()
                if self.fault == "memory":
                    self.limit_memory()
                    return
                if self.fault == "closed_requests":
                    self.close_requests()
                    self.set("go")
                    self.reply()
                    self.hold()
            case "sending":
                self.request(line, header)
                first = self.from_worker.readline()
                frame = json.loads(first)
                if self.fault in FRAMES:
                    data = self.from_worker.read(size(frame))
                    if self.fault in ACCEPTED:
                        self.set("struck")
                        write(self.replies, FRAMES[self.fault](frame, data))
                        return
                elif self.fault == "closed_requests":
                    self.close_requests()
                    write(self.replies, first + self.from_worker.read(size(frame)))
                    self.hold()
                else:
                    write(self.replies, first + self.from_worker.read(PART))
                    time.sleep(0.1)
        self.act(frame, data)

    def act(self, frame: Header, data: bytes) -> NoReturn:
        """Make the fault now; ``frame`` and ``data`` are the reply that a frame's fault is put into."""
        self.set("struck")
        if self.fault not in ("stop", "flood_stderr"):
            # What is written may be more than a pipe takes while nobody reads.
            self.set("done", str(self.worker) if self.ends else "")
        if self.fault == "grandchild":
            subprocess.Popen(["sleep", "600"], stdin=self.requests, stdout=self.replies)
        if self.fault in SIGNALS:
            os.kill(self.worker, SIGNALS[self.fault])
        elif self.fault == "closed_requests":
            self.close_requests()
        elif self.fault == "flood_stderr":
            for _ in range(FLOOD):
                os.write(2, b"x" * (1 << 20))
        else:
            threading.Thread(target=self.drain, daemon=True).start()
            if self.fault == "closed_replies":
                self.replies.close()
            elif self.fault == "flood_replies":
                while True:
                    write(self.replies, b"x" * (1 << 20))
            else:
                write(self.replies, FRAMES[self.fault](frame, data))
        self.set("done", str(self.worker) if self.ends else "")
        self.hold()

    def pass_on(self, line: bytes, header: Header) -> None:
        """Pass on a request and its reply."""
        if header["method"] == "bye":
            # The worker ends, and this process with it, when it has replied.
            write(self.replies, joined(*fabricated(header)))
        self.request(line, header)
        if header["method"] != "bye":
            self.reply()

    def request(self, line: bytes, header: Header) -> None:
        """Pass a request on."""
        count = size(header)
        write(self.to_worker, line + (self.requests.read(count) if count else b""))

    def reply(self) -> None:
        """Pass a reply on."""
        line = self.from_worker.readline()
        if not line:
            self.hold()
        write(self.replies, line + self.from_worker.read(size(json.loads(line))))

    def close_requests(self) -> None:
        """Read no more of what the harness writes."""
        self.set("struck")
        self.requests.close()

    def drain(self) -> None:
        """Take what the harness still writes, as a worker would."""
        while self.requests.read1(PART):
            pass

    def limit_memory(self) -> None:
        """Limit the worker's memory for one call."""
        self.set("struck")
        pages = int(Path(f"/proc/{self.worker}/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + SPARE
        before = resource.prlimit(self.worker, resource.RLIMIT_AS)
        resource.prlimit(self.worker, resource.RLIMIT_AS, (most, before[1]))
        self.set("go")
        self.reply()
        resource.prlimit(self.worker, resource.RLIMIT_AS, before)

    def hold(self) -> NoReturn:
        """Do nothing more, until the harness ends the group."""
        while True:
            self.look()

    def look(self) -> None:
        """Wait a moment, and end if the worker has."""
        time.sleep(0.02)
        if os.getppid() != self.worker:
            os._exit(0)

    def set(self, name: str, text: str = "") -> None:
        """Leave a mark."""
        unfinished = self.mark(f"{name}.new")
        unfinished.write_text(text, encoding="ascii")
        unfinished.rename(self.mark(name))

    def mark(self, name: str) -> Path:
        """The file of a mark."""
        return Path(f"{self.marks}.{name}")


def write(pipe: Any, data: bytes) -> None:
    """Write all of it."""
    view = memoryview(data)
    while view:
        view = view[pipe.write(view) :]


def size(header: Header) -> int:
    """Bytes of the arrays behind a line; all are float64."""
    return sum(8 * math.prod(array["shape"]) for array in header.get("arrays", ()))


def fabricated(request: Header) -> tuple[Header, bytes]:
    """A sound reply to a request, which a worker has not given."""
    if request["method"] == "hello":
        runtime = {"language": "L", "version": "1", "dtypes": ["float64"]}
        return {"id": request["id"], "result": {"protocol": 1, "runtime": runtime}}, b""
    if request["method"] == "bye":
        return {"id": request["id"], "result": {}}, b""
    frame = {"id": request["id"], "result": {"seconds": 0.0}, "arrays": request["arrays"][:1]}
    return frame, bytes(size(frame))


def joined(header: Header, data: bytes = b"") -> bytes:
    """The bytes of a frame."""
    return json.dumps(header).encode() + b"\n" + data


def half(header: Header, data: bytes) -> bytes:
    """The first half of a frame."""
    whole = joined(header, data)
    return whole[: len(whole) // 2]


def without(header: Header, key: str) -> Header:
    """A frame's line less a key."""
    return {name: value for name, value in header.items() if name != key}


def another_array(header: Header, data: bytes) -> bytes:
    """One array more than is expected."""
    one = {"dtype": "float64", "shape": [1], "order": "C"}
    return joined(header | {"arrays": [*header.get("arrays", ()), one]}, data + bytes(8))


def another_shape(header: Header, data: bytes) -> bytes:
    """The same numbers in another shape."""
    (array,) = header["arrays"]
    return joined(header | {"arrays": [array | {"shape": [*array["shape"], 1]}]}, data)


HUGE = [{"dtype": "float64", "shape": [1 << 37], "order": "C"}]
FRAMES = {
    "half": half,
    "long_line": lambda header, data: joined(
        without(header, "result") | {"error": {"kind": "call", "message": "m" * (2 << 20)}}
    ),
    "huge_arrays": lambda header, data: joined(header | {"arrays": HUGE}),
    "foreign": lambda header, data: b"\x7fELF\x02\xff\x00 a line of something else\n",
    "wrong_id": lambda header, data: joined(header | {"id": header["id"] + 100}, data),
    "text_id": lambda header, data: joined(header | {"id": str(header["id"])}, data),
    "unknown_key": lambda header, data: joined(header | {"luck": 0}, data),
    "both": lambda header, data: joined(header | {"error": {"kind": "call", "message": "m"}}, data),
    "neither": lambda header, data: joined(without(header, "result"), data),
    "wrong_type": lambda header, data: joined(header | {"result": [header["result"]]}, data),
    "unknown_kind": lambda header, data: joined(
        {"id": header["id"], "error": {"kind": "luck", "message": "m"}}
    ),
    "another_array": another_array,
    "another_shape": another_shape,
    "another_value": lambda header, data: joined(header, bytes(8) + data[8:]),
    "false_facts": lambda header, data: joined(
        header | {"result": {"protocol": 1, "runtime": {**header["result"]["runtime"], "threads": -1}}}
    ),
}
"""Replies that are not what is expected, from one that is."""
ACCEPTED = {"another_shape", "another_value"}
HERE_AT_START = {*SIGNALS, *OTHERS, *FRAMES} - {"exit0", "memory"}


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
