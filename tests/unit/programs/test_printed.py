"""Printed numbers are linked to what was recorded, and become results of both programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.programs.alignment import LIMITS
from harness.programs.launch import as_program, record
from harness.programs.match import match
from harness.programs.printed import Printed, with_printed
from harness.programs.replace import Side
from harness.programs.units import units_of
from harness.sessions.sandbox import Sandbox

A = """
values = [1.25, 2.5, 7.125]
mean = sum(values) / 3
widest = max(values) - min(values)
print("mean", mean, "width", widest)
"""
B = """
def show(name, numbers):
    print(name + ": " + " ".join(f"{n:.6f}" for n in numbers))

data = [1.25, 2.5, 7.125]
m = sum(data) / len(data)
w = data[2] - data[0]
show("mean", [m])
show("width", [w])
"""


def printed(folder: Path, a: str, b: str) -> Printed:
    sides = []
    for name, text in (("a.py", a), ("b.py", b)):
        (folder / name).write_text(text, encoding="utf-8")
        recorded = record(as_program(folder / name), Sandbox(kind="none", unsandboxed=True), limits=LIMITS)
        assert not recorded.trouble
        sides.append(Side(recorded, units_of(recorded.trace)))
    return with_printed(sides[0], sides[1], match(sides[0].units, sides[1].units))


def test_what_a_function_prints_is_linked_to_the_variable(tmp_path: Path) -> None:
    made = printed(tmp_path, A, B)
    assert (made.agreeing, made.apart) == (2, 0)
    assert len(made.pairs) == 2
    assert all(pair.agrees for pair in made.pairs)


@pytest.mark.parametrize(
    ("old", "new", "value"),
    [("/ len(data)", "/ 2", 5.4375), ("data[2] - data[0]", "data[2] + data[0]", 8.375)],
)
def test_a_number_that_differs_is_a_result_that_differs(
    tmp_path: Path, old: str, new: str, value: float
) -> None:
    made = printed(tmp_path, A, B.replace(old, new))
    (off,) = [pair for pair in made.pairs if not pair.agrees]
    assert float(made.b.units[off.b].values[0]) == value
    assert not made.matching.equal[off.a, off.b]


ESTIMATE = """
seen, once, twice = 7, 4, 3
total = 1.625 * once
estimate = seen + once * (once - 1) {} (2 * (twice + 1))
print("estimate", {}, "total", total)
"""


@pytest.mark.parametrize(
    ("operator", "shown", "apart"),
    [("//", "estimate", 1), ("/", "round(estimate)", 0), ("/", "f'{estimate:.0f}'", 0)],
)
def test_a_whole_number_is_another_where_nothing_was_rounded(
    tmp_path: Path, operator: str, shown: str, apart: int
) -> None:
    made = printed(tmp_path, ESTIMATE.format(operator, shown), ESTIMATE.format("/", "estimate"))
    assert (made.agreeing, made.apart) == (2 - apart, apart)


def test_printouts_without_a_number_in_common_are_not_held_against_each_other(tmp_path: Path) -> None:
    made = printed(tmp_path, A, "print('nothing')\n")
    assert made.pairs == []


@pytest.mark.parametrize(
    ("old", "new", "off"),
    [
        ("/ len(data)", "/ (len(data) - 1)", 1),
        # Not of one size, and of variables that nothing says to be the same.
        ("w = data[2] - data[0]", "w = 3000 * data[2] ** 3", 0),
    ],
)
def test_the_one_number_that_each_has_left_in_another_order_differs(
    tmp_path: Path, old: str, new: str, off: int
) -> None:
    many = f"rows = {[n + 0.275 for n in range(2, 12)]}\nfor row in rows:\n    print(row)\n"
    turned = B.replace(old, new) + many
    made = printed(tmp_path, many + A.replace('"mean", mean,', 'f"mean {mean:.6f}",'), turned)
    assert sum(not pair.agrees for pair in made.pairs) == off


def test_a_row_that_only_one_prints_is_no_result_of_the_other(tmp_path: Path) -> None:
    many = f"rows = {[n + 0.275 for n in range(2, 12)]}\nfor row in rows:\n    print(row)\n"
    a = f"{many}last = max(110, 90)\nprint('from row', 90, 'to', last)\n"
    b = f"long = 50 + 50\nprint('lasts', long, 's')\n{many}"
    made = printed(tmp_path, a, b)
    assert made.agreeing == 10
    assert all(pair.agrees for pair in made.pairs)


def test_small_numbers_that_are_printed_in_the_same_place_are_the_same_variable(tmp_path: Path) -> None:
    a = "agents, need, size = 4, 7, 7\nprint('agents', need, 'size', size, 'rate', 1.625)\n"
    b = "enough, m = 7, 7\nprint('agents', enough, 'size', m, 'rate', 1.625)\n"
    made = printed(tmp_path, a, b)
    found = {(made.a.units[pair.a].name, made.b.units[pair.b].name) for pair in made.matching.variables}
    assert {("need", "enough"), ("size", "m")} <= found
    # What stands in two places says nothing, nor does what is only computed there.
    made = printed(tmp_path, a.replace("'size', size", "'size', need"), b)
    found = {(made.a.units[pair.a].name, made.b.units[pair.b].name) for pair in made.matching.variables}
    assert ("need", "m") not in found
    made = printed(tmp_path, a.replace("need, 'size'", "agents + 3, 'size'"), b)
    found = {(made.a.units[pair.a].name, made.b.units[pair.b].name) for pair in made.matching.variables}
    assert ("agents", "enough") not in found
