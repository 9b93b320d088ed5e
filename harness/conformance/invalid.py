"""Values of the reference that nobody can be compared with, since it fails by itself."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np

from harness.conformance.elements import Sizes, misfit, places
from harness.model import Array, Case, Failure, Observation, Observed, Precision, Value, Verdict
from harness.numerics.missing import is_missing

Invalid = Mapping[tuple[str, str], str]
"""Why a value of the reference is invalid, by (sample, output)."""


def invalid_values(
    case: Case, reference: Observed, precision: Precision, sizes: Mapping[str, Sizes]
) -> Invalid:
    """Find what the reference itself gets wrong, and what it computes from that.

    Parameters
    ----------
    case : Case
        Declares shapes and dtypes, and where NaN is expected.
    reference : mapping
        What the reference returned, chained.
    precision : Precision
        The dtype that floats must have.
    sizes : mapping
        By sample, what the symbols of the shapes stand for.

    Returns
    -------
    mapping of (str, str) to str
        The reason, for each output of the wrong shape or dtype, or with NaN where the case expects none; and
        for each output that is computed from one of these.
    """
    reasons: dict[tuple[str, str], str] = {}
    samples = tuple(dict.fromkeys(sample for sample, _ in reference))
    for stage in case.stages:
        for sample in samples:
            observation = reference.get((sample, stage.name))
            if not isinstance(observation, Observation):
                continue
            before = next((why for name in stage.inputs if (why := reasons.get((sample, name)))), "")
            for value in stage.outputs:
                if before:
                    # Where it begins is what has to be mended.
                    reasons[sample, value.name] = before
                elif problem := _problem(observation.outputs[value.name], value, precision, sizes[sample]):
                    reasons[sample, value.name] = f"{case.reference} fails in {value.name}: {problem}"
    return reasons


def _problem(array: Array, value: Value, precision: Precision, sizes: Sizes) -> str:
    if problem := misfit(array, value, precision, sizes):
        return problem
    if value.nan or array.dtype.kind not in "fc":
        return ""
    nan = np.isnan(array)
    if value.missing:
        nan &= ~is_missing(array)
    if not nan.any():
        return ""
    return f"NaN in {places(int(nan.sum()))} where the case expects none"


def to_compare_with(reference: Observed, invalid: Invalid) -> Observed:
    """The reference's values, marked where nobody can be compared with them."""
    if not invalid:
        return reference
    by_place: dict[str, dict[str, Failure]] = {}
    for (sample, name), reason in invalid.items():
        by_place.setdefault(sample, {})[name] = Failure(verdict=Verdict.NOT_RUN, reason=reason)
    return {
        (sample, stage): msgspec.structs.replace(observation, invalid=by_place[sample])
        if isinstance(observation, Observation) and sample in by_place
        else observation
        for (sample, stage), observation in reference.items()
    }


def fed_soundly(case: Case, isolated: Observed, invalid: Invalid) -> Observed:
    """What stages returned on the reference's values; NOT_RUN where one of these is invalid."""
    if not invalid:
        return isolated
    inputs = {stage.name: stage.inputs for stage in case.stages}
    result: dict[tuple[str, str], Observation | Failure] = {}
    for (sample, stage), observation in isolated.items():
        why = next((reason for name in inputs[stage] if (reason := invalid.get((sample, name)))), "")
        result[sample, stage] = (
            Failure(verdict=Verdict.NOT_RUN, reason=f"nothing sound to give it: {why}")
            if why
            else observation
        )
    return result
