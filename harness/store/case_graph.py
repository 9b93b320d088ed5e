"""The graph of a case: unique names, and an order in which the stages can run."""

from __future__ import annotations

import graphlib
import heapq

from harness.model import Stage, Value
from harness.store.toml import Toml


def check_names(toml: Toml, inputs: tuple[Value, ...], stages: tuple[Stage, ...]) -> None:
    """Refuse a name that two inputs, stages or outputs share."""
    taken = {value.name: "an input" for value in inputs}
    for index, stage in enumerate(stages):
        if stage.name in taken:
            raise toml.refuse(
                f"the name {stage.name!r} is used twice: it is already that of {taken[stage.name]}",
                "stage",
                index,
                "name",
                advice="name every input, stage and output differently",
            )
        taken[stage.name] = "a stage"
        outputs: set[str] = set()
        for number, value in enumerate(stage.outputs):
            if value.name in outputs or (value.name in taken and value.name != stage.name):
                raise toml.refuse(
                    f"the name {value.name!r} is used twice: it is already that of "
                    f"{taken.get(value.name, 'an output')}",
                    *("stage", index, "outputs", number, "name"),
                    advice="name every input, stage and output differently",
                )
            outputs.add(value.name)
        taken |= {name: "an output" for name in outputs if name != stage.name}


def sort_stages(toml: Toml, inputs: tuple[Value, ...], stages: tuple[Stage, ...]) -> tuple[Stage, ...]:
    """Return the stages in an order in which they can run, as declared where it can be; refuse a cycle."""
    given = [value.name for value in inputs]
    maker = {value.name: index for index, stage in enumerate(stages) for value in stage.outputs}
    graph: dict[int, set[int]] = {}
    for index, stage in enumerate(stages):
        for number, name in enumerate(stage.inputs):
            if name not in given and name not in maker:
                raise toml.refuse(
                    f"stage {stage.name!r} takes {name!r}, which is no input and no stage's output",
                    *("stage", index, "inputs", number),
                    advice=f"there are: {', '.join([*given, *maker])}",
                )
        graph[index] = {maker[name] for name in stage.inputs if name in maker}
    sorter = graphlib.TopologicalSorter(graph)
    try:
        sorter.prepare()
    except graphlib.CycleError as error:
        # graphlib lists each stage before those that need it.
        around = [stages[index].name for index in error.args[1]]
        raise toml.refuse(
            f"the stages go in a circle: {' -> '.join(around)}",
            *("stage", min(error.args[1]), "inputs"),
            advice="a stage can only take inputs and the outputs of stages that do not need it",
        ) from error
    ready = list(sorter.get_ready())
    heapq.heapify(ready)
    order: list[int] = []
    while ready:
        order.append(heapq.heappop(ready))
        sorter.done(order[-1])
        for index in sorter.get_ready():
            heapq.heappush(ready, index)
    return tuple(stages[index] for index in order)
