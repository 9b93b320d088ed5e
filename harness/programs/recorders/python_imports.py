"""The program's own modules, rewritten as they are imported."""

from __future__ import annotations

import ast
import re
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

from harness.programs.recorders.python_rewrite import Rewriter

if TYPE_CHECKING:
    from harness.programs.recorders.python_recorder import Recorder


class Loader(SourceFileLoader):
    """Loads the program's own helper modules, rewritten."""

    recorder: Recorder

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> CodeType:  # type: ignore[override]
        """Compile what is rewritten."""
        return rewritten(self.recorder, Path(str(path)), bytes(data))

    def get_code(self, fullname: str) -> CodeType | None:
        """The code of a module, whose objects are looked into."""
        path = self.get_filename(fullname)
        self.recorder.modules.add(fullname)
        return self.source_to_code(self.get_data(path), path)


class Finder(PathFinder):
    """Finds modules in the program's folder."""

    folder = ""
    recorder: Recorder

    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> Any:
        """Where a module is, if it is the program's own."""
        spec = PathFinder.find_spec(fullname, path if path is not None else [cls.folder], target)
        origin = getattr(spec, "origin", None)
        if spec is None or not origin or not origin.endswith(".py") or "site-packages" in origin:
            return None
        if not Path(origin).resolve().is_relative_to(cls.folder):
            return None
        loader = Loader(fullname, origin)
        loader.recorder = cls.recorder
        spec.loader = loader
        return spec


def rewritten(recorder: Recorder, path: Path, source: bytes) -> CodeType:
    """The code of a file of the program, with the recorder's hooks."""
    tree = ast.parse(source, str(path))
    try:
        file = str(path.resolve().relative_to(Finder.folder))
    except ValueError:
        file = path.name
    lines = re.split("\r\n?|\n", source.decode("utf-8", "replace"))
    rewriter = Rewriter(recorder.add_for(file), lines, recorder.plan)
    return compile(rewriter.module(tree), str(path), "exec", dont_inherit=True)
