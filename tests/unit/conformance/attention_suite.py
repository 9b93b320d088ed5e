"""A suite of one case with derived tolerances, and what a run of it says."""

from __future__ import annotations

from pathlib import Path

from harness.model import Check, Mode, Record, Verdict

CASE = """
[case]
name = "attention"
title = "attention"
origin = "here"
fixture = "attention"
precisions = ["float64", "float32"]

[inputs]
Q = ["n", "d"]
K = ["n", "d"]

[[stage]]
name = "scores"
inputs = ["Q", "K"]
shape = ["n", "n"]

[[stage]]
name = "weights"
inputs = ["scores", "K"]
shape = ["n", "n"]

[[stage]]
name = "mask"
inputs = ["weights"]
shape = ["n", "n"]
dtype = "bool"
tolerance = { rule = "exact" }
"""


SOUND = """
import numpy as np


def scores(Q, K):
    return Q @ K.T


def weights(scores, K):
    scaled = scores / np.sqrt(type(K.flat[0])(K.shape[1]))
    e = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def mask(weights):
    return weights > 0.5
"""


def write(suite: Path, text: str, label: str = "") -> None:
    (suite / "attention" / f"attention{label}.py").write_text(text, encoding="utf-8")


def verdicts(record: Record, check: Check, implementation: str = "numpy") -> dict[tuple[str, Mode], Verdict]:
    return {
        (cell.stage, cell.mode): cell.verdict
        for cell in record.cells
        if cell.check is check and cell.implementation == implementation and cell.precision == "float64"
    }
