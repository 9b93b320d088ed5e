"""True values of large arrays in a sample of their rows and columns, which are all that is computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import arb

from harness.oracle.ball_arrays import exact
from harness.oracle.balls import as_balls, precision
from harness.oracle.demand import LARGE, MOST, Places, everything, pick, sample
from harness.oracle.follow import evaluate
from harness.oracle.lazy import Lazy
from harness.oracle.parts import TRUE_BITS, Unknown, parts_of
from harness.oracle.registry import arithmetic
from harness.workers.python_source import Source, outputs_of

Array = npt.NDArray[Any]
Told = tuple[dict[str, Any], list[Array]]


def sampled(loaded: Source, params: Mapping[str, Any], given: Mapping[str, Array]) -> Told | None:
    """What `OracleHost.truth` tells; None where no value is large, or they cannot be computed in part.

    Parameters
    ----------
    loaded : Source
        The file.
    params : mapping
        As there.
    given : mapping
        Arrays by name.
    """
    if not any(length > MOST for array in given.values() for length in array.shape):
        return None
    try:
        wanted = _written(loaded, params, given)
        if all(one.size <= LARGE for one, _ in wanted.values()):
            return None
        bits = int(params["bits"])
        rounded = arithmetic(bits)
        results = [
            _evaluated(wanted, given, TRUE_BITS, exact, arb),
            _evaluated(wanted, given, bits, rounded.given, rounded),
        ]
        if params["balls"]:
            results.append(_evaluated(wanted, given, bits, exact, arb))
        true, probable, *balls = (
            {name: gather(one[name]) for name in wanted}
            for one, gather in zip(results, (as_balls, rounded.gather, as_balls), strict=False)
        )
    except Exception:
        # Computing everything will tell what is wrong, if anything is.
        return None
    stages = {name: stage["name"] for stage in params["stages"] for name in stage["outputs"]}
    values: list[str] = []
    parts: list[Array] = []
    problems: dict[str, str] = {}
    for name in wanted:
        try:
            found = [true[name], probable[name], *(one[name] for one in balls)]
            parts += parts_of(*found, unit=rounded.unit)
            values.append(name)
        except Unknown as error:
            problems[stages[name]] = str(error)
    return {"values": values, "problems": problems}, parts


def _written(
    loaded: Source, params: Mapping[str, Any], given: Mapping[str, Array]
) -> dict[str, tuple[Lazy, Places]]:
    """The values that are told, written down, and the places that are computed of each."""
    values: dict[str, Any] = {
        name: Lazy.given(name, array.shape) if array.dtype.kind == "f" else array
        for name, array in given.items()
    }
    wanted: dict[str, tuple[Lazy, Places]] = {}
    for stage in params["stages"]:
        names = stage["outputs"]
        _, value = loaded.call(stage["name"], [values[name] for name in stage["inputs"]])
        found = outputs_of(value, len(names), _lazy)
        if params["feed"]:
            values.update(zip(names, found, strict=True))
        for name, one in zip(names, found, strict=True):
            if name in params["wanted"]:
                wanted[name] = one, sample(one.shape)
    return wanted


def _lazy(value: Any) -> Lazy:
    if isinstance(value, Lazy):
        return value
    raise TypeError("does not depend on the inputs alone")


def _evaluated(
    wanted: Mapping[str, tuple[Lazy, Places]], given: Mapping[str, Array], bits: int, make: Any, constant: Any
) -> dict[str, Any]:
    def part(name: str, places: Places) -> Any:
        array = given[name]
        return make(pick(array.astype(np.float64), everything(array.shape), places))

    with precision(bits), np.errstate(all="ignore"):
        return evaluate(wanted, part, constant)
