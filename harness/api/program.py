"""The program of one Python function: its source, and all that it needs, as a file that runs by itself."""

from __future__ import annotations

import ast
import dis
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from harness.api.modules import is_installed, local_files
from harness.model import Frozen

MOST_ELEMENTS = 10_000
"""Elements of an array that is written out as a constant."""


class NoSource(Exception):
    """The source of a function, or of what it needs, cannot be found; the text says why."""


class Program(Frozen, frozen=True, kw_only=True):
    """The text of a file, the name of the function in it, and files that have to lie beside it."""

    text: str
    name: str
    beside: tuple[Path, ...] = ()


def program_of(function: Callable[..., Any]) -> Program:
    """Write the program of a function.

    Parameters
    ----------
    function : callable
        A function that ``def`` made. Of what it refers to, functions and classes are taken along as source,
        installed modules are imported, modules beside it are copied, and plain constants are written out.

    Raises
    ------
    NoSource
        Of a lambda, a method, a function written in C or typed at a prompt, and where something that it
        refers to cannot be written.
    """
    found = _Program()
    name = found.add(function)
    return Program(text=found.text(), name=name, beside=tuple(dict.fromkeys(found.beside)))


class _Program:
    def __init__(self) -> None:
        self.known: dict[str, Any] = {}
        self.imports: list[str] = []
        self.constants: list[str] = []
        self.definitions: list[str] = []
        self.beside: list[Path] = []

    def text(self) -> str:
        head = ["from __future__ import annotations", *self.imports, *self.constants]
        return "\n".join(head) + "\n\n\n" + "\n\n".join(self.definitions)

    def add(self, function: Callable[..., Any]) -> str:
        """Add a function and what it needs; return its name."""
        plain = inspect.unwrap(function)
        if not isinstance(plain, FunctionType):
            raise NoSource(f"it is a {type(function).__name__}, not a function that def made")
        if plain.__name__ == "<lambda>":
            raise NoSource("it is a lambda")
        if inspect.isgeneratorfunction(plain) or inspect.iscoroutinefunction(plain):
            raise NoSource("it is a generator or a coroutine")
        source = _source_of(plain)
        tree = _definition(source)
        self.known[tree.name] = function
        closure = dict(zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True))
        needed = {**dict.fromkeys(_names_in(plain.__code__)), **dict.fromkeys(_names_around(tree))}
        for name in [*closure, *needed]:
            if name in closure:
                try:
                    self.name(name, closure[name].cell_contents)
                except ValueError as error:
                    raise NoSource(f"{name} has no value yet") from error
            elif name in plain.__globals__:
                self.name(name, plain.__globals__[name])
        for module in _imported_in(plain.__code__):
            self._module(sys.modules.get(module), module)
        self.definitions.append(source)
        return tree.name

    def name(self, name: str, value: Any) -> None:
        """Add what a name stands for."""
        if name in self.known:
            if self.known[name] is not value:
                raise NoSource(f"{name} stands for two things in the functions that it needs")
            return
        self.known[name] = value
        if isinstance(value, ModuleType):
            self._module(value, value.__name__)
            self.imports.append(f"import {value.__name__} as {name}")
        elif (origin := _origin(value)) is not None and is_installed(origin[0].partition(".")[0]):
            self.imports.append(f"from {origin[0]} import {origin[1]} as {name}")
        elif isinstance(inspect.unwrap(value) if callable(value) else value, FunctionType):
            del self.known[name]
            own = self.add(value)
            if own != name:
                self.known[name] = value
                self.definitions.append(f"{name} = {own}\n")
        elif isinstance(value, type):
            self._class(name, value)
        else:
            self.constants.append(f"{name} = {_written(name, value)}")

    def _class(self, name: str, value: type) -> None:
        source = _source_of(value)
        tree = ast.parse(source)
        around = vars(sys.modules.get(value.__module__, ModuleType("")))
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id in around and node.id != name:
                self.name(node.id, around[node.id])
        self.definitions.append(source)

    def _module(self, module: ModuleType | None, name: str) -> None:
        top = name.partition(".")[0]
        if is_installed(top):
            return
        whole = sys.modules.get(top) or module
        files = local_files(whole) if whole is not None else ()
        if not files:
            raise NoSource(f"the module {top} is neither installed nor a file")
        self.beside += files


def _source_of(value: Any) -> str:
    try:
        source = textwrap.dedent(inspect.getsource(value))
    except (OSError, TypeError) as error:
        raise NoSource(f"the source of {value.__name__} cannot be found") from error
    if isinstance(value, FunctionType):
        _check_current(value)
    return source


def _check_current(function: FunctionType) -> None:
    """Refuse a source that is not what runs: its file was changed since, or the function was rewritten."""
    try:
        # All of its file: how a name is compiled depends on what the file imports.
        whole = compile("".join(inspect.findsource(function)[0]), "", "exec", dont_inherit=True)
        codes = list(_codes(whole, function.__code__.co_name))
    except (SyntaxError, ValueError) as error:
        raise NoSource(f"the file of {function.__name__} cannot be read") from error
    running = _operations(function.__code__)
    if not any(_operations(code) == running for code in codes):
        raise NoSource(
            f"what {inspect.getsourcefile(function)} has as {function.__name__} is not what runs: "
            "the file was changed, or the function was rewritten"
        )


def _operations(code: CodeType) -> list[tuple[str, str]]:
    """What code does, whatever its lines are and however often it ran."""
    own = [
        (instruction.opname, "" if isinstance(instruction.argval, CodeType) else instruction.argrepr)
        for instruction in dis.get_instructions(code)
    ]
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return [*own, *(operation for each in inner for operation in _operations(each))]


def _codes(code: CodeType, name: str) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_name == name:
                yield constant
            yield from _codes(constant, name)


def _definition(source: str) -> ast.FunctionDef:
    try:
        (node,) = ast.parse(source).body
    except (SyntaxError, ValueError) as error:
        raise NoSource("its source is not one definition") from error
    if not isinstance(node, ast.FunctionDef):
        raise NoSource("its source is not one definition")
    return node


def _names_in(code: CodeType) -> Iterator[str]:
    """The global names that code reads, its inner functions included."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)


def _names_around(tree: ast.FunctionDef) -> Iterator[str]:
    """The names in its decorators and default values, which are evaluated when it is defined."""
    defaults = [default for default in (*tree.args.defaults, *tree.args.kw_defaults) if default is not None]
    for part in (*tree.decorator_list, *defaults):
        yield from (node.id for node in ast.walk(part) if isinstance(node, ast.Name))


def _imported_in(code: CodeType) -> Iterator[str]:
    for instruction in dis.get_instructions(code):
        if instruction.opname == "IMPORT_NAME":
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _imported_in(constant)


def _origin(value: Any) -> tuple[str, str] | None:
    """A module and a name in it that stand for this value; None where there are none."""
    if not (callable(value) or isinstance(value, (BuiltinFunctionType, type))):
        return None
    name = getattr(value, "__name__", "")
    places = [getattr(value, "__module__", None) or "", "numpy" if isinstance(value, np.ufunc) else ""]
    for place in places:
        module = sys.modules.get(place)
        if module is not None and re.fullmatch(r"\w+", name) and getattr(module, name, None) is value:
            return place, name
    return None


def _written(name: str, value: Any) -> str:
    """A constant as Python writes it.

    Raises
    ------
    NoSource
        It is none that can be written exactly.
    """
    if isinstance(value, np.ndarray) and type(value) is np.ndarray and value.dtype.kind in "fiubc":
        if value.size > MOST_ELEMENTS:
            raise NoSource(f"{name} is an array of {value.size:,} elements: make it an input")
        numbers = _numbers(value.ravel().tolist())
        return f'__import__("numpy").array({numbers}, dtype="{value.dtype.name}").reshape({value.shape})'
    if isinstance(value, np.generic) and value.dtype.kind in "fiubc":
        return f'__import__("numpy").{value.dtype.name}({_numbers(value.item())})'
    if _is_plain(value):
        return _numbers(value)
    raise NoSource(f"{name} is a {type(value).__name__}, which cannot be written into a file")


def _is_plain(value: Any) -> bool:
    if type(value) in (tuple, list, set, frozenset):
        return all(map(_is_plain, value))
    if type(value) is dict:
        return all(_is_plain(key) and _is_plain(item) for key, item in value.items())
    return value is None or value is ... or type(value) in (bool, int, float, complex, str, bytes)


def _numbers(value: Any) -> str:
    """What Python prints of plain values, with NaN and infinities as expressions."""
    return (
        re.sub(r"(?<![\w'\"])(nan|inf)(?!\w)", r'float("\1")', repr(value))
        if _has_special(value)
        else repr(value)
    )


def _has_special(value: Any) -> bool:
    if isinstance(value, (tuple, list, set, frozenset)):
        return any(map(_has_special, value))
    if isinstance(value, dict):
        return any(_has_special(item) for pair in value.items() for item in pair)
    if isinstance(value, complex):
        return _has_special(value.real) or _has_special(value.imag)
    return isinstance(value, float) and (value != value or abs(value) == float("inf"))
