from __future__ import annotations

import numpy as np

from harness.fuzz.finding import Key, Known, traits_in, traits_of
from harness.model import Array
from tests.unit.fuzz.cases import case

KEY: Key = ("r", "z", "value")


def x(*numbers: float) -> dict[str, Array]:
    return {"x": np.array(numbers)}


def test_what_is_special_in_an_input() -> None:
    assert traits_in(x(0.5, 1.5)) == set()
    assert traits_in(x(1.0)) == {"size 0 of x: 1"}
    assert traits_in(x()) == {"size 0 of x: 0"}
    assert traits_in(x(2.0, 2.0)) == {"equal numbers"}
    assert traits_in(x(-0.0, 1.0)) == {"a zero", "a negative zero"}
    assert traits_in(x(np.nan, 1.0)) == {"NaN"}
    assert traits_in(x(np.inf, 5e-324, 1e300)) == {"an infinity", "a subnormal number", "a huge number"}
    assert traits_in({"k": np.array([1, 2]), "name": np.array(["a", "a"])}) == set()


def test_of_a_batch_each_input_has_its_own() -> None:
    masks = traits_of({"x": np.array([[1.0, 2.0], [3.0, 3.0], [-0.0, 0.0]])})
    assert masks["equal numbers"].tolist() == [False, True, True]
    assert masks["a negative zero"].tolist() == [False, False, True]


def test_a_finding_explains_inputs_that_have_what_it_needs() -> None:
    known = Known(case())
    assert not known.explains(KEY, x(1.0))
    known.add(KEY, x(0.0, 0.0), x(3.0, 3.0, 1.0), general=False)
    assert known.explains(KEY, x(5.0, 7.0, 5.0))
    # One number alone is another one's fault.
    assert not known.explains(KEY, x(1.0))
    assert not known.explains(("r", "z", "no answer"), x(5.0, 5.0))
    known.needs_nothing(KEY)
    assert known.explains(KEY, x(1.0))


def test_who_is_off_in_many_ways_is_told_of_a_few() -> None:
    known = Known(case())
    for small in (x(1.0), x(), x(-0.0, 1.0)):
        assert not known.explains(KEY, x(0.5, 1.5))
        known.add(KEY, small, small, general=False)
    assert known.explains(KEY, x(0.5, 1.5))


def test_what_other_inputs_show_too_needs_no_more_than_the_size() -> None:
    known = Known(case())
    # It is zeros that are simple.
    known.add(KEY, x(0.0, 0.0), x(3.0, 1.0, 2.0), general=True)
    assert known.explains(KEY, x(0.5, 1.5))
    known = Known(case())
    known.add(KEY, x(-0.0), x(-0.0), general=True)
    assert known.explains(KEY, x(7.0))
    assert not known.explains(KEY, x(7.0, -0.0))


def test_inputs_that_the_stage_does_not_take_explain_nothing() -> None:
    known = Known(case())
    known.add(KEY, {**x(0.0, 0.0), "other": np.array([])}, x(1.0, 1.0), general=False)
    assert known.explains(KEY, {**x(5.0, 5.0), "other": np.array([1.0, 2.0])})


def test_an_input_that_shrinks_to_a_finding_may_show_that_it_needs_less() -> None:
    known = Known(case())
    known.add(KEY, x(-0.0), x(-0.0), general=False)
    assert not known.explains(KEY, x(3.0, -0.0))
    assert known.needs_less(KEY, x(-0.0), x(3.0, -0.0))
    assert known.explains(KEY, x(5.0, -0.0))
    # It has nothing of what that needs: two faults can shrink to one input.
    assert not known.needs_less(KEY, x(-0.0), x(3.0, 3.0))
    assert not known.explains(KEY, x(3.0, 3.0))
