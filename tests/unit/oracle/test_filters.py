"""Filters that run over many steps: limits follow what errors have in common, and do not grow with them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.oracle_host import start

KALMAN = """
def f(z):
    x, P = np.zeros(2), np.eye(2) * 500.0
    F, H = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    Q, R = np.array([[0.25, 0.5], [0.5, 1.0]]) * 0.1, np.array([[5.0]])
    out = np.zeros((len(z), 2))
    for i in range(len(z)):
        x, P = F @ x, F @ P @ F.T + Q
        S = H @ P @ H.T + R
        K = P @ H.T @ {inverse}
        x = x + K @ (z[i] - H @ x)
        J = np.eye(2) - K @ H
        P = J @ P @ J.T + K @ R @ K.T
        out[i] = x[0], {second}
    return out
"""


def filtered(z: np.ndarray) -> np.ndarray:
    """The first column in fractions: the covariance in its short form, which is the same in exact numbers."""
    tenth = Fraction(0.1)
    q = [tenth / 4, tenth / 2, tenth]
    x, p = [Fraction(0), Fraction(0)], [Fraction(500), Fraction(0), Fraction(500)]
    out = []
    for measured in z:
        x = [x[0] + x[1], x[1]]
        p = [p[0] + 2 * p[1] + p[2] + q[0], p[1] + p[2] + q[1], p[2] + q[2]]
        k = [p[0] / (p[0] + 5), p[1] / (p[0] + 5)]
        away = Fraction(float(measured)) - x[0]
        x = [x[0] + k[0] * away, x[1] + k[1] * away]
        p = [p[0] - k[0] * p[0], p[1] - k[0] * p[1], p[2] - k[1] * p[1]]
        # Short enough to be fast, long enough to be exact.
        x, p = ([Fraction(round(n * 2**400), 2**400) for n in many] for many in (x, p))
        out.append(float(x[0]))
    return np.array(out)


@pytest.mark.parametrize(
    ("steps", "inverse", "second"),
    [
        # Of 200 steps 256 bits tell nothing.
        (200, "np.linalg.inv(S)", "np.log(np.linalg.det(S))"),
        (40, "np.linalg.pinv(S)", "np.linalg.slogdet(S)[1]"),
        (40, "np.linalg.solve(S, np.eye(1))", "np.linalg.cholesky(S)[0, 0]"),
    ],
)
def test_a_kalman_filter_has_a_limit_at_every_step(
    steps: int, inverse: str, second: str, tmp_path: Path
) -> None:
    z = np.cumsum(np.random.default_rng(0).normal(size=steps))
    path = tmp_path / "kalman.py"
    path.write_text("import numpy as np\n" + KALMAN.format(inverse=inverse, second=second), encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["z"], "outputs": ["f"]}
    params = {"names": ["z"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": 53, "balls": False}
    answer, (high, low, _, _, limit) = host.truth(loaded, params | {"seconds": 60.0}, [z])
    assert (answer["problems"], answer["why"]) == ({}, {})
    expected = filtered(z)
    assert (np.abs((high + low)[:, 0] - expected) <= 1e-15 * np.maximum(np.abs(expected), 1.0)).all()
    # NumPy's own is within a third of the limit, and a noise that is wrong by a millionth is far beyond it.
    names: dict[str, Any] = {"np": np}
    exec(KALMAN.format(inverse=inverse, second=second), names)
    assert (np.abs(names["f"](z) - high) <= limit / 3.0).all()
    exec(KALMAN.format(inverse=inverse, second=second).replace("* 0.1", "* 0.1000001"), names)
    assert (np.abs(names["f"](z)[4:, 0] - high[4:, 0]) > 10.0 * limit[4:, 0]).mean() > 0.9


def test_a_matrix_that_is_singular_is_no_matter_of_bits(tmp_path: Path) -> None:
    path = tmp_path / "singular.py"
    path.write_text("import numpy as np\ndef f(A):\n    return np.linalg.inv(A)\n", encoding="utf-8")
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["A"], "outputs": ["f"]}
    params = {"names": ["A"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": 53, "balls": False}
    answer, _ = host.truth(loaded, params | {"seconds": 60.0}, [np.array([[1.0, 2.0], [2.0, 4.0]])])
    why = (
        "no limit can be derived for `np.linalg.inv(A)` (line 3 of singular.py): "
        "the matrix of numpy.linalg.inv is singular, or nearly so"
    )
    assert answer["problems"] == {"f": why}
    assert answer["spent"] < 1.0
