"""The outcome of a whole run: one value that decides the exit code and what every report says first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

import msgspec

from harness.model.article import Examined, Severity
from harness.model.base import Frozen, Precision, Verdict
from harness.model.case import runtime_of
from harness.model.observation import Mode
from harness.model.once import once
from harness.model.record import OF_A_STAGE, Cell, Check, Record

MISSING: Final = "required runtime missing: "
"""Beginning of a complaint about a runtime that ``--require`` names and that is missing."""

NOT_COMPARED: Final = "required runtime not compared: "
"""Beginning of a complaint about a required runtime that is there, but of which nothing was compared."""

HARNESS_FAULT: Final = "a fault in the harness: "
"""Beginning of a cell's reason, or of a complaint, where the harness itself failed."""

WORKER_FAULT: Final = "worker failed: "
"""Beginning of a complaint about a worker that failed while no cell waited for it."""

NOT_STARTED: Final = "not started: "
"""Beginning of an absent runtime's reason where it was not looked for, because its snapshots are replayed."""

REPLAYED: Final = "; replayed: "
"""In an absent runtime's reason, the text before the list of snapshots that were replayed."""

NOTHING_DUE: Final = "nothing to compare with: "
"""Beginning of a cell's reason where the value that is due is not known."""

REFUSED: Final = "snapshot refused: "
"""Beginning of a cell's reason where its snapshot is damaged, or belongs to another source or input."""

PUBLISHED: Final = "published"
"""Implementations called ``published.r`` and the like are the articles' own code."""

JUDGED: Final = frozenset({Verdict.PASS, Verdict.FAIL, Verdict.XFAIL, Verdict.XPASS})
"""Verdicts that rest on a comparison."""

NO_ANSWER: Final = frozenset({Verdict.ERROR, Verdict.TIMEOUT})
"""Verdicts of an implementation that raised, crashed or hung."""

_NOT_HERE = frozenset({Verdict.NOT_RUN, Verdict.UNSUPPORTED})
REQUIRED: Final = (MISSING, NOT_COMPARED)
"""Beginnings of complaints about runtimes that ``--require`` names."""


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


@once
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
    An output was compared if a chained cell compares it with the truth, the reference or printed digits, in
    every sample, though not necessarily in every element. For the reference it is enough that another
    implementation was compared with it. Its repetition, identities and isolated cells do not count. A
    snapshot that is refused or absent is not a missing runtime, unless the runtime is missing and was never
    recorded. The articles' own code may be off or fail, and is never missed. If a record has documents alone,
    the documents are what was compared, and an error in one is the divergence.
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
        *_grouped((cell for cell in record.cells if cell.verdict in NO_ANSWER), *["gave no answer"] * 2),
    ]
    fails = [cell for cell in record.cells if cell.verdict is Verdict.FAIL]
    off = [
        *(
            complaint
            for complaint in complaints
            if not complaint.startswith((*REQUIRED, HARNESS_FAULT, WORKER_FAULT))
        ),
        *_grouped((cell for cell in fails if has_numbers(cell)), "differs", "differ"),
        *_grouped((cell for cell in fails if not has_numbers(cell)), "is wrong", "are wrong"),
        *_grouped(
            (cell for cell in record.cells if cell.verdict is Verdict.XPASS), "agrees now", "agree now"
        ),
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
    """Sentences on outputs that were compared with nothing, and on what may be left out and was."""
    by_place: dict[Place, list[Cell]] = {}
    compared_with: set[tuple[str, str, str, Precision]] = set()
    for cell in record.cells:
        if not is_published(cell.implementation):
            by_place.setdefault((cell.case, cell.implementation, cell.precision), []).append(cell)
        if cell.mode is Mode.CHAINED and cell.check is Check.REFERENCE and cell.verdict in JUDGED:
            compared_with.add((cell.case, cell.stage, cell.against, cell.precision))
    outputs = {case.name: tuple(case.values) for case in record.header.cases}
    # With snapshots of a runtime, or without looking for it, it is no excuse that the runtime is missing.
    absent = {
        entry.runtime
        for entry in record.header.absent
        if not entry.reason.startswith(NOT_STARTED) and REPLAYED not in entry.reason
    }
    in_none = _in_no_precision(record, by_place)
    bare: list[Cell] = []
    left_out: list[str] = []
    compared = 0
    for (case, implementation, precision), cells in by_place.items():
        verdicts = {cell.verdict for cell in cells}
        runtime = runtime_of(implementation)
        if (case, implementation) in in_none:
            continue
        if verdicts == {Verdict.UNSUPPORTED}:
            left_out.append(f"{implementation} was not run in {precision}: {cells[0].reason}")
            continue
        refused = any(cell.reason.startswith(REFUSED) for cell in cells)
        if runtime in absent and verdicts <= _NOT_HERE and not refused:
            left_out.append(f"{implementation} was not run: {cells[0].reason}")
            continue
        by_stage: dict[str, list[Cell]] = {}
        for cell in cells:
            if cell.mode is Mode.CHAINED and cell.check is not Check.IDENTITY:
                by_stage.setdefault(cell.stage, []).append(cell)
        named = outputs.get(case) or dict.fromkeys(cell.stage for cell in cells)
        for stage in named:
            of_stage = by_stage.get(stage, [])
            if (case, stage, implementation, precision) in compared_with or _outputs_were(of_stage):
                compared += 1
            elif not any(cell.verdict in NO_ANSWER for cell in of_stage):
                lacking = (cell for cell in of_stage if cell.verdict not in JUDGED or _skipped(cell))
                shown = next(lacking, cells[0])
                bare.append(_about(shown, stage))
    without = [cell for cell in bare if not cell.reason]
    missed = [
        *_grouped(
            without, "was compared with nothing but itself", "were compared with nothing but themselves"
        ),
        *_grouped((cell for cell in bare if cell.reason), "was not compared", "were not compared"),
        *in_none.values(),
    ]
    theirs = any(is_published(cell.implementation) and cell.verdict in JUDGED for cell in record.cells)
    if not (compared or bare or in_none or (not by_place and (record.documents or theirs))):
        missed = ["nothing was compared"]
    return missed, list(dict.fromkeys(left_out))


def _in_no_precision(record: Record, by_place: Mapping[Place, Sequence[Cell]]) -> dict[tuple[str, str], str]:
    """Sentences on files that have none of their case's precisions, which their runtime has."""
    sentences: dict[tuple[str, str], str] = {}
    for case in record.header.cases:
        for implementation in dict.fromkeys(name for of, name, _ in by_place if of == case.name):
            of_all = [by_place.get((case.name, implementation, each), ()) for each in case.precisions]
            if of_all and all(cells and all(map(of_the_file, cells)) for cells in of_all):
                asked = " and ".join(case.precisions)
                sentences[case.name, implementation] = (
                    f"{implementation}: nothing of {case.name} was compared: {of_all[0][0].reason}: write or"
                    f" export it in {asked}, or name its own precision under precisions in case.toml"
                )
    return sentences


def of_the_file(cell: Cell) -> bool:
    """Whether a cell's file has not its precision, though the runtime has."""
    lacks = f"has no {cell.precision}"
    runtimes = f"{runtime_of(cell.implementation)} {lacks}"
    return cell.verdict is Verdict.UNSUPPORTED and cell.reason.endswith(lacks) and cell.reason != runtimes


def _outputs_were(cells: list[Cell]) -> bool:
    """Whether the cells compare an output with printed digits, or in every sample with truth or reference."""
    if any(cell.check in BY_DATA and cell.verdict in JUDGED for cell in cells):
        return True
    of_a_stage = [cell for cell in cells if cell.check in OF_A_STAGE]
    judged = [cell for cell in of_a_stage if cell.verdict in JUDGED]
    samples = {part.sample for cell in judged for part in cell.by_sample if part.verdict in JUDGED}
    return bool(judged) and all(
        _skipped(cell) <= samples if cell.verdict in JUDGED else _is_part(cell, samples)
        for cell in of_a_stage
    )


def _skipped(cell: Cell) -> set[str]:
    """The samples of a cell that were compared with nothing, without a fault of their own."""
    return {p.sample for p in cell.by_sample if p.verdict is Verdict.NOT_RUN and not p.undecided}


def _is_part(cell: Cell, samples: set[str]) -> bool:
    """Whether a cell was not judged, but other cells compared elements in all of its samples."""
    theirs = {part.sample for part in cell.by_sample}
    return cell.verdict is Verdict.NOT_RUN and bool(theirs) and theirs <= samples


def _about(cell: Cell, stage: str) -> Cell:
    """A cell that names an output, with a reason only if the cell is of that output and lacks a judgement."""
    lacks = cell.verdict not in JUDGED or bool(_skipped(cell))
    reason = cell.reason if cell.stage == stage and lacks else ""
    return msgspec.structs.replace(cell, stage=stage, reason=reason)


def has_numbers(cell: Cell) -> bool:
    """Whether a cell that is off compared numbers, and not a shape, a dtype, or a missing function."""
    digits = cell.check is Check.PUBLISHED or (cell.check is Check.EXPECTED and cell.basis is None)
    return cell.stats is not None or digits


BY_DATA = frozenset({Check.PUBLISHED, Check.EXPECTED})
"""Checks that compare an implementation's values with what others computed or printed."""

BY_VALUE = OF_A_STAGE | BY_DATA
"""Checks that compare an implementation's values with something other than itself."""


def _grouped(cells: Iterable[Cell], singular: str, plural: str) -> list[str]:
    """One sentence for all cells of an implementation with the same reason; it names the first of them."""
    groups: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        groups.setdefault((cell.implementation, cell.reason), []).append(cell)
    sentences = []
    for (implementation, reason), group in groups.items():
        places = dict.fromkeys(f"{cell.stage} of {cell.case} in {cell.precision}" for cell in group)
        first = next(iter(places))
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        what = plural if more else singular
        sentences.append(f"{implementation}: {first}{more} {what}" + (f": {reason}" if reason else ""))
    return sentences


def is_published(implementation: str) -> bool:
    """Whether it is an article's own code."""
    return runtime_of(implementation) == PUBLISHED


def _wrong(document: Examined) -> list[int]:
    return [finding.line for finding in document.findings if finding.severity is Severity.WRONG]
