"""What recorded values depend on, as hashes: the source, the fixture, the case's graph, the values fed in."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import numpy as np

from harness.model import Case, Failure, Frozen, Observed, Stage
from harness.store.arrays import plain


class Provenance(Frozen, frozen=True, kw_only=True, omit_defaults=True):
    """What a snapshot depends on: sha256 of files, of the fixture, and of the case's graph.

    ``beside`` has those of the files that the source and the reference may read, by their paths in the case's
    folder; older snapshots have none.
    """

    source: str
    reference: str
    fixture: str
    graph: str
    protocol: int
    beside: dict[str, str] = msgspec.field(default_factory=dict)


def file_hash(path: Path) -> str:
    """The sha256 of a source file, line ends as on Unix."""
    return hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()


def graph_hash(case: Case) -> str:
    """The sha256 of what a case's values follow from: inputs and stages, without tolerances and meanings."""

    def shapes(values: tuple[msgspec.Struct, ...]) -> list[list[object]]:
        keys = ("name", "shape", "dtype", "lenient", "missing", "optional")
        # What is none of the later ones has the hash that it had before there were any.
        return [[getattr(v, key) for key in keys if getattr(v, key) is not False] for v in values]

    graph = [
        shapes(case.inputs),
        [[stage.name, stage.inputs, shapes(stage.outputs), *_how(stage)] for stage in case.stages],
        *[each for each in (case.levels, case.modules) if each],
    ]
    return hashlib.sha256(msgspec.json.encode(graph)).hexdigest()


def _how(stage: Stage) -> list[object]:
    """What is said of a stage beside its arrays, if anything is."""
    how: list[object] = [stage.takes, stage.returns, stage.call, stage.construct]
    return how if any(how) else []


def digest(observed: Observed) -> str:
    """The sha256 of all values, in order: names, dtypes, shapes and bits; of failures, the reasons."""
    sha = hashlib.sha256()
    for (sample, stage), observation in observed.items():
        if isinstance(observation, Failure):
            sha.update(msgspec.json.encode([sample, stage, observation.verdict, observation.reason]))
            continue
        for name, array in observation.outputs.items():
            flat = plain(array)
            sha.update(msgspec.json.encode([sample, stage, name, flat.dtype.str, flat.shape]))
            sha.update(np.ascontiguousarray(flat).data)
    return sha.hexdigest()
