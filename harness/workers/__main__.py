"""Start a worker: ``python -P .../workers/__main__.py NAME``; by its path, so nothing need be installed."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

HOSTS = {
    "numpy": "harness.workers.python_host",
    "torch": "harness.workers.torch_host",
    "r": "harness.workers.r_host",
    "julia": "harness.workers.julia_host",
    "oracle": "harness.oracle.oracle_host",
    "program": "harness.workers.program_host",
    "compiled": "harness.workers.compiled_host",
    "jax": "harness.workers.jax_host",
    "onnx": "harness.workers.onnx_host",
    "python-session": "harness.workers.session_python",
    "r-session": "harness.workers.session_r",
}


def main(name: str) -> None:
    """Take the pipes, then load the host and serve."""
    root = str(Path(__file__).resolve().parents[2])
    sys.path.insert(0, root)
    from harness.workers.pipes import settle, take_pipes

    # The package is known now and finds its own modules; the code to be judged gets no path to them.
    sys.path.remove(root)
    requests, replies = take_pipes()
    settle()
    from harness.workers.loop import leave, serve

    host = importlib.import_module(HOSTS[name])
    serve(requests, replies, host.start)
    leave()


if __name__ == "__main__":
    main(sys.argv[1])
