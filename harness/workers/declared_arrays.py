"""The arrays of a case's stages, as the case.toml beside a source file declares them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from harness.workers.loop import WorkerFault
from harness.workers.protocol import Array

PLAIN = ("float", "complex", "int", "bool")


class Declared(NamedTuple):
    """One array: its name, its sizes, each a number or a symbol, and what it holds, of `PLAIN`."""

    name: str
    shape: tuple[str | int, ...]
    kind: str

    @property
    def symbols(self) -> tuple[str, ...]:
        """The sizes that are no numbers."""
        return tuple(size for size in self.shape if isinstance(size, str))

    def sized(self, sizes: Mapping[str, int]) -> tuple[int, ...]:
        """Its shape in numbers."""
        return tuple(sizes[size] if isinstance(size, str) else size for size in self.shape)


class DeclaredStage(NamedTuple):
    """A stage of plain arrays."""

    name: str
    inputs: tuple[Declared, ...]
    outputs: tuple[Declared, ...]

    @property
    def sizes(self) -> tuple[str, ...]:
        """The symbols of its inputs, each once, in the order in which they stand there."""
        return tuple(dict.fromkeys(symbol for value in self.inputs for symbol in value.symbols))

    @property
    def found(self) -> tuple[str, ...]:
        """The symbols that its outputs alone have: the function finds out how large they are."""
        given = set(self.sizes)
        named = (symbol for value in self.outputs for symbol in value.symbols)
        return tuple(dict.fromkeys(symbol for symbol in named if symbol not in given))

    def measured(self, arrays: Sequence[Array]) -> dict[str, int]:
        """The size of each symbol.

        Parameters
        ----------
        arrays : sequence of ndarray
            The inputs.

        Raises
        ------
        WorkerFault
            Kind ``call``: an array has another shape than is declared.
        """
        known: dict[str, int] = {}
        for value, array in zip(self.inputs, arrays, strict=True):
            if array.ndim != len(value.shape):
                raise _misfit(value, array)
            for size, length in zip(value.shape, array.shape, strict=True):
                expected = known.setdefault(size, length) if isinstance(size, str) else size
                if expected != length:
                    raise _misfit(value, array, f", and {size} is {expected}" if size != expected else "")
        return known


def _misfit(value: Declared, array: Array, why: str = "") -> WorkerFault:
    declared = ", ".join(map(str, value.shape))
    return WorkerFault("call", f"{value.name} has the shape {list(array.shape)}, not [{declared}]{why}")


def holds(made: Array, array: Array) -> bool:
    """Whether every integer of an array is still there in another dtype.

    Parameters
    ----------
    made : ndarray
        What the array was made into.
    array : ndarray
        Integers or truth values.
    """
    if array.dtype.kind == "b" or not array.size:
        return True
    if made.dtype.kind == "c":
        return holds(made.real, array)
    # Of a number that is out of range, the way back is not defined, or wraps.
    if made.dtype.kind == "f":
        limits = np.iinfo(array.dtype)
        if (made < float(limits.min)).any() or (made >= 2.0 * (limits.max // 2 + 1)).any():
            return False
    elif ((made < 0) != (array < 0)).any():
        return False
    return bool(np.array_equal(made.astype(array.dtype), array))


def read_stages(source: Path) -> dict[str, DeclaredStage]:
    """Read the stages of the case.toml beside a source file; those of other than plain arrays are left out.

    Parameters
    ----------
    source : Path
        The source file.

    Raises
    ------
    WorkerFault
        Kind ``load``: there is none that can be read.
    """
    path = source.parent / "case.toml"
    try:
        case = tomllib.loads(path.read_text(encoding="utf-8"))
        values = dict(_declared(case.get("inputs", {}).items()))
        for stage in case["stage"]:
            values |= dict(_declared((name, entry) for name, entry in _outputs(stage)))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise WorkerFault("load", f"{path} does not say what the stages take and return: {error}") from error
    return dict(_stages(case, values))


def _stages(case: Mapping[str, Any], values: Mapping[str, Declared]) -> Iterator[tuple[str, DeclaredStage]]:
    for stage in case["stage"]:
        outputs = tuple(name for name, _ in _outputs(stage))
        if values.keys() >= {*stage["inputs"], *outputs}:
            taken, returned = ([values[name] for name in names] for names in (stage["inputs"], outputs))
            yield stage["name"], DeclaredStage(stage["name"], tuple(taken), tuple(returned))


def _outputs(stage: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for output in stage.get("outputs", [stage]):
        yield output["name"], output


def _declared(entries: Any) -> Iterator[tuple[str, Declared]]:
    for name, entry in entries:
        entry = entry if isinstance(entry, dict) else {"shape": entry}
        kind = entry.get("dtype", "float")
        if "shape" in entry and kind in PLAIN and "..." not in entry["shape"]:
            yield name, Declared(name, tuple(entry["shape"]), kind)
