"""PyTorch in this process."""

from __future__ import annotations

import platform
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness.workers.batches import each
from harness.workers.loop import Problem, Signatures, WorkerFault
from harness.workers.protocol import BFLOAT16, Array, dtype_name
from harness.workers.python_host import number
from harness.workers.python_source import PythonFile, described, outputs_of


class TorchHost:
    """Files of PyTorch functions."""

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        torch.set_num_threads(1)
        torch.set_num_interop_threads(1)

    def describe(self) -> dict[str, Any]:
        """Versions, BLAS and threads."""
        torch = self._torch
        return {
            "language": "Python",
            "version": platform.python_version(),
            "hosting": "python",
            "libraries": {"torch": str(torch.__version__), "numpy": np.__version__},
            "blas": _blas(torch.__config__.show()),
            "threads": torch.get_num_threads(),
            "dtypes": ["float64", "float32", "float16", "bfloat16"],
            "signatures": True,
            "batches": True,
            "platform": platform.platform(),
        }

    def load(
        self, source: str, stages: Mapping[str, int], signatures: Signatures
    ) -> tuple[PythonFile, list[Problem]]:
        """Evaluate a file in a module of its own."""
        loaded = PythonFile(source, signatures=signatures)
        return loaded, loaded.problems(stages)

    def call(
        self, loaded: PythonFile, stage: str, arrays: list[Array], names: Sequence[str]
    ) -> tuple[float, Sequence[Array]]:
        """Call one function with tensors that share the arrays' memory."""
        seconds, value = loaded.call(
            stage, [None if array is None else self._tensor(array) for array in arrays]
        )
        return seconds, outputs_of(value, names, self._array)

    def calls(
        self, loaded: PythonFile, stage: str, stacks: list[Array], names: Sequence[str], count: int
    ) -> tuple[float, Sequence[Array], list[int]]:
        """Call one function for each of many inputs."""
        start = time.perf_counter()
        # Not one by one: to index a tensor takes longer than to call many a function.
        tensors = [self._tensor(stack).unbind(0) for stack in stacks]
        with loaded.called(stage) as function:
            arrays, others = each(
                ([tensor[place] for tensor in tensors] for place in range(count)),
                lambda given: outputs_of(function(*given), names, self._array, plain=self._torch.Tensor),
                len(names),
            )
        return time.perf_counter() - start, arrays, others

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _tensor(self, array: Array) -> Any:
        if array.dtype == BFLOAT16:
            return self._torch.from_numpy(array.view(np.int16)).view(self._torch.bfloat16)
        return self._torch.from_numpy(array)

    def _array(self, value: object) -> Array:
        torch = self._torch
        if isinstance(value, (bool, int, float, complex)):
            return number(value)
        if not isinstance(value, torch.Tensor):
            raise TypeError(f"returned {described(value)}, and a tensor is expected")
        if value.layout != torch.strided or value.is_quantized:
            raise TypeError(f"returned a tensor of layout {value.layout}, and a dense one is expected")
        if value.is_meta:
            raise TypeError("returned a tensor of the device meta, which holds no numbers")
        plain = value.is_cpu and not (value.requires_grad or value.is_conj() or value.is_neg())
        dense = value if plain else value.detach().cpu().resolve_conj().resolve_neg()
        if dense.dtype == torch.bfloat16:
            return np.asarray(dense.contiguous().view(torch.int16).numpy()).view(BFLOAT16)
        try:
            array = dense.numpy()
        except (TypeError, RuntimeError) as error:
            raise TypeError(f"returned a tensor of dtype {value.dtype}, which cannot be kept") from error
        if dtype_name(array.dtype) is None:
            raise TypeError(f"returned a tensor of dtype {value.dtype}, which cannot be kept")
        return np.asarray(array)


def _blas(configuration: str) -> str:
    mkl = re.search(r"Math Kernel Library Version ([\d.]+)", configuration)
    named = re.search(r"BLAS_INFO=(\w+)", configuration)
    return f"mkl {mkl[1]}" if mkl else named[1] if named else ""


def start() -> TorchHost:
    """Load PyTorch."""
    try:
        import torch
    except ImportError as error:
        raise WorkerFault("load", f"PyTorch cannot be imported: {error}") from error
    return TorchHost(torch)
