"""Judges observations: against the reference, true values, published digits and earlier calls."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase

import msgspec

from harness.conformance.judgement import Judgement, in_every_sample
from harness.conformance.judging_context import JudgingContext, find_value, source_of, spent_on
from harness.conformance.lookup import is_decided, rule_of, truth_of, unknown_samples, value_of
from harness.conformance.samples import judge_against_truth, judge_printed, judge_samples, with_unknown
from harness.model import (
    Array,
    Basis,
    Cell,
    Check,
    ErrorStats,
    Failure,
    Mode,
    Observed,
    Published,
    Source,
    Stage,
    Tolerance,
    Truth,
    Truths,
    Value,
    Verdict,
)
from harness.model.outcome import NO_ANSWER
from harness.numerics import compare

TRUTH = "truth"
"""Stands in ``against`` for the true values."""

NOBODY: Observed = {}
"""The observations of a reference that was not run."""


def judge_against(
    subject: JudgingContext, mode: Mode, check: Check, actual: Observed, expected: Observed
) -> list[Cell]:
    """Compare the values with a stated tolerance with the reference's.

    ``REPEAT`` compares all values of the reference with those of its first run, and demands the same bits.
    Where it gave no answer before, that is what the cell says.
    """
    samples = tuple(dict.fromkeys(sample for sample, _ in expected))
    cells = []
    for stage in subject.case.stages:
        spent = spent_on(actual, samples, stage)
        for value in stage.outputs:
            rule = Tolerance(rule="exact") if check is Check.REPEAT else rule_of(value)
            if rule.rule == "derived":
                continue
            judged = judge_samples(
                samples,
                _values(actual, stage, value, first=expected if check is Check.REPEAT else None),
                _values(expected, stage, value),
                value=value,
                rule=rule,
                precision=subject.precision,
                sizes=subject.sizes,
            )
            cells.append(
                subject.cell(
                    value.name,
                    mode,
                    check,
                    subject.case.reference,
                    judged,
                    source_of(actual, samples, stage),
                    spent,
                    basis=None if check is Check.REPEAT else Basis(rule.at(judged.worst_sample).basis),
                )
            )
    return cells


def judge_truth(
    subject: JudgingContext, mode: Mode, actual: Observed, truths: Truths, expected: Observed = NOBODY
) -> list[Cell]:
    """Compare values with a derived tolerance with the true ones, in samples where these are known.

    ``expected`` are the reference's values: NaN and infinities of exact operands are expected where it has
    them, and an output of which nothing is decided has the figures of its distance from them.

    The reference has a cell in any case: samples where the true values are not known are NOT_RUN, since
    there is nothing else to compare it with. For all others see `coarse.judge_coarsely`.
    """
    samples = tuple(dict.fromkeys(sample for sample, _ in actual))
    cells = []
    for stage in subject.case.stages:
        spent = spent_on(actual, samples, stage)
        for value in stage.outputs:
            if rule_of(value).rule != "derived":
                continue
            due = {
                sample: _due(subject, actual, truths, expected, (sample, stage, value)) for sample in samples
            }
            values = _values(actual, stage, value)
            unknown = unknown_samples(
                (sample, truth)
                for sample, truth in due.items()
                # What the reference gave no answer for is a fault of its own.
                if not (subject.is_reference and isinstance(values(sample), Failure))
            )
            known = tuple(sample for sample in samples if sample not in unknown)
            if samples and not known and not subject.is_reference:
                continue
            judged = judge_against_truth(
                known or samples,
                values,
                due.__getitem__,
                value=value,
                precision=subject.precision,
                sizes=subject.sizes,
            )
            if subject.is_reference and known:
                judged = with_unknown(judged, samples, unknown)
            if judged.verdict is Verdict.NOT_RUN and 0 < judged.compared == judged.undecided:
                ours = value_of(actual, judged.worst_sample, stage, value)
                theirs = value_of(expected, judged.worst_sample, stage, value)
                judged = msgspec.structs.replace(judged, stats=_apart(ours, theirs))
            truths_of = (truth for truth in due.values() if isinstance(truth, Truth))
            drawn = dict.fromkeys(truth.sample for truth in truths_of if truth.sample)
            if drawn:
                note = f"true values of {', '.join(drawn)}; elsewhere the reference's"
                judged = msgspec.structs.replace(
                    judged, reason="; ".join(filter(None, [judged.reason, note]))
                )
            cells.append(
                subject.cell(
                    value.name,
                    mode,
                    Check.ORACLE,
                    TRUTH,
                    judged,
                    source_of(actual, samples, stage),
                    spent,
                    basis=Basis.DERIVED,
                )
            )
    return cells


def _due(
    subject: JudgingContext,
    actual: Observed,
    truths: Truths,
    expected: Observed,
    place: tuple[str, Stage, Value],
) -> Truth | Failure:
    """Return the expected output of a stage in one sample.

    For the reference, an element without a limit is undecided: there is nothing to compare it with.
    """
    sample, stage, value = place
    due = truth_of(
        truths,
        sample,
        value,
        value_of(expected, sample, stage, value),
        value_of(actual, sample, stage, value),
    )
    if isinstance(due, Failure) or is_decided(due) or not subject.is_reference:
        return due
    return msgspec.structs.replace(due, unlimited=None)


def _apart(ours: Array | Failure, theirs: Array | Failure) -> ErrorStats | None:
    """Return the distance from the reference's output, if it decides no verdict."""
    if isinstance(ours, Failure) or isinstance(theirs, Failure) or ours is theirs:
        return None
    alike = (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
    return compare(ours, theirs) if alike else None


def judge_published(subject: JudgingContext, chained: Observed, fixture: str) -> list[Cell]:
    """Compare an implementation's own values with published digits."""
    cells = []
    samples = {sample for sample, _ in chained}
    for published in subject.case.published:
        stage, value = find_value(subject.case, published.stage)
        if not fnmatchcase(fixture, published.fixture):
            judged = Judgement(
                verdict=Verdict.NOT_RUN, reason=f"printed for {published.fixture}, this is {fixture}"
            )
        elif published.sample not in samples:
            continue
        else:
            array = value_of(chained, published.sample, stage, value)
            judged = _of_sample(published, array)
        cells.append(
            subject.cell(
                value.name,
                Mode.CHAINED,
                Check.PUBLISHED,
                published.source,
                judged,
                source_of(chained, samples, stage),
            )
        )
    return cells


def _of_sample(published: Published, array: Array | Failure) -> Judgement:
    return in_every_sample([published.sample], lambda _: judge_printed(array, published))


def judge_calls(subject: JudgingContext, chained: Observed) -> list[Cell]:
    """Judge the reference's first calls: a failure is shown even if the second call works."""
    samples = tuple(dict.fromkeys(sample for sample, _ in chained))
    cells = []
    for stage in subject.case.stages:
        failures = {
            sample: Judgement(verdict=failure.verdict, reason=failure.reason, detail=failure.detail)
            for sample in samples
            if isinstance(failure := chained.get((sample, stage.name)), Failure)
            and failure.verdict in NO_ANSWER
        }
        if failures:
            judged = in_every_sample(failures, failures.__getitem__)
            source, reference = source_of(chained, samples, stage), subject.case.reference
            cells += [
                subject.cell(value.name, Mode.CHAINED, Check.REPEAT, reference, judged, source)
                for value in stage.outputs
            ]
    return cells


def blank_cells(subject: JudgingContext, failure: Failure) -> list[Cell]:
    """Return the cells of an implementation that did not run at all."""
    judged = Judgement(verdict=failure.verdict, reason=failure.reason, detail=failure.detail)
    reference = subject.case.reference
    places: list[tuple[str, Mode, Check, str]] = []
    for mode in (Mode.CHAINED, Mode.ISOLATED):
        for value in subject.case.values.values():
            if rule_of(value).rule == "derived":
                places.append((value.name, mode, Check.ORACLE, TRUTH))
            elif not subject.is_reference:
                places.append((value.name, mode, Check.REFERENCE, reference))
    if subject.is_reference:
        modes = (Mode.ISOLATED, Mode.CHAINED) if failure.verdict in NO_ANSWER else (Mode.ISOLATED,)
        places += [(name, mode, Check.REPEAT, reference) for mode in modes for name in subject.case.values]
    return [
        subject.cell(name, mode, check, against, judged, Source.NONE) for name, mode, check, against in places
    ]


def _values(
    observed: Observed, stage: Stage, value: Value, first: Observed | None = None
) -> Callable[[str], Array | Failure]:
    """Return the value of one output by sample; for a ``first`` run, see `_answer`."""

    def in_sample(sample: str) -> Array | Failure:
        before = None if first is None else value_of(first, sample, stage, value)
        return _answer(value_of(observed, sample, stage, value), before)

    return in_sample


def _answer(again: Array | Failure, first: Array | Failure | None) -> Array | Failure:
    """Return the value of the second run, or the failure of the first one."""
    if isinstance(first, Failure) and not isinstance(again, Failure):
        return msgspec.structs.replace(first, reason=f"the first time: {first.reason}")
    return again
