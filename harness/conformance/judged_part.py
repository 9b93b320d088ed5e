"""What of each output is judged: limits that are relative to other values, and elements within a horizon.

A case without such tolerances is judged as it is, at no cost. Of any other the judge is given another case,
and other values, in which nothing of them is left.
"""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any

import msgspec
import numpy as np

from harness.conformance.elements import Sizes, counted, misfit
from harness.conformance.lookup import rule_of, value_of
from harness.model import (
    Array,
    Case,
    Failure,
    Fixture,
    Observation,
    Observed,
    Precision,
    SampleTolerance,
    Tolerance,
    Truth,
    Truths,
    Value,
    Verdict,
)
from harness.numerics import tolerance

ANY_SIZE = "judged"
"""The first dimension of an output with a horizon; the size of no sample is known by this name."""

LookUp = Callable[[str, str], Array | Failure]
"""From a sample and the name of an input or output to the array."""

Change = Callable[[str, Value, Array], Array | Failure]
"""From a sample, an output and its array to the array that stands for it."""


def looked_up(case: Case, fixture: Fixture, observed: Observed) -> LookUp:
    """Look up the inputs of a case in its fixture, and outputs in what an implementation returned."""
    values = case.values

    def array_of(sample: str, name: str) -> Array | Failure:
        if name in values:
            return value_of(observed, sample, case.owner(name), values[name])
        return fixture.arrays(sample)[name]

    return array_of


def resolved(rule: Tolerance, array_of: Callable[[str], Array | Failure]) -> Tolerance | Failure:
    """Return a rule that is relative to another value as one with an absolute limit."""
    if not rule.of:
        return rule
    array = array_of(rule.of)
    if isinstance(array, Failure):
        return Failure(verdict=Verdict.NOT_RUN, reason=f"no magnitude of {rule.of}: {array.reason}")
    limit = rule.value * tolerance.largest(array)
    return msgspec.structs.replace(rule, rule="absolute", value=limit, of="")


def is_relative(rule: Tolerance | None) -> bool:
    """Whether the limit follows from the magnitude of another value, in any sample."""
    if rule is None:
        return False
    return bool(rule.of) or (bool(rule.by_sample) and any(other.of for other in rule.by_sample))


def has_horizon(rule: Tolerance | None) -> bool:
    """Whether only some elements are judged, in any sample."""
    if rule is None:
        return False
    return rule.horizon is not None or any(other.horizon is not None for other in rule.by_sample)


def with_limits(case: Case, samples: Iterable[str], theirs: LookUp, ours: LookUp) -> Case:
    """Return the case with absolute limits in the place of those that are relative to other values.

    Parameters
    ----------
    case : Case
        The case.
    samples : iterable of str
        The samples that are judged.
    theirs : callable
        The reference's values: stages are judged by their magnitudes.
    ours : callable
        The implementation's own, for its identities.
    """
    rules = [value.tolerance for value in case.values.values()]
    if not any(map(is_relative, (*rules, *(identity.tolerance for identity in case.identities)))):
        return case
    names = tuple(samples)
    identities = tuple(
        msgspec.structs.replace(identity, tolerance=_absolute(identity.tolerance, names, ours))
        for identity in case.identities
    )

    def of_value(value: Value) -> Value:
        return msgspec.structs.replace(value, tolerance=_absolute(rule_of(value), names, theirs))

    return msgspec.structs.replace(with_outputs(case, of_value), identities=identities)


def _absolute(rule: Tolerance, samples: Sequence[str], array_of: LookUp) -> Tolerance:
    if not is_relative(rule):
        return rule
    others = []
    for sample in samples:

        def magnitude(name: str, at: str = sample) -> Array | Failure:
            return array_of(at, name)

        limit = resolved(rule.at(sample), magnitude)
        if not isinstance(limit, Failure):
            fields = msgspec.structs.asdict(limit)
            del fields["by_sample"]
            others.append(SampleTolerance(samples=glob.escape(sample), **fields))
    return msgspec.structs.replace(rule, by_sample=(*others, *rule.by_sample))


def unmeasured(case: Case, expected: Observed) -> Observed:
    """What is expected, without values whose limit is relative to one that the reference does not have."""
    relative = {name for name, value in case.values.items() if is_relative(value.tolerance)}
    if not relative:
        return expected

    def change(sample: str, value: Value, array: Array) -> Array | Failure:
        of = rule_of(value).at(sample).of
        if not of:
            return array
        return Failure(verdict=Verdict.NOT_RUN, reason=f"its limit is relative to {of}, which is not there")

    return changed_outputs(case, expected, relative, change)


def changed_outputs(case: Case, observed: Observed, outputs: Set[str], change: Change) -> Observed:
    """What was returned, with other arrays, or failures, for some outputs."""
    by_stage = {
        stage.name: [value for value in stage.outputs if value.name in outputs] for stage in case.stages
    }
    return {
        (sample, name): _replaced(answer, sample, by_stage[name], change)
        if by_stage.get(name) and isinstance(answer, Observation)
        else answer
        for (sample, name), answer in observed.items()
    }


def with_outputs(case: Case, change: Callable[[Value], Value]) -> Case:
    """Return the case with other outputs."""
    stages = tuple(
        msgspec.structs.replace(stage, outputs=tuple(map(change, stage.outputs))) for stage in case.stages
    )
    return msgspec.structs.replace(case, stages=stages)


class Horizons(msgspec.Struct, frozen=True):
    """Cuts values of one case off at their horizons.

    Attributes
    ----------
    case : Case
        The case.
    precision : Precision
        Of the run: a value of another dtype is not cut off, but wrong.
    sizes : mapping
        By sample, what the symbols of shapes stand for.
    """

    case: Case
    precision: Precision
    sizes: Mapping[str, Sizes]

    @property
    def outputs(self) -> frozenset[str]:
        """The outputs that have a horizon in some sample."""
        return frozenset(n for n, value in self.case.values.items() if has_horizon(value.tolerance))

    def judged_case(self) -> Case:
        """The case of which these elements are all that there is."""
        outputs = self.outputs

        def of_value(value: Value) -> Value:
            if value.name not in outputs:
                return value
            return msgspec.structs.replace(value, shape=(ANY_SIZE, *value.shape[1:]))

        return with_outputs(self.case, of_value)

    def within(self, observed: Observed) -> Observed:
        """What was returned, cut off; what has a wrong shape or dtype is a failure that says so."""
        return changed_outputs(self.case, observed, self.outputs, self._cut)

    def held_to(self, actual: Observed, expected: Observed) -> Observed:
        """Values of an implementation, cut off; one that is no number beyond the horizon is a failure.

        Chaos explains other numbers, and neither NaN nor infinity where the reference has a number.
        """

        def cut(sample: str, value: Value, array: Array) -> Array | Failure:
            horizon = rule_of(value).at(sample).horizon
            judged = self._cut(sample, value, array)
            theirs = value_of(expected, sample, self.case.owner(value.name), value)
            if isinstance(judged, Failure) or isinstance(theirs, Failure) or theirs.shape != array.shape:
                return judged
            lost = int((np.isfinite(theirs[horizon:]) & ~np.isfinite(array[horizon:])).sum())
            if lost and not value.nan:
                reason = f"beyond the horizon, NaN or infinity in {counted(lost)} where a number is expected"
                return Failure(verdict=Verdict.FAIL, reason=reason)
            return judged

        return changed_outputs(self.case, actual, self.outputs, cut)

    def truths(self, truths: Truths) -> Truths:
        """True values, cut off."""
        outputs, values = self.outputs, self.case.values
        return {
            (sample, name): _cut_off(truth, rule_of(values[name]).at(sample).horizon)
            if name in outputs and isinstance(truth, Truth)
            else truth
            for (sample, name), truth in truths.items()
        }

    def beyond(self, sample: str, value: Value, array: Array) -> Array:
        """Mark the elements of an array that are beyond the horizon."""
        marks = np.zeros(array.shape, dtype=bool)
        horizon = rule_of(value).at(sample).horizon
        if horizon is not None:
            marks[horizon:] = True
        return marks

    def note(self, name: str, actual: Observed, expected: Observed) -> str:
        """Say how many elements of an output are not judged, and how far apart they are."""
        value, stage = self.case.values[name], self.case.owner(name)
        count, of, apart = 0, 0, 0.0
        for sample in dict.fromkeys(sample for sample, _ in actual):
            ours, theirs = (value_of(observed, sample, stage, value) for observed in (actual, expected))
            if isinstance(ours, Failure):
                continue
            later = self.beyond(sample, value, ours)
            count, of = count + int(later.sum()), of + ours.size
            if later.any() and not isinstance(theirs, Failure) and theirs.shape == ours.shape:
                difference = np.abs(_wide(ours[later]) - _wide(theirs[later]))
                apart = max(apart, tolerance.largest(difference))
        if not count:
            return ""
        verb = "is" if of == 1 else "are"
        return f"{count} of {counted(of)} {verb} beyond the horizon and not judged: up to {apart:.3g} apart"

    def _cut(self, sample: str, value: Value, array: Array) -> Array | Failure:
        problem = misfit(array, value, self.precision, self.sizes[sample])
        if problem is not None:
            return Failure(verdict=Verdict.FAIL, reason=problem)
        horizon = rule_of(value).at(sample).horizon
        return array if horizon is None else array[:horizon]


def _replaced(
    answer: Observation,
    sample: str,
    values: Sequence[Value],
    change: Change,
) -> Observation:
    outputs, invalid = dict(answer.outputs), dict(answer.invalid)
    for value in values:
        if value.name in invalid:
            continue
        changed = change(sample, value, outputs[value.name])
        if isinstance(changed, Failure):
            invalid[value.name] = changed
        else:
            outputs[value.name] = changed
    return msgspec.structs.replace(answer, outputs=outputs, invalid=invalid)


def _cut_off(truth: Truth, horizon: int | None) -> Truth:
    """The true values of the first elements along the first axis."""
    if horizon is None:
        return truth
    parts = {name: getattr(truth, name) for name in ("high", "low", "limit", *_MARKS)}
    cut = {name: None if part is None else part[:horizon] for name, part in parts.items()}
    for name in ("undecided", "unlimited"):
        marks = cut[name]
        cut[name] = marks if marks is not None and marks.any() else None
    return msgspec.structs.replace(truth, **cut)


_MARKS = ("known", "undecided", "reach", "unlimited")
"""Arrays of a truth that need not be there."""


def _wide(array: Array) -> Any:
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
