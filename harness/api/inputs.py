"""The inputs of one function: a dictionary of arrays, or a list of such, as samples of a fixture."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from harness.authoring.shapes import ONLY
from harness.authoring.symbols import KINDS
from harness.errors import UsageError
from harness.model import Array, Fixture
from harness.store.fixture_writer import packed
from harness.workers.protocol import dtype_name

Inputs = Mapping[str, Any] | Sequence[Mapping[str, Any]]
"""Array-likes by the names of arguments; or several such samples."""


def fixture_of(inputs: Inputs, order: Sequence[str] | None) -> tuple[Fixture, tuple[str, ...]]:
    """The inputs as a fixture, and the names of the arguments in their order.

    Parameters
    ----------
    inputs : mapping or sequence of mapping
        Arrays by name.
    order : sequence of str, optional
        Names in the order in which the functions take them; without it, that of the first sample.

    Raises
    ------
    UsageError
        There is none, samples have other names or kinds of numbers, or something is no array of numbers.
    """
    given: list[Any] = list(samples_of(inputs))
    samples: dict[str, dict[str, Array]] = {}
    for at, sample in enumerate(given):
        if not isinstance(sample, Mapping) or not all(isinstance(name, str) for name in sample):
            raise UsageError(f"sample {at} of the inputs is no dictionary by names", advice=_ADVICE)
        name = ONLY if isinstance(inputs, Mapping) else f"sample_{at}"
        samples[name] = {key: _array(key, value) for key, value in sample.items()}
    if not samples:
        raise UsageError("there are no inputs", advice=_ADVICE)
    first = next(iter(samples.values()))
    names = tuple(name for name in order if name in first) if order is not None else tuple(first)
    for at_sample, arrays in samples.items():
        if set(arrays) != set(first):
            odd = ", ".join(sorted(set(arrays) ^ set(first)))
            raise UsageError(f"{at_sample} has not the same inputs as the first one: {odd}", advice=_ADVICE)
        for key, array in arrays.items():
            if KINDS[array.dtype.kind] != KINDS[first[key].dtype.kind] or array.ndim != first[key].ndim:
                raise UsageError(
                    f"{key} is {_described(first[key])} in one sample, {_described(array)} in {at_sample}",
                    advice="give every sample the same kind of numbers and of dimensions",
                )
    flat = {f"{sample}/{key}": array for sample, arrays in samples.items() for key, array in arrays.items()}
    return (
        Fixture(
            name="inputs",
            version=1,
            sha256=hashlib.sha256(packed(flat)).hexdigest(),
            origin="the caller",
            licence="",
            shared={},
            samples=samples,
        ),
        names,
    )


def samples_of(inputs: Any) -> Sequence[Any]:
    """The samples of inputs, whatever these are.

    Raises
    ------
    UsageError
        They are neither a dictionary nor a list.
    """
    if isinstance(inputs, Mapping):
        return [inputs]
    if isinstance(inputs, Sequence) and not isinstance(inputs, str | bytes):
        return inputs
    raise UsageError(f"inputs cannot be a {type(inputs).__name__}", advice=_ADVICE)


def arguments_of(function: Callable[..., Any], given: Iterable[str]) -> tuple[str, ...] | None:
    """The names of the arguments that a function takes for these inputs, in its order.

    None where it does not say, as functions written in C.

    Raises
    ------
    UsageError
        An input is none of its arguments, one that it needs is missing, or one cannot be given by position.
    """
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return None
    there = list(given)
    names: list[str] = []
    called = getattr(function, "__name__", "the function")
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters.values()):
        return None
    for name, parameter in parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        if name in there:
            if parameter.kind is parameter.KEYWORD_ONLY:
                raise UsageError(
                    f"{called}() takes {name} by keyword alone, and stages are called by position",
                    advice=f"wrap it: def {called}_of({', '.join(there)}): ...",
                )
            if len(names) < [*parameters].index(name):
                raise UsageError(
                    f"{called}() takes {[*parameters][len(names)]} before {name}, and there is no such input",
                    advice="inputs are given by position: name those before it too",
                )
            names.append(name)
        elif parameter.default is parameter.empty:
            raise UsageError(
                f"{called}() needs {name}, and there is no such input",
                advice=f"the inputs are: {', '.join(there)}; the arguments: {', '.join(parameters)}",
            )
    if odd := [name for name in there if name not in names]:
        raise UsageError(
            f"{called}() takes no {odd[0]}", advice=f"its arguments are: {', '.join(parameters) or 'none'}"
        )
    return tuple(names)


_ADVICE = 'give {"x": array, ...}, or a list of such dictionaries'


def _array(name: str, value: Any) -> Array:
    try:
        array = np.asarray(value)
    except (TypeError, ValueError) as error:
        raise UsageError(f"the input {name} is no array: {error}") from error
    if array.dtype.kind not in KINDS or dtype_name(array.dtype) is None:
        raise UsageError(
            f"the input {name} is of dtype {array.dtype}", advice="give numbers that NumPy has, or bool"
        )
    # Of the machine's own byte order, and no other array's memory.
    return np.array(array, dtype=array.dtype.newbyteorder("="), order="C")


def _described(array: Array) -> str:
    return f"{KINDS[array.dtype.kind]} of {array.ndim} dimensions"
