"""True values of large arrays in a sample of their rows and columns; other elements are not computed."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.oracle.backward_slice import evaluate, largest, numbers
from harness.oracle.balls import precision
from harness.oracle.lazy import Lazy, lazy
from harness.oracle.lazy_axes import Along
from harness.oracle.oracle_array import OracleArray
from harness.oracle.oracle_source import OracleSource
from harness.oracle.registry import arithmetic, balls
from harness.oracle.sampling import LARGE, MOST, NUMBERS, Places, everything, pick, sample, too_many
from harness.oracle.totals import Sums, sums, total
from harness.oracle.truth_parts import TRUE_BITS, parts_of
from harness.oracle.unknown import Unknown
from harness.workers.python_source import outputs_of

Array = npt.NDArray[Any]
Wanted = dict[str, tuple[Lazy, Places]]


@dataclass
class Sampled:
    """True values in samples, and what has none in them.

    ``values`` has five arrays by the name of an output, ``why`` reasons of undecided elements, ``problems``
    by output why there is no value. Outputs that are in none of them have to be computed as a whole.
    """

    values: dict[str, list[Array]] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Whether there is an answer for an output."""
        return name in self.values or name in self.problems


def sampled(loaded: OracleSource, params: Mapping[str, Any], given: Mapping[str, Array]) -> Sampled:
    """The outputs that are large, or need too many numbers as a whole, in a sample.

    Each output has a sample of its own: where one needs too many numbers, others have theirs.

    Parameters
    ----------
    loaded : OracleSource
        The file.
    params : mapping
        As in `OracleHost.truth`.
    given : mapping
        Arrays by name.
    """
    samples = Sampled()
    if not any(length > MOST for array in given.values() for length in array.shape):
        return samples
    written = _written(loaded, params, given)
    whole = {name: largest(array) for name, array in written.items()}
    if not any(array.size > LARGE or whole[name] > NUMBERS for name, array in written.items()):
        return samples
    wanted: Wanted = {}
    for name, array in written.items():
        if whole[name] <= LARGE:
            continue
        places = sample(array.shape)
        most, _ = numbers([(array, places)])
        if most > NUMBERS:
            samples.problems[name] = too_many(most)
        else:
            wanted[name] = array, places
    for names in _groups(wanted):
        _add(samples, {name: wanted[name] for name in names}, params, given)
    return samples


def _written(loaded: OracleSource, params: Mapping[str, Any], given: Mapping[str, Array]) -> dict[str, Lazy]:
    """The outputs that are wanted, as lazy arrays; without those that cannot be written as such."""
    kind = loaded.kind(lazy, int(params["bits"]), 0)
    values: dict[str, Any] = {
        name: kind.given(name, array.shape) if array.dtype.kind == "f" else array
        for name, array in given.items()
    }
    wanted: dict[str, Lazy] = {}
    for stage in params["stages"]:
        names = stage["outputs"]
        try:
            copies = [values[name].copy() for name in stage["inputs"]]
            _, value = loaded.within(kind).call(stage["name"], copies)
            outputs = outputs_of(value, names, _lazy)
        except Exception:
            # Computing everything will show what is wrong, if anything is.
            for name in names if params["feed"] else ():
                values.pop(name, None)
            continue
        if params["feed"]:
            values.update(zip(names, outputs, strict=True))
        wanted |= {name: made for name, made in zip(names, outputs, strict=True) if name in params["wanted"]}
    return wanted


def _lazy(value: Any) -> Lazy:
    if isinstance(value, Lazy):
        return value
    raise TypeError("does not depend on the inputs alone")


def _groups(wanted: Wanted) -> list[list[str]]:
    """Outputs that are computed together, since that takes no more numbers than each alone."""
    groups: list[tuple[list[str], int]] = []
    for name, pair in wanted.items():
        _, alone = numbers([pair])
        for place, (names, before) in enumerate(groups):
            most, together = numbers([*(wanted[other] for other in names), pair])
            if most <= NUMBERS and together <= before + alone:
                groups[place] = [*names, name], together
                break
        else:
            groups.append(([name], alone))
    return [names for names, _ in groups]


def _add(samples: Sampled, wanted: Wanted, params: Mapping[str, Any], given: Mapping[str, Array]) -> None:
    """Add the true values of outputs that are computed together."""
    bits = int(params["bits"])
    rounded, exact = arithmetic(bits), balls(bits)
    totals: dict[Any, Sums] = {}
    try:
        true = _evaluated(wanted, given, TRUE_BITS, exact, totals)
        probable = _evaluated(wanted, given, bits, rounded, totals)
        worst = _evaluated(wanted, given, bits, exact, totals) if params["balls"] else {}
    except Exception:
        # Of several outputs, those that can be computed are; one alone is computed as a whole.
        for name in wanted if len(wanted) > 1 else ():
            _add(samples, {name: wanted[name]}, params, given)
        return
    if exact.signs.count:
        return
    met = tuple(dict.fromkeys([*exact.branches.take(), *rounded.branches.take()]))
    scale = _largest(given.values())
    for name in wanted:
        try:
            value = parts_of(
                true[name],
                probable[name],
                worst.get(name),
                unit=rounded.unit,
                bits=TRUE_BITS,
                met=met,
                scale=scale,
            )
        except Unknown as error:
            samples.problems[name] = str(error)
            continue
        samples.values[name] = value.arrays
        if value.why:
            samples.why[name] = value.why


def _evaluated(
    wanted: Wanted, given: Mapping[str, Array], bits: int, kind: Any, totals: dict[Any, Sums]
) -> dict[str, Any]:
    """The wanted elements in an arithmetic; sums of many numbers are kept in ``totals`` for the next one."""

    def there(name: str, places: Places) -> Array:
        array = given[name]
        return np.asarray(pick(array, everything(array.shape), places))

    def part(name: str, places: Places) -> OracleArray:
        made: OracleArray = kind.given(there(name, places).astype(np.float64))
        return made

    def sum_or_mean(name: str, places: Places, how: Along) -> Any:
        array = there(name, places)
        drawn = (None if place is None else place.tobytes() for place in places)
        key = (name, how.axes, bool(how.keepdims), *drawn)
        if key not in totals:
            totals[key] = sums(array, how.axes, bool(how.keepdims))
        added = total(kind, array, how.axes, bool(how.keepdims), totals[key])
        return added if how.function is np.sum else added / math.prod(array.shape[axis] for axis in how.axes)

    with precision(bits), np.errstate(all="ignore"):
        return evaluate(wanted, part, kind.gather, sum_or_mean)


def _largest(arrays: Collection[Array]) -> float:
    """The largest magnitude, without a copy of an array."""
    real = [array for array in arrays if array.dtype.kind == "f"]
    return max(
        (float(max(array.max(initial=0), -float(array.min(initial=0)))) for array in real), default=1.0
    )
