"""In which order to look at lines, by what differs and what agrees after each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import numpy as np
import pytest

from harness.programs.evidence import evidence_of
from harness.programs.grounds import Grounds
from harness.programs.likelihood import Likelihood, Ranked
from harness.programs.line_table import LineTable
from harness.programs.match import match
from harness.programs.pairing import Pairing
from harness.programs.suspicion import Suspicion, suspicion
from harness.programs.trace import Event, Site, Trace
from harness.programs.units import Unit, units_of
from harness.programs.weights import REPAIRED

X = np.array([1.25, 3.5, 2.75, 9.125, 4.0625])
Y = np.array([0.5, 1.75, 2.625, 3.375, 8.5])


def program(slope: float = 1.0, centre: float = 1.0, other: bool = False) -> list[Unit]:
    """A fit, wrong by a factor in its slope (line 4) or its centred values (line 3), or in neither."""
    centred = (Y - Y.mean()) * centre
    fitted = slope * float(X @ centred)
    squares = float(centred @ centred)
    # A value of a form that the other program does not have, from which something follows that agrees.
    extra = np.cumsum(centred) if other else centred * 2
    statements = [
        (1, "x", "", X), (2, "y", "", Y), (3, "centred", "y", centred), (4, "slope", "x centred", fitted),
        (5, "extra", "centred", extra), (6, "squares", "extra centred", squares),
        (7, "total", "slope", fitted**2 + 1), (8, "print total", "total", fitted**2 + 1),
        (9, "print squares", "squares", squares),
    ]  # fmt: skip
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    for number, (line, name, reads, value) in enumerate(statements, 1):
        kind = "shown" if name.startswith("print ") else "set"
        own = name.removeprefix("print ")
        trace.sites[number] = Site(number, "x.py", line, kind, own, "", tuple(reads.split()), (), ())
        trace.events.append(Event(number - 1, number, 0, 1, {"": np.asarray(value)}))
    return units_of(trace)


def lines(a: list[Unit], b: list[Unit]) -> list[tuple[int, int]]:
    matching = match(a, b)
    off = [pair for pair in matching.pairs if not pair.agrees and a[pair.a].kind == "shown"]
    assert off
    grounds = Grounds(a, b, matching, off)
    return [(a[one.a].site.line, b[one.b].site.line) for one in grounds.likelihood.ranked()]


@pytest.mark.parametrize(
    ("wrong", "line"), [(lambda: program(slope=1.1), 4), (lambda: program(centre=1.1), 3)]
)
def test_the_line_from_which_all_that_differs_is_computed_stands_first(
    wrong: Callable[[], list[Unit]], line: int
) -> None:
    assert lines(program(other=True), wrong())[0] == (line, line)
    assert lines(wrong(), program(other=True))[0] == (line, line)


def test_what_does_not_lead_to_what_a_trial_has_shown_is_less_likely() -> None:
    a, b = program(other=True), program(slope=1.1)
    matching = match(a, b)
    off = [pair for pair in matching.pairs if not pair.agrees and a[pair.a].kind == "shown"]
    totals = [{unit.number for unit in units if unit.name == "total"} for units in (a, b)]
    grounds = Grounds(a, b, matching, off)
    cone = totals[0], totals[1]

    def probability(line: int, cones: list[tuple[set[int], set[int]]]) -> float:
        found = grounds.likelihood.ranked(None, cones)
        return max(one.probability for one in found if one.lines[0][1] == line)

    assert probability(4, [cone]) < probability(4, [])
    assert probability(7, [cone]) > probability(7, [])


def test_of_lines_that_explain_as_much_those_that_set_relatives_stand_first() -> None:
    a, b = program(other=True), program(slope=1.1)
    matching = match(a, b)

    def first(related: float) -> Ranked:
        of_each = (suspicion_of({("x.py", 4): score, ("x.py", 7): 5.0}) for score in (4.6, 5.0))
        pairing = Pairing(a, b, matching, ({0, 1, 2}, {0, 1, 2}), lambda i, j: related * (i == j == 3))
        return Likelihood(*of_each, pairing).ranked()[0]

    assert first(0.0)[:2] == (6, 6)
    assert first(1.0)[:2] == (3, 3)
    assert first(1.0).probability > first(0.5).probability > first(0.0).probability / 2


def suspicion_of(scores: dict[tuple[str, int], float]) -> Suspicion:
    return Suspicion(scores, {line: [line[1] - 1] for line in scores}, dict.fromkeys(scores, 0.0), {})


def test_what_a_trial_has_shown_is_likelier_than_without_it() -> None:
    a, b = program(other=True), program(slope=1.1)
    matching = match(a, b)
    off = [pair for pair in matching.pairs if not pair.agrees and a[pair.a].kind == "shown"]
    grounds = Grounds(a, b, matching, off)
    (number,) = (unit.number for unit in a if unit.name == "slope")

    def probability(came: str) -> float:
        found = grounds.likelihood.ranked({(("x.py", 4), ("x.py", 4)): came})
        return max(one.probability for one in found if one.a == number)

    assert 1 > probability("complete") > probability("none") > probability("failed") > 0


def test_the_more_right_values_a_line_would_make_wrong_the_less_it_is_suspected() -> None:
    a = program(other=True)
    off = [unit.number for unit in a if unit.name == "total" and unit.kind == "shown"]
    wrong = {"slope", "total"}

    def score(agreeing: float) -> float:
        evidence = [[-1.0 if unit.name in wrong else agreeing] for unit in a]
        return suspicion(a, evidence, off).scores["x.py", 3]

    assert score(0.0) > score(0.4) > score(0.9)


def test_marks_that_a_container_is_filled_with_say_where_they_stand() -> None:
    def marks(shift: int) -> list[Unit]:
        order = np.argsort(-np.abs(np.sin(np.arange(40.0) ** 2)), kind="stable")
        chosen = np.zeros(40, bool)
        chosen[order[: 20 + shift]] = True
        total = float((np.arange(40.0)[chosen] ** 1.5).sum())
        statements = [
            (1, "order", "set", "", order), (2, "chosen[]", "element", "order", np.True_),
            (2, "chosen", "container", "", chosen), (3, "total", "set", "chosen", total),
            (4, "total", "shown", "total", total),
        ]  # fmt: skip
        trace = Trace({}, {0: 0}, {0: 0}, [], {})
        for number, (line, name, kind, reads, value) in enumerate(statements, 1):
            trace.sites[number] = Site(number, "x.py", line, kind, name, "", tuple(reads.split()), (), ())
            trace.events.append(Event(number - 1, number, 0, 1, {"": np.asarray(value)}))
        return units_of(trace)

    a, b = marks(0), marks(-2)
    matching = match(a, b)
    off = [pair for pair in matching.pairs if not pair.agrees and a[pair.a].kind == "shown"]
    scores = Grounds(a, b, matching, off).suspicions[1].scores
    assert max(scores, key=lambda line: scores[line]) == ("x.py", 2)


def test_right_elements_do_not_speak_for_a_value_that_they_stand_wrongly_in() -> None:
    def matrix(scale: float) -> list[Unit]:
        whole = np.outer(X, Y)
        least = whole.min(axis=1)
        changed = whole.copy()
        changed[np.diag_indices(5)] = least * scale
        weights = np.arange(1.0, 6.0)
        total = weights @ changed @ weights
        statements = [
            (1, "cost", "set", "", whole), (2, "least", "set", "cost", least),
            (3, "cost[]", "element", "least", least * scale), (3, "cost", "container", "least", changed),
            (4, "total", "set", "cost", total), (5, "total", "shown", "total", total),
        ]  # fmt: skip
        trace = Trace({}, {0: 0}, {0: 0}, [], {})
        for number, (line, name, kind, reads, value) in enumerate(statements, 1):
            trace.sites[number] = Site(number, "x.py", line, kind, name, "", tuple(reads.split()), (), ())
            trace.events.append(Event(number - 1, number, 0, 1, {"": np.asarray(value)}))
        return units_of(trace)

    a, b = matrix(0.5), matrix(1.0)
    matching = match(a, b)
    # They have other names in real programs: nothing but the values says that they are the same.
    matching.pairs = [pair for pair in matching.pairs if pair.agrees or a[pair.a].kind == "shown"]
    off = [pair for pair in matching.pairs if not pair.agrees]
    scores = Grounds(a, b, matching, off).suspicions[1].scores
    assert max(scores, key=lambda line: scores[line]) == ("x.py", 3)


def test_evidence_is_for_what_both_have_and_against_what_one_has() -> None:
    a, b = program(), program(slope=1.1)
    evidence = evidence_of(b, a, match(b, a).pairs, "a")
    assert evidence[0][0] > 0.5
    assert evidence[2][0] > 0.5
    assert evidence[3][0] < -0.3


def test_what_something_right_is_computed_from_is_of_another_form_and_not_wrong() -> None:
    def ranks(wrong: float, *, parted: bool) -> list[Unit]:
        both = X - X.mean()
        groups = np.stack([both * 3, both + 7]) if parted else both
        rank = Y * wrong + 0.125
        statements = [
            (1, "x", "", X), (2, "groups", "x", groups), (3, "spread", "groups", both.std()),
            (4, "rank", "groups", rank), (5, "area", "rank", rank.sum()),
            (6, "print area", "area", rank.sum()),
            (7, "print spread", "spread", both.std()),
        ]  # fmt: skip
        trace = Trace({}, {0: 0}, {0: 0}, [], {})
        for number, (line, name, reads, value) in enumerate(statements, 1):
            kind, own = ("shown" if name.startswith("print ") else "set"), name.removeprefix("print ")
            trace.sites[number] = Site(number, "x.py", line, kind, own, "", tuple(reads.split()), (), ())
            trace.events.append(Event(number - 1, number, 0, 1, {"": np.asarray(value)}))
        return units_of(trace)

    assert lines(ranks(1.0, parted=False), ranks(1.25, parted=True))[0][1] == 4


def test_a_value_that_is_right_elsewhere_is_wrong_where_it_is_handed_on_to_what_is() -> None:
    def program(*statements: tuple[int, str, str, str, object]) -> list[Unit]:
        trace = Trace({}, {0: 0}, {0: 0}, [], {})
        for number, (line, name, kind, reads, value) in enumerate(statements, 1):
            trace.sites[number] = Site(number, "x.py", line, kind, name, "", tuple(reads.split()), (), ())
            trace.events.append(Event(number - 1, number, 0, 1, {"": np.asarray(value)}))
        return units_of(trace)

    tail = np.exp(-X)
    a = program(
        (1, "z", "set", "", X), (2, "tail", "set", "z", tail), (3, "p", "set", "tail", 2 * tail),
        (4, "p", "shown", "p", 2 * tail),
    )  # fmt: skip
    # One-sided: what the other program has on the way to its own.
    b = program(
        (1, "z", "set", "", X), (2, "p", "set", "z", tail), (3, "test", "set", "p", tail),
        (4, "out", "set", "test", tail), (5, "out", "shown", "out", tail),
    )  # fmt: skip
    matching = match(a, b)
    off = [msgspec.structs.replace(matching.pairs[0], a=3, b=4, compared=matching.compared.get((3, 4)))]
    scores = Grounds(a, b, matching, off).suspicions[1].scores
    assert max(scores, key=lambda line: scores[line]) == ("x.py", 2)


def table_of(
    steps: Sequence[tuple[str, tuple[str, ...], dict[str, list[float]], float]],
) -> tuple[LineTable, list[Unit]]:
    """Statements by their lines, each with what it reads, what it sets and how much the other program has."""
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    for number, (name, reads, parts, _) in enumerate(steps, 1):
        trace.sites[number] = Site(number, "x.R", number, "set", name, "", reads, (), ())
        values = {path: np.array(value) for path, value in parts.items()}
        trace.events.append(Event(number - 1, number, 0, 1, values))
    units = units_of(trace)
    return LineTable(units, [[steps[unit.site.line - 1][3]] for unit in units]), units


A, B, C = [1.25, 3.5, 2.75], [9.5, 8.25, 7.125], [4.5, 0.5, 6.5]


def test_a_column_of_a_selection_comes_from_its_own_and_from_what_it_is_selected_by() -> None:
    table, units = table_of(
        [
            ("t$a", (), {"": A}, 0.0), ("t$b", (), {"": B}, 0.0), ("t$c", ("t$a", "t$b"), {"": C}, 0.0),
            ("kept", ("t", "t$a"), {"$a": A[1:], "$b": B[1:], "$c": C[1:]}, 0.0),
            ("whole", ("t",), {"": [15.25, 12.25, 16.375]}, 0.0),
        ]
    )  # fmt: skip
    comes = {
        units[number].name: {line[1] for line, at in table.lines.items() if table.reached[n, at] > 0}
        for n, (_, number, _) in enumerate(table.rows)
    }
    assert comes["kept$a"] - {4} == {1}
    assert comes["kept$b"] - {4} == {1, 2}
    assert comes["kept$c"] - {4} == {1, 2, 3}
    assert comes["whole"] == {1, 2, 3, 5}


def test_a_column_that_is_read_through_groups_is_read_by_its_name() -> None:
    table, units = table_of(
        [
            ("t", (), {"['a']": A, "['b']": B}, 0.0), ("mean", ("t", "groups['a']"), {"": [2.5, 7.25]}, 0.9),
        ]
    )  # fmt: skip
    own = {unit.path: n for n, (_, number, _) in enumerate(table.rows) for unit in (units[number],)}
    others = table._only_among_others([own["['a']"], own["['b']"]], units[table.rows[own[""]][1]])
    assert others == {own["['b']"]}


@pytest.mark.parametrize("reads", [("t",), ("t$b",)])
def test_how_many_rows_a_table_has_acquits_none_of_its_columns(reads: tuple[str, ...]) -> None:
    table, units = table_of(
        [
            ("t$a", (), {"": A}, 1.0), ("t$b", ("t$a",), {"": B}, -1.0),
            ("turns", reads, {"": [3.53125]}, 0.9), ("total", ("t$b",), {"": [24.875]}, -1.0),
        ]
    )  # fmt: skip
    by_name = reads == ("t$b",)
    evidence = {units[number].name: table.evidence[n] for n, (_, number, _) in enumerate(table.rows)}
    assert evidence["t$b"] == (0.0 if by_name else -1.0)
    reached = table.reached[2, table.lines["x.R", 2]]
    assert reached == pytest.approx(1.0 if by_name else 0.2)


def test_of_one_line_several_pairs_may_be_tried_and_none_twice() -> None:
    a, b = program(other=True), program(slope=1.1)
    of_each = [suspicion_of({("x.py", 4): 5.0, ("x.py", 7): 4.0}) for _ in "ab"]
    pairing = Pairing(a, b, match(a, b), ({0, 1, 2}, {0, 1, 2}), lambda i, j: 0.0)
    likelihood = Likelihood(of_each[0], of_each[1], pairing)
    all_pairs = likelihood.untried({}, (), 2)
    assert len(all_pairs) == 4
    assert all_pairs[0].probability >= all_pairs[-1].probability
    assert {one.lines for one in likelihood.untried({all_pairs[0].lines: "failed"}, (), 2)} == {
        one.lines for one in all_pairs[1:]
    }
    assert len(likelihood.untried({}, (), 1)) == 2
    assert len(likelihood.ranked()) == 2


def test_a_line_that_a_small_change_mends_stands_first_with_its_counterpart() -> None:
    a, b = program(other=True), program(slope=1.1)
    of_each = [suspicion_of({("x.py", 4): 5.0, ("x.py", 7): 4.0}) for _ in "ab"]
    pairing = Pairing(a, b, match(a, b), ({0, 1, 2}, {0, 1, 2}), lambda i, j: 0.0)
    likelihood = Likelihood(of_each[0], of_each[1], pairing)
    four, seven = ("x.py", 4), ("x.py", 7)
    assert likelihood.ranked()[0].lines == (four, four)
    assert likelihood.ranked(changed=({seven: REPAIRED}, {}))[0].lines[0] == seven
    assert likelihood.ranked(changed=({seven: REPAIRED}, {}), meant={(seven, four): 1.0})[0].lines == (
        seven,
        four,
    )
    shares = likelihood.of_lines({}, ())
    assert shares[0][four] > shares[0][seven]
    assert sum(shares[1].values()) == pytest.approx(1.0)
