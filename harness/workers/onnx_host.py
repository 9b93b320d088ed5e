"""ONNX Runtime in this process: of a graph, the part from a stage's inputs to its outputs is a function."""

from __future__ import annotations

import platform
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from harness.workers.declared_arrays import DeclaredStage, holds, read_stages
from harness.workers.loop import Problem, Signatures, WorkerFault
from harness.workers.onnx_parts import names_read, own_values, part_of
from harness.workers.protocol import Array, dtype_name

_FLOATS = ("float64", "float32", "float16")


class Graph(NamedTuple):
    """A model, the type of each value in it, the stages of its case, and a session for each that was made."""

    model: Any
    types: Mapping[str, int]
    stages: Mapping[str, DeclaredStage]
    sessions: dict[str, Any]


class OnnxHost:
    """Files of ONNX models, evaluated on the CPU in one thread."""

    def __init__(self, onnx: Any, onnxruntime: Any) -> None:
        self._onnx = onnx
        self._ort = onnxruntime

    def describe(self) -> dict[str, Any]:
        """Versions, and what evaluates the graphs."""
        return {
            "language": "ONNX Runtime",
            "version": self._ort.__version__,
            "hosting": "CPUExecutionProvider",
            "libraries": {"onnx": self._onnx.__version__, "numpy": np.__version__},
            "blas": "MLAS, its own",
            "threads": 1,
            "dtypes": list(_FLOATS),
            "platform": platform.platform(),
        }

    def load(
        self, source: str, stages: Mapping[str, int], signatures: Signatures
    ) -> tuple[Graph, list[Problem]]:
        """Read a model, and find each stage's part of it."""
        path = Path(source)
        try:
            model = self._onnx.load(source)
            self._onnx.checker.check_model(model)
            typed = self._onnx.shape_inference.infer_shapes(model)
        except Exception as error:
            raise WorkerFault(
                "load", f"{path.name} is no model that ONNX can read: {_first(error)}"
            ) from error
        graph = Graph(model, dict(self._types(typed.graph)), read_stages(path), {})
        problems = [
            {"stage": name, **problem}
            for name in stages
            if name not in signatures and (problem := self._problem(path, graph, name)) is not None
        ]
        return graph, problems

    def load_in(
        self, precision: str, source: str, stages: Mapping[str, int], signatures: Signatures
    ) -> tuple[Graph, list[Problem]]:
        """Read a model, whose numbers have to be in this precision."""
        loaded, problems = self.load(source, stages, signatures)
        floats = {self._dtype(loaded.types[value.name]).name for value in loaded.model.graph.input} & {
            *_FLOATS
        }
        if floats and precision not in floats:
            there = " and ".join(sorted(floats))
            raise WorkerFault("unsupported", f"{Path(source).name} is in {there}, and has no {precision}")
        return loaded, problems

    def call(
        self, loaded: Graph, stage: str, arrays: list[Array], names: Sequence[str]
    ) -> tuple[float, Sequence[Array]]:
        """Evaluate a stage's part of the graph."""
        session = loaded.sessions[stage]
        declared = loaded.stages[stage]
        declared.measured(arrays)
        wanted = {value.name for value in session.get_inputs()}
        given = {
            value.name: self._given(value.name, array, loaded.types[value.name])
            for value, array in zip(declared.inputs, arrays, strict=True)
            if value.name in wanted
        }
        start = time.perf_counter()
        try:
            results = session.run([value.name for value in declared.outputs], given)
        except Exception as error:
            raise WorkerFault("call", _plain(error), detail=str(error)) from error
        seconds = time.perf_counter() - start
        for value, result in zip(declared.outputs, results, strict=True):
            if not isinstance(result, np.ndarray) or dtype_name(result.dtype) is None:
                raise WorkerFault("value", f"{value.name} is no array of numbers")
        return seconds, results

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _problem(self, path: Path, graph: Graph, name: str) -> Problem | None:
        stage = graph.stages.get(name)
        if stage is None:
            why = "ONNX takes and returns arrays whose number of dimensions is declared"
            return {"kind": "unsupported", "message": why}
        for value in (*stage.outputs, *stage.inputs):
            if value.name not in graph.types:
                return {"kind": "missing", "message": f"the graph has no value called {value.name}"}
        own = own_values(graph.model.graph)
        nodes, needed = part_of(graph.model.graph, stage, own)
        known = {value.name for value in stage.inputs}
        if more := sorted(needed - known):
            takes = ", ".join(sorted(known))
            why = f"the graph computes {name} from {', '.join(more)} too, and case.toml from {takes}"
            return {"kind": "arity", "message": why}
        try:
            graph.sessions[name] = self._session(graph, stage, nodes, needed)
        except Exception as error:
            why = _plain(error)
            if not _LACKING.search(str(error)):
                what = (
                    f"{path.name} is no model that ONNX Runtime {self._ort.__version__} can evaluate: {why}"
                )
                raise WorkerFault("load", what, detail=str(error)) from error
            return {"kind": "unsupported", "message": f"ONNX Runtime cannot evaluate {name}: {why}"}
        return None

    def _session(self, graph: Graph, stage: DeclaredStage, nodes: Sequence[Any], needed: set[str]) -> Any:
        helper = self._onnx.helper
        whole = graph.model.graph

        def described(name: str) -> Any:
            return helper.make_tensor_value_info(name, graph.types[name], None)

        used = {name for node in nodes for name in names_read(node)}
        part = helper.make_graph(
            nodes,
            stage.name,
            [described(value.name) for value in stage.inputs if value.name in needed],
            [described(value.name) for value in stage.outputs],
            [each for each in whole.initializer if each.name in used and each.name not in needed],
        )
        model = helper.make_model(
            part,
            opset_imports=graph.model.opset_import,
            functions=graph.model.functions,
            ir_version=graph.model.ir_version,
        )
        options = self._ort.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        return self._ort.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )

    def _types(self, graph: Any) -> Iterator[tuple[str, int]]:
        for value in (*graph.input, *graph.value_info, *graph.output):
            if value.type.HasField("tensor_type"):
                yield value.name, value.type.tensor_type.elem_type
        for tensor in graph.initializer:
            yield tensor.name, tensor.data_type

    def _dtype(self, kind: int) -> np.dtype[Any]:
        dtype: np.dtype[Any] = np.dtype(self._onnx.helper.tensor_dtype_to_np_dtype(kind))
        return dtype

    def _given(self, name: str, array: Array, kind: int) -> Array:
        """An input in the type of the graph: integers and floats that it holds, and nothing rounded."""
        dtype = self._dtype(kind)
        if array.dtype.kind in "fcV" and array.dtype != dtype:
            raise WorkerFault("call", f"{name} is {dtype_name(array.dtype)}, and the graph takes {dtype}")
        made = array.astype(dtype)
        if array.dtype.kind in "iub" and not holds(made, array):
            raise WorkerFault("call", f"{name} has integers that {dtype} does not hold")
        return made


def _first(error: Exception) -> str:
    """The first line of an error, which may go on for pages."""
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__


def _plain(error: Exception) -> str:
    """What ONNX Runtime says, less the numbers of its errors and the places in its source."""
    text = _PLACE.sub("", _CODE.sub("", _first(error)))
    if opset := _OPSET.search(text):
        return f"it does not know the opset {opset[1]}"
    return text or _first(error)


_CODE = re.compile(r"^\[ONNXRuntimeError\] : \d+ : \w+ : (?:This is an invalid model\. )?")
_ARGUMENTS = r"\((?:[^()]|\([^()]*\))*\)"
_PLACE = re.compile(rf"/\S+:\d+ [^(]*{_ARGUMENTS}(?: const)?(?: \[with .*?\])? ")
_OPSET = re.compile(r"Opset (\d+) is under development")
_LACKING = re.compile(r"NOT_IMPLEMENTED|is not a registered function/op")
"""Of a sound model, what ONNX Runtime has not: an operator of another library, one in this precision."""


def start() -> OnnxHost:
    """Load ONNX Runtime."""
    try:
        import onnx
        import onnxruntime
    except ImportError as error:
        raise WorkerFault("load", f"ONNX Runtime cannot be imported: {error}") from error
    return OnnxHost(onnx, onnxruntime)
