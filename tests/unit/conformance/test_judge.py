"""The rules of judgement, on observations made by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from harness.conformance.expect import mark_inherited
from harness.conformance.judge import blank_cells, judge_against, judge_calls
from harness.conformance.judgement import Judgement, guarded, in_every_sample
from harness.conformance.pairs import judge_consensus, judge_pairs
from harness.model import (
    Cell,
    Check,
    Failure,
    Implementation,
    Mode,
    Observation,
    Precision,
    SampleTolerance,
    Source,
    Tolerance,
    Verdict,
)
from harness.numerics import compare
from tests.unit.conformance.by_hand import EXACT, ONES, SIZES, chain, context, judge, observed, stated


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
    other = SampleTolerance(samples="s", rule="absolute", value=2.0, reason="more", basis="measured")
    wider = msgspec.structs.replace(rule, by_sample=(other,))
    assert (wider.at("s").basis, wider.at("t").basis) == ("measured", basis)


def test_every_sample_has_its_verdict_and_the_cell_the_worst() -> None:
    of = chain(stated("a"))
    names = ("s", "t", "u", "v")
    given = msgspec.structs.replace(context(of), sizes={sample: {"n": 3} for sample in names})
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
    assert cell.by_sample[2].reason == cell.reason == "shape (4) where (n=3) is expected"
    assert cell.by_sample[3].reason == "gone"


def test_a_wider_limit_is_for_its_samples_alone() -> None:
    wider = SampleTolerance(samples="epochs_1*", rule="absolute", value=1e-6, reason="errors grow")
    rule = Tolerance(rule="absolute", value=1e-15, reason="test", by_sample=(wider,))
    of = chain(stated("a", tolerance=rule))
    samples = ("epochs_0100", "epochs_1000")
    given = msgspec.structs.replace(context(of), sizes={sample: {"n": 3} for sample in samples})
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
        ([1.0, 1.0], "shape (2) where (n=3) is expected"),
        ([[1.0, 1.0, 1.0]], "shape (1, 3) where (n=3) is expected"),
        (1.0, "shape () where (n=3) is expected"),
        (np.ones(3, dtype=np.float32), "dtype float32 where float64 is expected"),
        (
            [1, 1, 1],
            "dtype int64 where float64 is expected; lenient = true takes whole numbers",
        ),
        ([True, True, True], "dtype bool where float64 is expected"),
        ([1, 1, 1j], "dtype complex128 where float64 is expected"),
    ],
)
def test_wrong_shape_or_dtype_fails(actual: Any, reason: str) -> None:
    cell = judge(actual, ONES)
    assert (cell.verdict, cell.reason) == (Verdict.FAIL, reason)
    assert cell.stats is None


def test_wrong_shape_of_the_reference_itself_fails() -> None:
    wrong = np.ones(2)
    cell = judge(wrong, wrong, check=Check.REPEAT)
    assert (cell.verdict, cell.reason) == (Verdict.FAIL, "shape (2) where (n=3) is expected")


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
    assert judge(nan, nan).reason == "NaN in 1 place where the case expects none"
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
    of = chain(stated("a"))
    (none,) = judge_against(context(of), Mode.CHAINED, Check.REFERENCE, {}, {})
    assert none.verdict is Verdict.FAIL
    empty = msgspec.structs.replace(context(of), sizes={"default": {"n": 0}})
    (cell,) = judge_against(
        empty, Mode.CHAINED, Check.REFERENCE, observed(a=np.zeros(0)), observed(a=np.zeros(0))
    )
    assert (cell.verdict, cell.reason) == (Verdict.NOT_RUN, "nothing was compared: every array is empty")
    (long,) = judge_against(
        empty, Mode.CHAINED, Check.REFERENCE, observed(a=np.zeros(1)), observed(a=np.zeros(0))
    )
    assert (long.verdict, long.reason) == (Verdict.FAIL, "shape (1) where (n=0) is expected")


def test_where_all_is_nan_nothing_is_compared_by_number() -> None:
    nan = [np.nan] * 3
    reason = "nothing was compared by number: all elements are NaN on both sides"
    cell = judge(nan, nan, nan=True)
    assert (cell.verdict, cell.reason) == (Verdict.NOT_RUN, reason)
    assert judge([np.nan, np.nan, 1.0], [np.nan, np.nan, 1.0], nan=True).verdict is Verdict.PASS
    assert judge([np.nan, np.nan, 0.0], nan, nan=True).verdict is Verdict.FAIL
    assert judge(nan, nan).verdict is Verdict.FAIL


def test_a_sample_that_is_missing_is_not_passed_over() -> None:
    of = msgspec.structs.replace(context(chain(stated("a"))), sizes={"s": {"n": 3}, "t": {"n": 3}})
    expected = observed("s", a=ONES) | observed("t", a=ONES)
    (cell,) = judge_against(of, Mode.CHAINED, Check.REFERENCE, observed("s", a=ONES), expected)
    assert (cell.verdict, cell.worst_sample) == (Verdict.NOT_RUN, "t")


def test_the_worst_sample_counts() -> None:
    of = msgspec.structs.replace(context(chain(stated("a"))), sizes={s: {"n": 3} for s in "stu"})
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


def test_a_failure_without_numbers_is_worse_than_one_with_any() -> None:
    numbers = Judgement(verdict=Verdict.FAIL, reason="far off", stats=compare(ONES, ONES + 1e300), compared=3)
    shape = Judgement(verdict=Verdict.FAIL, reason="another shape", compared=2)
    for samples in ({"s": numbers, "t": shape}, {"s": shape, "t": numbers}):
        assert in_every_sample(samples, samples.__getitem__).reason == "another shape"


def test_inherited_is_what_vanishes_with_sound_inputs() -> None:
    of = context(chain(stated("a"), stated("b")))
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


def test_pairs_name_every_two_once() -> None:
    of = chain(stated("a"))
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
    cells = judge_calls(context(chain(stated("a"))), observed(a=crash))
    actual = [(cell.check, cell.mode, cell.verdict, cell.reason, cell.detail) for cell in cells]
    expected = [] if verdict is Verdict.FAIL else [("repeat", "chained", verdict, "why", "trace")]
    assert actual == expected


@pytest.mark.parametrize("verdict", [Verdict.ERROR, Verdict.TIMEOUT, Verdict.NOT_RUN])
def test_a_reference_that_did_not_run_at_all_has_its_chained_cells_only_where_it_broke(verdict: Any) -> None:
    implementation = Implementation(id="numpy", runtime="numpy", language="Python", path=Path("c.py"))
    reference = msgspec.structs.replace(context(chain(stated("a"))), implementation=implementation)
    cells = blank_cells(reference, Failure(verdict=verdict, reason="why"))
    modes = ["isolated"] if verdict is Verdict.NOT_RUN else ["isolated", "chained"]
    assert [(cell.check, cell.mode, cell.verdict) for cell in cells] == [
        ("repeat", mode, verdict) for mode in modes
    ]


def oracle_cell(name: str, verdict: Verdict, stage: str = "a", mode: Mode = Mode.CHAINED) -> Cell:
    return Cell(
        case="toy",
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
    of = chain(stated("a"), stated("b"))
    observed_by = {
        "numpy": observed(a=ONES + 1, b=ONES),
        "r": observed(a=ONES, b=ONES),
        "julia": observed(a=ONES, b=ONES),
    }
    pairs = judge_pairs(of, Precision.FLOAT64, SIZES, observed_by, {})
    (consensus,) = judge_consensus(of, Precision.FLOAT64, pairs, [])
    assert (consensus.case, consensus.stage, consensus.precision) == ("toy", "a", "float64")
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
