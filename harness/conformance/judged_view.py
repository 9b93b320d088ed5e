"""The case and the values that the judge is given for one implementation in one mode."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from harness.conformance.elements import Sizes
from harness.conformance.faced import equivalences, faced, faced_pairs
from harness.conformance.judged_part import Horizons, has_horizon, looked_up, unmeasured, with_limits
from harness.conformance.judging_context import JudgingContext
from harness.model import OF_A_STAGE, Case, Cell, Check, Fixture, Mode, Observed, Precision, Truths
from harness.model.outcome import JUDGED


class JudgedView(msgspec.Struct, frozen=True, kw_only=True):
    """What is judged of an implementation in one mode, and what it is compared with.

    ``notes`` say of outputs what they are compared up to, and what is not judged of them.
    """

    subject: JudgingContext
    actual: Observed
    expected: Observed
    truths: Truths
    notes: Mapping[str, str] = {}


def limited(
    subject: JudgingContext, fixture: Fixture, actual: Observed, expected: Observed
) -> JudgingContext:
    """Return the context with limits that are relative to other values as absolute ones."""
    samples = fixture.samples
    theirs, ours = (looked_up(subject.case, fixture, observed) for observed in (expected, actual))
    case = with_limits(subject.case, samples, theirs, ours)
    return subject if case is subject.case else msgspec.structs.replace(subject, case=case)


def judged_view(subject: JudgingContext, actual: Observed, expected: Observed, truths: Truths) -> JudgedView:
    """Leave out what the case says is not judged, and choose among what is equivalent.

    Parameters
    ----------
    subject : JudgingContext
        The implementation; limits are those of `limited`.
    actual, expected : mapping
        What it returned, and the reference.
    truths : mapping
        The true values.
    """
    expected, truths = faced(subject.case, actual, unmeasured(subject.case, expected), truths)
    free = {name: f"up to {what}" for name, what in equivalences(subject.case).items()}
    if not any(has_horizon(value.tolerance) for value in subject.case.values.values()):
        return JudgedView(subject=subject, actual=actual, expected=expected, truths=truths, notes=free)
    horizons = Horizons(subject.case, subject.precision, subject.sizes)
    notes = {name: horizons.note(name, actual, expected) for name in horizons.outputs}
    return JudgedView(
        subject=msgspec.structs.replace(subject, case=horizons.judged_case()),
        actual=horizons.held_to(actual, expected),
        expected=horizons.within(expected),
        truths=horizons.truths(truths),
        notes={name: note for name in {**free, **notes} if (note := _both(free, notes, name))},
    )


def _both(free: Mapping[str, str], notes: Mapping[str, str], name: str) -> str:
    return "; ".join(filter(None, [free.get(name), notes.get(name)]))


def view_of_pairs(
    case: Case,
    precision: Precision,
    sizes: Mapping[str, Sizes],
    fixture: Fixture,
    chained: Mapping[str, Observed],
    truths: Truths,
) -> tuple[Case, Mapping[str, Observed], Truths]:
    """Return the case and the values of which every two implementations are compared."""
    reference = chained.get(case.reference, {})
    theirs = looked_up(case, fixture, reference)
    case = with_limits(case, fixture.samples, theirs, theirs)
    chained = {name: unmeasured(case, observed) for name, observed in chained.items()}
    chained = faced_pairs(case, chained, truths)
    horizons = Horizons(case, precision, sizes)
    if not horizons.outputs:
        return case, chained, truths
    cut = {
        name: horizons.held_to(observed, reference) if name != case.reference else horizons.within(observed)
        for name, observed in chained.items()
    }
    return horizons.judged_case(), cut, horizons.truths(truths)


def with_notes(cells: list[Cell], notes: Mapping[Mode, Mapping[str, str]]) -> list[Cell]:
    """Say in the cells of a stage what was not judged of it."""
    if not any(notes.values()):
        return cells
    return [
        msgspec.structs.replace(
            cell, reason="; ".join(filter(None, [cell.reason, notes[cell.mode][cell.stage]]))
        )
        if cell.check in OF_A_STAGE | {Check.EXPECTED}
        and cell.verdict in JUDGED
        and cell.stage in notes.get(cell.mode, {})
        else cell
        for cell in cells
    ]
