"""The graph of a new case, once it is known what one of its functions returns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from harness.authoring.described import CONTAINERS, PLAIN, Described
from harness.authoring.sources import Function, Source, matching
from harness.authoring.steps import Graph, Step, free_name
from harness.model import Array
from harness.numerics.missing import is_missing
from harness.store.samples_of_files import plain_name

_GAPS = Described(kind="array", missing=True)


def with_values(graph: Graph, at: int, described: Described, source: Source) -> tuple[Graph, Function | None]:
    """The graph with what a step was seen to return.

    Of a dictionary the values become outputs by their names, unless another step is given all of it: then it
    is one output, of parts. Several values in a list become outputs that are numbered.

    Returns
    -------
    graph : Graph
        With this step changed, and what others take of it.
    function : Function, optional
        The reference's function where it is now known to return values by name.
    """
    step = graph.steps[at]
    if len(step.outputs) > 1 and len(described.parts) == len(step.outputs):
        values = tuple(part for _, part in described.parts)
        if described.kind == "names" and set(described.names) == set(step.outputs):
            by_name = dict(described.parts)
            values = tuple(by_name[name] for name in step.outputs)
        return replaced(graph, at, step, values=values), None
    if described.kind not in CONTAINERS:
        one = replaced(graph, at, step, outputs=(step.name,), values=(described,), whole=False)
        return _as_one(one, step), None
    users = [
        item for each in graph.steps for name, item in each.taken if name == step.name and each is not step
    ]
    is_given_whole = "" in users
    simple = all(re.fullmatch(r"[A-Za-z]\w*", plain_name(name)) for name in described.names)
    taken = {each for one in graph.steps for each in (one.name, *one.outputs)} | set(graph.inputs)
    is_taken = any(plain_name(name) in taken for name in described.names)
    if described.kind == "names" and (is_given_whole or is_taken or not simple or step.whole):
        return replaced(graph, at, step, values=(described,), whole=True), None
    if is_given_whole:
        return replaced(graph, at, step, values=(described,)), None
    names: list[str] = []
    for name, _ in described.parts:
        wanted = plain_name(name) if described.kind == "names" else f"{step.name}_{name}"
        names.append(free_name(wanted, taken | set(names)))
    changed = replaced(
        graph, at, step, outputs=tuple(names), values=tuple(part for _, part in described.parts)
    )
    changed = _taking(changed, step.name, described.names, names)
    if described.kind != "names":
        return changed, None
    function = source.function(step.function)
    assert function is not None
    return changed, msgspec.structs.replace(function, returns=described.names, keyed=True)


def with_gaps(graph: Graph, outputs: Sequence[Mapping[str, Mapping[str, Array]]]) -> Graph:
    """The graph where plain numbers are said to be missing in places, if some are in what was returned."""

    steps = []
    for step, found in zip(graph.steps, outputs, strict=True):
        values = step.values or (PLAIN,) * len(step.outputs)
        if len(found) == len(values):
            pairs = zip(values, found.values(), strict=True)
            values = tuple(_GAPS if value.is_plain and _has_gaps(each) else value for value, each in pairs)
        steps.append(msgspec.structs.replace(step, values=values))
    return msgspec.structs.replace(graph, steps=tuple(steps))


def _has_gaps(arrays: Mapping[str, Array]) -> bool:
    return any(each.dtype == np.float64 and is_missing(each).any() for each in arrays.values())


def without_step(graph: Graph, at: int) -> Graph | None:
    """The graph without a step that nothing needs; None where there is no other, or one needs it."""
    step = graph.steps[at]
    needed = any(set(step.outputs) & set(each.inputs) for each in graph.steps)
    steps = (*graph.steps[:at], *graph.steps[at + 1 :])
    if needed or not steps:
        return None
    used = {name for each in steps for name in each.inputs}
    inputs = tuple(name for name in graph.inputs if name in used)
    return msgspec.structs.replace(graph, steps=steps, inputs=inputs) if inputs == graph.inputs else None


def replaced(graph: Graph, at: int, step: Step, **changes: object) -> Graph:
    """The graph with one of its steps changed."""
    steps = list(graph.steps)
    steps[at] = msgspec.structs.replace(step, **changes)
    return msgspec.structs.replace(graph, steps=tuple(steps))


def _as_one(graph: Graph, step: Step) -> Graph:
    """The graph where what were outputs of a step, such as a category's labels, are its one value."""
    former = set(step.outputs) - {step.name}
    steps = tuple(
        msgspec.structs.replace(
            each, inputs=tuple(step.name if name in former else name for name in each.inputs)
        )
        for each in graph.steps
    )
    return msgspec.structs.replace(graph, steps=steps)


def _taking(graph: Graph, name: str, parts: tuple[str, ...], outputs: list[str]) -> Graph:
    """The graph where steps take the outputs that stand in the place of one."""

    def taken(input_: str, item: str) -> tuple[str, str]:
        if input_ != name:
            return input_, item
        part = matching(item, parts) if item else ""
        return (outputs[parts.index(part)] if part else outputs[0]), ""

    steps = []
    for step in graph.steps:
        pairs = [taken(*each) for each in step.taken]
        steps.append(
            msgspec.structs.replace(
                step, inputs=tuple(pair[0] for pair in pairs), items=tuple(pair[1] for pair in pairs)
            )
        )
    return msgspec.structs.replace(graph, steps=tuple(steps))
