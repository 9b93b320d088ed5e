"""A worker's private ends of its pipes, taken before anything else runs. Standard library only."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import warnings
from typing import BinaryIO

_PR_SET_PDEATHSIG = 1


def take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Keep standard input and output for the protocol; nobody else can reach them afterwards.

    Descriptor 0 then reads nothing and descriptor 1 writes to descriptor 2, for C, R and Julia as well.

    Returns
    -------
    requests, replies : binary file
        What descriptors 0 and 1 were. They are not inherited by programs that the worker starts.
    """
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    # Standard output goes to a file now: what was printed must be there when the process is killed.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(line_buffering=True, errors="backslashreplace")
    return os.fdopen(requests, "rb", 1 << 16), os.fdopen(replies, "wb", 1 << 16)


def settle() -> None:
    """End this process with its parent (Linux), and let no inherited setting turn a warning into an error."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    warnings.resetwarnings()
    warnings.simplefilter("default")
