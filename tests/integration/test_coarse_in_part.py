"""Most of an output has no limit: a wrong one is found all the same, and nothing is said of a right one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from harness.conformance.cell_script import write
from harness.conformance.plan import make_plan
from harness.conformance.reproduce import reproduce
from harness.conformance.run import run
from harness.model import Basis, Check, Mode, Outcome, Record, Verdict, outcome_of
from harness.store.fixture_writer import write_fixture

pytest.importorskip("flint")

CASE = """
[case]
name = "open"
title = "elements without a limit"
origin = "here"
fixture = "open"

[inputs]
x = ["n"]
z = ["m"]
K = ["p", "q"]

[[stage]]
name = "sigmoid"
inputs = ["x"]
shape = ["n"]
nan = true

[[stage]]
name = "kalman"
inputs = ["z"]
shape = ["m", 2]

[[stage]]
name = "causal"
inputs = ["K"]
shape = ["p", "q"]

[[stage]]
name = "pole"
inputs = ["x"]
shape = ["n"]
nan = true
"""
NUMPY = """
import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def kalman(z):
    x, P = np.zeros((2, 1)), np.eye(2) * 500.0
    F, H = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    R, Q = np.array([[5.0]]), np.array([[0.25, 0.5], [0.5, 1.0]]) * 0.1
    out = np.zeros((len(z), 2))
    for i in range(len(z)):
        x, P = F @ x, F @ P @ F.T + Q
        S = H @ P @ H.T + R
        K = P @ H.T @ np.linalg.inv(S)
        x = x + K @ (z[i] - H @ x)
        L = np.eye(2) - K @ H
        P = L @ P @ L.T + K @ R @ K.T
        out[i] = x[:, 0]
    return out


def causal(K):
    s = K @ K.T / np.sqrt(K.shape[1])
    s = np.where(np.tril(np.ones(s.shape)) > 0, s, -np.inf)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)) @ K


def pole(x):
    # What is left of 0.1 * 3 - 0.3 is rounding alone.
    return 1 / (x * 0.1 * 3 - 0.3)
"""
# Other ways to compute the same.
RIGHT = """

def sigmoid(x):
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, 1.0) / (1 + e)


def kalman(z):
    p, v = 0.0, 0.0
    a, b, c = 500.0, 0.0, 500.0
    out = np.zeros((len(z), 2))
    for i, t in enumerate(z):
        p, a, b, c = p + v, a + 2 * b + c + 0.025, b + c + 0.05, c + 0.1
        g, h = a / (a + 5), b / (a + 5)
        y = t - p
        p, v = p + g * y, v + h * y
        a, b, c = (1 - g) * a, (1 - g) * b, c - h * b
        out[i] = p, v
    return out
"""
FAULTS = {
    ("sigmoid", "r[0] = np.nan"),
    ("sigmoid", "r[0] = -1e300"),
    ("sigmoid", "r[0] = 0.7"),
    ("sigmoid", "r[3] = 0.0"),
    ("kalman", "r[21:] += 100.0"),
    ("causal", "r[:-1] *= 1.5"),
    ("pole", "r[1] = 7.0"),
    ("pole", "r[1] = np.inf"),
}


def changed(stage: str, by: str) -> str:
    lines = [f"_{stage} = {stage}", f"def {stage}(v):", f"    r = _{stage}(v)", f"    {by}", "    return r"]
    return "\n".join([NUMPY, *lines, ""])


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    suite = tmp_path_factory.mktemp("coarse") / "suite"
    folder = suite / "open"
    folder.mkdir(parents=True)
    (folder / "case.toml").write_text(CASE, encoding="utf-8")
    (folder / "open.py").write_text(NUMPY, encoding="utf-8")
    right = NUMPY + RIGHT
    (folder / "open.right.py").write_text(right, encoding="utf-8")
    for number, (stage, by) in enumerate(sorted(FAULTS)):
        (folder / f"open.f{number}.py").write_text(changed(stage, by), encoding="utf-8")
    rng = np.random.default_rng(3)
    write_fixture(
        suite / "fixtures" / "open",
        version=1,
        title="x",
        origin="here",
        licence="MIT",
        generator=[{"kind": "by hand"}],
        arrays={
            "x": np.array([-800.0, 1.0, 2.0, np.nan]),
            "z": np.cumsum(rng.normal(size=30)),
            "K": np.round(rng.normal(size=(8, 6)), 3),
        },
        origins=dict.fromkeys("xzK", "here"),
        nonfinite=["x"],
    )
    return suite


@pytest.fixture(scope="module")
def record(suite: Path, tmp_path_factory: pytest.TempPathFactory) -> Record:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARNESS_CACHE", str(tmp_path_factory.mktemp("cache")))
        return run(make_plan(suite), out=None)


def test_right_ones_agree(record: Record) -> None:
    failing = [cell for cell in record.cells if cell.implementation in {"numpy", "numpy.right"}]
    assert {cell.verdict for cell in failing} == {Verdict.PASS}
    assert {cell.undecided for cell in failing if cell.implementation == "numpy.right"} == {0}


@pytest.mark.parametrize(("number", "stage"), [(n, stage) for n, (stage, _) in enumerate(sorted(FAULTS))])
def test_wrong_ones_are_found_at_their_stage(record: Record, number: int, stage: str) -> None:
    assert outcome_of(record).outcome is Outcome.DIVERGENCE
    off = [
        cell for cell in record.cells if cell.implementation == f"numpy.f{number}" and cell.verdict == "FAIL"
    ]
    assert {(cell.stage, cell.mode) for cell in off} == {(stage, Mode.CHAINED), (stage, Mode.ISOLATED)}
    assert not any(cell.inherited for cell in off)


@pytest.mark.parametrize("number", [n for n, (stage, _) in enumerate(sorted(FAULTS)) if stage == "pole"])
def test_the_script_of_a_cell_has_the_same_count(
    suite: Path, record: Record, tmp_path: Path, number: int
) -> None:
    name = f"numpy.f{number}"
    (cell,) = (
        cell
        for cell in record.cells
        if cell.basis is Basis.COARSE
        and (cell.stage, cell.implementation, cell.mode) == ("pole", name, Mode.CHAINED)
    )
    assert cell.stats is not None
    # NaN among the inputs is the other one, on both sides.
    assert (cell.stats.count, cell.stats.beyond) == (2, 1)
    assert cell.weaker_because.startswith("2 of 4 elements have no limit: a division by what rounding")
    script = reproduce(make_plan(suite), "open", "pole", name, mode=Mode.CHAINED, check=Check.REFERENCE)
    path = write(script, tmp_path)
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "1 of 2 elements are beyond their limit" in done.stdout
