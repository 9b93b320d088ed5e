"""The stages of a case, from the functions of its reference and the calls of its main program."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.authoring.by_names import add_helpers, by_names
from harness.authoring.driver import Driver, drivers, is_value
from harness.authoring.literals import literal, names_a_file
from harness.authoring.sources import Call, Function, Passed, Source, matching
from harness.authoring.steps import Graph, Step, free_name, outputs_of
from harness.errors import UsageError
from harness.store.samples_of_files import plain_name


def graph_of(
    reference: Source,
    given: Sequence[str],
    common: set[str],
    lacking: Sequence[str] = (),
    asked: Sequence[str] = (),
) -> Graph:
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
    asked : sequence of str
        Inputs of which a person says what they are. A function that only others call is a stage where these
        are all that it takes.

    Raises
    ------
    UsageError
        No function can be a stage, or an input is asked for that a function takes beside others.
    """
    found = [_Followed(reference, given, common, each, asked).follow() for each in drivers(reference)]
    found = [each for each in reversed(found) if each[0]] or found[-1:]
    is_known = bool(given or asked)
    if found and (found[0][0] or not is_known):
        steps, inputs, numbers, told = found[0]
    else:
        # Where its calls say nothing, names may.
        steps, inputs, numbers, told = by_names(reference, given, common)
        told = list(dict.fromkeys([*(line for each in found for line in each[3][1:]), *told]))
    add_helpers(steps, inputs, told, reference, common, asked)
    if not steps:
        names = ", ".join(function.name for function in reference.functions) or "none"
        raise UsageError(
            f"no function of it can be a stage; its functions: {names}"
            + "".join(f"; {why}" for why in (*told, *lacking)),
            path=reference.path,
            advice="a stage is a function at top level that takes arrays and returns arrays, in every source"
            + _of_classes(reference),
        )
    return Graph(steps=tuple(steps), inputs=tuple(inputs), numbers=numbers, told=tuple(told))


def _of_classes(source: Source) -> str:
    """What to do with classes, where a file has some."""
    names = re.findall(r"^class (\w+)|^(\w+) *(?:<-|=) *(?:setRefClass|R6Class)\(", source.text, re.MULTILINE)
    if not names:
        return ""
    name = "".join(names[0])
    called = f"{name}{'$' if source.runtime == 'r' else '.'}METHOD"
    return (
        f'; a method is one by call = {{ {source.runtime} = "{called}" }} in a case.toml: new case begins one'
    )


class _Followed:
    """A program's calls, followed from value to value."""

    def __init__(
        self, source: Source, given: Sequence[str], common: set[str], driver: Driver, asked: Sequence[str]
    ) -> None:
        self.source = source
        self.driver = driver
        self.asked = asked
        self.given = given
        self.common = common
        self.steps: list[Step] = []
        self.inputs: dict[str, str] = {}
        self.numbers: dict[str, str] = {}
        self.told: list[str] = []
        self.values: dict[str, Step] = {}
        self.whole: set[str] = set()

    def follow(self) -> tuple[list[Step], list[str], dict[str, str], list[str]]:
        block = self.driver.block
        where = f"{block.name}()" if block.name else "its main program"
        counts: dict[str, int] = {}
        for call in block.calls:
            counts[call.function] = counts.get(call.function, 0) + 1
            self.whole |= {passed.text for passed in call.passed if passed.kind == "name"}
        demos = {name for name, count in counts.items() if count > 1 and self._is_demo(name)}
        for call in block.calls:
            function = self.source.function(call.function)
            if function is None:
                continue
            if call.function in demos and any(step.function == function.name for step in self.steps):
                continue
            why = self._why_not(call, function)
            if why:
                self.told.append(f"{function.name}() is no stage: {why}")
                continue
            self._step(call, function, several=counts[call.function] > 1)
        self.told += [
            f"{name}() is one stage, of {counts[name]} calls with what is written out, as --input says"
            for name in sorted(demos)
        ]
        called = " ".join(dict.fromkeys(step.function for step in self.steps))
        self.told.insert(0, f"{where} calls: {called.replace(' ', ', ')}")
        return self.steps, list(dict.fromkeys(self.inputs.values())), self.numbers, self.told

    def _is_demo(self, name: str) -> bool:
        """Whether a person says what a function takes, of which each call passes but what is written out."""
        function = self.source.function(name)
        if function is None or not {argument.name for argument in function.arguments} & set(self.asked):
            return False
        calls = [call for call in self.driver.block.calls if call.function == name]
        return all(
            is_value(self.driver.written.get(each.text, "") if each.kind == "name" else each.text)
            for call in calls
            for each in call.passed
            if each.kind != "item"
        )

    def _why_not(self, call: Call, function: Function) -> str:
        if function.name not in self.common:
            return "another source lacks it"
        if len(call.passed) > len(function.arguments) or any(each.keyword == "**" for each in call.passed):
            return f"line {call.line} passes what cannot be followed"
        for passed in call.passed:
            if passed.kind == "other" and passed.text[:1] in ("'", '"') and names_a_file(passed.text):
                return f"line {call.line} passes the text {passed.text}"
            if passed.kind == "name" and passed.text in self.driver.no_arrays - set(self.driver.written):
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
        outputs = outputs_of(function, call.targets, name, taken | set(inputs))
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
            text = self.driver.written.get(passed.text, "") if passed.kind == "name" else passed.text
            if passed.kind != "item" and text and literal(text) is not None:
                self.numbers[self.inputs[key]] = text
        return self.inputs[key], ""


def _place(item: str) -> str:
    """The name or place of a part, counted from 1."""
    return str(int(item) + 1) if item.isdigit() else item
