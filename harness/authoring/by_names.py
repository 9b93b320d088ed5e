"""The stages of a program that has no main program: names, and what a person says, connect them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.authoring.sources import Function, Source, matching, plain
from harness.authoring.steps import Step, free_name, outputs_of
from harness.errors import UsageError
from harness.store.samples_of_files import plain_name


def by_names(
    source: Source, given: Sequence[str], common: set[str]
) -> tuple[list[Step], list[str], dict[str, str], list[str]]:
    """Without a main program: an argument is what it is called, an array, a function, or what one returns."""
    told = [
        "no main program: arguments are matched by name with the inputs, the functions and what they return"
    ]
    functions = [each for each in source.functions if each.required and each.name in common]
    told += [
        f"{each.name}() is no stage: another source lacks it"
        for each in source.functions
        if each.name not in common
    ]
    makers: dict[str, Function] = {}
    for function in functions:
        own = {plain(argument.name) for argument in function.arguments}
        # What returns one of its own arguments, changed, does not make it.
        for name in (function.name, *(each for each in function.returns if each and plain(each) not in own)):
            makers.setdefault(plain(name), function)
    known = {plain(name): name for name in given}
    asked = {plain(argument) for each in functions for argument in each.required}
    waiting = _wanted(functions, source, makers, known)
    told += [
        f"{each.name}() is no stage: another function calls it; "
        + " ".join(f"--input {name}=..." for name in each.required)
        + " would make it one"
        for each in functions
        if each not in waiting
    ]
    inputs: dict[str, str] = {}
    steps: dict[str, Step] = {}

    def source_of(argument: str, function: Function) -> str:
        """What an argument is: an input, an output of a step, or ``""`` where that is not known yet."""
        key = plain(argument)
        maker = makers.get(key)
        if key in known or maker is None or maker is function:
            return inputs.setdefault(key, known.get(key, plain_name(argument)))
        step = steps.get(maker.name)
        if step is None:
            return ""
        return matching(plain_name(argument), step.outputs) or step.outputs[0]

    def item_of(argument: str, function: Function) -> str:
        """The part of a dictionary that an argument is; empty where it is no part of one."""
        maker = makers.get(plain(argument))
        step = steps.get(maker.name) if maker is not None and plain(argument) not in known else None
        if maker is None or step is None or not maker.keyed or len(step.outputs) > 1 or maker is function:
            return ""
        return "" if plain(argument) == plain(maker.name) else matching(argument, maker.returns)

    while waiting:
        ready = [each for each in waiting if all(source_of(name, each) for name in each.required)]
        if not ready:
            break
        function = ready[0]
        waiting.remove(function)
        parameters = [
            each.name for each in function.arguments if not each.optional or plain(each.name) in known
        ]
        taken = {each for step in steps.values() for each in (step.name, *step.outputs)} | set(
            inputs.values()
        )
        name = free_name(plain_name(function.name), taken)
        is_whole = function.keyed and plain(name) in asked
        steps[function.name] = Step(
            name=name,
            function=function.name,
            line=function.line,
            parameters=tuple(parameters),
            inputs=tuple(source_of(each, function) for each in parameters),
            items=tuple(item_of(each, function) for each in parameters),
            outputs=(name,) if is_whole else outputs_of(function, (), name, taken),
            whole=is_whole,
        )
    told += [f"{each.name}() is no stage: its arguments go in a circle" for each in waiting]
    used = {name for step in steps.values() for name in step.inputs}
    return list(steps.values()), [name for name in inputs.values() if name in used], {}, told


def _wanted(
    functions: Sequence[Function],
    source: Source,
    makers: Mapping[str, Function],
    known: Mapping[str, str],
) -> list[Function]:
    """The functions that no other calls, and those that make what these take."""
    wanted = [each for each in functions if each.name not in source.inner] or list(functions)
    for function in wanted:  # grows while it is gone through
        for name in function.required:
            maker = makers.get(plain(name))
            if maker is not None and plain(name) not in known and maker not in wanted:
                wanted.append(maker)
    return [each for each in functions if each in wanted]


def add_helpers(
    steps: list[Step],
    inputs: list[str],
    told: list[str],
    source: Source,
    common: set[str],
    asked: Sequence[str],
) -> None:
    """Add a step for each function that is none yet, and takes but what a person says.

    Raises
    ------
    UsageError
        Nothing else takes what a person says, and the function takes more.
    """
    names = [name.partition(".")[0] for name in asked]
    taken = {name for step in steps for name in step.inputs}
    for function in source.functions:
        required = function.required
        own = [name for name in required if name in names]
        is_step = any(step.function == function.name for step in steps)
        if function.name not in common or is_step or set(own) <= taken:
            continue
        if len(own) == len(required) and not set(own) & {out for step in steps for out in step.outputs}:
            known = {each for step in steps for each in (step.name, *step.outputs)} | set(inputs)
            name = free_name(plain_name(function.name), known)
            outputs = outputs_of(function, (), name, known)
            step = Step(
                name=name, function=function.name, line=function.line, parameters=required, inputs=required,
                outputs=outputs,
            )  # fmt: skip
            steps.append(step)
            inputs += [each for each in required if each not in inputs]
            told[:] = [line for line in told if not line.startswith(f"{function.name}() is no stage")]
            told.append(f"{function.name}() is a stage, since --input says what it takes")
        else:
            first = next(name for name in own if name not in taken)
            rest = [f"--input {each}=..." for each in required if each not in names]
            takes = f"{function.name}({', '.join(required)})"
            raise UsageError(
                f"--input: no stage takes {first!r}, but {takes}, which another function calls and is none",
                path=source.path,
                line=function.line,
                advice=f"it is one where --input says all that it takes: {' '.join(rest)}",
            )
