"""Faults of an audit: what they do to arrays and to Python sources, and when they are none."""

from __future__ import annotations

import ast
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

from harness.audit.audit import shortened
from harness.audit.boundary import Injected, Target, four_limits, inject, rows_of, same_bits, single
from harness.audit.inputs import drawn, fewer_repetitions, scaled, shifted
from harness.audit.observed import reached
from harness.audit.proofs import (
    proof_by_digits,
    proof_by_equivalence,
    proof_by_horizon,
    proof_by_identity,
    proof_by_truth,
    same_truth,
    tells_float32,
    within_zero,
)
from harness.audit.python_faults import changes, uses
from harness.audit.types import InjectedFault
from harness.model import (
    Array,
    Case,
    Failure,
    Fixture,
    Identity,
    KnownDivergence,
    Observation,
    Stage,
    Tolerance,
    Truth,
    Value,
    Verdict,
)

DERIVED = Tolerance(rule="derived")
STATED = Tolerance(rule="absolute", value=1e-6, reason="test")


def injected(array: Array, **changes: object) -> dict[InjectedFault, Injected]:
    given = {"limit": 1e-12, "exact": False, **changes}
    target = Target(array=array, **given)  # type: ignore[arg-type]
    return {injection.fault: injection for injection in inject(target, np.random.default_rng(3))}


def differing(injected: Injected, array: Array) -> int:
    return int((injected.array != array).sum())


def test_faults_of_a_matrix_change_what_they_say() -> None:
    array: Any = np.random.default_rng(1).normal(size=(3, 3))
    by_fault = injected(array, other=("b", array + 1))
    assert differing(by_fault[InjectedFault.FOUR_LIMITS], array) == 1
    assert np.abs(by_fault[InjectedFault.FOUR_LIMITS].array - array).max() == pytest.approx(4e-12, rel=1e-3)
    moved = by_fault[InjectedFault.THOUSANDTH].array / array
    assert sorted(moved.ravel().round(9))[-1] == 1.001
    assert differing(by_fault[InjectedFault.THOUSANDTH], array) == 1
    assert np.isnan(by_fault[InjectedFault.NAN].array).sum() == 1
    assert sorted(map(tuple, by_fault[InjectedFault.ROWS_SWAPPED].array)) == sorted(map(tuple, array))
    assert differing(by_fault[InjectedFault.ROWS_SWAPPED], array) == 6
    assert same_bits(by_fault[InjectedFault.TRANSPOSED].array, array.T.copy())
    assert (by_fault[InjectedFault.ONE_ROW].array == by_fault[InjectedFault.ONE_ROW].array[0]).all()
    assert same_bits(by_fault[InjectedFault.ANOTHER_NAME].array, array + 1)
    assert same_bits(by_fault[InjectedFault.SINGLE].array, array.astype(np.float32).astype(np.float64))
    assert InjectedFault.NEGATIVE_ZERO not in by_fault


def test_an_exact_value_moves_by_the_least_step_there_is() -> None:
    array = np.array([0.0, 1.0])
    by_fault = injected(array, limit=0.0, exact=True)
    (place,) = np.argwhere(by_fault[InjectedFault.FOUR_LIMITS].array != array)[0]
    assert abs(by_fault[InjectedFault.FOUR_LIMITS].array[place] - array[place]) <= np.spacing(1.0)
    assert np.signbit(by_fault[InjectedFault.NEGATIVE_ZERO].array).tolist() == [True, False]


@pytest.mark.parametrize("array", [np.array(2.0), np.array([2.0]), np.ones((3, 3)), np.full(4, np.nan)])
def test_there_is_nothing_to_get_wrong(array: Array) -> None:
    by_fault = injected(array)
    for fault in (
        InjectedFault.ROWS_SWAPPED,
        InjectedFault.TRANSPOSED,
        InjectedFault.ONE_ROW,
        InjectedFault.SINGLE,
    ):
        assert same_bits(by_fault[fault].array, array), fault


def test_faults_of_complex_numbers() -> None:
    array = np.array([[1 + 2j, 3 - 1j], [1 + 2j, 3 + 5j], [7j, 2.0]])
    by_fault = injected(array, limit=1e-3)
    moved = by_fault[InjectedFault.FOUR_LIMITS].array - array
    assert np.abs(moved).max() == pytest.approx(4e-3)
    assert (moved != 0).sum() == 1
    assert differing(injected(array, limit=0.0)[InjectedFault.FOUR_LIMITS], array) == 1
    assert differing(by_fault[InjectedFault.ROWS_SWAPPED], array) >= 2


def test_a_change_that_the_case_says_is_none() -> None:
    array = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    swapped = array[[2, 1, 0]]
    assert "up to permutation of rows" in proof_by_equivalence("permutation of rows", array, swapped)
    for up_to, after in (
        (None, swapped),
        ("sign of columns", swapped),
        ("permutation of rows", array * 1.001),
        ("permutation of rows", np.broadcast_to(array[0], array.shape)),
        ("permutation of rows", swapped.astype(np.float32)),
    ):
        assert proof_by_equivalence(up_to, array, after) == "", up_to  # type: ignore[arg-type]
    assert "in the first 2 of the first axis" in proof_by_horizon(2, array, np.add(array, [[0], [0], [1]]))
    assert proof_by_horizon(2, array, np.add(array, [[0], [1], [0]])) == ""
    assert proof_by_horizon(None, array, array) == ""


def test_faults_of_integers_and_booleans() -> None:
    assert injected(np.array([3]), limit=0.0)[InjectedFault.FOUR_LIMITS].array.tolist() == [4]
    assert injected(np.array([True]), limit=0.0)[InjectedFault.FOUR_LIMITS].array.tolist() == [False]
    assert InjectedFault.NAN not in injected(np.array([3]), limit=0.0)


def test_rows_are_those_of_the_last_two_dimensions_that_are_more_than_one() -> None:
    shapes = [(4, 3), (1, 3), (4, 1), (2, 1, 1), (1, 1), ()]
    assert [rows_of(np.zeros(shape)) for shape in shapes] == [-2, -1, -2, -3, None, None]


def truth(high: list[list[float]], low: float = 0.0, limit: float = 1e-16) -> Truth:
    array = np.array(high)
    return Truth(high=array, low=np.full(array.shape, low), limit=np.full(array.shape, limit), worst=limit)


def test_moving_equal_true_values_is_no_fault_and_moving_others_is_one() -> None:
    array = np.array([[1.0, 2.0], [1.0 + 2**-52, 2.0]])
    swapped = injected(array)[InjectedFault.ROWS_SWAPPED]
    assert "true values" in proof_by_truth(swapped, truth([[1.0, 2.0], [1.0, 2.0]]), None)
    assert not proof_by_truth(swapped, truth([[1.0, 2.0], [1.0 + 2**-52, 2.0]]), None)
    assert not proof_by_truth(swapped, None, None)
    other = Injected(fault=InjectedFault.ANOTHER_NAME, array=array)
    assert proof_by_truth(other, truth([[1.0]]), truth([[1.0]]))
    assert not proof_by_truth(other, truth([[1.0]]), truth([[1.0]], low=1e-20))


def test_low_parts_tell_true_values_apart() -> None:
    true_value = truth([[1.0]])
    assert same_truth(true_value, np.array([[1.0]]), np.array([[1e-30]]))
    assert not same_truth(true_value, np.array([[1.0]]), np.array([[1e-20]]))
    assert not same_truth(true_value, np.array([1.0]), np.array([0.0]))


def test_noise_is_what_no_element_rises_above() -> None:
    noise = Injected(fault=InjectedFault.ROWS_SWAPPED, array=np.zeros(2))
    small = np.array([1e-20, -3e-20])
    assert proof_by_digits(noise, small, 5e-20, STATED)
    assert not proof_by_digits(noise, np.array([1e-20, 6e-20]), 5e-20, STATED)
    thousandth = Injected(fault=InjectedFault.THOUSANDTH, array=small, share=1e-3)
    assert proof_by_digits(thousandth, np.array([9e-18]), 5e-21, DERIVED)
    assert not proof_by_digits(thousandth, np.array([1.1e-17]), 5e-21, DERIVED)
    assert not proof_by_digits(thousandth, np.array([4e-18]), 5e-21, STATED)
    assert not proof_by_digits(noise, np.array([1e-20]), 0.0, DERIVED)


def test_an_undecided_element_is_moved_by_no_fault_and_counts_in_no_proof() -> None:
    limits = np.array([np.nan, 5e-21, np.nan])
    array = np.array([7.0, 4e-18, 9.0])
    for seed in range(20):
        target = Target(array=array, limit=limits, exact=False, other=None)
        moved = four_limits(target, np.random.default_rng(seed)).array
        assert (moved != array).tolist() == [False, True, False]
    nobody = Target(array=array, limit=np.full(3, np.nan), exact=False, other=None)
    assert same_bits(four_limits(nobody, np.random.default_rng(0)).array, array)
    thousandth = Injected(fault=InjectedFault.THOUSANDTH, array=array, share=1e-3)
    assert proof_by_digits(thousandth, array, limits, DERIVED)
    assert not proof_by_digits(thousandth, array, np.array([5e-21, 5e-21, np.nan]), DERIVED)
    assert not proof_by_digits(thousandth, array, np.full(3, np.nan), DERIVED)
    assert within_zero(array, np.array([np.nan, 1.0, 9.0]))
    assert not within_zero(array, np.array([6.0, 1.0, np.nan]))
    assert not within_zero(array, np.full(3, np.nan))


def test_an_identity_that_holds_makes_two_values_one() -> None:
    identity = Identity(id="same", left="a", right="b", tolerance=STATED)
    case = Case(name="c", title="", origin="", fixture="", inputs=(), stages=(), identities=(identity,))
    assert "identity 'same'" in proof_by_identity(case, "b", "a")
    assert not proof_by_identity(case, "a", "c")
    known = KnownDivergence(id="d", cause="", evidence="", ends_when="", identity="same")
    assert not proof_by_identity(msgspec.structs.replace(case, known_divergences=(known,)), "a", "b")


def test_what_tells_a_rounding_to_float32_is_an_element_that_is_large_enough() -> None:
    assert tells_float32(1e-6, STATED).startswith("elements beyond 33.6,")
    numbers = np.linspace(33.6, 67.1, 1001)
    assert np.abs(single(numbers) - numbers).max() > 1e-6
    assert np.abs(single(numbers / 4) - numbers / 4).max() < 1e-6
    assert not tells_float32(1e-6, DERIVED)


SOURCE = '''"""A text with 1 number."""

import numpy as np

STEP = 2.0


def softmax(x, axis):
    """Its 3 words."""
    e = np.exp(x - x.max(axis=axis))
    return e / e.sum(axis=axis)


def weights(Q, K):
    return softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=1)


def f(z, W, b):
    return W @ z + b
'''


def test_every_fault_of_a_python_source_is_put_in_where_it_can_be() -> None:
    actual = [(change.fault, change.was, change.now) for change in changes(SOURCE)]
    for expected in (
        (InjectedFault.SCALE, "np.sqrt(K.shape[1])", "K.shape[1]"),
        (InjectedFault.AXIS, "1", "0"),
        (InjectedFault.MAXIMUM, "x - x.max(axis=axis)", "x"),
        (InjectedFault.BIAS, "W @ z + b", "W @ z"),
        (InjectedFault.TRANSPOSE_REMOVED, "K.T", "K"),
        (InjectedFault.SIGN, "W @ z + b", "W @ z - b"),
        (InjectedFault.CONSTANT, "2.0", "3.0"),
        (InjectedFault.SINGLE_INSIDE, "W @ z", "single_inside(W) @ z"),
    ):
        assert actual.count(expected) == 1, expected
    assert not any("words" in was or "text" in was for _, was, _ in actual)


def test_a_maximum_that_is_taken_away_in_place_is_one_too() -> None:
    source = "def f(a):\n    a -= a.max(axis=0)\n    return np.exp(a)\n"
    actual = [(change.was, change.now) for change in changes(source) if change.fault is InjectedFault.MAXIMUM]
    assert actual == [("a.max(axis=0)", "0"), ("0", "1")]


NAMED = {
    "by a stage": "def top(s):\n    return s.max(axis=1)\n\n\ndef w(s, top):\n    return np.exp(s - top)\n",
    "by an assignment": "def w(s):\n    top = np.amax(s, axis=1)\n    return np.exp(s - top)\n",
}


@pytest.mark.parametrize("source", NAMED.values(), ids=NAMED)
def test_a_maximum_is_known_by_its_value(source: str) -> None:
    actual = [(change.was, change.now) for change in changes(source) if change.fault is InjectedFault.MAXIMUM]
    assert actual == [("s - top", "s"), ("s - top", "s + top")]


def test_a_name_alone_makes_no_maximum() -> None:
    source = "def maxs(s):\n    return s.mean(axis=1)\n\n\ndef w(s, maxs):\n    return np.exp(s - maxs)\n"
    assert not [change for change in changes(source) if change.fault is InjectedFault.MAXIMUM]


def test_every_changed_source_has_one_change_and_can_be_read() -> None:
    sound = ast.unparse(ast.parse(SOURCE)).splitlines()
    for change in changes(SOURCE):
        lines = ast.unparse(ast.parse(change.text)).splitlines()[: len(sound)]
        assert sum(old != new for old, new in zip(sound, lines, strict=True)) == 1, change.place
        assert SOURCE.splitlines()[change.line - 1].strip()


def test_rounding_inside_is_rounding_in_a_file_that_runs() -> None:
    (changed,) = (change for change in changes(SOURCE) if change.now == "single_inside(W) @ z")
    module: dict[str, object] = {}
    exec(changed.text, module)
    W, z = np.full((1, 1), 0.1), np.eye(1)
    assert same_bits(module["f"](z, W, 0.0), single(W))  # type: ignore[operator]


def test_a_change_reaches_the_stages_that_use_it() -> None:
    stages = [Stage(name=name, inputs=(), outputs=(Value(name=name, shape=()),)) for name in ("weights", "f")]
    case = Case(name="c", title="", origin="", fixture="", inputs=(), stages=tuple(stages))
    used = uses(SOURCE)
    assert [stage.name for stage in reached(case, used, "softmax")] == ["weights"]
    assert [stage.name for stage in reached(case, used, "f")] == ["f"]
    assert reached(case, used, "STEP") == ()


FIXTURE = Fixture(
    name="f",
    version=1,
    sha256="0",
    origin="",
    licence="",
    shared={"x": np.array([3.0, -4.0], dtype=np.float32)},
    samples={"short": {"epochs": np.array([100])}, "long": {"epochs": np.array([1000])}},
)


def test_repetitions_are_cut_and_samples_that_are_then_one_are_kept_once() -> None:
    inputs = (Value(name="x", shape=(2,)), Value(name="epochs", shape=(1,), dtype="int"))
    head = {"name": "c", "title": "", "origin": "", "fixture": "f"}
    case = Case(**head, inputs=inputs, stages=(), repetitions=("epochs",))
    fewer = fewer_repetitions(case, FIXTURE)
    assert fewer is not None
    assert [fewer.arrays(sample)["epochs"].tolist() for sample in fewer.samples] == [[5]]
    assert fewer.sha256 != FIXTURE.sha256
    assert fewer_repetitions(msgspec.structs.replace(case, repetitions=()), FIXTURE) is None


def test_what_has_no_element_below_zero_is_drawn_above_it() -> None:
    arrays = {"size": np.full(50, 0.5), "any": np.array([*[0.5] * 49, -0.5]), "none": np.zeros(50)}
    made = drawn(msgspec.structs.replace(FIXTURE, shared=arrays), 1, "drawn").shared
    assert (made["size"] > 0).all()
    assert (made["any"] < 0).any()
    assert (made["none"] < 0).any()


def unit_of(*seconds: float) -> Any:
    """A unit whose stages took so long; the last one failed."""
    observed: dict[Any, Any] = {
        ("s", str(place)): Observation(outputs={}, seconds=took) for place, took in enumerate(seconds)
    }
    observed["s", "fails"] = Failure(verdict=Verdict.ERROR, reason="test")
    return SimpleNamespace(chained=observed, isolated={})


@pytest.mark.parametrize(
    ("took", "timeout"), [((), 5.0), ((0.01,), 5.0), ((0.2, 0.5, 0.1), 25.0), ((2.0,), 60.0)]
)
def test_a_changed_stage_has_fifty_times_the_seconds_of_a_sound_one(
    took: tuple[float, ...], timeout: float
) -> None:
    case = Case(name="c", title="", origin="", fixture="f", inputs=(), stages=(), timeout=60.0)
    assert shortened(case, [unit_of(*took), unit_of(0.001)]).timeout == timeout


def test_other_inputs_are_larger_or_drawn_and_leave_integers_alone() -> None:
    large, other = scaled(FIXTURE, 8.0, "large"), drawn(FIXTURE, 1, "drawn")
    assert large.shared["x"].tolist() == [24.0, -32.0]
    assert shifted(FIXTURE, "x", "x plus 720").shared["x"].tolist() == [723.0, 716.0]
    assert same_bits(shifted(FIXTURE, "y", "y plus 720").shared["x"], FIXTURE.shared["x"])
    for fixture in (large, other):
        assert [fixture.arrays(sample)["epochs"].tolist() for sample in fixture.samples] == [[100], [1000]]
    assert not same_bits(single(other.shared["x"]), other.shared["x"])
    assert len({FIXTURE.sha256, large.sha256, other.sha256}) == 3


JAX = """
import jax
import jax.numpy as jnp


def weights(scores, K):
    return jax.nn.softmax(scores - jnp.max(scores), axis=1) @ jnp.transpose(K)


def last(scores):
    return jax.nn.softmax(scores)
"""


def test_faults_of_jax() -> None:
    made = {(c.fault.name, c.definition, c.was, c.now) for c in changes(JAX)}
    naive = "jax.numpy.exp({0}) / jax.numpy.exp({0}).sum({1}, keepdims=True)"
    assert {
        ("MAXIMUM", "last", "jax.nn.softmax(scores)", naive.format("scores", "-1")),
        (
            "MAXIMUM", "weights", "jax.nn.softmax(scores - jnp.max(scores), axis=1)",
            naive.format("scores", "axis=1"),
        ),
        ("TRANSPOSE_REMOVED", "weights", "jnp.transpose(K)", "K"),
        ("AXIS", "weights", "1", "0"),
    } <= made  # fmt: skip
    rounded = [c for c in changes(JAX) if c.fault is InjectedFault.SINGLE_INSIDE]
    assert rounded
    assert all("jax.numpy.asarray(value).astype" in c.text for c in rounded)
