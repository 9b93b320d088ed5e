"""The case.toml and the fixture of a new case."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from harness.authoring.declared import declaration, fields_of, written
from harness.authoring.described import PLAIN
from harness.authoring.inputs import Input
from harness.authoring.shapes import ONLY, fixture_of
from harness.authoring.sources import Source
from harness.authoring.steps import Graph
from harness.authoring.symbols import Symbols
from harness.model import Array
from harness.store.fixture_writer import section, write_fixture
from harness.store.samples_of_files import Gathered, fixture_arrays, nonfinite
from harness.store.typed_columns import text_codes

Outputs = dict[str, dict[str, Array]]
"""A stage's outputs by name and sample."""


def put_case(
    draft: Path,
    name: str,
    graph: Graph,
    inputs: Sequence[Input],
    outputs: Sequence[Outputs],
    reference: Source,
    identity: str,
    *,
    lenient: bool = False,
) -> None:
    """Write the case.toml of a graph, with the shapes of what the reference returned.

    With ``lenient`` a whole number may be a float elsewhere, as it is in R.
    """
    symbols = Symbols({*graph.inputs, *(output for step in graph.steps for output in step.outputs)})
    head: dict[str, object] = {
        "name": name,
        "title": f"{name}: say in a few words what it computes",
        "origin": f"{reference.path.name}, and what is beside it",
        "fixture": name,
    }
    if identity != "numpy":
        head["reference"] = identity
    lines = [section("[case]", head), "[inputs]"]
    for each in inputs:
        arrays = {leaf.name: list(leaf.arrays.values()) for leaf in each.arrayed}
        form = declaration(each.name, each.value, is_input=True).form
        lines.append(f"{each.name} = {written(form, symbols, arrays, is_input=True)}")
    lines.append("")
    for step, found in zip(graph.steps, outputs, strict=True):
        values = step.values or (PLAIN,) * len(step.outputs)
        made = [declaration(name, value) for name, value in zip(step.outputs, values, strict=True)]
        # The reference may have been run under other names.
        names = [value.name for each in made for value in each.values]
        of_output = {name: list(each.values()) for name, each in zip(names, found.values(), strict=True)}
        fields = ", ".join(f'"{each}.{item}"' if item else f'"{each}"' for each, item in step.taken)
        lines += ["[[stage]]", f'name = "{step.name}"', f"inputs = [{fields}]"]
        if step.meaning:
            lines.append(f"meaning = {json.dumps(step.meaning, ensure_ascii=False)}")
        known = [fields_of(each.form, symbols, of_output, is_input=False) for each in made]
        for keys in known:
            if step.lenient or (lenient and keys.get("dtype") == '"int"'):
                keys["lenient"] = "true"
        if step.outputs == (step.name,):
            lines += [f"{key} = {value}" for key, value in known[0].items()]
        else:
            lines.append("outputs = [")
            for output, keys in zip(step.outputs, known, strict=True):
                inside = ", ".join(f"{key} = {value}" for key, value in keys.items())
                lines.append(f'    {{ name = "{output}", {inside} }},')
            lines.append("]")
        lines.append("")
    (draft / "case.toml").write_text("\n".join(lines).rstrip("\n") + "\n", encoding="utf-8")


def put_fixture(folder: Path, name: str, inputs: Sequence[Input], data: Gathered | None) -> None:
    """Write the fixture of the inputs: numbers as they are, the rest as data."""
    samples = [sample for sample in fixture_of(name, inputs).samples if sample != ONLY]
    # The levels of a category are in the case.toml.
    leaves = [leaf for each in inputs for leaf in each.arrayed if not leaf.name.endswith(".levels")]
    gathered = Gathered(
        samples={
            sample: {each.name: _stored(each.arrays[sample]) for each in leaves if sample in each.arrays}
            for sample in samples
        },
        shared={each.name: _stored(each.arrays[""]) for each in leaves if "" in each.arrays},
        origin=data.origin if data is not None else "numbers of the program",
    )
    arrays = fixture_arrays(gathered)
    numbers = [each for each in leaves if each.literal and each.arrays[""].dtype.kind != "U"]
    literal = {each.name: each.arrays[""].tolist() for each in numbers}
    kept = sorted(full for full in arrays if full not in literal)
    generators: list[dict[str, object]] = [{"kind": "literal", "arrays": literal}] if literal else []
    if kept:
        generators.append({"kind": "data", "arrays": kept})
    origins = {
        full: next(each.origin for each in leaves if each.name == full.rpartition("/")[2]) for full in arrays
    }
    write_fixture(
        folder,
        version=1,
        title=f"inputs of {name}",
        origin=gathered.origin,
        licence="say whose data it is",
        generator=generators,
        arrays=arrays,
        origins=origins,
        samples=samples,
        nonfinite=nonfinite(arrays),
    )


def _stored(array: Array) -> Array:
    """An array as a fixture's file has it: texts as code points."""
    return text_codes(array) if array.dtype.kind == "U" else array
