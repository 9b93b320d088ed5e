"""The case.toml and the fixture of a new case."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from harness.authoring.graph import Graph
from harness.authoring.inputs import Input
from harness.authoring.shapes import KINDS, ONLY, Symbols, fixture_of
from harness.authoring.sources import Source
from harness.model import Array, Shape
from harness.store.fixture_writer import section, write_fixture
from harness.store.samples_of_files import Gathered, fixture_arrays, nonfinite

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
) -> None:
    """Write the case.toml of a graph, with the shapes of what the reference returned."""
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
        arrays = list(each.arrays.values())
        kind = KINDS[arrays[0].dtype.kind]
        shape = _written(symbols.shape(arrays))
        lines.append(
            f"{each.name} = " + (shape if kind == "float" else f'{{ shape = {shape}, dtype = "{kind}" }}')
        )
    lines.append("")
    for step, found in zip(graph.steps, outputs, strict=True):
        of_output = [list(by_sample.values()) for by_sample in found.values()]
        values = {output: _value(symbols, each) for output, each in zip(step.outputs, of_output, strict=True)}
        fields = ", ".join(f'"{each}"' for each in step.inputs)
        lines += ["[[stage]]", f'name = "{step.name}"', f"inputs = [{fields}]"]
        if step.outputs == (step.name,):
            lines += [f"{key} = {value}" for key, value in values[step.name].items()]
        else:
            lines.append("outputs = [")
            for output, known in values.items():
                inside = ", ".join(f"{key} = {value}" for key, value in known.items())
                lines.append(f'    {{ name = "{output}", {inside} }},')
            lines.append("]")
        lines.append("")
    (draft / "case.toml").write_text("\n".join(lines).rstrip("\n") + "\n", encoding="utf-8")


def _value(symbols: Symbols, arrays: Sequence[Array]) -> dict[str, str]:
    kind = KINDS[arrays[0].dtype.kind]
    value = {"shape": _written(symbols.shape(arrays))}
    if kind != "float":
        value["dtype"] = f'"{kind}"'
    if kind in ("int", "bool"):
        value["tolerance"] = '{ rule = "exact" }'
    elif any(np.isnan(array).any() for array in arrays):
        value["nan"] = "true"
    return value


def _written(shape: Shape) -> str:
    return "[" + ", ".join(f'"{size}"' if isinstance(size, str) else str(size) for size in shape) + "]"


def put_fixture(folder: Path, name: str, inputs: Sequence[Input], data: Gathered | None) -> None:
    """Write the fixture of the inputs: numbers as they are, the rest as data."""
    samples = [sample for sample in fixture_of(name, inputs).samples if sample != ONLY]
    gathered = Gathered(
        samples={
            sample: {each.name: each.arrays[sample] for each in inputs if sample in each.arrays}
            for sample in samples
        },
        shared={each.name: each.arrays[""] for each in inputs if "" in each.arrays},
        origin=data.origin if data is not None else "numbers of the program",
    )
    arrays = fixture_arrays(gathered)
    literal = {each.name: each.arrays[""].tolist() for each in inputs if each.literal}
    kept = sorted(full for full in arrays if full not in literal)
    generators: list[dict[str, object]] = [{"kind": "literal", "arrays": literal}] if literal else []
    if kept:
        generators.append({"kind": "data", "arrays": kept})
    origins = {
        full: next(each.origin for each in inputs if each.name == full.rpartition("/")[2]) for full in arrays
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
