"""NumPy functions that assign elements of their first argument, in terms of assignment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from harness.oracle.oracle_array import OracleArray
from harness.oracle.unknown import NotUnderstood

Kind = type[OracleArray]


def _copyto(kind: Kind, dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    dst[...] = src if where is True else np.where(where, src, dst)


def _putmask(kind: Kind, a: Any, mask: Any, values: Any) -> None:
    # Values of another length are repeated over all elements, not over those that the mask names.
    a[...] = np.where(mask, np.resize(kind.gather(values), a.shape), a)


def _put(kind: Kind, a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    if mode != "raise":
        raise NotUnderstood(f"numpy.put(mode={mode!r})")
    flat = a.ravel().copy()
    flat[np.ravel(ind)] = np.resize(kind.gather(v), np.size(ind))
    a[...] = flat.reshape(a.shape)


def _place(kind: Kind, arr: Any, mask: Any, vals: Any) -> None:
    (named,) = np.nonzero(np.ravel(mask))
    _put(kind, arr, named, vals)


def _fill_diagonal(kind: Kind, a: Any, val: Any, wrap: bool = False) -> None:
    if wrap:
        raise NotUnderstood("numpy.fill_diagonal(wrap=True)")
    places = np.arange(min(a.shape))
    a[(places,) * a.ndim] = np.resize(kind.gather(val), places.shape)


def _extract(kind: Kind, condition: Any, arr: Any) -> Any:
    return np.ravel(arr)[np.ravel(condition)]


GENERIC: Mapping[Any, Callable[..., Any]] = {
    np.copyto: _copyto,
    np.putmask: _putmask,
    np.put: _put,
    np.place: _place,
    np.fill_diagonal: _fill_diagonal,
    np.extract: _extract,
}
"""Operations that every arithmetic shares, called with the class of its arrays first."""
