"""Workers that are a few lines of Python, and calls of them."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import psutil

from harness.runtimes.process import Worker

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
