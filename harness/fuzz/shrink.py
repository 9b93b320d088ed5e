"""Makes an input that shows something as small and as simple as it can be, and still show it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from harness.fuzz.domain import Domain
from harness.model import Array, dimensions

Input = Mapping[str, Array]
Shows = Callable[[Sequence[Input]], Sequence[bool]]
"""Of inputs of the same shapes, which still show it."""

MOST_PASSES = 60
"""Times that all numbers are looked at once more."""
MOST_NUMBERS = 128
"""Numbers of an array that are made simpler one by one."""


def shrink(found: Input, domain: Domain, shows: Shows) -> dict[str, Array]:
    """The smallest sizes, then the simplest numbers, with which an input still shows what it shows.

    Parameters
    ----------
    found : mapping of str to ndarray
        The input.
    domain : Domain
        What the sizes and numbers may be.
    shows : callable
        Tells it of other inputs.
    """
    kept = dict(found)
    while (smaller := _first(_smaller(kept, domain), shows)) is not None:
        kept = smaller
    for _ in range(MOST_PASSES):
        simpler = _simpler(kept, domain, shows)
        if simpler is None:
            break
        kept = simpler
    return kept


def cost(number: float) -> tuple[float, float]:
    """How far a number is from simple: 0, then 1, small whole numbers, few digits, many digits."""
    if number == 0.0:
        return (0.0, 0.5 if math.copysign(1.0, number) < 0 else 0.0)
    if math.isnan(number) or math.isinf(number):
        return (50.0, 0.0)
    whole = number == math.floor(number) and abs(number) < 1e6
    digits = len(repr(float(number)).replace("-", "").replace(".", "").strip("0"))
    return (1.0 if whole else 2.0 + digits, abs(number) + (0.25 if number < 0 else 0.0))


def _first(candidates: Iterator[dict[str, Array]], shows: Shows) -> dict[str, Array] | None:
    return next((candidate for candidate in candidates if shows([candidate])[0]), None)


def _smaller(kept: Input, domain: Domain) -> Iterator[dict[str, Array]]:
    """The input with half of a size, then with one less."""
    for symbol, allowed in domain.sizes.items():
        axes = {name: _axes(domain, name, array, symbol) for name, array in kept.items()}
        sizes = {kept[name].shape[axis] for name, found in axes.items() for axis in found}
        if len(sizes) != 1:
            continue
        (size,) = sizes
        halves = [range(size // 2), range(size // 2, size)] if size > 3 else []
        for gone in [*halves, *([place] for place in range(size))]:
            if size - len(gone) in allowed:
                yield {name: _without(array, axes[name], list(gone)) for name, array in kept.items()}


def _axes(domain: Domain, name: str, array: Array, symbol: str) -> list[int]:
    declared = dimensions(domain.inputs[name].value.shape, array.ndim) if name in domain.inputs else None
    return [axis for axis, known in enumerate(declared or ()) if known == symbol]


def _without(array: Array, axes: Sequence[int], gone: list[int]) -> Array:
    for axis in axes:
        array = np.delete(array, gone, axis=axis)
    return array


def _simpler(kept: dict[str, Array], domain: Domain, shows: Shows) -> dict[str, Array] | None:
    """The input with some numbers simpler; None where none can be."""
    for name, array in kept.items():
        if name not in domain.inputs or domain.inputs[name].fixed:
            continue
        whole = [{**kept, name: filled} for filled in _filled(array) if _fits(domain, name, filled)]
        told = shows(whole) if whole else []
        if (best := next((other for other, yes in zip(whole, told, strict=True) if yes), None)) is not None:
            return best
        moves = [
            (place, number)
            for place, old in enumerate(array.reshape(-1)[:MOST_NUMBERS].tolist())
            for number in _numbers(old, array)
            if _fits(domain, name, np.array([number]))
        ]
        told = shows([_moved(kept, name, [move]) for move in moves]) if moves else []
        good: dict[int, float] = {}
        for (place, number), yes in zip(moves, told, strict=True):
            if yes:
                good.setdefault(place, number)
        together = list(good.items())
        while together:
            other = _moved(kept, name, together)
            if len(together) == 1 or shows([other])[0]:
                return other
            together = together[: len(together) // 2]
    return None


def _filled(array: Array) -> Iterator[Array]:
    """The whole array as zeros, as ones, or as its first number."""
    if array.dtype.kind not in "fiu" or array.size < 2:
        return
    now = sum(cost(float(number))[0] for number in array.reshape(-1)[:MOST_NUMBERS])
    for number in (0, 1, array.reshape(-1)[0]):
        if array.size * cost(float(number))[0] < now:
            yield np.full_like(array, number)


def _numbers(old: float | complex | bool, array: Array) -> Iterator[float]:
    """Simpler numbers than one, the simplest first."""
    if array.dtype.kind not in "fiu" or isinstance(old, complex):
        return
    number = float(old)
    known = [0.0, 1.0, -1.0, 2.0]
    if math.isfinite(number) and number:
        power = math.ldexp(0.5, math.frexp(number)[1])
        known += [float(round(number)), number / 2, math.copysign(power, number)]
        known += [float(f"{number:.{digits}g}") for digits in (1, 2, 3, 6)]
    whole = array.dtype.kind in "iu"
    simpler = {
        float(other)
        for other in known
        if cost(float(other)) < cost(number) and not (whole and float(other) != math.floor(other))
    }
    yield from sorted(simpler, key=cost)


def _moved(kept: Input, name: str, moves: Sequence[tuple[int, float]]) -> dict[str, Array]:
    array = kept[name].copy()
    flat = array.reshape(-1)
    for place, number in moves:
        flat[place] = number
    return {**kept, name: flat.reshape(array.shape)}


def _fits(domain: Domain, name: str, numbers: Array) -> bool:
    of = domain.inputs[name]
    real = np.real(numbers).astype(np.float64)
    inside = (real >= of.low) & (real <= of.high)
    if of.whole:
        inside &= np.rint(real) == real
    return bool(np.all(inside | np.isnan(real)))
