"""A record that is put together of parts as they come, in memory that does not grow with them."""

from __future__ import annotations

import os
import shutil

from harness.model import Header
from harness.store.record import RecordWriter
from harness.store.record_line import encode_line


class StreamedRecord(RecordWriter):
    """Writes a record of many parts: of each, a case in a precision, all lines follow each other."""

    def next_part(self) -> None:
        """Begin the lines of another case or precision.

        No line before has a key of theirs, so that those need not be kept. The footer holds all lines against
        each other once more.
        """
        self._keys.clear()

    def write_encoded(self, lines: bytes) -> None:
        """Write lines that another process has encoded; the footer reads and checks all of them.

        Raises
        ------
        RecordError
            If the disk refuses it.
        """
        if not self._begun:
            raise ValueError("a record begins with its header")
        self._append(lines)

    def header_again(self, header: Header) -> None:
        """Put another first line in the place of the first: of machines that came later.

        Raises
        ------
        RecordError
            If the disk refuses it, or it could not be read back. The lines stay as they were.
        """
        if self._file is None or not self._begun:
            raise ValueError("the record is closed, or has no header")
        draft = self._partial.with_name(f".{self.path.name}.{os.getpid()}.tmp")
        old = self._file
        try:
            old.flush()
            old.seek(0)
            old.readline()
            new = draft.open("w+b")
            try:
                new.write(encode_line(header))
                shutil.copyfileobj(old, new, 1 << 20)
                new.flush()
                os.fsync(new.fileno())
                draft.replace(self._partial)
            except BaseException:
                new.close()
                draft.unlink(missing_ok=True)
                raise
            self._file = new
            old.close()
        except OSError as problem:
            raise self._unwritable(problem) from problem
        finally:
            if self._file is old:
                old.seek(0, os.SEEK_END)
