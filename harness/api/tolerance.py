"""A tolerance that a call gives, by the same rules as one of a case.toml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from harness.errors import HarnessError, UsageError
from harness.model import Tolerance, Value
from harness.store.tolerance_checks import check_tolerance, check_tolerance_names
from harness.store.toml import Key, Toml


def tolerance_from(given: Mapping[str, Any]) -> Tolerance:
    """A tolerance of a table; without a reason, that of the caller is assumed.

    Raises
    ------
    UsageError
        It is not one.
    """
    if not isinstance(given, Mapping):
        raise UsageError(
            f"tolerance cannot be {given!r}", advice='give {"rule": "allclose", "rtol": 1e-9, "atol": 0}'
        )
    table = {"reason": "stated by the caller", **given} if given.get("rule") != "exact" else dict(given)
    try:
        tolerance = msgspec.convert(table, Tolerance)
    except msgspec.ValidationError as error:
        raise UsageError(f"tolerance: {error}", advice="see docs/authoring-a-case.md") from error
    check_tolerance(_Given(table), tolerance, "tolerance")
    return tolerance


def check_names(tolerance: Tolerance, value: Value, inputs: Sequence[Value]) -> None:
    """Refuse a norm of what is no input and no output, and a horizon of a single number."""
    known = {each.name: each for each in (*inputs, value)}
    check_tolerance_names(_Given({}), tolerance, value, known, "tolerance")


class _Given(Toml):
    """A table that stands in no file."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.data = {"tolerance": table}

    def refuse(self, message: str, *place: Key, advice: str = "") -> HarnessError:
        where = ".".join(str(key) for key in place)
        return UsageError(f"{where}: {message}", advice=advice)
