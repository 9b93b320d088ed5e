"""What the wording of two programs in one language says of their lines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from harness.programs.likelihood import Likelihood
from harness.programs.match import match
from harness.programs.pairing import Pairing
from harness.programs.suspicion import Suspicion
from harness.programs.syntax import Tree, statements
from harness.programs.trace import Event, Site, Trace
from harness.programs.units import Unit, units_of
from harness.programs.wording import Wording

BEFORE = ["x = load()", "w = 2.5 * x + 1", "s = w.mean() - x.std(ddof=1)", "print(s)"]
AFTER = ["data = load()", "scaled = 1 + data * 2.5", "t = np.mean(scaled) - np.std(data, ddof=0)", "print(t)"]
NAMES = ("x", "w", "s"), ("data", "scaled", "t")


def tree(statement: str) -> Tree:
    return statements("python", ["import math", "import numpy as np", statement])[3][0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("y = 10 ** (1.5 * m + 4.8)", "y = 10 ** (4.8 + m * 1.5)  # joule"),
        ("y = np.sqrt(x.mean())", "y = math.sqrt(np.mean(x))"),
        ("y = a > b", "y = (b < a)"),
        ("y.append(x[i] * 2)", "y[i] = 2 * x"),
        ("y += x", "y = sum(x)"),
        ("y = f(x, 1,\n      2)", "y = f(x, 1, 2)"),
        ("y = float(x)", "return_value = x"),
        ("y = -2.5 * x", "y = x * -2.5"),
    ],
)
def test_what_is_computed_in_the_same_way_is_one_form(one: str, other: str) -> None:
    assert tree(one) == tree(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("y = a - b", "y = b - a"),
        ("y = a / b * c", "y = a / (b * c)"),
        ("y = x[i - 1]", "y = x[i]"),
        ("y = x[1:]", "y = x[2:]"),
        ("y = x.std(ddof=1)", "y = x.std(ddof=0)"),
        ("y = x.std(ddof=1)", "y = x.std()"),
        ("y = np.log(x)", "y = np.log10(x)"),
        ("y = a > b", "y = a >= b"),
        ("y = row['a']", "y = row['b']"),
        ("y = -2.5 * x", "y = 2.5 * x"),
    ],
)
def test_what_is_computed_in_another_way_is_another_form(one: str, other: str) -> None:
    assert tree(one) != tree(other)


def test_of_what_cannot_be_read_nothing_is_said() -> None:
    assert statements("python", ["x = ("]) == {}
    assert statements("r", ["x <- 1"]) == {}


def program(names: Sequence[str], ddof: int) -> list[Unit]:
    x = np.array([1.25, 3.5, 2.75, 9.125, 4.0625])
    w = 2.5 * x + 1
    s = w.mean() - x.std(ddof=ddof)
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    own = [("set", names[0], "", x), ("set", names[1], names[0], w)]
    own += [("set", names[2], " ".join(names[:2]), s), ("shown", names[2], names[2], s)]
    for number, (kind, name, reads, value) in enumerate(own, 1):
        trace.sites[number] = Site(number, "x.py", number, kind, name, "", tuple(reads.split()), (), ())
        trace.events.append(Event(number - 1, number, 0, 1, {"": np.asarray(value)}))
    return units_of(trace)


def test_lines_worded_the_same_are_told_from_one_with_another_argument() -> None:
    a, b = program(NAMES[0], 1), program(NAMES[1], 0)
    wording = Wording(a, b, match(a, b).pairs, "python", (BEFORE, AFTER))
    assert ("x.py", 2) in wording.same[0]
    assert ("x.py", 2) in wording.same[1]
    assert ("x.py", 3) not in wording.same[0] | wording.same[1]


def test_a_line_with_one_other_argument_stands_before_those_worded_the_same() -> None:
    a, b = program(NAMES[0], 1), program(NAMES[1], 0)
    matching = match(a, b)
    head = "import numpy as np; "
    texts = [head + BEFORE[0], *BEFORE[1:]], [head + AFTER[0], *AFTER[1:]]
    wording = Wording(a, b, matching.pairs, "python", texts)
    assert wording.near(("x.py", 3), ("x.py", 3)) > 0.5
    assert wording.near(("x.py", 2), ("x.py", 2)) == 0.0
    scores = {("x.py", 2): 5.0, ("x.py", 3): 4.0}
    of_each = Suspicion(scores, {("x.py", 2): [1], ("x.py", 3): [2]}, dict.fromkeys(scores, 0.0), {})

    def first(wording: Wording | None) -> tuple[int, int]:
        pairing = Pairing(a, b, matching, (set(), set()), lambda i, j: 0.0, wording)
        return Likelihood(of_each, of_each, pairing).ranked()[0][:2]

    assert first(None) == (1, 1)
    assert first(wording) == (2, 2)
