"""The rules that a stage is judged by, in one table."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Literal

import msgspec

from harness.model.base import Frozen

RuleName = Literal["derived", "exact", "ulp", "relative", "absolute", "allclose", "norm", "digits"]


class Rule(msgspec.Struct, frozen=True):
    """The numbers that a rule needs and those that it takes, and what the largest error is."""

    allowed: str
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()


RULES: dict[RuleName, Rule] = {
    "derived": Rule("what error analysis gives, around the true value; the default of numbers"),
    "exact": Rule("none: every bit, the sign of zero included; a NaN is a NaN"),
    "ulp": Rule("`value` units in the last place of the stage's largest expected magnitude", ("value",)),
    "relative": Rule("`value` times the expected magnitude, element by element", ("value",)),
    "absolute": Rule("`value`", ("value",)),
    "allclose": Rule(
        "`atol + rtol * \\|expected\\|`, element by element, as `numpy.allclose` has it", ("rtol", "atol")
    ),
    "norm": Rule(
        "`value` times the largest expected magnitude of the stage, or of the input or output named by `of`",
        ("value",),
        ("of",),
    ),
    "digits": Rule("half a unit in the last of so many significant digits of what is expected", ("digits",)),
}
"""Every rule; docs/authoring-a-case.md has the same table."""

PARAMETERS = ("value", "rtol", "atol", "digits", "of")
"""The numbers and names that some rules take, and others do not."""


class Limit(Frozen, frozen=True, kw_only=True, omit_defaults=True):
    """One rule with its numbers, and the reason for them."""

    rule: RuleName
    value: float = 0.0
    rtol: float = 0.0
    atol: float = 0.0
    digits: int = 0
    of: str = ""
    horizon: int | None = None
    reason: str = ""
    basis: Literal["stated", "measured"] = "stated"


class SampleTolerance(Limit, frozen=True, kw_only=True, omit_defaults=True):
    """The rule in the samples whose name matches a pattern."""

    samples: str


class Tolerance(Limit, frozen=True, kw_only=True, omit_defaults=True):
    """The rule a stage is judged by: see `RULES`.

    All but ``derived`` and ``exact`` need a reason. ``basis`` says whether the numbers were chosen, or
    measured: ten times the largest difference that was seen. Only the first ``horizon`` elements along the
    first axis are judged, if it is given. ``by_sample`` has other rules for samples whose name matches; the
    first that matches holds.
    """

    by_sample: tuple[SampleTolerance, ...] = ()

    def at(self, sample: str) -> Tolerance:
        """The rule in one sample."""
        for other in self.by_sample:
            if fnmatchcase(sample, other.samples):
                fields = msgspec.structs.asdict(other)
                del fields["samples"]
                return Tolerance(**fields)
        return self
