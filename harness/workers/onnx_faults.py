"""Faults in the nodes of an ONNX model: ``python onnx_faults.py MODEL STAGES`` prints each as a line of JSON.

STAGES has, by stage, the values that it takes and gives. A program of its own, as only workers import onnx.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

_REDUCE_MAX = "ReduceMax"
_ROUNDED = {"MatMul", "Div", "Exp", "Log", "Softmax", "Gemm"}
_AXES_AS_INPUT = {"ReduceSum", "Squeeze", "Unsqueeze", "Gather", "Slice", "Range", "Reshape", "Trilu"}
"""Operators whose further inputs are places or sizes, and no numbers that are computed with."""
_DOUBLE, _FLOAT = 11, 1


class Fault(NamedTuple):
    """One fault: its kind, the value that is computed otherwise, what stood there and what does now."""

    kind: str
    definition: str
    was: str
    now: str
    model: Any


class Faults:
    """All faults of one model.

    Parameters
    ----------
    onnx : module
        That reads and writes it.
    model : ModelProto
        The sound one.
    """

    def __init__(self, onnx: Any, model: Any) -> None:
        self.onnx = onnx
        self.model = model
        self.made = {name: node for node in model.graph.node for name in node.output}

    def all(self) -> Iterator[Fault]:
        """Every fault in every node where it can be."""
        for place, node in enumerate(self.model.graph.node):
            yield from self._operators(place, node)
            yield from self._places(place, node)
            yield from self._numbers(place, node)

    def _operators(self, place: int, node: Any) -> Iterator[Fault]:
        first, *rest = node.input or [""]
        match node.op_type:
            case "Sqrt":
                yield self._replaced("SCALE", place, self._node("Identity", [first], node))
            case "Transpose":
                yield self._replaced("TRANSPOSE_REMOVED", place, self._node("Identity", [first], node))
            case "Add" | "Sub":
                if self._is_shift(node) and self._is_in_softmax(node.output[0]):
                    # Softmax takes the maximum away itself: `_naive` is the fault.
                    return
                if self._is_shift(node):
                    yield self._replaced("MAXIMUM", place, self._node("Identity", [first], node))
                    yield self._replaced("MAXIMUM", place, self._node("Add", [first, *rest], node))
                else:
                    other = "Sub" if node.op_type == "Add" else "Add"
                    yield self._replaced("SIGN", place, self._node(other, [first, *rest], node))
                products = [name for name in node.input if self._makes(name, "MatMul")]
                if node.op_type == "Add" and len(products) == 1:
                    yield self._replaced("BIAS", place, self._node("Identity", products, node))
            case "Gemm" if len(node.input) == 3:
                changed = self._copied(node)
                del changed.input[2]
                yield self._replaced("BIAS", place, changed)
            case "Softmax":
                yield self._naive(place, node)
            case _:
                pass
        if node.op_type in _ROUNDED and self._is_double():
            yield self._rounded(place, node)

    def _places(self, place: int, node: Any) -> Iterator[Fault]:
        """Another axis: of an operator, or of the size that is taken."""
        for number, attribute in enumerate(node.attribute):
            axis = attribute.name == "axis" or (attribute.name == "axes" and len(attribute.ints) == 1)
            if axis:
                changed = self._copied(node)
                there = changed.attribute[number]
                if attribute.name == "axis":
                    there.i = _another_axis(there.i)
                else:
                    there.ints[0] = _another_axis(there.ints[0])
                yield self._replaced("AXIS", place, changed)
        ends = {each.name: number for number, each in enumerate(node.attribute)}
        if node.op_type == "Shape" and {"start", "end"} <= ends.keys():
            changed = self._copied(node)
            step = 1 if changed.attribute[ends["start"]].i == 0 else -1
            for name in ("start", "end"):
                changed.attribute[ends[name]].i += step
            yield self._replaced("AXIS", place, changed)

    def _numbers(self, place: int, node: Any) -> Iterator[Fault]:
        """A constant that is one number, and that is computed with."""
        if node.op_type != "Constant" or not self._is_computed_with(node.output[0]):
            return
        changed = self._copied(node)
        (held,) = changed.attribute
        if held.name == "value_int":
            held.i += 1
        elif held.name == "value_float":
            held.f += 1
        elif held.name == "value":
            array = self.onnx.numpy_helper.to_array(held.t)
            if array.size != 1 or array.dtype.kind not in "fi":
                return
            held.t.CopyFrom(self.onnx.numpy_helper.from_array((array + 1).astype(array.dtype)))
        else:
            return
        yield self._replaced("CONSTANT", place, changed)

    def _is_computed_with(self, name: str) -> bool:
        readers = [
            (node, list(node.input).index(name)) for node in self.model.graph.node if name in node.input
        ]
        return any(node.op_type not in _AXES_AS_INPUT or not at for node, at in readers)

    def _is_double(self) -> bool:
        return any(each.type.tensor_type.elem_type == _DOUBLE for each in self.model.graph.input)

    def _makes(self, name: str, operator: str) -> bool:
        return name in self.made and self.made[name].op_type == operator

    def _is_shift(self, node: Any) -> bool:
        """Whether a node takes a maximum away."""
        return node.op_type == "Sub" and self._makes(node.input[1], _REDUCE_MAX)

    def _is_in_softmax(self, name: str) -> bool:
        """Whether a value is a softmax's argument, but for a factor."""
        readers = [node for node in self.model.graph.node if name in node.input]
        return any(
            node.op_type == "Softmax"
            or (node.op_type in ("Div", "Mul") and self._is_in_softmax(node.output[0]))
            for node in readers
        )

    def _node(self, operator: str, inputs: Sequence[str], like: Any) -> Any:
        return self.onnx.helper.make_node(operator, list(inputs), list(like.output))

    def _copied(self, node: Any) -> Any:
        made = type(node)()
        made.CopyFrom(node)
        return made

    def _replaced(self, kind: str, place: int, *nodes: Any) -> Fault:
        """The model with nodes in place of one."""
        model = type(self.model)()
        model.CopyFrom(self.model)
        before = list(model.graph.node)
        del model.graph.node[:]
        model.graph.node.extend([*before[:place], *nodes, *before[place + 1 :]])
        was = self.model.graph.node[place]
        return Fault(kind, was.output[0], _said(was), "; ".join(map(_said, nodes)), model)

    def _rounded(self, place: int, node: Any) -> Fault:
        """The first input rounded to float32."""
        helper, first = self.onnx.helper, node.input[0]
        short, back = f"{node.output[0]}_in_float32", f"{node.output[0]}_rounded"
        changed = self._copied(node)
        changed.input[0] = back
        casts = [
            helper.make_node("Cast", [first], [short], to=_FLOAT),
            helper.make_node("Cast", [short], [back], to=_DOUBLE),
        ]
        return self._replaced("SINGLE_INSIDE", place, *casts, changed)

    def _naive(self, place: int, node: Any) -> Fault:
        """Softmax as exp over a sum, of an argument from which no maximum was taken."""
        helper, name = self.onnx.helper, node.output[0]
        axis = next((each.i for each in node.attribute if each.name == "axis"), -1)
        chain, argument = self._unshifted(node.input[0], name)
        power, total, places = f"{name}_power", f"{name}_total", f"{name}_axis"
        made = [
            *chain,
            helper.make_node("Exp", [argument], [power]),
            helper.make_node("Constant", [], [places], value_ints=[axis]),
            helper.make_node("ReduceSum", [power, places], [total], keepdims=1),
            helper.make_node("Div", [power, total], [name]),
        ]
        return self._replaced("MAXIMUM", place, *made)

    def _unshifted(self, name: str, prefix: str) -> tuple[list[Any], str]:
        """Nodes that compute a value without the maximum that is taken away in it, and what they call it."""
        node = self.made.get(name)
        if node is None or node.op_type not in ("Sub", "Div", "Mul"):
            return [], name
        if self._is_shift(node):
            return [], str(node.input[0])
        if node.op_type == "Sub":
            return [], name
        chain, argument = self._unshifted(node.input[0], prefix)
        if argument == node.input[0]:
            return [], name
        changed = self._copied(node)
        changed.input[0] = argument
        changed.output[0] = f"{prefix}_of_{name}"
        return [*chain, changed], str(changed.output[0])


def _another_axis(axis: int) -> int:
    return {0: 1, -1: -2, -2: -1}.get(axis, axis - 1)


def _said(node: Any) -> str:
    held = [each for each in node.attribute if each.name in ("axis", "axes", "start", "end")]
    how = ", ".join(f"{each.name}={list(each.ints) or each.i}" for each in held)
    return f"{', '.join(node.output)} = {node.op_type}{f'<{how}>' if how else ''}({', '.join(node.input)})"


def main(path: str, stages: Mapping[str, Sequence[Sequence[str]]]) -> None:
    """Print what each stage is made of, and then the faults."""
    # Found by its path, this program finds nothing of the package.
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    import onnx

    from harness.workers.declared_arrays import Declared, DeclaredStage
    from harness.workers.onnx_parts import own_values, part_of

    model = onnx.load(path)
    own = own_values(model.graph)
    made_of = {}
    for name, (inputs, outputs) in stages.items():
        taken, given = (tuple(Declared(each, (), "float") for each in names) for names in (inputs, outputs))
        nodes, _ = part_of(model.graph, DeclaredStage(name, taken, given), own)
        made_of[name] = sorted({output for node in nodes for output in node.output})
    print(json.dumps(made_of))
    for fault in Faults(onnx, model).all():
        data = base64.b64encode(fault.model.SerializeToString(deterministic=True)).decode()
        print(json.dumps([fault.kind, fault.definition, fault.was, fault.now, data]))


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
