"""A record that stays on disk: one case of it is in memory at a time."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import msgspec

from harness.errors import RecordError
from harness.model import Cell, Consensus, Examined, Exhibit, Footer, Header, Pair, Record
from harness.store.record_line import Result, decode_line
from harness.store.record_pass import RecordPass
from harness.store.regular_file import open_regular


class StoredRecord:
    """A record in a file; use it as a context manager.

    Parameters
    ----------
    path : Path
        A results.jsonl, or the partial one of a run that was killed; all of it is checked when it is opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        """Read the file once; raises RecordError as `harness.store.record.read_record` does."""
        try:
            self._file = open_regular(self.path)
        except OSError as problem:
            raise RecordError(f"cannot be read: {problem.strerror}", path=self.path) from problem
        taken = RecordPass(self.path)
        try:
            for _ in taken.lines(self._file):
                pass
        except BaseException:
            self._file.close()
            raise
        self.header: Header = taken.header
        self.footer: Footer | None = taken.footer
        self._places = taken.places
        self._documents = taken.documents
        self._cases = {case.name: case for case in self.header.cases}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    @property
    def cases(self) -> tuple[str, ...]:
        """The names of the cases that have lines, in the order of their first."""
        return tuple(self._places)

    def part(self, case: str) -> Record:
        """All lines of one case, with the header of this case alone, and the footer of the whole."""
        cells: list[Cell] = []
        pairs: list[Pair] = []
        consensus: list[Consensus] = []
        exhibits: list[Exhibit] = []
        for line in self._lines(self._places[case]):
            if isinstance(line, Cell):
                cells.append(line)
            elif isinstance(line, Pair):
                pairs.append(line)
            elif isinstance(line, Consensus):
                consensus.append(line)
            elif isinstance(line, Exhibit):
                exhibits.append(line)
        declared = self._cases.get(case)
        return Record(
            header=msgspec.structs.replace(self.header, cases=() if declared is None else (declared,)),
            footer=self.footer,
            cells=tuple(cells),
            pairs=tuple(pairs),
            consensus=tuple(consensus),
            exhibits=tuple(exhibits),
        )

    def documents(self) -> tuple[Examined, ...]:
        """All documents."""
        return tuple(line for line in self._lines(self._documents) if isinstance(line, Examined))

    def _lines(self, places: array[int]) -> Iterator[Result]:
        assert self._file is not None
        for place in places:
            self._file.seek(place)
            line = decode_line(self._file.readline()[:-1], self.path, 0)
            assert not isinstance(line, Header | Footer)
            yield line
