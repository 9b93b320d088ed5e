"""Arguments of a call: those that an operation of the oracle takes, and a refusal of all others.

An operation gets no argument that it has not named. One that NumPy takes and the operation does not is passed
over where it has NumPy's own default, or changes no number; otherwise no limit can be derived.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeVar

import numpy as np

from harness.oracle.selecting import named
from harness.oracle.unknown import NotUnderstood

F = TypeVar("F", bound=Callable[..., Any])

HARMLESS: Mapping[str, str] = {
    "casting": "it decides whether there is an error, and not a number",
    "device": "NumPy has one",
    "like": "it gives the type of the array, which the oracle gives here",
    "optimize": "it gives the order of a sum, and limits hold in any order",
    "order": "it gives the layout in memory",
    "overwrite_input": "the contents of the operand are undefined afterwards",
    "requirements": "they give the layout in memory",
    "subok": "it gives the type of the array, which the oracle gives here",
}
"""Arguments that change no number, and why; an operation that does depend on one names it."""

UFUNC: Mapping[str, Any] = {"where": True, "signature": None, "sig": None, "dtype": None, "keepdims": False}
"""The defaults of keywords that every ufunc has."""


class Taken(NamedTuple):
    """The parameters of an operation, in the order in which they are given by position.

    One that takes any keyword (``forwarding``) calls a function of the user, or NumPy's own, with it.
    """

    placed: tuple[str, ...]
    names: frozenset[str]
    many: bool
    forwarding: bool


@cache
def parameters(function: Callable[..., Any]) -> Taken:
    """The parameters of a function.

    Parameters
    ----------
    function : callable
        An operation; a wrapper has those of what it wraps (`as_in`).
    """
    if isinstance(function, np.ufunc):
        return _of_ufunc(function)
    placed, names, many, forwarding = [], set(), False, False
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            placed.append(name)
        many |= parameter.kind == parameter.VAR_POSITIONAL
        forwarding |= parameter.kind == parameter.VAR_KEYWORD
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            names.add(name)
    return Taken(tuple(placed), frozenset(names), many, forwarding)


def _of_ufunc(function: np.ufunc) -> Taken:
    """The parameters of a ufunc, from what every ufunc is: before NumPy 2.4 it has no signature."""
    inputs = ("x",) if function.nin == 1 else tuple(f"x{place + 1}" for place in range(function.nin))
    own = ("where",) if function.signature is None else ("axes", "axis", "keepdims")
    names = frozenset({"out", "casting", "order", "dtype", "subok", "signature", *own})
    return Taken((*inputs, "out"), names, many=False, forwarding=False)


@cache
def defaults(function: Callable[..., Any]) -> Mapping[str, Any]:
    """The parameters of NumPy's function with their defaults; those without one are required."""
    if isinstance(function, np.ufunc):
        return UFUNC
    try:
        given = inspect.signature(function).parameters
    except (TypeError, ValueError):
        # Before NumPy 2.4, functions in C have no signature.
        return {}
    return {name: parameter.default for name, parameter in given.items()}


def as_in(model: Callable[..., Any], *before: str, but: int = 0) -> Callable[[F], F]:
    """A decorator that gives a wrapper the parameters of the function that it calls.

    Parameters
    ----------
    model : callable
        That function.
    *before : str
        Parameters of the wrapper that come first.
    but : int
        How many first parameters of the model the wrapper has not.
    """

    def decorate(wrapper: F) -> F:
        try:
            given = list(inspect.signature(model).parameters.values())[but:]
        except (TypeError, ValueError):
            return wrapper
        first = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in before]
        wrapper.__signature__ = inspect.Signature([*first, *given])  # type: ignore[attr-defined]
        return wrapper

    return decorate


def called(
    operation: Callable[..., Any],
    first: tuple[Any, ...],
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    name: str = "",
) -> Any:
    """The result of an operation for a call of NumPy's function, if it takes all arguments of the call.

    Parameters
    ----------
    operation : callable
        The operation.
    first : tuple
        What the oracle gives to the operation before the arguments, such as the arithmetic.
    function : callable
        NumPy's function.
    args, kwargs : tuple, mapping
        The arguments of the call.
    name : str
        The function as a user names it; by default its own name with its module.

    Raises
    ------
    NotUnderstood
        If the operation does not take an argument that may change a number.
    """
    taken = parameters(operation)
    places = len(taken.placed) - len(first)
    if len(args) > places and not taken.many:
        own = list(defaults(function))[: len(args)]
        for place in range(places, len(args)):
            argument = own[place] if place < len(own) else f"argument {place + 1}"
            _refuse(name or named(function), function, argument, args[place])
        args = args[:places]
    more = {}
    for argument, value in kwargs.items():
        if argument == "out" or (argument not in taken.names and not taken.forwarding):
            _refuse(name or named(function), function, argument, value)
        else:
            more[argument] = value
    if "out" in taken.placed and len(args) > (at := taken.placed.index("out") - len(first)):
        _refuse(name or named(function), function, "out", args[at])
    return operation(*first, *args, **more)


def _refuse(name: str, function: Callable[..., Any], argument: str, value: Any) -> None:
    """Refuse an argument that may change a number."""
    if value is np._NoValue or argument in HARMLESS:
        return
    default = defaults(function).get(argument, None if argument == "out" else inspect.Parameter.empty)
    if value is default or (type(value) is type(default) and value == default):
        return
    raise NotUnderstood(f"{name}({argument}=...)")
