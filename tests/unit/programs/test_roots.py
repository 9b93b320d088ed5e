"""Where a difference can begin, and which values of another program are known."""

from __future__ import annotations

from typing import Any

import numpy as np

from harness.numerics.layouts import same_up_to_layout
from harness.programs.frontier import frontier
from harness.programs.match import match
from harness.programs.nearness import likeness
from harness.programs.pool import Pool, selected
from harness.programs.sequences import Sequence, compare
from harness.programs.trace import Event, Site, Trace
from harness.programs.units import Unit, units_of

X = np.array([1.25, 3.5, 2.75, 9.125, 4.0625])
Y = np.array([0.5, 1.75, 2.625, 3.375, 8.5])


def program(*statements: tuple[int, str, str, Any]) -> list[Unit]:
    """The units of a program: for each statement its line, name, names read and value; print is shown."""
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    for number, (line, name, reads, value) in enumerate(statements, 1):
        kind, own = ("shown", name.removeprefix("print ")) if name.startswith("print ") else ("set", name)
        trace.sites[number] = Site(number, "x.py", line, kind, own, "", tuple(reads.split()), (), ())
        array = np.asarray(value, dtype=object if isinstance(value, str) else None)
        trace.events.append(Event(number - 1, number, 0, 1, {"": array}))
    return units_of(trace)


def lines_where_it_begins(a: list[Unit], b: list[Unit]) -> tuple[set[int], set[int]]:
    pairs = match(a, b).pairs
    firsts = frontier(a, b, pairs, "a").firsts, frontier(b, a, pairs, "b").firsts
    return {a[i].site.line for i in firsts[0]}, {b[j].site.line for j in firsts[1]}


def fitted(factor: float) -> list[Unit]:
    centred = Y - Y.mean()
    slope = factor * float(X @ centred)
    return program(
        (1, "x", "", X), (2, "y", "", Y), (3, "centred", "y", centred), (4, "slope", "x centred", slope),
        (5, "total", "slope", slope**2 + 1), (6, "print total", "total", slope**2 + 1),
    )  # fmt: skip


def test_a_difference_begins_where_known_values_make_an_unknown_one() -> None:
    assert lines_where_it_begins(fitted(1.0), fitted(1.1)) == ({4}, {4})


def test_a_difference_begins_earlier_where_the_earlier_value_is_wrong_too() -> None:
    wrong = fitted(1.1)
    wrong[2].values[0] = wrong[2].values[0] * 1.1
    assert lines_where_it_begins(fitted(1.0), wrong) == ({3}, {3})


def test_a_pool_knows_values_slices_and_elements_and_nothing_else() -> None:
    table = np.column_stack([X, Y])
    pool = Pool(program((1, "table", "", table)))
    assert pool.has(table.T)
    assert not pool.has(table + 1e-3)
    assert pool.has_slice(Y)
    assert not pool.has_slice(Y[::-1])
    assert not pool.has(Y)
    assert pool.has_slices(np.column_stack([Y, X]))
    assert not pool.has_slices(np.column_stack([Y, X + 1]))
    assert pool.has_elements(Y[::-1])
    assert not pool.has_elements(Y + 1e-3)


def test_whole_numbers_as_floats_may_be_counted_from_one() -> None:
    index = np.array([3, 1, 4, 1, 5])
    assert same_up_to_layout(index, (index + 1).astype(float)) == "shifted"
    assert not same_up_to_layout(index, (index + 2).astype(float))
    assert not same_up_to_layout(index, index + 1.5)
    # A count and one less than it are no two ways to count.
    assert not same_up_to_layout(np.array(25), np.array(26.0))


def texts(*values: str) -> Unit:
    units = program((1, "names", "", values[0]))
    units[0].values[:] = [np.array(value, dtype=object) for value in values]
    return units[0]


def test_texts_of_a_loop_are_those_of_a_column() -> None:
    loop = Sequence(texts("Hamburg", "Homburg", "Amberg"))
    column = texts("x")
    column.values[:] = [np.array(["Hamburg", "Homburg", "Amberg"], dtype=object)]
    assert compare(loop, Sequence(column)).agrees
    column.values[:] = [np.array(["Hamburg", "Homburg", "Bamberg"], dtype=object)]
    assert not compare(loop, Sequence(column)).agrees


MATRIX = np.sqrt(np.arange(2.0, 11.0)).reshape(3, 3)


def taken(which: np.ndarray, name: str) -> list[Unit]:
    values = MATRIX[which]
    return program(
        (1, "matrix", "", MATRIX), (2, name, "matrix", values), (3, "mean", name, values.mean()),
        (4, "print mean", "mean", values.mean()),
    )  # fmt: skip


def test_that_all_elements_are_known_does_not_say_that_they_are_the_right_ones() -> None:
    own, other = taken(np.tri(3, dtype=bool), "pairs"), taken(np.tri(3, k=-1, dtype=bool), "upper")
    assert 1 in frontier(own, other, [], "a").firsts
    assert selected(own[1].values[0], [MATRIX])
    assert not selected(own[1].values[0] * 2, [MATRIX])
    assert not selected(MATRIX, [MATRIX])


def in_loop(values: np.ndarray, *, at_once: bool) -> Unit:
    trace = Trace({1: Site(1, "x.py", 1, "test", "if", "", (), (), ())}, {0: 0}, {0: 0}, [], {})
    for place, value in enumerate([values] if at_once else list(values)):
        trace.events.append(Event(place, 1, 0, place + 1, {"": np.asarray(value)}))
    return units_of(trace)[0]


def test_what_a_loop_asks_is_like_a_mask_that_is_but_for_an_element_the_same() -> None:
    mask = np.array([True, False, True, True, False, True])
    near, far = mask.copy(), ~mask
    near[4] = True
    own = in_loop(mask, at_once=False)
    assert likeness(own, in_loop(near, at_once=True)) > likeness(own, in_loop(far, at_once=True)) + 0.1
