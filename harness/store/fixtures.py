"""Fixtures: input arrays that are verified before anything is run on them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from harness.errors import CaseError, FixtureError
from harness.model import ANY_DIMENSIONS, Array, Case, Fixture, Frozen, Shape, Value, dimensions
from harness.store.arrays import as_complex
from harness.store.fixture_data import (
    ArrayEntry,
    advice,
    arrays_in,
    described,
    dtype_of,
    is_safetensors,
    read_array_data,
)
from harness.store.fixture_values import with_values
from harness.store.toml import Toml
from harness.store.word_vectors import look_up

FILE = "fixture.toml"
ONLY_SAMPLE = "default"

_KINDS = {"float": "f", "complex": "c", "int": "iu", "bool": "b", "text": "U", "date": "i", "time": "i"}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


class FixtureHead(Frozen, frozen=True, kw_only=True):
    """The section ``[fixture]`` of a fixture.toml."""

    name: str
    version: int
    title: str
    origin: str
    licence: str
    file: str
    sha256: str
    samples: tuple[str, ...] = ()


class _File(Frozen, frozen=True, kw_only=True):
    fixture: dict[str, Any]
    generator: dict[str, Any] | tuple[dict[str, Any], ...] = ()
    arrays: dict[str, dict[str, Any]] = msgspec.field(default_factory=dict)
    made: dict[str, Any] | None = None
    word_vectors: dict[str, Any] | None = None


def load_fixture(case: Case, suite: Path, *, glove: Path | None = None) -> Fixture:
    """Read the fixture of a case, verify it, and check that it fits the case's inputs.

    Parameters
    ----------
    case : Case
        Its ``fixture`` is looked up in ``suite/fixtures``, then in ``suite/../fixtures``.
    suite : Path
        The folder of the case's folder.
    glove : Path, optional
        Word vectors in GloVe's text format, for fixtures with ``[word_vectors]``; the variable HARNESS_GLOVE
        does the same.

    Returns
    -------
    Fixture
        Read-only arrays in the dtype they are stored in. With word vectors, ``name`` says which they were,
        ``sha256`` covers them too, and ``labels`` are each sample's words.

    Raises
    ------
    FixtureError
        If the fixture is missing, damaged, not what its fixture.toml says, or does not fit the case.
    CaseError
        If the case holds a sample to print that the fixture lacks.
    """
    toml = Toml(find_fixture(case, suite) / FILE, FixtureError)
    file = toml.convert(_File)
    head = toml.convert(FixtureHead, "fixture")
    _check_head(toml, head, file, case)
    data = read_array_data(toml, head.file)
    shared, samples = _split(toml, head, _verified(toml, head, file, data))
    fixture = Fixture(
        name=head.name,
        version=head.version,
        sha256=head.sha256,
        origin=head.origin,
        licence=head.licence,
        shared=shared,
        samples=samples,
    )
    if file.word_vectors is not None:
        fixture = _with_vectors(toml, fixture, glove)
    fixture = with_values(case, _with_complex(case, fixture))
    _check_fit(toml, case, fixture)
    _check_published(case, fixture, head, suite)
    return fixture


def find_fixture(case: Case, suite: Path) -> Path:
    """Return the folder of a case's fixture; raises FixtureError if there is none."""
    places = (suite / "fixtures" / case.fixture, suite.resolve().parent / "fixtures" / case.fixture)
    for place in places:
        if (place / FILE).is_file():
            return place
    looked = " nor ".join(str(place) for place in places)
    raise FixtureError(
        f"case {case.name!r} wants the fixture {case.fixture!r}, but there is no {FILE} in {looked}",
        advice="correct 'fixture' in the case.toml, or make the fixture",
    )


def _check_head(toml: Toml, head: FixtureHead, file: _File, case: Case) -> None:
    if head.name != case.fixture:
        raise toml.refuse(
            f"the fixture is called {head.name!r}, its folder {case.fixture!r}",
            *("fixture", "name"),
            advice="give both the same name",
        )
    if head.version < 1:
        raise toml.refuse("'version' must be 1 or above", "fixture", "version")
    for key in ("title", "origin", "licence", "file"):
        if not getattr(head, key).strip():
            raise toml.refuse(f"'{key}' is empty", "fixture", key, advice="say it in a few words")
    if not re.fullmatch(r"[0-9a-f]{64}", head.sha256):
        raise toml.refuse("'sha256' is not 64 hexadecimal digits", "fixture", "sha256", advice=advice(toml))
    for index, sample in enumerate(head.samples):
        if not _NAME.fullmatch(sample):
            raise toml.refuse(
                f"{sample!r} cannot be a sample's name",
                *("fixture", "samples", index),
                advice="use letters, digits, '_', '.' and '-'",
            )
        if sample in head.samples[:index]:
            raise toml.refuse(f"the sample {sample!r} is there twice", "fixture", "samples", index)
    generators = (file.generator,) if isinstance(file.generator, dict) else file.generator
    if not all(isinstance(generator.get("kind"), str) for generator in generators):
        raise toml.refuse(
            "the generator does not say its 'kind'",
            "generator",
            advice='write how the arrays are made: kind = "..."',
        )


def _verified(toml: Toml, head: FixtureHead, file: _File, data: bytes) -> dict[str, Array]:
    stored = arrays_in(toml, head.file, data)
    sha256 = hashlib.sha256(data).hexdigest()
    if sha256 != head.sha256:
        raise toml.refuse(
            f"{head.file} has the sha256 {sha256}, but {head.sha256} is stated",
            *("fixture", "sha256"),
            advice=advice(toml),
        )
    entries = {name: toml.convert(ArrayEntry, "arrays", name) for name in file.arrays}
    arrays = described(toml, head.file, stored, entries)
    for name, entry in entries.items():
        array = arrays[name]
        if array.shape != entry.shape:
            raise toml.refuse(
                f"array {name!r} has the shape {list(array.shape)}, but {list(entry.shape)} is stated",
                *("arrays", name, "shape"),
                advice=advice(toml),
            )
        dtype = dtype_of(array)
        if dtype != entry.dtype:
            raise toml.refuse(
                f"array {name!r} is {dtype}, but {entry.dtype} is stated",
                *("arrays", name, "dtype"),
                advice=advice(toml),
            )
        if not entry.nonfinite and dtype != "text" and not np.isfinite(array).all():
            raise toml.refuse(
                f"array {name!r} holds NaN or infinity",
                "arrays",
                name,
                advice="say so if it is meant: nonfinite = true",
            )
    # Of a table, a case may take some columns.
    for name in stored if is_safetensors(head.file) or not entries else ():
        if name not in file.arrays:
            raise toml.refuse(
                f"{head.file} holds the array {name!r}, which is not described",
                "arrays",
                advice=f'add a section [arrays."{name}"]',
            )
    return arrays


def _split(
    toml: Toml, head: FixtureHead, arrays: Mapping[str, Array]
) -> tuple[dict[str, Array], dict[str, dict[str, Array]]]:
    shared: dict[str, Array] = {}
    samples: dict[str, dict[str, Array]] = {name: {} for name in head.samples or (ONLY_SAMPLE,)}
    for full, array in arrays.items():
        sample, slash, name = full.rpartition("/")
        if not slash:
            shared[full] = array
        elif sample in samples and name:
            samples[sample][name] = array
        else:
            raise toml.refuse(
                f"array {full!r} belongs to no sample",
                *("arrays", full),
                advice=f"the samples are: {', '.join(samples)}",
            )
    return shared, samples


def _with_vectors(toml: Toml, fixture: Fixture, glove: Path | None) -> Fixture:
    looked = look_up(toml, fixture.shared, fixture.samples, glove=glove)
    if not looked.samples:
        raise toml.refuse(f"no sample has a word with a vector ({looked.note})", "fixture", "samples")
    made = [looked.shared, *looked.samples.values()]
    for array in [array for arrays in made for array in arrays.values()]:
        array.flags.writeable = False
    return msgspec.structs.replace(
        fixture,
        name=f"{fixture.name}+{looked.vectors}",
        sha256=hashlib.sha256(f"{fixture.sha256}{looked.sha256}".encode()).hexdigest(),
        origin=f"{fixture.origin}; {looked.note}",
        shared=looked.shared,
        samples=looked.samples,
        labels=looked.labels,
    )


def _with_complex(case: Case, fixture: Fixture) -> Fixture:
    """The fixture with the complex inputs that are stored as pairs of real numbers."""
    names = {value.name: len(value.shape) for value in case.inputs if value.dtype == "complex"}
    if not names:
        return fixture

    def converted(arrays: Mapping[str, Array]) -> dict[str, Array]:
        return {
            name: _of_pairs(array) if array.ndim == names.get(name, -2) + 1 else array
            for name, array in arrays.items()
        }

    return msgspec.structs.replace(
        fixture,
        shared=converted(fixture.shared),
        samples={name: converted(arrays) for name, arrays in fixture.samples.items()},
    )


def _of_pairs(array: Array) -> Array:
    if array.dtype.kind != "f" or array.shape[-1] != 2:
        return array
    made = as_complex(array)
    made.flags.writeable = False
    return made


def _check_fit(toml: Toml, case: Case, fixture: Fixture) -> None:
    for sample in fixture.samples:
        arrays = fixture.arrays(sample)
        sizes: dict[str, tuple[int, str]] = {}
        for value in case.inputs:
            place = (f"{sample}/{value.name}",) if value.name in fixture.samples[sample] else (value.name,)
            if value.name not in arrays:
                if value.optional:
                    continue
                raise toml.refuse(
                    f"case {case.name!r} takes {value.name!r}, which sample {sample!r} lacks",
                    advice=f"it has: {', '.join(sorted(arrays))}",
                )
            problem = _misfit(value, arrays[value.name], sizes)
            if problem:
                raise toml.refuse(
                    f"case {case.name!r}, sample {sample!r}: {value.name!r} {problem}",
                    *("arrays", *place),
                    advice="correct [inputs] of the case.toml, or the fixture",
                )


def _misfit(value: Value, array: Array, sizes: dict[str, tuple[int, str]]) -> str:
    """Say how an array does not fit its declaration; bind the symbols of its shape in ``sizes``."""
    kinds = "i" if value.missing and value.dtype in ("int", "bool") else _KINDS[value.dtype]
    if array.dtype.kind not in kinds:
        return f"is {'text' if array.dtype.kind == 'U' else array.dtype.name}, but {value.dtype} is declared"
    shapes = f"has the shape {list(array.shape)}, but {_written(value.shape)} is declared"
    declared = dimensions(value.shape, array.ndim)
    if declared is None:
        return shapes
    if ANY_DIMENSIONS in value.shape:
        bound, by = sizes.setdefault(ANY_DIMENSIONS, (array.ndim - len(value.shape) + 1, value.name))
        if array.ndim - len(value.shape) + 1 != bound:
            return f"{shapes}, and '...' are {bound} dimensions by {by!r}"
    for size, symbol in zip(array.shape, declared, strict=True):
        if isinstance(symbol, int):
            if size != symbol:
                return shapes
        elif sizes.setdefault(symbol, (size, value.name))[0] != size:
            bound, by = sizes[symbol]
            return f"{shapes}, and {symbol} is {bound} by {by!r}"
    return ""


def _written(shape: Shape) -> str:
    return f"[{', '.join(map(str, shape))}]"


def _check_published(case: Case, fixture: Fixture, head: FixtureHead, suite: Path) -> None:
    samples = head.samples or (ONLY_SAMPLE,)
    for index, published in enumerate(case.published):
        if fnmatchcase(fixture.name, published.fixture) and published.sample not in samples:
            raise Toml(suite / case.name / "case.toml", CaseError).refuse(
                f"published {published.stage!r}: the fixture has no sample {published.sample!r}",
                *("published", index, "sample"),
                advice=f"its samples are: {', '.join(samples)}",
            )
