"""What functions and subroutines of Fortran take, from the prototypes that gfortran writes of them."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from harness.workers.c_prototypes import is_returned
from harness.workers.declared_arrays import DeclaredStage

_PROTOTYPE = re.compile(r"^(\w[\w ]*?)\s*\b(\w+)\s*\((.*)\);$", re.MULTILINE)
_TYPES: Mapping[str, tuple[str, int]] = {
    "double": ("float", 8),
    "float": ("float", 4),
    "__GFORTRAN_DOUBLE_COMPLEX": ("complex", 16),
    "__GFORTRAN_FLOAT_COMPLEX": ("complex", 8),
    "void": ("pointer", ctypes.sizeof(ctypes.c_void_p)),
    **{
        name: ("whole", ctypes.sizeof(kind))
        for name, kind in (
            ("_Bool", ctypes.c_bool), ("signed char", ctypes.c_byte), ("char", ctypes.c_byte),
            ("short", ctypes.c_short), ("int", ctypes.c_int), ("long", ctypes.c_long),
            ("long long", ctypes.c_longlong), ("size_t", ctypes.c_size_t),
            ("int8_t", ctypes.c_int8), ("int16_t", ctypes.c_int16), ("int32_t", ctypes.c_int32),
            ("int64_t", ctypes.c_int64), ("int_fast8_t", ctypes.c_int8), ("int_fast16_t", ctypes.c_long),
            ("int_least16_t", ctypes.c_int16), ("int_least32_t", ctypes.c_int32),
        )
    },
}  # fmt: skip
"""What numbers of a type are, and how many bytes one has."""


class Taken(NamedTuple):
    """One parameter: what its numbers are, how many bytes one has, and whether it is passed by address."""

    kind: str
    size: int
    by_address: bool


class Procedure(NamedTuple):
    """A function or subroutine: its symbol, what it takes, and what it returns; a subroutine returns None."""

    symbol: str
    takes: tuple[Taken, ...]
    returns: Taken | None


def procedures(prototypes: str) -> dict[str, Procedure]:
    """The procedures outside of modules, and those with ``bind(c)``, by their names in lower case.

    Parameters
    ----------
    prototypes : str
        What ``gfortran -fc-prototypes -fc-prototypes-external`` prints.
    """
    known = {}
    # Such as WARNING: non-interoperable KIND, which real(8) has where real(c_double) has none.
    plain = re.sub(r"/\*.*?\*/", "", prototypes, flags=re.DOTALL)
    for returned, symbol, parameters in _PROTOTYPE.findall(plain):
        taken = tuple(_taken(each) for each in parameters.split(",") if each.strip() not in ("", "void"))
        made = Procedure(symbol, taken, None if returned.strip() == "void" else _taken(returned))
        known[symbol.removesuffix("_").lower()] = made
    return known


def misfit(stage: DeclaredStage, procedure: Procedure, real: int) -> str:
    """Why a procedure cannot be a stage's in reals of so many bytes; empty where it can."""
    returned = procedure.returns is not None
    expected: list[tuple[str, str]] = [(size, "whole") for size in stage.sizes]
    expected += [(value.name, value.kind) for value in stage.inputs]
    found = set(stage.found)
    outputs = [(symbol, "whole") for symbol in stage.found]
    outputs += [(v.name, "pointer" if found.intersection(v.shape) else v.kind) for v in stage.outputs]
    if procedure.returns is not None:
        if not is_returned(stage):
            return "it is a function, and a subroutine is expected: only a scalar is returned"
        if why := _unlike(*outputs[0], procedure.returns, real):
            return why
    expected += [] if returned else outputs
    names = ", ".join(name for name, _ in expected)
    if len(procedure.takes) != len(expected):
        return f"it takes {len(procedure.takes)} arguments, and {len(expected)} are given: {names}"
    pairs = list(zip(expected, procedure.takes, strict=True))
    for (name, _), taken in pairs[len(pairs) - (0 if returned else len(outputs)) :]:
        if not taken.by_address:
            return f"{name} is passed by value, and is to be set: leave value out"
    for (name, kind), taken in pairs:
        if kind == "complex" and taken.kind == kind and not taken.by_address:
            return f"{name} is complex and passed by value, which has no form here: leave value out"
    return next((why for (name, kind), taken in pairs if (why := _unlike(name, kind, taken, real))), "")


def _unlike(name: str, kind: str, taken: Taken, real: int) -> str:
    match kind:
        case "float" | "complex":
            bytes_ = real * (2 if kind == "complex" else 1)
            fits = taken.kind == kind and taken.size == bytes_
            wanted = f"{kind.replace('float', 'real')}({real})"
        case "pointer":
            fits, wanted = taken.kind == kind, "type(c_ptr), to memory that malloc gives,"
        case "bool":
            fits, wanted = taken.kind == "whole" and taken.size in (1, 4), "logical"
        case _:
            fits, wanted = taken.kind == "whole" and taken.size >= 4, "integer"
    names = {"float": "real", "whole": "integer"}
    size = taken.size // 2 if taken.kind == "complex" else taken.size
    there = "a pointer" if taken.kind == "pointer" else f"{names.get(taken.kind, taken.kind)}({size})"
    return "" if fits else f"{name} is {there}, and {wanted} is expected"


def _taken(text: str) -> Taken:
    # From gfortran 16 on, an array of a constant size has it behind its name: const double b[3].
    text = re.sub(r"(\w*)\s*\[.*", r"* \1", text)
    words = text.replace("*", " * ").replace("const ", " ").split()
    by_address = "*" in words
    # What follows the last star, or the type, is the parameter's name; what a function returns has none.
    before = words[: words.index("*")] if by_address else words
    for count in (len(before), len(before) - 1):
        if (name := " ".join(before[:count])) in _TYPES:
            return Taken(*_TYPES[name], by_address)
    return Taken("other", 0, by_address)


def scalar_type(taken: Taken) -> Any:
    """The type of ctypes of a scalar that is passed by value."""
    reals = {4: ctypes.c_float, 8: ctypes.c_double}
    wholes = {1: ctypes.c_int8, 2: ctypes.c_int16, 4: ctypes.c_int32, 8: ctypes.c_int64}
    return (reals if taken.kind == "float" else wholes)[taken.size]
