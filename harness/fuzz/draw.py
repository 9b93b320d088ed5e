"""Batches of inputs from their recipes: many arrays of the same shape at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from harness.fuzz.domain import Domain, InputDomain
from harness.fuzz.recipes import Recipe
from harness.model import ANY_DIMENSIONS, Array, Case, Precision, dimensions

Floats = npt.NDArray[np.float64]

LARGEST = 1 << 20
"""Elements that a batch may have; where one input has many, there are fewer inputs."""


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Inputs of the same sizes, along the first dimension of each array.

    ``drawn`` are their places in the batch that was drawn, where these are some of it.
    """

    number: int
    count: int
    sizes: Mapping[str, int]
    arrays: Mapping[str, Array]
    drawn: npt.NDArray[np.intp] | None = None

    def one(self, place: int) -> dict[str, Array]:
        """The arrays of one input."""
        return {name: stack[place, ...] for name, stack in self.arrays.items()}

    def place(self, place: int) -> int:
        """The place of an input in the batch that was drawn."""
        return place if self.drawn is None else int(self.drawn[place])

    def rows(self, mask: npt.NDArray[np.bool_]) -> Batch:
        """Some of the inputs."""
        drawn = np.arange(self.count) if self.drawn is None else self.drawn
        return Batch(
            number=self.number,
            count=int(mask.sum()),
            sizes=self.sizes,
            arrays={name: stack[mask] for name, stack in self.arrays.items()},
            drawn=drawn[mask],
        )


def make_batch(domain: Domain, recipe: Recipe, number: int, count: int) -> Batch:
    """Make the inputs that a recipe describes.

    Parameters
    ----------
    domain : Domain
        Of the case.
    recipe : Recipe
        From `recipes.recipes`.
    number : int
        Which batch it is.
    count : int
        How many inputs, unless they are large.
    """
    rng = np.random.default_rng(recipe.seed)
    shapes = {name: domain.shape(name, recipe.sample, recipe.sizes) for name in domain.inputs}
    elements = sum(int(np.prod(shape)) for shape in shapes.values())
    # Of inputs without elements all are alike.
    count = max(1, min(count, LARGEST // max(1, elements), 1 if not elements else count))
    parts = np.array_split(np.arange(count), min(count, len(recipe.groups)))
    arrays: dict[str, Array] = {}
    for name, of in domain.inputs.items():
        there = domain.samples[recipe.sample][name]
        if of.fixed:
            arrays[name] = np.repeat(there[None], count, axis=0)
            continue
        drawn = [
            _draw(_Part(of, group[name], recipe.palette, (len(part), *shapes[name]), domain.precision, rng))
            for part, group in zip(parts, recipe.groups, strict=False)
        ]
        arrays[name] = np.concatenate(drawn).astype(_dtype(there, domain.precision))
    return batch_of(domain.case, arrays, number)


def batch_of(case: Case, arrays: Mapping[str, Array], number: int = -1) -> Batch:
    """A batch of these arrays, which have its inputs along their first dimension."""
    sizes: dict[str, int] = {}
    for value in case.inputs:
        if value.name not in arrays:
            continue
        shape = arrays[value.name].shape[1:]
        declared = dimensions(value.shape, len(shape)) or ()
        if ANY_DIMENSIONS in value.shape:
            sizes[ANY_DIMENSIONS] = len(shape) - len(value.shape) + 1
        sizes |= {s: size for s, size in zip(declared, shape, strict=True) if isinstance(s, str)}
    count = len(next(iter(arrays.values()))) if arrays else 1
    return Batch(number=number, count=count, sizes=sizes, arrays=arrays)


def _dtype(there: Array, precision: Precision) -> np.dtype[Any]:
    if there.dtype.kind == "f":
        return np.dtype(precision.numpy_dtype)
    if there.dtype.kind == "c":
        return np.dtype("complex64" if precision is Precision.FLOAT32 else "complex128")
    return there.dtype


class _Part(NamedTuple):
    """Inputs of one kind that lie together in a batch, and where their chance comes from."""

    of: InputDomain
    kind: str
    palette: tuple[float, ...]
    shape: tuple[int, ...]
    precision: Precision
    rng: np.random.Generator


def _draw(part: _Part) -> Array:
    if part.of.value.dtype == "bool":
        share = {"whole": 0.5, "ties": 1.0, "rows": 0.0}.get(part.kind, 0.2)
        made: Array = part.rng.random(part.shape) < share
        return made
    real = _floats(part)
    if part.of.value.dtype == "complex":
        return real + 1j * _floats(part)
    if part.of.value.dtype == "int":
        return real.astype(np.int64)
    return real


def _floats(part: _Part) -> Floats:
    """Numbers of one kind, within the range."""
    of, kind, palette, shape, precision, rng = part
    if kind == "seen" and of.seen.size:
        seen = np.real(of.seen).astype(np.float64)
        return rng.choice(seen, size=shape)
    if kind == "palette":
        made = rng.choice(np.array(palette), size=shape)
    else:
        made = _MADE.get(kind, _normal)(shape, np.finfo(precision.numpy_dtype), rng)
    if kind == "special":
        allowed = [np.nan] * of.nan + [np.inf, -np.inf] * of.infinite
        made = np.where(rng.random(shape) < 0.2, rng.choice(allowed, size=shape), made)
    return within(of, made, rng)


def within(of: InputDomain, numbers: Floats, rng: np.random.Generator) -> Floats:
    """Numbers as they may be: whole where they have to be, and within the range."""
    made = np.rint(numbers) if of.whole else numbers
    outside = ~((made >= of.low) & (made <= of.high)) & ~np.isnan(made) & ~(np.isinf(made) & of.infinite)
    if not outside.any():
        return made
    low, high = max(of.low, -1e6), min(of.high, 1e6)
    # At the ends of a range, too, something may be done otherwise.
    anywhere = low + (high - low) * rng.choice([0.0, 1.0, 0.5], size=made.shape)
    inside = np.where(rng.random(made.shape) < 0.7, low + (high - low) * rng.random(made.shape), anywhere)
    return np.where(outside, np.rint(inside) if of.whole else inside, made)


def _scale(shape: tuple[int, ...], low: float, high: float, rng: np.random.Generator) -> Floats:
    """A power of two for each input."""
    power = rng.uniform(low, high, size=(shape[0], *[1] * (len(shape) - 1)))
    return np.exp2(power)


def _normal(shape: tuple[int, ...], info: Any, rng: np.random.Generator) -> Floats:
    return _scale(shape, -6, 2, rng) * rng.normal(size=shape)


def _whole(shape: tuple[int, ...], info: Any, rng: np.random.Generator) -> Floats:
    return rng.integers(-3, 4, size=shape).astype(np.float64)


def _ties(shape: tuple[int, ...], info: Any, rng: np.random.Generator) -> Floats:
    """Two numbers in each input."""
    first = [1] * (len(shape) - 1)
    one, other = (_scale(shape, -2, 2, rng) * rng.normal(size=(shape[0], *first)) for _ in range(2))
    return np.where(rng.random(shape) < 0.5, one, other)


def _zeros(shape: tuple[int, ...], info: Any, rng: np.random.Generator) -> Floats:
    return np.where(rng.random(shape) < 0.4, 0.0, _normal(shape, info, rng))


def _negative_zeros(shape: tuple[int, ...], info: Any, rng: np.random.Generator) -> Floats:
    return np.where(rng.random(shape) < 0.5, rng.choice([0.0, -0.0], size=shape), _whole(shape, info, rng))


def _rows(shape: tuple[int, ...], info: Any, rng: np.random.Generator) -> Floats:
    """All rows alike."""
    made = _normal(shape, info, rng)
    return np.broadcast_to(made[:, :1], shape).copy() if len(shape) > 1 and shape[1] else made


def _cancelling(shape: tuple[int, ...], info: Any, rng: np.random.Generator) -> Floats:
    """Numbers of one size and either sign, which differ in their last places."""
    near = 1.0 + float(info.eps) * rng.integers(-4, 5, size=shape)
    made: Floats = _scale(shape, -2, 12, rng) * near * rng.choice([-1.0, 1.0], size=shape)
    return made


def _wide(shape: tuple[int, ...], info: Any, rng: np.random.Generator) -> Floats:
    made: Floats = np.exp2(rng.uniform(-30, 30, size=shape)) * rng.choice([-1.0, 1.0], size=shape)
    return made


def _tiny(shape: tuple[int, ...], info: Any, rng: np.random.Generator) -> Floats:
    return _scale(shape, float(info.minexp), -10, rng) * rng.normal(size=shape)


def _huge(shape: tuple[int, ...], info: Any, rng: np.random.Generator) -> Floats:
    return _scale(shape, 4, float(info.maxexp) - 3, rng) * rng.uniform(-1, 1, size=shape)


def _subnormal(shape: tuple[int, ...], info: Any, rng: np.random.Generator) -> Floats:
    steps = rng.integers(-9, 10, size=shape) * float(info.smallest_subnormal)
    return np.where(rng.random(shape) < 0.6, steps, _normal(shape, info, rng))


_MADE: dict[str, Callable[[tuple[int, ...], Any, np.random.Generator], Floats]] = {
    "whole": _whole,
    "ties": _ties,
    "zeros": _zeros,
    "negative zeros": _negative_zeros,
    "rows": _rows,
    "cancelling": _cancelling,
    "wide": _wide,
    "tiny": _tiny,
    "huge": _huge,
    "subnormal": _subnormal,
}
