"""The published articles on a terminal: what was not as published, what they print, what is wrong."""

from __future__ import annotations

from rich.console import Group
from rich.table import Table
from rich.text import Text

from harness.model import Record
from harness.report import article_sections, published
from harness.report.terminal_words import NAMED, SHOWN, add_row, plain
from harness.report.text import short


def not_as_published(provisos: tuple[published.Proviso, ...]) -> Text:
    """What was changed in the articles' code, or replaced around it, for the last column."""
    text = Text()
    for proviso in provisos[:NAMED]:
        where = list(dict.fromkeys(case for case, _, _ in proviso.entries))
        more = f" and {len(where) - NAMED} more" if len(where) > NAMED else ""
        text.append(f"{', '.join(map(short, where[:NAMED]))}{more}, {published.TITLE}: ")
        text.append(f"{short(proviso.text, 300)}\n")
    if len(provisos) > NAMED:
        text.append(f"... and {len(provisos) - NAMED} more: see the page\n")
    text.rstrip()
    return text


def documents(record: Record) -> Group:
    """What became of each article, and one sentence on all of them."""
    table = Table(title="Articles")
    table.add_column("article", overflow="fold")
    for column in article_sections.HEAD:
        table.add_column(column, justify="right", overflow="fold")
    for article in map(article_sections.article, record.documents[:SHOWN]):
        add_row(table, plain(article.examined.document), *article.row)
    if len(record.documents) > SHOWN:
        add_row(table, f"and {len(record.documents) - SHOWN} more")
    return Group(table, Text(article_sections.sentence(record.documents)))
