"""The part of a record that a test is about: one case, some implementations, one sample."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from harness.model import Cell, Check, Record, Verdict
from harness.model.outcome import MISSING, is_published
from harness.report.view import FAILING


def of_case(record: Record, case: str, implementations: Collection[str]) -> Record:
    """The record of one case and some implementations, as if nothing else had been run.

    What others were compared with one of them, and agree, stays: it is how a reference was compared. That a
    required runtime is missing is left to the caller, who knows which one a test needs.
    """

    def belongs(cell: Cell) -> bool:
        if cell.case != case or is_published(cell.implementation):
            return False
        compared = cell.check is Check.REFERENCE and cell.verdict is Verdict.PASS
        return cell.implementation in implementations or (compared and cell.against in implementations)

    footer = record.footer
    if footer is not None:
        complaints = tuple(complaint for complaint in footer.complaints if not complaint.startswith(MISSING))
        footer = msgspec.structs.replace(footer, complaints=complaints)
    cases = tuple(c for c in record.header.cases if c.name == case)
    return msgspec.structs.replace(
        record,
        header=msgspec.structs.replace(record.header, cases=cases),
        cells=tuple(filter(belongs, record.cells)),
        footer=footer,
        documents=(),
    )


def of_sample(cell: Cell, sample: str) -> Cell | None:
    """A cell as it is in one sample; None where the cell does not cover that sample.

    A cell without verdicts by sample is the same in all of them.
    """
    if not cell.by_sample:
        return cell
    verdict = next(
        (sample_verdict for sample_verdict in cell.by_sample if sample_verdict.sample == sample), None
    )
    if verdict is None:
        return None
    return msgspec.structs.replace(
        cell,
        verdict=verdict.verdict,
        reason=verdict.reason or (cell.reason if verdict.verdict is cell.verdict else ""),
        stats=cell.stats if sample == cell.worst_sample or len(cell.by_sample) == 1 else None,
        undecided=verdict.undecided,
        worst_sample=sample,
    )


def fails_in_a_sample(cells: Iterable[Cell]) -> bool:
    """Whether anything fails in a sample, so that the test of its stage says it."""
    return any(
        verdict in FAILING
        for cell in cells
        for verdict in ([of_sample.verdict for of_sample in cell.by_sample] or [cell.verdict])
    )
