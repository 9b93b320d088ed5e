"""Stages of a large matrix, and what the oracle says of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from harness.oracle.oracle_host import start

APART = """
import numpy as np

def rows(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
def columns(x): return x - x.mean(axis=0)
def spread(x): return x.std(axis=1, ddof=1)
def length(x): return np.linalg.norm(x, axis=1)
def all_of_it(x): return np.sqrt(x * x).sum()
def total(x): return x.sum()
def centred(x): return x - x.mean()
def unlimited(x): return np.spacing(x)
def follows(rows, all_of_it): return rows * all_of_it
def after(rows): return np.log(rows)
"""


def apart(folder: Path, x: np.ndarray, feed: bool = False, **stages: list[str]) -> tuple[Any, dict[str, Any]]:
    (folder / "apart.py").write_text(APART, encoding="utf-8")
    host = start()
    params: dict[str, Any] = {
        "names": ["x"],
        "stages": [{"name": name, "inputs": taken, "outputs": [name]} for name, taken in stages.items()],
        "wanted": list(stages),
        "feed": feed,
        "bits": 53,
        "balls": True,
    }
    result, parts = host.truth(host.load(str(folder / "apart.py"), {}, {})[0], params, [x])
    return result, {name: parts[5 * k : 5 * k + 5] for k, name in enumerate(result["values"])}
