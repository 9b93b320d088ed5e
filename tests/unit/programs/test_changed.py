"""The change of a line that makes two programs agree, said as the relation of two statements."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.programs.alignment import LIMITS, align
from harness.programs.budget import Budget
from harness.programs.changed import relation_of_change
from harness.programs.launch import as_program, record
from harness.programs.repairs import Repairs
from harness.programs.replace import Side
from harness.programs.units import Unit, units_of
from harness.sessions.sandbox import Sandbox

SANDBOX = Sandbox(kind="none", unsandboxed=True)
RIGHT = """
levels = [1.25, 2.5, 7.125, 3.0, 2.5, 4.875]
high = [level for level in levels if level < 3.0]
mean = sum(high) / len(high)
print("mean", mean, "largest", max(high))
"""
WRONG = RIGHT.replace("< 3.0", "<= 3.0")


def side(path: Path, text: str) -> Side:
    path.write_text(text, encoding="utf-8")
    recorded = record(as_program(path), SANDBOX, limits=LIMITS)
    return Side(recorded, units_of(recorded.trace))


def of_line(one: Side, line: int) -> Unit:
    return next(unit for unit in one.units if unit.site.line == line)


def test_a_change_that_mends_a_line_is_its_relation(tmp_path: Path) -> None:
    sides = side(tmp_path / "a.py", WRONG), side(tmp_path / "b.py", RIGHT)
    repairs = Repairs(sides, SANDBOX, LIMITS, Budget())
    units = of_line(sides[0], 3), of_line(sides[1], 3)
    assert relation_of_change(sides, units, None, look=True) == ""
    # Nothing is tried unless it is asked for.
    assert relation_of_change(sides, units, repairs) == ""
    assert repairs.runs == 0
    said = relation_of_change(sides, units, repairs, look=True)
    assert said == "with `<` for `<=` in a.py all that is printed would agree"
    # Of other lines nothing is known, and not looked for again.
    others = of_line(sides[0], 4), of_line(sides[1], 4)
    assert relation_of_change(sides, others, repairs, look=True) == ""


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("np.std(x, ddof=1)", "np.std(x)", "with `ddof=1` added in a.py"),
        ("np.std(x)", "np.std(x - y)", "- y"),
    ],
)
def test_what_is_missing_or_too_much_is_said(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    text = "import numpy as np\nx = np.array([1.5, 2.25, 9.0])\ny = np.sqrt(x)\ns = {}\nprint('s', s, x)\n"
    sides = side(tmp_path / "a.py", text.format(wrong)), side(tmp_path / "b.py", text.format(right))
    repairs = Repairs(sides, SANDBOX, LIMITS, Budget())
    made = relation_of_change(sides, (of_line(sides[0], 4), of_line(sides[1], 4)), repairs, look=True)
    assert said in made
    assert made.endswith("all that is printed would agree")


def test_a_line_that_is_proved_is_named_by_a_change_that_is_tried_of_it(tmp_path: Path) -> None:
    text = "import numpy as np\nx = np.array([1.5, 2.25, 9.0])\ny = np.sqrt(x) - 2\nw = {}\nprint('w', w)\n"
    (tmp_path / "a.py").write_text(text.format("np.arctan2(x, y)"), encoding="utf-8")
    (tmp_path / "b.py").write_text(text.format("np.arctan2(y, x)"), encoding="utf-8")
    first = align(as_program(tmp_path / "a.py"), as_program(tmp_path / "b.py"), SANDBOX).divergences[0]
    assert first.kind == "local"
    assert "`y, x` for `x, y`" in first.relation or "`x, y` for `y, x`" in first.relation
