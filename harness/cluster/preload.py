"""Loaded by Dask workers that ``--dask local:N`` starts: Ctrl-C is for the command, which ends them."""

from __future__ import annotations

import contextlib
import signal
from typing import Any


def dask_setup(worker: Any) -> None:
    """Leave an interrupt from the keyboard alone, in this process and in none that it starts."""
    with contextlib.suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, lambda *_: None)
