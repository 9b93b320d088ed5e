"""Runs that are made when they are first needed, and once for all parts of a document that are the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")
_Owner = TypeVar("_Owner", bound="HoldsRuns")


class HoldsRuns(Protocol):
    """Something with runs; ``made`` has those that others of the same document have made."""

    made: dict[str, Any]


class made_once(Generic[_Owner, T]):
    """functools.cached_property, which before Python 3.12 lets one thread at a time compute any of them."""

    def __init__(self, make: Callable[[_Owner], T]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, runs: _Owner, owner: type | None = None) -> T:
        if self._name not in runs.made:
            runs.made[self._name] = self._make(runs)
        value: T = runs.__dict__.setdefault(self._name, runs.made[self._name])
        return value
