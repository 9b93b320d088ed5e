"""Lines of a record, held back while its header cannot be written."""

from __future__ import annotations

from collections.abc import Callable

from harness.model import Footer, Header
from harness.store.record import RecordWriter
from harness.store.record_line import Result


class HeldLines:
    """A record whose header describes workers, some of which may still be starting.

    What the others returned is judged meanwhile; its lines are written after the header.

    Parameters
    ----------
    writer : RecordWriter or None
        Where the record is written to; nowhere if None.
    describe : callable
        Makes the header, of what is known when it is called.
    known : callable
        Whether all is known that the header describes.
    """

    def __init__(
        self, writer: RecordWriter | None, describe: Callable[[], Header], known: Callable[[], bool]
    ) -> None:
        self._writer = writer
        self._describe = describe
        self._known = known
        self._held: list[Result] = []
        self._header: Header | None = None

    def write(self, line: Result) -> None:
        """Write a line, or keep it until the header is there.

        Raises
        ------
        RecordError
            As of `RecordWriter.write`; of a line that is held back, later.
        """
        self._held.append(line)
        if self._header is not None or self._known():
            self.header()

    def header(self) -> Header:
        """The header, made of what is known now if it is not there yet; what was held is written."""
        if self._header is None:
            self._header = self._describe()
            if self._writer is not None:
                self._writer.header(self._header)
        held, self._held = self._held, []
        if self._writer is not None:
            for line in held:
                self._writer.write(line)
        return self._header

    def footer(self, footer: Footer) -> None:
        """Complete the record."""
        self.header()
        if self._writer is not None:
            self._writer.footer(footer)
