"""What a whole run comes to: one value, from which every report and the exit code follow."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

import msgspec

from harness.model.article import Examined, Severity
from harness.model.base import Frozen, Precision, Verdict
from harness.model.case import runtime_of
from harness.model.observation import Mode
from harness.model.record import OF_A_STAGE, Cell, Check, Record

MISSING: Final = "required runtime missing: "
"""How a complaint about a runtime that ``--require`` names begins."""

NOT_COMPARED: Final = "required runtime not compared: "
"""How a complaint begins about a required runtime that is there, and of which nothing was compared."""

HARNESS_FAULT: Final = "a fault in the harness: "
"""How the reason of a cell, or a complaint, begins that is the harness's own fault."""

WORKER_FAULT: Final = "worker failed: "
"""How a complaint about a worker begins that failed while no cell waited for it."""

NOT_STARTED: Final = "not started: "
"""How the reason of an absent runtime begins that was not looked for, since its snapshots are replayed."""

REPLAYED: Final = "; replayed: "
"""What stands, in the reason of an absent runtime, before the snapshots that stand in for it."""

REFUSED: Final = "snapshot refused: "
"""How the reason of a cell begins whose snapshot is damaged, or of another source or input."""

PUBLISHED: Final = "published"
"""Implementations called ``published.r`` and the like are the articles' own code."""

JUDGED: Final = frozenset({Verdict.PASS, Verdict.FAIL, Verdict.XFAIL, Verdict.XPASS})
"""Verdicts that rest on a comparison."""

_BROKEN = frozenset({Verdict.ERROR, Verdict.TIMEOUT})
_OFF = frozenset({Verdict.FAIL, Verdict.XPASS})
_NOT_HERE = frozenset({Verdict.NOT_RUN, Verdict.UNSUPPORTED})
REQUIRED: Final = (MISSING, NOT_COMPARED)
"""How complaints begin about runtimes that ``--require`` names."""


Place = tuple[str, str, Precision]
"""A case, an implementation and a precision."""


class Outcome(StrEnum):
    """One word for a run."""

    AGREEMENT = "AGREEMENT"
    """Every output of every chosen implementation whose runtime is there was compared, chained, with
    something that is not itself, and none is off."""
    DIVERGENCE = "DIVERGENCE"
    """Something is off, or a known divergence no longer shows."""
    INCOMPLETE = "INCOMPLETE"
    """Nothing is off in what was compared, and not everything was: interrupted, a required runtime is
    missing, or an output was compared with nothing."""
    FAULT = "FAULT"
    """A worker crashed, hung or raised, or the harness itself failed: nothing follows from that cell."""


class RunOutcome(Frozen, frozen=True, kw_only=True):
    """The outcome of a run, what the process returns for it, and why.

    Attributes
    ----------
    outcome : Outcome
        The word.
    exit_code : int
        0 agreement, 1 divergence, 3 a required runtime is missing or was not compared, 4 fault, 5 incomplete,
        130 interrupted.
    reasons : tuple of str
        Why it is no agreement, one sentence each, the weightiest first; after them what was left out and may
        be: a runtime that is missing and not required, a precision that a runtime has not.
    """

    outcome: Outcome
    exit_code: int
    reasons: tuple[str, ...] = ()


def outcome_of(record: Record) -> RunOutcome:
    """Say what a run comes to.

    Parameters
    ----------
    record : Record
        A run, whole or not.

    Returns
    -------
    RunOutcome
        Where several hold, the first of: interrupted, a required runtime is missing or was not compared, a
        fault, a divergence, something was not compared.

    Notes
    -----
    An output was compared if a chained cell holds it against the truth, the reference or printed digits: in
    every sample, if not in every element. For
    the reference it is enough that another implementation was held against it. Its repetition, identities and
    isolated cells do not count. A snapshot that is refused or absent is no missing runtime, unless the
    runtime is missing and was never recorded. The articles' own code may be off or fail, and is never missed.
    In a record of documents alone, what is wrong in them is the divergence, and they are what was compared.
    """
    footer = record.footer
    complaints = footer.complaints if footer is not None else ()
    partial = ""
    if footer is None or footer.partial:
        partial = (footer.reason if footer is not None else "") or "it has no last line"
    required = [complaint for complaint in complaints if complaint.startswith(REQUIRED)]
    documents = (
        () if any(not is_published(cell.implementation) for cell in record.cells) else record.documents
    )
    faults = [
        *(complaint for complaint in complaints if complaint.startswith((HARNESS_FAULT, WORKER_FAULT))),
        *(
            f"{document.document} could not be run: {why}"
            for document in documents
            if (why := document.problem or document.failure)
        ),
        *_grouped((cell for cell in record.cells if cell.verdict in _BROKEN), *["gave no answer"] * 2),
    ]
    off_cells = [cell for cell in record.cells if cell.verdict in _OFF]
    off = [
        *(
            complaint
            for complaint in complaints
            if not complaint.startswith((*REQUIRED, HARNESS_FAULT, WORKER_FAULT))
        ),
        *_grouped((cell for cell in off_cells if has_numbers(cell)), "differs", "differ"),
        *_grouped((cell for cell in off_cells if not has_numbers(cell)), "is wrong", "are wrong"),
        *(
            f"{document.document} is wrong in line {line}"
            for document in documents
            for line in _wrong(document)
        ),
    ]
    missed, left_out = _not_compared(record)
    outcome, code = Outcome.AGREEMENT, 0
    if partial:
        outcome, code = Outcome.INCOMPLETE, 130
    elif required:
        outcome, code = Outcome.INCOMPLETE, 3
    elif faults:
        outcome, code = Outcome.FAULT, 4
    elif off:
        outcome, code = Outcome.DIVERGENCE, 1
    elif missed:
        outcome, code = Outcome.INCOMPLETE, 5
    ended = [f"the run did not end: {partial}"] if partial else []
    return RunOutcome(
        outcome=outcome, exit_code=code, reasons=(*ended, *required, *faults, *off, *missed, *left_out)
    )


def _not_compared(record: Record) -> tuple[list[str], list[str]]:
    """Sentences on outputs that were compared with nothing, and on what was left out and may be."""
    by_place: dict[Place, list[Cell]] = {}
    held_against: set[tuple[str, str, str, Precision]] = set()
    for cell in record.cells:
        if not is_published(cell.implementation):
            by_place.setdefault((cell.case, cell.implementation, cell.precision), []).append(cell)
        if cell.mode is Mode.CHAINED and cell.check is Check.REFERENCE and cell.verdict in JUDGED:
            held_against.add((cell.case, cell.stage, cell.against, cell.precision))
    outputs = {case.name: tuple(case.values) for case in record.header.cases}
    # With snapshots of a runtime, or without looking for it, it is no excuse that the runtime is missing.
    absent = {
        one.runtime
        for one in record.header.absent
        if not one.reason.startswith(NOT_STARTED) and REPLAYED not in one.reason
    }
    bare: list[Cell] = []
    left_out: list[str] = []
    compared = 0
    for (case, implementation, precision), cells in by_place.items():
        verdicts = {cell.verdict for cell in cells}
        runtime = runtime_of(implementation)
        if verdicts == {Verdict.UNSUPPORTED}:
            left_out.append(f"{implementation} was not run in {precision}: {cells[0].reason}")
            continue
        refused = any(cell.reason.startswith(REFUSED) for cell in cells)
        if runtime in absent and verdicts <= _NOT_HERE and not refused:
            left_out.append(f"{implementation} was not run: {cells[0].reason}")
            continue
        held: dict[str, list[Cell]] = {}
        for cell in cells:
            if cell.mode is Mode.CHAINED and cell.check is not Check.IDENTITY:
                held.setdefault(cell.stage, []).append(cell)
        named = outputs.get(case) or dict.fromkeys(cell.stage for cell in cells)
        for stage in named:
            of_stage = held.get(stage, [])
            if (case, stage, implementation, precision) in held_against or _outputs_were(of_stage):
                compared += 1
            elif not any(cell.verdict in _BROKEN for cell in of_stage):
                told = next((cell for cell in of_stage if cell.verdict not in JUDGED), cells[0])
                bare.append(_about(told, stage))
    without = [cell for cell in bare if not cell.reason]
    missed = [
        *_grouped(
            without, "was compared with nothing but itself", "were compared with nothing but themselves"
        ),
        *_grouped((cell for cell in bare if cell.reason), "was not compared", "were not compared"),
    ]
    theirs = any(is_published(cell.implementation) and cell.verdict in JUDGED for cell in record.cells)
    if not (compared or bare or (not by_place and (record.documents or theirs))):
        missed = ["nothing was compared"]
    return missed, list(dict.fromkeys(left_out))


def _outputs_were(cells: list[Cell]) -> bool:
    """Whether printed digits were there, or every comparison with truth or reference could be made."""
    if any(cell.check is Check.PUBLISHED and cell.verdict in JUDGED for cell in cells):
        return True
    of_a_stage = [cell for cell in cells if cell.check in OF_A_STAGE]
    judged = [cell for cell in of_a_stage if cell.verdict in JUDGED]
    samples = {one.sample for cell in judged for one in cell.by_sample if one.verdict in JUDGED}
    return bool(judged) and all(cell.verdict in JUDGED or _is_part(cell, samples) for cell in of_a_stage)


def _is_part(cell: Cell, samples: set[str]) -> bool:
    """Whether other elements were compared in every sample of a cell that was not judged."""
    theirs = {one.sample for one in cell.by_sample}
    return cell.verdict is Verdict.NOT_RUN and bool(theirs) and theirs <= samples


def _about(cell: Cell, stage: str) -> Cell:
    """A cell that names an output, with a reason only if the cell is of that output and was not judged."""
    reason = cell.reason if cell.stage == stage and cell.verdict not in JUDGED else ""
    return msgspec.structs.replace(cell, stage=stage, reason=reason)


def has_numbers(cell: Cell) -> bool:
    """Whether a cell that is off compared numbers: not so a shape, a dtype, or a missing function."""
    return cell.stats is not None or cell.check is Check.PUBLISHED or cell.verdict is Verdict.XPASS


def was_compared(cells: Iterable[Cell], case: str, runtime: str) -> bool:
    """Whether any output of a runtime's implementations in a case was held against what is not itself.

    A value that has the wrong shape was; the reference was, where another implementation was held against it.
    """
    return any(
        cell.case == case
        and cell.mode is Mode.CHAINED
        and cell.verdict in JUDGED
        and (
            (runtime_of(cell.implementation) == runtime and cell.check in BY_VALUE)
            or (cell.check is Check.REFERENCE and runtime_of(cell.against) == runtime)
        )
        for cell in cells
    )


BY_VALUE = OF_A_STAGE | {Check.PUBLISHED}
"""Checks that hold an implementation's own values against what is not itself."""


def _grouped(cells: Iterable[Cell], one_is: str, many_are: str) -> list[str]:
    """One sentence for all cells of an implementation that have one reason, which names the first of them."""
    groups: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        groups.setdefault((cell.implementation, cell.reason), []).append(cell)
    sentences = []
    for (implementation, reason), found in groups.items():
        places = dict.fromkeys(f"{cell.stage} of {cell.case} in {cell.precision}" for cell in found)
        first = next(iter(places))
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        what = many_are if more else one_is
        sentences.append(f"{implementation}: {first}{more} {what}" + (f": {reason}" if reason else ""))
    return sentences


def is_published(implementation: str) -> bool:
    """Whether it is an article's own code."""
    return runtime_of(implementation) == PUBLISHED


def _wrong(document: Examined) -> list[int]:
    return [finding.line for finding in document.findings if finding.severity is Severity.WRONG]
