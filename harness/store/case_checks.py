"""Checks of a case's identities, known divergences and published values against its stages."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

from harness.model import (
    Identity,
    KnownDivergence,
    Published,
    Shape,
    Stage,
    Value,
)
from harness.numerics.printed import ELIDED, is_number
from harness.store.tolerance_checks import check_tolerance, check_tolerance_names
from harness.store.toml import Key, Toml

Values = Mapping[str, Value]


def check_identities(
    toml: Toml, identities: tuple[Identity, ...], values: Values, inputs: tuple[Value, ...]
) -> None:
    """Refuse an identity between values that are not there, are the same, or can never be equal."""
    known = {value.name: value for value in (*inputs, *values.values())}
    for index, identity in enumerate(identities):
        place: tuple[Key, ...] = ("identity", index)
        _check_text(toml, identity.id, *place, "id")
        check_tolerance(toml, identity.tolerance, *place, "tolerance")
        for side in ("left", "right"):
            _check_known(toml, getattr(identity, side), values, *place, side)
            tolerance = values[getattr(identity, side)].tolerance
            if identity.tolerance.rule == "derived" and tolerance and tolerance.rule != "derived":
                raise toml.refuse(
                    f"identity {identity.id!r}: its limit cannot be derived: that of "
                    f"{getattr(identity, side)!r} is stated",
                    *place,
                    "tolerance",
                    advice='state it: { rule = "ulp", value = 4, reason = "..." }',
                )
        left, right = values[identity.left], values[identity.right]
        for value in (left, right):
            horizon = value.tolerance is not None and value.tolerance.horizon is not None
            if identity.tolerance.rule == "derived" and (value.up_to or horizon):
                what = f"up to {value.up_to}" if value.up_to else "up to a horizon"
                raise toml.refuse(
                    f"identity {identity.id!r}: its limit cannot be derived: {value.name!r} is judged {what}",
                    *place,
                    "tolerance",
                    advice='state it: { rule = "ulp", value = 4, reason = "..." }',
                )
        check_tolerance_names(toml, identity.tolerance, left, known, *place, "tolerance")
        if left is right:
            raise toml.refuse(
                f"identity {identity.id!r} holds {identity.left!r} against itself", *place, "right"
            )
        if left.dtype != right.dtype or not _can_equal(left.shape, right.shape):
            raise toml.refuse(
                f"identity {identity.id!r}: {left.name!r} is {left.dtype} {_written(left.shape)}, "
                f"{right.name!r} is {right.dtype} {_written(right.shape)}",
                *place,
                advice="only values of one dtype and one shape can be equal",
            )
        for earlier in identities[:index]:
            if earlier.id == identity.id:
                raise toml.refuse(f"the identity {identity.id!r} is there twice", *place, "id")
            if {earlier.left, earlier.right} == {identity.left, identity.right}:
                raise toml.refuse(
                    f"identities {earlier.id!r} and {identity.id!r} hold the same two values", *place
                )


def check_known_divergences(
    toml: Toml,
    divergences: tuple[KnownDivergence, ...],
    identities: tuple[Identity, ...],
    stages: tuple[Stage, ...],
) -> None:
    """Refuse a known divergence that covers nothing, two things, or what another one covers."""
    ids = [identity.id for identity in identities]
    values = {value.name: value for stage in stages for value in stage.outputs}
    several = {stage.name: stage.outputs for stage in stages if stage.name not in values}
    for index, known in enumerate(divergences):
        place: tuple[Key, ...] = ("known_divergence", index)
        for key in ("id", "cause", "evidence", "ends_when", "implementation"):
            _check_text(toml, getattr(known, key), *place, key)
        if bool(known.identity) == bool(known.stage):
            raise toml.refuse(
                f"known divergence {known.id!r} must name either an identity or a stage",
                *place,
                advice='write identity = "..." or stage = "...", not both',
            )
        if known.identity and known.identity not in ids:
            raise toml.refuse(
                f"known divergence {known.id!r}: there is no identity {known.identity!r}",
                *place,
                "identity",
                advice=f"there are: {', '.join(ids) or 'none'}",
            )
        if known.stage in several:
            names = ", ".join(value.name for value in several[known.stage])
            raise toml.refuse(
                f"known divergence {known.id!r}: stage {known.stage!r} has several outputs",
                *place,
                "stage",
                advice=f"name one of them: {names}",
            )
        if known.stage:
            _check_known(toml, known.stage, values, *place, "stage")
        _check_range(toml, known, *place)
        _check_extent(toml, known, *place)
        for earlier in divergences[:index]:
            if earlier.id == known.id:
                raise toml.refuse(f"the known divergence {known.id!r} is there twice", *place, "id")
            if (earlier.identity, earlier.stage, earlier.implementation) == (
                known.identity,
                known.stage,
                known.implementation,
            ):
                raise toml.refuse(f"known divergences {earlier.id!r} and {known.id!r} cover the same", *place)


_WIDEST = 1e12
"""How many times its least size a known divergence may be."""


def _check_range(toml: Toml, known: KnownDivergence, *place: Key) -> None:
    for key in ("measure", "at_least", "at_most"):
        if getattr(known, key) is None:
            raise toml.refuse(
                f"known divergence {known.id!r} does not say how large it is: {key!r} is missing",
                *place,
                advice='add what was measured: measure = "norm", at_least = 0.1, at_most = 0.2,'
                " elements = [1, 4]",
            )
    assert known.at_least is not None
    assert known.at_most is not None
    for key, bound in (("at_least", known.at_least), ("at_most", known.at_most)):
        if not isfinite(bound) or bound < 0:
            raise toml.refuse(
                f"known divergence {known.id!r} cannot be {bound} large",
                *place,
                key,
                advice="use a number, 0 or above",
            )
    if known.at_most == 0 or known.at_most < known.at_least:
        raise toml.refuse(
            f"known divergence {known.id!r}: nothing is at least {known.at_least:g} "
            f"and at most {known.at_most:g}",
            *place,
            "at_most",
            advice="state a larger number",
        )
    if known.at_least == 0 or known.at_most / known.at_least > _WIDEST:
        raise toml.refuse(
            f"known divergence {known.id!r}: {known.at_least:g} to {known.at_most:g} "
            "covers nearly everything",
            *place,
            "at_least",
            advice="state what was measured: above 0, and no further from at_most than a factor of 1e12",
        )


def _check_extent(toml: Toml, known: KnownDivergence, *place: Key) -> None:
    if known.elements is not None and not 0 < known.elements[0] <= known.elements[1]:
        least, most = known.elements
        raise toml.refuse(
            f"known divergence {known.id!r}: nothing is in {least} to {most} elements",
            *place,
            "elements",
            advice="state how many are beyond their limit in a sample, the least and the most: [1, 4]",
        )
    if not known.samples or not all(map(str.strip, known.samples)):
        raise toml.refuse(
            f"known divergence {known.id!r} names no sample",
            *place,
            "samples",
            advice="write the names of those that show it, or leave 'samples' out",
        )


def check_published(toml: Toml, published: tuple[Published, ...], values: Values) -> None:
    """Refuse printed numbers that are no numbers, do not fit their value's shape, or cannot be told apart."""
    for index, printed in enumerate(published):
        place: tuple[Key, ...] = ("published", index)
        _check_text(toml, printed.source, *place, "source")
        _check_text(toml, printed.sample, *place, "sample")
        _check_known(toml, printed.stage, values, *place, "stage")
        if values[printed.stage].dtype == "complex":
            raise toml.refuse(
                f"{printed.stage!r} is complex: no printed digits are compared with it",
                *place,
                advice="print its parts, as stages of their own",
            )
        if printed.decimals is not None and (printed.decimals < 0 or printed.float32):
            raise toml.refuse(
                "'decimals' must be 0 or above, and cannot stand beside 'float32'", *place, "decimals"
            )
        if not _check_printed(toml, printed.values, values[printed.stage].shape, *place, "values"):
            raise toml.refuse("'values' holds no number", *place, "values", advice="give at least one")
        for earlier in published[:index]:
            if (earlier.stage, earlier.source) == (printed.stage, printed.source):
                raise toml.refuse(
                    f"two printed values of {printed.stage!r} have one source",
                    *place,
                    "source",
                    advice="say in each source which of them it is",
                )


def _check_printed(toml: Toml, item: Any, shape: Shape, *place: Key) -> int:
    """Return how many numbers there are in a nested list that fits the shape."""
    if isinstance(item, str):
        if shape:
            raise toml.refuse(
                f"{item!r} stands where a list is expected: {len(shape)} more dimensions", *place
            )
        if not is_number(item):
            raise toml.refuse(f"{item!r} is not a printed number", *place, advice='write it as "0.50"')
        return 1
    if not isinstance(item, tuple):
        raise toml.refuse(
            f"{item!r} has lost the digits it was printed with", *place, advice='write it as text: "0.50"'
        )
    if not shape:
        raise toml.refuse("the printed numbers have more dimensions than the value", *place)
    elided = item.count(ELIDED)
    if elided > 1:
        raise toml.refuse("'...' stands twice in one list", *place)
    size = shape[0]
    if isinstance(size, int) and (len(item) - elided > size or (not elided and len(item) != size)):
        raise toml.refuse(
            f"there are {len(item) - elided} items for a dimension of {size}",
            *place,
            advice='elide with "..."',
        )
    return sum(
        _check_printed(toml, element, shape[1:], *place, number)
        for number, element in enumerate(item)
        if element != ELIDED
    )


def _check_text(toml: Toml, text: str, *place: Key) -> None:
    if not text.strip():
        raise toml.refuse(f"'{place[-1]}' is empty", *place, advice="say it in a few words")


def _check_known(toml: Toml, name: str, values: Values, *place: Key) -> None:
    if name not in values:
        raise toml.refuse(
            f"{place[0]}: there is no stage's output {name!r}",
            *place,
            advice=f"there are: {', '.join(values)}",
        )


def _can_equal(left: Shape, right: Shape) -> bool:
    return len(left) == len(right) and all(
        isinstance(a, str) or isinstance(b, str) or a == b for a, b in zip(left, right, strict=True)
    )


def _written(shape: Shape) -> str:
    return f"[{', '.join(map(str, shape))}]"
