"""Write a case from source files: read them, wire the stages, run them once, and put the files in place."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from harness.authoring.adapt import unable
from harness.authoring.drafts import Copy, Drafts
from harness.authoring.files import Outputs, put_case, put_fixture
from harness.authoring.graph import graph_of
from harness.authoring.helpers import find_helpers
from harness.authoring.inputs import inputs_of
from harness.authoring.read_others import read_other
from harness.authoring.read_python import read_python
from harness.authoring.sources import Source, unpaired, with_pairs
from harness.authoring.steps import keys_taken, needed
from harness.errors import UsageError
from harness.model import Frozen
from harness.numerics.missing import is_missing
from harness.runtimes.registry import Registry
from harness.store.cases import load_case
from harness.store.fixtures import load_fixture
from harness.store.regular_file import read_regular
from harness.store.samples_of_files import Gathered
from harness.store.utf8 import decode_utf8

SUFFIXES = {".py": "numpy", ".r": "r", ".jl": "julia"}


_OTHERS = frozenset(
    [
        *(".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".f", ".for", ".f03", ".f08", ".f90", ".f95"),
        *(".js", ".cjs", ".mjs", ".ts", ".m", ".onnx", ".ipynb", ".qmd", ".rmd"),
    ]
)
"""Endings of sources that `read_source` does not take."""


def is_other_source(path: Path) -> bool:
    """Whether a file is a source of another language or form, by its ending; no data then."""
    return path.suffix.lower() in _OTHERS


def not_taken(path: Path) -> UsageError:
    """What is said of a file that no case can be made of."""
    return UsageError(
        "is no source file in Python, R or Julia",
        path=path,
        advice="--from takes .py, .R and .jl files; of another language, new impl CASE LANG writes a file to"
        " be filled in",
    )


class Written(Frozen, frozen=True, kw_only=True):
    """The files that were written, the case.toml first; and what a person should know of them."""

    paths: tuple[Path, ...]
    told: tuple[str, ...]


def read_source(path: Path) -> Source:
    """Read a Python, R or Julia file; the ending says which.

    Raises
    ------
    UsageError
        It cannot be read, or parsed.
    """
    runtime = SUFFIXES.get(path.suffix.lower())
    if runtime is None:
        raise not_taken(path)
    text = read_text(path)
    match runtime:
        case "r" | "julia":
            return read_other(path, text, runtime)
        case _:
            return read_python(path, text)


def read_text(path: Path) -> str:
    """The text of a source file, its lines ended as here.

    Raises
    ------
    UsageError
        It cannot be read, or is not UTF-8.
    """
    try:
        data = read_regular(path)
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", path=path) from error
    return decode_utf8(data, path, UsageError).removeprefix("\ufeff").replace("\r\n", "\n")


def write_from(
    name: str,
    suite: Path,
    fixture: Path,
    paths: Sequence[Path],
    data: Gathered | None,
    choices: Mapping[str, str],
    pairs: Sequence[tuple[str, str]] = (),
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
    pairs : sequence of pair of str
        Functions of the reference, each with the one of another file that it is to be compared with.

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
    rest = [each for each in copies if each is not reference]
    chosen = with_pairs(reference.source, [each.source for each in rest], pairs)
    paired = [msgspec.structs.replace(each, source=source) for each, source in zip(rest, chosen, strict=True)]
    copies = [reference, *paired]
    others = [each.source for each in paired if not each.source.unread]
    common = {
        function.name
        for function in reference.source.functions
        if all(each.function(function.name) for each in others)
    }
    lacking = [why for each in others if (why := unpaired(reference.source, each))]
    given = [*(data.first if data is not None else ()), *choices]
    graph = graph_of(reference.source, given, common, lacking, list(choices))
    left_out: list[str] = []
    while cannot := {key: why for each in others for key, why in unable(graph, each).items()}:
        # A stage that fails wherever it is run is none.
        common -= set(cannot)
        left_out += [f"{why}, which is left out: write a function that can" for why in cannot.values()]
        graph = graph_of(reference.source, given, common, [*lacking, *left_out], list(choices))
    keys = keys_taken(graph, reference.source)
    try:
        inputs = inputs_of(needed(graph), graph.numbers, data, choices, keys)
    except UsageError as error:
        message = "; ".join([error.message, *left_out])
        raise UsageError(message, path=error.path, line=error.line, advice=error.advice) from error
    with tempfile.TemporaryDirectory(prefix=".new-", dir=_made(suite)) as kept:
        draft = Path(kept, name)
        draft.mkdir()
        helpers = find_helpers(draft, [(each.source, each.file) for each in copies])
        helpers.put()
        drafts = Drafts(draft, copies, reference, inputs, suite)
        graph, outputs, told = drafts.put(graph)
        in_r = any(each.source.runtime == "r" for each in copies)
        put_case(draft, name, graph, drafts.inputs, outputs, reference.source, reference.id, lenient=in_r)
        made = Path(kept, "fixtures", name)
        put_fixture(made, name, drafts.inputs, data)
        load_fixture(load_case(draft), Path(kept))
        fixture.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(made, fixture)
        draft.rename(suite / name)
    folder = suite / name
    files = sorted(path for path in folder.rglob("*") if path.name != "case.toml" and path.is_file())
    return Written(
        paths=(folder / "case.toml", *files, *sorted(fixture.iterdir())),
        told=(
            *graph.told,
            *lacking,
            *left_out,
            *(each.told for each in drafts.inputs),
            *(f"left out: {why}" for why in (data.text if data is not None else ())),
            *map(_told_of, copies),
            *told,
            *helpers.told,
            *_with_nan(outputs),
        ),
    )


def _made(suite: Path) -> Path:
    suite.mkdir(parents=True, exist_ok=True)
    return suite


def _copies(name: str, suite: Path, sources: Sequence[Source]) -> list[Copy]:
    specs = Registry.load(suite).specs
    copies: list[Copy] = []
    for source in sources:
        label = ""
        if any(each.source.runtime == source.runtime for each in copies):
            label = "." + (re.sub(r"[^A-Za-z0-9_-]", "_", source.path.stem) or "other")
        identity = source.runtime + label
        if any(each.id == identity for each in copies):
            raise UsageError(f"two files would both be {identity!r}", path=source.path, advice="rename one")
        copies.append(Copy(source=source, id=identity, file=f"{name}{label}{specs[source.runtime].suffix}"))
    return copies


def _told_of(each: Copy) -> str:
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


def _with_nan(outputs: Sequence[Outputs]) -> list[str]:
    return [
        f"{name} holds NaN in places: the case.toml says that it may"
        for found in outputs
        for name, by_sample in found.items()
        if any(
            (np.isnan(array) & ~is_missing(array)).any()
            for array in by_sample.values()
            if array.dtype.kind in "fc"
        )
    ]
