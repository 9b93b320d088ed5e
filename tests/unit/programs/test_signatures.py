"""What signatures rule out is never the same: no pair is lost by them."""

from __future__ import annotations

import numpy as np
import pytest

from harness.numerics.layouts import same_up_to_layout
from harness.programs.sequences import Sequence, compare, may_share
from harness.programs.signatures import can_be_same, signatures_of, signatures_of_stack
from harness.programs.trace import Site, Value
from harness.programs.units import Unit


def drawn(rng: np.random.Generator) -> Value:
    """A value of one of many sorts, few enough that some are the same."""
    value: Value = rng.choice([0.0, 1.0, 2.0, 0.1, -3.0], tuple(rng.choice([1, 2, 3], rng.integers(0, 3))))
    sort = int(rng.integers(0, 9))
    if sort == 0:
        return value.astype(np.float32)
    if sort == 1:
        return value.astype(np.int64) + int(rng.integers(0, 2))
    if sort == 2:
        return value * (1 + 9e-7)
    if sort == 3:
        return np.where(value == 0, rng.choice([np.nan, np.inf]), value)
    if sort == 4:
        return value + 1e-14
    if sort == 5:
        return value * 5e307
    if sort == 6:
        return value.astype(np.int64).astype(str).astype(object)
    if sort == 7:
        return value.astype(complex)
    return value


def test_what_is_the_same_in_some_layout_is_not_ruled_out() -> None:
    rng = np.random.default_rng(1)
    values = [drawn(rng) for _ in range(250)]
    signatures = signatures_of(values)
    may = can_be_same(signatures[:, None], signatures[None, :])
    with np.errstate(all="ignore"):
        same = np.array([[bool(same_up_to_layout(one, other)) for other in values] for one in values])
    assert not (same & ~may).any()
    assert same.sum() > 3 * len(values)
    # Most of the others are: one in five that remain would be no help.
    assert (may & ~same).sum() < 0.2 * (~same).sum()


def test_parts_of_a_stack_have_the_signatures_of_values() -> None:
    for stack in (
        np.array([[1.5, np.inf], [2.0, -3.0]]),
        np.arange(4),
        np.ones((3, 2, 2), np.float32),
        np.array([1j, 2]),
    ):
        assert signatures_of_stack(stack).tolist() == signatures_of(list(stack)).tolist()


def unit(values: list[Value]) -> Unit:
    """A variable with these values."""
    site = Site(0, "made", 1, "set", "x", "", (), (), ())
    return Unit(0, site, "", values, [], set(), set(), [0], [], [])


@pytest.mark.parametrize("seed", [0, 1])
def test_variables_that_share_a_value_are_not_ruled_out(seed: int) -> None:
    rng = np.random.default_rng(seed)
    with np.errstate(all="ignore"):
        sequences = [Sequence(unit([drawn(rng) for _ in range(rng.integers(1, 4))])) for _ in range(60)]
    looped = rng.standard_normal((5, 4)).round(1)
    sequences += [Sequence(unit([*row])) for row in (looped, looped.T, looped[::-1])]
    sequences += [Sequence(unit([value])) for value in (looped, looped.T, looped.ravel())]
    may = may_share(sequences, sequences)
    found = 0
    with np.errstate(all="ignore"):
        for i, one in enumerate(sequences):
            for j, other in enumerate(sequences):
                compared = compare(one, other)
                if compared.agrees or compared.share or compared.occurrence:
                    found += 1
                    assert may[i, j], (one.values, other.values, compared)
    assert found > len(sequences)
    assert may.sum() < 0.6 * may.size
