"""Changes of one line with which two programs print the same."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from harness.errors import ProvisionError
from harness.programs.alignment import LIMITS
from harness.programs.budget import Budget
from harness.programs.launch import Recorded, as_program, command_of, record
from harness.programs.operands import Edit
from harness.programs.promising import Repair, promising
from harness.programs.repairs import Repairs, _each_first, time_for
from harness.programs.replace import Side
from harness.programs.units import units_of
from harness.sessions.sandbox import Sandbox

SANDBOX = Sandbox(kind="none", unsandboxed=True)
RIGHT = """
values = [1.25, 2.5, 7.125, 3.0]
n = len(values)
mean = sum(values) / n
spread = sum((v - mean) ** 2 for v in values) / (n - 1)
print("mean", mean)
print("spread", spread, "widest", max(values))
"""
WRONG = RIGHT.replace("(n - 1)", "n")
OTHER_ORDER = RIGHT.replace('print("mean", mean)\n', "") + 'print("mean", mean)\n'


IN_JULIA = """
rate(level) = -0.5level + 0.1
function steps(level, width, many)
    for i in 1:many
        level += width * (rate(level) + rate(level + width * rate(level))) / 3
    end
    return level
end
println("after ", steps(2.0, 0.125, 20), " later ", steps(1.5, 0.25, 9))
"""
IN_PYTHON = """
def steps(level, width, many):
    for _ in range(many):
        slope = -0.5 * level + 0.1
        ahead = level + width * slope
        level = level + width / 2 * (slope + (-0.5 * ahead + 0.1))
    return level
print("after", steps(2.0, 0.125, 20), "later", steps(1.5, 0.25, 9))
"""


def found(
    folder: Path,
    a: str,
    b: str,
    lines: tuple[dict[int, float], dict[int, float]],
    names: tuple[str, str] = ("a.py", "b.py"),
) -> list[Repair]:
    sides = []
    for name, text in zip(names, (a, b), strict=True):
        (folder / name).write_text(text, encoding="utf-8")
        recorded = record(as_program(folder / name), SANDBOX, limits=LIMITS)
        sides.append(Side(recorded, units_of(recorded.trace)))
    return Repairs((sides[0], sides[1]), SANDBOX, LIMITS, Budget()).found(lines)


@pytest.mark.parametrize("right", [RIGHT, OTHER_ORDER])
def test_the_line_is_found_whose_change_makes_all_agree(tmp_path: Path, right: str) -> None:
    lines = {4: 0.3, 5: 0.2, 7: 0.2}
    made = found(tmp_path, WRONG, right, (lines, {}))
    assert {(one.side, one.line) for one in made} == {(0, 5)}
    assert any(one.edit.text == WRONG.splitlines()[4].replace("/ n", "/ (n - 1)") for one in made)
    assert "would agree" in made[0].said


def test_a_change_of_the_other_program_shows_the_line_too(tmp_path: Path) -> None:
    made = found(tmp_path, WRONG, RIGHT, ({}, {4: 0.3, 5: 0.2}))
    assert {(one.side, one.line) for one in made} == {(1, 5)}


@pytest.mark.julia
def test_the_line_of_a_program_in_julia_is_found(tmp_path: Path) -> None:
    try:
        command_of("julia")
    except ProvisionError:
        pytest.skip("no Julia here")
    lines = {2: 0.3, 4: 0.2, 5: 0.2}
    made = found(tmp_path, IN_PYTHON, IN_JULIA, ({}, lines), ("a.py", "b.jl"))
    assert {(one.side, one.line) for one in made} == {(1, 5)}
    assert made[0].edit.text == IN_JULIA.splitlines()[4].replace("/ 3", "/ 2")


def test_nothing_is_tried_where_all_agrees_or_a_digit_alone_differs(tmp_path: Path) -> None:
    lines: tuple[dict[int, float], dict[int, float]] = ({5: 1.0}, {5: 1.0})
    assert not found(tmp_path, RIGHT, RIGHT, lines)
    assert not found(tmp_path, "n = 3\nprint(n)\n", "n = 2 + 2\nprint(n)\n", ({1: 1.0}, {1: 1.0}))


def test_numbers_that_vanish_or_are_none_are_no_agreement(tmp_path: Path) -> None:
    a = "rows = [2.5, 3.25]\nscale = 100.5\nfor row in rows:\n    print(row * scale)\n"
    b = a.replace("100.5", "200.25")
    assert not found(tmp_path, a.replace("rows:", "rows[:2]:"), b, ({3: 1.0}, {}))
    made = found(tmp_path, a, b, ({2: 1.0}, {}))
    assert [(one.line, one.edit.text) for one in made] == [(2, "scale = 200.25")]


def of_printed(a: str, b: str) -> Repairs:
    """What looks for changes, of two programs of which only what they print matters."""
    program = SimpleNamespace(language="python", source=[])
    recorded = [SimpleNamespace(printed=text, processor_seconds=0.1, program=program) for text in (a, b)]
    sides = [Side(cast("Recorded", one), []) for one in recorded]
    return Repairs((sides[0], sides[1]), SANDBOX, LIMITS, Budget())


def test_a_number_may_lose_an_equal_that_it_had_by_chance_where_many_come() -> None:
    # The second prints hours with a decimal, which the first does not; by chance the first printed one.
    right = [f"{7.125 + 3.5 * n:.3f}" for n in range(12)]
    wrong = [*(f"{7.625 + 3.25 * n:.3f}" for n in range(11)), "16.000"]
    other = "\n".join([*reversed(right), "hours", "16.0", "24.0"])
    repairs = of_printed(" ".join(wrong), other)
    assert repairs._nearly_all(0, " ".join(right))
    # Not where few come, nor where something new comes that the other has not.
    assert not of_printed(" ".join([*right[:6], *wrong[6:]]), other)._nearly_all(0, " ".join(right))
    assert not repairs._nearly_all(0, " ".join([*right, "99.125"]))


def test_a_number_that_is_only_printed_coarser_has_not_come() -> None:
    repairs = of_printed("mean 2.5\nshare 0.077\n", "mean 2.5\nshare 0.083\n")
    assert not repairs._agrees(0, "mean 2.5\nshare 0\n")
    assert repairs._agrees(0, "mean 2.5\nshare 0.08333\n")
    # Nor has it in another order, where a coarser number elsewhere is equal to what the other has alone.
    repairs = of_printed("rest 0.129 share 0.077", "share 0.083 rest 0.129")
    assert not repairs._nearly_all(0, "rest 0.1 share 0.077")
    assert repairs._nearly_all(0, "rest 0.129 share 0.083")


def test_of_a_line_that_is_mostly_it_changes_are_tried_besides_the_first_of_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = [
        (100.0 - line, Repair(0, line, Edit(f"{line} {at}", "", "", sort)))
        for line in range(1, 31) for at, sort in enumerate(("sign", "bound", *("number",) * 10))
    ]  # fmt: skip
    monkeypatch.setattr("harness.programs.repairs.promising", lambda *_: made)
    monkeypatch.setattr(Repairs, "_printed", lambda _, batch: [None] * len(batch))
    for share, runs in ((0.9, 30 * 2 + 96), (0.5, 30 * 12)):
        repairs = of_printed("1.25", "2.375")
        repairs.found(({1: share}, {1: share}))
        assert repairs.runs == runs


@pytest.mark.parametrize(("left", "seconds"), [(math.inf, 160.0), (280.0, 160.0), (80.0, 60.0), (30.0, 30.0)])
def test_changes_are_tried_for_a_share_of_the_time_that_is_left(left: float, seconds: float) -> None:
    assert time_for(left) == seconds


def test_each_likely_line_is_changed_once_before_one_is_changed_twice() -> None:
    made = ((3, "number"), (3, "number"), (3, "sign"), (3, "bound"), (5, "number"), (7, "sign"), (5, "bound"))
    ordered = [(1.0, Repair(0, line, Edit("x = 1", "2", "1", sort))) for line, sort in made]
    first, others = _each_first(ordered)
    assert [(one.line, one.edit.sort) for _, one in first] == [
        (3, "number"), (5, "number"), (7, "sign"), (3, "sign"), (5, "bound"),
    ]  # fmt: skip
    assert [(one.line, one.edit.sort) for _, one in others] == [(3, "number"), (3, "bound")]


def test_the_numbers_of_a_line_that_it_may_be_meant_as_are_tried() -> None:
    texts = ["day = 24 * 60", "span = 100 * hours + minutes"], ["span = hours + minutes / 60"]
    sides = cast("tuple[Side, Side]", (SimpleNamespace(language="python"),) * 2)
    made = promising(sides, texts, ({2: 1.0}, {}), ({2: [1]}, {}))
    assert "span = 60 * hours + minutes" in {one.edit.text for _, one in made}
