"""What is computed of a record once is computed again of another."""

from __future__ import annotations

import gc
from collections.abc import Callable

import msgspec

from harness.model import Cell, Record
from harness.model.once import once


def test_a_result_is_that_of_its_record_alone(
    cell: Callable[..., Cell], record: Callable[..., Record]
) -> None:
    asked: list[str] = []

    @once
    def stages(of: Record) -> tuple[str, ...]:
        asked.append("")
        return tuple(each.stage for each in of.cells)

    first = record(cell("a", "PASS"))
    assert stages(first) == stages(first) == ("a",)
    assert len(asked) == 1
    same = msgspec.structs.replace(first)
    assert stages(same) == ("a",)
    assert len(asked) == 2
    # A place in memory that is used again is no proof that it is the same record.
    for name in "bcdefgh":
        assert stages(record(cell(name, "PASS"))) == (name,)
        gc.collect()
    assert stages(first) == ("a",)
    assert len(asked) == 9
