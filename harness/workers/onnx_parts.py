"""Of an ONNX graph, the part from a stage's inputs to its outputs."""

from __future__ import annotations

from typing import Any

from harness.workers.declared_arrays import DeclaredStage


def own_values(graph: Any) -> set[str]:
    """The values that the model holds itself, such as trained weights: no caller of it can give others."""
    taken = {value.name for value in graph.input}
    held = {tensor.name for tensor in graph.initializer} - taken
    return held | {name for node in graph.node if node.op_type == "Constant" for name in node.output}


def part_of(graph: Any, stage: DeclaredStage, own: set[str]) -> tuple[list[Any], set[str]]:
    """The nodes between a stage's inputs and its outputs, and the values of outside that they need.

    An input of the case that the model holds itself is not among them: the model's is used.
    """
    made = {name: node for node in graph.node for name in node.output if name}
    fixed = {tensor.name for tensor in graph.initializer}
    inputs = {value.name for value in stage.inputs} - own
    waiting, seen, chosen = [value.name for value in stage.outputs], set(), []
    needed: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        # An output that is an input too is handed on.
        if name in inputs:
            needed.add(name)
        elif name in made:
            chosen.append(made[name])
            waiting += names_read(made[name])
        elif name not in fixed:
            needed.add(name)
    return [node for node in graph.node if any(node is one for one in chosen)], needed


def names_read(node: Any) -> list[str]:
    """The values that a node reads, those that graphs in it read from outside among them."""
    names = [name for name in node.input if name]
    for attribute in node.attribute:
        for graph in (*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs):
            inner = {name for each in graph.node for name in each.output}
            inner |= {value.name for value in graph.input} | {tensor.name for tensor in graph.initializer}
            inside = [name for each in graph.node for name in names_read(each)]
            names += [name for name in (*inside, *(out.name for out in graph.output)) if name not in inner]
    return names
