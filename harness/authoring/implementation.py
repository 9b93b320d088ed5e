"""One more implementation of a case, from a source file that exists."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from harness.authoring.adapt import adapters, copy, replaces
from harness.authoring.described import PLAIN, Described
from harness.authoring.helpers import find_helpers
from harness.authoring.plain_arrays import needed, unexported, with_lists
from harness.authoring.read_words import ENDINGS, exported, members, read_words
from harness.authoring.sources import Argument, Function, Source, suggested, with_pairs
from harness.authoring.steps import Graph, Step
from harness.authoring.under_stages import COMPILED, under_stages
from harness.authoring.unreachable import within_reach
from harness.authoring.write import read_source, read_text
from harness.errors import UsageError
from harness.model import Case, Form, Precision, Stage
from harness.workers.declared_arrays import read_stages


def write_implementation(
    case: Case, path: Path, target: Path, runtime: str, pairs: Sequence[tuple[str, str]] = ()
) -> list[str]:
    """Write a copy of a source file as an implementation of a case, with what adapts names and arguments.

    Parameters
    ----------
    case : Case
        Its stages are the functions that the file is to have.
    path, target : Path
        The file, and where its copy goes.
    runtime : str
        The runtime that the implementation is for.
    pairs : sequence of pair of str
        Stages, each with the function of the file that it is.

    Returns
    -------
    list of str
        What a person should know of it: what is adapted, and the stages that it lacks.

    Raises
    ------
    UsageError
        The file cannot be read, is of another language, has none of the stages, or there is a file already.
    """
    source = _read(path, runtime)
    graph, reference = _as_functions(case, path)
    (source,) = with_pairs(reference, [source], pairs)
    found, told = ([], []) if runtime in COMPILED else adapters(graph, source, reference)
    again: list[str] = []
    if runtime == "node":
        found = with_lists(source, found, short=Precision.FLOAT32 in case.precisions)
        again = [each.function for each in found if each.is_needed and each.function == each.step.name]
        source = msgspec.structs.replace(source, text=unexported(source, again))
    held = members(source) if runtime == "node" else frozenset()
    lacking = [
        step.name for step in graph.steps if source.function(step.function) is None and step.name not in held
    ]
    if source.unread:
        told.append(f"{path.name}: {source.unread}: copied as it is")
    elif len(lacking) == len(graph.steps):
        raise UsageError(
            f"has none of the functions {', '.join(lacking)}; it has"
            f" {', '.join(each.name for each in source.functions) or 'no function'}",
            path=path,
            advice="name its functions as the stages, or say --pair STAGE=FUNCTION",
        )
    elif lacking:
        paired = [source.function(step.name) for step in graph.steps]
        left = [each.name for each in source.functions if each not in paired]
        there = f"; it has {', '.join(left)}, which are no stages" if left else ""
        there += suggested(lacking, left)
        told.append(f"{path.name} has no {', '.join(lacking)}: write them into {target.name}{there}")
    for adapter in found:
        if not adapter.is_needed:
            continue
        call = f"{adapter.function}({', '.join(adapter.arguments)})"
        told.append(f"{target.name}: the stage {adapter.step.name} is {call}")
        if replaces(adapter, source):
            raise UsageError(
                f"{adapter.step.name} takes or returns something else than the stage of that name",
                path=path,
                advice="give the function another name, and one of the stage's name what the stage takes",
            )
    if runtime in COMPILED:
        source, changed = within_reach(source, [step.name for step in graph.steps])
        told += changed
    text = copy(source, found)
    if runtime in COMPILED:
        text += under_stages(source, read_stages(target), [step.name for step in graph.steps])
    if runtime == "node":
        hidden = [
            step.name
            for step in graph.steps
            if _is_there(source, step.name) and step.name not in (*exported(source), *again)
        ]
        text += f"\nexport {{ {', '.join(hidden)} }};\n" if hidden else ""
        text += needed(found)
    helpers = find_helpers(target.parent, [(source, target.name)])
    try:
        with target.open("x", encoding="utf-8") as file:
            file.write(text)
        helpers.put()
    except FileExistsError as error:
        raise UsageError("is there already", path=target, advice="give another --label") from error
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror}", path=target) from error
    return [*told, *helpers.told]


def copy_model(path: Path, target: Path, pairs: Sequence[tuple[str, str]]) -> None:
    """Write a copy of an ONNX model as an implementation of a case.

    Raises
    ------
    UsageError
        It is no model, cannot be read, values are to be renamed, or there is a file already.
    """
    if path.suffix.lower() != ".onnx":
        raise UsageError("is no file for onnx", path=path, advice="it ends in .onnx")
    if pairs:
        raise UsageError(
            f"--pair {'='.join(pairs[0])}: the values of a model are not renamed",
            advice="export it with the names of the stages' outputs",
        )
    try:
        data = path.read_bytes()
        with target.open("xb") as file:
            file.write(data)
    except FileExistsError as error:
        raise UsageError("is there already", path=target, advice="give another --label") from error
    except OSError as error:
        raise UsageError(f"cannot be copied: {error.strerror}", path=error.filename or path) from error


def _read(path: Path, runtime: str) -> Source:
    """Read a file for a runtime, by its ending."""
    endings = (".py",) if runtime == "jax" else ENDINGS.get(runtime)
    if endings is not None and path.suffix.lower() not in endings:
        raise UsageError(f"is no file for {runtime}", path=path, advice=f"it ends in {' or '.join(endings)}")
    if runtime in ENDINGS:
        return read_words(path, read_text(path), runtime)
    source = read_source(path)
    if source.runtime != runtime and {source.runtime, runtime} - {"numpy", "torch", "jax"}:
        raise UsageError(f"is a file for {source.runtime}, not for {runtime}", path=path)
    return msgspec.structs.replace(source, runtime=runtime)


def _is_there(source: Source, stage: str) -> bool:
    """Whether a file has a function under a stage's own name."""
    function = source.function(stage)
    return function is not None and function.name == stage


def _as_functions(case: Case, path: Path) -> tuple[Graph, Source]:
    """The case's stages as the calls, and the functions, of a program."""
    steps = tuple(_as_step(stage) for stage in case.stages)
    functions = tuple(
        Function(
            name=step.name,
            line=0,
            arguments=tuple(Argument(name=name) for name in step.parameters),
            returns=step.outputs,
        )
        for step in steps
    )
    names = tuple(value.name for value in case.inputs)
    return (
        Graph(steps=steps, inputs=names, numbers={}, told=()),
        Source(path=path, runtime="", text="", functions=functions),
    )


def _as_step(stage: Stage) -> Step:
    """A stage as a call: a part of a dictionary is an argument of the part's name."""
    takes = [form.name for form in stage.takes] or list(stage.inputs)
    returns = stage.returns or tuple(Form(name=value.name) for value in stage.outputs)
    whole = len(returns) == 1 and returns[0].kind == "names"
    names = tuple((part.name.rpartition(".")[2], PLAIN) for part in returns[0].parts)
    return Step(
        name=stage.name,
        function=stage.name,
        line=0,
        parameters=tuple(name.rpartition(".")[2] for name in takes),
        inputs=tuple(name.partition(".")[0] for name in takes),
        outputs=tuple(form.name for form in returns),
        items=tuple(name.partition(".")[2] for name in takes),
        values=(Described(kind="names", parts=names),) if whole else (),
        whole=whole,
    )
