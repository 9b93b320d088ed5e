"""Bounds of published digits, against the rule that they stand for."""

from __future__ import annotations

import numpy as np
import pytest

from harness.conformance.bounds import bounds_of
from harness.model import Published
from harness.numerics.printed import prints_as


def published(text: str, decimals: int | None = None, float32: bool = False) -> Published:
    return Published(stage="a", source="s", values=(text,), decimals=decimals, float32=float32)


@pytest.mark.parametrize(
    ("text", "decimals", "float32"),
    [
        ("0.50", None, False),
        ("0.5", 2, False),
        ("-1.25", None, False),
        ("0", None, False),
        ("0.000", None, False),
        ("12345", None, False),
        ("1e3", None, False),
        ("1e22", None, False),
        ("0.1", None, True),
        ("-0.12878", None, True),
    ],
)
def test_the_bounds_print_the_digits_and_their_neighbours_do_not(
    text: str, decimals: int | None, float32: bool
) -> None:
    bounds, elided = bounds_of(published(text, decimals, float32), (1,))
    least, most = float(bounds.least[0]), float(bounds.most[0])
    assert least <= float(text) <= most
    assert not elided.any()
    for value, due in (
        (least, True),
        (most, True),
        (float(np.nextafter(least, -np.inf)), False),
        (float(np.nextafter(most, np.inf)), False),
    ):
        assert prints_as(value, text, decimals=decimals, float32=float32) is due


def test_a_half_is_rounded_to_even() -> None:
    bounds, _ = bounds_of(published("0.2"), (1,))
    assert (bounds.least[0], bounds.most[0]) == (np.nextafter(0.15, 1), 0.25)
    bounds, _ = bounds_of(published("2"), (1,))
    assert (bounds.least[0], bounds.most[0]) == (1.5, 2.5)
    bounds, _ = bounds_of(published("3"), (1,))
    assert (bounds.least[0], bounds.most[0]) == (np.nextafter(2.5, 3), np.nextafter(3.5, 3))


def test_what_is_elided_or_no_number() -> None:
    of = Published(stage="a", source="s", values=("nan", "-Inf", "...", "1.0"))
    bounds, elided = bounds_of(of, (5,))
    assert np.isnan([bounds.least[0], bounds.most[0]]).all()
    assert (bounds.least[1], bounds.most[1]) == (-np.inf, -np.inf)
    assert elided.tolist() == [False, False, True, True, False]
    # No number has three decimals and two.
    bounds, _ = bounds_of(published("0.555", 2), (1,))
    assert bounds.least[0] > bounds.most[0]
    with pytest.raises(ValueError, match="2 printed items for size 3"):
        bounds_of(Published(stage="a", source="s", values=("1", "2")), (3,))
