"""Scripts for ONNX models: in Python, with ONNX Runtime evaluating a stage's part of the graph."""

from __future__ import annotations

import inspect
from pathlib import Path

from harness.conformance.script_text import GIVE_UP
from harness.workers.declared_arrays import read_stages
from harness.workers.onnx_parts import names_read, own_values, part_of

_IMPORTS = """
import os as _system
from pathlib import Path as _Path
from typing import Any, NamedTuple, Sequence

import onnx as _onnx
import onnxruntime as _ort


class _Value(NamedTuple):
    name: str


class _Stage(NamedTuple):
    name: str
    inputs: Any
    outputs: Any


DeclaredStage = _Stage
"""

_RUNS = (
    """

"""
    + GIVE_UP
    + """

def _run(stage, arrays):
    declared = _Stage(stage, *([_Value(name) for name in names] for names in _STAGES[stage]))
    whole = _onnx.load(str(_Path(__file__).resolve().parent / _NAME))
    typed = _onnx.shape_inference.infer_shapes(whole).graph
    types = {value.name: value.type.tensor_type.elem_type
             for value in (*typed.input, *typed.value_info, *typed.output)}
    types.update((tensor.name, tensor.data_type) for tensor in typed.initializer)
    lost = [value.name for value in (*declared.outputs, *declared.inputs) if value.name not in types]
    if lost:
        _give_up(f"the graph has no value called {lost[0]}")
    nodes, needed = part_of(whole.graph, declared, own_values(whole.graph))
    more = sorted(needed - {value.name for value in declared.inputs})
    if more:
        _give_up(f"the graph computes {stage} from {', '.join(more)} too")
    given = {value.name: array.astype(_onnx.helper.tensor_dtype_to_np_dtype(types[value.name]))
             for value, array in zip(declared.inputs, arrays) if value.name in needed}
    used = {name for node in nodes for name in names_read(node)}
    about = _onnx.helper.make_tensor_value_info
    part = _onnx.helper.make_graph(
        nodes,
        stage,
        [about(name, types[name], None) for name in given],
        [about(value.name, types[value.name], None) for value in declared.outputs],
        [each for each in whole.graph.initializer if each.name in used and each.name not in needed],
    )
    model = _onnx.helper.make_model(
        part, opset_imports=whole.opset_import, functions=whole.functions, ir_version=whole.ir_version
    )
    options = _ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = _ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    values = session.run([value.name for value in declared.outputs], given)
    return values[0] if len(values) == 1 else tuple(values)
"""
)


def source_of_onnx(path: Path) -> str:
    """Return a source in Python that has a model's stages as functions; the model has to lie beside it.

    Parameters
    ----------
    path : Path
        The model, with the case.toml beside it that says what the stages take and return.
    """
    stages = read_stages(path)
    listed = "".join(
        f"    {name!r}: {([each.name for each in stage.inputs], [each.name for each in stage.outputs])!r},\n"
        for name, stage in stages.items()
    )
    # Which part of a graph is a stage, the worker and the script find with the same functions.
    functions = "\n\n".join(inspect.getsource(one) for one in (own_values, part_of, names_read))
    calls = "".join(f"\n\ndef {name}(*arrays):\n    return _run({name!r}, arrays)\n" for name in stages)
    return f"{_IMPORTS}\n_NAME = {path.name!r}\n_STAGES = {{\n{listed}}}\n\n\n{functions}{_RUNS}{calls}"
