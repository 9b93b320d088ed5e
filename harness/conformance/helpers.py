"""Files of a source's folder that the source needs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

_QUOTED = re.compile(r"""["']([^"'\n]{1,200})["']""")
_SOURCES = frozenset(
    {".py", ".R", ".r", ".jl", ".mjs", ".js", ".m", ".c", ".h", ".cpp", ".hpp", ".f90", ".inc"}
)


def helper_files(source: Path) -> dict[str, bytes]:
    """Return the files of its folder that a source file imports, sources, includes or names.

    Parameters
    ----------
    source : Path
        In any of the languages.

    Returns
    -------
    dict
        By the path from its folder, the contents: modules and packages that it imports, and files whose name
        stands in it in quotes; of those in these languages, what they need in turn.
    """
    folder = source.resolve().parent
    contents: dict[str, bytes] = {}
    waiting = [source.resolve()]
    while waiting:
        for path in _named(waiting.pop(), folder):
            name = path.relative_to(folder).as_posix()
            if path != source.resolve() and name not in contents:
                contents[name] = path.read_bytes()
                if path.suffix in _SOURCES:
                    waiting.append(path)
    return dict(sorted(contents.items()))


def _named(path: Path, folder: Path) -> Iterator[Path]:
    text = path.read_text(encoding="utf-8", errors="replace")
    for match in _QUOTED.finditer(text):
        yield from _inside(folder / match[1], folder)
        yield from _inside(path.parent / match[1], folder)
    if path.suffix == ".py":
        for module in _imported(text):
            place = folder.joinpath(*module.split("."))
            yield from _inside(place.with_suffix(".py"), folder)
            for inner in sorted(place.rglob("*.py")) if place.is_dir() else ():
                yield from _inside(inner, folder)


def _inside(path: Path, folder: Path) -> Iterator[Path]:
    try:
        target = path.resolve()
        if target.is_file() and target.is_relative_to(folder):
            yield target
    except (OSError, ValueError):
        return


def _imported(text: str) -> Iterator[str]:
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.module:
                yield node.module
            prefix = f"{node.module}." if node.module else ""
            yield from (f"{prefix}{name.name}" for name in node.names if name.name != "*")
