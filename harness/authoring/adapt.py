"""Copies of source files: what runs the program is a comment, and functions with the stages' names follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from harness.authoring.described import PLAIN
from harness.authoring.left_out import without
from harness.authoring.sources import Function, Source, matching
from harness.authoring.steps import Graph, Step
from harness.model import Frozen

ADDED = (
    "# Added by `harness new case`: the functions above under the names, and with the inputs, of case.toml."
)
_MARKS = {"node": "//", "octave": "%"}
"""How a comment begins, where that is not by a #."""
_BY_KEYWORD = ("numpy", "torch", "jax", "r")
"""Languages in which any argument can be given by its name."""


class Adapter(Frozen, frozen=True, kw_only=True):
    """How a source's function is called as a stage.

    ``arguments`` are expressions in the order of the call, ``keys`` what is taken of a dictionary or list
    that it returns, and ``names`` what that is called in a dictionary that the stage returns. ``vector`` says
    whether a matrix of one column is to be a vector, ``lists`` which of the keys hold lists of numbers that
    are to be arrays; an empty one stands for all that is returned. ``through`` is a function that is given
    what comes back, and the stage's inputs.
    """

    step: Step
    function: str
    arguments: tuple[str, ...]
    keys: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    vector: bool = False
    lists: tuple[str, ...] = ()
    through: str = ""

    @property
    def is_needed(self) -> bool:
        """Whether the function cannot be called as it is."""
        return (
            self.function != self.step.name
            or self.arguments != _given(self.step)
            or bool(self.keys)
            or self.vector
            or bool(self.lists)
        )


def adapters(graph: Graph, source: Source, reference: Source) -> tuple[list[Adapter], list[str]]:
    """How each stage is called in a source; and in words what cannot be matched."""
    found: list[Adapter] = []
    told: list[str] = []
    for step in graph.steps:
        function = source.function(step.function)
        if function is None:
            continue
        arguments, problem = _arguments(step, function, source)
        keys, missing = _keys(step, function, source, reference.function(step.function))
        told += [
            f"{source.path.name}:{function.line}: {function.name} returns no {name}: {key}, the one name"
            " that is left, is taken for it"
            for name, key in _taken_for(step, keys, reference.function(step.function))
        ]
        told += [
            f"{source.path.name}:{function.line}: {why}: write it by hand"
            for why in (problem, missing)
            if why
        ]
        value = step.values[0] if len(step.values) == 1 else PLAIN
        found.append(
            Adapter(
                step=step,
                function=function.name,
                arguments=arguments,
                keys=keys,
                names=value.names if value.kind == "names" else (),
            )
        )
    return found, told


def unable(graph: Graph, source: Source) -> dict[str, str]:
    """The reference's functions whose counterpart in a source cannot take a stage's inputs; each with why."""
    found: dict[str, str] = {}
    for step in graph.steps:
        function = source.function(step.function)
        problem = _arguments(step, function, source)[1] if function is not None else ""
        if function is not None and problem:
            found[step.function] = f"{source.path.name}:{function.line}: {problem}"
    return found


def renamed(graph: Graph, sources: Sequence[tuple[Source, Sequence[Adapter]]]) -> Graph:
    """The graph with other names for the stages whose function cannot be replaced under its own name."""
    clashing = {
        adapter.step.name
        for source, found in sources
        for adapter in found
        if adapter.is_needed and replaces(adapter, source)
    }
    names = {name: f"{name}_stage" for name in clashing}
    steps = [
        msgspec.structs.replace(
            step,
            name=names.get(step.name, step.name),
            inputs=tuple(names.get(name, name) for name in step.inputs),
            outputs=tuple(names.get(name, name) for name in step.outputs),
        )
        for step in graph.steps
    ]
    return msgspec.structs.replace(graph, steps=tuple(steps))


def replaces(adapter: Adapter, source: Source) -> bool:
    """Whether a function under the stage's name would take the place of one that the file needs.

    Functions of the file call it, a language's own such as R's ``mean`` too, it is another stage's, or Julia
    would replace the function itself.
    """
    name = adapter.step.name
    if adapter.function == name:
        return source.runtime in ("julia", "octave") or name in source.inner
    return name in source.inner or any(each.name == name for each in source.functions)


def copy(source: Source, found: Sequence[Adapter]) -> str:
    """The text of a copy: every line of the source has its number still."""
    text = without(source.text, source.left_out)
    write = _WRITERS.get(source.runtime, _python)
    added = [write(adapter) for adapter in found if adapter.is_needed]
    if not added:
        return text.rstrip("\n") + "\n"
    between = "\n\n\n" if write is _python else "\n\n"
    if any(adapter.lists for adapter in found):
        added[0] = f"import numpy as _numpy\n\n\n{added[0]}"
    if source.runtime == "torch":
        added = [
            each.replace("_numpy.asarray", "_torch.as_tensor").replace("numpy as _numpy", "torch as _torch")
            for each in added
        ]
    return (
        between.join(
            [
                text.rstrip("\n"),
                f"{ADDED.replace('#', _MARKS.get(source.runtime, '#'), 1)}\n{added[0]}",
                *added[1:],
            ]
        )
        + "\n"
    )


def _given(step: Step) -> tuple[str, ...]:
    """Names for a stage's inputs, each once."""
    return tuple(
        name if step.inputs.index(name) == at else f"{name}_{at + 1}" for at, name in enumerate(step.inputs)
    )


def _arguments(step: Step, function: Function, source: Source) -> tuple[tuple[str, ...], str]:
    given = _given(step)
    names = [argument.name for argument in function.arguments]
    matched = [matching(parameter, names) for parameter in step.parameters]
    if all(matched) and len(set(matched)) == len(matched) and set(function.required) <= set(matched):
        if matched == names[: len(matched)]:
            return given, ""
        if sorted(matched, key=names.index) == names[: len(matched)]:
            return tuple(given[matched.index(name)] for name in names[: len(matched)]), ""
        if source.runtime in _BY_KEYWORD:
            sign = " = " if source.runtime == "r" else "="
            return tuple(f"{name}{sign}{value}" for name, value in zip(matched, given, strict=True)), ""
    if len(function.required) <= len(given) <= len(names):
        return given, ""
    takes = f"{function.name}({', '.join(names)})"
    return given, f"{takes} cannot take the {len(given)} inputs of the stage {step.name}"


def _keys(
    step: Step, function: Function, source: Source, reference: Function | None
) -> tuple[tuple[str, ...], str]:
    is_category = len(step.values) == 1 and step.values[0].kind == "category"
    if not function.keyed or is_category or (step.whole and not step.values):
        return (), ""
    wanted = _wanted(step, reference)
    found = [matching(name, function.returns) for name in wanted]
    rest = [key for key in function.returns if key not in found]
    if found.count("") == len(rest) == 1:
        found[found.index("")] = rest[0]  # The one that is left.
    keys = tuple(found)
    if not all(keys):
        lacking = ", ".join(name for name, key in zip(wanted, keys, strict=True) if not key)
        returned = ", ".join(function.returns)
        return (), f"{function.name} returns {returned}, none of which is {lacking}"
    is_same = keys == function.returns
    if step.whole:
        return (() if is_same and keys == wanted else keys), ""
    in_order = is_same or source.runtime not in ("r", "julia")
    return (() if len(wanted) > 1 and keys == wanted and in_order else keys), ""


def _wanted(step: Step, reference: Function | None) -> tuple[str, ...]:
    """What is to be found among what a function returns."""
    if step.whole:
        return step.values[0].names if step.values else ()
    return reference.returns[:1] if len(step.outputs) == 1 and reference is not None else step.outputs


def _taken_for(step: Step, keys: Sequence[str], reference: Function | None) -> list[tuple[str, str]]:
    """Outputs that are taken from a key of another name, with that key."""
    wanted = _wanted(step, reference)
    pairs = zip(wanted, keys, strict=False)
    return [(name, key) for name, key in pairs if name and not matching(name, (key,))]


def _python(adapter: Adapter) -> str:
    name, function = adapter.step.name, adapter.function
    lines = []
    if name == function:
        function = f"_given_{name}"
        lines += [f"{function} = {name}", "", ""]
    lines.append(f"def {name}({', '.join(_given(adapter.step))}):")
    call = f"{function}({', '.join(adapter.arguments)})"
    if adapter.keys:
        lines.append(f"    value = {call}")
        taken = [
            f'_numpy.asarray(value["{key}"])' if key in adapter.lists else f'value["{key}"]'
            for key in adapter.keys
        ]
        call = ", ".join(taken)
        if adapter.names:
            pairs = zip(adapter.names, taken, strict=True)
            call = "{" + ", ".join(f'"{name}": {each}' for name, each in pairs) + "}"
    elif adapter.lists:
        call = f"_numpy.asarray({call})"
    return "\n".join([*lines, f"    return {call}{'.reshape(-1)' if adapter.vector else ''}"])


def _r(adapter: Adapter) -> str:
    name, function = adapter.step.name, adapter.function
    call = f"{'given' if name == function else function}({', '.join(adapter.arguments)})"
    if adapter.vector:
        call = f"as.vector({call})"
    head = f"function({', '.join(_given(adapter.step))})"
    inside = [f"{head} {call}"]
    if adapter.keys:
        taken = [f'value[["{key}"]]' for key in adapter.keys]
        last = taken[0] if len(taken) == 1 else f"list({', '.join(taken)})"
        if adapter.names:
            pairs = zip(adapter.names, taken, strict=True)
            last = f"list({', '.join(f'{name} = {each}' for name, each in pairs)})"
        inside = [f"{head} {{", f"  value <- {call}", f"  {last}", "}"]
    if name == function:
        return "\n".join(
            [f"{name} <- local({{", f"  given <- {name}", *(f"  {line}" for line in inside), "})"]
        )
    return "\n".join([f"{name} <- {inside[0]}", *inside[1:]])


def _julia(adapter: Adapter) -> str:
    head = f"{adapter.step.name}({', '.join(_given(adapter.step))})"
    call = f"{adapter.function}({', '.join(adapter.arguments)})"
    if adapter.vector:
        call = f"vec({call})"
    if not adapter.keys:
        return f"{head} = {call}"
    taken = ", ".join(f"value.{key}" for key in adapter.keys)
    if adapter.names:
        pairs = zip(adapter.names, adapter.keys, strict=True)
        taken = f"({', '.join(f'{name} = value.{key}' for name, key in pairs)},)"
    return f"function {head}\n    value = {call}\n    return {taken}\nend"


def _node(adapter: Adapter) -> str:
    name, function = adapter.step.name, adapter.function
    given, call = ", ".join(_given(adapter.step)), f"{function}({', '.join(adapter.arguments)})"
    inside = f"({given}) => {f'{adapter.through}({call}, {given})' if adapter.through else call};"
    if name == function:
        return f"const given_{name} = {inside}\nexport {{ given_{name} as {name} }};"
    return f"export const {name} = {inside}"


def _octave(adapter: Adapter) -> str:
    outputs = [f"output_{place}" for place, _ in enumerate(adapter.step.outputs, 1)]
    taken = f"[{', '.join(outputs)}]" if len(outputs) > 1 else outputs[0]
    call = f"{adapter.function}({', '.join(adapter.arguments)});"
    return (
        f"function {taken} = {adapter.step.name}({', '.join(_given(adapter.step))})\n  {taken} = {call}\nend"
    )


_WRITERS: dict[str, Callable[[Adapter], str]] = {
    "numpy": _python, "torch": _python, "jax": _python, "r": _r, "julia": _julia, "node": _node,
    "octave": _octave,
}  # fmt: skip
