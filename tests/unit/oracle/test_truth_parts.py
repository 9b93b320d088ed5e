"""What is told of a value, from balls and errors made by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

flint = pytest.importorskip("flint")

from harness.oracle.balls import precision  # noqa: E402
from harness.oracle.conditions import Condition  # noqa: E402
from harness.oracle.oracle_host import start  # noqa: E402
from harness.oracle.registry import arithmetic  # noqa: E402
from harness.oracle.truth_parts import Parts, parts_of  # noqa: E402
from harness.oracle.unknown import Unknown  # noqa: E402

KIND = arithmetic(53)
U = 2.0**-53
NAN, INF = math.nan, math.inf


def balls_of(*pairs: Any) -> np.ndarray:
    """Balls from midpoints, or from midpoints with radii."""
    array = np.empty(len(pairs), dtype=object)
    array[:] = [flint.arb(*pair) if isinstance(pair, tuple) else flint.arb(pair) for pair in pairs]
    return array


def parts_for(true: np.ndarray, value: Any, worst: Any, **more: Any) -> Parts:
    rounded = KIND(np.asarray(value, dtype=float), np.asarray(worst, dtype=float))
    with precision(256):
        return parts_of(true, rounded, unit=U, **{"bits": 256} | more)


def expect(parts: Parts, **arrays: list[float]) -> None:
    named = dict(zip(("high", "low", "radius", "worst", "limit"), parts.arrays, strict=True))
    for name, due in arrays.items():
        np.testing.assert_array_equal(named[name], due, name)


def test_true_values_and_limits() -> None:
    with precision(256):
        true = balls_of(flint.arb(1) + flint.arb(2) ** -70, -8.0, -8.0, 0.0)
    parts = parts_for(true, [1.0, -8.0, -8.0, 0.0], [2.0**-40, 2.0**-60, 0.0, 0.0])
    expect(
        parts,
        high=[1.0, -8.0, -8.0, 0.0],
        low=[2.0**-70, 0.0, 0.0, 0.0],
        radius=[0.0, 0.0, 0.0, 0.0],
        worst=[2.0**-40, 2.0**-60, 0.0, 0.0],
        # What is rounded at all is right if it is one unit in the last place away.
        limit=[2.0**-40, 2.0**-49, 0.0, 0.0],
    )
    assert parts.why == ""
    assert not parts.wide.any()


def test_plain_numbers_are_exact() -> None:
    parts = parts_of(np.array([2, 3]), np.array([2, 3]), unit=U, bits=256)
    expect(parts, high=[2.0, 3.0], low=[0, 0], radius=[0, 0], worst=[0, 0], limit=[0, 0])


def test_other_shapes_are_no_truth() -> None:
    with pytest.raises(Unknown, match=r"^its shape is \(2,\) or \(3,\)$"):
        parts_for(balls_of(1, 2), [1, 2, 3], [0, 0, 0])


def test_a_ball_that_holds_zero_tells_no_digit() -> None:
    parts = parts_for(balls_of((2.0**-60, 2.0**-50), 1.0), [2.0**-60, 1.0], [2.0**-30, 0.0])
    expect(parts, high=[0.0, 1.0], low=[0.0, 0.0], limit=[2.0**-30, 0.0])
    assert parts.arrays[2][0] == pytest.approx(2.0**-50 + 2.0**-60, rel=1e-6)
    # The smallest radius stands for any that is smaller.
    least = 2.0**-1074
    with precision(256):
        ball = flint.arb(flint.arb(2) ** -1074, flint.arb(2) ** -1090)
    expect(parts_for(balls_of(ball, 1.0), [least, 1.0], [0.0, 0.0]), high=[least, 1.0], radius=[least, 0.0])


def test_of_what_more_bits_may_tell_more() -> None:
    limit = 2.0**-40
    parts = parts_for(balls_of((1.0, 0.99 * 2.0**-50)), [1.0], [limit])
    assert not parts.wide.any()
    parts = parts_for(balls_of((1.0, 1.1 * 2.0**-50), 5.0), [1.5, 5.0], [limit, 0.0], bits=64)
    assert parts.wide.tolist() == [True, False]
    assert parts.why == "64 bits do not tell its true value"
    expect(parts, high=[1.5, 5.0], low=[0, 0], radius=[-INF, 0], worst=[0, 0], limit=[NAN, 0])
    # A hundred bits are enough of any value.
    assert not parts_for(balls_of((1.0, 0.99 * 2.0**-100)), [1.0], [0.0]).wide.any()
    assert parts_for(balls_of((1.0, 1.1 * 2.0**-100), 1.0), [1.0, 1.0], [0.0, 0.0]).wide.tolist() == [
        True,
        False,
    ]
    with pytest.raises(Unknown, match=r"^64 bits do not tell its true value$"):
        parts_for(balls_of((1.0, 2.0**-20)), [1.0], [limit], bits=64)


def test_what_is_no_number_or_has_no_bound() -> None:
    parts = parts_for(balls_of(NAN, 1.0), [NAN, 1.0], [0.0, 0.0])
    assert parts.why == "it has no true value: it is not a number, or a quotient by zero"
    # No precision makes a number of it; of what may be one, more bits may tell more.
    assert parts.wide.tolist() == [False, False]
    expect(parts, high=[0.0, 1.0], radius=[-INF, 0.0], limit=[NAN, 0.0])
    unknown = parts_for(balls_of(flint.arb("nan"), 1.0), [NAN, 1.0], [0.0, 0.0])
    assert unknown.why == parts.why
    assert unknown.wide.tolist() == [True, False]
    parts = parts_for(balls_of(3.0, 1.0), [3.0, 1.0], [INF, 0.0])
    assert parts.why == "its error has no bound"
    assert parts.wide.tolist() == [False, False]
    expect(parts, high=[3.0, 1.0], radius=[-INF, 0.0], worst=[0.0, 0.0], limit=[NAN, 0.0])
    with pytest.raises(Unknown, match=r"^its error has no bound$"):
        parts_for(balls_of(3.0), [3.0], [INF])
    # What is NaN of exact operands is known to be; what may be a number is not.
    alone = parts_for(balls_of(NAN), [NAN], [0.0])
    expect(alone, high=[0.0], radius=[-INF], limit=[NAN])
    assert alone.why == unknown.why
    with pytest.raises(Unknown, match=r"^it has no true value: it is not a number"):
        parts_for(balls_of(flint.arb("nan")), [NAN], [0.0])


@pytest.mark.parametrize(
    ("met", "radius", "why"),
    [
        (("a comparison in line 3", "another in line 4"), INF, "a comparison in line 3; another in line 4"),
        (("a comparison in line 3", "a division by what rounding may make zero"), -INF, None),
        ((), -INF, "what it is computed from is undecided"),
    ],
)
def test_undecided_conditions(met: tuple[str, ...], radius: float, why: str | None) -> None:
    condition = Condition(KIND, np.array([True, True]), np.array([False, True]), "x > 0")
    parts = parts_of(condition, condition, unit=U, bits=256, met=met)
    expect(parts, high=[1.0, 1.0], radius=[0.0, radius], worst=[0.0, 0.0], limit=[0.0, NAN])
    assert parts.why == ("; ".join(met) if why is None else why)
    assert parts.wide.tolist() == [False, False]
    # A comparison that everything hangs on is no reason to refuse; nothing else is known without one.
    all_of_it = Condition(KIND, np.array([True]), np.array([True]), "x > 0")
    if met:
        assert parts_of(all_of_it, all_of_it, unit=U, bits=256, met=met).why == "; ".join(met)
    else:
        with pytest.raises(Unknown, match=r"^what it is computed from is undecided$"):
            parts_of(all_of_it, all_of_it, unit=U, bits=256)


def test_what_is_left_empty_by_a_comparison() -> None:
    with pytest.raises(Unknown, match=r"^one; two$"):
        parts_for(balls_of(), [], [], met=("one", "two"))
    assert parts_for(balls_of(), [], []).why == ""


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        ([1.0, 4.0, 4.0], "from row 1 on no limit is below the value itself"),
        ([4.0, 4.0, 4.0], "no limit is below the value itself"),
        ([1.0, 4.0, 1.0], "no limit is below the value itself"),
        ([3.9, 3.9, 3.9], ""),
    ],
)
def test_limits_that_are_beyond_the_largest_value(limits: list[float], why: str) -> None:
    parts = parts_for(balls_of(1.0, -4.0, 2.0), [1.0, -4.0, 2.0], limits)
    assert parts.why == why
    expect(parts, limit=[NAN if limit == 4.0 else limit for limit in limits])


def test_limits_of_one_number_and_of_rows() -> None:
    what = "no limit is below the value itself"
    parts = parts_for(balls_of(2.0).reshape(()), 2.0, 4.0)
    assert (parts.why, parts.arrays[0].shape) == (what, ())
    assert parts_for(balls_of(2.0), [2.0], [4.0]).why == what
    rows = parts_for(balls_of(1, 1, 1, 1).reshape(2, 2), [[1, 1], [1, 1]], [[0, 0], [4, 0]])
    assert rows.why == f"from row 1 on {what}"


def test_what_vanishes_up_to_rounding_may_have_a_limit_beyond_it() -> None:
    for limit, scale, why in (
        (2.0**-10, 1.0, ""),
        (1.1 * 2.0**-10, 1.0, "no limit is below the value itself"),
        (1.1 * 2.0**-10, 2.0, ""),
    ):
        assert parts_for(balls_of(2.0**-20, 0.0), [2.0**-20, 0.0], [limit, 0.0], scale=scale).why == why


def test_signs_that_are_free() -> None:
    true = balls_of(1.0, (2.0, 0.5), 0.0)
    other = balls_of(-1.0, (2.9, 0.5), 0.0)
    parts = parts_for(true, [1.0, 2.0, 0.0], [0.0, 1.0, 0.0], free=(other,), why_free="signs are free")
    assert parts.why.startswith("signs are free")
    assert np.isnan(parts.arrays[4]).tolist()[::2] == [True, False]
    assert np.isnan(parts.arrays[2]).tolist()[::2] == [True, False]
    alone = parts_for(true[:1], [1.0], [0.0], free=(balls_of(1.0), other[:1]), why_free="free")
    assert alone.why == "free"
    # Where they overlap, nothing depends on them.
    assert parts_for(true[:1], [1.0], [0.0], free=(balls_of(1.0),), why_free="free").why == ""


def test_the_worst_case_is_that_of_balls_where_it_is_more() -> None:
    true = balls_of(1.0, 1.0, 1.0)
    few = balls_of((1.0, 2.0**-20), (1.0, 2.0**-40), (1.0, INF))
    parts = parts_for(true, [1.0, 1.0, 1.0], [2.0**-30, 2.0**-30, 2.0**-30], balls=few)
    np.testing.assert_allclose(parts.arrays[3], [2.0**-20, 2.0**-30, 2.0**-30], rtol=1e-6)


def test_a_value_that_cancels_deeply_is_known_to_its_last_place(tmp_path: Path) -> None:
    path = tmp_path / "root.py"
    path.write_text(
        "import numpy as np\ndef f(x): return np.polyval([1.0, -6.0, 15.0, -20.0, 15.0, -6.0, 1.0], x)\n",
        encoding="utf-8",
    )
    host = start()
    loaded, _ = host.load(str(path), {}, {})
    stage = {"name": "f", "inputs": ["x"], "outputs": ["f"]}
    params = {"names": ["x"], "stages": [stage], "wanted": ["f"], "feed": True, "bits": 53, "balls": False}
    x = np.array([1.0 + 3e-12, 1.0 + 1e-11, 1.0 - 7e-12, 2.5])
    result, (high, low, radius, *_) = host.truth(loaded, params | {"seconds": 30.0}, [x])
    assert not result["why"]
    assert not result["cut"]
    exact = [(Fraction(float(number)) - 1) ** 6 for number in x]
    assert high.tolist() == [float(number) for number in exact]
    assert (radius <= 2.0**-64 * high).all()
    assert all(
        abs(Fraction(h) + Fraction(t) - e) <= e / 2**90 for h, t, e in zip(high, low, exact, strict=True)
    )
    first, (vague, _, off, *_) = host.truth(loaded, params | {"seconds": 0.0}, [x])
    assert not first["cut"]
    assert (off[:3] > 2.0**-64 * vague[:3]).all()


BEYOND = "a number beyond 1.79769e+308, the largest float64, in line 6"
BY_ZERO = "a division by what rounding may make zero in line 7"


@pytest.mark.parametrize(
    ("true", "value", "worst", "more", "unlimited"),
    [
        # Of what overflows, or is divided by zero, no limit is known for another reason than a comparison.
        ([1.0, 1.0], [1.0, 1.0], [NAN, 0.0], {"met": (BEYOND,)}, [True, False]),
        ([NAN, 1.0], [NAN, 1.0], [NAN, 0.0], {"met": (BY_ZERO,)}, [True, False]),
        ([3.0, 1.0], [3.0, 1.0], [INF, 0.0], {}, [True, False]),
        # A comparison is why.
        ([1.0, 1.0], [1.0, 1.0], [NAN, 0.0], {"met": ("a tie in line 3",)}, [False, False]),
        ([NAN, 1.0], [NAN, 1.0], [NAN, 0.0], {"met": ("a tie in line 3",)}, [False, False]),
        # Balls know nothing, and the limit is below √u of the largest value, or above it.
        ([NAN, 1.0], [1.0, 1.0], [1.0e-8, 0.0], {}, [True, False]),
        ([NAN, 1.0], [1.0, 1.0], [1.1e-8, 0.0], {}, [False, False]),
        # Rounding alone is what is left: whatever else is met there.
        ([1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [0.0, 4.0, NAN], {"met": (BEYOND,)}, [False, False, False]),
    ],
)
def test_what_has_no_limit_for_another_reason_than_a_comparison(
    true: list[float], value: list[float], worst: list[float], more: dict[str, Any], unlimited: list[bool]
) -> None:
    rounded = KIND(np.array(value), np.where(np.isnan(worst), 0.0, worst)).spoiled(np.isnan(worst))
    with precision(256):
        parts = parts_of(balls_of(*true), rounded, unit=U, bits=256, **more)
    assert np.isneginf(parts.arrays[2]).tolist() == unlimited


def test_what_depends_on_free_signs_is_compared_with_nobody() -> None:
    parts = parts_for(
        balls_of(1.0, 1.0),
        [1.0, 1.0],
        [0.0, 0.0],
        met=(BEYOND,),
        free=[balls_of(-1.0, 1.0)],
        why_free="signs of vectors are free",
    )
    expect(parts, radius=[NAN, 0.0], limit=[NAN, 0.0])


def test_values_under_other_signs_have_to_be_as_many() -> None:
    for others in (balls_of(1.0, 1.0, 1.0), balls_of(1.0)):
        with pytest.raises(ValueError, match="argument 2 is"):
            parts_for(balls_of(1.0, 2.0), [1.0, 2.0], [0.0, 0.0], free=(others,))


def test_how_far_an_undecided_element_may_be_off_is_not_known_where_it_is_no_number() -> None:
    undecided = KIND(np.array([INF, 2.0, 3.0]), np.zeros(3)).spoiled(np.array([True, True, False]))
    with precision(256):
        parts = parts_of(
            balls_of(1.0, 2.0, 3.0), undecided, unit=U, bits=256, met=("a comparison in line 3",)
        )
    expect(parts, high=[0.0, 2.0, 3.0], radius=[NAN, INF, 0.0], limit=[NAN, NAN, 0.0])
    assert parts.why == "a comparison in line 3"


def test_inputs_are_about_one_if_nothing_is_said_of_them() -> None:
    for limit, why in ((2.0**-10, ""), (1.5 * 2.0**-10, "no limit is below the value itself")):
        assert parts_for(balls_of(2.0**-20, 0.0), [2.0**-20, 0.0], [limit, 0.0]).why == why
