"""What the published articles' own code computed, beside the implementations of the suite. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from harness.model import Cell, Precision, Record
from harness.model.outcome import NO_ANSWER, is_published
from harness.report import view

TITLE = "as published"

KINDS = ("patched", "stand-in")
"""What a cell's detail says of code that was not run as published, or not with what it was written for."""

_KIND = re.compile("patched(?=:)|stand-in")

Entry = tuple[str, Precision, str]
"""A case, its precision, and an implementation."""


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """One column of a matrix: an implementation, or everything that is published, by language."""

    title: str
    labels: Mapping[str, str]

    @property
    def published(self) -> bool:
        """Whether the column shows the articles' own code."""
        return any(map(is_published, self.labels))


class Proviso(msgspec.Struct, frozen=True, kw_only=True):
    """What was patched, or stood in for something, and in which entries of the matrix."""

    text: str
    entries: tuple[Entry, ...]


def columns(record: Record) -> tuple[Column, ...]:
    """The columns of the matrix: each implementation of the suite, then what is published in one.

    Parameters
    ----------
    record : Record
        Without an article's code in it, there is no such column.
    """
    names = view.implementations(record)
    languages = {cell.implementation: cell.language for cell in record.cells}
    implementations = [Column(title=name, labels={name: ""}) for name in names if not is_published(name)]
    articles = {name: languages[name] for name in names if is_published(name)}
    return (*implementations, Column(title=TITLE, labels=articles)) if articles else tuple(implementations)


def provisos(record: Record) -> tuple[Proviso, ...]:
    """What the cells of the articles' code say was not as published, each text once; and why, if known."""
    why = {
        f"patched: {name}": reason
        for document in record.documents
        for name, reason in document.patches.items()
    }
    entries: dict[str, dict[Entry, None]] = {}
    for cell in view.ordered(record):
        for part in _provisos_of(cell):
            text = f"{part}: {why[part]}" if part in why else part
            entries.setdefault(text, {})[cell.case, cell.precision, cell.implementation] = None
    return tuple(Proviso(text=text, entries=tuple(where)) for text, where in entries.items())


def kinds(provisos: tuple[Proviso, ...]) -> dict[Entry, tuple[str, ...]]:
    """Which of `KINDS` holds for an entry of the matrix."""
    by_entry: dict[Entry, list[str]] = {}
    for proviso in provisos:
        for entry in proviso.entries:
            by_entry.setdefault(entry, []).extend(_KIND.findall(proviso.text))
    return {entry: tuple(dict.fromkeys(parts)) for entry, parts in by_entry.items()}


def _provisos_of(cell: Cell) -> list[str]:
    if not is_published(cell.implementation) or cell.verdict in NO_ANSWER:
        return []
    parts = (part.strip() for line in cell.detail.splitlines() for part in line.split("; "))
    return [part for part in parts if _KIND.search(part)]
