"""Reports as files: which there are, what they are called, and what is in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from harness.model import Record
from harness.report import badge, html, junit, markdown, table


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be rendered: a record, an older one to compare it with, and older ones to draw beside it."""

    record: Record
    base: Record | None = None
    earlier: Sequence[Record] = ()


_WRITERS: Mapping[str, Callable[[Request], dict[str, bytes]]] = {
    "html": lambda asked: {"report.html": html.render(asked.record, asked.earlier).encode()},
    "junit": lambda asked: {"junit.xml": junit.render(asked.record).encode()},
    "markdown": lambda asked: {"summary.md": markdown.render(asked.record, asked.base).encode()},
    "badge": lambda asked: {
        "badge.json": badge.endpoint(asked.record).encode(),
        "badge.svg": badge.picture(asked.record).encode(),
    },
    "csv": lambda asked: {"cells.csv": table.write_csv(asked.record).encode()},
    "parquet": lambda asked: {"cells.parquet": table.write_parquet(asked.record)},
}

KINDS = tuple(_WRITERS)
"""Every kind of report."""

USUAL = ("html", "junit", "markdown", "badge")
"""Those that every run writes."""


def rendered(asked: Request, kinds: Sequence[str] = USUAL) -> dict[str, bytes]:
    """The content of each file, by its name.

    Parameters
    ----------
    asked : Request
        What is to be rendered.
    kinds : sequence of str
        Of `KINDS`.

    Raises
    ------
    UsageError
        A kind needs a library that is not installed.
    """
    return {name: content for kind in dict.fromkeys(kinds) for name, content in _WRITERS[kind](asked).items()}
