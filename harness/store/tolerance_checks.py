"""Checks of a stage's tolerance: its numbers, its reason, and what it names."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

from harness.model import RULES, Tolerance, Value
from harness.model.tolerance import PARAMETERS, Limit
from harness.store.toml import Key, Toml

_WITHOUT_REASON = ("derived", "exact")


def check_tolerance(toml: Toml, tolerance: Tolerance, *place: Key) -> None:
    """Refuse a tolerance without its numbers or a reason, or with a number that is no limit."""
    _check_limit(toml, tolerance, *place)
    if tolerance.by_sample and tolerance.rule == "derived":
        raise toml.refuse(
            "the rule 'derived' takes no by_sample", *place, "by_sample", advice="state the rule for the rest"
        )
    patterns: set[str] = set()
    for index, other in enumerate(tolerance.by_sample):
        where: tuple[Key, ...] = (*place, "by_sample", index)
        if other.rule == "derived":
            raise toml.refuse(
                "a limit is derived in all samples, or in none",
                *where,
                "rule",
                advice="state the rule of each sample, or leave by_sample out",
            )
        if not other.samples.strip():
            raise toml.refuse("'samples' is empty", *where, "samples", advice="name them by a pattern")
        if other.samples in patterns:
            raise toml.refuse(f"{other.samples!r} is there twice", *where, "samples", advice="remove one")
        patterns.add(other.samples)
        _check_limit(toml, other, *where)


def _check_limit(toml: Toml, limit: Limit, *place: Key) -> None:
    given: Any = toml.data
    for key in place:
        given = given[key]
    rule = RULES[limit.rule]
    unwanted = [key for key in PARAMETERS if key not in (*rule.needs, *rule.takes)]
    unwanted += ["basis"] if limit.rule in _WITHOUT_REASON else []
    for key in unwanted:
        if key in given:
            raise toml.refuse(f"the rule {limit.rule!r} takes no {key}", *place, key, advice="remove it")
    for key in rule.needs:
        if key not in given:
            number = "how many" if key == "digits" else "the value; 0 means exact"
            name = f"needs {key}" if key != "value" else "needs a value"
            raise toml.refuse(f"the rule {limit.rule!r} {name}", *place, advice=f"state {number}")
    for key in ("value", "rtol", "atol"):
        number = getattr(limit, key)
        if not isfinite(number) or number < 0:
            raise toml.refuse(
                f"a tolerance cannot be {number}", *place, key, advice="use a number, 0 or above"
            )
    if "digits" in rule.needs and not 1 <= limit.digits <= _MOST_DIGITS:
        raise toml.refuse(
            f"nothing has {limit.digits} significant digits",
            *place,
            "digits",
            advice=f"use a number from 1 to {_MOST_DIGITS}",
        )
    if limit.horizon is not None and limit.horizon < 1:
        raise toml.refuse(
            f"a horizon of {limit.horizon} leaves nothing to be judged",
            *place,
            "horizon",
            advice="say how many elements of the first axis are judged: 1 or more",
        )
    if not limit.reason.strip() and (limit.rule not in _WITHOUT_REASON or limit.horizon is not None):
        what = f"the rule {limit.rule!r}" if limit.rule not in _WITHOUT_REASON else "a horizon"
        raise toml.refuse(f"{what} needs a reason", *place, advice='say why: reason = "..."')


_MOST_DIGITS = 17
"""A float64 has no more."""


def check_tolerance_names(
    toml: Toml, tolerance: Tolerance, value: Value, known: Mapping[str, Value], *place: Key
) -> None:
    """Refuse a norm of what is no number of the case, and a horizon of a single number.

    Parameters
    ----------
    toml, place
        Where the tolerance stands.
    tolerance : Tolerance
        The rule of an output, or of an identity.
    value : Value
        What it judges.
    known : mapping of str to Value
        The inputs and outputs of the case.
    """
    for where, limit in (
        (place, tolerance),
        *(((*place, "by_sample", index), other) for index, other in enumerate(tolerance.by_sample)),
    ):
        if limit.of and limit.of not in known:
            raise toml.refuse(
                f"there is no input and no stage's output {limit.of!r}",
                *where,
                "of",
                advice=f"there are: {', '.join(known)}",
            )
        if limit.of and known[limit.of].dtype == "bool":
            raise toml.refuse(
                f"{limit.of!r} is true or false, and has no magnitude", *where, "of", advice="name numbers"
            )
        if limit.horizon is not None and not value.shape:
            raise toml.refuse(
                f"{value.name!r} is a single number, which has no horizon",
                *where,
                "horizon",
                advice="remove it",
            )
