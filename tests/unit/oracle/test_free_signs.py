"""Vectors whose signs are free have no true value; what does not depend on the signs has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flint")

from harness.oracle.free_signs import FreeSigns
from harness.oracle.oracle_host import start

SOURCE = """
import numpy as np

def q(x): return np.linalg.qr(x)[0]
def r(x): return np.linalg.qr(x)[1]
def sizes(x): return np.abs(np.linalg.qr(x)[1])
def normal(x):
    q, r = np.linalg.qr(x)
    signs = np.sign(np.diag(r))
    return r * signs[:, None]
def projector(q): return q @ q.T
def solution(x):
    q, r = np.linalg.qr(x)
    return np.linalg.solve(r, q.T @ np.ones(len(q)))
def vectors(x): return np.linalg.eigh(x + x.T).eigenvectors
def values(x): return np.linalg.eigh(x + x.T)[0]
def sums(vectors): return vectors @ vectors.T
def first(x):
    u, s, vt = np.linalg.svd(x)
    return (u[:, :1] * s[:1]) @ vt[:1]
def left(x): return np.linalg.svd(x).U
def pairs(x):
    v = np.linalg.eigh(x + x.T)[1]
    return v[:, :1] * v[:, 1:2]
def squares(x): return np.linalg.eigh(x + x.T)[1] ** 2
"""
X = np.array([[4.0, 1.0, -2.0], [1.0, 2.0, 0.5], [3.0, -1.0, 3.0]])


def ask(
    tmp_path: Path, *stages: tuple[str, str], x: np.ndarray = X, up_to: str = ""
) -> tuple[dict[str, Any], dict[str, Any]]:
    path = tmp_path / "case.py"
    path.write_text(SOURCE, encoding="utf-8")
    host = start()
    loaded, problems = host.load(str(path), {name: 1 for name, _ in stages}, {})
    assert problems == []
    params = {
        "names": ["x"],
        "stages": [{"name": name, "inputs": [given], "outputs": [name]} for name, given in stages],
        "wanted": [name for name, _ in stages],
        "feed": True,
        "bits": 53,
        "balls": True,
        "up_to": {name: up_to for name, _ in stages},
    }
    answer, arrays = host.truth(loaded, params, [x])
    parts = {name: arrays[5 * n : 5 * n + 5] for n, name in enumerate(answer["values"])}
    return parts, answer


@pytest.mark.parametrize("stage", ["q", "vectors", "left", "pairs"])
def test_what_depends_on_a_sign_is_undecided(tmp_path: Path, stage: str) -> None:
    parts, answer = ask(tmp_path, (stage, "x"))
    assert np.isnan(parts[stage][4]).all()
    assert answer["why"][stage].startswith("the signs of the vectors of numpy.linalg.")
    assert answer["why"][stage].endswith(" are free")


@pytest.mark.parametrize(
    ("stage", "up_to"),
    [
        ("q", "sign of columns"),
        ("vectors", "sign of columns"),
        ("left", "sign of columns"),
        ("pairs", "sign"),
    ],
)
def test_signs_that_do_not_matter_leave_a_true_value(tmp_path: Path, stage: str, up_to: str) -> None:
    parts, answer = ask(tmp_path, (stage, "x"), up_to=up_to)
    high, _, _, _, limit = parts[stage]
    assert answer["why"] == {}
    assert (limit > 0).all()
    assert (limit < 1e-13).all()
    theirs = {
        "q": np.linalg.qr(X)[0],
        "vectors": np.linalg.eigh(X + X.T)[1],
        "left": np.linalg.svd(X).U,
        "pairs": np.multiply(*np.hsplit(np.linalg.eigh(X + X.T)[1], 3)[:2]),
    }[stage]
    factor = np.sign((high * theirs).sum(axis=0))
    assert (np.abs(high * factor - theirs) <= limit).all()


@pytest.mark.parametrize(("stage", "up_to"), [("vectors", "sign"), ("r", "sign of columns"), ("q", "labels")])
def test_other_signs_than_those_stay_free(tmp_path: Path, stage: str, up_to: str) -> None:
    parts, answer = ask(tmp_path, (stage, "x"), up_to=up_to)
    assert np.isnan(parts[stage][4]).any()
    assert answer["why"][stage].endswith(" are free")


def test_zeros_have_no_sign(tmp_path: Path) -> None:
    limit = ask(tmp_path, ("r", "x"))[0]["r"][4]
    np.testing.assert_array_equal(np.isnan(limit), np.triu(np.ones((3, 3))) > 0)


@pytest.mark.parametrize("stage", ["sizes", "normal", "solution", "values", "first", "squares"])
def test_what_depends_on_none_has_a_limit(tmp_path: Path, stage: str) -> None:
    parts, answer = ask(tmp_path, (stage, "x"))
    assert answer["problems"] == {}
    assert answer["why"] == {}
    high, _, _, _, limit = parts[stage]
    scope: dict[str, Any] = {}
    exec(SOURCE, scope)
    assert (np.abs(scope[stage](X) - high) <= limit).all()
    # LAPACK's singular value decomposition neglects up to 200 u |x|, which is 1.3e-13.
    assert (limit <= (2e-13 if stage == "first" else 1e-13)).all()


def test_a_later_stage_that_depends_on_none_has_a_limit(tmp_path: Path) -> None:
    parts, _ = ask(tmp_path, ("q", "x"), ("projector", "q"), ("vectors", "x"), ("sums", "vectors"))
    assert np.isnan(parts["q"][4]).all()
    for stage in ("projector", "sums"):
        np.testing.assert_array_equal(parts[stage][0], np.eye(3))
        assert (parts[stage][4] <= 1e-13).all()


def test_vectors_of_equal_values_are_not_told(tmp_path: Path) -> None:
    parts, answer = ask(tmp_path, ("squares", "x"), x=np.eye(3))
    assert "squares" in answer["problems"] or np.isnan(parts["squares"][4]).all()


def test_every_vector_is_turned_and_every_two_are_turned_apart() -> None:
    plain = FreeSigns()
    plain.take(3, "one")
    plain.take(8, "other")
    turned = []
    for bit in plain.bits:
        signs = FreeSigns(bit)
        turned.append(np.concatenate([signs.take(3, "one"), signs.take(8, "other")]))
    columns = np.array(turned).T
    assert (columns.min(axis=1) == -1).all()
    assert len({tuple(row) for row in columns.tolist()}) == 11
    assert plain.reason == "the signs of the vectors of one, other are free"
