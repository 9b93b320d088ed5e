"""Judging recorded observations by other tolerances; nothing is run."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

import msgspec

from harness.conformance.plan import Plan
from harness.errors import UsageError
from harness.model import RULES, Case, Stage, Tolerance, Value

_WRITTEN = re.compile(rf"(?:(?P<where>[^:=]+):)?(?P<rule>{'|'.join(RULES)})(?:=(?P<numbers>.+))?")


class Regraded(msgspec.Struct, frozen=True, kw_only=True):
    """One tolerance, and a glob pattern of the ``case/stage`` that it is for."""

    where: str
    tolerance: Tolerance


def parse_tolerance(text: str) -> Regraded:
    """Read ``[CASE/STAGE:]RULE[=NUMBERS]``, such as ``ulp=8`` or ``four_word/weights:absolute=1e-12``.

    Raises
    ------
    UsageError
        It is none.
    """
    match = _WRITTEN.fullmatch(text.strip())
    advice = "for example ulp=8, digits=9, allclose=1e-7,1e-9, exact, or four_word/weights:absolute=1e-12"
    numbers = match["numbers"].split(",") if match is not None and match["numbers"] else []
    needs = {str(name): rule.needs for name, rule in RULES.items()}
    if match is None or len(numbers) != len(needs[match["rule"]]):
        raise UsageError(f"{text!r} is no tolerance; the rules are {', '.join(RULES)}", advice=advice)
    fields: dict[str, object] = {"rule": match["rule"], "reason": "given to harness grade"}
    for key, written in zip(needs[match["rule"]], numbers, strict=True):
        fields[key] = _number(key, written, text, advice)
    where = match["where"] or "*"
    tolerance = msgspec.convert(fields, Tolerance)
    return Regraded(where=where if "/" in where or where == "*" else f"{where}/*", tolerance=tolerance)


def _number(key: str, written: str, text: str, advice: str) -> float | int:
    try:
        number = int(written) if key == "digits" else float(written)
    except ValueError as error:
        raise UsageError(f"{written!r} in {text!r} is no number", advice=advice) from error
    if not math.isfinite(number) or number < (1 if key == "digits" else 0):
        raise UsageError(f"a tolerance cannot be {written}", advice="use a number, 0 or above")
    return number


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
