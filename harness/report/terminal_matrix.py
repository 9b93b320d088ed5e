"""The matrices on a terminal: cases and implementations, and implementations and each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from rich.console import Group
from rich.table import Table
from rich.text import Text

from harness.model import Precision, Record, Rest
from harness.report import published, reasons, totals, view
from harness.report.same_bits import SameBits
from harness.report.terminal_words import STYLES, add_row, number, plain
from harness.report.text import counted, share, short

GROUPS = 8
"""Groups of the same bits that are shown."""

ROWS = 200
"""Rows of the matrix of cases; those in which all is well are left out first."""

MOST = 5
"""Columns of a table beside the first; more implementations begin another table."""

Kinds = Mapping[published.Entry, tuple[str, ...]]
Item = TypeVar("Item")


def case_matrix(record: Record) -> Group:
    """Cases against implementations: how many cells have each verdict, the worst first.

    Where there are many implementations it is several tables, the later ones of the cases that have those.
    """
    kinds = published.kinds(published.provisos(record))
    columns = published.columns(record)
    # What is published stands in the first table, beside the implementations that most cases have.
    last = [column for column in columns if column.published]
    parts = _parts([column for column in columns if not column.published], MOST - len(last))
    every = view.matrix(record)
    rows = view.foremost(every, ROWS)
    tables = [
        _of_columns(rows, part if place else [*part, *last], kinds, first=not place)
        for place, part in enumerate(parts or [[]])
    ]
    tables[
        -1
    ].caption = "how many cells have each verdict; the largest share of a limit, coarse ones left out"
    return Group(*tables, *_left_out(rows, every, record.rest))


def _left_out(
    rows: Sequence[view.MatrixRow], every: Sequence[view.MatrixRow], rest: Rest | None
) -> Iterator[Text]:
    """Say how many rows are not shown, and whether all is well in them."""
    more = len(every) - len(rows) + (rest.rows if rest is not None else 0)
    if more:
        well = sum(not view.is_well(row) for row in every) <= len(rows)
        yield Text(f"and {counted(more, 'more row')}{', in which all is well' if well else ''}")


def _of_columns(
    rows: Sequence[view.MatrixRow], columns: Sequence[published.Column], kinds: Kinds, first: bool
) -> Table:
    table = Table(title=f"Cases x implementations{'' if first else ', continued'}")
    table.add_column("case", overflow="fold")
    for column in columns:
        table.add_column(plain(column.title), overflow="fold")
    names = {name for column in columns for name in column.labels}
    for row in rows:
        if first or names & row.entries.keys():
            label = row.case if row.precision is Precision.FLOAT64 else f"{row.case}\n{row.precision}"
            add_row(table, plain(label), *(_column(row, column, kinds) for column in columns))
    return table


def _column(row: view.MatrixRow, column: published.Column, kinds: Kinds) -> Text:
    """Return a column's entries, one below the other; an article's missing entry stays blank."""
    parts = []
    for name, label in column.labels.items():
        if (entry := row.entries.get(name)) is not None:
            changed = ", ".join(kinds.get((row.case, row.precision, name), ()))
            text = Text(f"{short(label)} " if label else "").append_text(_entry(entry))
            parts.append(text.append(f"\n{changed}" if changed else "", "dim"))
    return Text("\n").join(parts) if parts else Text("" if column.published else "-")


def _entry(entry: view.Summary) -> Text:
    if entry.verdict in reasons.UNJUDGED:
        return Text(entry.verdict, STYLES[entry.verdict])
    text = Text("\n").join(Text(f"{n} {verdict}", STYLES[verdict]) for verdict, n in entry.ranked)
    if entry.coarse:
        text.append(f"\n{entry.coarse} coarse", "yellow")
    if entry.replayed:
        text.append("\nreplayed" if not entry.live else f"\n{entry.replayed} replayed")
    used = "" if entry.used is None else f"\n{share(entry.used)}"
    return text.append(used, "dim")


def pair_matrix(record: Record) -> Group:
    """Every implementation against every other: how many outputs agree, the largest difference."""
    pairs = totals.all_pairs(record)
    paired = {name for pair in pairs for name in pair}
    names = [name for name in view.implementations(record) if name in paired]
    tables = [_of_pairs(pairs, names, part, part[0] == names[0]) for part in _parts(names, MOST)]
    tables[-1].caption = "stages on which two agree, each fed by its own upstream; largest |difference|"
    return Group(*tables)


def _of_pairs(
    pairs: Mapping[tuple[str, str], view.PairSummary],
    rows: Sequence[str],
    columns: Sequence[str],
    first: bool,
) -> Table:
    table = Table(title=f"Implementations x implementations{'' if first else ', continued'}")
    table.add_column("")
    for name in columns:
        table.add_column(plain(name), overflow="fold")
    for left in rows:
        row = [plain(left)]
        for right in columns:
            pair = pairs.get((left, right))
            if pair is None:
                row.append(Text("-"))
                continue
            style = {"agree": "green", "error": "bold magenta"}.get(pair.word, "bold red")
            word = pair.word if pair.word != "differ" else "DIFFER"
            row.append(Text.assemble((f"{word} {pair.agree}/{pair.total}", style), _error(pair.max_abs)))
        add_row(table, *row)
    return table


def same_bits_table(groups: Sequence[SameBits]) -> Table:
    """Who returns the same bits: in how many of the outputs that not all return alike."""
    table = Table(title="The same bits", caption="chained; outputs on which all return the same are left out")
    for name in ("implementations", "outputs", "such as", "libraries"):
        table.add_column(name, overflow="fold")
    for group in groups[:GROUPS]:
        names, libraries = ", ".join(group.implementations), "\n".join(group.libraries)
        add_row(table, names, f"{group.outputs} of {group.of}", group.example, libraries)
    return table


def _error(value: float | None) -> Text:
    return Text("" if value is None else f"\n{number(value)}", "dim")


def _parts(items: Sequence[Item], most: int) -> list[Sequence[Item]]:
    """Items in as few parts as ``most`` allows, of about one size."""
    count = -(-len(items) // most)
    ends = [-(-place * len(items) // count) for place in range(count + 1)] if count else []
    return [items[begin:end] for begin, end in pairwise(ends)]
