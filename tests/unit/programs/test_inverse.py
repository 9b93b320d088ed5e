"""Changes of two programs that undo each other."""

from __future__ import annotations

import pytest

from harness.programs.edits import Edit
from harness.programs.inverse import undoing
from harness.programs.promising import Repair


def both(*changes: tuple[int, int, str, str]) -> tuple[Repair, Repair] | None:
    """The changes, as program, line, text and new text, that undo each other."""
    known = {(side, line): text for side, line, text, _ in changes}
    found = [Repair(side, line, Edit(new, "", "", "number")) for side, line, _, new in changes]
    return undoing(found, lambda one: known[one.side, one.line])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("after = cat[cat.day >= 0]", "after = cat[cat.day > 0]"), ("if days[i] > 0:", "if days[i] >= 0:")),
        (("v / n", "v / (n - 1)"), ("mean(w) / (m - 1)", "mean(w) / (m)")),
        (("keep = x .< 2", "keep = x .<= 2"), ("keep <- x <= 2", "keep <- x < 2")),
        (("k = tail(x, 4)", "k = tail(x, 3)"), ("k <- x[1:3L]", "k <- x[1:4]")),
        (("y = np.log(x)", "y = np.log10(x)"), ("y <- log10(x)", "y <- log(x)")),
        (('t = d["dose"]', 't = d["weight"]'), ("t <- d[['weight']]", "t <- d[['dose']]")),
    ],
)
def test_the_same_exchanged_the_other_way_round_is_one_difference(
    first: tuple[str, str], second: tuple[str, str]
) -> None:
    made = both((0, 5, "total = 3", "total = 4"), (1, 62, *second), (0, 39, *first))
    assert made is not None
    assert [(one.side, one.line) for one in made] == [(0, 39), (1, 62)]


def test_what_changes_something_else_or_the_same_program_undoes_nothing() -> None:
    more, less = ("x > 0", "x >= 0"), ("y >= 0", "y > 0")
    assert both((0, 1, *more), (1, 2, "y < 0", "y <= 0")) is None
    assert both((0, 1, *more), (0, 2, *less)) is None
    # The same way round, each mends another thing; and an order has no words that are exchanged.
    assert both((0, 1, *more), (1, 2, *more)) is None
    assert both((0, 1, "a - b", "b - a"), (1, 2, "c - d", "d - c")) is None


def test_of_several_the_best_two_are_meant() -> None:
    more, less = ("x > 0", "x >= 0"), ("y >= 0", "y > 0")
    made = both((0, 1, *more), (1, 2, *less), (1, 3, *less), (0, 4, *more))
    assert made is not None
    assert [one.line for one in made] == [1, 2]
