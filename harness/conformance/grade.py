"""Judging recorded observations by other tolerances; nothing is run."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

import msgspec

from harness.conformance.plan import Plan
from harness.errors import UsageError
from harness.model import Case, Stage, Tolerance, Value

_WRITTEN = re.compile(
    r"(?:(?P<where>[^:=]+):)?(?P<rule>exact|derived|ulp|relative|absolute)(?:=(?P<value>.+))?"
)
_VALUED = frozenset({"ulp", "relative", "absolute"})


class Regraded(msgspec.Struct, frozen=True, kw_only=True):
    """One tolerance, and a glob pattern of the ``case/stage`` that it is for."""

    where: str
    tolerance: Tolerance


def parse_tolerance(text: str) -> Regraded:
    """Read ``[CASE/STAGE:]RULE[=VALUE]``, such as ``ulp=8`` or ``four_word/weights:absolute=1e-12``.

    Raises
    ------
    UsageError
        It is none.
    """
    match = _WRITTEN.fullmatch(text.strip())
    advice = "for example ulp=8, exact, or four_word/weights:absolute=1e-12"
    if match is None or (match["rule"] in _VALUED) != (match["value"] is not None):
        raise UsageError(f"{text!r} is no tolerance", advice=advice)
    try:
        value = float(match["value"] or 0.0)
    except ValueError as error:
        raise UsageError(f"{match['value']!r} in {text!r} is no number", advice=advice) from error
    if not math.isfinite(value) or value < 0:
        raise UsageError(f"a tolerance cannot be {match['value']}", advice="use a number, 0 or above")
    where = match["where"] or "*"
    fields = {"rule": match["rule"], "value": value, "reason": "given to harness grade"}
    tolerance = msgspec.convert(fields, Tolerance)
    return Regraded(where=where if "/" in where or where == "*" else f"{where}/*", tolerance=tolerance)


def regrade(plan: Plan, tolerances: Sequence[Regraded]) -> Plan:
    """The plan with other tolerances; of several that are for one stage, the last holds.

    Raises
    ------
    UsageError
        One is for no stage.
    """
    for tolerance in tolerances:
        if not any(_is_for(tolerance, case.case, name) for case in plan.cases for name in case.case.values):
            raise UsageError(
                f"no stage matches {tolerance.where!r}", advice="write CASE/STAGE; * and ? are wild"
            )
    cases = tuple(
        msgspec.structs.replace(planned, case=_regraded(planned.case, tolerances)) for planned in plan.cases
    )
    return msgspec.structs.replace(plan, cases=cases)


def _regraded(case: Case, tolerances: Sequence[Regraded]) -> Case:
    def value_of(value: Value) -> Value:
        for tolerance in reversed(tolerances):
            # What is true or false, or counted, cannot be nearly right.
            if _is_for(tolerance, case, value.name) and value.dtype == "float":
                return msgspec.structs.replace(value, tolerance=tolerance.tolerance)
        return value

    def stage_of(stage: Stage) -> Stage:
        return msgspec.structs.replace(stage, outputs=tuple(map(value_of, stage.outputs)))

    return msgspec.structs.replace(case, stages=tuple(map(stage_of, case.stages)))


def _is_for(regraded: Regraded, case: Case, stage: str) -> bool:
    return fnmatchcase(f"{case.name}/{stage}", regraded.where)
