"""Rounding is no divergence: chaotic loops have a horizon, ill-conditioned systems no culprit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import main

MAP = """\
r = 3.9
x = 0.31
xs = []
for k in range(120):
    x = r * x * (1 - x)
    xs.append(x)
mean = sum(xs) / len(xs)
print("last", x)
print("mean", mean)
"""
OTHER_MAP = """\
rate = 3.9
state = 0.31
states = []
for step in range(120):
    state = rate * state - rate * state ** 2
    states.append(state)
m = sum(states) / 120
print("last", state)
print("mean", m)
"""
HILBERT = """\
import numpy as np
n = 13
H = np.array([[1 / (i + j + 1) for j in range(n)] for i in range(n)])
b = H.sum(axis=1)
x = np.linalg.solve(H, b)
print(x)
"""
OTHER_HILBERT = """\
import numpy as np
size = 13
index = np.arange(1, size + 1)
A = 1 / (index[:, None] + index - 1)
rhs = A.sum(axis=1)
q, r = np.linalg.qr(A)
solution = np.linalg.solve(r, q.T @ rhs)
print(solution)
"""


def aligned(folder: Path, a: str, b: str) -> tuple[int, dict]:
    (folder / "a.py").write_text(a, encoding="utf-8")
    (folder / "b.py").write_text(b, encoding="utf-8")
    done = CliRunner().invoke(
        main, ["align", str(folder / "a.py"), str(folder / "b.py"), "--json", "--seconds", "120"]
    )
    assert done.stdout, done.stderr
    return done.exit_code, json.loads(done.stdout)


def test_a_chaotic_loop_has_a_horizon(tmp_path: Path) -> None:
    code, said = aligned(tmp_path, MAP, OTHER_MAP)
    assert (code, said["outcome"], said["divergences"]) == (5, "INCOMPLETE", [])
    assert "rounding alone can be the reason" in said["sentence"]
    assert said["notes"][0] == "a.py:5: x and state (b.py:5) agree in the first 51 of 120 values"


def test_an_ill_conditioned_system_has_no_culprit(tmp_path: Path) -> None:
    code, said = aligned(tmp_path, HILBERT, OTHER_HILBERT)
    assert (code, said["outcome"], said["divergences"]) == (5, "INCOMPLETE", [])


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("rate = 3.9", "rate = 3.90001"),
        ("state ** 2", "state ** 2 * (1 + 1e-9)"),
        ("state = 0.31\n", "state = 0.3100000001\n"),
        ("/ 120", "/ 119"),
    ],
)
def test_a_fault_in_a_chaotic_loop_is_none_of_rounding(tmp_path: Path, right: str, wrong: str) -> None:
    code, said = aligned(tmp_path, MAP, OTHER_MAP.replace(right, wrong))
    # What is made of numbers that rounding decides, and wrong by less than that, cannot be told.
    due = (1, "DIVERGENCE") if wrong != "/ 119" else (5, "INCOMPLETE")
    assert (code, said["outcome"]) == due


@pytest.mark.parametrize("wrong", ["- 2)", "/ (index[:, None] + index - 1) * (1 + 1e-12)"])
def test_a_fault_in_an_ill_conditioned_system_is_none_of_rounding(tmp_path: Path, wrong: str) -> None:
    right = "- 1)" if wrong == "- 2)" else "/ (index[:, None] + index - 1)"
    code, said = aligned(tmp_path, HILBERT, OTHER_HILBERT.replace(right, wrong))
    assert (code, said["outcome"]) == (1, "DIVERGENCE")
