"""One look at all samples comes to what a look at each of them comes to."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from harness.conformance.elements import common_integers
from harness.conformance.judgement import Judgement, in_every_sample
from harness.conformance.pooled import agreement, pool
from harness.conformance.samples import judge_against_truth, judge_samples, sizes_of
from harness.model import Case, Fixture, Precision, Tolerance, Truth, Value, Verdict

VALUE = Value(name="a", shape=("n",))
DERIVED = Tolerance(rule="derived")
SAMPLES = ("s", "t", "u")
Floats = npt.NDArray[np.float64]


def judged(arrays: list[Floats], truths: list[Floats]) -> tuple[Judgement, Judgement]:
    sizes = {name: {"n": array.size} for name, array in zip(SAMPLES, arrays, strict=True)}
    actual = dict(zip(SAMPLES, arrays, strict=True))
    truth = {
        name: Truth(high=high, low=high * 2.0**-60, limit=np.abs(high) * 2.0**-50, worst=1.0)
        for name, high in zip(SAMPLES, truths, strict=True)
    }
    sides = (actual.__getitem__, truth.__getitem__)
    at_once = judge_against_truth(SAMPLES, *sides, value=VALUE, precision=Precision.FLOAT64, sizes=sizes)
    judgement = judge_samples(
        SAMPLES, *sides, value=VALUE, rule=DERIVED, precision=Precision.FLOAT64, sizes=sizes
    )
    return at_once, judgement


def draws(seed: int) -> tuple[list[Floats], list[Floats]]:
    rng = np.random.default_rng(seed)
    truths = [rng.normal(size=size) * 10.0 ** rng.integers(-300, 300) for size in (3, 1, 7)]
    return [high * (1 + rng.integers(-3, 4, high.shape) * 2.0**-52) for high in truths], truths


@pytest.mark.parametrize("seed", range(50))
def test_sound_values(seed: int) -> None:
    at_once, judgement = judged(*draws(seed))
    assert at_once == judgement
    assert at_once.verdict is Verdict.PASS


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, 0.0, 1e308, -1.0])
@pytest.mark.parametrize("seed", range(5))
def test_one_wrong_element(seed: int, wrong: float) -> None:
    arrays, truths = draws(seed)
    arrays[seed % 3][-1] = wrong
    at_once, judgement = judged(arrays, truths)
    assert at_once == judgement
    assert at_once.verdict is Verdict.FAIL


def test_exact_values_and_zeros() -> None:
    zeros = [np.zeros(3), np.zeros(1), np.zeros(7)]
    at_once, judgement = judged([array.copy() for array in zeros], zeros)
    assert at_once == judgement
    assert at_once.verdict is Verdict.PASS


def test_a_wrong_shape_in_one_sample() -> None:
    arrays, truths = draws(1)
    arrays[2] = arrays[2][:-1]
    at_once, judgement = judged(arrays, truths)
    assert at_once == judgement
    assert at_once.verdict is Verdict.FAIL


@pytest.mark.parametrize("rule", ["exact", "ulp", "relative", "absolute"])
@pytest.mark.parametrize("wrong", [None, np.nan, np.inf, 1e300, -0.0])
def test_agreement_is_where_every_sample_passes(rule: str, wrong: float | None) -> None:
    _, arrays = draws(3)
    others = [array.copy() for array in arrays]
    arrays[0][0], others[0][0] = 0.0, 0.0 if wrong is None else wrong
    sizes = {name: {"n": array.size} for name, array in zip(SAMPLES, arrays, strict=True)}
    sides = [dict(zip(SAMPLES, side, strict=True)).__getitem__ for side in (arrays, others)]
    tolerance = Tolerance(rule=rule, value=1e-12, reason="test")  # type: ignore[arg-type]
    pools = [
        pool(SAMPLES, side, value=VALUE, rule=tolerance, precision=Precision.FLOAT64, sizes=sizes)
        for side in sides
    ]
    pooled = agreement(*pools, value=VALUE, rule=tolerance, precision=Precision.FLOAT64)
    judgement = judge_samples(
        SAMPLES, *sides, value=VALUE, rule=tolerance, precision=Precision.FLOAT64, sizes=sizes
    )
    assert (pooled is not None) is (judgement.verdict is Verdict.PASS)
    if pooled is not None and judgement.stats is not None:
        assert pooled.count == sum(array.size for array in arrays)
        assert pooled.used >= judgement.stats.used


def test_only_the_sample_that_used_most_is_looked_at_twice() -> None:
    truths = [np.array([1.0]), np.array([2.0]), np.array([4.0])]
    arrays = {
        name: high * (1 + k * 2.0**-52) for name, high, k in zip(SAMPLES, truths, (0, 3, 1), strict=True)
    }
    due = {
        name: Truth(high=high, low=high * 0.0, limit=high * 2.0**-50, worst=1.0)
        for name, high in zip(SAMPLES, truths, strict=True)
    }
    asked: list[str] = []

    def actual(sample: str) -> Floats:
        asked.append(sample)
        return arrays[sample]

    sizes = {name: {"n": 1} for name in SAMPLES}
    judgement = judge_against_truth(
        SAMPLES, actual, due.__getitem__, value=VALUE, precision=Precision.FLOAT64, sizes=sizes
    )
    assert asked == ["s", "t", "u", "t"]
    assert (judgement.verdict, judgement.worst_sample, judgement.samples, judgement.compared) == (
        Verdict.PASS,
        "t",
        3,
        3,
    )
    assert [sample_verdict.used for sample_verdict in judgement.by_sample] == [0.0, 0.75, 0.25]


def test_two_sides_that_share_a_fault_do_not_agree() -> None:
    def agree(left: npt.ArrayLike, right: npt.ArrayLike, n: int | None = 3) -> bool:
        sizes = {"s": {} if n is None else {"n": n}}
        sides = [{"s": np.asarray(array)}.__getitem__ for array in (left, right)]
        rule = Tolerance(rule="absolute", value=10.0, reason="test")
        pools = [
            pool(("s",), side, value=VALUE, rule=rule, precision=Precision.FLOAT64, sizes=sizes)
            for side in sides
        ]
        return agreement(*pools, value=VALUE, rule=rule, precision=Precision.FLOAT64) is not None

    assert agree(np.ones(3), np.ones(3))
    assert not agree(np.ones(2), np.ones(2))
    assert not agree(np.ones(3, np.float32), np.ones(3, np.float32))
    assert not agree(np.ones(3), np.ones(3, np.float32))
    assert not agree(np.ones(3), np.ones(1), None)
    assert not agree(np.ones(0), np.ones(0), 0)


def test_the_sizes_of_symbols_are_those_of_each_sample_s_inputs() -> None:
    case = Case(
        name="c",
        title="",
        origin="",
        fixture="f",
        inputs=(Value(name="x", shape=("n", 3, "d")), Value(name="y", shape=("m",))),
        stages=(),
    )
    fixture = Fixture(
        name="f",
        version=1,
        sha256="",
        origin="",
        licence="",
        shared={"x": np.ones((4, 3, 2))},
        samples={"s": {"y": np.ones(5)}, "t": {"y": np.ones(6)}},
    )
    assert sizes_of(case, fixture) == {"s": {"n": 4, "d": 2, "m": 5}, "t": {"n": 4, "d": 2, "m": 6}}


def test_what_raises_in_the_look_at_all_is_found_one_by_one() -> None:
    arrays, truths = draws(0)
    whole = {
        name: Truth(high=high, low=0.0 * high, limit=np.abs(high), worst=1.0)
        for name, high in zip(SAMPLES, truths, strict=True)
    }

    def truth(sample: str) -> Truth:
        if sample == "t":
            raise ZeroDivisionError("a bad sample")
        return whole[sample]

    sizes = {name: {"n": array.size} for name, array in zip(SAMPLES, arrays, strict=True)}
    actual = dict(zip(SAMPLES, arrays, strict=True)).__getitem__
    judgement = judge_against_truth(
        SAMPLES, actual, truth, value=VALUE, precision=Precision.FLOAT64, sizes=sizes
    )
    assert judgement.verdict is Verdict.ERROR
    assert [sample_verdict.verdict for sample_verdict in judgement.by_sample] == [
        Verdict.PASS,
        Verdict.ERROR,
        Verdict.PASS,
    ]


def test_integers_at_both_ends_of_a_type_are_of_it() -> None:
    ends = np.array([-(2**63), 2**63 - 1])
    common = common_integers(ends, np.array([-128, 127], dtype=np.int8))
    assert common is not None
    assert [array.dtype.name for array in common] == ["int64", "int64"]
    assert common[0].tolist() == [-(2**63), 2**63 - 1]
    common = common_integers(np.array([2**64 - 1, 0], dtype=np.uint64), np.array([0, 1]))
    assert common is not None
    assert [array.dtype.name for array in common] == ["uint64", "uint64"]
    assert common_integers(np.array([2**64 - 1], dtype=np.uint64), np.array([-1])) is None


def test_without_samples_nothing_was_compared() -> None:
    judged = in_every_sample((), lambda sample: Judgement(verdict=Verdict.PASS))
    assert judged.verdict is Verdict.FAIL
    assert judged.reason == "nothing was compared: the fixture has no samples"


@pytest.mark.parametrize("seed", range(5))
def test_samples_that_are_too_large_to_be_joined_are_measured_to_the_same_numbers(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(seed)
    high = {name: rng.normal(size=40) for name in SAMPLES}
    due = {
        name: Truth(high=array, low=array * 2.0**-60, limit=np.abs(array) * 2.0**-50, worst=1.0)
        for name, array in high.items()
    }
    ours = {name: array * (1 + 2.0**-52 * rng.integers(-2, 3, size=40)) for name, array in high.items()}
    sizes = {name: {"n": 40} for name in SAMPLES}
    judgements = []
    for most in (1 << 20, 0):
        monkeypatch.setattr("harness.conformance.samples.TOGETHER", most)
        judgements.append(
            judge_against_truth(
                SAMPLES,
                ours.__getitem__,
                due.__getitem__,
                value=VALUE,
                precision=Precision.FLOAT64,
                sizes=sizes,
            )
        )
    assert judgements[0] == judgements[1]
