"""From observations to verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TypedDict

import msgspec
import numpy as np

from harness.conformance.samples import (
    Judged,
    Limits,
    Sizes,
    agreement,
    hold_samples,
    judge_printed,
    judge_samples,
)
from harness.model import (
    Array,
    Case,
    Cell,
    Check,
    Consensus,
    Failure,
    Implementation,
    Mode,
    Observation,
    Pair,
    Precision,
    Source,
    Stage,
    Tolerance,
    Truth,
    Value,
    Verdict,
)
from harness.numerics.consensus import clusters

Observed = Mapping[tuple[str, str], Observation | Failure]

Truths = Mapping[tuple[str, str], Truth | Failure]
"""What the oracle said, by (sample, output)."""

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
                lambda sample, stage=stage, value=value: _get(actual, sample, stage, value),  # type: ignore[misc]
                lambda sample, stage=stage, value=value: _get(expected, sample, stage, value),  # type: ignore[misc]
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
                lambda sample, stage=stage, value=value: _get(actual, sample, stage, value),  # type: ignore[misc]
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


def judge_identities(subject: Subject, chained: Observed) -> list[Cell]:
    """Hold the two sides of every identity against each other, in one implementation's own values."""
    samples = tuple(dict.fromkeys(sample for sample, _ in chained))
    cells = []
    for identity in subject.case.identities:
        left, right = (_find(subject.case, name) for name in (identity.left, identity.right))
        judged = judge_samples(
            samples,
            lambda sample, side=left: _get(chained, sample, *side),  # type: ignore[misc]
            lambda sample, side=right: _get(chained, sample, *side),  # type: ignore[misc]
            value=left[1],
            rule=identity.tolerance,
            precision=subject.precision,
            sizes=subject.sizes,
        )
        if identity.meaning and judged.verdict is Verdict.FAIL:
            judged = msgspec.structs.replace(judged, reason=f"{identity.id}: {judged.reason}")
        cells.append(
            subject.cell(
                identity.left, Mode.CHAINED, Check.IDENTITY, identity.right, judged, _source(chained, left[0])
            )
        )
    return cells


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
            judged = judge_printed(_get(chained, published.sample, stage, value), published)
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


class Compared(TypedDict):
    """What two values are compared by."""

    value: Value
    rule: Tolerance | Limits
    precision: Precision
    sizes: Mapping[str, Sizes]


def judge_pairs(
    case: Case,
    precision: Precision,
    sizes: Mapping[str, Sizes],
    chained: Mapping[str, Observed],
    truths: Truths,
) -> list[Pair]:
    """Compare every two implementations' own outputs of every stage, by the stage's tolerance.

    Where that is derived, two may be twice the limit apart, one on each side of the truth; where the limit
    is not known, they are not compared.
    """
    names = list(chained)
    pairs = []
    samples = tuple(dict.fromkeys(sample for one in chained.values() for sample, _ in one))
    rules = {name: _rule_of_pair(value, samples, truths) for name, value in case.values.items()}
    for place, left in enumerate(names):
        for right in names[place + 1 :]:
            for stage in case.stages:
                for value in stage.outputs:
                    rule = rules[value.name]
                    if rule is None:
                        continue
                    sides = [
                        lambda sample, s=stage, v=value, of=chained[name]: _get(of, sample, s, v)
                        for name in (left, right)
                    ]
                    given: Compared = {"value": value, "rule": rule, "precision": precision, "sizes": sizes}
                    stats, reason = agreement(samples, *sides, **given), ""
                    agree = stats is not None
                    if stats is None:
                        judged = judge_samples(samples, *sides, **given)
                        stats, reason, agree = judged.stats, judged.reason, judged.verdict is Verdict.PASS
                    pairs.append(
                        Pair(
                            case=case.name,
                            stage=value.name,
                            precision=precision,
                            left=left,
                            right=right,
                            agree=agree,
                            stats=stats,
                            reason=reason,
                        )
                    )
    return pairs


def judge_consensus(
    case: Case, precision: Precision, pairs: Sequence[Pair], cells: Sequence[Cell]
) -> list[Consensus]:
    """Say who agrees with whom on every stage where not all do.

    Parameters
    ----------
    case : Case
        The case.
    precision : Precision
        Its precision.
    pairs : sequence of Pair
        How every two of its implementations compare, in that precision.
    cells : sequence of Cell
        Its cells in that precision, of which those of the oracle are looked at.
    """
    found = []
    for stage in case.values:
        held = [pair for pair in pairs if pair.stage == stage]
        if all(pair.agree for pair in held):
            continue
        names = tuple(dict.fromkeys(name for pair in held for name in (pair.left, pair.right)))
        split = clusters(names, {frozenset((pair.left, pair.right)) for pair in held if pair.agree})
        wrong = {
            cell.implementation
            for cell in cells
            if cell.stage == stage
            and cell.check is Check.ORACLE
            and cell.mode is Mode.CHAINED
            and cell.verdict not in (Verdict.PASS, Verdict.NOT_RUN)
        }
        by_oracle = tuple(name for name in names if name in wrong)
        found.append(
            Consensus(
                case=case.name,
                stage=stage,
                precision=precision,
                clusters=split.groups,
                by_majority=split.outside,
                by_oracle=by_oracle,
                # The truth outweighs a majority, which may share a mistake.
                reference_is_outlier=case.reference in (by_oracle or split.outside),
            )
        )
    return found


def _get(observed: Observed, sample: str, stage: Stage, value: Value) -> Array | Failure:
    found = observed.get((sample, stage.name))
    if found is None:
        return Failure(verdict=Verdict.NOT_RUN, reason="not observed")
    return found if isinstance(found, Failure) else found.outputs[value.name]


def _find(case: Case, name: str) -> tuple[Stage, Value]:
    return next((stage, value) for stage in case.stages for value in stage.outputs if value.name == name)


def _seconds(found: Observation | Failure | None) -> float:
    return found.seconds if isinstance(found, Observation) else 0.0


def _source(observed: Observed, stage: Stage) -> Source:
    sources = {
        found.source
        for (_, name), found in observed.items()
        if name == stage.name and isinstance(found, Observation)
    }
    return Source.REPLAYED if Source.REPLAYED in sources else Source.LIVE if sources else Source.NONE


def _rule_of_pair(value: Value, samples: tuple[str, ...], truths: Truths) -> Tolerance | Limits | None:
    rule = rule_of(value)
    if rule.rule != "derived":
        return rule
    limits = {
        sample: 2.0 * truth.limit.astype(np.float64)
        for sample in samples
        if isinstance(truth := truths[sample, value.name], Truth)
    }
    return limits.__getitem__ if len(limits) == len(samples) else None


def rule_of(value: Value) -> Tolerance:
    """The declared tolerance; where none is declared, it is derived."""
    return value.tolerance or Tolerance(rule="derived")
