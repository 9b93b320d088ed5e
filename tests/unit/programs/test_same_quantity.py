"""Another name of what a list has is no false match; an equal value that comes from elsewhere is one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import msgspec
import numpy as np
import pytest

from harness.programs.replace import Side
from harness.programs.said import Match
from tests.programs.same_quantity import is_true, names_of
from tests.unit.programs.test_match import program

SIZES = np.array([0.1234, 0.7125, 3.0625])


@pytest.mark.parametrize(
    ("name", "line", "true"),
    [
        ("sizes", 1, True),
        ("frame$sizes", 2, True),
        ("one", 3, True),
        ("equal", 4, False),
        ("total", 5, False),
    ],
)
def test_what_is_handed_on_is_the_same_quantity(name: str, line: int, true: bool) -> None:
    own = program(
        {
            "sizes": ([SIZES], ""), "frame$sizes": ([SIZES], "sizes"), "one": ([*SIZES], "sizes"),
            "equal": ([SIZES], ""), "total": ([SIZES.sum()], "sizes"),
        }
    )  # fmt: skip
    other = program({"lengths": ([SIZES], "")})
    sides = cast("tuple[Side, Side]", (SimpleNamespace(units=own), SimpleNamespace(units=other)))
    match = SimpleNamespace(
        a=SimpleNamespace(name=name, line=line), b=SimpleNamespace(name="lengths", line=1)
    )  # fmt: skip
    assert is_true(cast("Match", match), [("sizes", "lengths")], sides) is true


def test_an_attribute_is_the_same_by_its_object_and_in_its_methods() -> None:
    sides = cast("tuple[Side, Side]", (SimpleNamespace(units=[]),) * 2)
    names = SimpleNamespace(name="f", line=1), SimpleNamespace(name="self.factors", line=2)
    match = cast("Match", SimpleNamespace(a=names[0], b=names[1]))
    assert is_true(match, [("f", "model.factors")], sides)
    assert not is_true(match, [("f", "model.errors")], sides)


def test_a_variable_of_a_function_is_listed_with_or_without_it() -> None:
    units = program({"y": ([SIZES], ""), "total": ([SIZES.sum()], "y")})
    units[0].site = msgspec.structs.replace(units[0].site, function="slope")
    assert names_of(units, "y", 1) == {"y", "slope.y"}
    assert names_of(units, "total", 2) == {"total"}
    side = cast("Side", SimpleNamespace(units=units))
    one = SimpleNamespace(name="y", line=1)
    match = cast("Match", SimpleNamespace(a=one, b=one))
    assert is_true(match, [("slope.y", "slope.y")], (side, side))
    assert not is_true(match, [("run.y", "slope.y")], (side, side))
