"""Values that are no plain arrays, as arguments and results of a function: by form, name or place.

Between processes all of them are arrays of numbers: see `harness.workers.value_codes`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from harness.workers.value_codes import (
    Refused,
    categorical,
    described,
    leaf,
    masked,
    named,
    texts,
)

Forms = Sequence[Mapping[str, Any]]


def adapted(function: Callable[..., Any], how: Mapping[str, Any]) -> Callable[..., Any]:
    """A function of a stage's arrays, one by one, that returns arrays.

    Parameters
    ----------
    function : callable
        What the user wrote; a method's first argument is the object.
    how : mapping
        ``takes`` and ``returns``: the form of each argument and value. Without them, they are arrays.
    """
    takes, returns = how.get("takes"), how.get("returns")

    def call(*arrays: Any) -> Any:
        left = list(arrays)
        value = call_with(function, [take(form, left) for form in takes] if takes else left)
        return value if returns is None else flat(value, returns)

    return call


def constructed(owner: Any, method: str, places: Sequence[int]) -> Callable[..., Any]:
    """A function that makes an object of some of its arguments, and calls its method with the others.

    It returns the object where the method returns nothing.
    """

    def call(*arguments: Any) -> Any:
        made = call_with(owner, [arguments[place] for place in places])
        others = [value for place, value in enumerate(arguments) if place not in places]
        value = call_with(getattr(made, method), others)
        return made if value is None else value

    call.of = (owner, method)  # type: ignore[attr-defined]
    return call


class _Absent:
    """An optional input that this sample leaves out."""

    def __repr__(self) -> str:
        return "None"


ABSENT = _Absent()


def call_with(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """Call a function by position; for what is left out it has its default, or None where there is none."""
    if hasattr(function, "of") or not any(argument is ABSENT for argument in arguments):
        return function(*arguments)
    try:
        known = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        known = []
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for place, argument in enumerate(arguments):
        parameter = known[place] if place < len(known) and known[place].kind in (0, 1) else None
        if argument is ABSENT and parameter is not None and parameter.default is not parameter.empty:
            # What follows can be given by its name alone.
            named = named or {"": None}
        elif named and parameter is not None:
            named[parameter.name] = None if argument is ABSENT else argument
        else:
            positional.append(None if argument is ABSENT else argument)
    named.pop("", None)
    return function(*positional, **named)


# ---- from arrays ----------------------------------------------------------------------------------


class ByName(dict[str, Any]):
    """Values by name: ``model["beta"]`` and ``model.beta``, as of a dictionary, a data frame or an object."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no {name!r}; there are: {', '.join(self)}") from None


def take(form: Mapping[str, Any], left: list[Any]) -> Any:
    """The argument that a form describes, of the first arrays of those that are ``left``."""
    kind, parts = form.get("kind", "array"), form.get("parts", ())
    if kind in ("names", "list"):
        made = [take(part, left) for part in parts]
        if made and all(value is ABSENT for value in made):
            return ABSENT
        made = [None if value is ABSENT else value for value in made]
        return ByName(zip(names_of(form), made, strict=True)) if kind == "names" else made
    array = left.pop(0)
    if kind == "category":
        levels = left.pop(0)
        return ABSENT if array is None else categorical(texts(array), texts(levels))
    if array is None:
        return ABSENT
    if kind == "text":
        return as_given(texts(array), form)
    if kind in ("date", "time"):
        return (
            np.asarray(array).astype(np.int64).astype("datetime64[D]" if kind == "date" else "datetime64[us]")
        )
    return masked(array, form.get("dtype", "float")) if form.get("missing") else as_given(array, form)


def as_given(array: Any, form: Mapping[str, Any]) -> Any:
    """An array as the program passes it on: as it is, or as a scalar, a list or a sparse matrix."""
    how = form.get("given", "")
    is_tensor = hasattr(array, "detach")
    if how == "scalar":
        # A number of Python would end a gradient, and has more digits than a short format.
        if is_tensor:
            return array if array.is_floating_point() or array.is_complex() else array.item()
        return array.item() if _is_wide(array) else array[()]
    if how == "list":
        return array if is_tensor else as_list(array)
    if how.startswith("sparse"):
        if not isinstance(array, np.ndarray):
            raise Refused("sparse matrices are not followed here")
        from scipy import sparse

        return (sparse.csr_matrix if how == "sparse matrix" else sparse.csr_array)(array)
    return array


def as_list(array: Any) -> Any:
    """Elements in lists, one in the other."""
    if _is_wide(array):
        return array.tolist()
    return [as_list(item) if np.ndim(item) else item for item in array]


def _is_wide(array: Any) -> bool:
    """Whether Python has the same numbers as an array."""
    wide = (np.float64, np.int64, np.bool_, np.complex128)
    return isinstance(array, np.ndarray) and (array.dtype in wide or array.dtype.kind in "UO")


def names_of(form: Mapping[str, Any]) -> list[str]:
    """The names of a form's parts, without its own."""
    return [part["name"].rpartition(".")[2] for part in form["parts"]]


# ---- to arrays ------------------------------------------------------------------------------------


def flat(value: Any, returns: Forms) -> Any:
    """What a function returned, as arrays one by one; a single one by itself."""
    values = parts_of(value, [form["name"] for form in returns], whole=len(returns) == 1)
    given: list[Any] = []
    for form, item in zip(returns, values, strict=True):
        give(form, item, given)
    return given[0] if len(given) == 1 else given


def parts_of(value: Any, names: Sequence[str], *, whole: bool) -> list[Any]:
    """The values of some names: of a value that names what it has; else by place; or it is the one value."""
    known = named(value)
    if known is not None and (not whole or names[0] in known):
        missing = [name for name in names if name not in known]
        if missing and not (isinstance(value, tuple) and len(missing) == len(names)):
            has = ", ".join(known)
            raise Refused(f"returned a {type(value).__name__} with {has}: {', '.join(missing)} missing")
        if not missing:
            return [known[name] for name in names]
    if whole:
        return [value]
    if not isinstance(value, (tuple, list)):
        raise Refused(f"returned {type(value).__name__}, and {len(names)} values in a tuple are expected")
    if len(value) != len(names):
        raise Refused(f"returned {len(value)} values, and {len(names)} are expected")
    return list(value)


def give(form: Mapping[str, Any], value: Any, given: list[Any]) -> None:
    """Add the arrays of one value, in the form that is declared."""
    kind, parts, name = form.get("kind", "array"), form.get("parts", ()), form["name"]
    try:
        if kind == "names":
            known = named(value)
            if known is None:
                raise Refused(f"returned {described(value)}, and values by name are expected")
            values = parts_of(known, names_of(form), whole=False)
            if more := [key for key in known if key not in names_of(form)]:
                raise Refused(f"returned {', '.join(more)} too, which the case does not declare")
        elif kind == "list":
            if not isinstance(value, (list, tuple)):
                raise Refused(f"returned {described(value)}, and a list is expected")
            values = parts_of(list(value), names_of(form), whole=False)
        else:
            given += leaf(kind, form, value)
            return
    except Refused as why:
        raise why if form.get("told") else Refused(f"{name}: {why}") from why
    for part, item in zip(parts, values, strict=True):
        give(part, item, given)
