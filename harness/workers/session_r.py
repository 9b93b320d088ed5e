"""R's session: R in this process, embedded with rpy2, and evaluated as at its prompt or by source()."""

from __future__ import annotations

import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from harness.workers.loop import WorkerFault
from harness.workers.protocol import Array
from harness.workers.r_gil import RHoldingTheGil
from harness.workers.r_host import RHost, without_missing
from harness.workers.r_host import start as start_host
from harness.workers.sessions import Asked, Problems, SessionHost

_STAND_INS = Path(__file__).with_name("stand_ins") / "r"
_OURS = 'getOption("harness.session")'


class RSession:
    """The global environment of an R, in which pieces of code are evaluated."""

    def __init__(self, host: RHost) -> None:
        import rpy2.situation
        from rpy2 import rinterface
        from rpy2.rinterface_lib import callbacks, openrlib

        self._host = host
        rinterface.evalr(Path(__file__).with_name("session_r.R").read_text(encoding="utf-8"))
        self._r = RHoldingTheGil(str(rpy2.situation.get_rlib_path(openrlib.R_HOME, platform.system())))
        self._asked = Asked("prompt", "each", ())

        def printed(text: str) -> None:
            sys.stdout.write(text)

        def said(text: str) -> None:
            sys.stderr.write(text)

        callbacks.consolewrite_print = printed
        callbacks.consolewrite_warnerror = callbacks.showmessage = said

    def describe(self) -> dict[str, Any]:
        """Versions, BLAS and threads."""
        return self._host.describe()

    def open(self, asked: Asked) -> dict[str, str]:
        """Begin; return the stand-ins in use, each with its title, by the package that it replaces."""
        self._asked = asked
        # reticulate takes the Python that it finds itself in.
        os.environ.setdefault("RETICULATE_PYTHON", sys.executable)
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
        error, at, warnings, plots = left
        failure: dict[str, Any] | None = None
        if error:
            failure = {"message": error[0], "kind": error[1], "line": int(at[0]) if at[0] > 0 else None}
        return seconds, Problems(failure, warnings, plots)

    def get(self, expression: str) -> Array:
        """The value of an expression: a numeric vector, matrix or array, or a tensor."""
        error, values, shape, kind = self._r.call(f"{_OURS}$get", expression)
        if error:
            raise WorkerFault("value", error[0])
        flat: Array = np.asarray(values)
        if kind[0] in ("integer", "logical"):
            flat = without_missing(flat, logical=kind[0] == "logical")
        return flat.reshape(tuple(int(size) for size in shape), order="F")


def start() -> SessionHost:
    """Start R."""
    try:
        return SessionHost(RSession(start_host()))
    except WorkerFault:
        raise
    except Exception as error:
        raise WorkerFault("load", f"R cannot be started: {error}") from error
