"""The shapes of a new case: its implementations are run once, on its own inputs."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from harness.authoring.declared import declaration
from harness.authoring.described import PLAIN, Described
from harness.authoring.inputs import Input
from harness.authoring.steps import Graph
from harness.conformance.hosts import workers
from harness.conformance.live import LiveHost
from harness.conformance.observe import Job
from harness.model import (
    Array,
    Case,
    Failure,
    Fixture,
    Implementation,
    Observed,
    Precision,
    Stage,
)
from harness.runtimes.registry import Registry
from harness.store.case_values import forms_of, stage_of

ONLY = "default"
_SEVERAL = re.compile(r"returned (?:a (?:tuple|list) of )?(\d+)(?: values)?")
_MOST_OUTPUTS = 20


def fixture_of(name: str, inputs: Sequence[Input]) -> Fixture:
    """The inputs as a fixture."""
    leaves = [leaf for each in inputs for leaf in each.arrayed]
    names = sorted({sample for each in leaves for sample in each.arrays if sample}) or [ONLY]
    return Fixture(
        name=name,
        version=1,
        sha256="",
        origin="",
        licence="",
        shared={each.name: each.arrays[""] for each in leaves if "" in each.arrays},
        samples={
            sample: {each.name: each.arrays[sample] for each in leaves if sample in each.arrays}
            for sample in names
        },
    )


def case_of(name: str, graph: Graph, inputs: Sequence[Input], described: str = "") -> Case:
    """The stages as a case without shapes, which no worker looks at.

    The stage that is ``described`` returns a text, which says what its function returned.
    """
    given = [declaration(each.name, each.value, is_input=True) for each in inputs]
    made = {
        step.name: tuple(
            declaration(output, value)
            for output, value in zip(step.outputs, step.values or (PLAIN,) * len(step.outputs), strict=True)
        )
        for step in graph.steps
    }
    forms = forms_of((*given, *(output for outputs in made.values() for output in outputs)))
    stages: list[Stage] = []
    for step in graph.steps:
        outputs, call = made[step.name], {}
        if step.name == described:
            outputs = (declaration(step.name, Described(kind="text")),)
            call = {"*": describing(step.name)}
        taken = tuple(f"{input_}.{item}" if item else input_ for input_, item in step.taken)
        stages.append(stage_of(step.name, taken, outputs, forms, call, ()))
        if step.name == described:
            break
    return Case(
        name=name,
        title=name,
        origin="",
        fixture=name,
        inputs=tuple(value for each in given for value in each.values),
        stages=tuple(stages),
    )


def describing(stage: str) -> str:
    """The function that describes what a stage's function returns."""
    return f"described_{stage}_"


class Runner:
    """Runs implementations of drafts; the worker of a runtime starts when it is first needed, and is kept."""

    def __init__(self, suite: Path) -> None:
        self._registry = Registry.load(suite)
        self._stack = contextlib.ExitStack()
        self._hosts: dict[str, LiveHost] = {}
        self._absent: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def run(
        self, case: Case, fixture: Fixture, implementations: Sequence[Implementation]
    ) -> tuple[dict[str, Observed], dict[str, str]]:
        """Run implementations of a case; what each returned, and why the runtimes of others are not here."""
        needed = dict.fromkeys(each.runtime for each in implementations)
        fresh = [name for name in needed if name not in self._hosts and name not in self._absent]
        if fresh:
            opened = workers(self._registry, fresh, threading.Event())
            hosts, absent = self._stack.enter_context(opened)
            self._hosts |= hosts
            self._absent |= {name: each.reason for name, each in absent.items()}
        observed: dict[str, Observed] = {}
        for each in implementations:
            if each.runtime not in self._hosts:
                continue
            host = self._hosts[each.runtime]
            job = Job(case=case, fixture=fixture, implementation=each, precision=Precision.FLOAT64)
            refusal = host.refusal(job)
            observed[each.id] = job.failed(refusal) if refusal else host.chained(job)
        return observed, {name: self._absent[name] for name in needed if name in self._absent}


def run_once(
    case: Case, fixture: Fixture, implementations: Sequence[Implementation], suite: Path
) -> tuple[dict[str, Observed], dict[str, str]]:
    """Run implementations of a case in workers of their own."""
    with Runner(suite) as runner:
        return runner.run(case, fixture, implementations)


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
