"""True values and limits: the reference's own functions on balls, and on arrays that carry their rounding."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from typing import Any

import flint
import numpy as np

from harness.oracle.ball_arrays import exact
from harness.oracle.balls import as_balls, precision
from harness.oracle.parts import TRUE_BITS, Unknown, parts_of
from harness.oracle.registry import arithmetic
from harness.oracle.rounding import Rounded
from harness.oracle.sampled import sampled
from harness.workers.loop import Fault, Problem
from harness.workers.protocol import Array
from harness.workers.python_source import Source, outputs_of

PARTS = 5
"""Arrays a value: high, low, radius, worst, limit."""


class OracleHost:
    """NumPy files, evaluated on arrays that are not floating-point numbers."""

    def describe(self) -> dict[str, Any]:
        """Versions; it runs no stage in any floating-point format."""
        return {
            "language": "Python",
            "version": platform.python_version(),
            "hosting": "python",
            "libraries": {"python-flint": flint.__version__, "numpy": np.__version__},
            "dtypes": [],
            "platform": platform.platform(),
        }

    def load(self, source: str, stages: Mapping[str, int]) -> tuple[Source, list[Problem]]:
        """Evaluate a file in a module of its own."""
        loaded = Source(source)
        return loaded, loaded.problems(stages)

    def call(
        self, loaded: Source, stage: str, arrays: list[Array], outputs: int
    ) -> tuple[float, Sequence[Array]]:
        """Nothing: an oracle has no floating-point results."""
        raise Fault("protocol", "an oracle is asked for the truth")

    def truth(
        self, loaded: Source, params: Mapping[str, Any], arrays: list[Array]
    ) -> tuple[dict[str, Any], Sequence[Array]]:
        """True values of stages, and how far a computation may be off.

        Parameters
        ----------
        loaded : Source
            From `load`.
        params : mapping
            ``names``, of the arrays; ``stages``, each with its ``name``, ``inputs`` and ``outputs``;
            ``wanted``, the outputs that are told; ``feed``: whether a stage takes the true values of those
            before it, instead of the arrays; ``bits``: 53 or 24; ``balls``: whether the worst case is
            computed in balls as well.
        arrays : list of ndarray
            Taken as exact.

        Returns
        -------
        result : dict
            ``values``: outputs for which arrays follow; ``problems``: by stage, why it has none.
        arrays : sequence of ndarray of float64
            For each value its high and low part, their radius, the worst error and the limit: in a sample
            of the rows and columns of a large one, where it can be computed in these alone.
        """
        bits, feed = int(params["bits"]), bool(params["feed"])
        given = dict(zip(params["names"], arrays, strict=True))
        drawn = sampled(loaded, params, given)
        if drawn is not None:
            return drawn
        rounded = arithmetic(bits)
        views: list[_View] = [
            _View(given, TRUE_BITS, exact, as_balls),
            _View(given, bits, rounded.given, rounded.gather),
        ]
        if params["balls"]:
            views.append(_View(given, bits, exact, as_balls))
        values: list[str] = []
        parts: list[Array] = []
        problems: dict[str, str] = {}
        for stage in params["stages"]:
            try:
                results = [view.run(loaded, stage, feed=feed) for view in views]
                for name, *found in zip(stage["outputs"], *results, strict=True):
                    if name in params["wanted"]:
                        parts += parts_of(*found, unit=rounded.unit)
                        values.append(name)
            except (Fault, Unknown) as error:
                problems[stage["name"]] = str(error)
        return {"values": values, "problems": problems}, parts

    def close(self) -> None:
        """Nothing to tidy."""


class _View:
    """The values of a graph in one arithmetic."""

    def __init__(self, given: Mapping[str, Array], bits: int, make: Any, gather: Any) -> None:
        self.bits = bits
        self.gather = gather
        with precision(bits):
            self.values: dict[str, Any] = {
                name: make(array.astype(np.float64)) if array.dtype.kind == "f" else array
                for name, array in given.items()
            }

    def run(self, loaded: Source, stage: Mapping[str, Any], *, feed: bool) -> list[Any]:
        """One stage's outputs."""
        for problem in loaded.problems({stage["name"]: len(stage["inputs"])}):
            raise Unknown(problem["message"])
        missing = [name for name in stage["inputs"] if name not in self.values]
        if missing:
            raise Unknown(f"there is no true value of {', '.join(missing)}")
        names = stage["outputs"]
        with precision(self.bits), np.errstate(all="ignore"):
            _, value = loaded.call(stage["name"], [self.values[name] for name in stage["inputs"]])
            found = outputs_of(value, len(names), self._gathered)
        if feed:
            self.values.update(zip(names, found, strict=True))
        return found

    def _gathered(self, value: Any) -> Any:
        if not isinstance(value, Rounded):
            array = np.asarray(value)
            if array.dtype.kind in "biu":
                return array
        return self.gather(value)


def start() -> OracleHost:
    """python-flint is here already."""
    return OracleHost()
