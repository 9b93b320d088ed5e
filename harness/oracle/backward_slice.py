"""Backward slices: which elements of the inputs some elements of the results need, and their evaluation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from harness.oracle.lazy import Lazy
from harness.oracle.sampling import Places, count, everything, join, pick


def evaluate(
    wanted: Mapping[str, tuple[Lazy, Places]],
    given: Callable[[str, Places], Any],
    constant: Callable[[Any], Any],
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
    """
    nodes, asked = _demand(wanted.values())
    last = {part.serial: node.serial for node in nodes for part in node.parts}
    kept = {lazy.serial for lazy, _ in wanted.values()}
    values: dict[int, Any] = {}
    for node in nodes:
        places = asked[node.serial]
        if node.kind == "given":
            values[node.serial] = given(node.how, places)
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


def numbers(lazy: Lazy, places: Places) -> int:
    """The largest number of elements of any array that some elements of one array need."""
    nodes, asked = _demand([(lazy, places)])
    return max(count(node.shape, asked[node.serial]) for node in nodes)


def _demand(wanted: Collection[tuple[Lazy, Places]]) -> tuple[list[Lazy], dict[int, Places]]:
    """The arrays that are needed, in the order of computing, and the places needed of each."""
    nodes = _reached([lazy for lazy, _ in wanted])
    asked: dict[int, Places] = {}
    for lazy, places in wanted:
        _ask(asked, lazy, places)
    for node in reversed(nodes):
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
    if node.kind == "reduce":
        (part,) = node.parts
        _, gone, keepdims = node.how
        stay = iter(
            places if not keepdims else [array for axis, array in enumerate(places) if axis not in gone]
        )
        return [tuple(None if axis in gone else next(stay) for axis in range(part.ndim))]
    return [everything(part.shape) for part in node.parts]


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
    if node.kind == "reduce":
        name, gone, keepdims = node.how
        return getattr(parts[0], name)(axis=gone, keepdims=keepdims)
    return pick(node.how(*parts), everything(node.shape), places)
