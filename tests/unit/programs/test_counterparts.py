"""Which line of the other program does what a changed line then does, and what two programs share."""

from __future__ import annotations

import numpy as np

from harness.programs.counterparts import _set_by, in_common, what_comes
from harness.programs.line_table import Line
from harness.programs.trace import Event, Site, Trace
from harness.programs.units import Unit, units_of

X = np.array([1.25, 3.5, 2.75, 9.125, 4.0625])


def program(file: str, *statements: tuple[int, str, str, object], parts: str = "") -> list[Unit]:
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    for number, (line, name, reads, value) in enumerate(statements, 1):
        kind = "part" if name in parts.split() else "set"
        trace.sites[number] = Site(number, file, line, kind, name, "", tuple(reads.split()), (), ())
        trace.events.append(Event(number - 1, number, 0, 1, {"": np.asarray(value)}))
    return units_of(trace)


def counterpart(before: list[Unit], after: list[Unit], line: Line, others: list[Unit]) -> Line | None:
    found = what_comes(before, after, line, others)
    return found[0] if found is not None else None


def variance(divisor: int) -> list[Unit]:
    spread = float(((X - X.mean()) ** 2).sum() / divisor)
    return program(
        "b.py", (1, "x", "", X), (2, "centred", "x", X - X.mean()), (3, "v", "centred", spread),
        (5, "sd", "v", spread**0.5),
    )  # fmt: skip


def test_it_is_the_line_that_sets_first_what_comes_with_the_change() -> None:
    wrong = program("a.py", (1, "data", "", X), (4, "var", "data", float(X.var())), (6, "s", "var", X.std()))
    right, changed = variance(len(X) - 1), variance(len(X))
    assert counterpart(right, changed, ("b.py", 3), wrong) == ("a.py", 4)
    assert counterpart(right, right, ("b.py", 3), wrong) is None
    assert in_common(changed, wrong) > in_common(right, wrong)


def test_what_comes_far_behind_the_change_has_no_counterpart_of_its_line() -> None:
    def chain(start: float) -> list[Unit]:
        steps = [(1, "data", "", X), (2, "v0", "data", X * start)]
        steps += [(n + 2, f"v{n}", f"v{n - 1}", X * start + 10.0**-n) for n in range(1, 6)]
        return program("b.py", *steps)

    last = program("a.py", (1, "data", "", X), (7, "end", "data", X * 2 + 1e-5))
    assert counterpart(chain(3.0), chain(2.0), ("b.py", 2), last) is None
    assert counterpart(chain(3.0), chain(2.0), ("b.py", 5), last) == ("a.py", 7)


def test_what_the_program_has_elsewhere_too_may_be_the_counterpart() -> None:
    def own(factor: float, parts: str = "") -> list[Unit]:
        return program(
            "b.py", (1, "x", "", X), (2, "angle", "x", X * factor), (3, "part", "x", X * 2),
            (4, "decl", "angle", np.cos(X * factor)), parts=parts,
        )  # fmt: skip

    other = program("a.py", (1, "x", "", X), (2, "G", "x", X * 2), (3, "delta", "G", np.cos(X * 2)))
    assert counterpart(own(3.0), own(2.0), ("b.py", 2), other) == ("a.py", 2)
    # What the line only reads is no such value.
    assert counterpart(own(3.0, "angle"), own(2.0, "angle"), ("b.py", 2), other) is None


def test_a_value_that_is_handed_on_is_of_the_last_line_that_set_it() -> None:
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    for number, (line, kind, name, reads) in enumerate(
        [(1, "set", "x", ""), (2, "set", "az", "x"), (3, "set", "az", "az"), (5, "part", "out", "az")], 1
    ):
        trace.sites[number] = Site(number, "a.py", line, kind, name, "", tuple(reads.split()), (), ())
    for number, value in ((1, X), (2, X - 1), (3, X * 2), (4, X * 2)):
        trace.events.append(Event(number - 1, number, 0, 1, {"": value}))
    made = units_of(trace)
    assert _set_by(made, made[3]) == made[2]
    assert _set_by(made, made[1]) == made[1]


def test_a_step_that_gives_back_what_the_line_reads_or_is_counted_otherwise_is_no_counterpart() -> None:
    level, out, counted = X * 2, X / 3, np.array([2, 15, 27, 39, 51])

    def own(step: object, value: object) -> list[Unit]:
        return program(
            "b.py", (1, "x", "", X), (2, "out", "x", out), (3, "step", "out", step),
            (3, "level", "step", value), parts="step",
        )  # fmt: skip

    other = program(
        "a.py", (1, "x", "", X), (2, "take", "x", X / 3), (3, "top", "x", counted), (4, "soc", "take", level)
    )
    before = own(out * 7, X * 5)
    before[1] = program("b.py", (1, "x", "", X), (2, "out", "x", out + 1))[1]
    assert counterpart(before, own(out, level), ("b.py", 3), other) == ("a.py", 4)
    assert counterpart(before, own(counted - 1, level), ("b.py", 3), other) == ("a.py", 4)
