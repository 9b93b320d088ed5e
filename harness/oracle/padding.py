"""`numpy.pad` with repeated elements, constants, ramps, or a statistic of a whole axis."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from harness.oracle.oracle_array import OracleArray
from harness.oracle.unknown import NotUnderstood

_MOVING = ("edge", "reflect", "symmetric", "wrap")

_STATISTICS: Mapping[str, Callable[..., Any]] = {
    "maximum": np.max,
    "minimum": np.min,
    "mean": np.mean,
    "median": np.median,
}


def _pad(
    kind: type[OracleArray],
    array: Any,
    pad_width: Any,
    mode: Any = "constant",
    *,
    constant_values: Any = 0,
    end_values: Any = 0,
    reflect_type: str = "even",
    stat_length: Any = None,
) -> Any:
    x = kind.gather(array)
    if mode == "constant":
        return _with_constants(kind, x, pad_width, constant_values)
    if mode in _MOVING and reflect_type == "even":
        places = np.pad(np.arange(x.size).reshape(x.shape), pad_width, mode=mode)
        return x.reshape(-1)[places]
    if mode in _STATISTICS and stat_length is None:
        return _with_statistic(x, pad_width, _STATISTICS[mode])
    if mode == "linear_ramp":
        return _with_ramps(kind, x, pad_width, end_values)
    given = "" if reflect_type == "even" else f", reflect_type={reflect_type!r}"
    given += "" if stat_length is None else f", stat_length={stat_length!r}"
    raise NotUnderstood(f"numpy.pad(mode={mode!r}{given})")


def _with_constants(kind: type[OracleArray], x: Any, pad_width: Any, values: Any) -> Any:
    ends: Any = np.broadcast_to(kind.gather(values), (x.ndim, 2))
    codes = np.arange(2 * x.ndim).reshape(x.ndim, 2)
    places = np.arange(x.size).reshape(x.shape) + codes.size
    # The constants come before the elements, and have places as these do.
    padded = np.pad(places, pad_width, mode="constant", constant_values=codes.tolist())
    return np.concatenate([ends.reshape(-1), x.reshape(-1)])[padded]


def _with_statistic(x: Any, pad_width: Any, statistic: Callable[..., Any]) -> Any:
    # The statistic of an axis includes the padding of the axes before it.
    for axis, (before, after) in enumerate(_pairs(pad_width, x.ndim)):
        filling = statistic(x, axis=axis, keepdims=True)
        x = np.concatenate([np.repeat(filling, before, axis), x, np.repeat(filling, after, axis)], axis=axis)
    return x


def _with_ramps(kind: type[OracleArray], x: Any, pad_width: Any, values: Any) -> Any:
    """Padding in equal steps from a value at the end to the element at the edge."""
    ends: Any = np.broadcast_to(kind.gather(values), (x.ndim, 2))
    for axis, widths in enumerate(_pairs(pad_width, x.ndim)):
        ahead, sides = (slice(None),) * axis, [x]
        for side, width in enumerate(widths):
            edge = x[(*ahead, slice(-1, None) if side else slice(0, 1))]
            steps = np.arange(width, dtype=np.float64)
            shape = [width if k == axis else 1 for k in range(x.ndim)]
            ramp = ends[axis, side] + (edge - ends[axis, side]) / float(max(width, 1)) * steps.reshape(shape)
            sides = [*sides, np.flip(ramp, axis)] if side else [ramp, *sides]
        x = np.concatenate(sides, axis=axis)
    return x


def _pairs(pad_width: Any, ndim: int) -> list[list[int]]:
    if isinstance(pad_width, dict):
        raise NotUnderstood("numpy.pad of axes by their numbers")
    pairs: list[list[int]] = np.broadcast_to(np.asarray(pad_width), (ndim, 2)).tolist()
    return pairs


GENERIC: Mapping[Any, Callable[..., Any]] = {np.pad: _pad}
