"""Checks of what is said of each value of a case: its kind, its tolerance, how it is drawn."""

from __future__ import annotations

from harness.model import Precision, Stage, Tolerance, Value
from harness.store.tolerance_checks import check_tolerance
from harness.store.toml import Key, Toml

EXACT = Tolerance(rule="exact")
"""The tolerance of texts and dates of which none is stated."""

_COUNTED = ("date", "time")
"""Of these kinds a difference has a size: days, or microseconds."""


def check_show(toml: Toml, value: Value, *place: Key) -> None:
    """Refuse to draw what has the wrong number of dimensions, and choices for what is not drawn."""
    if value.show is None:
        for key, given in (("show_samples", value.show_samples != "*"), ("labels", bool(value.labels))):
            if given:
                raise toml.refuse(
                    f"{value.name!r} is not shown", *place, key, advice='add show = "heatmap", or remove it'
                )
        return
    if (value.show == "curve") != (len(value.shape) == 1) or not value.shape:
        raise toml.refuse(
            f"{value.name!r} has {len(value.shape)} dimensions, and cannot be shown as a {value.show}",
            *place,
            "show",
            advice="a curve has one dimension, a heat map two or more",
        )
    if value.labels and value.show == "curve":
        raise toml.refuse(f"{value.name!r} is a curve, which has no labels", *place, "labels")


def check_value(toml: Toml, value: Value, *place: Key) -> None:
    """Refuse what cannot be said of an output of its kind."""
    rule = "derived" if value.tolerance is None else value.tolerance.rule
    if value.tolerance is not None and value.tolerance is not EXACT:
        check_tolerance(toml, value.tolerance, *place, "tolerance")
    if rule == "derived" and value.dtype not in ("float", "complex"):
        raise toml.refuse(
            f"{value.name!r} has no tolerance, and none can be derived: it is {value.dtype}",
            *place,
            advice='add tolerance = { rule = "exact" }',
        )
    rules = {rule, *(other.rule for other in value.tolerance.by_sample)} if value.tolerance else {rule}
    if value.dtype in ("bool", "text") and rules != {"exact"}:
        what = "true or false" if value.dtype == "bool" else "text"
        raise toml.refuse(
            f"{value.name!r} is {what}, and cannot be nearly right",
            *place,
            "tolerance",
            advice='use { rule = "exact" }',
        )
    if value.dtype in _COUNTED and not rules <= {"exact", "absolute"}:
        raise toml.refuse(
            f"{value.name!r} is a {value.dtype}: no part of one is small",
            *place,
            "tolerance",
            advice='use { rule = "exact" }, or "absolute" with a value in days or microseconds',
        )
    if value.show is not None and value.dtype in ("text", *_COUNTED):
        raise toml.refuse(f"{value.name!r} is {value.dtype}, and cannot be drawn", *place, "show")
    check_show(toml, value, *place)
    for key in ("nan", "lenient"):
        allowed = ("float", "complex") if key == "nan" else ("float", "complex", "int")
        if value.dtype not in allowed and getattr(value, key):
            what = ", which has no NaN" if key == "nan" else ", and lenient is about numbers"
            raise toml.refuse(f"{value.name!r} is {value.dtype}{what}", *place, key)


def check_complex(
    toml: Toml, inputs: tuple[Value, ...], stages: tuple[Stage, ...], precisions: tuple[Precision, ...]
) -> None:
    """Refuse complex numbers in a precision that has none, and to draw them."""
    values = [
        value
        for value in (*inputs, *(out for stage in stages for out in stage.outputs))
        if value.dtype == "complex"
    ]
    for value in values:
        if value.show is not None:
            raise toml.refuse(
                f"{value.name!r} is complex, and cannot be drawn",
                "stage",
                advice="show its modulus, in a stage of its own",
            )
        for precision in precisions:
            if precision not in (Precision.FLOAT64, Precision.FLOAT32):
                raise toml.refuse(
                    f"{value.name!r} is complex, and there are no complex numbers of {precision}",
                    *("case", "precisions"),
                    advice='use ["float64", "float32"]',
                )
