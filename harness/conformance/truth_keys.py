"""What the true values in the cache depend on."""

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
"""Goes up when the same source and inputs give other true values or limits."""

_PACKAGE = Path(__file__).resolve().parents[1]


def content_hash(planned: PlannedCase) -> str:
    """The sha256 of what the true values of a case follow from, whatever its stages are given.

    Empty where the case's folder holds too much to be read: nothing can be kept then.
    """
    try:
        beside = planned.beside.of(planned.reference.path)
    except FixtureError:
        return ""
    parts = [
        VERSION,
        [file_hash(path) for path in _sources()],
        file_hash(planned.reference.path),
        beside,
        planned.fixture.sha256,
        list(planned.fixture.samples),
        graph_hash(planned.case),
        {name: value.tolerance for name, value in planned.case.values.items()},
        np.__version__,
        oracle_info().libraries,
        platform.python_version(),
        platform.machine(),
    ]
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def key_of(content: str, precision: Precision, mode: Mode, upstream: Observed) -> str:
    """The name that true values are cached by: their case's `content_hash`, and what its stages are given."""
    parts = [content, precision, mode, digest(upstream)]
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


@functools.cache
def _sources() -> tuple[Path, ...]:
    """All code that decides what the oracle says."""
    return (
        *sorted((_PACKAGE / "oracle").rglob("*.py")),
        _PACKAGE / "workers" / "python_source.py",
        _PACKAGE / "numerics" / "tolerance.py",
    )
