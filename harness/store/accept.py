"""Data that was edited on purpose: a fixture.toml is made to say what its file holds now."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from harness.errors import FixtureError
from harness.model import Array
from harness.store.atomic import write_whole
from harness.store.fixture_data import (
    ArrayEntry,
    arrays_in,
    described,
    dtype_of,
    holds_nonfinite,
    is_safetensors,
    read_array_data,
)
from harness.store.fixture_writer import array_section
from harness.store.fixtures import FILE, FixtureHead
from harness.store.regenerate import with_checksum
from harness.store.toml import Toml

_SHAPE = re.compile(r"(\bshape\s*=\s*)\[[^\]]*\]")
_DTYPE = re.compile(r"(\bdtype\s*=\s*)\"[^\"]*\"")


def accept_data(folder: Path) -> list[str]:
    """Take a fixture's data as its file holds it now: write its checksum, its shapes and dtypes.

    Arrays that a generator makes are left alone. An array that no section describes gets one, in a file of
    the harness's own; in a table only where nothing is described yet.

    Parameters
    ----------
    folder : Path
        With the fixture.toml, of which only these lines are changed.

    Returns
    -------
    list of str
        What was changed, in words; empty where the fixture says already what the file holds, or has no data.

    Raises
    ------
    FixtureError
        The file is missing or damaged, lacks an array that is described, or cannot be written.
    """
    toml = Toml(folder / FILE, FixtureError)
    head = toml.convert(FixtureHead, "fixture")
    entries = {name: toml.convert(ArrayEntry, "arrays", name) for name in toml.data.get("arrays", {})}
    names = _data(toml, entries)
    if names is None:
        return []
    data = read_array_data(toml, head.file)
    stored = arrays_in(toml, head.file, data)
    kept = {name: entry for name, entry in entries.items() if name in names}
    arrays = described(toml, head.file, stored, kept)
    lines = with_checksum(toml, hashlib.sha256(data).hexdigest())
    changes = list(_restated(toml, lines, kept, arrays))
    if not entries or is_safetensors(head.file):
        for name in [name for name in stored if name not in entries]:
            lines += ["", *array_section(name, stored[name], f"{head.file}").rstrip("\n").split("\n")]
            missing = ", with NaN or infinity in it" if holds_nonfinite(stored[name]) else ""
            changes.append(f"{name}: described, {dtype_of(stored[name])} {list(stored[name].shape)}{missing}")
    if hashlib.sha256(data).hexdigest() != head.sha256:
        changes.insert(0, f"{head.file}: a new checksum")
    if changes:
        try:
            write_whole({toml.path: ("\n".join(lines).rstrip("\n") + "\n").encode()})
        except OSError as problem:
            raise FixtureError(f"cannot be written: {problem.strerror}", path=toml.path) from problem
    return changes


def _data(toml: Toml, entries: dict[str, ArrayEntry]) -> set[str] | None:
    """The described arrays that are data; None where a generator makes all of them."""
    if "generator" not in toml.data:
        return set(entries)
    generators = toml.data["generator"]
    sections = [generators] if isinstance(generators, dict) else generators
    kinds = [section for section in sections if isinstance(section, dict) and section.get("kind") == "data"]
    if not kinds:
        return None
    return {str(name) for section in kinds for name in section.get("arrays", ())}


def _restated(
    toml: Toml, lines: list[str], entries: dict[str, ArrayEntry], arrays: dict[str, Array]
) -> Iterator[str]:
    """Correct the lines of the sections whose array has another shape or dtype now."""
    for name, entry in entries.items():
        array = arrays[name]
        for key, pattern, then, now in (
            ("shape", _SHAPE, list(entry.shape), str(list(array.shape))),
            ("dtype", _DTYPE, entry.dtype, f'"{dtype_of(array)}"'),
        ):
            if str(then) == now.strip('"'):
                continue
            at = (toml.line("arrays", name, key) or 1) - 1
            lines[at], replaced = pattern.subn(lambda match, now=now: match[1] + now, lines[at], count=1)  # type: ignore[misc]
            if not replaced:
                raise toml.refuse(f"'{key}' is not written as one line", "arrays", name, key)
            yield f"{name}: {key} {then} is {now} now"
