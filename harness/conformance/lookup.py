"""Looking up what an implementation returned, and the rule that a value is held to."""

from __future__ import annotations

from harness.model import Array, Failure, Observed, Stage, Tolerance, Value, Verdict


def value_of(observed: Observed, sample: str, stage: Stage, value: Value) -> Array | Failure:
    """One value of one sample, or why there is none."""
    found = observed.get((sample, stage.name))
    if found is None:
        return Failure(verdict=Verdict.NOT_RUN, reason="not observed")
    return found if isinstance(found, Failure) else found.outputs[value.name]


def rule_of(value: Value) -> Tolerance:
    """The declared tolerance; where none is declared, it is derived."""
    return value.tolerance or Tolerance(rule="derived")
