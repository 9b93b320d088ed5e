"""The rules of judgement, on observations made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from harness.conformance.expect import expect_divergences, mark_inherited
from harness.conformance.identities import judge_identities
from harness.conformance.judge import blank_cells, judge_against, judge_calls, judge_published, judge_truth
from harness.conformance.judgement import Judgement, guarded, in_every_sample
from harness.conformance.judging_context import JudgingContext
from harness.conformance.own_inputs import OwnInputs
from harness.conformance.pairs import judge_consensus, judge_pairs
from harness.conformance.sides import Sides
from harness.model import (
    Case,
    Cell,
    Check,
    Failure,
    Identity,
    Implementation,
    KnownDivergence,
    Mode,
    Observation,
    Precision,
    Published,
    SampleVerdict,
    Source,
    Stage,
    Tolerance,
    Truth,
    Value,
    Verdict,
    Wider,
)
from harness.numerics import compare

ULPS = Tolerance(rule="ulp", value=2, reason="test")
EXACT = Tolerance(rule="exact")
SIZES = {"default": {"n": 3}}


def value(name: str, **changes: Any) -> Value:
    return Value(**{"name": name, "shape": ("n",), "tolerance": ULPS, **changes})


def case(*values: Value, **changes: Any) -> Case:
    stages = [
        Stage(name=value.name, inputs=("x",) if place == 0 else (values[place - 1].name,), outputs=(value,))
        for place, value in enumerate(values)
    ]
    return Case(
        name="c",
        title="",
        origin="",
        fixture="f",
        inputs=(Value(name="x", shape=("n",)),),
        stages=tuple(stages),
        **changes,
    )


def subject(of: Case) -> JudgingContext:
    return JudgingContext(
        case=of,
        implementation=Implementation(id="r", runtime="r", language="R", path=Path("c.R")),
        precision=Precision.FLOAT64,
        sizes=SIZES,
    )


def observed(sample: str = "default", **arrays: Any) -> dict[tuple[str, str], Observation | Failure]:
    return {
        (sample, name): array
        if isinstance(array, Failure)
        else Observation(outputs={name: np.asarray(array)}, seconds=0.5)
        for name, array in arrays.items()
    }


def judge(actual: Any, expected: Any, *, check: Check = Check.REFERENCE, **changes: Any) -> Cell:
    (cell,) = judge_against(
        subject(case(value("a", **changes))), Mode.CHAINED, check, observed(a=actual), observed(a=expected)
    )
    return cell


ONES = np.array([1.0, 1.0, 1.0])


def test_equal_passes_and_is_counted() -> None:
    cell = judge(ONES, ONES)
    assert (cell.verdict, cell.samples, cell.seconds, cell.source) == (Verdict.PASS, 1, 0.5, Source.LIVE)
    assert cell.stats is not None
    assert cell.stats.count == 3


def test_limit_is_inclusive() -> None:
    u = np.spacing(1.0)
    assert judge([1 + 2 * u, 1, 1], ONES).verdict is Verdict.PASS
    assert judge([1 + 3 * u, 1, 1], ONES).verdict is Verdict.FAIL


@pytest.mark.parametrize("basis", ["stated", "measured"])
def test_a_limit_says_where_it_comes_from(basis: Any) -> None:
    rule = Tolerance(rule="absolute", value=1.0, reason="test", basis=basis)
    assert judge(ONES, ONES, tolerance=rule).basis == basis
    assert judge(ONES, ONES, tolerance=EXACT).basis == "stated"
    assert judge(ONES, ONES, check=Check.REPEAT).basis is None
    wider = msgspec.structs.replace(rule, wider=Wider(samples="*", value=2.0, reason="more"))
    assert wider.at("s").basis == basis


def test_every_sample_has_its_verdict_and_the_cell_the_worst() -> None:
    of = case(value("a"))
    names = ("s", "t", "u", "v")
    given = msgspec.structs.replace(subject(of), sizes={sample: {"n": 3} for sample in names})
    due: dict[tuple[str, str], Observation | Failure] = {}
    for sample in names:
        due |= observed(sample, a=ONES)
    far = observed("t", a=[1.5, 1.0, np.nan])
    wide = observed("u", a=np.ones(4))
    actual = {**due, **far, **wide, **observed("v", a=Failure(verdict=Verdict.NOT_RUN, reason="gone"))}
    (cell,) = judge_against(given, Mode.CHAINED, Check.REFERENCE, actual, due)
    assert [
        (sample_verdict.sample, sample_verdict.verdict, sample_verdict.beyond)
        for sample_verdict in cell.by_sample
    ] == [
        ("s", Verdict.PASS, 0),
        ("t", Verdict.FAIL, 2),
        ("u", Verdict.FAIL, 0),
        ("v", Verdict.NOT_RUN, 0),
    ]
    assert [sample_verdict.max_abs for sample_verdict in cell.by_sample] == [0.0, 0.5, None, None]
    assert cell.by_sample[1].used == 0.5 / (2 * np.spacing(1.0))
    # What has no numbers is worse than any number.
    assert (cell.verdict, cell.worst_sample) == (Verdict.FAIL, "u")
    assert cell.by_sample[2].reason == cell.reason == "shape (4) where (n=3) is due"
    assert cell.by_sample[3].reason == "gone"


def test_a_wider_limit_is_for_its_samples_alone() -> None:
    wider = Wider(samples="epochs_1*", value=1e-6, reason="errors grow")
    rule = Tolerance(rule="absolute", value=1e-15, reason="test", wider=wider)
    of = case(value("a", tolerance=rule))
    samples = ("epochs_0100", "epochs_1000")
    given = msgspec.structs.replace(subject(of), sizes={sample: {"n": 3} for sample in samples})
    due: dict[tuple[str, str], Observation | Failure] = {}
    for sample in samples:
        due |= observed(sample, a=ONES)
    for off, verdict in (("epochs_1000", Verdict.PASS), ("epochs_0100", Verdict.FAIL)):
        actual = due | observed(off, a=ONES + 1e-9)
        (cell,) = judge_against(given, Mode.CHAINED, Check.REFERENCE, actual, due)
        assert (cell.verdict, cell.worst_sample) == (verdict, off)
        (pair,) = judge_pairs(of, Precision.FLOAT64, given.sizes, {"p": actual, "q": due}, {})
        assert pair.agree == (verdict is Verdict.PASS)
    assert rule.at("epochs_1000").reason == "errors grow"
    assert rule.at("epochs_0100") == rule


@pytest.mark.parametrize(
    ("actual", "reason"),
    [
        ([1.0, 1.0], "shape (2) where (n=3) is due"),
        ([[1.0, 1.0, 1.0]], "shape (1, 3) where (n=3) is due"),
        (1.0, "shape () where (n=3) is due"),
        (np.ones(3, dtype=np.float32), "dtype float32 where float64 is due"),
        ([1, 1, 1], "dtype int64 where float64 is due"),
        ([True, True, True], "dtype bool where float64 is due"),
        ([1, 1, 1j], "dtype complex128 where float64 is due"),
    ],
)
def test_wrong_shape_or_dtype_fails(actual: Any, reason: str) -> None:
    cell = judge(actual, ONES)
    assert (cell.verdict, cell.reason) == (Verdict.FAIL, reason)
    assert cell.stats is None


def test_wrong_shape_of_the_reference_itself_fails() -> None:
    wrong = np.ones(2)
    cell = judge(wrong, wrong, check=Check.REPEAT)
    assert (cell.verdict, cell.reason) == (Verdict.FAIL, "shape (2) where (n=3) is due")


def test_any_width_of_integers_will_do() -> None:
    assert judge(np.array([1, 2, 3], np.int32), np.array([1, 2, 3]), dtype="int").verdict is Verdict.PASS
    assert judge(
        np.array([1, 2, 4], np.int32), np.array([1, 2, 3]), dtype="int", tolerance=EXACT
    ).verdict is (Verdict.FAIL)


@pytest.mark.parametrize("rule", [EXACT, Tolerance(rule="absolute", value=0.25, reason="r")])
@pytest.mark.parametrize("mirrored", [False, True])
def test_integers_of_other_signs_are_compared_by_value(rule: Tolerance, mirrored: bool) -> None:
    def verdict(unsigned: list[int], signed: list[int]) -> Verdict:
        pair = [np.array(unsigned, np.uint64), np.array(signed, np.int64)]
        return judge(*(pair[::-1] if mirrored else pair), dtype="int", tolerance=rule).verdict

    assert verdict([2**64 - 1] * 3, [-1] * 3) is Verdict.FAIL
    assert verdict([2**63, 0, 1], [-(2**63), 0, 1]) is Verdict.FAIL
    assert verdict([2**63, 0, 1], [2**63 - 1, 0, 1]) is Verdict.FAIL
    assert verdict([2**63 - 1, 0, 1], [2**63 - 1, 0, 1]) is Verdict.PASS
    assert verdict([0, 1, 2], [0, 1, -2]) is Verdict.FAIL


def test_nan_is_equal_only_where_it_is_expected() -> None:
    nan = [1.0, np.nan, 1.0]
    assert judge(nan, nan).reason == "NaN in 1 places where the case expects none"
    assert judge(nan, nan, nan=True).verdict is Verdict.PASS
    assert judge([np.nan, 1.0, 1.0], nan, nan=True).verdict is Verdict.FAIL
    assert judge(nan, ONES, nan=True).verdict is Verdict.FAIL


def test_infinities_have_to_agree() -> None:
    inf = [1.0, -np.inf, 1.0]
    assert judge(inf, inf).verdict is Verdict.PASS
    assert judge([1.0, np.inf, 1.0], inf).verdict is Verdict.FAIL
    assert judge(ONES, inf).verdict is Verdict.FAIL


def test_sign_of_zero_fails_only_where_the_stage_is_exact() -> None:
    plus, minus = [0.0, 1.0, 1.0], [-0.0, 1.0, 1.0]
    cell = judge(minus, plus)
    assert cell.verdict is Verdict.PASS
    assert cell.stats is not None
    assert cell.stats.zero_sign_mismatch == 1
    assert judge(minus, plus, tolerance=EXACT).verdict is Verdict.FAIL
    assert judge(minus, plus, check=Check.REPEAT).verdict is Verdict.FAIL


def test_nothing_compared_passes_nobody_and_accuses_nobody() -> None:
    of = case(value("a"))
    (none,) = judge_against(subject(of), Mode.CHAINED, Check.REFERENCE, {}, {})
    assert none.verdict is Verdict.FAIL
    empty = msgspec.structs.replace(subject(of), sizes={"default": {"n": 0}})
    (cell,) = judge_against(
        empty, Mode.CHAINED, Check.REFERENCE, observed(a=np.zeros(0)), observed(a=np.zeros(0))
    )
    assert (cell.verdict, cell.reason) == (Verdict.NOT_RUN, "nothing was compared: every array is empty")
    (long,) = judge_against(
        empty, Mode.CHAINED, Check.REFERENCE, observed(a=np.zeros(1)), observed(a=np.zeros(0))
    )
    assert (long.verdict, long.reason) == (Verdict.FAIL, "shape (1) where (n=0) is due")


def test_where_all_is_nan_nothing_is_compared_by_number() -> None:
    nan = [np.nan] * 3
    reason = "nothing was compared by number: all elements are NaN on both sides"
    cell = judge(nan, nan, nan=True)
    assert (cell.verdict, cell.reason) == (Verdict.NOT_RUN, reason)
    assert judge([np.nan, np.nan, 1.0], [np.nan, np.nan, 1.0], nan=True).verdict is Verdict.PASS
    assert judge([np.nan, np.nan, 0.0], nan, nan=True).verdict is Verdict.FAIL
    assert judge(nan, nan).verdict is Verdict.FAIL


def test_a_sample_that_is_missing_is_not_passed_over() -> None:
    of = msgspec.structs.replace(subject(case(value("a"))), sizes={"s": {"n": 3}, "t": {"n": 3}})
    expected = observed("s", a=ONES) | observed("t", a=ONES)
    (cell,) = judge_against(of, Mode.CHAINED, Check.REFERENCE, observed("s", a=ONES), expected)
    assert (cell.verdict, cell.worst_sample) == (Verdict.NOT_RUN, "t")


def test_the_worst_sample_counts() -> None:
    of = msgspec.structs.replace(subject(case(value("a"))), sizes={s: {"n": 3} for s in "stu"})
    expected = observed("s", a=ONES) | observed("t", a=ONES) | observed("u", a=ONES)
    actual = observed("s", a=ONES) | observed("t", a=ONES + 1e-3) | observed("u", a=ONES + 1e-6)
    (cell,) = judge_against(of, Mode.CHAINED, Check.REFERENCE, actual, expected)
    assert (cell.verdict, cell.worst_sample, cell.samples) == (Verdict.FAIL, "t", 3)


@pytest.mark.parametrize("verdict", [Verdict.ERROR, Verdict.TIMEOUT, Verdict.FAIL])
def test_a_failure_keeps_its_kind(verdict: Any) -> None:
    cell = judge(Failure(verdict=verdict, reason="why", detail="trace"), ONES)
    assert (cell.verdict, cell.reason, cell.detail, cell.source) == (verdict, "why", "trace", Source.NONE)


def test_without_a_reference_nothing_passes() -> None:
    cell = judge(ONES, Failure(verdict=Verdict.ERROR, reason="why"))
    assert cell.verdict is Verdict.NOT_RUN
    assert "why" in cell.reason


@pytest.mark.parametrize(
    ("lesser", "worse"),
    [
        ("PASS", "NOT_RUN"),
        ("PASS", "UNSUPPORTED"),
        ("NOT_RUN", "FAIL"),
        ("FAIL", "TIMEOUT"),
        ("FAIL", "ERROR"),
    ],
)
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("with_numbers", ["", "lesser", "worse", "lesser worse"])
def test_the_worse_verdict_counts_in_whatever_order_they_come(
    lesser: str, worse: str, first: int, with_numbers: str
) -> None:
    far = compare(ONES, ONES + 1e9)
    judgements = [
        Judgement(verdict=Verdict(verdict), stats=far if name in with_numbers else None, compared=3)
        for name, verdict in (("lesser", lesser), ("worse", worse))
    ]
    samples = dict(zip("st", judgements[::-1] if first else judgements, strict=True))
    assert in_every_sample(samples, samples.__getitem__).verdict is Verdict(worse)


@pytest.mark.parametrize(
    "pair", ["ERROR TIMEOUT", "TIMEOUT ERROR", "NOT_RUN UNSUPPORTED", "UNSUPPORTED NOT_RUN"]
)
def test_of_what_is_as_bad_the_first_counts(pair: str) -> None:
    samples = dict(zip("st", (Judgement(verdict=Verdict(name)) for name in pair.split()), strict=True))
    judgement = in_every_sample(samples, samples.__getitem__)
    assert (judgement.verdict, judgement.worst_sample) == (pair.split()[0], "s")


def test_a_fault_of_the_harness_has_the_last_four_calls() -> None:
    def fails(depth: int) -> Judgement:
        if depth:
            return fails(depth - 1)
        raise ValueError("it broke")

    judgement = guarded(lambda: fails(9))
    assert (judgement.verdict, judgement.reason) == ("ERROR", "a fault in the harness: ValueError: it broke")
    assert judgement.detail.count("in fails") == 4
    assert "repeated" not in judgement.detail
    assert judgement.detail.endswith("ValueError: it broke")


def on_own_inputs(verdict: Verdict, reason: str = "") -> OwnInputs:
    """What the comparison with the reference, on an implementation's own inputs, comes to."""
    return lambda name, samples: dict.fromkeys(samples, Judgement(verdict=verdict, reason=reason))


def test_what_is_off_from_the_truth_can_be_known_and_inherited() -> None:
    of = case(value("a", tolerance=None), value("b", tolerance=None), known_divergences=(known(stage="a"),))
    truths = {("default", name): truth(1e-9, high=ONES, low=ONES * 0) for name in "ab"}
    off, right = observed(a=ONES + 1, b=ONES + 1), observed(a=ONES + 1, b=ONES)
    cells = mark_inherited(
        [
            *judge_truth(subject(of), Mode.CHAINED, off, truths),
            *judge_truth(subject(of), Mode.ISOLATED, right, truths),
        ]
    )
    assert [cell.inherited for cell in cells] == [False, True, False, False]
    sides = Sides(case=of, chained=off, isolated=right, chained_truths=truths, isolated_truths=truths)
    explained = expect_divergences("r", cells, sides, on_own_inputs(Verdict.PASS))
    assert [cell.verdict for cell in explained] == ["XFAIL", "XFAIL", "XFAIL", "PASS"]


def test_a_failure_without_numbers_is_worse_than_one_with_any() -> None:
    numbers = Judgement(verdict=Verdict.FAIL, reason="far off", stats=compare(ONES, ONES + 1e300), compared=3)
    shape = Judgement(verdict=Verdict.FAIL, reason="another shape", compared=2)
    for samples in ({"s": numbers, "t": shape}, {"s": shape, "t": numbers}):
        assert in_every_sample(samples, samples.__getitem__).reason == "another shape"


def test_inherited_is_what_vanishes_with_sound_inputs() -> None:
    of = subject(case(value("a"), value("b")))
    expected = observed(a=ONES, b=ONES)
    cells = mark_inherited(
        [
            *judge_against(of, Mode.CHAINED, Check.REFERENCE, observed(a=ONES + 1, b=ONES + 1), expected),
            *judge_against(of, Mode.ISOLATED, Check.REFERENCE, observed(a=ONES + 1, b=ONES), expected),
        ]
    )
    assert [(cell.stage, cell.inherited) for cell in cells if cell.mode is Mode.CHAINED] == [
        ("a", False),
        ("b", True),
    ]


def known(**changes: Any) -> KnownDivergence:
    size = {"measure": "absolute", "at_least": 0.5, "at_most": 1.5}
    return KnownDivergence(
        **{"id": "k", "cause": "", "evidence": "", "ends_when": "never", **size, **changes}
    )


def expected_cells(
    divergence: KnownDivergence,
    a: Any,
    b: Any,
    isolated_b: Any,
    verdict: Verdict = Verdict.PASS,
    why: str = "",
) -> list[Cell]:
    of = case(value("a"), value("b"), known_divergences=(divergence,))
    reference = observed(a=ONES, b=ONES)
    chained, isolated = observed(a=a, b=b), observed(a=a, b=isolated_b)
    cells = mark_inherited(
        [
            *judge_against(subject(of), Mode.CHAINED, Check.REFERENCE, chained, reference),
            *judge_against(subject(of), Mode.ISOLATED, Check.REFERENCE, isolated, reference),
        ]
    )
    sides = Sides(case=of, chained=chained, isolated=isolated, reference=reference, upstream=reference)
    return expect_divergences("r", cells, sides, on_own_inputs(verdict, why))


def test_known_divergence_covers_its_stage_and_what_inherits_from_it() -> None:
    cells = expected_cells(known(stage="a", implementation="r"), ONES + 1, ONES + 1, ONES)
    assert [cell.verdict for cell in cells] == [Verdict.XFAIL, Verdict.XFAIL, Verdict.XFAIL, Verdict.PASS]


def test_known_divergence_does_not_cover_a_fault_of_another_stage() -> None:
    cells = expected_cells(known(stage="a", implementation="r"), ONES + 1, ONES + 1, ONES + 1)
    assert [cell.verdict for cell in cells] == [Verdict.XFAIL, Verdict.FAIL, Verdict.XFAIL, Verdict.FAIL]


def test_known_divergence_of_another_implementation_covers_nothing() -> None:
    cells = expected_cells(known(stage="a", implementation="julia"), ONES + 1, ONES, ONES)
    assert Verdict.XFAIL not in {cell.verdict for cell in cells}


def test_known_divergence_that_no_longer_shows() -> None:
    cells = expected_cells(known(stage="a"), ONES, ONES, ONES)
    assert [cell.verdict for cell in cells] == [Verdict.XPASS, Verdict.PASS, Verdict.XPASS, Verdict.PASS]
    assert [cell.divergence for cell in cells] == ["k", "", "k", ""]


def test_a_known_divergence_that_shows_in_one_precision_alone_has_ended_in_the_other() -> None:
    of = case(value("a"), known_divergences=(known(stage="a"),))
    double = subject(of)
    single = msgspec.structs.replace(double, precision=Precision.FLOAT32)
    narrow = ONES.astype(np.float32)
    cells = [
        *judge_against(double, Mode.CHAINED, Check.REFERENCE, observed(a=ONES + 1), observed(a=ONES)),
        *judge_against(single, Mode.CHAINED, Check.REFERENCE, observed(a=narrow), observed(a=narrow)),
    ]
    explained = expect_divergences(
        "r", cells, Sides(case=of, chained=observed(a=ONES + 1), reference=observed(a=ONES))
    )
    assert [cell.verdict for cell in explained] == [Verdict.XFAIL, Verdict.XPASS]


@pytest.mark.parametrize("verdict", [Verdict.ERROR, Verdict.TIMEOUT])
def test_a_crash_never_satisfies_a_known_divergence(verdict: Any) -> None:
    crash = Failure(verdict=verdict, reason="why")
    cells = expected_cells(known(stage="a"), crash, ONES, ONES)
    assert cells[0].verdict is verdict


@pytest.mark.parametrize(
    ("a", "reason"),
    [
        (ONES + 1.5000001, "larger than known divergence 'k' allows: 1.5 where at most 1.5 (absolute)"),
        (ONES + 10, "larger than known divergence 'k' allows: 10 where at most 1.5 (absolute)"),
        (ONES + 0.25, "smaller than known divergence 'k' says: 0.25 where at least 0.5 (absolute)"),
        ([2.0, np.nan, 2.0], "is a difference of finite numbers, and this is not; 3 of 3 elements beyond"),
        ([2.0, np.inf, 2.0], "is a difference of finite numbers, and this is not; 3 of 3 elements beyond"),
        ([2.0, 2.0], "and this is not; shape (2) where (n=3) is due"),
        ([2, 2, 2], "and this is not; dtype int64 where float64 is due"),
        (Failure(verdict=Verdict.FAIL, reason="there is no function a"), "not; there is no function a"),
    ],
)
def test_a_known_divergence_covers_nothing_but_what_was_measured(a: Any, reason: str) -> None:
    cells = expected_cells(known(stage="a"), a, ONES + 1, ONES)
    assert [cell.verdict for cell in cells] == [Verdict.FAIL, Verdict.FAIL, Verdict.FAIL, Verdict.PASS]
    assert reason in cells[0].reason
    assert "known divergence" not in cells[1].reason


def test_a_known_divergence_says_its_size_and_what_follows_from_it() -> None:
    cells = expected_cells(known(stage="a"), ONES + 1, ONES + 1, ONES)
    assert cells[0].reason.endswith("; absolute 1, known to be 0.5 to 1.5")
    assert cells[1].reason.endswith(
        "; follows from known divergence 'k' of a: on its own inputs numpy gives the same"
    )
    # What follows must be numbers as well.
    cells = expected_cells(known(stage="a"), ONES + 1, [1.0, np.nan, 1.0], ONES)
    assert [cell.verdict for cell in cells] == [Verdict.XFAIL, Verdict.FAIL, Verdict.XFAIL, Verdict.PASS]


def test_what_is_more_than_inherited_is_not_known() -> None:
    cells = expected_cells(known(stage="a"), ONES + 1, ONES + 9, ONES, Verdict.FAIL, "numpy gives 2")
    assert [cell.verdict for cell in cells] == ["XFAIL", "FAIL", "XFAIL", "PASS"]
    assert cells[1].reason == (
        "more than what it inherits from known divergence 'k' of a: on its own inputs numpy gives 2;"
        " 3 of 3 elements beyond the limit, first at [0]"
    )
    assert (cells[1].divergence, cells[1].inherited) == ("", False)


def test_what_cannot_be_shown_to_inherit_is_not_judged() -> None:
    cells = expected_cells(known(stage="a"), ONES + 1, ONES + 9, ONES, Verdict.NOT_RUN, "no numpy here")
    assert [cell.verdict for cell in cells] == ["XFAIL", "NOT_RUN", "XFAIL", "PASS"]
    assert (
        cells[1].reason == "that it follows from known divergence 'k' of a could not be shown: no numpy here"
    )
    assert (cells[1].divergence, cells[1].inherited, cells[1].source) == ("", False, Source.NONE)


def test_without_a_reference_nothing_is_shown_to_inherit() -> None:
    of = case(value("a"), value("b"), known_divergences=(known(stage="a"),))
    reference = observed(a=ONES, b=ONES)
    chained, isolated = observed(a=ONES + 1, b=ONES + 1), observed(a=ONES + 1, b=ONES)
    cells = mark_inherited(
        [
            *judge_against(subject(of), Mode.CHAINED, Check.REFERENCE, chained, reference),
            *judge_against(subject(of), Mode.ISOLATED, Check.REFERENCE, isolated, reference),
        ]
    )
    sides = Sides(case=of, chained=chained, isolated=isolated, reference=reference, upstream=reference)
    explained = expect_divergences("r", cells, sides)
    assert [cell.verdict for cell in explained] == ["XFAIL", "NOT_RUN", "XFAIL", "PASS"]
    assert explained[1].reason.endswith("could not be shown: there is no reference to call")


def test_the_reference_is_called_for_what_may_inherit_alone() -> None:
    def never(name: str, samples: Sequence[str]) -> dict[str, Judgement]:
        raise AssertionError(name)

    of = case(value("a"), value("b"), known_divergences=(known(stage="a"),))
    reference = observed(a=ONES, b=ONES)
    for a, b, isolated_b in [
        (ONES, ONES, ONES),
        (ONES + 1, ONES, ONES),
        (ONES + 9, ONES + 9, ONES),
        (ONES + 1, ONES + 9, ONES + 9),
        (ONES + 1, [np.nan, 1.0, 1.0], ONES),
    ]:
        chained, isolated = observed(a=a, b=b), observed(a=a, b=isolated_b)
        cells = mark_inherited(
            [
                *judge_against(subject(of), Mode.CHAINED, Check.REFERENCE, chained, reference),
                *judge_against(subject(of), Mode.ISOLATED, Check.REFERENCE, isolated, reference),
            ]
        )
        sides = Sides(case=of, chained=chained, isolated=isolated, reference=reference, upstream=reference)
        explained = expect_divergences("r", cells, sides, never)
        assert explained[1].divergence == ""


@pytest.mark.parametrize("of_b", ["FAIL", "PASS"])
def test_what_follows_from_an_unknown_difference_does_not_follow_from_a_known_one(of_b: Any) -> None:
    def judged(name: str, samples: Sequence[str]) -> dict[str, Judgement]:
        verdict = Verdict(of_b) if name == "b" else Verdict.PASS
        return dict.fromkeys(samples, Judgement(verdict=verdict))

    of = case(value("a"), value("b"), value("c"), known_divergences=(known(stage="a"),))
    reference = observed(a=ONES, b=ONES, c=ONES)
    chained, isolated = observed(a=ONES + 1, b=ONES + 9, c=ONES + 9), observed(a=ONES + 1, b=ONES, c=ONES)
    cells = mark_inherited(
        [
            *judge_against(subject(of), Mode.CHAINED, Check.REFERENCE, chained, reference),
            *judge_against(subject(of), Mode.ISOLATED, Check.REFERENCE, isolated, reference),
        ]
    )
    sides = Sides(case=of, chained=chained, isolated=isolated, reference=reference, upstream=reference)
    # The order in which cells come is no order of stages.
    for given in (cells, cells[::-1]):
        explained = {
            cell.stage: cell
            for cell in expect_divergences("r", given, sides, judged)
            if cell.mode is Mode.CHAINED
        }
        left = "XFAIL" if of_b == "PASS" else "FAIL"
        assert [explained[name].verdict for name in "abc"] == ["XFAIL", left, left]
        assert explained["c"].inherited


@pytest.mark.parametrize(
    ("elements", "verdict", "reason"),
    [
        (None, "XFAIL", ""),
        ((2, 2), "XFAIL", ""),
        ((1, 3), "XFAIL", ""),
        ((1, 1), "FAIL", "more elements than known divergence 'k' allows: 2 where at most 1; 2 of 3"),
        ((3, 3), "FAIL", "fewer elements than known divergence 'k' says: 2 where at least 3; 2 of 3"),
    ],
)
def test_a_known_divergence_may_say_in_how_many_elements_it_is(
    elements: Any, verdict: str, reason: str
) -> None:
    cells = expected_cells(known(stage="a", elements=elements), [2.0, 2.0, 1.0], ONES + 1, ONES)
    # What follows is known where its source is.
    assert [cell.verdict for cell in cells] == [verdict, verdict, verdict, "PASS"]
    assert cells[0].reason.startswith(reason or "2 of 3 elements")


@pytest.mark.parametrize("samples", [("*",), ("s", "t"), ("[st]",)])
def test_a_known_divergence_may_say_of_which_samples_it_is(samples: tuple[str, ...]) -> None:
    assert two_samples(1.0, 1.25, samples=samples).verdict is Verdict.XFAIL


def test_a_sample_of_which_a_known_divergence_is_not_known() -> None:
    cell = two_samples(1.0, 1.25, samples=("s",))
    assert [sample_verdict.verdict for sample_verdict in cell.by_sample] == ["XFAIL", "FAIL"]
    assert cell.verdict is Verdict.FAIL
    assert cell.reason.startswith("t: known divergence 'k' is not known of sample t")


def test_a_known_divergence_of_other_samples_has_not_ended() -> None:
    assert two_samples(0.0, 0.0, samples=("u",)).verdict is Verdict.PASS
    assert two_samples(0.0, 0.0, samples=("u", "t")).verdict is Verdict.XPASS


def test_the_reason_of_a_cell_of_one_sample_names_none() -> None:
    cells = expected_cells(known(stage="a"), ONES + 10, ONES, ONES)
    assert cells[0].reason == (
        "larger than known divergence 'k' allows: 10 where at most 1.5 (absolute); 3 of 3 elements beyond the"
        " limit, first at [0]"
    )


@pytest.mark.parametrize("off", [0.5, 1.5])
def test_the_ends_of_the_range_belong_to_it(off: float) -> None:
    assert expected_cells(known(stage="a"), ONES + off, ONES, ONES)[0].verdict is Verdict.XFAIL


def test_a_stage_that_is_off_chained_alone_has_not_healed() -> None:
    of = case(value("a"), known_divergences=(known(stage="a"),))
    reference = observed(a=ONES)
    cells = [
        *judge_against(subject(of), Mode.CHAINED, Check.REFERENCE, observed(a=ONES + 1), reference),
        *judge_against(subject(of), Mode.ISOLATED, Check.REFERENCE, reference, reference),
    ]
    sides = Sides(
        case=of, chained=observed(a=ONES + 1), isolated=reference, reference=reference, upstream=reference
    )
    explained = expect_divergences("r", cells, sides)
    assert [cell.verdict for cell in explained] == [Verdict.XFAIL, Verdict.PASS]


def test_another_stage_that_is_off_keeps_nothing_from_healing() -> None:
    cells = expected_cells(known(stage="a"), ONES, ONES + 9, ONES + 9)
    assert [cell.verdict for cell in cells] == [Verdict.XPASS, Verdict.FAIL, Verdict.XPASS, Verdict.FAIL]
    assert cells[0].reason == "known divergence 'k' no longer shows; it ends when: never"


def test_a_known_divergence_of_an_older_record_covers_nothing() -> None:
    old = known(stage="a", measure=None, at_least=None, at_most=None)
    cells = expected_cells(old, ONES + 1, ONES, ONES)
    assert [cell.verdict for cell in cells] == [Verdict.FAIL, Verdict.PASS, Verdict.FAIL, Verdict.PASS]


def two_samples(s: float, t: float, **changes: Any) -> Cell:
    """A cell of two samples, off by so much; a known divergence allows 0.5 to 1.5."""
    of = case(value("a"), known_divergences=(known(stage="a", **changes),))
    cell = judge(ONES + s, ONES)
    sample_verdicts = tuple(
        SampleVerdict(sample=name, verdict=Verdict.FAIL if off else Verdict.PASS, max_abs=off)
        for name, off in (("s", s), ("t", t))
    )
    cell = msgspec.structs.replace(cell, by_sample=sample_verdicts, worst_sample="s", samples=2)
    chained = observed("s", a=ONES + s) | observed("t", a=ONES + t)
    reference = observed("s", a=ONES) | observed("t", a=ONES)
    (samples,) = expect_divergences("r", [cell], Sides(case=of, chained=chained, reference=reference))
    return samples


def test_every_sample_has_to_be_within_the_range() -> None:
    cell = two_samples(1.0, 1.25)
    assert (cell.verdict, cell.divergence) == (Verdict.XFAIL, "k")
    assert [sample_verdict.verdict for sample_verdict in cell.by_sample] == [Verdict.XFAIL, Verdict.XFAIL]
    cell = two_samples(1.0, 0.0)
    assert cell.verdict is Verdict.XFAIL
    assert [sample_verdict.verdict for sample_verdict in cell.by_sample] == [Verdict.XFAIL, Verdict.PASS]
    cell = two_samples(1.0, 2.0)
    assert (cell.verdict, cell.divergence) == (Verdict.FAIL, "")
    assert [sample_verdict.verdict for sample_verdict in cell.by_sample] == [Verdict.XFAIL, Verdict.FAIL]
    assert cell.reason.startswith("t: larger than known divergence 'k' allows: 2 where at most 1.5")


IDENTITY = Identity(id="i", left="a", right="b", tolerance=ULPS)


def identity_verdict(left: Any, right: Any, *divergences: KnownDivergence) -> Verdict:
    of = case(value("a"), value("b"), identities=(IDENTITY,), known_divergences=divergences)
    chained = observed(a=left, b=right)
    cells = judge_identities(subject(of), chained, {})
    (cell,) = expect_divergences("r", cells, Sides(case=of, chained=chained))
    return cell.verdict


def test_identities() -> None:
    divergence = known(identity="i")
    assert identity_verdict(ONES, ONES) is Verdict.PASS
    of = case(value("a"), value("b"), identities=(IDENTITY,))
    (cell,) = judge_identities(subject(of), observed(a=ONES, b=ONES), {})
    assert (cell.basis, cell.check, cell.source, cell.mode) == ("stated", "identity", "live", "chained")
    assert identity_verdict(ONES + 1, ONES) is Verdict.FAIL
    assert identity_verdict(ONES + 1, ONES, divergence) is Verdict.XFAIL
    assert identity_verdict(ONES, ONES, divergence) is Verdict.XPASS
    assert identity_verdict(Failure(verdict=Verdict.ERROR, reason=""), ONES, divergence) is Verdict.ERROR


TRUE = np.array([1.0, 2.0, 0.0])


def truth(limit: float, **changes: Any) -> Truth:
    return Truth(**{"high": TRUE, "low": TRUE * 0, "limit": TRUE * 0 + limit, "worst": 1.0, **changes})


@pytest.mark.parametrize(
    ("off", "verdict"),
    [(0.0, Verdict.PASS), (0.75, Verdict.PASS), (-0.75, Verdict.PASS), (0.8, Verdict.FAIL)],
)
def test_a_derived_identity_allows_the_sum_of_both_limits(off: float, verdict: Verdict) -> None:
    derived = Identity(id="i", left="a", right="b", tolerance=Tolerance(rule="derived"))
    of = case(value("a", tolerance=None), value("b", tolerance=None), identities=(derived,))
    truths = {("default", "a"): truth(0.5), ("default", "b"): truth(0.25)}
    (cell,) = judge_identities(subject(of), observed(a=TRUE + np.array([0, off, 0]), b=TRUE), truths)
    assert cell.verdict is verdict
    assert cell.limit == 0.75
    assert (cell.worst, cell.basis, cell.against) == (2.0, "derived", "b")
    assert cell.ulp_error is None
    assert cell.ulp_of_stage is None


def test_an_identity_is_not_judged_where_either_side_is_undecided() -> None:
    derived = Identity(id="i", left="a", right="b", tolerance=Tolerance(rule="derived"), meaning="equal")
    of = case(value("a", tolerance=None), value("b", tolerance=None), identities=(derived,))
    left, right = np.array([True, False, False]), np.array([False, True, False])
    truths = {
        ("default", "a"): truth(0.5, undecided=left, why="a tie"),
        ("default", "b"): truth(0.5, undecided=right, why="a tie"),
    }
    (cell,) = judge_identities(subject(of), observed(a=TRUE + np.array([9.0, 9.0, 0.5]), b=TRUE), truths)
    assert (cell.verdict, cell.undecided) == (Verdict.PASS, 2)
    assert cell.reason == "2 elements not judged: a tie"
    (cell,) = judge_identities(subject(of), observed(a=TRUE + np.array([9.0, 9.0, 1.5]), b=TRUE), truths)
    assert cell.verdict is Verdict.FAIL
    assert cell.reason.startswith("i: 1 of 1 elements beyond the limit, first at [2]")


@pytest.mark.parametrize(
    ("right", "truths", "reason"),
    [
        (TRUE, {"b": Failure(verdict=Verdict.NOT_RUN, reason="no oracle")}, "no oracle"),
        (TRUE, {"b": truth(1.0, high=TRUE[:2])}, "it is float64 (3,) where float64 (2,) is due"),
        (TRUE.astype(np.float32), {}, "it is float32 (3,) where float64 (3,) is due"),
        (Failure(verdict=Verdict.ERROR, reason="it crashed"), {}, "it crashed"),
    ],
)
def test_a_derived_identity_is_not_judged_without_both_truths(right: Any, truths: Any, reason: str) -> None:
    derived = Identity(id="i", left="a", right="b", tolerance=Tolerance(rule="derived"))
    of = case(value("a", tolerance=None), value("b", tolerance=None), identities=(derived,))
    due = {("default", name): truths.get(name, truth(1.0)) for name in "ab"}
    (cell,) = judge_identities(subject(of), observed(a=TRUE, b=right), due)
    assert cell.verdict is Verdict.NOT_RUN
    assert reason in cell.reason


def test_published_digits() -> None:
    printed = Published(stage="a", source="somebody", values=("1.00", "2.00", "3.00"))
    of = case(value("a"), published=(printed,))
    (good,) = judge_published(subject(of), observed(a=[1.0, 2.004, 3.0]), "f")
    (bad,) = judge_published(subject(of), observed(a=[1.0, 2.006, 3.0]), "f")
    assert (good.verdict, good.against) == (Verdict.PASS, "somebody")
    assert bad.verdict is Verdict.FAIL
    assert "[1] is 2.006, printed 2.00" in bad.reason


def test_what_gave_no_answer_printed_nothing() -> None:
    printed = Published(stage="a", source="s", values=("1",))
    of = case(value("a"), published=(printed,))
    crash = Failure(verdict=Verdict.ERROR, reason="it ended", detail="trace")
    (cell,) = judge_published(subject(of), observed(a=crash), "f")
    assert (cell.verdict, cell.reason, cell.detail) == (Verdict.ERROR, "it ended", "trace")


def test_how_many_printed_numbers_were_held() -> None:
    printed = Published(stage="a", source="s", values=("1.00", "2.00", "3.00"))
    of = case(value("a"), published=(printed,))
    (good,) = judge_published(subject(of), observed(a=[1.0, 2.0, 3.0]), "f")
    (bad,) = judge_published(subject(of), observed(a=[1.0, 2.5, 3.5]), "f")
    (short,) = judge_published(subject(of), observed(a=[1.0, 2.0]), "f")
    assert good.reason == "3 printed numbers"
    assert bad.reason.startswith("2 of 3 printed numbers differ, first: ")
    assert (short.verdict, short.check, short.mode) == ("FAIL", "published", "chained")
    assert judge_published(subject(of), {}, "f") == []


def test_published_for_another_fixture_is_not_run() -> None:
    printed = Published(stage="a", source="s", values=("1",), fixture="*glove*")
    of = case(value("a"), published=(printed,))
    (cell,) = judge_published(subject(of), observed(a=ONES), "sentiment+made_up")
    assert (cell.verdict, cell.source) == (Verdict.NOT_RUN, Source.NONE)


def test_digits_printed_for_a_sample_that_is_not_there_hide_no_others() -> None:
    elsewhere = Published(stage="a", source="first", values=("7.00",), sample="other")
    printed = Published(stage="a", source="second", values=("1.00", "2.00", "3.00"))
    of = case(value("a"), published=(elsewhere, printed))
    cells = judge_published(subject(of), observed(a=[1.0, 2.0, 3.0]), "f")
    assert [(cell.against, cell.verdict) for cell in cells] == [("second", "PASS")]


def test_short_numbers_are_compared_by_their_own_digits() -> None:
    # Of 8 digits, 1.0 has the unit 2**-7, and the limit is 2 of them.
    for off, verdict in ((2, Verdict.PASS), (3, Verdict.FAIL)):
        of = case(value("a"))
        theirs = np.ones(3, np.float32)
        ours = theirs + np.float32(off * 2.0**-7)
        short = msgspec.structs.replace(subject(of), precision=Precision.BFLOAT16)
        (cell,) = judge_against(short, Mode.CHAINED, Check.REFERENCE, observed(a=ours), observed(a=theirs))
        assert cell.stats is not None
        assert (cell.verdict, cell.stats.max_ulp) == (verdict, off)
        both = {"numpy": observed(a=theirs), "r": observed(a=ours)}
        (pair,) = judge_pairs(of, Precision.BFLOAT16, SIZES, both, {})
        assert pair.stats is not None
        assert (pair.agree, pair.stats.max_ulp) == (verdict is Verdict.PASS, off)


def test_pairs_name_every_two_once() -> None:
    of = case(value("a"))
    three = {"numpy": observed(a=ONES), "r": observed(a=ONES), "julia": observed(a=ONES + 1)}
    pairs = judge_pairs(of, Precision.FLOAT64, SIZES, three, {})
    assert [(pair.left, pair.right, pair.agree) for pair in pairs] == [
        ("numpy", "r", True),
        ("numpy", "julia", False),
        ("r", "julia", False),
    ]


@pytest.mark.parametrize("verdict", [Verdict.ERROR, Verdict.TIMEOUT, Verdict.FAIL])
def test_what_became_of_the_references_first_call_is_said_where_it_broke(verdict: Any) -> None:
    crash = Failure(verdict=verdict, reason="why", detail="trace")
    cells = judge_calls(subject(case(value("a"))), observed(a=crash))
    actual = [(cell.check, cell.mode, cell.verdict, cell.reason, cell.detail) for cell in cells]
    expected = [] if verdict is Verdict.FAIL else [("repeat", "chained", verdict, "why", "trace")]
    assert actual == expected


@pytest.mark.parametrize("verdict", [Verdict.ERROR, Verdict.TIMEOUT, Verdict.NOT_RUN])
def test_a_reference_that_did_not_run_at_all_has_its_chained_cells_only_where_it_broke(verdict: Any) -> None:
    implementation = Implementation(id="numpy", runtime="numpy", language="Python", path=Path("c.py"))
    reference = msgspec.structs.replace(subject(case(value("a"))), implementation=implementation)
    cells = blank_cells(reference, Failure(verdict=verdict, reason="why"))
    modes = ["isolated"] if verdict is Verdict.NOT_RUN else ["isolated", "chained"]
    assert [(cell.check, cell.mode, cell.verdict) for cell in cells] == [
        ("repeat", mode, verdict) for mode in modes
    ]


def oracle_cell(name: str, verdict: Verdict, stage: str = "a", mode: Mode = Mode.CHAINED) -> Cell:
    return Cell(
        case="c",
        stage=stage,
        implementation=name,
        language=name,
        mode=mode,
        precision=Precision.FLOAT64,
        check=Check.ORACLE,
        against="truth",
        source=Source.LIVE,
        verdict=verdict,
    )


def test_who_agrees_with_whom_and_who_is_off() -> None:
    of = case(value("a"), value("b"))
    observed_by = {
        "numpy": observed(a=ONES + 1, b=ONES),
        "r": observed(a=ONES, b=ONES),
        "julia": observed(a=ONES, b=ONES),
    }
    pairs = judge_pairs(of, Precision.FLOAT64, SIZES, observed_by, {})
    (consensus,) = judge_consensus(of, Precision.FLOAT64, pairs, [])
    assert (consensus.case, consensus.stage, consensus.precision) == ("c", "a", "float64")
    assert (consensus.clusters, consensus.by_majority) == ((("r", "julia"), ("numpy",)), ("numpy",))
    assert (consensus.by_oracle, consensus.reference_is_outlier) == ((), True)
    # The truth outweighs a majority.
    cells = [
        oracle_cell("r", Verdict.FAIL),
        oracle_cell("julia", Verdict.XFAIL),
        oracle_cell("numpy", Verdict.PASS),
        oracle_cell("numpy", Verdict.FAIL, "b"),
        oracle_cell("numpy", Verdict.FAIL, mode=Mode.ISOLATED),
    ]
    (consensus,) = judge_consensus(of, Precision.FLOAT64, pairs, cells)
    assert (consensus.by_oracle, consensus.reference_is_outlier) == (("r", "julia"), False)
    (consensus,) = judge_consensus(of, Precision.FLOAT64, pairs, [oracle_cell("r", Verdict.XPASS)])
    assert consensus.by_oracle == ("r",)
    (consensus,) = judge_consensus(of, Precision.FLOAT64, pairs, [oracle_cell("r", Verdict.NOT_RUN)])
    assert consensus.by_oracle == ()
