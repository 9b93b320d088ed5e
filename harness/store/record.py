"""The record of a run, ``results.jsonl``: a header, one line for each verdict and pair, a footer.

While a run goes on, its lines stand in ``results.jsonl.partial``, each written out as soon as it is known, so
that they outlive a killed process; this file can be read as a record without a footer. The footer completes
it, and only then does it take the name, and the place, of ``results.jsonl``.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import msgspec

from harness.errors import RecordError
from harness.model import (
    Cell,
    Consensus,
    Examined,
    Exhibit,
    Footer,
    Header,
    Pair,
    Record,
    Verdict,
)
from harness.store.atomic import write_whole
from harness.store.lock import WriterLock, only_writer
from harness.store.record_header import read_header
from harness.store.record_line import Result, decode_line, encode_line, key_of
from harness.store.regular_file import read_regular

FILE = "results.jsonl"
"""A record's name in its folder."""


class RecordWriter:
    """Writes a record line by line; use it as a context manager.

    Parameters
    ----------
    path : Path
        Where the record shall be, once it is complete. Until then an older record there stays as it is.

    Notes
    -----
    Left without a footer, by an exception or a kill, the lines stay in ``<path>.partial``. Where its folder
    or the current one is removed meanwhile, the footer makes the folder again: no line is lost.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.partial = path.with_name(f"{path.name}.partial")
        self._file: BinaryIO | None = None
        self._lock: WriterLock | None = None
        self._whole = path
        self._begun = False
        self._keys: set[tuple[str, ...]] = set()

    def __enter__(self) -> Self:
        """Open the partial file; raises RecordError if it cannot be written."""
        try:
            # The current folder may be removed while the run goes on.
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._whole = self.path.parent.resolve() / self.path.name
            lock = self._whole.with_name(f".{self.path.name}.lock")
            self._lock = WriterLock(lock, self.partial, "wait for it, or choose another folder")
            self._file = self.partial.open("w+b")
        except OSError as problem:
            self._unlock()
            raise self._unwritable(problem) from problem
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file; without a footer it keeps its partial name."""
        try:
            if self._file is not None:
                self._file.close()
                if not self._begun:
                    self._partial.unlink(missing_ok=True)
        except OSError as problem:
            # Writing a line has failed already, and that error is being raised.
            if error is None:
                raise self._unwritable(problem) from problem
        finally:
            self._file = None
            self._unlock()

    def header(self, header: Header) -> None:
        """Write the first line.

        Raises
        ------
        RecordError
            If the disk refuses it, or it could not be read back.
        """
        if self._begun:
            raise ValueError("a record has one header")
        self._append(encode_line(header))
        self._begun = True

    def write(self, line: Result) -> None:
        """Write one verdict, pair, consensus, exhibit or document.

        Raises
        ------
        RecordError
            If the record has it already, the disk refuses it, or it could not be read back.
        """
        if not self._begun:
            raise ValueError("a record begins with its header")
        key = key_of(line)
        if key in self._keys:
            raise RecordError(f"the run has two results for one thing: {', '.join(key)}", path=self.partial)
        self._append(encode_line(line))
        self._keys.add(key)

    def footer(self, footer: Footer) -> None:
        """Count and seal what was written, and put it in the place of an older record.

        Parameters
        ----------
        footer : Footer
            Its ``counts`` and ``digest`` are filled in.

        Raises
        ------
        RecordError
            If the disk refuses it, what was written is not a record, or the folder was removed and another
            command writes there now.
        """
        if self._file is None:
            raise ValueError("the record is closed")
        # What counts is what is in the file, wherever an interrupt fell.
        data = self._written()
        written = _parse(data, self.partial)
        if written.footer is None:
            line = encode_line(msgspec.structs.replace(footer, counts=counts_of(written.cells), digest=""))
            digest = hashlib.sha256(data + line).hexdigest()
            self._append(line.replace(b'"digest":""', f'"digest":"{digest}"'.encode()))
        try:
            os.fsync(self._file.fileno())
            in_place = self._is_in_place()
            if not in_place:
                self._write_again()
            self._file.close()
            self._file = None
            if in_place:
                self._partial.replace(self._whole)
        except OSError as problem:
            raise self._unwritable(problem) from problem

    def _write_again(self) -> None:
        """Write the whole record where its file was removed; not into a folder that another run keeps."""
        assert self._lock is not None
        folder = self._whole.parent
        folder.mkdir(parents=True, exist_ok=True)
        with contextlib.nullcontext() if self._lock.in_place else only_writer(folder):
            write_whole({self._whole: self._written()})

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.release()

    @property
    def _partial(self) -> Path:
        return self._whole.with_name(self.partial.name)

    def _is_in_place(self) -> bool:
        """Whether the open file still has its name: its folder may have been removed, and made again."""
        assert self._file is not None
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self._partial.stat())
        except OSError:
            return False

    def _written(self) -> bytes:
        assert self._file is not None
        self._file.flush()
        self._file.seek(0)
        data = self._file.read()
        self._file.seek(0, os.SEEK_END)
        return data

    def _append(self, line: bytes) -> None:
        if self._file is None:
            raise ValueError("the record is closed")
        try:
            self._file.write(line)
            self._file.flush()
        except OSError as problem:
            raise self._unwritable(problem) from problem

    def _unwritable(self, problem: OSError) -> RecordError:
        return RecordError(
            f"cannot be written: {problem.strerror}",
            path=self.partial,
            advice="choose another folder",
        )


def read_record(path: Path) -> Record:
    """Read a record and check all of it.

    Parameters
    ----------
    path : Path
        A results.jsonl, or the partial one of a run that was killed.

    Returns
    -------
    Record
        Its ``footer`` is None if the run did not write one: the record is then partial.

    Raises
    ------
    RecordError
        With the line, if the file is no record, is of a newer harness, is cut off, has a result twice, or was
        changed after it was written.
    """
    try:
        data = read_regular(path)
    except OSError as problem:
        raise RecordError(f"cannot be read: {problem.strerror}", path=path) from problem
    return _parse(data, path)


def find_record(where: Path) -> Record:
    """Read the record in a folder, or in this file; a partial one if there is no other.

    Raises
    ------
    RecordError
        There is none, or it is damaged.
    """
    if not where.is_dir():
        return read_record(where)
    for path in (where / FILE, where / f"{FILE}.partial"):
        if path.is_file():
            return read_record(path)
    raise RecordError(f"there is no {FILE} here", path=where, advice="harness run writes one")


def counts_of(cells: Iterable[Cell]) -> dict[str, int]:
    """Return the number of cells of each verdict, of those that occur."""
    counts = Counter(str(cell.verdict) for cell in cells)
    return {str(verdict): counts[verdict] for verdict in Verdict if counts[verdict]}


def _parse(data: bytes, path: Path) -> Record:
    if not data:
        raise RecordError("is empty", path=path, advice="run again")
    lines = data.split(b"\n")
    header = read_header(lines[0], path)
    if lines.pop():
        raise RecordError(
            "is cut off in this line", path=path, line=len(lines) + 1, advice="remove the line, or run again"
        )
    cells: list[Cell] = []
    pairs: list[Pair] = []
    consensus: list[Consensus] = []
    exhibits: list[Exhibit] = []
    documents: list[Examined] = []
    footer: Footer | None = None
    first: dict[tuple[str, ...], int] = {}
    for number, raw in enumerate(lines[1:], 2):
        line = decode_line(raw, path, number)
        if footer is not None:
            raise RecordError("goes on after its footer", path=path, line=number)
        if isinstance(line, Header):
            raise RecordError(
                "has a second header", path=path, line=number, advice="keep one run in one file"
            )
        if isinstance(line, Footer):
            footer = line
            continue
        key = key_of(line)
        if first.setdefault(key, number) != number:
            raise RecordError(
                f"has two results for one thing: {', '.join(key)}, first in line {first[key]}",
                path=path,
                line=number,
            )
        if isinstance(line, Cell):
            _check_cell(line, path, number)
            cells.append(line)
        elif isinstance(line, Pair):
            pairs.append(line)
        elif isinstance(line, Consensus):
            consensus.append(line)
        elif isinstance(line, Exhibit):
            exhibits.append(line)
        else:
            documents.append(line)
    if footer is not None:
        _check_footer(footer, cells, data, lines[-1], path, len(lines))
    return Record(
        header=header,
        cells=tuple(cells),
        pairs=tuple(pairs),
        footer=footer,
        consensus=tuple(consensus),
        exhibits=tuple(exhibits),
        documents=tuple(documents),
    )


def _check_cell(cell: Cell, path: Path, number: int) -> None:
    if cell.divergence and cell.verdict not in (Verdict.XFAIL, Verdict.XPASS):
        raise RecordError(
            f"names the known divergence {cell.divergence!r}, and its verdict is {cell.verdict}",
            path=path,
            line=number,
            advice="the file was changed; run again",
        )


def _check_footer(
    footer: Footer, cells: list[Cell], data: bytes, raw: bytes, path: Path, number: int
) -> None:
    counts = counts_of(cells)
    if footer.counts != counts:
        raise RecordError(
            f"its footer counts {_counted(footer.counts)}, its lines are {_counted(counts)}",
            path=path,
            line=number,
            advice="the file was changed; run again",
        )
    unsealed = raw.replace(f'"digest":"{footer.digest}"'.encode(), b'"digest":""')
    if hashlib.sha256(data[: -len(raw) - 1] + unsealed + b"\n").hexdigest() != footer.digest:
        raise RecordError(
            "was changed after it was written: its lines do not give the digest in its footer",
            path=path,
            line=number,
            advice="run again",
        )


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in sorted(counts)) or "none"
