"""The record of a run, ``results.jsonl``: a header, one line for each verdict and pair, a footer.

While a run goes on, its lines stand in ``results.jsonl.partial``, each written out as soon as it is known, so
that they outlive a killed process; this file can be read as a record without a footer. The footer completes
it, and only then does it take the name, and the place, of ``results.jsonl``.
"""

from __future__ import annotations

import contextlib
import io
import os
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
)
from harness.store.atomic import write_whole
from harness.store.lock import WriterLock, only_writer
from harness.store.record_line import Result, encode_line, key_of
from harness.store.record_pass import RecordPass
from harness.store.regular_file import read_regular

RECENT = 10_000
"""With so many lines before it is a line compared when it is written."""

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
        self._keys: dict[tuple[str, ...], None] = {}

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
        self._keys[key] = None
        if len(self._keys) > RECENT:
            # Once more, the footer holds all lines against each other.
            del self._keys[next(iter(self._keys))]

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
        written = RecordPass(self.partial)
        for _ in written.lines(self._from_the_start()):
            pass
        self._file.seek(0, os.SEEK_END)
        if written.footer is None:
            line = encode_line(msgspec.structs.replace(footer, counts=written.counts, digest=""))
            digest = written.digest_with(line)
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
        data = self._from_the_start().read()
        self._file.seek(0, os.SEEK_END)
        return data

    def _from_the_start(self) -> BinaryIO:
        assert self._file is not None
        self._file.flush()
        self._file.seek(0)
        return self._file

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
    return read_record(file_in(where))


def file_in(where: Path) -> Path:
    """The record in a folder, or this file; a partial one if there is no other.

    Raises
    ------
    RecordError
        There is none.
    """
    if not where.is_dir():
        return where
    for path in (where / FILE, where / f"{FILE}.partial"):
        if path.is_file():
            return path
    raise RecordError(f"there is no {FILE} here", path=where, advice="harness run writes one")


def _parse(data: bytes, path: Path) -> Record:
    """All of a record in memory."""
    taken = RecordPass(path)
    lines: dict[type, list[Result]] = {kind: [] for kind in (Cell, Pair, Consensus, Exhibit, Examined)}
    for line in taken.lines(io.BytesIO(data)):
        if not isinstance(line, Header | Footer):
            lines[type(line)].append(line)
    return Record(
        header=taken.header,
        footer=taken.footer,
        cells=tuple(lines[Cell]),  # type: ignore[arg-type]
        pairs=tuple(lines[Pair]),  # type: ignore[arg-type]
        consensus=tuple(lines[Consensus]),  # type: ignore[arg-type]
        exhibits=tuple(lines[Exhibit]),  # type: ignore[arg-type]
        documents=tuple(lines[Examined]),  # type: ignore[arg-type]
    )
