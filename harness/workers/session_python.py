"""Python's session: the plain prompt, a notebook's cells, or a script."""

from __future__ import annotations

import ast
import builtins
import contextlib
import linecache
import os
import platform
import sys
import time
import traceback
import warnings
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from harness.workers.ipython_cells import Cells, beside_sympy, display, display_all, like_a_kernel
from harness.workers.loop import WorkerFault
from harness.workers.protocol import Array
from harness.workers.pylab_names import as_calls
from harness.workers.python_host import blas_in_process, give
from harness.workers.python_source import described
from harness.workers.sessions import Asked, Problems, SessionHost


class PythonSession:
    """One namespace, ``__main__``, in which pieces of code are evaluated."""

    def __init__(self) -> None:
        self._module = ModuleType("__main__")
        self._names = self._module.__dict__
        self._asked = Asked("prompt", "each", ())
        self._lines: dict[str, list[str]] = {}
        self._cells = Cells(self._module)
        self._place = -1

    def describe(self) -> dict[str, Any]:
        """Versions, BLAS and threads."""
        blas, threads = blas_in_process()
        libraries = {}
        for name in ("numpy", "torch"):
            try:
                libraries[name] = version(name)
            except PackageNotFoundError:
                continue
        return {
            "language": "Python",
            "version": platform.python_version(),
            "hosting": "python",
            "libraries": libraries,
            "blas": blas,
            "threads": threads,
            "dtypes": ["float64", "float32"],
            "platform": platform.platform(),
        }

    def open(self, asked: Asked) -> dict[str, str]:
        """Begin; Python has no stand-ins."""
        self._asked = asked
        if asked.place:
            self._place = os.open(asked.place, os.O_WRONLY | os.O_NONBLOCK)
        # Where pickle and dataclasses look for the module of what the document defines.
        sys.modules["__main__"] = self._module
        self._names["__builtins__"] = builtins
        sys.path.insert(0, "")
        if asked.shows_last:
            sys.displayhook = display
            builtins.display = display_all  # type: ignore[attr-defined]
        return {}

    def eval(self, code: str, file: str, line: int, keep_going: bool) -> tuple[float, Problems]:
        """Evaluate code; an error is returned among the problems, not raised."""
        self._remember(code, file, line)
        error: dict[str, Any] | None = None
        start = time.perf_counter()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            try:
                for piece in self._pieces(code, file, line):
                    if self._asked.shows_last:
                        sys.displayhook = beside_sympy(sys.displayhook)
                        like_a_kernel()
                    try:
                        exec(piece, self._names)
                    except BaseException as problem:
                        error = error or self._described(problem, file)
                        if not keep_going:
                            break
            except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
                error = error or {**self._described(problem, file), "kind": "syntax"}
        seconds = time.perf_counter() - start
        said = [f"{warning.category.__name__}: {warning.message}" for warning in caught]
        return seconds, Problems(error, said, _plots())

    def get(self, expression: str) -> Array:
        """The value of an expression: an array, a tensor, a number, or nested sequences of numbers."""
        value = eval(compile(expression, "<capture>", "eval", dont_inherit=True), self._names)
        return _array(value)

    def _pieces(self, code: str, file: str, line: int) -> Iterator[CodeType]:
        above = "\n" * (line - 1)
        code = as_calls(code)
        text = above + code
        prompt = self._asked.shows_last or self._asked.shows_each
        if prompt and "get_ipython(" in code:
            self._cells.begin()
        try:
            tree = ast.parse(text, file)
        except SyntaxError:
            plain = self._cells.as_python(code) if prompt else code
            if plain == code:
                raise
            text = above + plain
            tree = ast.parse(text, file)
        last = len(tree.body) - 1
        for place, statement in enumerate(tree.body):
            # As in a notebook: what ends in a semicolon is not shown.
            quiet = place == last and not self._asked.shows_each and _ends_in_semicolon(text, statement)
            shown = self._asked.shows_each or (self._asked.shows_last and place == last and not quiet)
            self._tell(statement)
            body: ast.Module | ast.Interactive
            if shown and isinstance(statement, ast.Expr):
                # Compiled as a prompt does: its value goes to sys.displayhook.
                body = ast.Interactive([statement])
                yield compile(body, file, "single", dont_inherit=True)
            else:
                body = ast.Module([statement], [])
                yield compile(body, file, "exec", dont_inherit=True)

    def _tell(self, statement: ast.stmt) -> None:
        """Say which statement comes next: if it never ends, it is the one that did not."""
        if self._place >= 0:
            decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
            first = min([statement.lineno, *(expression.lineno for expression in decorators)])
            # Code may have closed it, and whoever reads it need not keep up.
            with contextlib.suppress(OSError):
                os.write(self._place, f"{first} {statement.end_lineno}\n".encode())

    def _remember(self, code: str, file: str, line: int) -> None:
        # inspect.getsource, which some libraries need, reads the lines of the code here.
        known = self._lines.setdefault(file, [])
        given = [f"{text}\n" for text in code.split("\n")]
        known.extend("\n" for _ in range(line - 1 + len(given) - len(known)))
        known[line - 1 : line - 1 + len(given)] = given
        linecache.cache[file] = (sum(map(len, known)), None, known, file)

    def _described(self, error: BaseException, file: str) -> dict[str, Any]:
        name = type(error).__name__
        try:
            text = str(error)
        except Exception:
            text = ""
        frames = traceback.extract_tb(error.__traceback__)
        line = next((at.lineno for at in reversed(frames) if at.filename == file), None)
        if isinstance(error, SyntaxError) and error.filename == file:
            line, text = error.lineno, str(error.msg)
        return {"message": f"{name}: {text}" if text else name, "line": line, "kind": name}


def _ends_in_semicolon(text: str, statement: ast.stmt) -> bool:
    """Whether a semicolon follows a statement in its last line; columns count bytes."""
    assert statement.end_lineno is not None
    line = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[statement.end_lineno - 1].encode()
    return line[statement.end_col_offset :].lstrip().startswith(b";")


def _array(value: Any) -> Array:
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        dense = value.detach().cpu().resolve_conj().resolve_neg()
        return np.asarray((dense.float() if dense.dtype == torch.bfloat16 else dense).numpy())
    if isinstance(value, (list, tuple)) and value:
        items = [_array(item) for item in value]
        if len({item.shape for item in items}) == 1:
            return np.stack(items)
        raise WorkerFault("value", f"{described(value)} of different shapes is no array")
    return give(value)


def _plots() -> list[str]:
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    plots = []
    for number in pyplot.get_fignums():
        axes = pyplot.figure(number).axes
        titles = ", ".join(repr(axis.get_title()) for axis in axes if axis.get_title())
        plots.append(f"figure with {len(axes)} axes" + (f": {titles}" if titles else ""))
    pyplot.close("all")
    return plots


def start() -> SessionHost:
    """Return a session; nothing has to be started."""
    return SessionHost(PythonSession())
