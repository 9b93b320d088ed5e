"""From observations to verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

import msgspec
import numpy as np

from harness.conformance.lookup import rule_of, value_of
from harness.conformance.samples import (
    Judged,
    Sizes,
    hold_samples,
    judge_printed,
    judge_samples,
)
from harness.model import (
    Array,
    Case,
    Cell,
    Check,
    Failure,
    Identity,
    Implementation,
    Mode,
    Observation,
    Observed,
    Precision,
    Source,
    Stage,
    Tolerance,
    Truth,
    Truths,
    Value,
    Verdict,
)

TRUTH = "truth"
"""What a cell of the oracle is held against."""


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """Whose cells are being judged."""

    case: Case
    implementation: Implementation
    precision: Precision
    sizes: Mapping[str, Sizes]

    def cell(
        self,
        stage: str,
        mode: Mode,
        check: Check,
        against: str,
        judged: Judged,
        source: Source,
        seconds: float = 0.0,
    ) -> Cell:
        """One line of the record."""
        return Cell(
            case=self.case.name,
            stage=stage,
            implementation=self.implementation.id,
            language=self.implementation.language,
            mode=mode,
            precision=self.precision,
            check=check,
            against=against,
            source=Source.NONE if judged.verdict is Verdict.NOT_RUN else source,
            verdict=judged.verdict,
            reason=judged.reason,
            stats=judged.stats,
            limit=judged.limit,
            worst=judged.worst,
            ulp_error=judged.ulp_error,
            ulp_of_stage=judged.ulp_of_stage,
            worst_sample=judged.worst_sample,
            samples=judged.samples,
            seconds=seconds,
            detail=judged.detail,
        )


def judge_against(
    subject: Subject, mode: Mode, check: Check, actual: Observed, expected: Observed
) -> list[Cell]:
    """Hold the values with a stated tolerance against the reference's.

    ``REPEAT`` holds all values, and demands the same bits.
    """
    samples = tuple(dict.fromkeys(sample for sample, _ in expected))
    cells = []
    for stage in subject.case.stages:
        seconds = sum(_seconds(actual.get((sample, stage.name))) for sample in samples)
        for value in stage.outputs:
            rule = Tolerance(rule="exact") if check is Check.REPEAT else rule_of(value)
            if rule.rule == "derived":
                continue
            judged = judge_samples(
                samples,
                lambda sample, stage=stage, value=value: value_of(actual, sample, stage, value),  # type: ignore[misc]
                lambda sample, stage=stage, value=value: value_of(expected, sample, stage, value),  # type: ignore[misc]
                value=value,
                rule=rule,
                precision=subject.precision,
                sizes=subject.sizes,
            )
            cells.append(
                subject.cell(
                    value.name, mode, check, subject.case.reference, judged, _source(actual, stage), seconds
                )
            )
    return cells


def judge_truth(subject: Subject, mode: Mode, actual: Observed, truths: Truths) -> list[Cell]:
    """Hold the values whose tolerance is derived against the truth."""
    samples = tuple(dict.fromkeys(sample for sample, _ in actual))
    cells = []
    for stage in subject.case.stages:
        seconds = sum(_seconds(actual.get((sample, stage.name))) for sample in samples)
        for value in stage.outputs:
            if rule_of(value).rule != "derived":
                continue
            judged = hold_samples(
                samples,
                lambda sample, stage=stage, value=value: value_of(actual, sample, stage, value),  # type: ignore[misc]
                lambda sample, value=value: truths[sample, value.name],  # type: ignore[misc]
                value=value,
                precision=subject.precision,
                sizes=subject.sizes,
            )
            told = (truths[sample, value.name] for sample in samples)
            drawn = dict.fromkeys(one.sample for one in told if isinstance(one, Truth) and one.sample)
            if drawn:
                note = f"true values of {', '.join(drawn)}; elsewhere the reference's"
                judged = msgspec.structs.replace(
                    judged, reason="; ".join(filter(None, [judged.reason, note]))
                )
            cells.append(
                subject.cell(value.name, mode, Check.ORACLE, TRUTH, judged, _source(actual, stage), seconds)
            )
    return cells


def judge_identities(subject: Subject, chained: Observed, truths: Truths) -> list[Cell]:
    """Hold the two sides of every identity against each other, in one implementation's own values.

    Where its limit is derived, both sides have the same true values, each within its own limit: they may
    differ by the sum of the two.
    """
    samples = tuple(dict.fromkeys(sample for sample, _ in chained))
    cells = []
    for identity in subject.case.identities:
        left, right = (_find(subject.case, name) for name in (identity.left, identity.right))
        derived = identity.tolerance.rule == "derived"

        def expected(
            sample: str,
            identity: Identity = identity,
            side: tuple[Stage, Value] = right,
            derived: bool = derived,
        ) -> Array | Truth | Failure:
            found = value_of(chained, sample, *side)
            if not derived:
                return found
            of_left, of_right = truths[sample, identity.left], truths[sample, identity.right]
            return _within_both(found, of_left, of_right, subject.precision)

        judged = judge_samples(
            samples,
            lambda sample, side=left: value_of(chained, sample, *side),  # type: ignore[misc]
            expected,
            value=left[1],
            rule=identity.tolerance,
            precision=subject.precision,
            sizes=subject.sizes,
        )
        # These are of true values, and the right side is none.
        judged = msgspec.structs.replace(judged, ulp_error=None, ulp_of_stage=None)
        if identity.meaning and judged.verdict is Verdict.FAIL:
            judged = msgspec.structs.replace(judged, reason=f"{identity.id}: {judged.reason}")
        cells.append(
            subject.cell(
                identity.left, Mode.CHAINED, Check.IDENTITY, identity.right, judged, _source(chained, left[0])
            )
        )
    return cells


def _within_both(
    found: Array | Failure, left: Truth | Failure, right: Truth | Failure, precision: Precision
) -> Truth | Failure:
    """An identity's right side as what is due of its left one, within the limits of both."""
    for one in (found, left, right):
        if isinstance(one, Failure):
            return one
    assert not isinstance(found, Failure)
    assert isinstance(left, Truth)
    assert isinstance(right, Truth)
    if not left.high.shape == right.high.shape == found.shape or found.dtype != precision.value:
        reason = f"it is {found.dtype} {found.shape} where {precision.value} {right.high.shape} is due"
        return Failure(verdict=Verdict.NOT_RUN, reason=reason)
    marks = [one.undecided for one in (left, right) if one.undecided is not None]
    return Truth(
        high=found.astype(np.float64),
        low=np.zeros(found.shape),
        limit=left.limit.astype(np.float64) + right.limit.astype(np.float64),
        worst=left.worst + right.worst,
        undecided=np.logical_or.reduce(marks) if marks else None,
        why="; ".join(dict.fromkeys(filter(None, (left.why, right.why)))),
    )


def judge_published(subject: Subject, chained: Observed, fixture: str) -> list[Cell]:
    """Hold an implementation's own values against the digits that others printed."""
    cells = []
    samples = {sample for sample, _ in chained}
    for published in subject.case.published:
        stage, value = _find(subject.case, published.stage)
        if not fnmatchcase(fixture, published.fixture):
            judged = Judged(
                verdict=Verdict.NOT_RUN, reason=f"printed for {published.fixture}, this is {fixture}"
            )
        elif published.sample not in samples:
            continue
        else:
            judged = judge_printed(value_of(chained, published.sample, stage, value), published)
        cells.append(
            subject.cell(
                value.name,
                Mode.CHAINED,
                Check.PUBLISHED,
                published.source,
                judged,
                _source(chained, stage),
            )
        )
    return cells


def blank_cells(subject: Subject, verdict: Verdict, reason: str) -> list[Cell]:
    """Cells for an implementation that did not run at all."""
    judged = Judged(verdict=verdict, reason=reason)
    reference = subject.case.reference
    is_reference = subject.implementation.id == reference
    places: list[tuple[str, Mode, Check, str]] = []
    for mode in (Mode.CHAINED, Mode.ISOLATED):
        for value in subject.case.values.values():
            if rule_of(value).rule == "derived":
                places.append((value.name, mode, Check.ORACLE, TRUTH))
            elif not is_reference:
                places.append((value.name, mode, Check.REFERENCE, reference))
    if is_reference:
        places += [(name, Mode.ISOLATED, Check.REPEAT, reference) for name in subject.case.values]
    return [
        subject.cell(name, mode, check, against, judged, Source.NONE) for name, mode, check, against in places
    ]


def _find(case: Case, name: str) -> tuple[Stage, Value]:
    return case.owner(name), case.values[name]


def _seconds(found: Observation | Failure | None) -> float:
    return found.seconds if isinstance(found, Observation) else 0.0


def _source(observed: Observed, stage: Stage) -> Source:
    sources = {
        found.source
        for (_, name), found in observed.items()
        if name == stage.name and isinstance(found, Observation)
    }
    return Source.REPLAYED if Source.REPLAYED in sources else Source.LIVE if sources else Source.NONE
