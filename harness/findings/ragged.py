"""Arrays of Python whose rows have not one length: what NumPy and PyTorch print has one in each axis."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from harness.documents.compare_printed import read_output
from harness.documents.tokens import Elision, Group, Item, Number, Word

_NAMES = frozenset({"array", "tensor"})
_OBJECTS = re.compile(r"\bobject\b|\blist\(")


def is_ragged(text: str) -> bool:
    """Whether a text shows an array of numbers whose rows have not one length.

    Parameters
    ----------
    text : str
        A printed text. A list may have rows of any length; arrays are told by their names, or by the commas
        that they lack. An array of objects may hold lists.
    """
    if _OBJECTS.search(text) or "[[" not in text:
        return False
    return any(shape is None for shape in map(_shape, _arrays(read_output(text, "python"))))


def _arrays(items: Sequence[Item]) -> Iterator[Group]:
    for at, item in enumerate(items):
        if not isinstance(item, Group):
            continue
        before = items[at - 1] if at else None
        named = item.kind == "(" and isinstance(before, Word) and before.text in _NAMES
        if named and item.items and isinstance(item.items[0], Group):
            yield item.items[0]
        elif item.kind == "[" and not _has_commas(item) and any(isinstance(one, Group) for one in item.items):
            yield item
        else:
            yield from _arrays(item.items)


def _has_commas(group: Group) -> bool:
    return bool(group.commas) or any(_has_commas(one) for one in group.items if isinstance(one, Group))


def _shape(group: Group) -> tuple[int, ...] | None:
    """The shape of an array, or () where a part is left out or holds no numbers; None where it has none."""
    if any(isinstance(one, Elision) for one in group.items):
        return ()
    if all(isinstance(one, Number) for one in group.items):
        return (len(group.items),)
    if not all(isinstance(one, Group) and one.kind == "[" for one in group.items):
        return ()
    below = {_shape(one) for one in group.items if isinstance(one, Group)}
    known = below - {()}
    if None in known or len(known) > 1:
        return None
    (inner,) = below if len(below) == 1 else ((),)
    return (len(group.items), *inner) if inner else ()
