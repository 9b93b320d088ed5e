"""Copies of source files in a folder of their own, run until each stage returns what a case can hold."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from harness.authoring import given
from harness.authoring.adapt import Adapter, adapters, copy, renamed
from harness.authoring.described import Described, merged, parsed, refusal, said
from harness.authoring.files import Outputs
from harness.authoring.inputs import Input
from harness.authoring.resolve import with_gaps, with_values, without_step
from harness.authoring.shapes import Runner, case_of, describing, fixture_of, outputs_in
from harness.authoring.sources import Source
from harness.authoring.steps import Graph, Step
from harness.errors import UsageError
from harness.model import Failure, Frozen, Implementation, Observed

_MOST_TRIES = 3
_NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
_HERE = Path(__file__).parent
_DESCRIBED: Mapping[str, str] = {
    "numpy": "from harness.workers.describe_value import description as _description",
    "r": (_HERE / "describe_value.R").read_text(encoding="utf-8"),
    "julia": (_HERE / "describe_value.jl").read_text(encoding="utf-8"),
}
"""What a copy needs to describe a value, by runtime."""


class Copy(Frozen, frozen=True, kw_only=True):
    """A source, and the implementation that its copy is."""

    source: Source
    id: str
    file: str


class Drafts:
    """The copies of a new case, and what is known of them from running them."""

    def __init__(
        self, folder: Path, copies: Sequence[Copy], reference: Copy, inputs: Sequence[Input], suite: Path
    ) -> None:
        self.folder = folder
        self.copies = list(copies)
        self.reference = reference
        self.inputs = list(inputs)
        self.runner = Runner(suite)
        self.fixture = fixture_of("inputs", inputs)
        self.told: list[str] = []
        self._vectors: dict[str, set[int]] = {each.id: set() for each in copies}
        self._lists: dict[tuple[str, int], tuple[str, ...]] = {}

    def put(self, graph: Graph) -> tuple[Graph, list[Outputs], list[str]]:
        """Write the copies, run them, and write them again with what adapts them to the reference.

        Returns the graph, the reference's outputs in the order of its steps, and what to tell.
        """
        with self.runner:
            graph, outputs = self._run_reference(graph)
            others = [each for each in self.copies if each is not self.reference and not each.source.unread]
            for _ in range(_MOST_TRIES if others else 0):
                if not self._adapt(graph, outputs, others):
                    break
        graph, told = self._write(graph, self.copies)
        return graph, outputs, [*self.told, *told]

    def _adapt(self, graph: Graph, outputs: Sequence[Outputs], others: Sequence[Copy]) -> bool:
        """Run the others once; whether there is more to see once what was found is adapted."""
        named, _told = self._write(graph, self.copies)
        observed = self._observed(named, others)
        found = is_cut_off = False
        for each in [each for each in others if each.id in observed]:
            for at, step in enumerate(named.steps):
                ours = outputs_in(observed[each.id], self.fixture, step.name)
                if at not in self._vectors[each.id] and _is_column(ours, outputs[at]):
                    self._vectors[each.id].add(at)
                    found = True
                if not isinstance(ours, Failure):
                    continue
                is_cut_off = True
                if "returned a list" in ours.reason and (each.id, at) not in self._lists:
                    described = self._described(graph, each, at)
                    self._lists[each.id, at] = lists_in(described) if described is not None else ()
                    found = found or bool(self._lists[each.id, at])
        return found and is_cut_off

    def _run_reference(self, graph: Graph) -> tuple[Graph, list[Outputs]]:
        """The graph with what each stage of the reference returns; and these values."""
        known: set[str] = set()
        as_lists: set[str] = set()
        # Only what another stage takes is given to one.
        waiting = given.taken_in_python(graph, self.reference.source)
        while True:
            named, _told = self._write(graph, [self.reference])
            observed = self._observed(named, [self.reference])[self.reference.id]
            failed = next(
                (
                    (at, failure)
                    for at, step in enumerate(named.steps)
                    if isinstance(failure := outputs_in(observed, self.fixture, step.name), Failure)
                ),
                None,
            )
            if failed is None and waiting:
                at = next(at for at, step in enumerate(graph.steps) if step.name == waiting[0])
                if waiting.pop(0) not in known and (described := self._described(graph, self.reference, at)):
                    graph = given.with_given(graph, at, described)
                continue
            if failed is None:
                outputs = _outputs_of(named, observed, self.fixture)
                return with_gaps(given.only_taken(graph), outputs), outputs
            at, failure = failed
            step = graph.steps[at]
            if step.name in known:
                raise self._cannot_run(step, failure)
            described = self._described(graph, self.reference, at)
            if described is None:
                plain, self.inputs = given.without_given(graph, self.inputs, at)
                if plain is None:
                    lists = given.as_lists(graph, self.inputs, at, self.reference.source)
                    if lists is None or step.name in as_lists:
                        raise self._cannot_run(step, failure)
                    # What is wrong with arrays is told where lists are no better.
                    as_lists.add(step.name)
                    self.inputs = lists
                    continue
                # No program passes it on as it is: names say that the one takes what the other returns.
                graph = plain
                continue
            known.add(step.name)
            graph = self._with(graph, at, described, failure)

    def _with(self, graph: Graph, at: int, described: Described, failure: Failure) -> Graph:
        """The graph with what one of its steps was seen to return."""
        step = graph.steps[at]
        function = self.reference.source.function(step.function)
        line = function.line if function is not None else step.line
        where = f"{self.reference.source.path.name}:{line}: {step.function}()"
        if why := refusal(described):
            left = without_step(graph, at) if described.words in ("None", "a NULL", "nothing") else None
            if left is not None:
                self.told.append(f"{where} is no stage: it returns nothing")
                return left
            raise UsageError(
                f"{step.function}() cannot be a stage: {why}",
                path=self.reference.source.path,
                line=line,
                advice="return an array, a number, a text, a date, or a dictionary or list of these",
            )
        if lists := lists_in(described):
            self._lists[self.reference.id, at] = lists
        changed, function = with_values(graph, at, described, self.reference.source)
        if changed == graph and not lists:
            raise self._cannot_run(step, failure)
        if function is not None:
            functions = tuple(
                function if each.name == function.name else each for each in self.reference.source.functions
            )
            source = msgspec.structs.replace(self.reference.source, functions=functions)
            before, self.reference = self.reference, msgspec.structs.replace(self.reference, source=source)
            self.copies[self.copies.index(before)] = self.reference
        self.told.append(f"{where} returns {said(described)}")
        return changed

    def _cannot_run(self, step: Step, failure: Failure) -> UsageError:
        if missing := _NO_MODULE.search(failure.reason):
            module = missing[1].partition(".")[0]
            return UsageError(
                f"cannot be imported: {failure.reason}",
                path=self.reference.source.path,
                advice=f"install {module} into the Python that harness runs with, where it is a package;"
                f" or put {module}.py beside the file",
            )
        return UsageError(
            f"{step.function}() cannot be run on these inputs: {failure.reason}",
            path=self.reference.source.path,
            line=step.line,
            advice="--input NAME=COLUMN,COLUMN or NAME=NUMBER chooses what an argument is, NAME=COLUMN:list"
            " makes it a list; a stage takes arrays, lists, texts, and dictionaries of these",
        )

    def _described(self, graph: Graph, each: Copy, at: int) -> Described | None:
        """What a stage's function returns; None where it could not be called."""
        named, _told = self._write(graph, self.copies if each is not self.reference else [each], each, at)
        step = named.steps[at]
        observed = self._observed(named, [each], described=step.name).get(each.id)
        found = outputs_in(observed, self.fixture, step.name) if observed is not None else None
        if found is None or isinstance(found, Failure):
            return None
        return merged([parsed(str(text.item())) for text in next(iter(found.values())).values()])

    def _observed(self, graph: Graph, copies: Sequence[Copy], described: str = "") -> dict[str, Observed]:
        case = case_of("draft", graph, self.inputs, described)
        implementations = [
            Implementation(id=each.id, runtime=each.source.runtime, language="", path=self.folder / each.file)
            for each in copies
        ]
        observed, missing = self.runner.run(case, self.fixture, implementations)
        if self.reference in copies and self.reference.id not in observed:
            why = missing.get(self.reference.source.runtime, "")
            raise UsageError(f"the reference cannot be run: {why}", path=self.reference.source.path)
        return observed

    def _write(
        self, graph: Graph, copies: Sequence[Copy], described: Copy | None = None, at: int = -1
    ) -> tuple[Graph, list[str]]:
        """Write copies with their adapters; the graph has the stages' final names.

        Of one step that is ``described`` a function follows, which says what its function returns.
        """
        by_copy = [(each, self._adapters(graph, each)[0]) for each in copies]
        graph = renamed(graph, [(each.source, found) for each, found in by_copy])
        told: list[str] = []
        for each in copies:
            found, problems = self._adapters(graph, each)
            told += problems
            told += [_told(each, adapter) for adapter in found if adapter.is_needed]
            text = copy(each.source, found)
            if described is not None and each.id == described.id:
                text += _describing(graph.steps[at].name, each.source.runtime)
            (self.folder / each.file).write_text(text, encoding="utf-8")
        return graph, told

    def _adapters(self, graph: Graph, each: Copy) -> tuple[list[Adapter], list[str]]:
        found, told = adapters(graph, each.source, self.reference.source)
        at = {step.name: number for number, step in enumerate(graph.steps)}
        made = []
        for adapter in found:
            place = at[adapter.step.name]
            lists = self._lists.get((each.id, place), ())
            keys = adapter.keys
            if lists and not keys and lists != ("",):
                keys = adapter.names or adapter.step.outputs
            made.append(
                msgspec.structs.replace(
                    adapter, vector=place in self._vectors[each.id], lists=lists, keys=keys
                )
            )
        return made, told


def lists_in(described: Described) -> tuple[str, ...]:
    """What of a value is a list of numbers: its parts' names, or an empty one for all of it."""
    if described.kind == "numbers":
        return ("",)
    parts = described.parts if described.kind == "names" else ()
    return tuple(name for name, part in parts if part.kind == "numbers")


def _describing(stage: str, runtime: str) -> str:
    name = describing(stage)
    match runtime:
        case "r":
            return f"\n{_DESCRIBED['r']}\n{name} <- function(...) described_value_({stage}(...))\n"
        case "julia":
            return f"\n{_DESCRIBED['julia']}\n{name}(given...) = DescribedValue.lines({stage}(given...))\n"
        case _:
            call = f"def {name}(*given):\n    return _description({stage}(*given))\n"
            return f"\n\n{_DESCRIBED['numpy']}\n\n\n{call}"


def _outputs_of(graph: Graph, observed: Observed, fixture: object) -> list[Outputs]:
    found = [outputs_in(observed, fixture, step.name) for step in graph.steps]  # type: ignore[arg-type]
    return [outputs for outputs in found if not isinstance(outputs, Failure)]


def _told(each: Copy, adapter: Adapter) -> str:
    how = "its result as a vector" if adapter.vector else ""
    if adapter.lists:
        how = "its lists of numbers as arrays"
    if adapter.keys:
        how = f"{', '.join(adapter.keys)} of what it returns"
    call = f"{adapter.function}({', '.join(adapter.arguments)})"
    return f"{each.file}: the stage {adapter.step.name} is {call}" + (f", {how}" if how else "")


def _is_column(ours: Outputs | Failure, theirs: Outputs) -> bool:
    """Whether the one output is a matrix of one column or row where the reference's is a vector."""
    if isinstance(ours, Failure) or len(ours) != 1 or len(theirs) != 1:
        return False
    pairs = zip(next(iter(ours.values())).values(), next(iter(theirs.values())).values(), strict=True)
    return all(
        own.ndim == 2 and 1 in own.shape and ref.ndim < 2 and own.size == ref.size for own, ref in pairs
    )
