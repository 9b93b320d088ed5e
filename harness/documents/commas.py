"""Commas in brackets: what Python and Julia set apart by them, and what no version of theirs does."""

from __future__ import annotations

from collections.abc import Iterable

from harness.documents.tokens import Elision, Group, Item, Number, Word


def are_set_apart_alike(published: Group, produced: Group) -> bool:
    """Whether the items of two pairs of brackets are set apart by commas in the same places.

    Parameters
    ----------
    published, produced : Group
        Two pairs of brackets with the same items.
    """
    if any(isinstance(item, Elision) for item in (*published.items, *produced.items)):
        return True
    mine, theirs = _between(published), _between(produced)
    return len(mine) == len(theirs) if published.kind == "{" else mine == theirs


def are_rows_of_arrays(items: Iterable[Item]) -> bool:
    """Whether no square brackets of a text of Python have commas, as those of arrays that are printed.

    Parameters
    ----------
    items : iterable of Item
        The text.
    """
    groups = [item for item in items if isinstance(item, Group)]
    return all(
        not (group.kind == "[" and group.commas) and are_rows_of_arrays(group.items) for group in groups
    )


def is_of_an_array(group: Group) -> bool:
    """Whether square brackets hold numbers and truth values alone, and rows of them.

    Parameters
    ----------
    group : Group
        A pair of brackets.
    """
    return group.kind == "[" and all(
        is_of_an_array(item)
        if isinstance(item, Group)
        else isinstance(item, Number) or (isinstance(item, Word) and item.text in ("True", "False"))
        for item in group.items
    )


def _between(group: Group) -> tuple[int, ...]:
    """Where commas stand, but for one behind the last of several items, which a printer may add."""
    end = len(group.items)
    behind = group.commas[-1:] == (end,) and (group.kind != "(" or len(group.commas) > 1)
    return group.commas[:-1] if behind else group.commas
