"""True values of large arrays in a sample of their rows and columns; other elements are not computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle.backward_slice import evaluate, numbers
from harness.oracle.balls import precision
from harness.oracle.lazy import Lazy, lazy
from harness.oracle.oracle_array import OracleArray
from harness.oracle.oracle_source import OracleSource
from harness.oracle.registry import arithmetic, balls
from harness.oracle.sampling import LARGE, MOST, NUMBERS, Places, everything, pick, sample, too_many
from harness.oracle.truth_parts import TRUE_BITS, parts_of
from harness.oracle.unknown import Unknown
from harness.workers.python_source import outputs_of

Array = npt.NDArray[Any]
Told = tuple[dict[str, Any], list[Array]]


def sampled(loaded: OracleSource, params: Mapping[str, Any], given: Mapping[str, Array]) -> Told | None:
    """The answer of `OracleHost.truth`; None if no value is large, or they cannot be computed in part.

    Parameters
    ----------
    loaded : OracleSource
        The file.
    params : mapping
        As in `OracleHost.truth`.
    given : mapping
        Arrays by name.
    """
    if not any(length > MOST for array in given.values() for length in array.shape):
        return None
    try:
        wanted = _written(loaded, params, given)
        if all(array.size <= LARGE for array, _ in wanted.values()):
            return None
        needed = {name: numbers(array, places) for name, (array, places) in wanted.items()}
        wanted = {name: pair for name, pair in wanted.items() if needed[name] <= NUMBERS}
        bits = int(params["bits"])
        rounded = arithmetic(bits)
        exact = balls(bits)
        true = _evaluated(wanted, given, TRUE_BITS, exact)
        probable = _evaluated(wanted, given, bits, rounded)
        worst = _evaluated(wanted, given, bits, exact) if params["balls"] else None
    except Exception:
        # Computing everything will show what is wrong, if anything is.
        return None
    if exact.signs.count:
        return None
    met = tuple(dict.fromkeys([*exact.branches.take(), *rounded.branches.take()]))
    # The maximum of magnitudes, without a copy of the array.
    scale = max(float(max(array.max(initial=0), -float(array.min(initial=0)))) for array in given.values())
    stages = {name: stage["name"] for stage in params["stages"] for name in stage["outputs"]}
    values: list[str] = []
    parts: list[Array] = []
    problems = {stages[name]: too_many(most) for name, most in needed.items() if most > NUMBERS}
    why: dict[str, str] = {}
    for name in wanted:
        try:
            value = parts_of(
                true[name],
                probable[name],
                worst[name] if worst else None,
                unit=rounded.unit,
                bits=TRUE_BITS,
                met=met,
                scale=scale,
            )
            parts += value.arrays
            values.append(name)
            if value.why:
                why[name] = value.why
        except Unknown as error:
            problems[stages[name]] = str(error)
    result = {
        "values": values,
        "problems": {stage: loaded.placed(reason, stage) for stage, reason in problems.items()},
        "why": {name: loaded.placed(reason, stages[name]) for name, reason in why.items()},
    }
    return result, parts


def _written(
    loaded: OracleSource, params: Mapping[str, Any], given: Mapping[str, Array]
) -> dict[str, tuple[Lazy, Places]]:
    """The values that are wanted, as lazy arrays, and the places that are computed of each."""
    kind = loaded.kind(lazy, int(params["bits"]), 0)
    values: dict[str, Any] = {
        name: kind.given(name, array.shape) if array.dtype.kind == "f" else array
        for name, array in given.items()
    }
    wanted: dict[str, tuple[Lazy, Places]] = {}
    for stage in params["stages"]:
        names = stage["outputs"]
        copies = [values[name].copy() for name in stage["inputs"]]
        _, value = loaded.within(kind).call(stage["name"], copies)
        outputs = outputs_of(value, len(names), _lazy)
        if params["feed"]:
            values.update(zip(names, outputs, strict=True))
        for name, output in zip(names, outputs, strict=True):
            if name in params["wanted"]:
                wanted[name] = output, sample(output.shape)
    return wanted


def _lazy(value: Any) -> Lazy:
    if isinstance(value, Lazy):
        return value
    raise TypeError("does not depend on the inputs alone")


def _evaluated(
    wanted: Mapping[str, tuple[Lazy, Places]], given: Mapping[str, Array], bits: int, kind: type[OracleArray]
) -> dict[str, Any]:
    def part(name: str, places: Places) -> Any:
        array = given[name]
        return kind.given(pick(array, everything(array.shape), places).astype(np.float64))

    with precision(bits), np.errstate(all="ignore"):
        return evaluate(wanted, part, kind.gather)
