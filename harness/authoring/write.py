"""Write a case from source files: read them, wire the stages, run them once, and put the files in place."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from harness.authoring.adapt import Adapter, adapters, copy, renamed
from harness.authoring.files import Outputs, put_case, put_fixture
from harness.authoring.graph import Graph, graph_of, needed
from harness.authoring.inputs import Input, inputs_of
from harness.authoring.read_others import read_other
from harness.authoring.read_python import read_python
from harness.authoring.shapes import (
    case_of,
    fixture_of,
    outputs_in,
    run_once,
    several,
    with_outputs,
)
from harness.authoring.sources import Source, unpaired
from harness.errors import UsageError
from harness.model import Failure, Fixture, Frozen, Implementation, Observed
from harness.runtimes.registry import Registry
from harness.store.cases import load_case
from harness.store.fixtures import load_fixture
from harness.store.regular_file import read_regular
from harness.store.samples_of_files import Gathered
from harness.store.utf8 import decode_utf8

_MOST_TRIES = 3

SUFFIXES = {".py": "numpy", ".r": "r", ".jl": "julia"}


class Written(Frozen, frozen=True, kw_only=True):
    """The files that were written, the case.toml first; and what a person should know of them."""

    paths: tuple[Path, ...]
    told: tuple[str, ...]


class _Copy(Frozen, frozen=True, kw_only=True):
    """A source, and the implementation that its copy is."""

    source: Source
    id: str
    file: str


def read_source(path: Path) -> Source:
    """Read a Python, R or Julia file; the ending says which.

    Raises
    ------
    UsageError
        It cannot be read, or parsed.
    """
    runtime = SUFFIXES.get(path.suffix.lower())
    if runtime is None:
        raise UsageError("is not a source file", path=path, advice="--from takes .py, .R and .jl files")
    try:
        data = read_regular(path)
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", path=path) from error
    text = decode_utf8(data, path, UsageError).removeprefix("\ufeff").replace("\r\n", "\n")
    match runtime:
        case "r" | "julia":
            return read_other(path, text, runtime)
        case _:
            return read_python(path, text)


def write_from(
    name: str,
    suite: Path,
    fixture: Path,
    paths: Sequence[Path],
    data: Gathered | None,
    choices: Mapping[str, str],
) -> Written:
    """Write a case from source files; a folder appears only when all of it is written and can be loaded.

    Parameters
    ----------
    name : str
        The case's.
    suite, fixture : Path
        The suite, and the folder of the fixture that is made.
    paths : sequence of Path
        Source files. The first in Python, or else the first, is the reference.
    data : Gathered, optional
        Arrays for the inputs.
    choices : mapping
        What a person says of an input: see `inputs_of`.

    Raises
    ------
    UsageError
        A file cannot be read, no stage can be made of it, an input has no value, or the reference fails.
    """
    sources = [read_source(path) for path in paths]
    copies = _copies(name, suite, sources)
    reference = next((each for each in copies if each.source.runtime == "numpy"), copies[0])
    if reference.source.unread:
        raise UsageError(
            f"{reference.source.unread}, and it is the reference",
            path=reference.source.path,
            advice="harness doctor --fix installs it; or give a Python file too",
        )
    others = [each.source for each in copies if not each.source.unread]
    common = {
        function.name
        for function in reference.source.functions
        if all(each.function(function.name) for each in others)
    }
    lacking = [why for each in others if (why := unpaired(reference.source, each))]
    given = [*(data.first if data is not None else ()), *choices]
    graph = graph_of(reference.source, given, common, lacking)
    inputs = inputs_of(needed(graph), graph.numbers, data, choices)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=_made(suite)) as kept:
        draft = Path(kept, name)
        draft.mkdir()
        helpers = _put_helpers(draft, copies)
        graph, outputs, told = _put_sources(draft, graph, copies, reference, inputs, suite)
        put_case(draft, name, graph, inputs, outputs, reference.source, reference.id)
        made = Path(kept, "fixtures", name)
        put_fixture(made, name, inputs, data)
        load_fixture(load_case(draft), Path(kept))
        fixture.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(made, fixture)
        draft.rename(suite / name)
    folder = suite / name
    files = sorted(path for path in folder.iterdir() if path.name != "case.toml" and path.is_file())
    return Written(
        paths=(folder / "case.toml", *files, *sorted(fixture.iterdir())),
        told=(*graph.told, *lacking, *(each.told for each in inputs), *told, *helpers, *_with_nan(outputs)),
    )


def _made(suite: Path) -> Path:
    suite.mkdir(parents=True, exist_ok=True)
    return suite


def _copies(name: str, suite: Path, sources: Sequence[Source]) -> list[_Copy]:
    specs = Registry.load(suite).specs
    copies: list[_Copy] = []
    for source in sources:
        label = ""
        if any(each.source.runtime == source.runtime for each in copies):
            label = "." + (re.sub(r"[^A-Za-z0-9_-]", "_", source.path.stem) or "other")
        identity = source.runtime + label
        if any(each.id == identity for each in copies):
            raise UsageError(f"two files would both be {identity!r}", path=source.path, advice="rename one")
        copies.append(_Copy(source=source, id=identity, file=f"{name}{label}{specs[source.runtime].suffix}"))
    return copies


def _put_sources(
    draft: Path, graph: Graph, copies: Sequence[_Copy], reference: _Copy, inputs: Sequence[Input], suite: Path
) -> tuple[Graph, list[Outputs], list[str]]:
    """Write the copies, run them, and write them again where a matrix of one column is to be a vector.

    Returns the graph, the reference's outputs in the order of its steps, and what to tell.
    """
    fixture = fixture_of("inputs", inputs)
    graph, outputs = _run_reference(draft, graph, reference, fixture, suite)
    vectors: dict[str, set[int]] = {each.id: set() for each in copies}
    others = [each for each in copies if each is not reference and not each.source.unread]
    for _ in range(_MOST_TRIES if others else 0):
        named, _problems = _write_copies(draft, graph, copies, reference, vectors)
        case = case_of("draft", named)
        observed, _missing = run_once(case, fixture, [_implementation(draft, each) for each in others], suite)
        is_cut_off = False
        before = sum(map(len, vectors.values()))
        for each in [each for each in others if each.id in observed]:
            for at, step in enumerate(named.steps):
                ours = outputs_in(observed[each.id], fixture, step.name)
                if _is_column(ours, outputs[at]):
                    vectors[each.id].add(at)
                is_cut_off = is_cut_off or isinstance(ours, Failure)
        if sum(map(len, vectors.values())) == before or not is_cut_off:
            break
    graph, told = _write_copies(draft, graph, copies, reference, vectors)
    return graph, outputs, [*map(_told_of, copies), *told]


def _put_helpers(draft: Path, copies: Sequence[_Copy]) -> list[str]:
    """Copy the files beside a source that it imports, or that it names in quotes."""
    taken = {each.file for each in copies}
    told: list[str] = []
    for each in copies:
        path = each.source.path
        for beside in sorted(path.parent.glob(f"*{path.suffix}")):
            stem = re.escape(beside.stem)
            names = (
                rf"^\s*(?:from|import)\s+{stem}\b"
                if path.suffix == ".py"
                else rf"[\"']{stem}{path.suffix}[\"']"
            )
            if beside.name == path.name or not re.search(names, each.source.text, re.MULTILINE):
                continue
            if beside.name in taken:
                raise UsageError(
                    f"takes {beside.name}, and a copy of another file has that name",
                    path=path,
                    advice="rename it",
                )
            taken.add(beside.name)
            shutil.copy(beside, draft / beside.name)
            told.append(f"{beside.name}: a copy, because {path.name} takes it")
    return told


def _told_of(each: _Copy) -> str:
    what = f"{each.file}: a copy of {each.source.path.name}"
    if each.source.unread:
        return f"{what}, as it is: {each.source.unread}"
    lines = _joined(each.source.left_out)
    return f"{what}; what runs it is a comment ({lines})" if lines else what


def _joined(ranges: Sequence[tuple[int, int]]) -> str:
    """Lines in words; those that follow each other are one range."""
    parts: list[list[int]] = []
    for first, last in ranges:
        if parts and first == parts[-1][1] + 1:
            parts[-1][1] = last
        else:
            parts.append([first, last])
    written = [f"{first}-{last}" if last > first else str(first) for first, last in parts]
    is_one = len(parts) == 1 and parts[0][0] == parts[0][1]
    return f"{'line' if is_one else 'lines'} {', '.join(written)}" if parts else ""


def _write_copies(
    draft: Path,
    graph: Graph,
    copies: Sequence[_Copy],
    reference: _Copy,
    vectors: Mapping[str, set[int]],
) -> tuple[Graph, list[str]]:
    """Write the copies with their adapters; the graph has the stages' final names."""

    def found_for(graph: Graph, each: _Copy) -> tuple[list[Adapter], list[str]]:
        found, told = adapters(graph, each.source, reference.source)
        at = {step.name: number for number, step in enumerate(graph.steps)}
        chosen = vectors.get(each.id, set())
        return [
            msgspec.structs.replace(adapter, vector=at[adapter.step.name] in chosen) for adapter in found
        ], told

    by_copy = [(each, found_for(graph, each)[0]) for each in copies]
    graph = renamed(graph, [(each.source, found) for each, found in by_copy])
    told: list[str] = []
    for each in copies:
        found, problems = found_for(graph, each)
        told += problems
        for adapter in found:
            if adapter.is_needed:
                told.append(_told(each, adapter))
        (draft / each.file).write_text(copy(each.source, found), encoding="utf-8")
    return graph, told


def _told(each: _Copy, adapter: Adapter) -> str:
    how = "its result as a vector" if adapter.vector else ""
    if adapter.keys:
        how = f"{', '.join(adapter.keys)} of what it returns"
    call = f"{adapter.function}({', '.join(adapter.arguments)})"
    return f"{each.file}: the stage {adapter.step.name} is {call}" + (f", {how}" if how else "")


def _implementation(draft: Path, each: _Copy) -> Implementation:
    return Implementation(id=each.id, runtime=each.source.runtime, language="", path=draft / each.file)


def _run_reference(
    draft: Path, graph: Graph, reference: _Copy, fixture: Fixture, suite: Path
) -> tuple[Graph, list[Outputs]]:
    """The graph with as many outputs of each stage as the reference returns; and these."""
    while True:
        named, _problems = _write_copies(draft, graph, [reference], reference, {})
        case = case_of("draft", named)
        observed, missing = run_once(case, fixture, [_implementation(draft, reference)], suite)
        if reference.id not in observed:
            why = missing.get(reference.source.runtime, "")
            raise UsageError(f"the reference cannot be run: {why}", path=reference.source.path)
        failed = _failed(named, observed[reference.id], fixture)
        if failed is None:
            found = [outputs_in(observed[reference.id], fixture, step.name) for step in named.steps]
            return graph, [outputs for outputs in found if not isinstance(outputs, Failure)]
        at, failure = failed
        count = several(failure)
        step = graph.steps[at]
        if count is None or len(step.outputs) > 1:
            raise UsageError(
                f"{step.function}() cannot be run on these inputs: {failure.reason}",
                path=reference.source.path,
                line=step.line,
                advice="--input NAME=COLUMN,COLUMN or NAME=NUMBER chooses what an argument is; "
                "a stage takes arrays and returns arrays",
            )
        graph = with_outputs(graph, step.name, count)


def _failed(graph: Graph, observed: Observed, fixture: Fixture) -> tuple[int, Failure] | None:
    for at, step in enumerate(graph.steps):
        outputs = outputs_in(observed, fixture, step.name)
        if isinstance(outputs, Failure):
            return at, outputs
    return None


def _is_column(ours: Outputs | Failure, theirs: Outputs) -> bool:
    """Whether the one output is a matrix of one column or row where the reference's is a vector."""
    if isinstance(ours, Failure) or len(ours) != 1 or len(theirs) != 1:
        return False
    pairs = zip(next(iter(ours.values())).values(), next(iter(theirs.values())).values(), strict=True)
    return all(
        own.ndim == 2 and 1 in own.shape and ref.ndim < 2 and own.size == ref.size for own, ref in pairs
    )


def _with_nan(outputs: Sequence[Outputs]) -> list[str]:
    return [
        f"{name} holds NaN in places: the case.toml says that it may"
        for found in outputs
        for name, by_sample in found.items()
        if any(np.isnan(array).any() for array in by_sample.values() if array.dtype.kind in "fc")
    ]
