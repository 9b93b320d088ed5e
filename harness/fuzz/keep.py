"""An input that was found becomes a sample of the case's fixture."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from harness.errors import FixtureError, HarnessError
from harness.model import Array, Case
from harness.store.atomic import write_whole
from harness.store.cases import load_case
from harness.store.fixture_data import arrays_in, is_safetensors, read_array_data
from harness.store.fixture_writer import array_section, packed, section
from harness.store.fixtures import FILE, ONLY_SAMPLE, FixtureHead, find_fixture, load_fixture
from harness.store.regenerate import with_checksum
from harness.store.suites import case_folders, suites_in
from harness.store.toml import Toml

_SAMPLES = re.compile(r"^(\s*samples\s*=\s*)\[[^\]]*\](.*)$")
_ONE_GENERATOR = re.compile(r"^\[generator\](.*)$")


def keep(case: Case, suite: Path, inputs: Mapping[str, Array], origin: str) -> str:
    """Add a sample to the fixture of a case.

    Parameters
    ----------
    case : Case
        The case.
    suite : Path
        Its suite.
    inputs : mapping of str to ndarray
        The case's inputs.
    origin : str
        Where they come from, as the fixture is to say it.

    Returns
    -------
    str
        The sample's name, which follows from its numbers; one that is there already is not added again.

    Raises
    ------
    FixtureError
        The fixture is not one that a sample can be added to; it is then as it was.
    """
    folder = find_fixture(case, suite)
    toml = Toml(folder / FILE, FixtureError)
    head = toml.convert(FixtureHead, "fixture")
    _check(toml, head)
    stored = arrays_in(toml, head.file, read_array_data(toml, head.file))
    new = {name: _stored(array, name, toml) for name, array in inputs.items()}
    sample = f"fuzz_{hashlib.sha256(packed(new)).hexdigest()[:8]}"
    if sample in head.samples:
        return sample
    added = {f"{sample}/{name}": array for name, array in new.items()}
    data = packed({**stored, **added})
    lines = with_checksum(toml, hashlib.sha256(data).hexdigest())
    _add_sample(toml, lines, [*(head.samples or (ONLY_SAMPLE,)), sample])
    if "generator" in toml.data:
        lines = [_ONE_GENERATOR.sub(r"[[generator]]\1", line) for line in lines]
        lines += ["", *section("[[generator]]", {"kind": "data", "arrays": sorted(added)}).splitlines()]
    for name, array in sorted(added.items()):
        lines += ["", *array_section(name, array, origin).splitlines()]
    paths = [folder / head.file, toml.path]
    before = {path: path.read_bytes() for path in paths}
    text = "\n".join(lines).rstrip("\n") + "\n"
    try:
        write_whole(dict(zip(paths, (data, text.encode()), strict=True)))
        load_fixture(case, suite)
    except OSError as problem:
        raise FixtureError(f"cannot be written: {problem.strerror}", path=folder) from problem
    except HarnessError:
        write_whole(before)
        raise
    return sample


def check_keep(case: Case, suite: Path) -> None:
    """Whether a sample can be added to the fixture of a case, before one is looked for.

    Parameters
    ----------
    case, suite
        As of `keep`.

    Raises
    ------
    FixtureError
        It cannot: the fixture is of another kind, or other cases have it, which may not take such a sample.
    """
    folder = find_fixture(case, suite)
    toml = Toml(folder / FILE, FixtureError)
    _check(toml, toml.convert(FixtureHead, "fixture"))
    others = _others(case, suite, folder)
    if others:
        raise toml.refuse(
            f"no sample can be added for {case.name}: {', '.join(others)} would have it too",
            advice="give the case a copy of the fixture under a name of its own, or leave out --keep",
        )


def _others(case: Case, suite: Path, folder: Path) -> list[str]:
    """The other cases that have a fixture; where it lies beside the suite, those of suites beside it too."""
    parent = suite.resolve().parent
    suites = {suite.resolve()}
    if folder.resolve().is_relative_to(parent / "fixtures"):
        suites |= {other.resolve() for other in suites_in(parent)}
    names = []
    for other in (path for one in sorted(suites) for path in case_folders(one)):
        if other.resolve().parent == suite.resolve() and other.name == case.name:
            continue
        try:
            known = load_case(other)
            if find_fixture(known, other.parent).resolve() == folder.resolve():
                names.append(known.name)
        except HarnessError:
            # What cannot be read does not run either.
            continue
    return names


def _check(toml: Toml, head: FixtureHead) -> None:
    if not is_safetensors(head.file):
        raise toml.refuse(
            f"no sample can be added to {head.file}: it is not the harness's own",
            *("fixture", "file"),
            advice="add the numbers to the file by hand, then: harness regenerate --accept",
        )
    if "word_vectors" in toml.data:
        raise toml.refuse(
            "no sample can be added to a fixture that looks words up",
            "word_vectors",
            advice="make a case with a fixture of numbers",
        )


def _stored(array: Array, name: str, toml: Toml) -> Array:
    """An array as a fixture stores it: complex numbers as pairs."""
    if array.dtype.kind == "U":
        raise toml.refuse(f"no sample can be added: {name!r} is text", "arrays", name)
    if array.dtype.kind == "c":
        return np.stack([array.real, array.imag], axis=-1)
    return array


def _add_sample(toml: Toml, lines: list[str], samples: list[str]) -> None:
    written = f"[{', '.join(map(json.dumps, samples))}]"
    at = toml.line("fixture", "samples")
    if at is None:
        lines.insert(toml.line("fixture", "sha256") or 1, f"samples = {written}")
        return
    lines[at - 1], replaced = _SAMPLES.subn(lambda match: f"{match[1]}{written}{match[2]}", lines[at - 1])
    if not replaced:
        raise toml.refuse(
            "'samples' is not written as one line", "fixture", "samples", advice="write it so, then try again"
        )
