"""A record that is written part by part, and whose first line changes at the end."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import msgspec
import pytest

from harness.errors import RecordError
from harness.store.record import read_record
from harness.store.streamed_record import StreamedRecord
from tests.unit.store.record_lines import FOOTER, HEADER, cell

LATER = msgspec.structs.replace(HEADER, cpu="some; another, of a machine that came later", absent=())


def test_the_header_can_be_another_at_the_end(path: Path) -> None:
    with StreamedRecord(path) as writer:
        writer.header(HEADER)
        writer.write(cell("a"))
        writer.header_again(LATER)
        # What was written can be read at any time.
        assert read_record(path.with_name("results.jsonl.partial")).header == LATER
        writer.write(cell("b"))
        writer.header_again(HEADER)
        writer.footer(FOOTER)
    record = read_record(path)
    assert record.header == HEADER
    assert [line.stage for line in record.cells] == ["a", "b"]
    assert sorted(item.name for item in path.parent.iterdir()) == ["results.jsonl"]


def test_a_header_that_cannot_be_written_leaves_the_lines(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: int) -> None:
        raise OSError(28, "No space left on device")

    with StreamedRecord(path) as writer:
        writer.header(HEADER)
        writer.write(cell("a"))
        for module, function in ((shutil, "copyfileobj"), (os, "fsync")):
            # Before anything is copied, and after.
            with monkeypatch.context() as patch:
                patch.setattr(module, function, full)
                with pytest.raises(RecordError, match="No space left"):
                    writer.header_again(LATER)
        writer.write(cell("b"))
        writer.footer(FOOTER)
    record = read_record(path)
    assert (record.header, len(record.cells)) == (HEADER, 2)


def test_a_line_of_an_earlier_part_is_found_at_the_end(path: Path) -> None:
    with StreamedRecord(path) as writer:
        writer.header(HEADER)
        writer.write(cell("a"))
        with pytest.raises(RecordError, match="two results for one thing"):
            writer.write(cell("a"))
        writer.next_part()
        writer.write(cell("a"))
        with pytest.raises(RecordError, match="two results for one thing"):
            writer.footer(FOOTER)
    assert not path.exists()
