"""Compares every two implementations, and finds the consensus on each stage."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from harness.conformance.elements import Sizes
from harness.conformance.lookup import is_decided, is_undecided, rule_of, truth_of, value_of
from harness.conformance.no_number import with_no_numbers
from harness.conformance.pooled import Limits, Pooled, agreement, pool
from harness.conformance.samples import judge_samples
from harness.model import (
    Array,
    Case,
    Cell,
    Check,
    Consensus,
    ErrorStats,
    Failure,
    Mode,
    Observed,
    Pair,
    Precision,
    Stage,
    Tolerance,
    Truth,
    Truths,
    Value,
    Verdict,
)
from harness.numerics.consensus import clusters
from harness.numerics.truth import still_undecided

_OFF = frozenset({Verdict.FAIL, Verdict.XFAIL, Verdict.XPASS})


class Output(msgspec.Struct, frozen=True):
    """One output of one implementation in every sample; ``lost`` says where it gave no answer."""

    by_sample: Mapping[str, Array | Failure]
    lost: Mapping[str, Failure]
    pooled: Pooled | None
    """Of all samples that are compared, none of which is lost."""


class Comparison(msgspec.Struct, frozen=True):
    """How one output is compared, in every pair of implementations, and in which samples."""

    samples: tuple[str, ...]
    value: Value
    rule: Tolerance | Limits
    precision: Precision
    sizes: Mapping[str, Sizes]

    def output(self, by_sample: Mapping[str, Array | Failure]) -> Output:
        """Look at one implementation's output by itself."""
        lost = {sample: failure for sample, array in by_sample.items() if (failure := _nothing(array))}
        whole = not any(sample in lost for sample in self.samples)
        return Output(by_sample, lost, self.pooled(by_sample, self.samples) if whole else None)

    def pooled(self, by_sample: Mapping[str, Array | Failure], samples: tuple[str, ...]) -> Pooled | None:
        """Join an implementation's output in these samples."""
        return pool(
            samples,
            by_sample.__getitem__,
            value=self.value,
            rule=self.rule,
            precision=self.precision,
            sizes=self.sizes,
        )

    def errors(self, left: Output, right: Output) -> tuple[ErrorStats | None, str, bool]:
        """Return the errors where neither is lost, what is wrong, and whether the two agree there."""
        whole = tuple(s for s in self.samples if s not in left.lost and s not in right.lost)
        if not whole:
            return None, "", True
        sides = [
            side.pooled if len(whole) == len(self.samples) else self.pooled(side.by_sample, whole)
            for side in (left, right)
        ]
        stats = agreement(*sides, value=self.value, rule=self.rule, precision=self.precision)
        if stats is not None:
            return stats, "", True
        judged = judge_samples(
            whole,
            left.by_sample.__getitem__,
            right.by_sample.__getitem__,
            value=self.value,
            rule=self.rule,
            precision=self.precision,
            sizes=self.sizes,
        )
        # Both are empty, or all NaN: nothing differs.
        same = judged.verdict is Verdict.NOT_RUN and judged.stats is not None
        return judged.stats, judged.reason, same or judged.verdict is Verdict.PASS


def judge_pairs(
    case: Case,
    precision: Precision,
    sizes: Mapping[str, Sizes],
    chained: Mapping[str, Observed],
    truths: Truths,
) -> list[Pair]:
    """Compare every two implementations' own outputs of every stage, by the stage's tolerance.

    Where that is derived, two may be twice the limit apart, one on each side of the truth; in samples where
    the limit is not known, they are not compared.
    """
    reference = chained.get(case.reference, {})
    samples = tuple(dict.fromkeys(sample for observed in chained.values() for sample, _ in observed))
    couples = list(itertools.combinations(chained, 2))
    pairs: dict[tuple[str, str], list[Pair]] = {couple: [] for couple in couples}
    for stage in case.stages:
        for value in stage.outputs:
            rule: Tolerance | Limits = rule_of(value)
            compared = samples
            if isinstance(rule, Tolerance) and rule.rule == "derived":
                known = _known(samples, truths, reference, stage, value)
                if all(is_undecided(truth) for truth in known.values()):
                    continue
                rule, compared = functools.cache(functools.partial(_twice, known)), tuple(known)
            comparison = Comparison(compared, value, rule, precision, sizes)
            outputs = {
                name: comparison.output(
                    _compared_by_sample(observed, reference, samples, truths, stage, value)
                )
                for name, observed in chained.items()
            }
            for left, right in couples:
                stats, reason, agree = comparison.errors(outputs[left], outputs[right])
                broken = tuple(side for side in (left, right) if outputs[side].lost)
                if agree and broken:
                    agree, reason = False, next(iter(outputs[broken[0]].lost.values())).reason
                elif not agree:
                    broken = ()
                pair = Pair(
                    case=case.name,
                    stage=value.name,
                    precision=precision,
                    left=left,
                    right=right,
                    agree=agree,
                    stats=stats,
                    reason=reason,
                    broken=broken,
                )
                pairs[left, right].append(pair)
    return [pair for couple in couples for pair in pairs[couple]]


def _compared_by_sample(
    observed: Observed,
    reference: Observed,
    samples: tuple[str, ...],
    truths: Truths,
    stage: Stage,
    value: Value,
) -> dict[str, Array | Failure]:
    """Return an output by sample, without what no comparison can decide."""
    outputs = {}
    for sample in samples:
        output, truth = value_of(observed, sample, stage, value), truths.get((sample, value.name))
        if not (isinstance(output, Failure) or not isinstance(truth, Truth) or is_decided(truth)):
            output = _decided(output, truth, value_of(reference, sample, stage, value))
        outputs[sample] = output
    return outputs


def _nothing(result: Array | Failure) -> Failure | None:
    """Return why there is no value to compare; a wrong result is a value that differs."""
    return result if isinstance(result, Failure) and result.verdict is not Verdict.FAIL else None


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
    consensus = []
    for stage in case.values:
        of_stage = [pair for pair in pairs if pair.stage == stage]
        broken = dict.fromkeys(name for pair in of_stage for name in pair.broken)
        compared = [pair for pair in of_stage if not pair.broken]
        if all(pair.agree for pair in compared):
            continue
        names = tuple(dict.fromkeys(name for pair in compared for name in (pair.left, pair.right)))
        split = clusters(names, {frozenset((pair.left, pair.right)) for pair in compared if pair.agree})
        wrong = {
            cell.implementation
            for cell in cells
            if cell.stage == stage
            and cell.check is Check.ORACLE
            and cell.mode is Mode.CHAINED
            and cell.verdict in _OFF
        }
        by_oracle = tuple(name for name in names if name in wrong)
        consensus.append(
            Consensus(
                case=case.name,
                stage=stage,
                precision=precision,
                clusters=split.groups,
                by_majority=split.outside,
                by_oracle=by_oracle,
                # The truth outweighs a majority, which may share a mistake.
                reference_is_outlier=case.reference in (by_oracle or split.outside),
                broken=tuple(name for name in broken if name not in names),
            )
        )
    return consensus


def _known(
    samples: tuple[str, ...], truths: Truths, reference: Observed, stage: Stage, value: Value
) -> dict[str, Truth]:
    """Return the true values of an output in those samples where they are known."""
    by_sample = {
        sample: truth_of(truths, sample, value, value_of(reference, sample, stage, value))
        for sample in samples
    }
    return {sample: truth for sample, truth in by_sample.items() if isinstance(truth, Truth)}


def _twice(known: Mapping[str, Truth], sample: str) -> Array:
    """Return twice the limit, with 0 where the truth is undecided."""
    truth = known[sample]
    twice: Array = 2.0 * truth.limit.astype(np.float64)
    return twice if truth.undecided is None else np.where(truth.undecided, 0.0, twice)


def _decided(array: Array, truth: Truth, theirs: Array | Failure) -> Array:
    """Return a value with zeros where the truth is undecided: what may be right is not compared there.

    Neither is NaN or a pole, where the reference has it too and there is no true number.
    """
    if array.shape != truth.high.shape:
        return array
    left_out = still_undecided(array, truth)
    due = with_no_numbers(truth, theirs, array)
    assert isinstance(due, Truth)
    wrong = left_out & ~still_undecided(array, due)
    wrong &= (array != due.high) & ~(np.isnan(array) & np.isnan(due.high))
    zeroed = np.where(left_out & ~wrong, np.zeros((), array.dtype), array)
    # A wrong zero must not equal the zeros that stand for right values.
    put: Array = np.where(wrong & (array == 0), np.ones((), array.dtype), zeroed)
    return put
