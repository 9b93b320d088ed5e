"""Backward slices: which elements of the inputs some elements of the results need, and their evaluation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from harness.oracle.lazy import Lazy
from harness.oracle.lazy_axes import Along
from harness.oracle.sampling import LONGEST, NUMBERS, TERMS, Places, count, everything, join, pick


def evaluate(
    wanted: Mapping[str, tuple[Lazy, Places]],
    given: Callable[[str, Places], Any],
    constant: Callable[[Any], Any],
    total: Callable[[str, Places, Along], Any],
) -> dict[str, Any]:
    """Compute some elements of arrays.

    Parameters
    ----------
    wanted : mapping
        By name, an array and its places.
    given : callable
        From an input's name and some places to its elements, in the arithmetic of the evaluation.
    constant : callable
        A number in that arithmetic.
    total : callable
        From an input's name, some places, and a sum or mean, to what that is of more numbers than are
        computed one by one.
    """
    nodes, asked = _demand(wanted.values())
    nodes = [node for node in nodes if node.serial in asked]
    last = {part.serial: node.serial for node in nodes for part in node.parts}
    kept = {lazy.serial for lazy, _ in wanted.values()}
    values: dict[int, Any] = {}
    for node in nodes:
        places = asked[node.serial]
        if node.kind == "given":
            values[node.serial] = given(node.how, places)
        elif (needed := _of_total(node, places)) is not None:
            values[node.serial] = total(node.parts[0].how, needed, node.how)
        elif node.kind == "constant":
            values[node.serial] = pick(constant(node.how), everything(node.shape), places)
        else:
            parts = [
                pick(values[part.serial], asked[part.serial], needed)
                for part, needed in zip(node.parts, _followed(node, places), strict=True)
            ]
            values[node.serial] = _computed(node, parts, places)
        for part in node.parts:
            if last[part.serial] == node.serial and part.serial not in kept:
                values.pop(part.serial, None)
    return {
        name: pick(values[lazy.serial], asked[lazy.serial], places) for name, (lazy, places) in wanted.items()
    }


def largest(lazy: Lazy) -> int:
    """The number of elements of the largest array that one depends on."""
    return max(node.size for node in _reached([lazy]))


def numbers(wanted: Collection[tuple[Lazy, Places]]) -> tuple[int, int]:
    """The largest and the total number of elements of all arrays that some elements of arrays need."""
    nodes, asked = _demand(wanted)
    counts = [count(node.shape, asked[node.serial]) for node in nodes if node.serial in asked]
    return max(counts), sum(counts)


def _demand(wanted: Collection[tuple[Lazy, Places]]) -> tuple[list[Lazy], dict[int, Places]]:
    """The arrays that are needed, in the order of computing, and the places needed of each."""
    nodes = _reached([lazy for lazy, _ in wanted])
    asked: dict[int, Places] = {}
    for lazy, places in wanted:
        _ask(asked, lazy, places)
    for node in reversed(nodes):
        if node.serial not in asked or _of_total(node, asked[node.serial]) is not None:
            continue
        for part, places in zip(node.parts, _followed(node, asked[node.serial]), strict=True):
            _ask(asked, part, places)
    return nodes, asked


def _reached(ends: Sequence[Lazy]) -> list[Lazy]:
    """All arrays that these depend on, in the order in which they were recorded."""
    reached: dict[int, Lazy] = {}
    waiting = list(ends)
    while waiting:
        lazy = waiting.pop()
        if lazy.serial not in reached:
            reached[lazy.serial] = lazy
            waiting += lazy.parts
    return [reached[serial] for serial in sorted(reached)]


def _ask(asked: dict[int, Places], lazy: Lazy, places: Places) -> None:
    asked[lazy.serial] = join(asked[lazy.serial], places) if lazy.serial in asked else places


def _followed(node: Lazy, places: Places) -> list[Places]:
    """The places that are needed of each part for some places of a result."""
    if node.kind == "elementwise":
        return [_broadcast(part.shape, node.shape, places) for part in node.parts]
    if node.kind == "product":
        left, right = node.parts
        stack = node.shape[:-2]
        return [
            (*_broadcast(left.shape[:-2], stack, places[:-2]), places[-2], None),
            (*_broadcast(right.shape[:-2], stack, places[:-2]), None, places[-1]),
        ]
    if node.kind == "transpose":
        back: list[Any] = [None] * node.ndim
        for place, axis in enumerate(node.how):
            back[axis] = places[place]
        return [tuple(back)]
    if node.kind == "along":
        return [node.how.needed(places, node.parts[0].ndim)]
    if node.kind == "index":
        return [node.how.needed(places)]
    return [everything(part.shape) for part in node.parts]


def _of_total(node: Lazy, places: Places) -> Places | None:
    """The places of an input whose sum or mean a node is, if they are more than are computed one by one."""
    if node.kind != "along" or node.how.function not in (np.sum, np.mean) or node.parts[0].kind != "given":
        return None
    (needed,) = _followed(node, places)
    most = LONGEST if node.dtype == np.float64 else TERMS
    return needed if NUMBERS < count(node.parts[0].shape, needed) <= most else None


def _broadcast(shape: tuple[int, ...], whole: tuple[int, ...], places: Places) -> Places:
    skipped = len(whole) - len(shape)
    return tuple(
        places[skipped + axis] if length == whole[skipped + axis] else None
        for axis, length in enumerate(shape)
    )


def _computed(node: Lazy, parts: list[Any], places: Places) -> Any:
    if node.kind == "elementwise":
        return node.how(*parts)
    if node.kind == "product":
        return parts[0] @ parts[1]
    if node.kind == "transpose":
        return parts[0].transpose(*node.how)
    if node.kind == "along":
        return pick(node.how(parts[0]), node.how.computed(places), places)
    if node.kind == "index":
        return node.how(parts[0])
    return pick(node.how(*parts), everything(node.shape), places)
