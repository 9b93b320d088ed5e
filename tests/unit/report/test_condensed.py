"""A large record says in its reports what it says whole, and memory holds a part of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from harness.errors import RecordError
from harness.model import Basis, Cell, Check, ErrorStats, Mode, Pair, Precision, Record, Source, outcome_of
from harness.report import (
    accuracy,
    badge,
    history,
    html,
    junit,
    limits,
    markdown,
    sentence,
    table,
    terminal,
    totals,
    view,
)
from harness.report.condensed import read_condensed
from harness.report.files import Request, rendered
from harness.report.same_bits import same_bits
from harness.store.record import RecordWriter, read_record
from tests.unit.conformance.finished_units import case

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]
NAMES = ("numpy", "r", "torch")
CASES = tuple(f"c{number}" for number in range(7))


def stats(size: float) -> ErrorStats:
    return ErrorStats(
        count=2,
        max_abs=size,
        max_ulp=size * 2**50,
        used=size * 2**46,
        ulp_histogram=(1, 1),
        max_abs_index=(0,),
    )


def cells_of(name: str, place: int, cell: MakeCell) -> list[Cell]:
    """Of three implementations and two stages, all well; sizes differ from case to case."""
    size = (place + 1) * 2.0**-52
    made = []
    for stage in "ab":
        known: dict[str, Any] = {
            "case": name,
            "stats": stats(size),
            "limit": 2.0**-46,
            "basis": Basis.DERIVED,
        }
        made.append(
            cell(stage, "PASS", "numpy", case=name, mode=Mode.ISOLATED, check=Check.REPEAT, stats=stats(0.0))
        )
        for who in NAMES:
            for mode in Mode:
                truth = {"check": Check.ORACLE, "against": "oracle", "ulp_of_stage": size * 2**52}
                made.append(cell(stage, "PASS", who, mode=mode, **known, **truth))
                if who != "numpy":
                    made.append(cell(stage, "PASS", who, mode=mode, **known))
    return made


def pairs_of(name: str, place: int) -> list[Pair]:
    """Two of three return the same bits, others in every other case."""
    alike = ("numpy", "r") if place % 2 else ("r", "torch")
    return [
        Pair(
            case=name,
            stage=stage,
            precision=Precision.FLOAT64,
            left=left,
            right=right,
            agree=True,
            stats=stats(0.0 if (left, right) == alike else (place + 1) * 2.0**-52),
        )
        for stage in "ab"
        for left, right in (("numpy", "r"), ("numpy", "torch"), ("r", "torch"))
    ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.jsonl"


@pytest.fixture
def write(path: Path, cell: MakeCell, record: MakeRecord) -> Callable[..., None]:
    """Write a record of seven cases; of the stage b in r of those that are named, the cell is another."""

    def write(**others: dict[str, Any]) -> None:
        made = record(cases=tuple(case(name=name) for name in CASES), absent=())
        with RecordWriter(path) as writer:
            writer.header(msgspec.structs.replace(made.header, schema=4))
            for place, name in enumerate(CASES):
                cells = cells_of(name, place, cell)
                if name in others:
                    cells[-1] = msgspec.structs.replace(cells[-1], **others[name])
                for line in (*cells, *pairs_of(name, place)):
                    writer.write(line)
            assert made.footer is not None
            writer.footer(made.footer)

    return write


def both(path: Path, most: int = 2) -> tuple[Record, Record]:
    whole, few = read_record(path), read_condensed(path, most)
    assert whole.rest is None
    assert few.rest is not None
    return whole, few


def test_totals_and_sentences_are_those_of_the_whole(path: Path, write: Callable[..., None]) -> None:
    write()
    whole, few = both(path)
    assert {each.case for each in few.cells} == {"c0", "c1"}
    assert few.rest is not None
    assert (few.rest.cases, few.rest.rows, few.rest.cells) == (5, 5, 5 * len(whole.cells) // 7)
    for said in (
        outcome_of,
        sentence.verdict,
        sentence.sources,
        totals.verdicts,
        totals.cases,
        totals.all_pairs,
        same_bits,
        accuracy.largest,
        history.summarize,
        badge.message,
        lambda record: terminal.closing(record).plain,
        lambda record: {who: found.live for who, found in totals.summaries_by_runtime(record).items()},
        lambda record: (found := totals.whole(record)) and (found.max_abs, found.max_ulp, found.used),
    ):
        assert said(few) == said(whole)  # type: ignore[operator]
    used = limits.uses(whole), limits.uses(few)
    assert len(limits.loose(used[0])) == len(limits.loose(used[1])) + few.rest.loose > few.rest.loose > 0


def test_junit_and_csv_have_every_case(path: Path, write: Callable[..., None]) -> None:
    write(c5={"verdict": "FAIL", "reason": "off"})
    whole, few = both(path)
    files = rendered(Request(record=few, path=path), ("junit", "csv"))
    of_whole = {"junit.xml": junit.render(whole), "cells.csv": table.write_csv(whole)}
    for name, content in files.items():
        assert not isinstance(content, bytes), name
        assert b"".join(content).decode() == of_whole[name]


def test_what_is_not_well_is_kept_wherever_it_stands(path: Path, write: Callable[..., None]) -> None:
    write(
        c3={"verdict": "FAIL", "reason": "off"},
        c4={"basis": Basis.COARSE},
        c5={"source": Source.REPLAYED},
        c6={"undecided": 1, "elements": 2},
    )
    whole, few = both(path)
    assert {each.case for each in few.cells} == {"c0", "c1", "c3", "c4", "c5", "c6"}
    assert outcome_of(few) == outcome_of(whole)
    assert sentence.verdict(few) == sentence.verdict(whole)
    assert view.divergences(few) == view.divergences(whole)


def test_an_implementation_that_comes_late_is_among_the_columns(
    path: Path, write: Callable[..., None]
) -> None:
    write(c6={"implementation": "r.second"})
    _, few = both(path)
    assert "r.second" in {each.implementation for each in few.cells}


def test_the_page_says_what_is_not_in_it(path: Path, write: Callable[..., None]) -> None:
    write()
    whole, few = both(path)
    page, of_whole = html.render(few), html.render(whole)
    assert "5 more, in which all is well" in page
    assert "Of 5 cases more the cells are not here" in page
    assert len(page) < len(of_whole)
    assert "cells are not here" not in of_whole
    assert "and 5 more rows, in which all is well" in markdown.render(few)


def test_a_small_record_is_read_whole(path: Path, write: Callable[..., None]) -> None:
    write()
    assert read_condensed(path) == read_record(path)


def test_a_result_that_is_there_twice_is_refused(path: Path, write: Callable[..., None]) -> None:
    write()
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:-2], lines[1], *lines[-2:]]))
    with pytest.raises(RecordError, match="two results for one thing"):
        read_condensed(path, 2)


def test_a_changed_line_is_refused(path: Path, write: Callable[..., None]) -> None:
    write()
    path.write_bytes(path.read_bytes().replace(b'"limit":', b'"limit": ', 1))
    with pytest.raises(RecordError, match="was changed after it was written"):
        read_condensed(path, 2)
