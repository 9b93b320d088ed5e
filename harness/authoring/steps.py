"""The stages of a new case, before their shapes are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.authoring.described import Described
from harness.authoring.sources import Function, Source
from harness.model import Frozen
from harness.store.samples_of_files import plain_name


class Step(Frozen, frozen=True, kw_only=True):
    """One stage: a call of the reference's function.

    ``parameters`` are the function's arguments that are given, ``inputs`` what is given for them: inputs of
    the case or outputs of other steps, and ``items`` the name or place of what is taken of each, empty where
    all of it is. ``outputs`` is one name, or several, and ``values`` what they are, where it is known.
    Of a ``whole`` one the value is a dictionary, which another step is given as it is. ``meaning`` says in
    words what it is; a ``lenient`` one may be whole numbers in one language, and floats in another.
    """

    name: str
    function: str
    line: int
    parameters: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    items: tuple[str, ...] = ()
    values: tuple[Described, ...] = ()
    whole: bool = False
    meaning: str = ""
    lenient: bool = False

    @property
    def taken(self) -> tuple[tuple[str, str], ...]:
        """Each input, with what is taken of it."""
        return tuple(zip(self.inputs, self.items or ("",) * len(self.inputs), strict=True))


class Graph(Frozen, frozen=True, kw_only=True):
    """The steps in order; inputs that nothing makes, with the numbers that the program gives some of them.

    ``told`` says in words how it was found, and which functions are no stage, and why.
    """

    steps: tuple[Step, ...]
    inputs: tuple[str, ...]
    numbers: dict[str, str]
    told: tuple[str, ...]


def free_name(name: str, taken: set[str]) -> str:
    """The name, or one like it that nothing has yet."""
    at, free = 2, name
    while free in taken:
        free, at = f"{name}_{at}", at + 1
    return free


def needed(graph: Graph) -> Mapping[str, str]:
    """The inputs, each with the function that takes it first."""
    return {name: next(step.function for step in graph.steps if name in step.inputs) for name in graph.inputs}


def keys_taken(graph: Graph, reference: Source) -> Mapping[str, tuple[str, ...]]:
    """The inputs of which functions take something by name; and the names."""
    found: dict[str, dict[str, None]] = {}
    for step in graph.steps:
        function = reference.function(step.function)
        known = {each.name: each.keys for each in function.arguments} if function is not None else {}
        for parameter, name in zip(step.parameters, step.inputs, strict=True):
            if name in graph.inputs:
                found.setdefault(name, {}).update(dict.fromkeys(known.get(parameter, ())))
    return {name: tuple(keys) for name, keys in found.items() if keys}


def outputs_of(function: Function, targets: Sequence[str], name: str, taken: set[str]) -> tuple[str, ...]:
    """The names of what a stage returns; of one value it is the stage's own."""
    names = function.returns
    if len(targets) > 1 and (len(names) == 1 or not all(names)):
        names = tuple(targets)
    if len(names) < 2:
        return (name,)
    outputs: list[str] = []
    for at, each in enumerate(names, start=1):
        outputs.append(free_name(plain_name(each) if each else f"{name}_{at}", taken | set(outputs) | {name}))
    return tuple(outputs)
