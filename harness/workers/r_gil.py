"""R called with Python's lock held, and its vectors read where they lie.

rpy2 lets the lock go around every call of R. An R package that calls Python (reticulate) takes it for held,
because it finds a Python that runs already; so a session calls R by these few functions instead.
"""

from __future__ import annotations

import ctypes
import json
from typing import Any

import numpy as np

from harness.workers.protocol import Array

_DTYPES = {
    10: ("LOGICAL", np.int32),
    13: ("INTEGER", np.int32),
    14: ("REAL", np.float64),
    15: ("COMPLEX", np.complex128),
}
_STRINGS = 16
_LIST = 19


class RHoldingTheGil:
    """The R that runs in this process.

    Parameters
    ----------
    library : str
        Path of its libR.
    """

    def __init__(self, library: str) -> None:
        self._lib = ctypes.PyDLL(library)
        self._global = ctypes.c_void_p.in_dll(self._lib, "R_GlobalEnv")
        pointer, place = ctypes.c_void_p, ctypes.c_ssize_t
        for name, result, arguments in (
            ("R_ParseEvalString", pointer, [ctypes.c_char_p, pointer]),
            ("Rf_xlength", place, [pointer]),
            ("TYPEOF", ctypes.c_int, [pointer]),
            ("STRING_ELT", pointer, [pointer, place]),
            ("VECTOR_ELT", pointer, [pointer, place]),
            ("R_CHAR", ctypes.c_char_p, [pointer]),
            *((name, pointer, [pointer]) for name, _ in _DTYPES.values()),
        ):
            function = getattr(self._lib, name)
            function.restype, function.argtypes = result, arguments

    def call(self, function: str, *arguments: str | int | bool | list[str]) -> Any:
        """Call a function of R that raises no error; what it returns must be kept alive by R.

        Returns
        -------
        object
            A list for R's lists and strings, an array without dimensions for its numbers, else None.
        """
        code = f"{function}({', '.join(map(_literal, arguments))})"
        return self._read(self._lib.R_ParseEvalString(code.encode(), self._global))

    def _read(self, value: Any) -> Any:
        lib, kind = self._lib, self._lib.TYPEOF(value)
        places = range(lib.Rf_xlength(value))
        if kind == _STRINGS:
            return [lib.R_CHAR(lib.STRING_ELT(value, place)).decode("utf-8", "replace") for place in places]
        if kind == _LIST:
            return [self._read(lib.VECTOR_ELT(value, place)) for place in places]
        if kind in _DTYPES:
            return self._numbers(value, *_DTYPES[kind])
        return None

    def _numbers(self, value: Any, accessor: str, dtype: type[np.generic]) -> Array:
        size = self._lib.Rf_xlength(value) * np.dtype(dtype).itemsize
        if not size:
            return np.empty(0, dtype)
        address = getattr(self._lib, accessor)(value)
        return np.frombuffer(ctypes.string_at(address, size), dtype).copy()


def _literal(value: str | int | bool | list[str]) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return f"{value}L"
    if isinstance(value, list):
        return f"c({', '.join(map(_literal, value))})" if value else "character()"
    # What JSON escapes, R escapes in the same way; R's strings have no zero byte.
    return json.dumps(value.replace("\0", ""), ensure_ascii=False)
