"""The stages of a case, from the functions of its reference and the calls of its main program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.authoring.literals import literal, names_a_file
from harness.authoring.sources import MAIN, Block, Call, Function, Passed, Source, matching, plain
from harness.authoring.steps import Graph, Step, free_name
from harness.errors import UsageError
from harness.store.samples_of_files import plain_name

_PATHS = ("path", "file", "filename", "file_name", "fname", "args", "argv")
"""Names of variables that hold no arrays."""


def graph_of(reference: Source, given: Sequence[str], common: set[str], lacking: Sequence[str] = ()) -> Graph:
    """Return the stages of a program.

    Parameters
    ----------
    reference : Source
        Whose calls, or else names of arguments, say what is computed from what.
    given : sequence of str
        The names of the arrays that there are: an argument of such a name is an input.
    common : set of str
        The reference's functions that every other source has too; the others are no stages.
    lacking : sequence of str
        What other sources lack, in words, for the error.

    Raises
    ------
    UsageError
        No function can be a stage.
    """
    driver, no_arrays = _driver(reference)
    if driver is not None:
        steps, inputs, numbers, told = _Followed(reference, given, common, no_arrays).follow(driver)
    else:
        steps, inputs, numbers, told = _by_names(reference, given, common)
    if not steps:
        names = ", ".join(function.name for function in reference.functions) or "none"
        raise UsageError(
            f"no function of it can be a stage; its functions: {names}"
            + "".join(f"; {why}" for why in (*told, *lacking)),
            path=reference.path,
            advice="a stage is a function at top level that takes arrays and returns arrays, in every source",
        )
    return Graph(steps=tuple(steps), inputs=tuple(inputs), numbers=numbers, told=tuple(told))


def _driver(source: Source) -> tuple[Block | None, frozenset[str]]:
    """The block whose calls are the program: top level, `main`, or a function that does nothing but call.

    With it the names of its arguments that are no arrays, such as a path.
    """
    no_arrays: frozenset[str] = frozenset(_PATHS)
    block = source.block(MAIN)
    if block is None or not block.calls:
        block = next((each for each in source.blocks if plain(each.name) == "main" and each.calls), None)
    if block is None:
        alone = [each for each in source.blocks if each.only_calls and len(each.calls) > 1]
        alone = [each for each in alone if each.name not in source.inner]
        block = alone[0] if len(alone) == 1 else None
    while block is not None and len({call.function for call in block.calls}) == 1:
        call = block.calls[0]
        inner, takes = source.block(call.function), source.function(call.function)
        if inner is None or not inner.calls or takes is None:
            break
        # What takes arrays, and does more than call others, is a stage itself.
        is_program = plain(call.function) == "main" or any(each.kind == "other" for each in call.passed)
        if takes.required and not inner.only_calls and not is_program:
            break
        passed = {
            each.keyword or argument.name
            for argument, each in zip(takes.arguments, call.passed, strict=False)
            if each.kind != "other"
        }
        no_arrays |= {argument.name for argument in takes.arguments} - passed
        block = inner
    return block, no_arrays


class _Followed:
    """A program's calls, followed from value to value."""

    def __init__(
        self, source: Source, given: Sequence[str], common: set[str], no_arrays: frozenset[str]
    ) -> None:
        self.source = source
        self.no_arrays = no_arrays
        self.given = given
        self.common = common
        self.steps: list[Step] = []
        self.inputs: dict[str, str] = {}
        self.numbers: dict[str, str] = {}
        self.told: list[str] = []
        self.values: dict[str, Step] = {}
        self.whole: set[str] = set()

    def follow(self, block: Block) -> tuple[list[Step], list[str], dict[str, str], list[str]]:
        where = f"{block.name}()" if block.name else "its main program"
        counts: dict[str, int] = {}
        for call in block.calls:
            counts[call.function] = counts.get(call.function, 0) + 1
            self.whole |= {passed.text for passed in call.passed if passed.kind == "name"}
        for call in block.calls:
            function = self.source.function(call.function)
            if function is None:
                continue
            why = self._why_not(call, function)
            if why:
                self.told.append(f"{function.name}() is no stage: {why}")
                continue
            self._step(call, function, several=counts[call.function] > 1)
        called = " ".join(dict.fromkeys(step.function for step in self.steps))
        self.told.insert(0, f"{where} calls: {called.replace(' ', ', ')}")
        return self.steps, list(dict.fromkeys(self.inputs.values())), self.numbers, self.told

    def _why_not(self, call: Call, function: Function) -> str:
        if function.name not in self.common:
            return "another source lacks it"
        if len(call.passed) > len(function.arguments) or any(each.keyword == "**" for each in call.passed):
            return f"line {call.line} passes what cannot be followed"
        for passed in call.passed:
            if passed.kind == "other" and passed.text[:1] in ("'", '"') and names_a_file(passed.text):
                return f"line {call.line} passes the text {passed.text}"
            if passed.kind == "name" and passed.text in self.no_arrays:
                return f"line {call.line} passes {passed.text}, which is no array"
        if not call.passed:
            return "it takes nothing"
        return ""

    def _step(self, call: Call, function: Function, *, several: bool) -> None:
        parameters, inputs, items = [], [], []
        for position, passed in enumerate(call.passed):
            parameter = passed.keyword or function.arguments[position].name
            given, item = self._given(passed, parameter)
            parameters.append(parameter)
            inputs.append(given)
            items.append(item)
        target = call.targets[0] if call.targets and not call.targets[0].startswith("#") else ""
        name = plain_name(target if several and target and len(call.targets) == 1 else function.name)
        taken = {each for step in self.steps for each in (step.name, *step.outputs)} | set(
            self.inputs.values()
        )
        name = free_name(name, taken | set(inputs))
        outputs = _outputs(function, call.targets, name, taken | set(inputs))
        # Another function is given all of it.
        is_whole = len(outputs) > 1 and len(call.targets) == 1 and call.targets[0] in self.whole
        is_whole = is_whole and not matching(plain_name(call.targets[0]), outputs)
        step = Step(
            name=name,
            function=function.name,
            line=call.line,
            parameters=tuple(parameters),
            inputs=tuple(inputs),
            outputs=(name,) if is_whole else outputs,
            items=tuple(items),
            whole=is_whole,
        )
        self.steps.append(step)
        for target in call.targets:
            self.values[target] = step
        if len(call.targets) == 1 and len(step.outputs) > 1:
            self.values[call.targets[0]] = step

    def _given(self, passed: Passed, parameter: str) -> tuple[str, str]:
        step = self.values.get(passed.text) if passed.kind in ("name", "item") else None
        if step is not None:
            if len(step.outputs) == 1:
                return step.outputs[0], _place(passed.item)
            if passed.kind == "item":
                at = (
                    int(passed.item) if passed.item.isdigit() and int(passed.item) < len(step.outputs) else -1
                )
                named = step.outputs[at] if at >= 0 else matching(plain_name(passed.item), step.outputs)
            else:
                named = matching(plain_name(passed.text), step.outputs)
            if named:
                return named, ""
        key = f"{parameter} {passed.text}"
        if passed.kind in ("name", "item"):
            key = f"{passed.kind} {passed.text} {passed.item}"
        if key not in self.inputs:
            taken = set(self.inputs.values()) | {
                each for one in self.steps for each in (one.name, *one.outputs)
            }
            # A variable or item named as an array of the data is that; else the argument has the better name.
            own = {"name": passed.text, "item": passed.item}.get(passed.kind, "")
            named = plain_name(own if matching(own, self.given) else parameter)
            known = set(self.inputs.values()) - set(self.numbers)
            is_column = passed.kind in ("item", "other") and named in known and matching(named, self.given)
            self.inputs[key] = named if is_column else free_name(named, taken)
            if passed.kind == "number" or (passed.kind == "other" and literal(passed.text) is not None):
                self.numbers[self.inputs[key]] = passed.text
        return self.inputs[key], ""


def _place(item: str) -> str:
    """The name or place of a part, counted from 1."""
    return str(int(item) + 1) if item.isdigit() else item


def _outputs(function: Function, targets: Sequence[str], name: str, taken: set[str]) -> tuple[str, ...]:
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


def _by_names(
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
        f"{each.name}() is no stage: another function calls it" for each in functions if each not in waiting
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
            outputs=(name,) if is_whole else _outputs(function, (), name, taken),
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
