"""What is expected of outputs that are the same up to a sign, an order or names, facing what was returned."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from harness.conformance.judged_part import changed_outputs
from harness.conformance.lookup import value_of
from harness.errors import CompareError
from harness.model import Array, Case, Failure, Observed, Truth, Truths, UpTo, Value, Verdict
from harness.numerics.equivalence import facing, facing_truth

_Expected = TypeVar("_Expected", Array, Truth)


def equivalences(case: Case) -> dict[str, UpTo]:
    """The outputs that are compared up to something, and what that is."""
    return {name: value.up_to for name, value in case.values.items() if value.up_to is not None}


def faced(case: Case, actual: Observed, expected: Observed, truths: Truths) -> tuple[Observed, Truths]:
    """Return the expected values and the true ones, each the nearest of all that are equivalent.

    Parameters
    ----------
    case : Case
        Its outputs say what they are compared up to.
    actual : mapping
        What an implementation returned; it is never changed.
    expected : mapping
        What the reference returned.
    truths : mapping
        The true values.
    """
    outputs = equivalences(case)
    if not outputs:
        return expected, truths

    def change(sample: str, value: Value, array: Array) -> Array | Failure:
        return facing_or_why(facing, outputs[value.name], array, _returned(case, actual, sample, value.name))

    return changed_outputs(case, expected, outputs.keys(), change), {
        (sample, name): facing_or_why(
            facing_truth, outputs[name], truth, _returned(case, actual, sample, name)
        )
        if name in outputs
        else truth
        for (sample, name), truth in truths.items()
    }


def faced_pairs(case: Case, chained: Mapping[str, Observed], truths: Truths) -> Mapping[str, Observed]:
    """Return what every implementation returned, facing the true value or the first that there is.

    The reference's comes first where there is no true value.
    """
    outputs = equivalences(case)
    if not outputs:
        return chained
    first = [case.reference, *(name for name in chained if name != case.reference)]

    def change(sample: str, value: Value, array: Array) -> Array | Failure:
        truth = truths.get((sample, value.name))
        known = [truth.high] if isinstance(truth, Truth) else []
        known += [
            found
            for name in first
            if not isinstance(found := _returned(case, chained.get(name, {}), sample, value.name), Failure)
        ]
        return facing_or_why(facing, outputs[value.name], array, known[0]) if known else array

    return {
        name: changed_outputs(case, observed, outputs.keys(), change) for name, observed in chained.items()
    }


def facing_or_why(
    face: Callable[[UpTo, _Expected, Array], _Expected],
    up_to: UpTo,
    expected: _Expected | Failure,
    actual: Array | Failure,
) -> _Expected | Failure:
    """Return what ``face`` gives, unchanged where one array is of another kind; or why it is not known."""
    if isinstance(expected, Failure) or isinstance(actual, Failure) or _kind(actual) != _kind(expected):
        return expected
    try:
        return face(up_to, expected, actual)
    except CompareError as error:
        return Failure(verdict=Verdict.NOT_RUN, reason=error.message)


def _kind(values: Array | Truth) -> str:
    kind = (values.high if isinstance(values, Truth) else values).dtype.kind
    return "i" if kind == "u" else kind


def _returned(case: Case, observed: Observed, sample: str, name: str) -> Array | Failure:
    return value_of(observed, sample, case.owner(name), case.values[name])
