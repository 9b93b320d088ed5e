"""Stand-alone scripts that run one stage of one source file on inputs written into them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from harness.conformance import script_julia, script_python, script_r
from harness.conformance.shown import Shown

WRITERS: Mapping[str, Callable[[Shown], str]] = {
    # Of what is run from Python, such as a program, the source is Python that runs it.
    "numpy": lambda shown: script_python.write(shown, "numpy"),
    "torch": lambda shown: script_python.write(shown, "torch"),
    "jax": lambda shown: script_python.write(shown, "jax"),
    "jax-jit": lambda shown: script_python.write(shown, "jax-jit"),
    "r": script_r.write,
    "julia": script_julia.write,
}


def write_script(writer_name: str, shown: Shown) -> str | None:
    """The script by a writer of `WRITERS`; None for any other."""
    writer = WRITERS.get(writer_name)
    return None if writer is None else writer(shown)
