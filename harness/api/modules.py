"""Which modules a worker finds by itself, and the files of those that it does not."""

from __future__ import annotations

import ast
import functools
import importlib.metadata
import importlib.util
import site
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType


@functools.cache
def is_installed(top: str) -> bool:
    """Whether a worker, a process of the same Python without this script's folder, finds a module."""
    if top in sys.stdlib_module_names or top in sys.builtin_module_names:
        return True
    origin = _file_of(top)
    if origin is None:
        return False
    if any(origin.is_relative_to(folder) for folder in _folders()):
        return True
    return top in importlib.metadata.packages_distributions()


def local_files(module: ModuleType) -> tuple[Path, ...]:
    """A module's file, or its package's folder, and those of the modules beside it that it imports."""
    first = _file_of(module.__name__)
    found: dict[Path, None] = {}
    waiting = [] if first is None else [first]
    while waiting:
        path = waiting.pop()
        whole = path.parent if path.name == "__init__.py" else path
        if whole in found:
            continue
        found[whole] = None
        for source in sorted(whole.rglob("*.py")) if whole.is_dir() else [whole]:
            for top in _imports(source):
                beside = whole.parent / f"{top}.py"
                package = whole.parent / top / "__init__.py"
                waiting += [place for place in (package, beside) if place.is_file()][:1]
    return tuple(found)


def _file_of(top: str) -> Path | None:
    module = sys.modules.get(top)
    origin = getattr(module, "__file__", None)
    if origin is None:
        try:
            spec = importlib.util.find_spec(top)
        except (ImportError, ValueError):
            return None
        origin = spec.origin if spec is not None else None
    return Path(origin).resolve() if origin is not None and Path(origin).is_file() else None


@functools.cache
def _folders() -> tuple[Path, ...]:
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    folders = [
        *(sysconfig.get_path(name) for name in names),
        *site.getsitepackages(),
        site.getusersitepackages(),
    ]
    return tuple(Path(folder).resolve() for folder in folders)


def _imports(source: Path) -> Iterator[str]:
    try:
        tree = ast.parse(source.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
