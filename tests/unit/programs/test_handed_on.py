"""Which part of what a statement reads each part of its value is."""

from __future__ import annotations

import numpy as np

from harness.programs.handed_on import parts_read
from harness.programs.trace import Event, Site, Trace, Value
from harness.programs.units import Unit, ancestors, units_of


def site(number: int, kind: str, name: str, *reads: str) -> Site:
    return Site(number, "x.R", number, kind, name, "", reads, (), ())


def made(*statements: tuple[Site, dict[str, Value]]) -> list[Unit]:
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    for place, (of, parts) in enumerate(statements):
        trace.sites[of.number] = of
        trace.events.append(Event(place, of.number, 0, 1, parts))
    return units_of(trace)


def names(units: list[Unit], name: str) -> set[str]:
    (number,) = (unit.number for unit in units if unit.name == name)
    return {units[one].name for one in ancestors(units, number)}


def test_each_part_of_a_record_comes_from_the_value_that_it_is() -> None:
    p, u = np.array(0.0123), np.array(7)
    units = made(
        (site(1, "set", "p"), {"": p}),
        (site(2, "set", "u"), {"": u}),
        (site(3, "set", "test", "p", "u"), {"$p": p, "$u": u}),
        (site(4, "set", "half", "test$p"), {"": p / 2}),
    )
    assert names(units, "test$p") == {"p"}
    assert names(units, "test$u") == {"u"}
    assert names(units, "half") == {"test$p", "p"}


def test_a_small_number_of_another_name_may_be_equal_by_chance() -> None:
    units = made(
        (site(1, "set", "k"), {"": np.array(7)}),
        (site(2, "set", "m"), {"": np.array(3)}),
        (site(3, "set", "test", "k", "m"), {"$n": np.array(7), "$d": np.array(4)}),
    )
    assert names(units, "test$n") == {"k", "m"}


def test_a_statement_that_reads_a_table_by_its_columns_reads_no_others() -> None:
    table = site(1, "set", "tab")
    assert parts_read(site(2, "set", "x", "tab$t"), table, ["$t", "$u"]) == ["$t"]
    assert parts_read(site(2, "set", "x", "tab.t"), table, ["['t']", "['u']"]) == ["['t']"]
    assert parts_read(site(2, "set", "x", "tab", "tab$t"), table, ["$t", "$u"]) == ["$t", "$u"]
    assert parts_read(site(2, "set", "x", "tab$w"), table, ["$t", "$u"]) == ["$t", "$u"]


def test_a_part_of_a_column_is_read_with_it_and_what_is_changed_in_place_is_what_it_was() -> None:
    table = site(1, "set", "d")
    reads = site(2, "set", "x", "d['k']", "np")
    assert parts_read(reads, table, ["['k'][0]", "['k'][1]", "['kk']", "['m']"]) == ["['k'][0]", "['k'][1]"]
    assert parts_read(site(2, "container", "d", "d['k']"), table, ["['k']", "['m']"]) == ["['k']", "['m']"]
