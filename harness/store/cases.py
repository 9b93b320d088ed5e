"""Reads a case.toml and makes a Case of it."""

from __future__ import annotations

import keyword
import re
from math import isfinite
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from harness.errors import CaseError
from harness.model import (
    Case,
    Expected,
    Frozen,
    Identity,
    Kind,
    KnownDivergence,
    Precision,
    Published,
    Shape,
    Show,
    Stage,
    Tolerance,
    UpTo,
    Value,
)
from harness.store.case_checks import (
    check_complex,
    check_identities,
    check_known_divergences,
    check_published,
    check_show,
)
from harness.store.case_graph import check_names, sort_stages
from harness.store.equivalence_checks import check_equivalence
from harness.store.expected_tables import check_expected_names, with_expected
from harness.store.suites import FILE
from harness.store.tolerance_checks import check_tolerance, check_tolerance_names
from harness.store.toml import Key, Toml

T = TypeVar("T")

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_RUNTIME = re.compile(r"[A-Za-z][A-Za-z0-9_]*(-[A-Za-z0-9_]+)*(\.[A-Za-z0-9_]+)?")
RESERVED = frozenset(
    {
        *keyword.kwlist,
        *(
            "FALSE",
            "Inf",
            "NA",
            "NA_character_",
            "NA_complex_",
            "NA_integer_",
            "NA_real_",
            "NULL",
            "NaN",
            "TRUE",
        ),
        *("function", "next", "repeat"),
        *(
            "baremodule",
            "begin",
            "catch",
            "const",
            "do",
            "elseif",
            "end",
            "export",
            "false",
            "function",
            "let",
        ),
        *("local", "macro", "module", "quote", "struct", "true", "using"),
    }
)
"""Names that no function or argument can have in R or Julia; Python's come from ``keyword``."""


class _File(Frozen, frozen=True, kw_only=True):
    case: dict[str, Any]
    inputs: dict[str, Any]
    stage: tuple[dict[str, Any], ...]
    identity: tuple[dict[str, Any], ...] = ()
    known_divergence: tuple[dict[str, Any], ...] = ()
    published: tuple[dict[str, Any], ...] = ()


class _Case(Frozen, frozen=True, kw_only=True):
    name: str
    title: str
    origin: str
    fixture: str
    precisions: tuple[Precision, ...] = (Precision.FLOAT64,)
    reference: str = "numpy"
    timeout: float = 60.0


class _Input(Frozen, frozen=True, kw_only=True):
    shape: Shape
    dtype: Kind = "float"
    symbol: str = ""
    meaning: str = ""
    role: Literal["repetitions"] | None = None


class _Single(Frozen, frozen=True, kw_only=True):
    name: str
    inputs: tuple[str, ...]
    shape: Shape
    dtype: Kind = "float"
    symbol: str = ""
    meaning: str = ""
    nan: bool = False
    lenient: bool = False
    tolerance: Tolerance | None = None
    expected: Expected | str | None = None
    up_to: UpTo | None = None
    show: Show | None = None
    show_samples: str = "*"
    labels: str = ""


class _Several(Frozen, frozen=True, kw_only=True):
    name: str
    inputs: tuple[str, ...]
    outputs: tuple[Value, ...]


def load_case(folder: Path) -> Case:
    """Read a case, check all of it, and put its stages in an order in which they can run.

    Parameters
    ----------
    folder : Path
        A folder with a case.toml, as docs/authoring-a-case.md describes it.

    Returns
    -------
    Case
        Its stages keep the declared order wherever their inputs allow it.

    Raises
    ------
    CaseError
        With the file, the line and what to do, at the first thing that is wrong.
    """
    path = folder / FILE
    if not path.is_file():
        raise CaseError("there is no case.toml here", path=folder, advice="see docs/authoring-a-case.md")
    toml = Toml(path, CaseError)
    file = toml.convert(_File)
    head = toml.convert(_Case, "case")
    _check_head(toml, head, folder)
    inputs = tuple(_input(toml, name) for name in file.inputs)
    stages = tuple(_stage(toml, index) for index in range(len(file.stage)))
    if not stages:
        raise toml.refuse("the case has no stage", "stage", advice="add a [[stage]]")
    check_names(toml, inputs, stages)
    _check_outputs(toml, inputs, stages)
    check_complex(toml, inputs, stages, head.precisions)
    ordered = sort_stages(toml, inputs, stages)
    values = {value.name: value for stage in ordered for value in stage.outputs}
    identities = _entries(toml, Identity, "identity", file.identity)
    check_identities(toml, identities, values, inputs)
    divergences = _entries(toml, KnownDivergence, "known_divergence", file.known_divergence)
    check_known_divergences(toml, divergences, identities, ordered)
    published = tuple(
        msgspec.structs.replace(entry, values=_frozen(entry.values))
        for entry in _entries(toml, Published, "published", file.published)
    )
    check_published(toml, published, values)
    return Case(
        **msgspec.structs.asdict(head),
        inputs=inputs,
        stages=ordered,
        identities=identities,
        known_divergences=divergences,
        published=published,
        repetitions=_repetitions(toml, inputs),
    )


def _check_outputs(toml: Toml, inputs: tuple[Value, ...], stages: tuple[Stage, ...]) -> None:
    """Refuse what is said of an output and only the whole case can tell to be wrong."""
    known = {value.name: value for value in (*inputs, *(out for stage in stages for out in stage.outputs))}
    for index, stage in enumerate(stages):
        several = "outputs" in toml.data["stage"][index]
        for number, value in enumerate(stage.outputs):
            place: tuple[Key, ...] = ("stage", index, "outputs", number) if several else ("stage", index)
            if value.tolerance is not None:
                check_tolerance_names(toml, value.tolerance, value, known, *place, "tolerance")
            check_expected_names(toml, value, inputs, *place)
            check_equivalence(toml, value, *place)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list | tuple) else value


def _entries(toml: Toml, kind: type[T], name: str, entries: tuple[dict[str, Any], ...]) -> tuple[T, ...]:
    return tuple(toml.convert(kind, name, index) for index in range(len(entries)))


def _check_head(toml: Toml, head: _Case, folder: Path) -> None:
    for key in ("name", "fixture"):
        _check_identifier(toml, getattr(head, key), "case", key)
    if head.name != folder.resolve().name:
        raise toml.refuse(
            f"the case is called {head.name!r}, its folder {folder.resolve().name!r}",
            "case",
            "name",
            advice="give both the same name",
        )
    for key in ("title", "origin"):
        if not getattr(head, key).strip():
            raise toml.refuse(f"'{key}' is empty", "case", key, advice="say it in a few words")
    if not head.precisions or len(set(head.precisions)) < len(head.precisions):
        raise toml.refuse(
            "'precisions' must name at least one precision, each once",
            "case",
            "precisions",
            advice='for example ["float64", "float32"]',
        )
    if not _RUNTIME.fullmatch(head.reference):
        raise toml.refuse(
            f"the reference {head.reference!r} is not the name of an implementation",
            "case",
            "reference",
            advice="name a runtime, or a runtime and a variant: 'numpy', 'julia.blocked'",
        )
    if not (isfinite(head.timeout) and head.timeout > 0):
        raise toml.refuse("'timeout' must be a number of seconds above 0", "case", "timeout")


def _check_identifier(toml: Toml, name: str, *place: Key) -> None:
    if not _IDENTIFIER.fullmatch(name):
        raise toml.refuse(
            f"{name!r} cannot be a name in every language",
            *place,
            advice="use the letters a-z and A-Z, digits and _, and begin with a letter",
        )
    if name in RESERVED:
        raise toml.refuse(
            f"{name!r} is a reserved word of Python, R or Julia", *place, advice="choose another name"
        )


def _check_shape(toml: Toml, shape: Shape, *place: Key) -> None:
    for index, size in enumerate(shape):
        if isinstance(size, int):
            if size < 0:
                raise toml.refuse(f"a size cannot be {size}", *place, index, advice="use 0 or more")
        elif not _IDENTIFIER.fullmatch(size):
            raise toml.refuse(
                f"{size!r} is not a symbol for a size",
                *place,
                index,
                advice='use "n" or "d_k"',
            )


def _input(toml: Toml, name: str) -> Value:
    place: tuple[Key, ...] = ("inputs", name)
    _check_identifier(toml, name, *place)
    if isinstance(toml.data["inputs"][name], list):
        shape: Shape = toml.convert(tuple[str | int, ...], *place)
        _check_shape(toml, shape, *place)
        return Value(name=name, shape=shape)
    entry = toml.convert(_Input, *place)
    _check_shape(toml, entry.shape, *place, "shape")
    fields = msgspec.structs.asdict(entry)
    del fields["role"]
    return Value(name=name, **fields)


def _repetitions(toml: Toml, inputs: tuple[Value, ...]) -> tuple[str, ...]:
    """The inputs whose role says that they count repetitions; refused where they are no integers."""
    entries = toml.data["inputs"]
    named = [
        value for value in inputs if isinstance(entries[value.name], dict) and "role" in entries[value.name]
    ]
    for value in named:
        if value.dtype != "int":
            raise toml.refuse(
                f"{value.name!r} counts repetitions, but is {value.dtype}",
                *("inputs", value.name, "role"),
                advice='add dtype = "int", or remove the role',
            )
    return tuple(value.name for value in named)


def _stage(toml: Toml, index: int) -> Stage:
    place: tuple[Key, ...] = ("stage", index)
    several = "outputs" in toml.data["stage"][index]
    stage: _Single | _Several
    if several:
        stage = toml.convert(_Several, *place)
        outputs = stage.outputs
        places = [(*place, "outputs", number) for number in range(len(outputs))]
        if not outputs:
            raise toml.refuse(f"stage {stage.name!r} has no output", *place, "outputs", advice="name one")
    else:
        stage = toml.convert(_Single, *place)
        fields = msgspec.structs.asdict(stage)
        del fields["inputs"]
        outputs = (Value(**fields),)
        places = [place]
    _check_identifier(toml, stage.name, *place, "name")
    for value, where in zip(outputs, places, strict=True):
        _check_identifier(toml, value.name, *where, "name")
        _check_shape(toml, value.shape, *where, "shape")
        rule = "derived" if value.tolerance is None else value.tolerance.rule
        if value.tolerance is not None:
            check_tolerance(toml, value.tolerance, *where, "tolerance")
        if rule == "derived" and value.dtype not in ("float", "complex"):
            raise toml.refuse(
                f"{value.name!r} has no tolerance, and none can be derived: it is {value.dtype}",
                *where,
                advice='add tolerance = { rule = "exact" }',
            )
        rules = {rule, *(other.rule for other in value.tolerance.by_sample)} if value.tolerance else {rule}
        if value.dtype == "bool" and rules != {"exact"}:
            raise toml.refuse(
                f"{value.name!r} is true or false, and cannot be nearly right",
                *where,
                "tolerance",
                advice='use { rule = "exact" }',
            )
        check_show(toml, value, *where)
        if value.dtype not in ("float", "complex") and value.nan:
            raise toml.refuse(f"{value.name!r} is {value.dtype}, which has no NaN", *where, "nan")
        if value.dtype not in ("float", "complex") and value.lenient:
            raise toml.refuse(
                f"{value.name!r} is {value.dtype}, and lenient takes integers for floats", *where, "lenient"
            )
    outputs = tuple(with_expected(toml, value, *where) for value, where in zip(outputs, places, strict=True))
    return Stage(name=stage.name, inputs=stage.inputs, outputs=outputs)
