"""Variables of two programs, matched by values, names, flow, operators and order."""

from __future__ import annotations

import msgspec
import numpy as np

from harness.programs.match import match
from harness.programs.scores import can_be_meant
from harness.programs.trace import Event, Site, Trace, Value
from harness.programs.units import Unit, units_of


def program(variables: dict[str, tuple[list[Value], str]]) -> list[Unit]:
    """The units of a program that sets these in turn, each with what it reads."""
    trace = Trace({}, {0: 0}, {0: 0}, [], {}, complete=True)
    for number, (name, (values, reads)) in enumerate(variables.items()):
        trace.sites[number] = Site(
            number, "made", number + 1, "set", name, "", tuple(reads.split()), ("*",), ()
        )
        for occurrence, value in enumerate(values, 1):
            trace.events.append(Event(len(trace.events), number, 0, occurrence, {"": np.asarray(value)}))
    return units_of(trace)


def names(a: list[Unit], b: list[Unit], **options: dict[str, str] | list[str]) -> dict[str, tuple[str, bool]]:
    """For each name of the first program, its partner and whether they agree."""
    made = match(a, b, **options)  # type: ignore[arg-type]
    return {a[pair.a].name: (b[pair.b].name, pair.agrees) for pair in made.variables}


def two() -> tuple[list[Unit], list[Unit]]:
    """Two programs: transposed, a loop against a vector, counted from 1, and one value that is wrong."""
    rng = np.random.default_rng(3)
    table, losses = rng.standard_normal((4, 3)), rng.standard_normal(6)
    first = {
        "table": ([table], ""),
        "loss": ([*losses], "table"),
        "order": ([np.array([2, 0, 1])], "loss"),
        "beta_hat": ([np.array([0.25, 0.5])], "order"),
        "label": ([np.array(["a", "b"], dtype=object)], ""),
    }
    second = {
        "X": ([table.T], ""),
        "v1": ([losses], "X"),
        "order_1": ([np.array([3, 1, 2])], "v1"),
        "betaHat": ([np.array([0.25, 0.55])], "order_1"),
        "v3": ([np.array(["a", "b"], dtype=object)], ""),
    }
    return program(first), program(second)


def test_partners_are_found_by_value_in_any_layout_and_by_name() -> None:
    assert names(*two()) == {
        "table": ("X", True),
        "loss": ("v1", True),
        "order": ("order_1", True),
        "beta_hat": ("betaHat", False),
        "label": ("v3", True),
    }


def test_names_that_are_given_or_ignored_overrule_all_else() -> None:
    found = names(*two(), given={"loss": "betaHat"}, ignored=["v3"])
    assert found == {"table": ("X", True), "order": ("order_1", True), "loss": ("betaHat", False)}


def test_a_program_without_variables_has_no_partners() -> None:
    a, _ = two()
    assert match(a, []).pairs == []
    assert match([], a).pairs == []


def test_a_small_number_that_no_other_variable_has_is_the_same_under_any_name() -> None:
    a = program({"BOX": ([8.0], ""), "x": ([np.array([0.25, 0.5])], "")})
    b = program({"L": ([8.0], ""), "x": ([np.array([0.25, 0.5])], "")})
    assert names(a, b)["BOX"] == ("L", True)
    twice = program({"L": ([8.0], ""), "x": ([np.array([0.25, 0.5])], ""), "other": ([8.0], "x")})
    assert "BOX" not in names(a, twice)


def test_an_element_with_a_name_is_called_by_it() -> None:
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    trace.sites[1] = Site(1, "a.py", 1, "element", "rest[]", "", (), (), (), element="['joule']")
    trace.events.append(Event(0, 1, 0, 1, {"": np.array([1.25, 2.5])}))
    (unit,) = units_of(trace)
    assert unit.name == "rest['joule']"


def test_the_same_numbers_in_another_order_are_the_same_variable_which_differs() -> None:
    cases = np.random.default_rng(4).standard_normal(12)
    a = program({"points": ([cases], ""), "other": ([cases[:5] ** 2], "")})
    b = program({"took": ([cases[::-1]], ""), "v": ([np.arange(12) * 1.5], "")})
    assert names(a, b) == {"points": ("took", False)}
    pair = match(a, b).variables[0]
    assert pair.compared.layout == "permuted"
    # Whole numbers of which there are few are in another order by chance.
    counts = program({"n": ([np.array([1, 2, 1, 3])], "")}), program({"m": ([np.array([3, 1, 1, 2])], "")})
    assert all(pair.compared.layout != "permuted" for pair in match(*counts).variables)


def test_one_sure_pair_is_worth_more_than_two_with_parameters() -> None:
    image = np.random.default_rng(5).standard_normal((5, 4))
    sides = [program({name: ([image], ""), f"in_{name}": ([image], name)}) for name in ("sharp", "crisp")]
    for side in sides:
        side[1].site = msgspec.structs.replace(side[1].site, kind="param", function="blur")
    assert names(*sides)["sharp"] == ("crisp", True)
    # A parameter of one is not the variable of the other, where that has one.
    sides[0].reverse()
    for number, unit in enumerate(sides[0]):
        unit.number = number
    assert names(*sides)["sharp"] == ("crisp", True)


def test_neither_a_key_nor_a_like_use_makes_values_that_differ_one_quantity() -> None:
    names_of = ["share", "days", "share_1", "lost"]
    a, b = (program({name: ([0.5], "") for name in names_of}) for _ in "ab")
    for units in (a, b):
        units[:3] = [msgspec.structs.replace(unit, path="['old']") for unit in units[:3]]
    shape = len(a), len(b)
    no, some, full = np.zeros(shape), np.full(shape, 0.4), np.ones(shape)
    keyed = can_be_meant(a, b, full, no, no)
    # By the names of the wholes, or by what both come from; a key alone is not enough.
    assert keyed[0].tolist() == [True, False, True, True]
    assert can_be_meant(a, b, full, some, no).all()
    assert not can_be_meant(a, b, no, full, no).any()
    assert can_be_meant(a, b, no, full, full).all()


def test_of_two_with_one_value_the_program_s_own_is_the_partner_of_the_other_program_s() -> None:
    steps = np.array([0.25, 0.75, 1.125])
    own, other = program({"d": ([steps], ""), "z": ([steps], "")}), program({"jumps": ([steps], "")})
    own[0].site = msgspec.structs.replace(own[0].site, function="summary")
    assert names(own, other) == {"z": ("jumps", True)}
