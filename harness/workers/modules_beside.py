"""Modules beside a Python source file: it imports its own, even where another file has one of that name."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    PathFinder,
    SourceFileLoader,
)
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NoReturn

Compiling = Callable[[bytes, str], CodeType]
"""From a file's text and path to its code."""

_OURS = frozenset({"numpy", "scipy", "torch"})
"""What the workers themselves use; a case may have one of these names."""


class ModulesBeside:
    """What a source file can import from its folder.

    A module there comes before an installed one of the same name, as for a script, and after the standard
    library's. Each source file has modules of its own, which no other file sees.

    Parameters
    ----------
    source : str
        The file; it cannot import itself.
    compiling : callable
        From the text and path of a module to its code.
    builtins : mapping, optional
        The modules' built-in names, where they are not Python's own.
    """

    def __init__(self, source: str, compiling: Compiling, builtins: Mapping[str, Any] | None = None) -> None:
        self.files: set[str] = set()
        self._source = Path(source).absolute()
        self._compiling = compiling
        self._builtins = builtins
        self._modules: dict[str, ModuleType] = {}
        self._names: set[str] = set()
        self._finders: dict[str, FileFinder] = {}
        self._inside = False

    @contextmanager
    def importable(self) -> Iterator[None]:
        """Let imports find these modules; afterwards no other file does."""
        if self._inside:
            yield
            return
        hidden = self._hidden()
        sys.modules.update(self._modules)
        sys.meta_path.insert(0, self)
        self._inside = True
        try:
            yield
        finally:
            self._inside = False
            sys.meta_path.remove(self)
            self._modules |= {
                name: module for name in self._names if (module := sys.modules.pop(name, None)) is not None
            }
            sys.modules.update(hidden)

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module of the folder, or of a package in it: the import system asks this."""
        if path is None and _is_taken(name):
            return None
        folders = [str(self._source.parent)] if path is None else [p for p in path if self._is_inside(p)]
        for folder in folders:
            spec = self._finder(folder).find_spec(name)
            if spec is None or (spec.origin is not None and Path(spec.origin) == self._source):
                continue
            if spec.loader is None and path is None and PathFinder.find_spec(name) is not None:
                # A folder without __init__.py: what is installed comes first, as in Python.
                continue
            self._names.add(name)
            if spec.origin is not None:
                self.files.add(spec.origin)
            return spec
        return None

    def invalidate_caches(self) -> None:
        """Forget what the folders held."""
        for finder in self._finders.values():
            finder.invalidate_caches()

    def _hidden(self) -> dict[str, ModuleType]:
        """Take away the modules of others that have the name of a file here."""
        loaded = [
            top
            for name in os.listdir(self._source.parent)  # noqa: PTH208
            if (top := name.removesuffix(".py")) in sys.modules and self._is_here(top)
        ]
        names = [name for name in self._modules if name in sys.modules]
        if loaded:
            names += [name for name in sys.modules if name.partition(".")[0] in loaded and name not in names]
        return {name: sys.modules.pop(name) for name in names}

    def _is_here(self, top: str) -> bool:
        folder = self._source.parent
        if _is_taken(top) or folder / f"{top}.py" == self._source:
            return False
        return (folder / f"{top}.py").is_file() or (folder / top / "__init__.py").is_file()

    def _is_inside(self, folder: str) -> bool:
        return Path(folder).is_relative_to(self._source.parent)

    def _finder(self, folder: str) -> FileFinder:
        if folder not in self._finders:

            def loader(name: str, path: str) -> _Loader:
                return _Loader(name, path, self._compiling, self._builtins)

            self._finders[folder] = FileFinder(
                folder,
                (ExtensionFileLoader, EXTENSION_SUFFIXES),
                (loader, SOURCE_SUFFIXES),  # type: ignore[arg-type]
            )
        return self._finders[folder]


def _is_taken(top: str) -> bool:
    return top in sys.stdlib_module_names or top in _OURS


class _Loader(SourceFileLoader):
    """Loads a module from its source alone: compiled files may be old, and are none of the user's."""

    def __init__(
        self, name: str, path: str, compiling: Compiling, builtins: Mapping[str, Any] | None
    ) -> None:
        super().__init__(name, path)
        self._compiling = compiling
        self._builtins = builtins

    def get_code(self, fullname: str) -> CodeType:
        return self._compiling(Path(self.path).read_bytes(), str(self.path))

    def exec_module(self, module: ModuleType) -> None:
        if self._builtins is not None:
            module.__dict__["__builtins__"] = dict(self._builtins)
        exec(self.get_code(module.__name__), module.__dict__)

    def set_data(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise OSError("no compiled file is written")
