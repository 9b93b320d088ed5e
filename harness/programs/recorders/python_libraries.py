"""Libraries that a program imports, imported beforehand: once for all processes that start from here."""

from __future__ import annotations

import ast
import contextlib
import importlib
from pathlib import Path

_LONG = frozenset({"numpy", "scipy", "pandas", "sklearn", "statsmodels", "torch"})


def import_beforehand(path: Path) -> None:
    """Import what takes long to import, of a program and of its own modules that stand beside it.

    Parameters
    ----------
    path : Path
        Of the program.
    """
    left, seen = [path], {path}
    while left:
        for module, names in _imports(left.pop()):
            if module.partition(".")[0] in _LONG:
                _import(module, names)
                continue
            own = path.parent / f"{module}.py"
            if own not in seen and own.is_file():
                seen.add(own)
                left.append(own)


def _imports(path: Path) -> list[tuple[str, list[str]]]:
    """The modules that a file imports, and which names from them."""
    found: list[tuple[str, list[str]]] = []
    with contextlib.suppress(SyntaxError, ValueError, OSError):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                found += [(alias.name, []) for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.append((node.module, [alias.name for alias in node.names]))
    return found


def _import(module: str, names: list[str]) -> None:
    for name in (None, *names):
        with contextlib.suppress(Exception):
            whole = importlib.import_module(module)
            # What is imported from a package may be a module, which takes as long.
            if name is not None and not hasattr(whole, name):
                importlib.import_module(f"{module}.{name}")
