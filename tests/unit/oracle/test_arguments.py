"""No understood function drops an argument: it is honoured, or refused, or changes no number."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flint")

import harness.oracle
from harness.oracle import (
    arguments,
    complex_arrays,
    complex_functions,
    creation,
    facade,
    registry,
    special,
    ufunc_methods,
)
from harness.oracle.unknown import NotUnderstood

FOLDER = Path(harness.oracle.__file__).parent

UNREAD = {
    "self": "an instance, whose class alone may be needed",
    "cls": "a class",
    "kind": "the arithmetic, which the oracle gives",
    "real": "NumPy's function, which the oracle gives",
    "z": "an array that gives the arithmetic",
    "types": "part of NumPy's protocol",
    "out": "`arguments.called` refuses any other value than None",
    "copy": "lazy arrays do not change",
    "stable": "of equal numbers, any order gives the same sorted array",
    **arguments.HARMLESS,
}
"""Parameters that no body has to read, and why."""

ALONE = {
    ("ordering.py", "_sort", "kind"): "the algorithm; of numbers, each gives the same array",
    ("branches.py", "<lambda>", "x"): "whether a real array is complex does not depend on it",
    ("facade.py", "_dist", "real"): "NumPy's function, which the oracle gives",
    ("texts.py", "_undecided", "*_"): "any operation on a text is undecided",
    ("texts.py", "_undecided", "**__"): "any operation on a text is undecided",
    ("in_place.py", "_new", "value"): "defined in each arithmetic",
    ("in_place.py", "__setitem__", "key"): "defined in each arithmetic",
    ("in_place.py", "__setitem__", "value"): "defined in each arithmetic",
    ("precisions.py", "members_of", "bits"): "defined in each arithmetic",
    ("abstract_array.py", "one_of", "least"): "an element is undecided as a whole",
    ("abstract_array.py", "one_of", "most"): "an element is undecided as a whole",
    ("ball_arrays.py", "within", "error"): "true values follow from the numbers themselves",
    ("lazy.py", "promoted", "operands"): "lazy arrays have one precision",
    **{
        ("oracle_host.py", "call", name): "the host computes no stage"
        for name in ("loaded", "stage", "arrays", "names")
    },
}
"""Parameters of one function that its body has not to read, and why."""

FORWARDING = {"_apply_along_axis", "_piecewise", "_created"}
"""Functions that pass any keyword on to a function of the user, or to NumPy's own."""


def unread(tree: ast.AST, slopes: bool = False) -> Iterator[tuple[str, str, int]]:
    """The parameters of all functions of a module that their bodies do not read, with the lines."""
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.Lambda)):
            continue
        given = node.args
        names = [argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
        names += [f"*{given.vararg.arg}"] if given.vararg else []
        names += [f"**{given.kwarg.arg}"] if given.kwarg else []
        if slopes and set(names) <= {"x", "y", "w", "_"}:
            continue
        body = node.body if isinstance(node, ast.FunctionDef) else [node.body]
        if isinstance(node, ast.FunctionDef) and any(
            isinstance(mark, ast.Name) and mark.id == "abstractmethod" for mark in node.decorator_list
        ):
            continue
        read = {
            name.id
            for statement in body
            for name in ast.walk(statement)
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load)
        }
        function = getattr(node, "name", "<lambda>")
        if function in ("__array__", "__deepcopy__"):
            continue
        yield from ((function, name, node.lineno) for name in names if name.lstrip("*") not in read)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_every_parameter_is_read(path: Path) -> None:
    slopes = path.name in ("functions.py", "special.py")
    ignored = [
        f"{path.name}:{line} {function}({name})"
        for function, name, line in unread(ast.parse(path.read_text(encoding="utf-8")), slopes)
        if name not in UNREAD and (path.name, function, name) not in ALONE and name != "_"
    ]
    assert not ignored, "honour it, refuse it, or say above why it changes no number"


def test_a_parameter_that_is_not_read_is_found() -> None:
    source = "def f(x, where=True, **_):\n    where = 1\n    return x\ng = lambda x, k: x\n"
    assert [name for _, name, _ in unread(ast.parse(source))] == ["where", "**_", "k"]


def operations() -> Iterator[tuple[str, Any, Callable[..., Any], int, str]]:
    """Every operation: its table, NumPy's function, itself, how much the oracle gives it, and its name."""
    for table, first in (
        *(("GENERIC", 1), ("ROUNDED_FUNCTIONS", 1), ("BALL_FUNCTIONS", 0)),
        *(("ROUNDED_UFUNCS", 0), ("ROUNDED_REDUCING", 0)),
    ):
        for function, operation in getattr(registry, table).items():
            yield table, function, operation, first, arguments.named(function)
    for tables in ((complex_arrays.UFUNCS, complex_functions.UFUNCS), (complex_functions.FUNCTIONS,)):
        for function, operation in {key: made for table in tables for key, made in table.items()}.items():
            first = int(not isinstance(function, np.ufunc))
            yield "complex", function, operation, first, arguments.named(function)
    for name, operation in facade.BY_NAME.items():
        if name not in ("numpy.c_", "numpy.r_"):
            real = getattr(np, name.removeprefix("numpy."), abs) if name.startswith("numpy.") else abs
            yield "named", real, operation, 2, name
    for name, operation in ufunc_methods.METHODS.items():
        yield "methods", getattr(np.add, name), operation, 2, f"numpy.add.{name}"


OPERATIONS = list(operations())


def test_all_operations_are_there() -> None:
    assert len(OPERATIONS) > 380
    assert {"numpy.sum", "numpy.fft.fft", "numpy.linalg.lstsq", "scipy.special.erf", "math.dist"} <= {
        name for *_, name in OPERATIONS
    }
    assert set(special.SPECIAL) | set(creation.CREATING) <= set(facade.BY_NAME)


def refused(
    operation: Callable[..., Any], first: int, function: Any, args: Any, kwargs: Any, name: str
) -> bool:
    """Whether a call is refused in the one way of saying it, before the operation begins."""
    try:
        arguments.called(operation, (None,) * first, function, args, kwargs, name)
    except NotUnderstood as error:
        return str(error).startswith(f"no limit can be derived for `{name}(") and "=...)`" in str(error)
    except Exception:
        return False
    return False


def test_an_unknown_argument_is_refused() -> None:
    wrong = []
    for table, function, operation, first, name in OPERATIONS:
        taken = arguments.parameters(operation)
        if operation.__name__ not in FORWARDING:
            if taken.forwarding:
                wrong.append(f"{table} {name} takes any keyword")
            for unknown in ("unheard", "out"):
                if not refused(operation, first, function, (), {unknown: 1.0}, name):
                    wrong.append(f"{table} {name}({unknown}=)")
        if not taken.many:
            many = len(taken.placed) + len(arguments.defaults(function))
            if not refused(operation, first, function, (0.5,) * (many + 1), {}, name):
                wrong.append(f"{table} {name} with {many + 1} arguments")
    assert not wrong


@pytest.mark.skipif(int(np.__version__[0]) < 2, reason="functions in C have no signature before NumPy 2.4")
def test_an_argument_by_position_is_the_one_that_numpy_has_there() -> None:
    wrong = []
    for table, function, operation, first, name in OPERATIONS:
        theirs = list(arguments.defaults(function)) if not isinstance(function, np.ufunc) else []
        ours = arguments.parameters(operation).placed[first:]
        compared = (
            theirs
            and theirs[0] != "args"
            and function not in (abs, np.arange, np.einsum)
            and table != "methods"
        )
        if compared and list(ours) != theirs[: len(ours)]:
            wrong.append(f"{table} {name}: {ours} and {theirs}")
    assert not wrong


@pytest.mark.parametrize("ufunc", [np.absolute, np.add, np.frexp, np.matmul], ids=str)
def test_the_parameters_of_a_ufunc_are_those_of_its_signature_where_it_has_one(ufunc: np.ufunc) -> None:
    try:
        given = inspect.signature(ufunc).parameters.values()
    except ValueError:
        pytest.skip("before NumPy 2.4, ufuncs have no signature")
    placed = [parameter.name for parameter in given if parameter.kind != parameter.KEYWORD_ONLY]
    named = {parameter.name for parameter in given if parameter.kind != parameter.POSITIONAL_ONLY}
    taken = arguments.parameters(ufunc)
    assert (list(taken.placed), taken.names) == (placed, named)
    assert not taken.many
    assert not taken.forwarding
