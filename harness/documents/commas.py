"""Commas in brackets: what Python and Julia set apart by them, and what no version of theirs does."""

from __future__ import annotations

from harness.documents.tokens import Elision, Group


def are_set_apart_alike(published: Group, produced: Group, language: str) -> bool:
    """Whether the items of two pairs of brackets are set apart by commas in the same places.

    Parameters
    ----------
    published, produced : Group
        Two pairs of brackets with the same items.
    language : str
        NumPy's arrays of Python have commas, or none, by how they are shown. In Julia a row has none.
    """
    if any(isinstance(item, Elision) for item in (*published.items, *produced.items)):
        return True
    mine, theirs = _between(published), _between(produced)
    if published.kind == "{":
        return len(mine) == len(theirs)  # in any order
    return mine == theirs or (language == "python" and published.kind == "[" and not (mine and theirs))


def _between(group: Group) -> tuple[int, ...]:
    """Where commas stand, but for one behind the last of several items, which a printer may add."""
    end = len(group.items)
    behind = group.commas[-1:] == (end,) and (group.kind != "(" or len(group.commas) > 1)
    return group.commas[:-1] if behind else group.commas
