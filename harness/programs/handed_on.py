"""Which part of what a statement reads each part of its value is, where it only hands them on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache

import numpy as np

from harness.programs.trace import Event, Site, Trace, Value, identical

_CONTROLS = frozenset({"test", "loop", "iterates"})
_FEW = 4
"""Elements of which one with many digits says that a value is another's, and not just equal to it."""
_PRECISE = 1e-6


class HandedOn:
    """Looks up of what each part of a value with several parts is the very value.

    A list, a record or a table that a function returns has been put together of values that are known: each
    of its parts comes from one of them, and not from all.

    Parameters
    ----------
    trace : Trace
        Of a whole or a broken run.
    inputs : mapping of int to set of int
        From `Flow`.
    """

    def __init__(self, trace: Trace, inputs: Mapping[int, Set[int]]) -> None:
        self._trace, self._inputs = trace, inputs

    def __call__(self, event: Event, path: str) -> dict[int, list[str]] | None:
        """The events that a part comes from and their parts; None where it is not just handed on."""
        value, label = event.parts[path], _label(path)
        if value.dtype == object or not value.size:
            return None
        found: dict[int, list[str]] = {}
        named: dict[int, list[str]] = {}
        for place in self._inputs.get(event.place, ()):
            source = self._trace.events[place]
            site = self._trace.sites[source.site]
            if site.kind in _CONTROLS:
                continue
            for other, one in source.parts.items():
                if identical(one, value):
                    found.setdefault(place, []).append(other)
                    if label and label in (_label(other), _label(site.name.removesuffix("[]"))):
                        named.setdefault(place, []).append(other)
        taken = named or (found if _telling(value) else {})
        if not taken:
            return None
        controls = {
            place: [*self._trace.events[place].parts]
            for place in self._inputs.get(event.place, ())
            if self._trace.sites[self._trace.events[place].site].kind in _CONTROLS
        }
        return taken | controls


def parts_read(site: Site, source: Site, paths: Sequence[str]) -> list[str]:
    """Of the parts of a value, those that a statement reads by their names; all where it reads the whole.

    Parameters
    ----------
    site, source : Site
        Of the statement, and of the value.
    paths : sequence of str
        Of the parts of the value.
    """
    if len(paths) < 2 or source.name in site.reads:
        return [*paths]
    if site.kind in ("container", "mutated") and site.name == source.name.removesuffix("[]"):
        # What is changed in place is what it was.
        return [*paths]
    return [*_named(site.reads, source.name, tuple(paths))]


@lru_cache(maxsize=1 << 12)
def _named(reads: tuple[str, ...], source: str, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Of the parts of a value, those that are read by name; all where none is."""
    names = [name for name in map(dotted, reads) if "." in name]
    of_paths = {path: dotted(source + path) for path in paths}
    named = tuple(
        path for path, own in of_paths.items()
        if any(own == name or own.startswith(f"{name}.") for name in names)
    )  # fmt: skip
    return named or paths


@lru_cache(maxsize=1 << 14)
def dotted(name: str) -> str:
    """A part's name however it is written."""
    return re.sub(r"[\[\]$'\".]+", ".", name).strip(".")


def _label(path: str) -> str:
    """The last name of a path: of ``tab$p``, ``tab['p']`` and ``p`` it is ``p``."""
    return path.strip("]'\"").replace("[", "$").replace(".", "$").rpartition("$")[2].strip("'\"")


def _telling(value: Value) -> bool:
    """Whether a value is no other's by chance."""
    if value.dtype.kind not in "fc":
        return False
    with np.errstate(all="ignore"):
        fractions = abs(value.ravel()[:_FEW] * 64) % 1
    return bool((fractions > _PRECISE).any())
