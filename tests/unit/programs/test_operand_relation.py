"""The relation of two values to a third that their lines read: left out, or in the place of another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from harness.programs.alignment import LIMITS
from harness.programs.launch import as_program, record
from harness.programs.operand_relation import relation_to_operands
from harness.programs.relation import relation_of_units
from harness.programs.trace import Event, Site, Trace
from harness.programs.units import Unit, units_of
from harness.sessions.sandbox import Sandbox

BEGIN = """
import numpy as np
x = np.array([0.31, 2.718, 1.414, 8.125, 5.5001, 3.33, 0.0712, 9.001])
y = np.sqrt(x) + 0.1 * x
edges = np.linspace(0.123, 9.1, 12)
total = 0.0
for k in range(8):
    total = {}
level = {}
"""


def units(folder: Path, each: str, level: str) -> list[Unit]:
    folder.mkdir()
    (folder / "x.py").write_text(BEGIN.format(each, level), encoding="utf-8")
    return units_of(
        record(as_program(folder / "x.py"), Sandbox(kind="none", unsandboxed=True), limits=LIMITS).trace
    )


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("x**2 - y", "x**2", "term: the second is the first plus `y`"),
        ("np.sin(x)", "np.sin(x) / y", "factor: the first is the second times `y`"),
        ("np.sin(x)", "np.sin(x) * (1 - y)", "factor: the second is the first times `1 - y`"),
        ("np.cos(y) - x", "np.cos(y) - y", "term: `x` in the first for `y` in the second"),
        ("np.cos(y) * x", "np.cos(y) * x**2", "factor: the second is the first times `x`"),
        ("edges[np.argmax(x)]", "edges[np.argmax(x) + 1]", "another element of `edges`: the 8. in the first"),
        ("np.sum(x)", "np.sum(x) - np.sum(y)", "term: the first is the second plus `np.sum(y)`"),
        ("np.where(x > 2, x, y**2)", "np.where(x > 4, x, y**2)", "elements: there the second is `y ** 2`"),
    ],
)
def test_what_is_left_out_or_taken_instead_is_named(tmp_path: Path, one: str, other: str, said: str) -> None:
    a, b = units(tmp_path / "a", "x[k]", one), units(tmp_path / "b", "x[k]", other)
    first, second = (next(unit for unit in side if unit.site.name == "level") for side in (a, b))
    assert said in relation_of_units(a, b, first, second, set())


def test_what_is_computed_of_a_value_says_nothing_of_it(tmp_path: Path) -> None:
    a, b = (units(tmp_path / k, "x[k]", f"np.mean(y) / np.{sd}(x)") for k, sd in (("a", "std"), ("b", "ptp")))
    first, second = (
        next(unit for unit in side if unit.name in ("np.std(x)", "np.ptp(x)")) for side in (a, b)
    )
    assert relation_to_operands(a, b, first, second, (first.values[0], second.values[0])) == ""
    # Of the quotient it says which divisor it has.
    first, second = (next(unit for unit in side if unit.name == "level") for side in (a, b))
    said = relation_of_units(a, b, first, second, set())
    assert said == "divisor: `np.std(x)` in the first for `np.ptp(x)` in the second"


def test_all_values_of_a_loop_are_held_to_those_of_another(tmp_path: Path) -> None:
    a = units(tmp_path / "a", "np.sin(x[k])", "0")
    b = units(tmp_path / "b", "np.sin(x[k]) + y[k]", "0")
    first, second = ([unit for unit in side if unit.site.name == "total"][-1] for side in (a, b))
    assert "plus `y`" in relation_of_units(a, b, first, second, set())


def test_nothing_is_named_of_values_that_have_nothing_to_do_with_each_other() -> None:
    draws = np.random.default_rng(3)
    for size in (1, 2, 8):
        for _ in range(40):
            sides = []
            for _ in "ab":
                trace = Trace({}, {0: 0}, {0: 0}, [], {})
                for number in range(12):
                    trace.sites[number] = Site(number, "x.py", 1, "set", f"v{number}", "", (), (), ())
                    value = draws.normal(size=size).squeeze()
                    trace.events.append(Event(number, number, 0, 1, {"": value}))
                sides.append(units_of(trace))
            assert relation_of_units(*sides, sides[0][-1], sides[1][-1], {size}) == ""
