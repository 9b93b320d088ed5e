"""R in this process, started and called by the functions of its library, with Python's lock held.

rpy2 starts another R first, and lets the lock go around every call. The one takes longer than a short
document; because of the other, an R package that calls Python (reticulate) fails: it takes the lock for held
where it finds a Python that runs already. What R prints, it writes itself.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import sys
from pathlib import Path
from typing import Any

from harness.workers.loop import WorkerFault
from harness.workers.plain_temporary import plain_names

_LIBRARY = "libR.dylib" if sys.platform == "darwin" else "libR.so"
# Quiet, nothing echoed: -s has been understood by every R.
_COMMAND = (b"R", b"-s", b"--vanilla")
_KINDS = {10: ("LOGICAL", 4), 13: ("INTEGER", 4), 14: ("REAL", 8), 15: ("COMPLEX", 16)}
"""By R's type of a vector of numbers: the function that says where they lie, and the bytes of one."""
_STRINGS = 16
_LIST = 19
_NO_FILE = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_int)(lambda *asked: 0)
"""For ``file.choose()``: nobody has chosen a file."""


class EmbeddedR:
    """The R that ``R_HOME`` names, without anybody's profile or saved workspace; a process has one.

    Raises
    ------
    WorkerFault
        There is no R that can be embedded. One that cannot start ends the process, and says why.
    """

    def __init__(self) -> None:
        # The names hold until this process ends.
        os.environ.update(plain_names(os.environ, contextlib.ExitStack()))
        path = Path(os.environ.get("R_HOME", "")) / "lib" / _LIBRARY
        try:
            self._lib = ctypes.PyDLL(str(path))
        except OSError as error:
            raise WorkerFault("load", f"R cannot be embedded: {error}") from error
        pointer, place = ctypes.c_void_p, ctypes.c_ssize_t
        for name, result, arguments in (
            ("R_ParseEvalString", pointer, [ctypes.c_char_p, pointer]),
            ("Rf_xlength", place, [pointer]),
            ("TYPEOF", ctypes.c_int, [pointer]),
            ("STRING_ELT", pointer, [pointer, place]),
            ("VECTOR_ELT", pointer, [pointer, place]),
            ("R_CHAR", ctypes.c_char_p, [pointer]),
            *((name, pointer, [pointer]) for name, _ in _KINDS.values()),
        ):
            function = getattr(self._lib, name)
            function.restype, function.argtypes = result, arguments
        # A crash is to end the process, and not to be asked about.
        ctypes.c_int.in_dll(self._lib, "R_SignalHandlers").value = 0
        # R keeps the array.
        self._command = (ctypes.c_char_p * len(_COMMAND))(*_COMMAND)
        self._lib.Rf_initialize_R(len(_COMMAND), self._command)
        ctypes.c_int.in_dll(self._lib, "R_Interactive").value = 0
        # R's own takes what lies in memory for a name, where there is no input.
        ctypes.c_void_p.in_dll(self._lib, "ptr_R_ChooseFile").value = ctypes.cast(
            _NO_FILE, ctypes.c_void_p
        ).value
        self._lib.setup_Rmainloop()
        self._global = pointer.in_dll(self._lib, "R_GlobalEnv")

    def run(self, code: str) -> Any:
        """Evaluate one expression that raises no error; what it returns must be kept alive by R.

        Returns
        -------
        object
            A list for R's lists and strings, a view of the bytes of its numbers, else None.
        """
        return self._read(self._lib.R_ParseEvalString(code.encode(), self._global))

    def call(self, function: str, *arguments: str | int | bool | list[str]) -> Any:
        """Call a function that raises no error; returns as `run` does."""
        return self.run(f"{function}({', '.join(map(_literal, arguments))})")

    def _read(self, value: Any) -> Any:
        lib, kind = self._lib, self._lib.TYPEOF(value)
        size = lib.Rf_xlength(value)
        if kind == _STRINGS:
            return [
                lib.R_CHAR(lib.STRING_ELT(value, place)).decode("utf-8", "replace") for place in range(size)
            ]
        if kind == _LIST:
            return [self._read(lib.VECTOR_ELT(value, place)) for place in range(size)]
        if kind in _KINDS:
            accessor, each = _KINDS[kind]
            data = ctypes.string_at(getattr(lib, accessor)(value), size * each) if size else b""
            return memoryview(data).cast("i" if each == 4 else "d")
        return None


def _literal(value: str | int | bool | list[str]) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return f"{value}L"
    if isinstance(value, list):
        return f"c({', '.join(map(_literal, value))})" if value else "character()"
    # What JSON escapes, R escapes in the same way; R's strings have no zero byte.
    return json.dumps(value.replace("\0", ""), ensure_ascii=False)
