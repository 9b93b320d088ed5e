"""Sets and dicts, whose order is the printer's: the entries of one in the order of another."""

from __future__ import annotations

import msgspec

from harness.documents.tokens import Elision, Group, Item, Number, Shape, Word

_QUOTES = ("'", '"')


class _Entry(msgspec.Struct, frozen=True):
    """A key, empty in a set, and all its items."""

    key: tuple[str, ...]
    items: tuple[Item, ...]


def in_order_of(left: Group, right: Group) -> tuple[Item, ...] | None:
    """Return the items of a printed set or dict in the order of another's.

    Parameters
    ----------
    left, right : Group
        Two pairs of braces.

    Returns
    -------
    tuple of items or None
        Those of ``right``; None where the order is the same, or the two do not have the same keys, once each.
    """
    mine, theirs = _entries(left), _entries(right)
    if mine is None or theirs is None:
        return None
    if len({entry.key for entry in theirs}) != len(theirs):
        # Keys that look alike are no less different: whole entries tell which is which.
        mine, theirs = (
            [_Entry(_text(entry.items), entry.items) for entry in some] for some in (mine, theirs)
        )
    keys = [entry.key for entry in mine]
    others = {entry.key: entry for entry in theirs}
    if len(others) != len(theirs) or keys == list(others) or sorted(keys) != sorted(others):
        return None
    return tuple(item for key in keys for item in others[key].items)


def _whole(entries: list[_Entry]) -> list[_Entry]:
    return [_Entry(_text(entry.items), entry.items) for entry in entries]


def _entries(group: Group) -> list[_Entry] | None:
    items = group.items
    if any(isinstance(item, Elision) for item in items):
        return None
    colons = [at for at, item in enumerate(items) if isinstance(item, Word) and item.text == ":"]
    in_text = _inside_texts(items)
    colons = [at for at in colons if at not in in_text]
    if not colons:
        return _elements(items)
    starts = [in_text.get(colon - 1, colon - 1) for colon in colons]
    if starts[0] != 0:
        return None
    ends = [*starts[1:], len(items)]
    return [
        _Entry(_text(items[start:colon]), tuple(items[start:end]))
        for start, colon, end in zip(starts, colons, ends, strict=True)
    ]


def _elements(items: tuple[Item, ...]) -> list[_Entry]:
    """Split a set into its elements: a text is several items."""
    in_text = _inside_texts(items)
    elements: list[_Entry] = []
    at = 0
    while at < len(items):
        end = at + 1
        if at in in_text:
            while end < len(items) and in_text.get(end) == at:
                end += 1
        elements.append(_Entry(_text(items[at:end]), tuple(items[at:end])))
        at = end
    return elements


def _inside_texts(items: tuple[Item, ...]) -> dict[int, int]:
    """Return the place of each item that belongs to a quoted text, quotes included, and where that begins."""
    inside: dict[int, int] = {}
    opened: int | None = None
    for at, item in enumerate(items):
        quote = isinstance(item, Word) and item.text in _QUOTES
        if opened is None and quote:
            opened = at
            inside[at] = at
        elif opened is not None:
            inside[at] = opened
            before = items[opened]
            if quote and isinstance(item, Word) and isinstance(before, Word) and item.text == before.text:
                opened = None
    return inside


def _text(items: tuple[Item, ...]) -> tuple[str, ...]:
    texts: list[str] = []
    for item in items:
        match item:
            case Number(text=text) | Word(text=text) | Shape(text=text):
                texts.append(text)
            case Group(items=inner, kind=kind):
                texts += [kind, *_text(inner)]
            case Elision():
                texts.append("...")
    return tuple(texts)
