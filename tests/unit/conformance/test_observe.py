"""What workers are given: the fixture's arrays in the precision of the run."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from harness.conformance.observe import Job
from harness.model import Precision


class Arrays:
    """A fixture of one sample."""

    def __init__(self, **arrays: np.ndarray) -> None:
        self.kept = arrays

    def arrays(self, _: str) -> dict[str, np.ndarray]:
        return self.kept


def test_what_a_short_format_does_not_hold_is_infinite_without_a_warning() -> None:
    # Warnings are errors here: one that names a file of the harness is no user's business.
    nothing: Any = None
    fixture = cast(Any, Arrays(x=np.array([1e6, -1e5, 0.1]), k=np.array([1, 2])))
    job = Job(case=nothing, fixture=fixture, implementation=nothing, precision=Precision.FLOAT16)
    given = job.inputs("default")
    assert given["x"].dtype == np.float16
    assert given["x"].tolist() == [np.inf, -np.inf, float(np.float16(0.1))]
    assert given["k"].tolist() == [1, 2]
