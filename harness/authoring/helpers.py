"""The files beside a source that it takes: modules that it imports, files that it sources or includes."""

from __future__ import annotations

import ast
import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.authoring.sources import Source
from harness.errors import UsageError
from harness.model import Frozen

_INSTALLED = sys.stdlib_module_names | {"numpy", "scipy", "torch"}
"""What a file's own folder does not replace."""

_C = (".h", ".hh", ".hpp", ".hxx", ".inc", ".c", ".cc", ".cpp", ".cxx")
_TAKEN = {
    **dict.fromkeys(_C, _C),
    **dict.fromkeys((".f90", ".f95", ".f03", ".f08", ".inc"), (".f90", ".f95", ".f03", ".f08", ".inc", ".h")),
    **dict.fromkeys((".mjs", ".js"), (".mjs", ".js", ".json")),
}
"""Endings of files that one is made of; a file of any other ending takes those of its own."""

_JOINED = re.compile(r"(?:file\.path|joinpath|here)\(([^()]*)\)")
_QUOTED = re.compile(r"[\"']([^\"'\n]+)[\"']")


def helpers_of(source: Source) -> dict[str, Path]:
    """The files of its folder that a source takes, and those that these take, by their paths there."""
    folder = source.path.absolute().parent
    found: dict[str, Path] = {}
    waiting = [(source.path.absolute(), source.text)]
    while waiting:
        path, text = waiting.pop()
        taken = _imported(path, text, folder) if path.suffix == ".py" else _included(path, text, folder)
        for each in taken:
            name = each.relative_to(folder).as_posix()
            if name not in found and each != source.path.absolute():
                found[name] = each
                waiting.append((each, each.read_text(encoding="utf-8", errors="replace")))
    return dict(sorted(found.items()))


def outside_of(source: Source) -> tuple[str, ...]:
    """The files and folders of modules that a source names, are there, and lie outside of its folder."""
    folder = source.path.absolute().parent
    suffix = source.path.suffix.lower()
    found: dict[str, None] = {}
    for line in source.text.splitlines():
        if line.lstrip().startswith("#"):
            continue
        for name in _QUOTED.findall(line):
            there = Path(os.path.normpath(folder / name))
            is_taken = there.is_dir() and "sys.path" in line if suffix == ".py" else there.is_file()
            if is_taken and (suffix == ".py" or there.suffix.lower() == suffix):
                found |= {} if there.is_relative_to(folder) else {name: None}
    return tuple(found)


class Helpers(Frozen, frozen=True, kw_only=True):
    """Files to be copied, by where they go; and in words which these are."""

    files: dict[Path, Path]
    told: tuple[str, ...]

    def put(self) -> None:
        """Copy them."""
        for target, path in self.files.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)


def find_helpers(folder: Path, copies: Sequence[tuple[Source, str]]) -> Helpers:
    """What has to be copied into a folder for the copies of sources there.

    Parameters
    ----------
    folder : Path
        Where the copies are put. A file that is there already, and is the same, stays.
    copies : sequence of (Source, str)
        The sources, and the names of their copies.

    Raises
    ------
    UsageError
        A file would take the place of another.
    """
    files: dict[Path, Path] = {}
    told: list[str] = []
    taken = {folder / file for _, file in copies}
    for source, _ in copies:
        for name, path in helpers_of(source).items():
            target = folder / name
            there = files.get(target, target if target.is_file() else None)
            if target in taken or (there is not None and there.read_bytes() != path.read_bytes()):
                raise UsageError(
                    f"takes {name}, and another file that is not the same has that name in the case's folder",
                    path=source.path,
                    advice="rename it",
                )
            if there is None:
                files[target] = path
                told.append(f"{name}: a copy, because {source.path.name} takes it")
    told += [
        f"{name}: no copy, although {source.path.name} names it: it lies outside of its folder;"
        " put it beside the copy, or name it by its whole path"
        for source, _ in copies
        for name in outside_of(source)
        if not Path(name).is_absolute()
    ]
    return Helpers(files=files, told=tuple(told))


def _imported(path: Path, text: str, folder: Path) -> Iterator[Path]:
    """The modules of a folder that a Python file imports, with the packages that they are in."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _module(folder, alias.name.split("."), folder)
        elif isinstance(node, ast.ImportFrom):
            parts = node.module.split(".") if node.module else []
            base = path.parents[node.level - 1] if 0 < node.level <= len(path.parents) else folder
            if node.level and not base.is_relative_to(folder):
                continue
            for alias in node.names:
                yield from _module(base, [*parts, alias.name], folder, is_relative=node.level > 0)


def _module(base: Path, parts: Sequence[str], folder: Path, *, is_relative: bool = False) -> Iterator[Path]:
    """The files of ``a.b.c`` as far as there are some: packages' own, and the last module that is found."""
    if not is_relative and parts and parts[0] in _INSTALLED:
        return
    here = base
    for part in parts:
        module, package = here / f"{part}.py", here / part / "__init__.py"
        if package.is_file():
            yield package
        elif module.is_file():
            yield module
            return
        here = here / part
        if not here.is_dir():
            return


def _included(path: Path, text: str, folder: Path) -> Iterator[Path]:
    """The files of a folder that a file, no Python, names in quotes, by its own folder or the source's."""
    names = _QUOTED.findall(text)
    names += ["/".join(_QUOTED.findall(inside)) for inside in _JOINED.findall(text)]
    for name in names:
        suffix = path.suffix.lower()
        if Path(name).suffix.lower() not in _TAKEN.get(suffix, (suffix,)) or Path(name).is_absolute():
            continue
        for base in (path.parent, folder):
            there = Path(os.path.normpath(base / name))
            if there.is_file() and there.is_relative_to(folder):
                yield there
                break
