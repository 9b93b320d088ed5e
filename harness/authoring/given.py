"""What functions in Python pass on to each other that is no array: numbers, lists, sparse matrices.

A list that is added to a list is longer, an array that is added to one of its size has other numbers: where a
program passes a list on, a stage has to be given a list.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from harness.authoring.described import PLAIN, Described
from harness.authoring.inputs import Input
from harness.authoring.resolve import replaced
from harness.authoring.sources import Source
from harness.authoring.steps import Graph
from harness.conformance.coded import IN_PYTHON


def taken_in_python(graph: Graph, reference: Source) -> list[str]:
    """The steps whose values other steps take, in their order; none of a reference that is not in Python."""
    if reference.runtime not in IN_PYTHON:
        return []
    taken = _taken(graph)
    return [step.name for step in graph.steps if taken & {step.name, *step.outputs}]


def only_taken(graph: Graph) -> Graph:
    """The graph where nothing is said of what no step takes."""
    taken = _taken(graph)
    for at, step in enumerate(graph.steps):
        if not taken & {step.name, *step.outputs}:
            graph = _with_values(graph, at, tuple(map(_plain, step.values)))
    return graph


def with_given(graph: Graph, at: int, described: Described) -> Graph:
    """The graph where a step's values are given to others as what its function was seen to return."""
    step = graph.steps[at]
    values = step.values or (PLAIN,) * len(step.outputs)
    parts = (described,) if len(values) == 1 else tuple(part for _, part in described.parts)
    if len(parts) != len(values) or described.kind == "names":
        return graph
    pairs = zip(values, parts, strict=True)
    return _with_values(graph, at, tuple(_as(value, part) for value, part in pairs))


def _as(value: Described, part: Described) -> Described:
    plain = value.kind in ("array", "numbers", "text") and not value.missing
    return msgspec.structs.replace(value, given=part.given) if plain else value


def without_given(graph: Graph, inputs: Sequence[Input], at: int) -> tuple[Graph | None, list[Input]]:
    """The graph and the inputs where a step takes arrays; no graph where it does so already."""
    names = set(graph.steps[at].inputs)
    arrays = [msgspec.structs.replace(each, given="") if each.name in names else each for each in inputs]
    changed = graph
    for place, step in enumerate(graph.steps):
        if not names & {step.name, *step.outputs} or not step.values:
            continue
        values = tuple(
            _plain(value) if step.name in names or output in names else value
            for output, value in zip(step.outputs, step.values, strict=True)
        )
        changed = _with_values(changed, place, values)
    return (None if changed == graph and arrays == list(inputs) else changed), arrays


def as_lists(graph: Graph, inputs: Sequence[Input], at: int, reference: Source) -> list[Input] | None:
    """The inputs where what a step takes of them are lists; None where nothing is left to be one."""
    if reference.runtime not in IN_PYTHON:
        return None
    names = set(graph.steps[at].inputs)
    made = [
        msgspec.structs.replace(each, given="list") if each.name in names and _may_be_list(each) else each
        for each in inputs
    ]
    return None if made == list(inputs) else made


def _may_be_list(given: Input) -> bool:
    has_levels_or_parts = given.parts or given.kind is not None
    return not has_levels_or_parts and not given.given and all(each.ndim for each in given.arrays.values())


def _taken(graph: Graph) -> set[str]:
    return {name for step in graph.steps for name in step.inputs}


def _plain(value: Described) -> Described:
    parts = tuple((name, _plain(part)) for name, part in value.parts)
    return msgspec.structs.replace(value, given="", parts=parts)


def _with_values(graph: Graph, at: int, values: tuple[Described, ...]) -> Graph:
    step = graph.steps[at]
    if values == (step.values or (PLAIN,) * len(step.outputs)) or not values:
        return graph
    return replaced(graph, at, step, values=values)
