"""Reports as files: which there are, what they are called, and what is in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from harness.model import Record
from harness.report import badge, html, junit, markdown, table
from harness.store.stored_record import StoredRecord

Content = bytes | Iterable[bytes]
"""What a file holds, at once or in pieces."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be rendered: a record, an older one to compare it with, and older ones to draw beside it.

    ``path`` is where the record lies, of one that has but numbers of some of its cases.
    """

    record: Record
    base: Record | None = None
    earlier: Sequence[Record] = ()
    path: Path | None = None

    def parts(self) -> Iterator[Record]:
        """All of the record, one case after the other where memory does not hold it."""
        if self.record.rest is None:
            yield self.record
            return
        if self.path is None:
            raise ValueError("the record's file is needed")
        with StoredRecord(self.path) as stored:
            for case in sorted(stored.cases):
                yield stored.part(case)


_WRITERS: Mapping[str, Callable[[Request], dict[str, Content]]] = {
    "html": lambda asked: {"report.html": html.render(asked.record, asked.earlier).encode()},
    "junit": lambda asked: {"junit.xml": junit.pieces(asked.record, asked.parts())},
    "markdown": lambda asked: {"summary.md": markdown.render(asked.record, asked.base).encode()},
    "badge": lambda asked: {
        "badge.json": badge.endpoint(asked.record).encode(),
        "badge.svg": badge.picture(asked.record).encode(),
    },
    "csv": lambda asked: {"cells.csv": table.csv_pieces(asked.parts())},
    "parquet": lambda asked: {"cells.parquet": table.write_parquet(*asked.parts())},
}

KINDS = tuple(_WRITERS)
"""Every kind of report."""

USUAL = ("html", "junit", "markdown", "badge")
"""Those that every run writes."""


def rendered(asked: Request, kinds: Sequence[str] = USUAL) -> dict[str, Content]:
    """The content of each file, by its name.

    Of a large record some come in pieces, which are made when they are taken.

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
    files = {
        name: content for kind in dict.fromkeys(kinds) for name, content in _WRITERS[kind](asked).items()
    }
    if asked.record.rest is not None:
        return files
    return {
        name: content if isinstance(content, bytes) else b"".join(content) for name, content in files.items()
    }
