"""Arguments of `numpy.linalg` that leave out singular values, or one triangle of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle.unknown import NotUnderstood

Array = npt.NDArray[Any]

SURE = 4.0
"""A rank is decided if no singular value is within this factor of the threshold."""


def keeps_all(values: Array, rcond: Any, what: str) -> None:
    """Refuse a threshold that leaves out singular values, or is near to one."""
    if rcond is None or rcond is np._NoValue:
        return
    sizes = np.linalg.svd(values, compute_uv=False)
    if np.size(rcond) != 1 or not (sizes.min(axis=-1) > SURE * abs(float(rcond)) * sizes.max(axis=-1)).all():
        raise NotUnderstood(f"numpy.linalg.{what}=...)")


def symmetric(values: Array, assumed: bool, what: str) -> None:
    """Refuse a matrix of which only one triangle is used, if the other one differs."""
    if assumed and not (values == np.swapaxes(values, -1, -2)).all():
        raise NotUnderstood(f"numpy.linalg.{what} of a matrix that is not symmetric")


def one_triangle(values: Array, uplo: str) -> None:
    """Refuse the upper triangle of a matrix that is not symmetric: the lower one is computed with."""
    symmetric(values, uplo not in ("L", "l"), f"eigh(UPLO={uplo!r})")
