"""A case with two inputs, as a domain, without a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from harness.fuzz.domain import Domain, InputDomain
from harness.model import Case, Precision, Stage, Value


def case() -> Case:
    x = Value(name="x", shape=("n", "d"))
    y = Value(name="y", shape=("n",))
    out = Value(name="z", shape=("d",))
    return Case(
        name="toy",
        title="toy",
        origin="here",
        fixture="toy",
        inputs=(x, y),
        stages=(Stage(name="z", inputs=("x", "y"), outputs=(out,)),),
    )


def domain(
    sizes: Mapping[str, tuple[int, ...]] | None = None,
    precision: Precision = Precision.FLOAT64,
    **of_x: Any,
) -> Domain:
    made = case()
    sample = {"x": np.arange(6.0).reshape(3, 2), "y": np.array([1.0, 2.0, 3.0])}
    inputs = {
        "x": InputDomain(value=made.inputs[0], seen=sample["x"].reshape(-1), **of_x),
        "y": InputDomain(value=made.inputs[1], seen=sample["y"]),
    }
    known = {"n": (1, 2, 3), "d": (0, 1, 2)} if sizes is None else dict(sizes)
    return Domain(case=made, precision=precision, samples=(sample,), inputs=inputs, sizes=known)
