"""Fixtures made again from their generators: to check that they come out, and to write them."""

from __future__ import annotations

import hashlib
import os
import platform
import re
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from harness import __version__
from harness.errors import FixtureError, HarnessError
from harness.model import Array
from harness.numerics import compare
from harness.store.arrays import differing_elements
from harness.store.atomic import write_whole
from harness.store.fixture_data import ArrayEntry, advice, arrays_in, described, is_safetensors
from harness.store.fixture_files import file_of
from harness.store.fixture_writer import array_section, packed, section
from harness.store.fixtures import FILE, FixtureHead
from harness.store.generators import Made, make
from harness.store.git import last_commit, uncommitted
from harness.store.regular_file import read_regular
from harness.store.toml import Toml

_MADE = re.compile(r"^\[made\]\n(?:(?!\[).*\n?)*", re.MULTILINE)
_SHA256 = re.compile(r'(sha256\s*=\s*)"[^"]*"')


class ArrayDifference(msgspec.Struct, frozen=True, kw_only=True):
    """An array that does not come out as it is stored; ``reason`` where its elements cannot be compared."""

    array: str
    elements: int = 0
    count: int = 0
    max_ulp: float = 0.0
    first: tuple[int, ...] = ()
    reason: str = ""


class RegeneratedFixture(msgspec.Struct, frozen=True, kw_only=True):
    """How a fixture that is stored compares with one that is made now.

    ``since`` is the commit that stored it, where git knows one; ``data`` the arrays that nothing makes.
    """

    name: str
    stored: bool
    arrays: int
    data: tuple[str, ...]
    kinds: tuple[str, ...]
    differences: tuple[ArrayDifference, ...]
    since: str = ""


def fixture_folders(suite: Path) -> dict[str, Path]:
    """The fixtures that a suite's cases may use, by name; its own come before its neighbours."""
    places = (suite.resolve().parent / "fixtures", suite / "fixtures")
    folders = {path.parent.name: path.parent for place in places for path in place.glob(f"*/{FILE}")}
    return dict(sorted(folders.items()))


def regenerate(folder: Path) -> dict[str, Array]:
    """Make the arrays of a fixture again; data that nothing makes is read from its array file.

    Parameters
    ----------
    folder : Path
        With the fixture.toml.

    Returns
    -------
    dict of str to ndarray
        By the names of the sections ``[arrays.NAME]``, in the shapes and dtypes that are stated there.

    Raises
    ------
    FixtureError
        If a generator is not as it should be, or stored data is missing or not what its checksum says.
    """
    toml = Toml(folder / FILE, FixtureError)
    return _whole(toml, make(toml))


def check(folder: Path, *, describes: bool = False) -> RegeneratedFixture:
    """Make a fixture again, and compare every bit with what is stored; nothing is written.

    Parameters
    ----------
    folder : Path
        With the fixture.toml.
    describes : bool
        Whether what is written down need not be described.

    Raises
    ------
    FixtureError
        As `regenerate`.
    """
    toml = Toml(folder / FILE, FixtureError)
    made = make(toml, describes=describes)
    whole = _whole(toml, made)
    problem, stored = _stored(toml)
    path = _array_file(toml)
    differences = (
        [ArrayDifference(array="all", reason=problem)]
        if problem
        else [
            difference
            for name in sorted(whole.keys() | stored.keys())
            if (difference := _difference(name, whole.get(name), stored.get(name)))
        ]
    )
    return RegeneratedFixture(
        name=folder.name,
        # A name may be longer than the system takes: Path.is_file raises then.
        stored=os.path.isfile(path),  # noqa: PTH113
        arrays=len(whole),
        data=made.data,
        kinds=made.kinds,
        differences=tuple(differences),
        since=last_commit(path) if differences else "",
    )


def write(folder: Path, *, accept: bool) -> bool:
    """Make a fixture again and write it, with its checksum and with what made it.

    Parameters
    ----------
    folder : Path
        With the fixture.toml, of which only ``sha256`` and the section ``[made]`` are changed.
    accept : bool
        Whether to overwrite arrays that differ, and files with changes that are not committed, and to
        describe arrays that are written down.

    Returns
    -------
    bool
        Whether anything was written; nothing is where the fixture is stored already as it comes out.

    Raises
    ------
    FixtureError
        As `regenerate`; or if it would overwrite and ``accept`` is false; or if the disk refuses.
    """
    toml = Toml(folder / FILE, FixtureError)
    head = toml.convert(FixtureHead, "fixture")
    made = make(toml, describes=accept)
    whole = _whole(toml, made)
    path = _array_file(toml)
    stands = _present(path)
    if not is_safetensors(head.file):
        _refuse_made(toml, made)
        return False  # All of it is data, and its checksum holds.
    data = packed(whole)
    checksum = hashlib.sha256(data).hexdigest()
    if stands == data and head.sha256 == checksum and "made" in toml.data:
        return False
    if not accept:
        if stands not in (None, data):
            raise FixtureError(
                "the stored arrays differ from what their generators give",
                path=path,
                advice="see the differences with --check; overwrite with --accept",
            )
        if changed := uncommitted(folder):
            raise FixtureError(
                f"there are changes that are not committed: {', '.join(changed)}",
                path=folder,
                advice="commit them, or overwrite with --accept",
            )
    text = "\n".join(with_checksum(toml, checksum))
    text = _MADE.sub("", text).rstrip("\n") + "\n\n"
    for name in sorted(made.arrays.keys() - toml.data.get("arrays", {}).keys()):
        text += array_section(name, made.arrays[name], "written down in a generator") + "\n"
    text += section("[made]", _made_now(made))
    try:
        write_whole({path: data, folder / FILE: text.encode()})
    except OSError as problem:
        raise FixtureError(f"cannot be written: {problem.strerror}", path=folder) from problem
    return True


def _array_file(toml: Toml) -> Path:
    return file_of(toml, toml.convert(FixtureHead, "fixture").file, "fixture", "file")


def _present(path: Path) -> bytes | None:
    """What stands in a file now; None if there is none."""
    try:
        return read_regular(path)
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise FixtureError(f"cannot be read: {problem.strerror}", path=path) from problem


def _whole(toml: Toml, made: Made) -> dict[str, Array]:
    """All arrays: those that are made, and data as it is stored."""
    if not made.data:
        return dict(made.arrays)
    problem, stored = _stored(toml)
    if problem:
        raise FixtureError(
            f"holds data that nothing makes again, but {problem}",
            path=_array_file(toml),
            advice=advice(toml),
        )
    lacking = [name for name in made.data if name not in stored]
    if lacking:
        raise toml.refuse(f"the array file lacks the data {', '.join(lacking)}", "arrays", lacking[0])
    return {**made.arrays, **{name: stored[name] for name in made.data}}


def _stored(toml: Toml) -> tuple[str, dict[str, Array]]:
    """What is wrong with the array file, or nothing; and its arrays."""
    head = toml.convert(FixtureHead, "fixture")
    try:
        data = read_regular(_array_file(toml))
        arrays = arrays_in(toml, head.file, data)
    except OSError as problem:
        return f"{head.file} cannot be read: {problem.strerror}", {}
    except HarnessError as problem:
        return f"{head.file} {problem.message}", {}
    if not is_safetensors(head.file):
        names = toml.data.get("arrays", {})
        arrays = described(
            toml, head.file, arrays, {name: toml.convert(ArrayEntry, "arrays", name) for name in names}
        )
    if hashlib.sha256(data).hexdigest() != head.sha256:
        return f"{head.file} is not the file whose sha256 is stated", {}
    return "", arrays


def _difference(name: str, made: Array | None, stored: Array | None) -> ArrayDifference | None:
    if made is None or stored is None:
        return ArrayDifference(
            array=name, reason="is stored, not made" if made is None else "is made, not stored"
        )
    if (made.dtype, made.shape) != (stored.dtype, stored.shape):
        now, then = (f"{array.dtype} {list(array.shape)}" for array in (made, stored))
        return ArrayDifference(array=name, reason=f"comes out as {now}, but {then} is stored")
    elements = differing_elements(made, stored)
    if not elements:
        return None
    stats = compare(made, stored, limit=0.0)
    return ArrayDifference(
        array=name,
        elements=elements,
        count=made.size,
        max_ulp=stats.max_ulp,
        first=stats.first_beyond or (),
    )


def _refuse_made(toml: Toml, made: Made) -> None:
    if made.arrays:
        raise toml.refuse(
            f"{next(iter(made.arrays))!r} is made by a generator, and the file is one of data",
            *("fixture", "file"),
            advice='arrays that are made are written as file = "arrays.safetensors"',
        )


def with_checksum(toml: Toml, checksum: str) -> list[str]:
    """The lines of a fixture.toml, with another checksum."""
    lines = toml.path.read_text(encoding="utf-8").split("\n")
    at = (toml.line("fixture", "sha256") or 1) - 1
    lines[at], replaced = _SHA256.subn(rf'\g<1>"{checksum}"', lines[at], count=1)
    if not replaced:
        raise toml.refuse("'sha256' is not written as one line", "fixture", "sha256")
    return lines


def _made_now(made: Made) -> dict[str, Any]:
    return {
        "generators": list(made.kinds),
        "harness": __version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
    }
