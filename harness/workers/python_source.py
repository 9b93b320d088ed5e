"""Python source files as stages: load, look up, call, and find the line of an error."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from harness.workers.libraries import unreplaced
from harness.workers.loop import Problem, Signatures, WorkerFault
from harness.workers.modules_beside import Compiling, ModulesBeside
from harness.workers.settings import OwnSettings
from harness.workers.torch_modules import submodule
from harness.workers.value_codes import Coded, Refused, Undeclared, named
from harness.workers.values import adapted, constructed

_numbers = count(1)


class PythonFile:
    """One file that was evaluated in a module of its own, with the modules beside it that it imports.

    Parameters
    ----------
    path : str
        The file.
    builtins : mapping, optional
        Its built-in names, where they are not Python's own.
    compiling : callable, optional
        From its text and path to its code.
    signatures : mapping, optional
        By stage, how it is called where that is not a function of its name, of plain arrays.

    Raises
    ------
    WorkerFault
        Kind ``load``: the file cannot be read or evaluated, or it replaces a library's function.
    """

    def __init__(
        self,
        path: str,
        builtins: Mapping[str, Any] | None = None,
        compiling: Compiling | None = None,
        signatures: Signatures | None = None,
    ) -> None:
        self.path = path
        self._signatures = signatures or {}
        compiled = compiling or _compiled
        self._beside = ModulesBeside(path, compiled, builtins)
        self._settings = OwnSettings()
        self._module = ModuleType(f"stages_{next(_numbers)}_{Path(path).stem}")
        self._module.__file__ = path
        if builtins is not None:
            self._module.__dict__["__builtins__"] = dict(builtins)
        # Where pickle and dataclasses look for the module of what the file defines.
        sys.modules[self._module.__name__] = self._module
        try:
            text = Path(path).read_bytes()
            # Settings are put back first: torch.Storage follows the dtype, and would be taken for replaced.
            with unreplaced(), self._settings.hold(), self._beside.importable():
                exec(compiled(text, path), self._module.__dict__)
        except Exception as error:
            raise self.fault("load", error) from error
        except SystemExit as error:
            raise self.fault("load", error, f"the file calls sys.exit({error.code!r})") from error

    def drop(self) -> None:
        """Forget the module: nothing of it is called again."""
        sys.modules.pop(self._module.__name__, None)

    def problems(self, stages: Mapping[str, int]) -> list[Problem]:
        """Stages that the file lacks, or that do not take so many positional arguments."""
        return [problem for stage, inputs in stages.items() if (problem := self._problem(stage, inputs))]

    def _problem(self, stage: str, inputs: int) -> Problem | None:
        how = self._signatures.get(stage, {})
        inputs = len(how["takes"]) if "takes" in how else inputs
        try:
            function = self._function(stage)
        except (LookupError, ImportError) as error:
            return {"stage": stage, "kind": "missing", "message": str(error.args[0])}
        except Exception as error:
            return {"stage": stage, "kind": "missing", "message": f"{how['call']}: {self._describe(error)}"}
        if not hasattr(function, "of"):
            return _misfit(stage, function, str(how.get("call", "")) or stage, inputs)
        owner, method = function.of
        first = len(how.get("construct", ()))
        # Of a method that is not bound, the object is the first argument.
        bound = _misfit(stage, getattr(owner, method), f"{owner.__name__}.{method}", inputs - first + 1)
        return _misfit(stage, owner, owner.__name__, first) or bound

    @property
    def files(self) -> frozenset[str]:
        """The file, and those beside it that it imported."""
        return frozenset({self.path, *self._beside.files})

    def _function(self, stage: str) -> Any:
        """What the user wrote for a stage: a function, or a method with the making of its object."""
        how = self._signatures.get(stage, {})
        if "submodule" in how:
            return self._submodule(how["submodule"])
        called = str(how.get("call", "")) or stage
        module, _, name = called.rpartition(":")
        owner: Any = None
        place: Any = self._module
        if module:
            with self._beside.importable():
                place = importlib.import_module(module)
        for part in name.split("."):
            owner, place = place, getattr(place, part, None)
            if place is None:
                raise LookupError(f"there is no function {part}{f' in {called}' if part != called else ''}")
        if not callable(place):
            raise LookupError(f"{called} is not a function")
        part = name.rpartition(".")[2]
        if not inspect.isclass(owner) or isinstance(
            inspect.getattr_static(owner, part), (staticmethod, classmethod)
        ):
            return place
        return constructed(owner, part, how.get("construct", ()))

    def _submodule(self, how: Mapping[str, Any]) -> Any:
        make = getattr(self._module, how["module"], None)
        if not callable(make):
            raise LookupError(f"there is no class or function {how['module']}")
        return submodule(make, how)

    def code_of(self, stage: str) -> CodeType | None:
        """The code of a stage's function; None where it is no function of Python."""
        try:
            function: Any = self._function(stage)
        except Exception:
            return None
        if hasattr(function, "of"):
            owner, method = function.of
            function = getattr(owner, method)
        code: CodeType | None = getattr(inspect.unwrap(function), "__code__", None)
        return code

    def call(self, stage: str, arguments: Sequence[Any]) -> tuple[float, Any]:
        """Call a stage's function; the seconds it took, and what it returned."""
        how = self._signatures.get(stage)
        try:
            with self._settings.hold(), self._beside.importable():
                function = self._function(stage)
                if how is not None:
                    function = adapted(function, how)
                start = time.perf_counter()
                value = function(*arguments)
                seconds = time.perf_counter() - start
        except Refused as error:
            raise WorkerFault("value", str(error)) from error
        except Undeclared as error:
            raise WorkerFault("call", str(error)) from error
        except Exception as error:
            raise self.fault("call", error) from error
        except SystemExit as error:
            raise self.fault("call", error, f"{stage} calls sys.exit({error.code!r})") from error
        return seconds, value

    @contextmanager
    def called(self, stage: str) -> Iterator[Callable[..., Any]]:
        """A stage's function, to be called many times with arrays, with the file's settings."""
        with self._settings.hold(), self._beside.importable():
            yield self._function(stage)

    def fault(self, kind: str, error: BaseException, message: str = "") -> WorkerFault:
        """An error of this file as a reply, with the innermost line of the file that had a part in it."""
        line = next((at.lineno for at in reversed(self._frames(error)) if at.filename == self.path), None)
        if isinstance(error, SyntaxError) and error.filename == self.path:
            line, message = error.lineno, f"{type(error).__name__}: {error.msg}"
        elif isinstance(error, OSError) and kind == "load" and line is None:
            message = f"the file cannot be read: {error.strerror}"
        return WorkerFault(kind, message or self._describe(error), line=line, detail=self._detail(error))

    def _frames(self, error: BaseException) -> list[traceback.FrameSummary]:
        return list(traceback.extract_tb(error.__traceback__))

    def _describe(self, error: BaseException) -> str:
        name = type(error).__name__
        try:
            text = str(error)
        except Exception:
            return name
        return f"{name}: {text}" if text else name

    def _detail(self, error: BaseException) -> str:
        try:
            lines = traceback.format_exception(error, chain=False)
        except Exception:
            return ""
        here = os.path.dirname(__file__)  # noqa: PTH120
        return "".join(line for line in lines if f'File "{here}' not in line)


def _misfit(stage: str, function: Any, name: str, inputs: int) -> Problem | None:
    """Why a function does not take so many arguments by position; None where it does."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        # Written in C: the call itself will tell.
        return None
    try:
        signature.bind(*[None] * inputs)
    except TypeError as error:
        message = f"{name}{signature} cannot take the stage's {inputs} inputs: {error}"
        problem: Problem = {"stage": stage, "kind": "arity", "message": message}
        code = getattr(inspect.unwrap(function), "__code__", None)
        return {**problem, "line": code.co_firstlineno} if code is not None else problem
    return None


def _compiled(text: bytes, path: str) -> CodeType:
    code: CodeType = compile(text, path, "exec", dont_inherit=True)
    return code


def outputs_of(
    value: Any, names: Sequence[str], give: Callable[[Any], Any], *, plain: type | None = None
) -> list[Any]:
    """What a function returned, as the declared outputs.

    Parameters
    ----------
    value : object
        What it returned: an array where one output is declared, else a tuple or list of them, in the declared
        order. A dict, a named tuple and a data frame have them by name, and may have more.
    names : sequence of str
        The declared outputs; empty texts where only their number is known.
    give : callable
        Turns one value into an array, or raises `TypeError` that says what it is.
    plain : type, optional
        Of arrays that name nothing, which are not asked for it.

    Raises
    ------
    Fault
        Kind ``value``.
    """
    outputs = len(names)
    named = None if type(value) is plain else _by_name(value, names)
    if named is not None:
        values = named
    elif outputs == 1:
        values = [value]
    elif not isinstance(value, (tuple, list)):
        raise WorkerFault(
            "value", f"returned {described(value)}, and {outputs} arrays in a tuple are expected"
        )
    elif len(value) != outputs:
        raise WorkerFault("value", f"returned {len(value)} values, and {outputs} are expected")
    else:
        values = list(value)
    arrays = []
    for position, item in enumerate(values, start=1):
        try:
            arrays.append(item.array if isinstance(item, Coded) else give(item))
        except (TypeError, OverflowError) as error:
            where = f"value {position} of {outputs}: " if outputs > 1 else ""
            raise WorkerFault("value", f"{where}{error}") from error
    return arrays


def _by_name(value: Any, names: Sequence[str]) -> list[Any] | None:
    """The outputs of a value that names what it has; None where it names nothing."""
    if not all(names):
        return None
    if isinstance(value, Mapping):
        known = {str(name): item for name, item in value.items()}
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        known = dict(zip(value._fields, value, strict=True))
        if not known.keys() & set(names):
            # A library's own names, as of numpy.linalg.eigh: it is a tuple as well.
            return None
    elif hasattr(value, "columns") and hasattr(value, "to_numpy"):
        known = {str(name): value[name] for name in value.columns}
    elif (attributes := named(value)) is not None and attributes.keys() >= set(names):
        known = attributes
    else:
        return None
    if known.keys() >= set(names):
        return [known[name] for name in names]
    missing = [name for name in names if name not in known]
    has = f"returned a {type(value).__name__} with {', '.join(known)}"
    raise WorkerFault("value", f"{has}: {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing")


def described(value: object) -> str:
    """A value in words that fit a sentence: its type, and the value where it is short."""
    name = type(value).__name__
    if value is None:
        return "None"
    if isinstance(value, (str, bytes)):
        return f"{value[:40]!r}, a {name}"
    if isinstance(value, (tuple, list, dict, set)):
        return f"a {name} of {len(value)}"
    return f"a {name}"
