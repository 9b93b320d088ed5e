"""The keys of cached true values: hashes of all that the values depend on."""

from __future__ import annotations

import functools
import hashlib
import platform
from pathlib import Path

import msgspec
import numpy as np

from harness.conformance.plan import PlannedCase
from harness.errors import FixtureError
from harness.model import Mode, Observed, Precision
from harness.runtimes.oracle import oracle_info
from harness.store.provenance import digest, file_hash, graph_hash

VERSION = 4
"""Raised when the same source and inputs give other true values or limits."""

_PACKAGE = Path(__file__).resolve().parents[1]


def question_of(planned: PlannedCase) -> str:
    """Return what tells one case of a run from all others: faults and other inputs make new ones.

    No file is read, unlike for `content_hash`: a run's files stay as they are.
    """
    parts = [
        planned.case.name,
        [stage.name for stage in planned.case.stages],
        {name: (value.tolerance, value.up_to) for name, value in planned.case.values.items()},
        str(planned.reference.path),
        planned.fixture.sha256,
        list(planned.fixture.samples),
    ]
    return msgspec.json.encode(parts).decode()


def content_hash(planned: PlannedCase) -> str:
    """Return the sha256 of all that a case's true values depend on, except the stages' inputs.

    Empty where the case's folder holds too much to be read: nothing can be kept then.
    """
    try:
        beside = planned.beside.of(planned.reference.path)
    except FixtureError:
        return ""
    parts = [
        VERSION,
        [file_hash(path) for path in _sources()],
        # Reasons name the reference's file.
        planned.reference.path.name,
        file_hash(planned.reference.path),
        beside,
        planned.fixture.sha256,
        list(planned.fixture.samples),
        graph_hash(planned.case),
        {name: (value.tolerance, value.up_to) for name, value in planned.case.values.items()},
        np.__version__,
        oracle_info().libraries,
        platform.python_version(),
        platform.machine(),
    ]
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def key_of(content: str, precision: Precision, mode: Mode, upstream: Observed) -> str:
    """Return the name of cached true values, from their case's `content_hash` and the stages' inputs."""
    parts = [content, precision, mode, digest(upstream)]
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


@functools.cache
def _sources() -> tuple[Path, ...]:
    """Return all code that the oracle's values depend on."""
    return (
        *sorted((_PACKAGE / "oracle").rglob("*.py")),
        _PACKAGE / "workers" / "modules_beside.py",
        _PACKAGE / "workers" / "python_source.py",
        _PACKAGE / "numerics" / "tolerance.py",
    )
