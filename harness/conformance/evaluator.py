"""Turns observations into lines of the record."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

import msgspec

from harness.conformance.coarse import judge_coarsely
from harness.conformance.exhibits import exhibits
from harness.conformance.expect import expect_divergences, mark_inherited
from harness.conformance.expected import ExpectedValues, expected_values, judge_expected
from harness.conformance.gather import FinishedUnit, Unit
from harness.conformance.hints import with_hints
from harness.conformance.identities import judge_identities
from harness.conformance.invalid import Invalid, fed_soundly, invalid_values, to_compare_with
from harness.conformance.judge import blank_cells, judge_against, judge_calls, judge_published, judge_truth
from harness.conformance.judged_view import judged_view, limited, view_of_pairs, with_notes
from harness.conformance.judgement import fault
from harness.conformance.judging_context import JudgingContext
from harness.conformance.observe import Job
from harness.conformance.own_inputs import OwnTruths, ReferenceClient, judge_on_own_inputs
from harness.conformance.pairs import judge_consensus, judge_pairs
from harness.conformance.plan import Plan, PlannedCase
from harness.conformance.samples import sizes_of
from harness.conformance.sides import Sides
from harness.conformance.strict import refuse_coarse, refuse_undecided
from harness.conformance.unjudged import leave_unjudged
from harness.conformance.where_off import with_lines
from harness.model import (
    Cell,
    Check,
    Consensus,
    Exhibit,
    Mode,
    Observed,
    Pair,
    Precision,
    Truths,
    Verdict,
)
from harness.model.outcome import NO_ANSWER
from harness.store.record_line import Result
from harness.store.record_pass import counts_of

T = TypeVar("T")

BROKEN = NO_ANSWER | {Verdict.FAIL}
"""Note on a reference that was not chosen."""


class OracleAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The oracle's true values of one case in one precision."""

    chained: Truths
    isolated: Truths


NOTHING = OracleAnswer(chained={}, isolated={})
"""The answer for a case without derived tolerances, of which the oracle is not asked."""


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of a run."""

    done: int
    total: int
    case: str
    implementation: str
    waiting: str = ""
    """What the run waits for, if nothing else is left to do."""
    precision: str = ""
    verdicts: dict[str, int] = {}
    """How many cells of the implementation have each verdict, once it is judged."""


class Evaluator:
    """Judges observations in the order in which they arrive.

    Parameters
    ----------
    plan : Plan
        What is run.
    on_progress : callable
        Called after every implementation of a case, and when it waits.
    reference_client : ReferenceClient, optional
        Calls the reference where a difference may follow from a known divergence; without it none is shown
        to.
    own_truths : callable, optional
        The oracle's true values of a stage on an implementation's own inputs, where its reference is called.
    strict : bool
        Whether what can be compared coarsely only fails.
    keep : bool
        Whether the lines of all cases are kept; else those of a case go when it is judged.
    """

    def __init__(
        self,
        plan: Plan,
        on_progress: Callable[[Progress], None],
        reference_client: ReferenceClient | None = None,
        own_truths: OwnTruths | None = None,
        *,
        strict: bool = False,
        keep: bool = True,
    ) -> None:
        self.on_progress = on_progress
        self.reference_client = reference_client
        self.own_truths = own_truths
        self.strict = strict
        self.keep = keep
        self.faults: list[str] = []
        self.cells: list[Cell] = []
        self.pairs: list[Pair] = []
        self.consensus: list[Consensus] = []
        self.exhibits: list[Exhibit] = []
        self._not_ieee = {name: spec.not_ieee for name, spec in plan.registry.specs.items()}
        self._of_unit: dict[Unit, list[Cell]] = {}
        self.sizes = {planned.case.name: sizes_of(planned.case, planned.fixture) for planned in plan.cases}
        self.chained: dict[Unit, dict[str, Observed]] = {}
        self.truths: dict[Unit, Truths] = {}
        self.invalid: dict[Unit, list[tuple[Observed, Invalid]]] = {}
        self.waiting = {
            (planned.case.name, precision): len(planned.hosted)
            for planned in plan.cases
            for precision in planned.precisions
        }
        self.total = sum(self.waiting.values())
        self.done = 0
        self.busy_seconds = 0.0

    def wait(self, item: FinishedUnit) -> None:
        """Say that an item's true values are not there yet."""
        self._say(item, f"waiting for the true values of {item.planned.case.name} in {item.precision}")

    def judge(self, item: FinishedUnit, answer: OracleAnswer = NOTHING) -> list[Result]:
        """Judge one implementation; the last one of a case brings the comparison of every two with it."""
        begun = time.perf_counter()
        lines = self._judged(item, answer)
        self.busy_seconds += time.perf_counter() - begun
        self.done += 1
        self._say(item, verdicts=counts_of(line for line in lines if isinstance(line, Cell)))
        return lines

    def _say(self, item: FinishedUnit, waiting: str = "", verdicts: Mapping[str, int] | None = None) -> None:
        self.on_progress(
            Progress(
                done=self.done,
                total=self.total,
                case=item.planned.case.name,
                implementation=item.implementation.id,
                waiting=waiting,
                precision=item.precision.value,
                verdicts=dict(verdicts or {}),
            )
        )

    def _judged(self, item: FinishedUnit, answer: OracleAnswer) -> list[Result]:
        unit = (item.planned.case.name, item.precision)
        lines: list[Result] = []
        if item.implementation in item.planned.implementations:
            cells = self._cells(item, answer)
            if item.refusal is None:
                self.chained.setdefault(unit, {})[item.implementation.id] = item.chained
                self.truths[unit] = answer.chained
                lines = [*self._guarded(lambda: list(exhibits(item)))]
        else:
            # The reference was not chosen, but its failure has to be reported.
            cells = [cell for cell in self._repeats(item) if cell.verdict in BROKEN]
        self._of_unit.setdefault(unit, []).extend(cells)
        lines += cells
        self.waiting[unit] -= 1
        if not self.waiting[unit]:
            self.invalid.pop(unit, None)
            lines += self._together(item.planned, unit)
        if self.keep:
            for line in lines:
                self._kept(line)
        return lines

    def _kept(self, line: Result) -> None:
        if isinstance(line, Cell):
            self.cells.append(line)
        elif isinstance(line, Pair):
            self.pairs.append(line)
        elif isinstance(line, Consensus):
            self.consensus.append(line)
        elif isinstance(line, Exhibit):
            self.exhibits.append(line)

    def _together(self, planned: PlannedCase, unit: Unit) -> list[Result]:
        """Compare every two implementations of a case, once all are observed."""
        case, precision, sizes = planned.case, unit[1], self.sizes[unit[0]]
        observed = self.chained.pop(unit, {})
        order = (implementation.id for implementation in planned.implementations)
        ordered = {name: observed[name] for name in order if name in observed}
        truths = self.truths.pop(unit, {})

        def compared() -> list[Pair]:
            view = view_of_pairs(case, precision, sizes, planned.fixture, ordered, truths)
            return judge_pairs(view[0], precision, sizes, view[1], view[2])

        pairs = self._guarded(compared)
        cells = self._of_unit.pop(unit, [])
        consensus = self._guarded(lambda: judge_consensus(case, precision, pairs, cells))
        return [*pairs, *consensus]

    def _guarded(self, make: Callable[[], list[T]]) -> list[T]:
        """Return lines other than cells; if making them raises, return none and note a fault of the run."""
        try:
            return make()
        except Exception as error:
            self.faults.append(fault(error).reason)
            return []

    def _repeats(self, item: FinishedUnit) -> list[Cell]:
        """Judge whether the reference returned the same values twice."""
        subject = self._subject(item)
        if not subject.is_reference:
            return []
        if item.refusal is not None:
            return blank_cells(subject, item.refusal)
        return [
            *judge_against(subject, Mode.ISOLATED, Check.REPEAT, item.isolated, item.chained),
            *judge_calls(subject, item.chained),
        ]

    def limited(self, item: FinishedUnit) -> JudgingContext:
        """The context of what was observed, with every limit as it is on these values."""
        return limited(self._subject(item), item.planned.fixture, item.chained, item.reference)

    def data(self, item: FinishedUnit) -> ExpectedValues:
        """The expected values that are given as data."""
        planned = item.planned
        job = Job(
            case=planned.case,
            fixture=planned.fixture,
            implementation=item.implementation,
            precision=item.precision,
        )
        return expected_values(planned.case, job, item.chained)

    def _subject(self, item: FinishedUnit) -> JudgingContext:
        return JudgingContext(
            case=item.planned.case,
            implementation=item.implementation,
            precision=item.precision,
            sizes=self.sizes[item.planned.case.name],
        )

    def _invalid(self, item: FinishedUnit, reference: Observed) -> Invalid:
        """Find what the reference gets wrong, once for all who are compared with the same values of it."""
        case = item.planned.case
        known = self.invalid.setdefault((case.name, item.precision), [])
        for observed, invalid in known:
            if observed is reference:
                return invalid
        invalid = invalid_values(case, reference, item.precision, self.sizes[case.name])
        known.append((reference, invalid))
        return invalid

    def _cells(self, item: FinishedUnit, answer: OracleAnswer) -> list[Cell]:
        case, subject, fixture = item.planned.case, self._subject(item), item.planned.fixture
        if item.refusal is not None:
            return blank_cells(subject, item.refusal)
        isolated, reference, upstream = item.isolated, item.reference, item.upstream
        if not subject.is_reference:
            invalid = self._invalid(item, upstream)
            isolated = fed_soundly(case, isolated, invalid)
            upstream = to_compare_with(upstream, invalid)
            reference = to_compare_with(reference, self._invalid(item, reference))
        subject = limited(subject, fixture, item.chained, reference)
        chained = judged_view(subject, item.chained, reference, answer.chained)
        alone = judged_view(
            limited(subject, fixture, item.chained, upstream), isolated, upstream, answer.isolated
        )
        both = ((Mode.CHAINED, chained), (Mode.ISOLATED, alone))
        cells = self._repeats(item)
        others = () if subject.is_reference else both
        for mode, view in others:
            cells += judge_against(view.subject, mode, Check.REFERENCE, view.actual, view.expected)
        for mode, view in both:
            cells += judge_truth(view.subject, mode, view.actual, view.truths, view.expected)
        for mode, view in others:
            cells += judge_coarsely(view.subject, mode, view.actual, view.expected, view.truths, fixture)
        cells += judge_identities(subject, item.chained, answer.chained)
        if item.precision is Precision.FLOAT64:
            cells += judge_published(subject, item.chained, fixture.name)
        data = self.data(item)
        cells += judge_expected(subject, item.chained, fixture, data)
        sides = Sides(
            case=chained.subject.case,
            chained=chained.actual,
            isolated=alone.actual,
            reference=chained.expected,
            upstream=alone.expected,
            chained_truths=chained.truths,
            isolated_truths=alone.truths,
            data=data,
        )
        marked = leave_unjudged(mark_inherited(cells), case)
        own_inputs = None
        if self.reference_client is not None:
            own_inputs = judge_on_own_inputs(
                self.reference_client, item.planned, subject, item.chained, self.own_truths
            )
        try:
            expected_cells = expect_divergences(item.implementation.id, marked, sides, own_inputs)
            expected_cells = with_hints(
                expected_cells, sides, fixture, self._not_ieee.get(item.implementation.runtime, "")
            )
            expected_cells = with_lines(expected_cells, item.planned, item.implementation)
        except Exception as error:
            # Without the reference nothing is explained: every difference stays as it is.
            self.faults.append(fault(error).reason)
            expected_cells = marked
        noted = with_notes(expected_cells, {mode: view.notes for mode, view in both})
        return refuse_undecided(refuse_coarse(noted)) if self.strict else noted
