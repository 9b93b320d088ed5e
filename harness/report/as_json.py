"""A record, or an ErrorStats, as one JSON object."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import msgspec

from harness.model import Cell, ErrorStats, Record, outcome_of
from harness.report import view

SCHEMA = 1
"""Goes up when a key changes its meaning or goes away."""


def record_object(record: Record) -> dict[str, Any]:
    """The object that ``harness run --json`` prints.

    Parameters
    ----------
    record : Record
        A run, whole or not.

    Returns
    -------
    dict
        ``schema``; ``summary``, cells by verdict; ``cells``; ``runtimes``, the ``machine`` among them,
        with what each is or why it is missing; ``first_divergence``, or ``None``; ``consensus``, for each
        stage on which not all agree; ``outcome``, ``exit_code`` and ``reasons``, as `outcome_of` says;
        ``partial``; ``complaints``; ``left_out`` and ``documents``, as the record has them.
    """
    header = record.header
    first = view.first_divergence(record)
    outcome = outcome_of(record)
    return {
        "schema": SCHEMA,
        "summary": {str(verdict): n for verdict, n in view.counts(record.cells).items()},
        "cells": [cell_object(cell) for cell in view.ordered(record)],
        "runtimes": {
            "machine": {
                "harness": header.harness,
                "python": header.python,
                "platform": header.platform,
                "cpu": header.cpu,
                "cores": header.cores,
            },
            **{name: msgspec.to_builtins(info) for name, info in header.runtimes.items()},
            **{absent.runtime: {"missing": absent.reason} for absent in header.absent},
        },
        "first_divergence": None if first is None else _divergence_object(first),
        "consensus": [msgspec.to_builtins(consensus) for consensus in record.consensus],
        "outcome": outcome.outcome,
        "exit_code": outcome.exit_code,
        "reasons": list(outcome.reasons),
        "partial": record.footer is None or record.footer.partial,
        "complaints": list(record.footer.complaints) if record.footer else [],
        "left_out": {kind: msgspec.to_builtins(part) for kind, part in header.left_out.items()},
        "documents": [msgspec.to_builtins(document) for document in record.documents],
    }


def cell_object(cell: Cell) -> dict[str, Any]:
    """One verdict; the errors are ``None`` where nothing was compared."""
    return {
        "case": cell.case,
        "stage": cell.stage,
        "implementation": cell.implementation,
        "language": cell.language,
        "mode": cell.mode,
        "source": cell.source,
        "verdict": cell.verdict,
        **view.figures(cell.stats),
        "reason": cell.reason,
        "precision": cell.precision,
        "check": cell.check,
        "ulp_error": cell.ulp_error,
        "limit": cell.limit,
        "used": None if cell.stats is None else cell.stats.used,
        "sample": cell.worst_sample,
        "against": cell.against,
        "divergence": cell.divergence,
        "inherited": cell.inherited,
        "basis": cell.basis,
        "weaker_because": cell.weaker_because,
        "undecided": cell.undecided,
        "elements": cell.elements,
        "by_sample": [msgspec.structs.asdict(sample_verdict) for sample_verdict in cell.by_sample],
    }


def comparison_object(arrays: Mapping[str, ErrorStats]) -> dict[str, Any]:
    """The object that ``harness compare --json`` prints: all of ErrorStats, for each pair of arrays."""
    return {"schema": SCHEMA, "arrays": {name: msgspec.to_builtins(stats) for name, stats in arrays.items()}}


def dumps(value: Any) -> str:
    """Strict JSON in ASCII; what JSON has no number for is a text: "NaN", "Infinity" or "-Infinity"."""
    return json.dumps(_finite(value), allow_nan=False)


def _divergence_object(first: view.Divergence) -> dict[str, Any]:
    cell = first.cell
    index = view.place_of_error(cell.stats) if cell.stats is not None else None
    return {
        **cell_object(cell),
        "index": None if index is None else list(index),
        "isolated": first.isolated,
    }


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
