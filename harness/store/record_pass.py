"""One pass over the lines of a record, which checks all of them and keeps none."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from harness.errors import RecordError
from harness.model import Cell, Examined, Footer, Header, Verdict
from harness.store.record_header import read_header
from harness.store.record_line import Line, decode_line, key_of


class RecordPass:
    """What one pass over a record finds; ``header``, ``footer`` and ``counts`` are there behind it.

    Parameters
    ----------
    path : Path
        What errors name.

    Attributes
    ----------
    places : dict of str to array of int
        By case, the place of each of its lines in the file, in bytes.
    documents : array of int
        The same of the documents.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.header: Header
        self.footer: Footer | None = None
        self.places: dict[str, array[int]] = {}
        self.documents: array[int] = array("q")
        self._counts: Counter[Verdict] = Counter()
        self._digest = hashlib.sha256()
        self._keys: array[int] = array("q")

    @property
    def counts(self) -> dict[str, int]:
        """The number of cells of each verdict, of those that occur."""
        return {str(verdict): self._counts[verdict] for verdict in Verdict if self._counts[verdict]}

    def digest_with(self, line: bytes) -> str:
        """The sha256 of all lines, and of one behind them."""
        whole = self._digest.copy()
        whole.update(line)
        return whole.hexdigest()

    def lines(self, file: BinaryIO) -> Iterator[Line]:
        """Read a file from where it stands to its end.

        Yields
        ------
        Header, then results, then Footer, if there is one

        Raises
        ------
        RecordError
            With the line, if the file is no record, is of a newer harness, is cut off, or was changed after
            it was written; behind all lines, if it has a result twice.
        """
        begin, place, number = file.tell(), 0, 0
        for number, raw in enumerate(iter(file.readline, b""), 1):
            if not raw.endswith(b"\n"):
                if number == 1:
                    read_header(raw, self.path)
                raise RecordError(
                    "is cut off in this line",
                    path=self.path,
                    line=number,
                    advice="remove the line, or run again",
                )
            line = self._taken(raw, number, begin + place)
            place += len(raw)
            if isinstance(line, Footer):
                self._refuse_twice(file, begin)
                self._check_footer(line, raw, number)
            yield line
        if not number:
            raise RecordError("is empty", path=self.path, advice="run again")
        if self.footer is None:
            self._refuse_twice(file, begin)

    def _refuse_twice(self, file: BinaryIO, begin: int) -> None:
        """Raise an error if there are two results for one thing; two keys of one hash need not be alike."""
        keys = np.sort(np.asarray(self._keys, np.int64))
        if not (keys[1:] == keys[:-1]).any():
            return
        place = file.tell()
        file.seek(begin)
        _check_keys(file, self.path)
        file.seek(place)

    def _taken(self, raw: bytes, number: int, place: int) -> Line:
        if number == 1:
            self.header = read_header(raw[:-1], self.path)
            self._digest.update(raw)
            return self.header
        line = decode_line(raw[:-1], self.path, number)
        if self.footer is not None:
            raise RecordError("goes on after its footer", path=self.path, line=number)
        if isinstance(line, Header):
            raise RecordError(
                "has a second header", path=self.path, line=number, advice="keep one run in one file"
            )
        if isinstance(line, Footer):
            self.footer = line
            return line
        self._digest.update(raw)
        self._keys.append(hash(key_of(line)))
        if isinstance(line, Examined):
            self.documents.append(place)
            return line
        self.places.setdefault(line.case, array("q")).append(place)
        if isinstance(line, Cell):
            self._counts[line.verdict] += 1
            _check_cell(line, self.path, number)
        return line

    def _check_footer(self, footer: Footer, raw: bytes, number: int) -> None:
        counts = self.counts
        if footer.counts != counts:
            raise RecordError(
                f"its footer counts {_counted(footer.counts)}, its lines are {_counted(counts)}",
                path=self.path,
                line=number,
                advice="the file was changed; run again",
            )
        unsealed = raw.replace(f'"digest":"{footer.digest}"'.encode(), b'"digest":""')
        if self.digest_with(unsealed) != footer.digest:
            raise RecordError(
                "was changed after it was written: its lines do not give the digest in its footer",
                path=self.path,
                line=number,
                advice="run again",
            )


def counts_of(cells: Iterable[Cell]) -> dict[str, int]:
    """Return the number of cells of each verdict, of those that occur."""
    counts = Counter(str(cell.verdict) for cell in cells)
    return {str(verdict): counts[verdict] for verdict in Verdict if counts[verdict]}


def _check_keys(file: BinaryIO, path: Path) -> None:
    """Raise an error that names the first result that is there twice."""
    first: dict[tuple[str, ...], int] = {}
    for number, raw in enumerate(file, 1):
        line = None if number == 1 else decode_line(raw[:-1], path, number)
        if line is None or isinstance(line, Header | Footer):
            continue
        key = key_of(line)
        if first.setdefault(key, number) != number:
            raise RecordError(
                f"has two results for one thing: {', '.join(key)}, first in line {first[key]}",
                path=path,
                line=number,
            )


def _check_cell(cell: Cell, path: Path, number: int) -> None:
    if cell.divergence and cell.verdict not in (Verdict.XFAIL, Verdict.XPASS):
        raise RecordError(
            f"names the known divergence {cell.divergence!r}, and its verdict is {cell.verdict}",
            path=path,
            line=number,
            advice="the file was changed; run again",
        )


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in sorted(counts)) or "none"
