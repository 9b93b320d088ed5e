"""What the inputs of a case may be: sizes and numbers, as it states them or as its fixture has them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
import numpy as np

from harness.errors import CaseError
from harness.model import Array, Case, Fixture, Frozen, Precision, Value, dimensions
from harness.store.suites import FILE
from harness.store.toml import Toml

DRAWN = ("float", "complex", "int", "bool")
"""Kinds of inputs that are drawn; all others are as in the fixture."""
SMALL = range(9)
"""Sizes that are tried for each symbol, besides those of the fixture."""
MOST_SEEN = 4096
"""Of the fixture's numbers so many are drawn from."""

Sizes = Mapping[str, int]


class StatedInput(Frozen, frozen=True, kw_only=True):
    """An entry of ``[fuzz.inputs]``: the least and the largest number, and what else may be drawn."""

    range: tuple[float, float] | None = None
    whole: bool = False
    nan: bool = False
    infinite: bool = False
    fixed: bool = False


class Stated(Frozen, frozen=True, kw_only=True):
    """The table ``[fuzz]`` of a case.toml."""

    sizes: dict[str, tuple[int, int]] = msgspec.field(default_factory=dict)
    inputs: dict[str, StatedInput] = msgspec.field(default_factory=dict)


class InputDomain(msgspec.Struct, frozen=True, kw_only=True):
    """What one input may hold.

    ``low`` and ``high`` are the least and the largest number, infinite where nothing is stated; ``whole``
    says that floats are whole numbers. ``seen`` are numbers of the fixture.
    """

    value: Value
    low: float = -np.inf
    high: float = np.inf
    whole: bool = False
    nan: bool = False
    infinite: bool = False
    fixed: bool = False
    seen: Array


class Domain(msgspec.Struct, frozen=True, kw_only=True):
    """What the inputs of a case may be.

    ``samples`` are those of the fixture: what is not drawn is as in one of them. ``sizes`` has those that may
    be drawn of each symbol that is free; others are as in the sample.
    """

    case: Case
    precision: Precision
    samples: tuple[Mapping[str, Array], ...]
    inputs: Mapping[str, InputDomain]
    sizes: Mapping[str, tuple[int, ...]]

    def shape(self, name: str, sample: int, sizes: Sizes) -> tuple[int, ...]:
        """The shape of an input, with these sizes, and all others as in a sample."""
        there = self.samples[sample][name]
        declared = dimensions(self.inputs[name].value.shape, there.ndim) or ()
        return tuple(
            sizes.get(symbol, size) if isinstance(symbol, str) else symbol
            for symbol, size in zip(declared, there.shape, strict=True)
        )


def domain_of(case: Case, fixture: Fixture, folder: Path, precision: Precision) -> Domain:
    """Read what a case states of its inputs, and take the rest from its fixture.

    Parameters
    ----------
    case : Case
    fixture : Fixture
        Whole numbers keep the range that they have in it, and NaN and infinities are drawn where it has some,
        unless something else is stated.
    folder : Path
        The case's, whose case.toml may have a table ``[fuzz]``.
    precision : Precision
        Of floats.

    Raises
    ------
    CaseError
        The table names what the case has not, or has a range that is none.
    """
    stated = _stated(folder / FILE, case)
    samples = tuple(fixture.arrays(sample) for sample in fixture.samples)
    inputs = {
        value.name: _input(value, stated.inputs.get(value.name, StatedInput()), samples)
        for value in case.inputs
        if all(value.name in sample for sample in samples)
    }
    return Domain(
        case=case,
        precision=precision,
        samples=samples,
        inputs=inputs,
        sizes=_free_sizes(stated, inputs, samples),
    )


def _stated(path: Path, case: Case) -> Stated:
    toml = Toml(path, CaseError)
    if "fuzz" not in toml.data:
        return Stated()
    stated = toml.convert(Stated, "fuzz")
    known = {value.name: value for value in case.inputs}
    symbols = {symbol for value in case.inputs for symbol in value.shape if isinstance(symbol, str)}
    for symbol, (low, high) in stated.sizes.items():
        if symbol not in symbols:
            raise toml.refuse(
                f"no input has the size {symbol!r}",
                *("fuzz", "sizes", symbol),
                advice=f"there are: {', '.join(sorted(symbols)) or 'none'}",
            )
        if not 0 <= low <= high:
            raise toml.refuse(
                f"sizes from {low} to {high} are none",
                *("fuzz", "sizes", symbol),
                advice="give the least and the largest size, such as [1, 8]",
            )
    for name, entry in stated.inputs.items():
        if name not in known:
            raise toml.refuse(
                f"the case has no input {name!r}",
                *("fuzz", "inputs", name),
                advice=f"there are: {', '.join(known)}",
            )
        if entry.range is not None and not entry.range[0] <= entry.range[1]:
            raise toml.refuse(
                f"{name!r}: there is no number from {entry.range[0]:g} to {entry.range[1]:g}",
                *("fuzz", "inputs", name, "range"),
                advice="give the least and the largest number",
            )
    return stated


def _input(value: Value, stated: StatedInput, samples: tuple[Mapping[str, Array], ...]) -> InputDomain:
    fixed = stated.fixed or value.dtype not in DRAWN or value.missing or value.optional
    seen = np.concatenate([sample[value.name].reshape(-1) for sample in samples])[:MOST_SEEN]
    if fixed:
        return InputDomain(value=value, fixed=True, seen=seen)
    low, high = -np.inf, np.inf
    if value.dtype == "int":
        # It may be an index: what the fixture does not have may be none.
        low, high = (float(seen.min()), float(seen.max())) if seen.size else (0.0, 0.0)
    if stated.range is not None:
        low, high = stated.range
    floating = value.dtype in ("float", "complex")
    return InputDomain(
        value=value,
        low=low,
        high=high,
        whole=stated.whole or value.dtype == "int",
        nan=stated.nan or (floating and bool(np.isnan(seen).any())),
        infinite=stated.infinite or (floating and bool(np.isinf(seen).any())),
        seen=seen,
    )


def _free_sizes(
    stated: Stated, inputs: Mapping[str, InputDomain], samples: tuple[Mapping[str, Array], ...]
) -> dict[str, tuple[int, ...]]:
    """The sizes of the symbols that no fixed input has."""
    held: set[str] = set()
    sizes: dict[str, set[int]] = {}
    for name, domain in inputs.items():
        for sample in samples:
            declared = dimensions(domain.value.shape, sample[name].ndim) or ()
            for symbol, size in zip(declared, sample[name].shape, strict=True):
                if not isinstance(symbol, str) or symbol.startswith("..."):
                    continue
                if domain.fixed:
                    held.add(symbol)
                sizes.setdefault(symbol, set()).add(size)
    free = {}
    for symbol, seen in sizes.items():
        if symbol in held:
            continue
        if symbol in stated.sizes:
            low, high = stated.sizes[symbol]
            free[symbol] = tuple(range(low, high + 1))
        else:
            free[symbol] = tuple(sorted({*SMALL, *seen}))
    return free
