"""The tables of all operations that are understood, merged from the modules that define them.

A module adds operations by up to seven tables with these names, and is named in `MODULES`.

- ``ROUNDED_UFUNCS``: from a ufunc to a function of its operands, all `Rounded`, that returns a `Rounded`.
- ``ROUNDED_REDUCING``: from a ufunc to its ``reduce``, called ``f(x, axis=, keepdims=)``.
- ``ROUNDED_FUNCTIONS``: from another function of NumPy to one called ``f(some_rounded, *args, **kwargs)``.
- ``BALL_UFUNCS``, ``BALL_REDUCING``, ``BALL_FUNCTIONS``: the same for plain ndarrays of dtype object,
  of `flint.arb`, in and out; the last ones are called ``f(*args, **kwargs)``.
- ``GENERIC``: operations that every arithmetic shares, called with the class of its arrays first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from harness.oracle import arithmetic as basic
from harness.oracle import (
    ball_functions,
    ball_operations,
    branches,
    calculus,
    contraction,
    fourier,
    functions,
    linalg,
    ordering,
    padding,
    placing,
    polynomials,
    products,
    reductions,
    searching,
    statistics,
)
from harness.oracle.ball_arrays import Balls
from harness.oracle.draws import Signs
from harness.oracle.free_signs import FreeSigns
from harness.oracle.rounding import Rounded
from harness.oracle.scalars import BALL_OPERATORS, ROUNDED_OPERATORS
from harness.oracle.unknown import Branches

MODULES: tuple[ModuleType, ...] = (
    *(basic, ball_operations, branches, functions, ball_functions),
    *(contraction, products, reductions, ordering, linalg, fourier),
    *(calculus, polynomials, padding, placing, searching, statistics),
)
"""Modules that define operations; the later of two definitions of one operation is used."""


def _merged(table: str) -> Mapping[Any, Callable[..., Any]]:
    return {key: made for module in MODULES for key, made in getattr(module, table, {}).items()}


GENERIC = _merged("GENERIC")
ROUNDED_UFUNCS = _merged("ROUNDED_UFUNCS")
ROUNDED_REDUCING = _merged("ROUNDED_REDUCING")
ROUNDED_FUNCTIONS = _merged("ROUNDED_FUNCTIONS")
BALL_UFUNCS = _merged("BALL_UFUNCS")
BALL_REDUCING = _merged("BALL_REDUCING")
BALL_FUNCTIONS = _merged("BALL_FUNCTIONS")


def arithmetic(bits: int, seed: int = 0, branches: Branches | None = None) -> type[Rounded]:
    """Arrays whose operations round to so many bits: 53, 24, 11 for float16, or 8 for bfloat16.

    Parameters
    ----------
    bits : int
        Length of the significand.
    seed : int
        Seed of the draws.
    branches : Branches, optional
        Collects the comparisons that are undecided.
    """
    members = {
        **Rounded.members_of(bits),
        "signs": Signs(seed),
        "branches": branches or Branches(set()),
        "generic": GENERIC,
        "ufuncs": ROUNDED_UFUNCS,
        "reducing": ROUNDED_REDUCING,
        "functions": ROUNDED_FUNCTIONS,
        **ROUNDED_OPERATORS,
    }
    return type("Rounded", (Rounded,), members)


def balls(bits: int = 53, branches: Branches | None = None, signs: FreeSigns | None = None) -> type[Balls]:
    """The class of arrays of balls that report the dtype with so many bits.

    Parameters
    ----------
    bits : int
        As in `arithmetic`; the balls themselves have the precision of `balls.precision`.
    branches : Branches, optional
        Collects the comparisons that are undecided.
    signs : FreeSigns, optional
        Signs of the vectors of factorisations.
    """
    members = {
        **Balls.members_of(bits),
        "branches": branches or Branches(set()),
        "generic": GENERIC,
        "ufuncs": BALL_UFUNCS,
        "reducing": BALL_REDUCING,
        "signs": signs or FreeSigns(),
        "functions": BALL_FUNCTIONS,
        **BALL_OPERATORS,
    }
    return type("Balls", (Balls,), members)
