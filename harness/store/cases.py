"""Reads a case.toml and makes a Case of it."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from harness.errors import CaseError
from harness.model import (
    ANY_DIMENSIONS,
    Case,
    Form,
    Frozen,
    Identity,
    KnownDivergence,
    Precision,
    Published,
    Shape,
    Stage,
    Value,
)
from harness.store.case_checks import (
    check_identities,
    check_known_divergences,
    check_published,
)
from harness.store.case_graph import check_names, sort_stages
from harness.store.case_modules import modules_of
from harness.store.case_values import Declaration, declared_input, declared_output, forms_of, stage_of
from harness.store.equivalence_checks import check_equivalence
from harness.store.expected_tables import check_expected_names, with_expected
from harness.store.suites import FILE
from harness.store.tolerance_checks import check_tolerance_names
from harness.store.toml import Key, Toml
from harness.store.value_checks import check_complex, check_value

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
    modules: dict[str, dict[str, Any]] | None = None
    fuzz: dict[str, Any] | None = None


class _Case(Frozen, frozen=True, kw_only=True):
    name: str
    title: str
    origin: str
    fixture: str
    precisions: tuple[Precision, ...] = (Precision.FLOAT64,)
    reference: str = "numpy"
    timeout: float = 60.0


class _Head(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    inputs: tuple[str, ...]
    call: str | dict[str, str] = ""
    construct: tuple[str, ...] = ()


class _Several(Frozen, frozen=True, kw_only=True):
    name: str
    inputs: tuple[str, ...]
    outputs: tuple[dict[str, Any], ...]
    call: str | dict[str, str] = ""
    construct: tuple[str, ...] = ()


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
    given = tuple(_input(toml, name) for name in file.inputs)
    inputs = tuple(value for declared in given for value in declared.values)
    if not file.stage:
        raise toml.refuse("the case has no stage", "stage", advice="add a [[stage]]")
    made = tuple(_outputs(toml, index) for index in range(len(file.stage)))
    forms = forms_of((*given, *(output for outputs in made for output in outputs)))
    stages = tuple(_stage(toml, index, outputs, forms) for index, outputs in enumerate(made))
    check_names(toml, inputs, stages)
    _check_outputs(toml, inputs, made)
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
        modules=modules_of(toml, inputs, ordered),
        levels={declared.form.name: declared.levels for declared in given if declared.levels is not None},
    )


def _check_outputs(toml: Toml, inputs: tuple[Value, ...], made: tuple[tuple[Declaration, ...], ...]) -> None:
    """Refuse what is said of an output and only the whole case can tell to be wrong."""
    outputs = [
        (value, place)
        for stage in made
        for output in stage
        for value, place in zip(output.values, output.places, strict=True)
    ]
    known = {value.name: value for value in (*inputs, *(value for value, _ in outputs))}
    for value, place in outputs:
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
        if size == ANY_DIMENSIONS and shape.index(size) == index:
            continue
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


def _input(toml: Toml, name: str) -> Declaration:
    place: tuple[Key, ...] = ("inputs", name)
    _check_identifier(toml, name, *place)
    declared = declared_input(toml, name, *place)
    for value, where in zip(declared.values, declared.places, strict=True):
        told = toml.data["inputs"][name]
        _check_shape(toml, value.shape, *where, *(() if isinstance(told, list) else ("shape",)))
    return declared


def _repetitions(toml: Toml, inputs: tuple[Value, ...]) -> tuple[str, ...]:
    """The inputs whose role says that they count repetitions; refused where they are no integers."""
    entries = toml.data["inputs"]
    named = [value for value in inputs if "role" in _table(entries.get(value.name))]
    for value in named:
        if value.dtype != "int":
            raise toml.refuse(
                f"{value.name!r} counts repetitions, but is {value.dtype}",
                *("inputs", value.name, "role"),
                advice='add dtype = "int", or remove the role',
            )
    return tuple(value.name for value in named)


def _table(entry: object) -> dict[str, Any]:
    return entry if isinstance(entry, dict) else {}


def _outputs(toml: Toml, index: int) -> tuple[Declaration, ...]:
    """The outputs of a stage; of a single one, the keys stand among the stage's."""
    place: tuple[Key, ...] = ("stage", index)
    entry = toml.data["stage"][index]
    if single := "outputs" not in entry:
        places: list[tuple[Key, ...]] = [place]
    else:
        several = toml.convert(_Several, *place)
        places = [(*place, "outputs", number) for number in range(len(several.outputs))]
        if not places:
            raise toml.refuse(f"stage {several.name!r} has no output", *place, "outputs", advice="name one")
    made = []
    for number, where in enumerate(places):
        name = (entry if single else entry["outputs"][number]).get("name", "")
        output = declared_output(toml, str(name), *where, single=single, part=False)
        _check_identifier(toml, str(name), *where, "name")
        values = []
        for value, at in zip(output.values, output.places, strict=True):
            _check_shape(toml, value.shape, *at, "shape")
            check_value(toml, value, *at)
            values.append(with_expected(toml, value, *at))
        made.append(msgspec.structs.replace(output, values=tuple(values)))
    return tuple(made)


def _stage(toml: Toml, index: int, outputs: tuple[Declaration, ...], forms: Mapping[str, Form]) -> Stage:
    place: tuple[Key, ...] = ("stage", index)
    head = toml.convert(_Head, *place)
    _check_identifier(toml, head.name, *place, "name")
    call = ({"*": head.call} if head.call else {}) if isinstance(head.call, str) else head.call
    for name in head.construct:
        if name not in head.inputs or not call:
            raise toml.refuse(
                f"{name!r} is no input of stage {head.name!r}" if call else "there is no class to construct",
                *(*place, "construct"),
                advice='name inputs, beside call = "Class.method"',
            )
    for name in head.inputs:
        if name in forms and forms[name].missing and any(p != "float64" for p in _precisions(toml)):
            raise toml.refuse(
                f"{name!r} has missing numbers, which are told from NaN in float64 alone",
                *("case", "precisions"),
                advice='use ["float64"]',
            )
    return stage_of(head.name, head.inputs, outputs, forms, call, head.construct)


def _precisions(toml: Toml) -> list[str]:
    return list(toml.data["case"].get("precisions", ["float64"]))
