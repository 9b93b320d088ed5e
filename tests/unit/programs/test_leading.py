"""Which lines of the other program may be meant as one that is changed."""

from __future__ import annotations

import numpy as np
import pytest

from harness.programs.leading import _BEGINS, _BESIDE, _LEADS, meant_as
from harness.programs.trace import Event, Site, Trace
from harness.programs.units import Unit, units_of

X = np.array([1.25, 3.5, 2.75, 9.125, 4.0625, 0.3125])


def program(*statements: tuple[int, str, str, object]) -> list[Unit]:
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    for number, (line, name, reads, value) in enumerate(statements, 1):
        trace.sites[number] = Site(number, "x.py", line, "set", name, "", tuple(reads.split()), (), ())
        trace.events.append(Event(number - 1, number, 0, 1, {"": np.asarray(value)}))
    return units_of(trace)


def shares(limit: float, *, high: bool = True) -> list[Unit]:
    marks = limit < X if high else limit < -X
    return program((1, "x", "", X), (2, "ok", "x", marks), (3, "share", "ok", X[marks].sum() / 3))


def other(limit: float) -> list[Unit]:
    marks = limit < X
    return program(
        (1, "x", "", X), (2, "seconds", "x", 60 * X), (3, "limit", "", 60 * limit),
        (4, "late", "seconds limit", marks[[1, 3, 5, 0, 2, 4]]), (5, "total", "seconds late", X[marks].sum()),
        (6, "part", "total", X[marks].sum() / 3),
    )  # fmt: skip


def test_where_a_later_line_sets_what_comes_what_leads_there_is_meant_first_of_its_kind() -> None:
    said = meant_as(shares(1.0), shares(3.0), ("x.py", 2), other(3.0))
    assert said == {("x.py", 4): _BEGINS, ("x.py", 5): _BESIDE, ("x.py", 2): _BESIDE}


def test_where_nothing_is_done_with_a_value_that_line_is_meant_and_not_the_value() -> None:
    def own(factor: float) -> list[Unit]:
        return program((1, "x", "", X), (2, "y", "x", factor * X), (3, "z", "y", np.exp(factor * X)))

    given = program((1, "x", "", X), (2, "y", "x", X), (3, "z", "y", np.exp(X)))
    assert meant_as(own(2.0), own(1.0), ("x.py", 2), given) == {("x.py", 2): _BEGINS}


def centred(factor: float) -> list[Unit]:
    return program((1, "x", "", X), (2, "y", "x", factor * X), (3, "z", "y", np.exp(factor * X / 3)))


@pytest.mark.parametrize(("line", "said"), [(2, {2: _BEGINS}), (3, {5: _BEGINS, 4: _BESIDE, 3: _BESIDE})])
def test_what_the_line_itself_sets_is_meant_most(line: int, said: dict[int, float]) -> None:
    longer = program(
        (1, "x", "", X), (2, "twice", "x", 2 * X), (3, "third", "twice", 2 * X / 3),
        (4, "other", "third", np.exp(2 * X / 3) / 7), (5, "z", "other", np.exp(2 * X / 3)),
    )  # fmt: skip
    found = meant_as(centred(3.0), centred(2.0), ("x.py", line), longer)
    known = {("x.py", at): worth for at, worth in said.items()}
    assert found == (known if line == 2 else known | {("x.py", 2): _BESIDE})


def test_what_leads_from_the_first_that_is_lacking_is_meant_less_and_what_is_not_lacking_never() -> None:
    def own(factor: float) -> list[Unit]:
        return program(
            (1, "x", "", X), (2, "factor", "x", factor), (3, "y", "x factor", np.exp(factor * X)),
            (4, "there", "x", X**2),
        )  # fmt: skip

    theirs = program(
        (1, "x", "", X), (2, "square", "x", X[::-1] ** 2), (3, "k", "square", 2 * X + 1),
        (4, "m", "k", 2 * X + 2), (5, "y", "m", np.exp(2 * X)),
    )  # fmt: skip
    found = meant_as(own(3.0), own(2.0), ("x.py", 2), theirs)
    assert found == {("x.py", 4): _LEADS, ("x.py", 3): _BEGINS}
    assert meant_as(own(3.0), own(3.0), ("x.py", 2), theirs) == {}
