"""Inputs and outputs as a case.toml declares them, and the arrays that they are made of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from harness.model import (
    Expected,
    Form,
    Frozen,
    Given,
    Kind,
    Shape,
    Show,
    Stage,
    Tolerance,
    UpTo,
    Value,
)
from harness.store.toml import Key, Toml
from harness.store.value_checks import EXACT

Declared = Literal["float", "complex", "int", "bool", "text", "date", "time", "category"]
CODED = ("text", "date", "time", "category")
"""What is exact where nothing else is said."""


class InputEntry(Frozen, frozen=True, kw_only=True):
    """An entry of ``[inputs]`` that is a table."""

    shape: Shape
    dtype: Declared = "float"
    symbol: str = ""
    meaning: str = ""
    missing: bool = False
    optional: bool = False
    given: Given = ""
    levels: tuple[str, ...] | None = None
    role: Literal["repetitions"] | None = None


class OutputEntry(Frozen, frozen=True, kw_only=True):
    """A part of an output; its name is its key or its place."""

    shape: Shape
    dtype: Declared = "float"
    symbol: str = ""
    meaning: str = ""
    nan: bool = False
    lenient: bool = False
    missing: bool = False
    given: Given = ""
    tolerance: Tolerance | None = None
    expected: Expected | str | None = None
    up_to: UpTo | None = None
    show: Show | None = None
    show_samples: str = "*"
    labels: str = ""


class NamedOutput(OutputEntry, frozen=True, kw_only=True):
    """An output of several."""

    name: str


class SingleOutput(NamedOutput, frozen=True, kw_only=True):
    """The only output of a stage, whose keys stand among the stage's."""

    inputs: tuple[str, ...]
    call: str | dict[str, str] = ""
    construct: tuple[str, ...] = ()


Parts = dict[str, Any] | tuple[Any, ...]


class PartsEntry(Frozen, frozen=True, kw_only=True):
    """Several by name, or by place: of each of them the shape and dtype are said, not of the whole."""

    parts: Parts
    meaning: str = ""


class InputParts(PartsEntry, frozen=True, kw_only=True):
    """An input of several."""

    optional: bool = False


class NamedParts(PartsEntry, frozen=True, kw_only=True):
    """An output of several parts."""

    name: str


class SingleParts(NamedParts, frozen=True, kw_only=True):
    """The only output of a stage, of several parts."""

    inputs: tuple[str, ...]
    call: str | dict[str, str] = ""
    construct: tuple[str, ...] = ()


class Declaration(Frozen, frozen=True, kw_only=True):
    """One input or output: its form, and its arrays with the places where they are declared."""

    form: Form
    values: tuple[Value, ...]
    places: tuple[tuple[Key, ...], ...]
    levels: tuple[str, ...] | None = None


def declared_input(toml: Toml, name: str, *place: Key) -> Declaration:
    """An input, or a part of one."""
    given = _at(toml, *place)
    if isinstance(given, list):
        return of_array(InputEntry(shape=toml.convert(tuple[str | int, ...], *place)), name, place)
    if isinstance(given, dict) and "parts" in given:
        parts = toml.convert(InputParts, *place)
        return _of_parts(toml, name, parts.parts, place, declared_input, optional=parts.optional)
    entry = toml.convert(InputEntry, *place)
    if entry.levels is not None and (entry.dtype != "category" or len(set(entry.levels)) < len(entry.levels)):
        raise toml.refuse(
            f"{name!r} has levels, which are the different texts of a category",
            *place,
            "levels",
            advice='write dtype = "category", and each level once',
        )
    _check(toml, entry, name, *place)
    return of_array(entry, name, place)


def declared_output(
    toml: Toml, name: str, *place: Key, single: bool = False, part: bool = True
) -> Declaration:
    """An output, or a part of one; of a ``single`` output the keys stand among the stage's."""
    if "parts" in _at(toml, *place):
        entry_type = PartsEntry if part else SingleParts if single else NamedParts
        return _of_parts(toml, name, toml.convert(entry_type, *place).parts, place, declared_output)
    entry = toml.convert(OutputEntry if part else SingleOutput if single else NamedOutput, *place)
    _check(toml, entry, name, *place)
    return of_array(entry, name, place)


def _at(toml: Toml, *place: Key) -> Any:
    value: Any = toml.data
    for key in place:
        value = value[key]
    return value


def _check(toml: Toml, entry: InputEntry | OutputEntry, name: str, *place: Key) -> None:
    if entry.missing and entry.dtype == "complex":
        raise toml.refuse(f"{name!r} is complex, and has no missing numbers", *place, "missing")
    if not entry.given:
        return
    if (entry.given == "scalar") != (not entry.shape):
        raise toml.refuse(
            f"{name!r} is given as a {entry.given}, and has the shape {list(entry.shape)}",
            *place,
            "given",
            advice="a scalar has the shape [], and nothing else has it",
        )
    if entry.given.startswith("sparse") and (len(entry.shape) != 2 or entry.dtype in CODED):
        raise toml.refuse(f"{name!r} is no matrix of numbers, and cannot be sparse", *place, "given")
    if entry.missing or entry.dtype == "category":
        what = "a category" if entry.dtype == "category" else "an array of which some are missing"
        raise toml.refuse(f"{name!r} is {what}, and given as it is", *place, "given")


def _of_parts(
    toml: Toml, name: str, parts: Parts, place: tuple[Key, ...], declared: Any, *, optional: bool = False
) -> Declaration:
    keys: list[Key] = list(parts) if isinstance(parts, Mapping) else list(range(len(parts)))
    if not keys:
        raise toml.refuse(f"{name!r} has no part", *place, "parts", advice="name one")
    made: list[Declaration] = []
    for key in keys:
        last = key if isinstance(key, str) else str(key + 1)
        if not re.fullmatch(r"\w+", last) or last == "levels":
            raise toml.refuse(
                f"{last!r} cannot be the name of a part",
                *place,
                "parts",
                key,
                advice="use letters and digits",
            )
        made.append(declared(toml, f"{name}.{last}", *place, "parts", key))
    return of_parts(name, "names" if isinstance(parts, Mapping) else "list", made, optional=optional)


def of_parts(
    name: str, kind: Literal["names", "list"], made: Sequence[Declaration], *, optional: bool = False
) -> Declaration:
    """An input or output that is made of others."""
    values = tuple(value for part in made for value in part.values)
    return Declaration(
        form=Form(
            name=name,
            kind=kind,
            optional=optional,
            parts=tuple(part.form for part in made),
        ),
        values=tuple(msgspec.structs.replace(value, optional=True) for value in values)
        if optional
        else values,
        places=tuple(where for part in made for where in part.places),
    )


def of_array(entry: InputEntry | OutputEntry, name: str, place: tuple[Key, ...]) -> Declaration:
    """An input or output that is no dictionary and no list."""
    dtype: Kind = "text" if entry.dtype == "category" else entry.dtype
    kind: Any = entry.dtype if entry.dtype in CODED else "array"
    fields = {
        field: getattr(entry, field)
        for field in entry.__struct_fields__
        if field in Value.__struct_fields__ and field not in ("name", "dtype")
    }
    if isinstance(entry, OutputEntry) and entry.dtype in CODED and entry.tolerance is None:
        fields["tolerance"] = EXACT
    value = Value(name=name, dtype=dtype, **fields)
    values = [value]
    if entry.dtype == "category":
        size = f"{name.replace('.', '_')}_levels"
        tolerance = EXACT if isinstance(entry, OutputEntry) else None
        optional = value.optional
        values.append(
            Value(
                name=f"{name}.levels", shape=(size,), dtype="text", optional=optional, tolerance=tolerance,
                meaning=f"the levels of {name}, in their order",
            )
        )  # fmt: skip
    form = Form(
        name=name,
        kind=kind,
        dtype=dtype,
        missing=entry.missing,
        optional=value.optional,
        # Where none is missing, the array itself tells, once it has been sent.
        lenient=entry.missing and value.lenient,
        given=entry.given,
    )
    return Declaration(
        form=form,
        values=tuple(values),
        places=(place,) * len(values),
        levels=entry.levels if isinstance(entry, InputEntry) else None,
    )


def stage_of(
    name: str,
    inputs: tuple[str, ...],
    outputs: tuple[Declaration, ...],
    forms: Mapping[str, Form],
    call: Mapping[str, str],
    construct: tuple[str, ...],
) -> Stage:
    """A stage of arrays; its forms are left out where each is an array."""
    takes = tuple(forms.get(input_, Form(name=input_)) for input_ in inputs)
    returns = tuple(output.form for output in outputs)
    return Stage(
        name=name,
        inputs=tuple(array for form in takes for array in arrays_of(form)),
        outputs=tuple(value for output in outputs for value in output.values),
        takes=() if all(form.is_plain for form in takes) else takes,
        returns=() if all(form.is_plain for form in returns) else returns,
        call=call,
        construct=construct,
    )


def arrays_of(form: Form) -> tuple[str, ...]:
    """The names of the arrays that a form takes."""
    if form.parts:
        return tuple(name for part in form.parts for name in arrays_of(part))
    return (form.name, f"{form.name}.levels") if form.kind == "category" else (form.name,)


def forms_of(declarations: tuple[Declaration, ...]) -> dict[str, Form]:
    """Every form by its name, parts too, which a stage may take alone."""
    found: dict[str, Form] = {}
    waiting = [declaration.form for declaration in declarations]
    while waiting:
        form = waiting.pop()
        found[form.name] = form
        waiting += form.parts
    return found
