"""JAX in this process, on the CPU: functions called as they are, or each compiled by ``jax.jit``."""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from harness.workers.batches import each
from harness.workers.loop import Problem, Signatures, WorkerFault
from harness.workers.protocol import BFLOAT16, Array, dtype_name
from harness.workers.python_host import number
from harness.workers.python_source import PythonFile, described, outputs_of


class JaxHost:
    """Files of functions of JAX's arrays.

    Parameters
    ----------
    jax : module
        JAX, with float64.
    jitted : bool
        Whether each function is compiled as a whole.
    """

    def __init__(self, jax: Any, jitted: bool) -> None:
        self._jax = jax
        self._jitted = jitted
        self._compiled: dict[tuple[int, str], Any] = {}

    def describe(self) -> dict[str, Any]:
        """Versions and the way in which functions are called."""
        jax = self._jax
        return {
            "language": "Python",
            "version": platform.python_version(),
            "hosting": "jax.jit" if self._jitted else "python",
            "libraries": {"jax": jax.__version__, "numpy": np.__version__},
            "blas": "XLA's own",
            "threads": 1,
            "dtypes": ["float64", "float32", "float16", "bfloat16"],
            "batches": True,
            "platform": platform.platform(),
        }

    def load(
        self, source: str, stages: Mapping[str, int], signatures: Signatures
    ) -> tuple[PythonFile, list[Problem]]:
        """Evaluate a file in a module of its own."""
        loaded = PythonFile(source)
        plain = {name: count for name, count in stages.items() if name not in signatures}
        return loaded, loaded.problems(plain)

    def call(
        self, loaded: PythonFile, stage: str, arrays: list[Array], names: Sequence[str]
    ) -> tuple[float, Sequence[Array]]:
        """Call one function, and wait until what it returns is computed."""
        given = [self._given(array) for array in arrays]
        try:
            with loaded.called(stage) as function:
                start = time.perf_counter()
                value = self._jax.block_until_ready(self._callable(loaded, stage, function)(*given))
                seconds = time.perf_counter() - start
        except SystemExit as error:
            raise loaded.fault("call", error, f"{stage} calls sys.exit({error.code!r})") from error
        except Exception as error:
            raise self._fault(loaded, stage, error) from error
        return seconds, outputs_of(value, names, self._array)

    def calls(
        self, loaded: PythonFile, stage: str, stacks: list[Array], names: Sequence[str], count: int
    ) -> tuple[float, Sequence[Array], list[int]]:
        """Call one function for each of many inputs."""
        start = time.perf_counter()
        with loaded.called(stage) as function:
            called = self._callable(loaded, stage, function)
            arrays, others = each(
                ([self._given(stack[place, ...]) for stack in stacks] for place in range(count)),
                lambda given: outputs_of(called(*given), names, self._array),
                len(names),
            )
        return time.perf_counter() - start, arrays, others

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _callable(self, loaded: PythonFile, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        if not self._jitted:
            return function
        key = (id(loaded), stage)
        if key not in self._compiled:
            # The file is kept with it, so that no other one gets its id.
            self._compiled[key] = (loaded, self._jax.jit(function))
        compiled: Callable[..., Any] = self._compiled[key][1]
        return compiled

    def _fault(self, loaded: PythonFile, stage: str, error: Exception) -> WorkerFault:
        """What went wrong; a function that cannot be traced is no fault of its own."""
        if self._jitted and isinstance(error, self._untraceable()):
            fault = loaded.fault("call", error)
            why = str(error).partition("\n")[0]
            return WorkerFault(
                "unsupported",
                f"jax.jit cannot trace {stage}, which depends on the values of arrays: {why}",
                line=fault.line,
                detail=fault.detail,
            )
        # What a compiled function returns is refused while it is traced, and not by `_array`.
        wrong = self._jitted and isinstance(error, TypeError) and "is not a valid JAX type" in str(error)
        return loaded.fault("value" if wrong else "call", error)

    def _untraceable(self) -> tuple[type[Exception], ...]:
        errors = self._jax.errors
        return (
            errors.ConcretizationTypeError,
            errors.NonConcreteBooleanIndexError,
            errors.TracerArrayConversionError,
            errors.TracerIntegerConversionError,
        )

    def _given(self, array: Array) -> Any:
        if array.dtype == BFLOAT16:
            return self._jax.lax.bitcast_convert_type(array.view(np.uint16), self._jax.numpy.bfloat16)
        return self._jax.numpy.asarray(array)

    def _array(self, value: object) -> Array:
        if isinstance(value, (bool, int, float, complex)):
            return number(value)
        if not isinstance(value, (self._jax.Array, np.ndarray, np.generic)):
            raise TypeError(f"returned {described(value)}, and an array is expected")
        array = np.asarray(value)
        if str(array.dtype) == "bfloat16":
            return array.view(np.uint16).view(BFLOAT16)
        if dtype_name(array.dtype) is None:
            raise TypeError(f"returned an array of dtype {array.dtype}, which cannot be kept")
        return array


def start() -> JaxHost:
    """Load JAX."""
    try:
        import jax

        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_platforms", "cpu")
    except ImportError as error:
        raise WorkerFault("load", f"JAX cannot be imported: {error}") from error
    return JaxHost(jax, "jit" in sys.argv[2:])
