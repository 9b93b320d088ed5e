"""The shapes of a new case: its implementations are run once, on its own inputs."""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from harness.authoring.graph import Graph
from harness.authoring.inputs import Input
from harness.conformance.hosts import workers
from harness.conformance.observe import Job
from harness.model import (
    Array,
    Case,
    Failure,
    Fixture,
    Implementation,
    Kind,
    Observed,
    Precision,
    Shape,
    Stage,
    Value,
)
from harness.runtimes.registry import Registry

KINDS: Mapping[str, Kind] = {"f": "float", "c": "complex", "i": "int", "u": "int", "b": "bool"}
_LETTERS = ("n", "d", "k", "m", "p", "q", "r", "s", "t", "u", "v", "w")
ONLY = "default"
_SEVERAL = re.compile(r"returned (?:a (?:tuple|list) of )?(\d+)(?: values)?")
_MOST_OUTPUTS = 20


def fixture_of(name: str, inputs: Sequence[Input]) -> Fixture:
    """The inputs as a fixture."""
    names = sorted({sample for each in inputs for sample in each.arrays if sample}) or [ONLY]
    return Fixture(
        name=name,
        version=1,
        sha256="",
        origin="",
        licence="",
        shared={each.name: each.arrays[""] for each in inputs if "" in each.arrays},
        samples={
            sample: {each.name: each.arrays[sample] for each in inputs if sample in each.arrays}
            for sample in names
        },
    )


def case_of(name: str, graph: Graph, timeout: float = 60.0) -> Case:
    """The stages as a case without shapes, which no worker looks at."""
    stages = tuple(
        Stage(
            name=step.name,
            inputs=step.inputs,
            outputs=tuple(Value(name=output, shape=()) for output in step.outputs),
        )
        for step in graph.steps
    )
    inputs = tuple(Value(name=each, shape=()) for each in graph.inputs)
    return Case(name=name, title=name, origin="", fixture=name, inputs=inputs, stages=stages, timeout=timeout)


def run_once(
    case: Case, fixture: Fixture, implementations: Sequence[Implementation], suite: Path
) -> tuple[dict[str, Observed], dict[str, str]]:
    """Run implementations of a case; what each returned, and why the runtimes of others are not here."""
    registry = Registry.load(suite)
    runtimes = list(dict.fromkeys(each.runtime for each in implementations))
    observed: dict[str, Observed] = {}
    with workers(registry, runtimes, threading.Event()) as (hosts, absent):
        missing = {name: each.reason for name, each in absent.items()}
        for each in implementations:
            if each.runtime not in hosts:
                continue
            job = Job(case=case, fixture=fixture, implementation=each, precision=Precision.FLOAT64)
            refusal = hosts[each.runtime].refusal(job)
            observed[each.id] = job.failed(refusal) if refusal else hosts[each.runtime].chained(job)
    return observed, missing


def several(failure: Failure) -> int | None:
    """How many outputs a function returned where one was expected; None if that is not what is wrong."""
    found = _SEVERAL.search(failure.reason)
    count = int(found[1]) if found else 0
    return count if 1 < count <= _MOST_OUTPUTS else None


def outputs_in(observed: Observed, fixture: Fixture, stage: str) -> dict[str, dict[str, Array]] | Failure:
    """A stage's outputs by name and sample, or why there are none."""
    found: dict[str, dict[str, Array]] = {}
    for sample in fixture.samples:
        result = observed[sample, stage]
        if isinstance(result, Failure):
            return result
        if result.invalid:
            return next(iter(result.invalid.values()))
        for name, array in result.outputs.items():
            found.setdefault(name, {})[sample] = array
    return found


class Symbols:
    """Letters for sizes: those that are the same in every sample are one letter."""

    def __init__(self, taken: set[str]) -> None:
        more = (f"n{number}" for number in itertools.count(1))
        self._free: Iterator[str] = (name for name in itertools.chain(_LETTERS, more) if name not in taken)
        self._known: dict[tuple[int, ...], str] = {}

    def shape(self, arrays: Sequence[Array]) -> Shape:
        """The shape of one array in every sample, with letters; a size that is always 0 or 1 stays that."""
        sizes = zip(*(array.shape for array in arrays), strict=True)
        return tuple(self._symbol(tuple(each)) for each in sizes)

    def _symbol(self, sizes: tuple[int, ...]) -> str | int:
        if set(sizes) <= {0, 1} and len(set(sizes)) == 1:
            return sizes[0]
        if sizes not in self._known:
            self._known[sizes] = next(self._free)
        return self._known[sizes]


def with_outputs(graph: Graph, stage: str, count: int) -> Graph:
    """The graph with so many outputs of a stage, named by number."""
    names = tuple(f"{stage}_{at}" for at in range(1, count + 1))
    steps = [
        msgspec.structs.replace(
            step,
            outputs=names if step.name == stage else step.outputs,
            inputs=tuple(names[0] if each == stage else each for each in step.inputs),
        )
        for step in graph.steps
    ]
    return msgspec.structs.replace(graph, steps=tuple(steps))
