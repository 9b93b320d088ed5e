"""What each of two printouts has left: a result of both, one that only one prints, or one that differs."""

from __future__ import annotations

import numpy as np
import pytest

from harness.programs.equal_tokens import Place
from harness.programs.left_over import alone, left_over, without_others
from harness.programs.match import Matching
from harness.programs.shows import Origin
from harness.programs.tokens import Token, tokens_of
from harness.programs.trace import Site
from harness.programs.units import Unit

NONE = Matching([], [], np.zeros((0, 0), dtype=bool), np.zeros((0, 0)), {})


def units_of(values: dict[str, float], kind: str = "set") -> list[Unit]:
    """A unit of each variable, which has one value."""
    return [
        Unit(
            n, Site(n, "a.py", n + 1, kind, name, "", (), (), ()), "", [np.array(value)], [1], set(), set(),
            [n], [frozenset()], [-1],
        )
        for n, (name, value) in enumerate(values.items())
    ]  # fmt: skip


def origins_of(tokens: list[Token], units: list[Unit]) -> dict[int, Origin]:
    """The unit that each number shows, by its order."""
    numbers = [n for n, one in enumerate(tokens) if one.is_number]
    return {
        n: Origin(unit.number, 0, 0, False, 1.0, unit.values[0].item(), frozenset(), unit.site.name)
        for n, unit in zip(numbers, units, strict=False)
    }


A, B = "rate 0.21 sd 1.4286", "rate 0.21 top 1.7321"
SD, TOP = 1.42857142857, 1.73205080757


def kept(b: str, own: dict[str, float], other: dict[str, float], *, straight: bool) -> bool:
    tokens = tokens_of(A), tokens_of(b)
    units = units_of({"rate": 0.21, **own}), units_of({"rate": 0.21, **other})
    place = Place(3, 3, False, 1.0)
    origins = origins_of(tokens[0], units[0]), origins_of(tokens[1], units[1])
    return place in without_others(tokens, [place], origins, units, NONE, {place} if straight else set())


def test_results_that_both_compute_and_one_prints_do_not_differ() -> None:
    both = {"sd": SD, "top": TOP}
    assert not kept(B, both, {"top": TOP, "sd": SD}, straight=True)
    # One of them has come nowhere else.
    assert kept(B, both, {"top": TOP}, straight=True)
    assert kept(B, {"sd": SD}, {"top": TOP, "sd": SD}, straight=True)


def test_one_result_may_be_printed_for_another_where_the_words_are_the_same() -> None:
    b = B.replace("top", "sd")
    both, turned = {"sd": SD, "top": TOP}, {"top": TOP, "sd": SD}
    assert kept(b, both, turned, straight=True)
    assert not kept(b, both, turned, straight=False)


@pytest.mark.parametrize(
    ("a", "b", "pairs"),
    [
        ("rate 0.21\nsplits 79.1 66.5 71.5", "laps 78.6 66.6 72.0\nrate 0.21", 3),
        # A half of it is another size, and two are a few.
        ("rate 0.21\nsplits 79.1 66.5 71.5", "laps 78.6 9.6 72.0\nrate 0.21", 0),
        ("rate 0.21\nsplits 79.1 66.5", "laps 78.6 66.6\nrate 0.21", 0),
        # Not one row.
        ("rate 0.21\nsplits 79.1 66.5\n71.5", "laps 78.6 66.6 72.0\nrate 0.21", 0),
        # What is infinite is no result, and a whole number is no fraction.
        ("rate 0.21 to inf\nleft 8108.25 of 110", "left 8072.24\nrate 0.21 100", 1),
    ],
)
def test_the_row_that_each_has_left_is_the_same(a: str, b: str, pairs: int) -> None:
    tokens = tokens_of(a, "python"), tokens_of(b, "python")
    rates = [next(n for n, one in enumerate(side) if one.value == 0.21) for side in tokens]
    many = units_of({f"x{n}": n + 0.5 for n in range(9)})
    origins = origins_of(tokens[0], many), origins_of(tokens[1], many)
    made = left_over(tokens, [Place(rates[0], rates[1], True, 1.0)], origins, (many, many), NONE)
    assert len(made) == pairs


@pytest.mark.parametrize(
    ("own", "other", "kind", "left"),
    [
        ({}, {}, "set", (["110"], ["100"])),
        # One counts from one, and prints the place; the other prints how long it takes, which both have.
        ({"took": 100.0}, {"peak": 109.0}, "set", ([], [])),
        ({}, {"peak": 109.0}, "set", ([], ["100"])),
        ({}, {"peak": 110.0}, "set", ([], ["100"])),
        ({}, {"peak": 109.0}, "loop", (["110"], ["100"])),
    ],
)
def test_a_whole_number_that_the_other_program_has_computed_is_not_alone(
    own: dict[str, float], other: dict[str, float], kind: str, left: tuple[list[str], list[str]]
) -> None:
    tokens = tokens_of("to 110 at 0.21"), tokens_of("at 0.21 in 100")
    units = units_of(own, kind), units_of(other, kind)
    found = alone(tokens, [Place(3, 1, True, 1.0)], units, -1)
    assert tuple([one.text for one in side] for side in found) == left
