"""Values of a Python session as code of R, and values of R in a Python session, as reticulate has them."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_MOST = 20_000
"""Items of one value that are carried."""


class _NotCarriedError(Exception):
    pass


class ValuesOfR:
    """What was carried from R; any other name is not there."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        raise NameError("name 'r' is not defined")


def give(scope: Mapping[str, Any], wanted: Iterable[str], mark: str) -> None:
    """Print values as code of R, each on a line of its own behind a mark and its name.

    Parameters
    ----------
    scope : mapping
        The session's names.
    wanted : iterable of str
        The names; what cannot be carried is left out.
    mark : str
        Put before each line.
    """
    for name in wanted:
        if name in scope:
            try:
                code = _code(scope[name])
            except Exception:
                continue  # a value of the document's own: whatever it does, it is not carried
            print(f"\n{mark}{name} {code}")


def take(given: Mapping[str, str]) -> None:
    """Make values of R known as ``r``, beside the names that Python itself has.

    Parameters
    ----------
    given : mapping
        Code by name, as ``values_for_python.R`` prints it.
    """
    names = {"hex": float.fromhex, "array": _array, "table": _table, "nan": float("nan"), "__builtins__": {}}
    values = {}
    for name, code in given.items():
        try:
            values[name] = eval(code, names)
        except ImportError:
            continue
    vars(builtins)["r"] = ValuesOfR(values)


def _array(values: Sequence[Any], shape: Sequence[int]) -> Any:
    import numpy as np

    return np.array(values).reshape(shape, order="F")


def _table(columns: Mapping[str, Sequence[Any]], rows: Sequence[str] | None) -> Any:
    import pandas

    return pandas.DataFrame(columns, index=rows)


def _text(value: str) -> str:
    for char, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        value = value.replace(char, escaped)
    if any(ord(char) < 32 for char in value):
        raise _NotCarriedError
    return f'"{value}"'


def _number(value: float) -> str:
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Inf" if value > 0 else "-Inf"
    return float(value).hex()


def _scalar(value: object) -> str:
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case int():
            return f"{value}L" if abs(value) < 2**31 else _number(float(value))
        case float():
            return _number(value)
        case str():
            return _text(value)
        case _:
            raise _NotCarriedError


def _vector(values: Sequence[object]) -> str:
    if len(values) > _MOST:
        raise _NotCarriedError
    return f"c({', '.join(map(_scalar, values))})"


def _column(series: Any) -> str:
    values: list[Any] = series.tolist()
    if not values or not any(isinstance(value, str) for value in values):
        return _vector(values) if values else "logical()"
    if len(values) > _MOST:
        raise _NotCarriedError
    # In a column of texts, what is missing is None or not a number.
    parts = ("NA" if value is None or value != value else _scalar(value) for value in values)
    return f"c({', '.join(parts)})"


def _code(value: Any) -> str:
    kind = type(value)
    of_pandas = kind.__module__.partition(".")[0] == "pandas"
    if value is None:
        return "NULL"
    if isinstance(value, bool | int | float | str):
        return _scalar(value.item() if hasattr(value, "item") else value)
    if kind.__module__ == "numpy":
        return _of_numpy(value)
    if of_pandas and kind.__name__ == "DataFrame":
        columns = [f"{_text(str(name))} = {_column(value[name])}" for name in value.columns]
        plain = type(value.index).__name__ == "RangeIndex"
        rows = "NULL" if plain else _vector([str(row) for row in value.index])
        options = ["check.names = FALSE", "stringsAsFactors = FALSE", f"row.names = {rows}"]
        return f"data.frame({', '.join([*columns, *options])})"
    if of_pandas and kind.__name__ == "Series":
        names = _vector([str(row) for row in value.index])
        return f"structure({_column(value)}, dim = {len(value)}L, dimnames = list({names}))"
    if kind is dict:
        listed = ", ".join(f"{_text(str(name))} = {_code(item)}" for name, item in value.items())
        return f"list({listed})" if value else "structure(list(), names = character())"
    if kind in (list, tuple):
        return _of_list(value)
    raise _NotCarriedError


def _of_list(value: list[Any] | tuple[Any, ...]) -> str:
    kinds = {type(item) for item in value}
    alike = len(kinds) == 1 or kinds == {int, float}
    if isinstance(value, list) and alike and kinds <= {bool, int, float, str}:
        return _vector([float(item) for item in value] if float in kinds else value)
    return f"list({', '.join(map(_code, value))})"


def _of_numpy(value: Any) -> str:
    if not hasattr(value, "dtype") or value.dtype.kind not in "biufU":
        raise _NotCarriedError
    if value.ndim == 0:
        return _scalar(value.item())
    shape = ", ".join(f"{size}L" for size in value.shape)
    return f"array({_vector(value.ravel(order='F').tolist())}, dim = c({shape}))"
