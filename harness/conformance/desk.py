"""Where observations become lines of the record."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec

from harness.conformance.exhibits import exhibits
from harness.conformance.expect import expect_divergences, mark_inherited
from harness.conformance.gather import Finished, Unit
from harness.conformance.judge import (
    Subject,
    blank_cells,
    judge_against,
    judge_identities,
    judge_published,
    judge_truth,
)
from harness.conformance.pairs import judge_consensus, judge_pairs
from harness.conformance.plan import Plan
from harness.conformance.samples import sizes_of
from harness.conformance.sides import Sides
from harness.model import Cell, Check, Consensus, Exhibit, Mode, Observed, Pair, Precision, Truths
from harness.store.record_line import Result


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What the oracle said of one case in one precision."""

    chained: Truths
    isolated: Truths


NOTHING = Told(chained={}, isolated={})
"""Where no tolerance is derived, the oracle is not asked."""


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a run has come."""

    done: int
    total: int
    case: str
    implementation: str


class Desk:
    """Judges what comes in, in the order in which it comes in."""

    def __init__(self, plan: Plan, on_progress: Callable[[Progress], None]) -> None:
        self.on_progress = on_progress
        self.cells: list[Cell] = []
        self.pairs: list[Pair] = []
        self.consensus: list[Consensus] = []
        self.exhibits: list[Exhibit] = []
        self.sizes = {planned.case.name: sizes_of(planned.case, planned.fixture) for planned in plan.cases}
        self.chained: dict[Unit, dict[str, Observed]] = {}
        self.truths: dict[Unit, Truths] = {}
        self.waiting = {
            (planned.case.name, precision): len(planned.hosted)
            for planned in plan.cases
            for precision in planned.precisions
        }
        self.total = sum(self.waiting.values())
        self.done = 0
        self.busy_seconds = 0.0

    def judge(self, item: Finished, told: Told = NOTHING) -> list[Result]:
        """Judge one implementation; the last one of a case brings the comparison of every two with it."""
        begun = time.perf_counter()
        lines = self._judged(item, told)
        self.busy_seconds += time.perf_counter() - begun
        self.done += 1
        self.on_progress(
            Progress(
                done=self.done,
                total=self.total,
                case=item.planned.case.name,
                implementation=item.implementation.id,
            )
        )
        return lines

    def _judged(self, item: Finished, told: Told) -> list[Result]:
        unit = (item.planned.case.name, item.precision)
        lines: list[Result] = []
        if item.implementation in item.planned.implementations:
            cells = self._cells(item, told)
            self.cells += cells
            lines += cells
            if item.refusal is None:
                self.chained.setdefault(unit, {})[item.implementation.id] = item.chained
                self.truths[unit] = told.chained
                shown = list(exhibits(item))
                self.exhibits += shown
                lines += shown
        self.waiting[unit] -= 1
        if not self.waiting[unit]:
            order = [one.id for one in item.planned.implementations]
            observed = self.chained.pop(unit, {})
            ordered = {name: observed[name] for name in order if name in observed}
            truths = self.truths.pop(unit, {})
            pairs = judge_pairs(item.planned.case, item.precision, self.sizes[unit[0]], ordered, truths)
            self.pairs += pairs
            lines += pairs
            cells = [one for one in self.cells if (one.case, one.precision) == unit]
            consensus = judge_consensus(item.planned.case, item.precision, pairs, cells)
            self.consensus += consensus
            lines += consensus
        return lines

    def _cells(self, item: Finished, told: Told) -> list[Cell]:
        case = item.planned.case
        subject = Subject(
            case=case,
            implementation=item.implementation,
            precision=item.precision,
            sizes=self.sizes[case.name],
        )
        if item.refusal is not None:
            return blank_cells(subject, item.refusal.verdict, item.refusal.reason)
        if item.implementation.id == case.reference:
            cells = judge_against(subject, Mode.ISOLATED, Check.REPEAT, item.isolated, item.chained)
        else:
            cells = [
                *judge_against(subject, Mode.CHAINED, Check.REFERENCE, item.chained, item.reference),
                *judge_against(subject, Mode.ISOLATED, Check.REFERENCE, item.isolated, item.upstream),
            ]
        cells += judge_truth(subject, Mode.CHAINED, item.chained, told.chained)
        cells += judge_truth(subject, Mode.ISOLATED, item.isolated, told.isolated)
        cells += judge_identities(subject, item.chained, told.chained)
        if item.precision is Precision.FLOAT64:
            cells += judge_published(subject, item.chained, item.planned.fixture.name)
        sides = Sides(
            case=case,
            chained=item.chained,
            isolated=item.isolated,
            reference=item.reference,
            upstream=item.upstream,
            chained_truths=told.chained,
            isolated_truths=told.isolated,
        )
        return expect_divergences(item.implementation.id, mark_inherited(cells), sides)
