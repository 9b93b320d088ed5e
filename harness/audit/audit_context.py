"""The context of an audit: the observations of one case, and the judge of a run, applied to one stage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
import numpy as np

from harness.conformance.coarse import judge_coarsely
from harness.conformance.elements import Sizes
from harness.conformance.evaluator import OracleAnswer
from harness.conformance.gather import FinishedUnit
from harness.conformance.judge import judge_against, judge_truth
from harness.conformance.judged_part import looked_up, with_limits
from harness.conformance.judged_view import JudgedView, judged_view
from harness.conformance.judging_context import JudgingContext
from harness.conformance.lookup import rule_of, value_of
from harness.conformance.plan import PlannedCase
from harness.conformance.samples import sizes_of
from harness.model import (
    Array,
    Case,
    Cell,
    Check,
    Failure,
    Implementation,
    Mode,
    Observation,
    Observed,
    Precision,
    Stage,
    Truth,
    Value,
    Verdict,
)
from harness.numerics import tolerance

DEAD = frozenset({Verdict.FAIL, Verdict.ERROR, Verdict.TIMEOUT})
"""Verdicts that find a fault; NOT_RUN does not."""


class AuditContext(msgspec.Struct, frozen=True, kw_only=True):
    """One case in one precision with sound observations of every implementation, by its id.

    ``upstream`` has the inputs of the isolated stages; ``answer`` is the oracle's.
    """

    planned: PlannedCase
    precision: Precision
    items: Mapping[str, FinishedUnit]
    upstream: Observed
    answer: OracleAnswer
    sizes: Mapping[str, Sizes]

    @property
    def case(self) -> Case:
        """The case."""
        return self.planned.case

    @property
    def reference(self) -> str:
        """The reference's id."""
        return self.planned.reference.id

    def subject(self, implementation: Implementation, stages: tuple[Stage, ...]) -> JudgingContext:
        """Some stages of an implementation, for the judge, without identities and printed digits."""
        case = msgspec.structs.replace(
            self.case, stages=stages, identities=(), published=(), known_divergences=()
        )
        return JudgingContext(
            case=case, implementation=implementation, precision=self.precision, sizes=self.sizes
        )

    def judge(
        self, implementation: Implementation, isolated: Observed, stages: tuple[Stage, ...]
    ) -> list[Cell]:
        """Return a run's cells of an implementation's isolated stages, in the samples that are given."""
        expected = {key: self.upstream[key] for key in isolated}
        view = self._view(implementation, stages, isolated, expected)
        return [
            *judge_against(view.subject, Mode.ISOLATED, Check.REFERENCE, view.actual, view.expected),
            *self._judge_coarsely(view),
            *judge_truth(view.subject, Mode.ISOLATED, view.actual, view.truths, view.expected),
        ]

    def _view(
        self, implementation: Implementation, stages: tuple[Stage, ...], actual: Observed, expected: Observed
    ) -> JudgedView:
        return judged_view(self.subject(implementation, stages), actual, expected, self.answer.isolated)

    def _judge_coarsely(self, view: JudgedView) -> list[Cell]:
        fixture = self.planned.fixture
        return judge_coarsely(view.subject, Mode.ISOLATED, view.actual, view.expected, view.truths, fixture)

    def judge_reference(self, changed: Observed, stages: tuple[Stage, ...]) -> list[Cell]:
        """Return a run's cells if the reference returned this: against the true values and all others.

        Repeated runs of it would agree, which proves no more than its shapes.
        """
        reference = self.subject(self.planned.reference, stages)
        view = self._view(self.planned.reference, stages, changed, {})
        cells = judge_truth(view.subject, Mode.ISOLATED, view.actual, view.truths)
        cells += judge_against(reference, Mode.ISOLATED, Check.REPEAT, changed, changed)
        for name, item in self.items.items():
            if name != self.reference and item.refusal is None:
                theirs = {key: item.isolated[key] for key in changed}
                view = self._view(item.implementation, stages, theirs, changed)
                cells += judge_against(
                    view.subject, Mode.ISOLATED, Check.REFERENCE, view.actual, view.expected
                )
                cells += self._judge_coarsely(view)
        return cells

    def with_fault(
        self, item: FinishedUnit, stage: Stage, value: Value, sample: str, array: Array
    ) -> list[Cell]:
        """Return a run's cells if one value of one sample were this array.

        With the first sample, the last one is judged too, unchanged: the worst of both must count.
        """
        narrow = msgspec.structs.replace(stage, outputs=(value,))
        samples = list(self.planned.fixture.samples)
        judged = {sample, samples[-1]} if sample == samples[0] else {sample}
        faulty = Observation(outputs={value.name: array}, seconds=0.0)
        observed = {(at, stage.name): item.isolated[at, stage.name] for at in sorted(judged)}
        observed[sample, stage.name] = faulty
        if item.implementation.id == self.reference:
            return self.judge_reference(observed, (narrow,))
        return self.judge(item.implementation, observed, (narrow,))


def make_context(
    planned: PlannedCase,
    precision: Precision,
    items: Mapping[str, FinishedUnit],
    upstream: Observed,
    answer: OracleAnswer,
) -> AuditContext:
    """Make the context of a case; its limits are those on what the stages were given."""
    theirs = looked_up(planned.case, planned.fixture, upstream)
    case = with_limits(planned.case, planned.fixture.samples, theirs, theirs)
    planned = msgspec.structs.replace(planned, case=case)
    return AuditContext(
        planned=planned,
        precision=precision,
        items=items,
        upstream=upstream,
        answer=answer,
        sizes=sizes_of(planned.case, planned.fixture),
    )


def killer(cells: Iterable[Cell]) -> Cell | None:
    """Return the first cell that finds a fault."""
    return next((cell for cell in cells if cell.verdict in DEAD), None)


def undecided(cells: Iterable[Cell]) -> str:
    """Say why nothing was judged; empty if something was."""
    reasons = [cell.reason for cell in cells if cell.verdict not in DEAD | {Verdict.PASS}]
    return "; ".join(dict.fromkeys(reasons))


def limit_of(context: AuditContext, sample: str, stage: Stage, value: Value) -> float | Array | None:
    """The largest error that each element may have, NaN where undecided; None where that is not known."""
    rule = rule_of(value).at(sample)
    if rule.rule == "derived":
        truth = context.answer.isolated.get((sample, value.name))
        if not isinstance(truth, Truth):
            return None
        return truth.limit if truth.undecided is None else np.where(truth.undecided, np.nan, truth.limit)
    expected = value_of(context.upstream, sample, stage, value)
    return None if isinstance(expected, Failure) else tolerance.limit(rule, expected, context.precision)
