"""Where a printed number comes from that no recorded value was shown as."""

from __future__ import annotations

import numpy as np

from harness.programs.equal_tokens import Place
from harness.programs.match import match
from harness.programs.partner_origins import lacking_origins
from harness.programs.shows import Origin
from harness.programs.tokens import tokens_of
from harness.programs.trace import Event, Site, Trace
from harness.programs.units import Unit, units_of

X = np.array([1.25, 3.5, 2.75, 9.125, 4.0625])


def program(*statements: tuple[str, str, object]) -> list[Unit]:
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    for number, (name, reads, value) in enumerate(statements, 1):
        trace.sites[number] = Site(number, "x", number, "set", name, "", tuple(reads.split()), (), ())
        trace.events.append(Event(number - 1, number, 0, 1, {"": np.asarray(value)}))
    return units_of(trace)


def found(*more: tuple[str, str, object]) -> dict[int, Origin]:
    """What is found of 202 in the second program, where the first prints its worst hour, 190."""
    a = program(("surge", "", X), ("worst_hour", "surge", 190.0))
    b = program(("smooth", "", X), ("peak_t", "smooth", 202.0), *more)
    tokens = tokens_of("hour 190.0"), tokens_of("hour 202")
    known = {1: Origin(1, 0, 0, False, 1.0, 190.0, frozenset({a[1].first}), "worst_hour")}
    return lacking_origins(tokens, [Place(1, 1, False, 1.0)], (known, {}), (a, b), match(a, b))[1]


def test_a_number_of_few_digits_is_of_the_one_variable_that_has_it() -> None:
    assert found()[1].name == "peak_t"
    assert found()[1].value == 202.0


def test_of_several_variables_that_have_it_none_is_chosen_but_the_counterpart() -> None:
    made = found(("n", "smooth", 202.0), ("limit", "", 202.0))
    assert not made or made[1].name == "peak_t"
