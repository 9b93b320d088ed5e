"""R's session: R in this process, and evaluated as at its prompt or by source()."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.workers.embedded_r import EmbeddedR
from harness.workers.loop import WorkerFault
from harness.workers.sessions import Asked, Problems, SessionHost

if TYPE_CHECKING:
    from harness.workers.protocol import Array

_STAND_INS = Path(__file__).with_name("stand_ins") / "r"
_FOR_RETICULATE = Path(__file__).with_name("for_reticulate")
_OURS = 'getOption("harness.session")'
_FACTS = 'c(as.character(getRversion()), extSoftVersion()[["BLAS"]], R.version[["platform"]])'

_DTYPES = {"logical": "int32", "integer": "int32", "double": "float64", "complex": "complex128"}
"""By R's type of a vector."""


class RSession:
    """The global environment of an R, in which pieces of code are evaluated."""

    def __init__(self, r: EmbeddedR) -> None:
        self._r = r
        self._facts: list[str] = r.run(_FACTS)
        r.run(Path(__file__).with_suffix(".R").read_text(encoding="utf-8"))
        self._asked = Asked("prompt", "each", ())

    def describe(self) -> dict[str, Any]:
        """Versions, BLAS and threads."""
        version, blas, platform = self._facts
        return {
            "language": "R",
            "version": version,
            "hosting": "libR",
            # The folder tells the flavour, the file the version: openblas-pthread/libblas.so.3.
            "blas": "/".join(Path(blas).resolve().parts[-2:]) if blas else "",
            "threads": int(os.environ.get("OPENBLAS_NUM_THREADS") or 0),
            "dtypes": ["float64"],
            "scalars": False,
            "platform": platform,
        }

    def open(self, asked: Asked) -> dict[str, str]:
        """Begin; return the stand-ins in use, each with its title, by the package that it replaces."""
        self._asked = asked
        # reticulate takes the Python that it finds itself in, and asks another process what that is.
        os.environ.setdefault("RETICULATE_PYTHON", sys.executable)
        if sys.version_info >= (3, 12):
            paths = [str(_FOR_RETICULATE), os.environ.get("PYTHONPATH", "")]
            os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
        error, names, titles = self._r.call(
            f"{_OURS}$open", str(_STAND_INS), list(asked.stand_ins), asked.place
        )
        if error:
            raise WorkerFault("load", error[0])
        return dict(zip(names, titles, strict=True))

    def eval(self, code: str, file: str, line: int, keep_going: bool) -> tuple[float, Problems]:
        """Evaluate code; an error is returned among the problems, not raised."""
        prompt, last = self._asked.mode == "prompt", self._asked.shows_last
        start = time.perf_counter()
        left = self._r.call(f"{_OURS}$evaluate", code, file, line, keep_going, prompt, last)
        seconds = time.perf_counter() - start
        error, at, warnings, plots, calls = left
        failure: dict[str, Any] | None = None
        if error:
            failure = {"message": error[0], "kind": error[1], "line": at[0] if at[0] > 0 else None}
            failure["call"] = error[2]
        return seconds, Problems(failure, warnings, plots, calls)

    def get(self, expression: str) -> Array:
        """The value of an expression: a numeric vector, matrix or array, or a tensor."""
        error, values, shape, kind = self._r.call(f"{_OURS}$get", expression)
        if error:
            raise WorkerFault("value", error[0])
        # NumPy takes about as long as R to start, and few sessions are asked for a value.
        import numpy as np

        from harness.workers.r_host import without_missing

        dtype = _DTYPES[kind[0]]
        flat: Array = np.frombuffer(values, dtype).copy() if values.nbytes else np.empty(0, dtype)
        if kind[0] in ("integer", "logical"):
            flat = without_missing(flat, logical=kind[0] == "logical")
        return flat.reshape(tuple(shape), order="F")


def start() -> SessionHost:
    """Start R."""
    try:
        return SessionHost(RSession(EmbeddedR()))
    except WorkerFault:
        raise
    except Exception as error:
        raise WorkerFault("load", f"R cannot be started: {error}") from error
