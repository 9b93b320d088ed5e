"""Stand-alone scripts that run one stage of one source file on inputs written into them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from harness.conformance import script_julia, script_python, script_r
from harness.conformance.shown import Shown

_WRITERS: Mapping[str, Callable[[Shown], str]] = {
    "numpy": lambda shown: script_python.write(shown, "numpy"),
    # Of a program the source is Python that runs it.
    "program": lambda shown: script_python.write(shown, "numpy"),
    "torch": lambda shown: script_python.write(shown, "torch"),
    "r": script_r.write,
    "julia": script_julia.write,
}


def write_script(runtime: str, shown: Shown) -> str | None:
    """The script for a runtime: numpy, torch, r, julia or program; None for any other."""
    writer = _WRITERS.get(runtime)
    return None if writer is None else writer(shown)
