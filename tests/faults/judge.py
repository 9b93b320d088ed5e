"""Is what a run left what the matrix says? Verdicts, complaints, exit codes, the record, processes, files."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping
from typing import NamedTuple

import msgspec
import psutil

from harness.errors import RecordError
from harness.model import Cell, Record, outcome_of
from harness.store.record import read_record
from tests.faults.matrix import PASS, Expected, Place, Trial, expected
from tests.faults.suites import MARKER, Ran

CASE = "toy"
SOUND = ("echo", "numpy")
PATIENCE = 5.0
"""Seconds in which a killed process must be gone."""


class Wrong(NamedTuple):
    """One thing that is wrong, with a trial, or with the run as a whole."""

    trial: Trial | None
    what: str


def judge(ran: Ran, due: Mapping[Trial, Expected] | None = None) -> list[Wrong]:
    """Everything that is wrong with a run.

    Parameters
    ----------
    ran : Ran
        What the run left.
    due : mapping of Trial to Expected, optional
        What must come out; the matrix's if not given.
    """
    due = due if due is not None else {trial: expected(trial) for trial in ran.trials}
    wrong = [Wrong(None, what) for what in (*processes(ran.marker), *files(ran))]
    code = max((one.code for one in due.values()), default=0)
    if ran.code != code:
        wrong.append(Wrong(None, f"exit code {ran.code}, not {code}: {ran.printed[-2000:]}"))
    wrong += [
        Wrong(None, f"{text!r} was printed: {ran.printed[-2000:]}")
        for text in ("Traceback", "a fault in the harness")
        if text in ran.printed
    ]
    try:
        record = read_record(ran.out / "results.jsonl")
    except RecordError as error:
        return [*wrong, Wrong(None, f"the record cannot be read: {error}")]
    return [*wrong, *of_record(record, due)]


def of_record(record: Record, due: Mapping[Trial, Expected]) -> list[Wrong]:
    """Everything that is wrong with a record."""
    if record.footer is None or record.footer.partial:
        return [Wrong(None, "the record has no end")]
    wrong = []
    if record.header.absent:
        wrong.append(Wrong(None, f"called missing: {[one.runtime for one in record.header.absent]}"))
    known = {trial.id for trial in due} | {*SOUND}
    strangers = {cell.implementation for cell in record.cells} - known
    wrong += [Wrong(None, f"there are cells of {name}") for name in sorted(strangers)]
    for name in SOUND:
        cells = _cells(record, name)
        verdicts = [cell.verdict for cell in cells.values()]
        # The reference is compared with itself.
        if verdicts != [PASS] * (3 if name == "echo" else 6):
            wrong.append(Wrong(None, f"{name}, which is sound, has {_told(cells)}"))
    rest = list(record.footer.complaints)
    for trial, one in due.items():
        wrong += [Wrong(trial, what) for what in of_trial(record, trial, one, rest)]
    return wrong + [Wrong(None, f"the run complains: {complaint}") for complaint in rest]


def of_trial(record: Record, trial: Trial, due: Expected, complaints: list[str]) -> list[str]:
    """What is wrong with one trial; its complaint is taken out of the run's."""
    wrong = []
    cells = _cells(record, trial.id)
    verdicts = {place: cell.verdict for place, cell in cells.items()}
    if verdicts != due.cells:
        wrong.append(f"has {_told(cells)}, and is expected {_short(due.cells)}")
    for place, cell in cells.items():
        if cell.verdict in ("ERROR", "TIMEOUT", "FAIL") and not re.search(due.words, cell.reason):
            wrong.append(f"{place[0]}, {place[1]}: no {due.words!r} in {cell.reason!r}")
    mine = [complaint for complaint in complaints if re.search(rf"\b{re.escape(trial.id)}\b(?!-)", complaint)]
    for complaint in mine:
        complaints.remove(complaint)
    if due.complaint and not (len(mine) == 1 and re.search(due.complaint, mine[0])):
        wrong.append(f"complaints {mine}, and one like {due.complaint!r} is expected")
    if not due.complaint and mine:
        wrong.append(f"complaints {mine}")
    code = alone(record, trial, mine)
    if code != due.code:
        wrong.append(f"by itself it would give exit code {code}, not {due.code}")
    return wrong


def alone(record: Record, trial: Trial, complaints: list[str]) -> int:
    """The exit code of a run that had this trial only."""
    assert record.footer is not None
    footer = msgspec.structs.replace(record.footer, complaints=tuple(complaints))
    cells = tuple(cell for cell in record.cells if cell.implementation in (*SOUND, trial.id))
    return outcome_of(msgspec.structs.replace(record, cells=cells, footer=footer)).exit_code


def processes(marker: str) -> list[str]:
    """Processes of a run that are left after a while; they are killed."""
    end = time.monotonic() + PATIENCE
    while (left := _marked(marker)) and time.monotonic() < end:
        time.sleep(0.1)
    told = []
    for process in left:
        try:
            told.append(f"a process is left: {process.pid} {' '.join(process.cmdline())[:200]}")
            process.kill()
        except psutil.NoSuchProcess:
            continue
    return told


def _marked(marker: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            # One that has ended and waits for its parent has no environment.
            if process.pid != os.getpid() and process.environ().get(MARKER) == marker:
                found.append(process)
        except psutil.Error:
            continue
    return found


def files(ran: Ran) -> list[str]:
    """Temporary files that are left, and reports that are not there."""
    left = sorted(str(path.relative_to(ran.temporary)) for path in ran.temporary.rglob("*"))
    missing = [name for name in ("results.jsonl", "junit.xml") if not (ran.out / name).is_file()]
    return [
        *(f"a temporary file is left: {name}" for name in left),
        *(f"there is no {name}" for name in missing),
        *(f"the run left {path.name}" for path in ran.out.glob("*.partial")),
    ]


def _cells(record: Record, implementation: str) -> dict[Place, Cell]:
    return {
        (cell.stage, cell.mode): cell
        for cell in record.cells
        if (cell.case, cell.implementation) == (CASE, implementation)
    }


def _told(cells: Mapping[Place, Cell]) -> str:
    verdicts = _short({place: cell.verdict for place, cell in cells.items()})
    reasons = sorted({cell.reason for cell in cells.values() if cell.reason})
    return f"{verdicts} {reasons}"


def _short(verdicts: Mapping[Place, object]) -> str:
    return " ".join(
        f"{stage}/{mode}:{verdict}"
        for (stage, mode), verdict in sorted(verdicts.items())
        if verdict is not PASS
    ) or ("all PASS" if verdicts else "no cells")
