"""What functions return, as a worker describes it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from harness.model import Frozen, Given
from harness.workers.describe_value import FIELD, PLACE

CONTAINERS = ("names", "list")


class Described(Frozen, frozen=True, kw_only=True):
    """What one value is: see `harness.workers.describe_value.Kind`. Parts go by name, or by place from 1."""

    kind: str
    dtype: str = "float"
    missing: bool = False
    words: str = ""
    given: Given = ""
    parts: tuple[tuple[str, Described], ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether it is an array, as any value is of which nothing is said."""
        return self.kind in ("array", "numbers") and not (self.missing or self.given)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its parts."""
        return tuple(name for name, _ in self.parts)


PLAIN = Described(kind="array")


def parsed(text: str) -> Described:
    """Read what a worker wrote."""
    rows = [line.split(FIELD) for line in text.split("\n")]

    def at(path: str) -> Described:
        row = next(row for row in rows if row[0] == path)
        _, kind, dtype, missing, words, *given = row
        below = [
            each[0] for each in rows if each[0] and each[0] != path and each[0].rpartition(PLACE)[0] == path
        ]
        return Described(
            kind=kind,
            dtype=dtype,
            missing=missing == "1",
            words=words,
            given=msgspec.convert(given[0] if given else "", Given),
            parts=tuple((each.rpartition(PLACE)[2], at(each)) for each in below),
        )

    return at("")


def merged(samples: Sequence[Described]) -> Described:
    """What a value is in all samples: what is missing in one of them may be missing."""
    first = samples[0]
    alike = [each for each in samples if (each.kind, each.names) == (first.kind, first.names)]
    parts = tuple(
        (name, merged([each.parts[at][1] for each in alike])) for at, name in enumerate(first.names)
    )
    missing = any(each.missing for each in alike)
    dtype = next((each.dtype for each in alike if each.missing), first.dtype)
    given = first.given if not missing and len({each.given for each in samples}) == 1 else ""
    return msgspec.structs.replace(first, parts=parts, missing=missing, dtype=dtype, given=given)


def refusal(described: Described, where: str = "what it returns", depth: int = 0) -> str:
    """Why a stage cannot return a value; empty where it can."""
    if described.kind == "other":
        return f"{where} is {described.words}"
    if described.missing and described.dtype == "complex":
        return f"{where} has complex numbers that are missing"
    if described.kind == "numbers" and depth > 1:
        return (
            f"{where} is {described.words} numbers inside of another value: make it an array, numpy.asarray"
        )
    for name, part in described.parts:
        inner = f"{where}[{name!r}]" if described.kind == "names" else f"{where}, part {name},"
        if described.kind == "names" and (not re.fullmatch(r"\w+", name, re.ASCII) or name == "levels"):
            return f"{inner} has a name of more than letters, digits and _"
        if why := refusal(part, inner, depth + 1 if described.kind == "names" else 2):
            return why
    return ""


def said(described: Described) -> str:
    """A value in a few words."""
    if described.kind == "names":
        return f"values by name: {', '.join(described.names)}"
    if described.kind == "list":
        return f"{len(described.parts)} values"
    what = {"array": "numbers", "numbers": "a list of numbers"}.get(described.kind, described.kind)
    return f"{what}, of which some are missing" if described.missing else what
