"""Lines of one program with what the other program writes in its counterparts of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import ProvisionError
from harness.programs.alignment import LIMITS
from harness.programs.borrowing import Borrowing
from harness.programs.budget import Budget
from harness.programs.launch import as_program, command_of, record
from harness.programs.match import match
from harness.programs.repairs import Repairs
from harness.programs.replace import Side
from harness.programs.units import units_of
from harness.sessions.sandbox import Sandbox

SANDBOX = Sandbox(kind="none", unsandboxed=True)
A = """
counts = [3.0, 9.0, 4.5, 12.25, 7.0]
total = sum(counts)
squares = sum(c * c for c in counts)
evenness = 1 / squares / len(counts)
print("total", total, "evenness", round(evenness, 9))
"""
B = """
catch_ = [3.0, 9.0, 4.5, 12.25, 7.0]
caught = sum(catch_)
squared = sum(c * c for c in catch_)
even = caught ** 2 / squared / len(catch_)
print("total", caught, "evenness", round(even, 9))
"""
IN_R = """
catch <- c(3, 9, 4.5, 12.25, 7)
caught <- sum(catch)
squared <- sum(catch^2)
even <- caught^2 / squared / length(catch)
cat("total", caught, "evenness", round(even, 9), "\\n")
"""


def sides_of(folder: Path, *programs: tuple[str, str]) -> tuple[Side, Side]:
    sides = []
    for name, text in programs:
        (folder / name).write_text(text, encoding="utf-8")
        recorded = record(as_program(folder / name), SANDBOX, limits=LIMITS)
        sides.append(Side(recorded, units_of(recorded.trace)))
    return sides[0], sides[1]


def test_another_formula_is_found_where_the_other_program_has_it(tmp_path: Path) -> None:
    sides = sides_of(tmp_path, ("a.py", A), ("b.py", B))
    borrowing = Borrowing(sides, match(sides[0].units, sides[1].units))
    texts = [edit.text for edit in borrowing.edits(0, 5, 5)]
    assert texts[0] == "evenness = total ** 2 / squares / len(counts)"
    found = Repairs(sides, SANDBOX, LIMITS, Budget(), borrowing).found(({5: 0.5}, {}), ({5: [5]}, {}))
    assert [(one.side, one.line, one.edit.text) for one in found] == [(0, 5, texts[0])]
    assert not Repairs(sides, SANDBOX, LIMITS, Budget()).found(({5: 0.5}, {}))


def test_an_operand_is_found_that_the_other_program_has_besides(tmp_path: Path) -> None:
    a = A.replace("evenness = 1 /", "evenness = counts[0] * counts[1] /")
    b = B.replace("caught ** 2 / squared", "catch_[0] * catch_[1] / (squared - caught)")
    sides = sides_of(tmp_path, ("a.py", a), ("b.py", b))
    borrowing = Borrowing(sides, match(sides[0].units, sides[1].units))
    steps = [edit.text for edit in borrowing.edits(0, 5, 5) if edit.sort == "borrowed step"]
    assert "evenness = counts[0] * counts[1] / (squares - total) / len(counts)" in steps


@pytest.mark.r
def test_another_formula_is_found_in_another_language(tmp_path: Path) -> None:
    try:
        command_of("r")
    except ProvisionError:
        pytest.skip("no R here")
    sides = sides_of(tmp_path, ("a.py", A), ("b.R", IN_R))
    borrowing = Borrowing(sides, match(sides[0].units, sides[1].units))
    assert borrowing.edits(0, 5, 5)[0].new == "total ** 2 / squares / len(counts)"
    assert borrowing.edits(1, 5, 5)[0].new == "1 / squared / length(catch)"


def test_lines_that_reach_outside_are_left_alone(tmp_path: Path) -> None:
    a = A + 'open("x", "w").write(str(total / 2))\n'
    b = B + 'open("y", "w").write(str(caught / 2 + 1))\n'
    sides = sides_of(tmp_path, ("a.py", a), ("b.py", b))
    borrowing = Borrowing(sides, match(sides[0].units, sides[1].units))
    assert borrowing.edits(0, 7, 7) == []
    assert borrowing.edits(0, 5, 7) == []
