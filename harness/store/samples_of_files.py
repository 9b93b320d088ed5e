"""The samples of a new fixture, from the files that a person names."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from harness.errors import ArrayFileError, UsageError
from harness.model import Array, Frozen
from harness.store.arrays import as_pairs
from harness.store.data_files import as_matrix, read_data
from harness.store.tables import ONLY, DataFile
from harness.store.tensor_proto import FOLDER, members
from harness.store.typed_columns import Typed, instants, merged, text_codes

TABLES = frozenset({".csv", ".tsv", ".txt", ".dat", ".parquet"})
"""Endings of files whose arrays are columns."""


class Gathered(Frozen, frozen=True, kw_only=True):
    """What files hold, as a fixture has it.

    Attributes
    ----------
    samples : dict of str to dict of str to ndarray
        The arrays of each sample by name; one sample called ``""`` where there is but one.
    shared : dict of str to ndarray
        Those of every sample.
    origin : str
        The files, with their checksums.
    text : tuple of str
        What is left out, and why: text, unless it was asked for, and what cannot be an array.
    kinds : dict of str to str
        What the files say that columns of text are: dates, times, categories.
    levels : dict of str to tuple of str
        The levels of categories.
    """

    samples: dict[str, dict[str, Array]]
    shared: dict[str, Array]
    origin: str
    text: tuple[str, ...] = ()
    kinds: dict[str, Typed] = msgspec.field(default_factory=dict)
    levels: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)

    @property
    def first(self) -> dict[str, Array]:
        """All arrays of the first sample."""
        return {**self.shared, **next(iter(self.samples.values()))}


class _Read(Frozen, frozen=True, kw_only=True):
    path: Path
    name: str
    arrays: dict[str, Array]


def gather(paths: Sequence[Path], array: str = "", *, texts: bool = False) -> Gathered:
    """Read files, and make samples of them.

    Parameters
    ----------
    paths : sequence of Path
        What `read_data` reads; a folder stands for ONNX's ``test_data_set_*`` in it.
    array : str
        If given, the name of the only array: every file, or every key of one file, is a sample of it; the
        columns of a table are one matrix. Otherwise files that hold arrays of the same names are samples,
        named as the files; files of other names are parts of one sample; keys ``SAMPLE/NAME`` say it.
    texts : bool
        Whether columns of text are arrays too. Dates, times and categories always are, but not beside
        numbers in one matrix.

    Raises
    ------
    ArrayFileError
        A file cannot be read.
    UsageError
        It cannot be said which array belongs to which sample.
    """
    text: list[str] = []
    found: list[_Read] = []
    read: list[DataFile] = []
    expanded = _expanded(paths)
    for path in expanded:
        data = read_data(path)
        words = {
            name: each for name, each in data.words.items() if texts or (name in data.kinds and not array)
        }
        arrays = {**data.arrays, **words}
        text += [f"{path.name}: {why}" for name, why in data.text.items() if name not in words]
        if not arrays:
            raise ArrayFileError("holds no column of numbers", path=path)
        read.append(data)
        found.append(_Read(path=path, name=_sample_name(path), arrays=arrays))
    origin = ", ".join(f"{path.name} (sha256 {_sha256(path)})" for path in expanded)
    samples, shared = _of_one_array(found, array) if array else _of_names(found)
    return Gathered(
        samples=samples,
        shared=shared,
        origin=origin,
        text=tuple(text),
        kinds={
            _input_name(name, of): kind
            for of, each in zip(found, read, strict=True)
            for name, kind in each.kinds.items()
        },
        levels=merged(
            [
                {_input_name(name, of): levels for name, levels in each.levels.items()}
                for of, each in zip(found, read, strict=True)
            ]
        ),
    )


def as_stored(gathered: Gathered) -> Gathered:
    """The same with dates as days, times as microseconds since 1970, and texts as code points."""

    def stored(name: str, array: Array) -> Array:
        if array.dtype.kind != "U":
            return array
        kind = gathered.kinds.get(name)
        made = instants(array, kind) if kind in ("date", "time") else None
        return text_codes(array) if made is None else made

    def all_of(arrays: Mapping[str, Array]) -> dict[str, Array]:
        return {name: stored(name, array) for name, array in arrays.items()}

    samples = {sample: all_of(arrays) for sample, arrays in gathered.samples.items()}
    return msgspec.structs.replace(gathered, samples=samples, shared=all_of(gathered.shared))


def fixture_arrays(gathered: Gathered) -> dict[str, Array]:
    """The arrays by the names that they have in a fixture, ``sample/name`` or ``name``, as its file has them.

    A file of safetensors holds no complex128: these are pairs of real numbers.
    """
    return {
        **{name: _storable(array) for name, array in gathered.shared.items()},
        **{
            f"{sample}/{name}" if sample else name: _storable(array)
            for sample, arrays in gathered.samples.items()
            for name, array in arrays.items()
        },
    }


def _storable(array: Array) -> Array:
    return as_pairs(array) if array.dtype == np.complex128 else array


def nonfinite(arrays: Mapping[str, Array]) -> set[str]:
    """The names of arrays that hold NaN or infinity."""
    return {
        name for name, array in arrays.items() if array.dtype.kind != "U" and not np.isfinite(array).all()
    }


def plain_name(name: str) -> str:
    """A name that an input can have in every language, as near to this one as can be."""
    plain = re.sub(r"\W", "_", name, flags=re.ASCII)
    return plain if re.match("[A-Za-z]", plain) else f"x_{plain.lstrip('_')}"


def _expanded(paths: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        sets = sorted(path.glob(f"{FOLDER}*")) if path.is_dir() and not path.name.startswith(FOLDER) else []
        if path.is_dir() and not sets and not path.name.startswith(FOLDER):
            raise UsageError(
                f"is a folder without ONNX's {FOLDER}0", path=path, advice="name the files in it: FOLDER/*"
            )
        found += sets or [path]
    return found


def _sample_name(path: Path) -> str:
    name = re.sub(r"[^A-Za-z0-9_.-]", "_", path.name if path.name.startswith(FOLDER) else path.stem)
    return name if name[:1].isalnum() else f"s{name}"


def _sha256(path: Path) -> str:
    whole = hashlib.sha256()
    for each in members(path) if path.is_dir() else [path]:
        whole.update(each.read_bytes())
    return whole.hexdigest()


def _of_one_array(found: Sequence[_Read], array: str) -> tuple[dict[str, dict[str, Array]], dict[str, Array]]:
    samples: dict[str, dict[str, Array]] = {}
    for read in found:
        arrays = read.arrays
        if read.path.suffix.lower() in TABLES and len(arrays) > 1:
            arrays = {ONLY: as_matrix(arrays, read.path)}
        for key, value in arrays.items():
            sample = read.name if len(arrays) == 1 else _sample_name(Path(key))
            if len(arrays) > 1 and len(found) > 1:
                sample = f"{read.name}_{sample}"
            if sample in samples:
                raise UsageError(
                    f"two samples would be called {sample!r}", path=read.path, advice="rename a file"
                )
            samples[sample] = {array: value}
    if len(samples) == 1:
        return {"": next(iter(samples.values()))}, {}
    return samples, {}


def _of_names(found: Sequence[_Read]) -> tuple[dict[str, dict[str, Array]], dict[str, Array]]:
    if len(found) == 1 and any("/" in name for name in found[0].arrays):
        return _by_slash(found[0])
    named = [_Read(path=read.path, name=read.name, arrays=_named(read)) for read in found]
    counts: dict[str, int] = {}
    for read in named:
        for name in read.arrays:
            counts[name] = counts.get(name, 0) + 1
    if max(counts.values(), default=0) < 2:
        return {"": {name: value for read in named for name, value in read.arrays.items()}}, {}
    for name, count in counts.items():
        if 1 < count < len(named):
            lacking = next(read.path.name for read in named if name not in read.arrays)
            raise UsageError(
                f"{count} of {len(named)} files hold {name!r}; {lacking} does not",
                advice="each file is a sample where all hold the same names; else name them apart",
            )
    samples: dict[str, dict[str, Array]] = {}
    shared: dict[str, Array] = {}
    for read in named:
        if read.name in samples:
            raise UsageError(
                f"two samples would be called {read.name!r}", path=read.path, advice="rename a file"
            )
        samples[read.name] = {name: value for name, value in read.arrays.items() if counts[name] > 1}
        shared |= {name: value for name, value in read.arrays.items() if counts[name] == 1}
    return {name: arrays for name, arrays in samples.items() if arrays}, shared


def _by_slash(read: _Read) -> tuple[dict[str, dict[str, Array]], dict[str, Array]]:
    samples: dict[str, dict[str, Array]] = {}
    shared: dict[str, Array] = {}
    for full, value in read.arrays.items():
        sample, slash, name = full.rpartition("/")
        if not slash:
            shared[plain_name(full)] = value
        else:
            samples.setdefault(_sample_name(Path(sample)), {})[plain_name(name)] = value
    return samples, shared


def _input_name(name: str, read: _Read) -> str:
    return plain_name(read.name if name == ONLY else name)


def _named(read: _Read) -> dict[str, Array]:
    """The arrays by names that inputs can have; of a file that names nothing, by the file's."""
    names = {name: _input_name(name, read) for name in read.arrays}
    if len(set(names.values())) < len(names):
        twice = next(name for name in names if list(names.values()).count(names[name]) > 1)
        raise ArrayFileError(
            f"{twice!r} and another would both be called {names[twice]!r}",
            path=read.path,
            advice="rename one",
        )
    return {names[name]: value for name, value in read.arrays.items()}
