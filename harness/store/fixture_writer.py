"""Writes fixtures, so that what is written is what the loader takes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from safetensors.numpy import save

from harness.errors import FixtureError
from harness.model import Array
from harness.store.atomic import write_whole
from harness.store.fixture_data import dtype_of, holds_nonfinite
from harness.store.fixtures import FILE, FixtureHead
from harness.store.word_vectors import WordVectors

ARRAYS = "arrays.safetensors"


def write_fixture(
    folder: Path,
    *,
    version: int,
    title: str,
    origin: str,
    licence: str,
    generator: Sequence[Mapping[str, Any]],
    arrays: Mapping[str, Array],
    origins: Mapping[str, str],
    samples: Sequence[str] = (),
    nonfinite: Collection[str] = (),
    word_vectors: WordVectors | None = None,
) -> str:
    """Write a fixture, its checksums computed; the same arguments give the same bytes.

    Parameters
    ----------
    folder : Path
        Where to; its name is the fixture's.
    version, title, origin, licence, samples, word_vectors
        As in ``[fixture]`` and ``[word_vectors]`` of a fixture.toml; the latter's files must be there.
    generator : sequence of mapping
        How the arrays are made again: tables with a ``kind``.
    arrays : mapping of str to ndarray
        By name, or by ``sample/name``; of any dtype that safetensors has.
    origins : mapping of str to str
        Where each array comes from.
    nonfinite : collection of str
        The arrays in which NaN and infinities are meant.

    Returns
    -------
    str
        The sha256 of the array file.

    Raises
    ------
    FixtureError
        If an array has no origin, or a file cannot be written; what was there before is then as it was.
    """
    if set(arrays) != set(origins):
        odd = ", ".join(sorted(set(arrays) ^ set(origins)))
        raise FixtureError(f"each array needs an origin, and each origin an array: {odd}", path=folder)
    contiguous = {name: np.asarray(array, order="C") for name, array in sorted(arrays.items())}
    data = packed(contiguous)
    head = FixtureHead(
        name=folder.resolve().name,
        version=version,
        title=title,
        origin=origin,
        licence=licence,
        file=ARRAYS,
        sha256=hashlib.sha256(data).hexdigest(),
        samples=tuple(samples),
    )
    try:
        sections = [section("[fixture]", msgspec.to_builtins(head))]
        if word_vectors is not None:
            sections.append(section("[word_vectors]", _with_sums(folder, word_vectors)))
        sections += [section("[[generator]]", table) for table in generator]
        for name, array in contiguous.items():
            sections.append(array_section(name, array, origins[name], nonfinite=name in nonfinite))
        write_whole({folder / ARRAYS: data, folder / FILE: "\n".join(sections).encode()})
    except OSError as problem:
        raise FixtureError(
            f"cannot be written: {problem.strerror}", path=problem.filename or folder
        ) from problem
    return head.sha256


def packed(arrays: Mapping[str, Array]) -> bytes:
    """Return the bytes of an array file; the same arrays give the same bytes."""
    data: bytes = save({name: np.asarray(array, order="C") for name, array in sorted(arrays.items())})
    return data


def array_section(name: str, array: Array, origin: str, *, nonfinite: bool | None = None) -> str:
    """Return the section of an array; whether it may hold NaN or infinity is as it is, if not given."""
    fields: dict[str, Any] = {"shape": array.shape, "dtype": dtype_of(array), "origin": origin}
    if nonfinite if nonfinite is not None else holds_nonfinite(array):
        fields["nonfinite"] = True
    return section(f"[arrays.{_value(name)}]", fields)


def section(header: str, fields: Mapping[str, Any]) -> str:
    """Return one section of a TOML file."""
    lines = [f"{key} = {_value(value)}" for key, value in fields.items()]
    return "\n".join([header, *lines, ""])


def _with_sums(folder: Path, word_vectors: WordVectors) -> dict[str, Any]:
    sums = {
        f"{key}_sha256": hashlib.sha256((folder / getattr(word_vectors, key)).read_bytes()).hexdigest()
        for key in ("words", "shipped")
    }
    fields = {key: value for key, value in msgspec.to_builtins(word_vectors).items() if value is not None}
    return {**fields, **sums}


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # JSON's escapes are TOML's, but for DEL, which only TOML wants escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_value(key)} = {_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, Sequence):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    raise TypeError(f"{value!r} cannot be written as TOML")
