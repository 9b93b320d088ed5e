"""PyTorch's functions of complex arrays are within the limits that the oracle derives."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("flint")

from tests.unit.oracle.conftest import Share, share
from tests.unit.oracle.test_complex_functions import RIGHT, draw, parts

__all__ = ["share"]


@pytest.mark.torch
@pytest.mark.parametrize("name", ["exp", "log", "sqrt", "sin", "cos", "sinh", "cosh", "reciprocal"])
def test_pytorch_is_granted(share: Share, name: str) -> None:
    torch = pytest.importorskip("torch")

    def by(z: np.ndarray) -> np.ndarray:
        return np.asarray(getattr(torch, name)(torch.from_numpy(z)).numpy())

    for seed in range(10):
        given = 3 * draw(5, 8, seed=seed), 3 * draw(5, 8, seed=seed + 50)
        assert share(parts(RIGHT[name]), *given, by=parts(by)) <= 0.8
