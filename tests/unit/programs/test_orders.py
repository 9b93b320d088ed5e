"""Rows of two programs in another order, as values show that both have."""

from __future__ import annotations

import numpy as np
import pytest

from harness.programs.orders import Orders
from harness.programs.trace import Event, Site, Trace
from harness.programs.units import Unit, units_of

LENGTHS, NETS = np.array([19.375, 12.25, 17.0625, 11.5]), np.array([1.7734, 1.8123, 1.5001, 1.2345])
SHARES = np.array([0.2734, 0.1318, 0.1502, 0.2346])
SORTED = [1, 3, 2, 0]


def program(**values: object) -> list[Unit]:
    trace = Trace({}, {0: 0}, {0: 0}, [], {})
    for number, (name, value) in enumerate(values.items(), 1):
        trace.sites[number] = Site(number, "x.py", number, "set", name, "", (), (), ())
        trace.events.append(Event(number - 1, number, 0, 1, {"": np.asarray(value)}))
    return units_of(trace)


def test_what_stands_for_each_group_is_brought_to_the_order_of_the_other_program() -> None:
    receiver = program(path=LENGTHS[SORTED], net=NETS[SORTED], share=SHARES[SORTED] + 0.1)
    orders = Orders(receiver, program(lengths=LENGTHS, nets=NETS, share=SHARES))
    made = orders.reordered(SHARES)
    assert made is not None
    assert made.tolist() == SHARES[SORTED].tolist()


@pytest.mark.parametrize("values", [{"lengths": LENGTHS, "nets": NETS + 1}, {"lengths": LENGTHS[SORTED]}])
def test_one_value_in_another_order_may_be_what_is_wrong(values: dict[str, object]) -> None:
    orders = Orders(program(path=LENGTHS[SORTED], net=NETS[SORTED]), program(**values))
    assert orders.reordered(SHARES) is None
    assert orders.reordered(SHARES[:3]) is None
