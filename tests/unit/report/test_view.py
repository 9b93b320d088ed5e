"""What a record says."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from harness.model import (
    Basis,
    Case,
    Cell,
    Check,
    ErrorStats,
    KnownDivergence,
    Mode,
    Pair,
    Precision,
    Record,
    Source,
    Verdict,
)
from harness.report import totals, view
from harness.report.known import known_divergences, known_range, ranges

MakeCell = Callable[..., Cell]
MakePair = Callable[..., Pair]
MakeRecord = Callable[..., Record]


def test_counts_name_every_verdict(cell: MakeCell) -> None:
    counts = view.counts([cell("Q", "PASS"), cell("K", "PASS"), cell("V", "FAIL")])
    assert list(counts) == list(Verdict)
    assert (counts[Verdict.PASS], counts[Verdict.FAIL], counts[Verdict.XPASS]) == (2, 1, 0)


def test_first_divergence_is_the_earliest_stage_whatever_the_record_s_order(
    cell: MakeCell, record: MakeRecord
) -> None:
    run = record(
        cell("Q", "PASS", "torch"),
        cell("scores", "PASS", "torch"),
        cell("weights", "FAIL", "torch"),
        cell("Q", "PASS"),
        cell("scores", "FAIL"),
        cell("weights", "FAIL", inherited=True),
    )
    first = view.first_divergence(run)
    assert first is not None
    assert (first.cell.stage, first.cell.implementation) == ("scores", "r")
    assert [
        (divergence.cell.stage, divergence.cell.implementation) for divergence in view.divergences(run)
    ] == [
        ("scores", "r"),
        ("weights", "torch"),
    ]


def test_first_divergence_skips_what_is_inherited(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "FAIL", inherited=True), cell("scores", "FAIL"))
    first = view.first_divergence(run)
    assert first is not None
    assert first.cell.stage == "scores"


def test_first_divergence_where_every_error_is_inherited(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "PASS"), cell("scores", "FAIL", inherited=True))
    first = view.first_divergence(run)
    assert first is not None
    assert first.cell.stage == "scores"


def test_first_divergence_prefers_fail_to_xpass_and_ignores_crashes(
    cell: MakeCell, record: MakeRecord
) -> None:
    run = record(cell("Q", "ERROR"), cell("K", "XPASS"), cell("V", "FAIL", "torch"))
    first = view.first_divergence(run)
    assert first is not None
    assert first.cell.verdict is Verdict.FAIL
    assert view.first_divergence(record(cell("Q", "ERROR"), cell("K", "TIMEOUT"))) is None
    # So it does within one implementation, even where the failure is inherited.
    run = record(cell("Q", "XPASS"), cell("K", "FAIL", inherited=True))
    assert [divergence.cell.stage for divergence in view.divergences(run)] == ["K"]


def test_first_divergence_says_how_the_stage_does_on_the_reference_s_inputs(
    cell: MakeCell, record: MakeRecord
) -> None:
    run = record(cell("Q", "FAIL"), cell("Q", "PASS", mode=Mode.ISOLATED))
    first = view.first_divergence(run)
    assert first is not None
    assert first.isolated is Verdict.PASS


def test_precisions_diverge_apart(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "FAIL", precision=Precision.FLOAT32), cell("Q", "FAIL"))
    assert {divergence.cell.precision for divergence in view.divergences(run)} == {"float64", "float32"}


def test_implementations_stand_in_the_header_s_order(cell: MakeCell, record: MakeRecord) -> None:
    run = record(
        cell("Q", "NOT_RUN", "julia"),
        cell("Q", "PASS", "r"),
        cell("Q", "PASS", "torch.blocked"),
        cell("Q", "PASS", "torch"),
        cell("Q", "PASS", "numpy"),
    )
    assert view.implementations(run) == ("numpy", "torch", "torch.blocked", "r", "julia")


def test_matrix_has_a_row_for_each_case_and_precision(cell: MakeCell, record: MakeRecord) -> None:
    run = record(
        cell("Q", "PASS", case="b"),
        cell("Q", "PASS", case="a"),
        cell("Q", "UNSUPPORTED", case="a", precision=Precision.FLOAT32),
        cell("Q", "FAIL", "torch", case="a"),
    )
    rows = view.matrix(run)
    assert [(row.case, row.precision) for row in rows] == [
        ("a", Precision.FLOAT64),
        ("a", Precision.FLOAT32),
        ("b", Precision.FLOAT64),
    ]
    assert rows[0].entries["torch"].verdict is Verdict.FAIL
    assert rows[1].entries["r"].verdict is Verdict.UNSUPPORTED
    assert "torch" not in rows[1].entries


@pytest.mark.parametrize(
    ("verdicts", "worst"),
    [
        (["PASS", "UNSUPPORTED", "NOT_RUN"], Verdict.PASS),
        (["PASS", "XFAIL"], Verdict.XFAIL),
        (["XFAIL", "XPASS"], Verdict.XPASS),
        (["XPASS", "FAIL"], Verdict.FAIL),
        (["FAIL", "TIMEOUT"], Verdict.TIMEOUT),
        (["TIMEOUT", "ERROR"], Verdict.ERROR),
        (["NOT_RUN", "UNSUPPORTED"], Verdict.NOT_RUN),
    ],
)
def test_summary_takes_the_worst_verdict(cell: MakeCell, verdicts: list[str], worst: Verdict) -> None:
    summary = view.summary(cell("Q", verdict, reason=f"why {verdict}") for verdict in verdicts)
    assert summary.verdict is worst
    assert summary.reason == f"why {worst}"
    assert summary.total == len(verdicts)


def test_summary_counts_live_replayed_and_not_run_apart(cell: MakeCell) -> None:
    summary = view.summary(
        [
            cell("Q", "PASS"),
            cell("K", "PASS", source=Source.REPLAYED),
            cell("V", "NOT_RUN"),
            cell("V", "UNSUPPORTED"),
        ]
    )
    assert (summary.live, summary.replayed, summary.not_run) == (1, 1, 1)


def test_summary_takes_errors_from_reference_checks_alone(cell: MakeCell) -> None:
    summary = view.summary(
        [
            cell("Q", "PASS", stats=ErrorStats(count=1, max_abs=1e-16, max_ulp=1, used=0.5)),
            cell("K", "PASS", stats=ErrorStats(count=1, max_abs=3e-16, max_ulp=2, used=0.25)),
            cell("K", "PASS", stats=ErrorStats(count=1, max_abs=9.0), check=Check.IDENTITY),
        ]
    )
    assert (summary.max_abs, summary.max_ulp, summary.used) == (3e-16, 2, 0.5)


@pytest.mark.parametrize("first", [True, False])
def test_a_nan_is_the_largest_error(cell: MakeCell, first: bool) -> None:
    sizes = [float("nan"), 5.0] if first else [5.0, float("nan")]
    summary = view.summary(cell("Q", "FAIL", stats=ErrorStats(count=1, max_abs=size)) for size in sizes)
    assert summary.max_abs is not None
    assert summary.max_abs != summary.max_abs


def test_summary_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no cells"):
        view.summary([])


def test_pair_matrix_reads_the_same_both_ways(pair: MakePair) -> None:
    matrix = view.pair_matrix([pair("numpy", "r", True, 1e-16), pair("numpy", "r", False, 2.0)])
    assert matrix["numpy", "r"] == matrix["r", "numpy"]
    assert (matrix["r", "numpy"].agree, matrix["r", "numpy"].total, matrix["r", "numpy"].max_abs) == (
        1,
        2,
        2.0,
    )


def test_failing_puts_inherited_last(cell: MakeCell, record: MakeRecord) -> None:
    run = record(
        cell("Q", "FAIL", inherited=True),
        cell("K", "ERROR"),
        cell("V", "PASS"),
        cell("W", "XFAIL"),
        cell("X", "XPASS"),
    )
    assert [failed.stage for failed in view.failing(run)] == ["K", "X", "Q"]


def test_known_divergences_tell_cause_from_consequence(cell: MakeCell, record: MakeRecord) -> None:
    run = record(
        cell("Q", "XFAIL", divergence="a"),
        cell("K", "XFAIL", divergence="a", inherited=True),
        cell("V", "XPASS", divergence="b"),
        cell("W", "PASS"),
    )
    a, b = known_divergences(run)
    assert ([c.stage for c in a.shown], [c.stage for c in a.follow], a.gone) == (["Q"], ["K"], ())
    assert (b.shown, [c.stage for c in b.gone]) == ((), ["V"])


@pytest.mark.parametrize(
    ("elements", "expected"),
    [
        (None, "norm 0.12 to 0.25"),
        ((4, 1296), "norm 0.12 to 0.25, 4 to 1,296 elements"),
        ((51, 51), "norm 0.12 to 0.25, 51 elements"),
        ((1, 1), "norm 0.12 to 0.25, 1 element"),
    ],
)
def test_the_range_of_a_known_divergence_in_words(elements: tuple[int, int] | None, expected: str) -> None:
    known = KnownDivergence(
        id="k",
        cause="",
        evidence="",
        ends_when="",
        stage="Q",
        measure="norm",
        at_least=0.12,
        at_most=0.25,
        elements=elements,
    )
    assert known_range(known) == expected


def test_the_place_to_look_at_is_the_first_over_the_limit() -> None:
    assert view.place_of_error(ErrorStats(count=9, max_abs_index=(2, 2), first_beyond=(0, 1))) == (0, 1)
    assert view.place_of_error(ErrorStats(count=9, max_abs_index=(2, 2))) == (2, 2)
    assert view.place_of_error(ErrorStats(count=9)) is None


def test_the_truth_counts_as_much_as_the_reference(cell: MakeCell, record: MakeRecord) -> None:
    wrong = cell("Q", "FAIL", "numpy", check=Check.ORACLE, stats=ErrorStats(count=4, max_abs=2.0))
    isolated = cell("Q", "FAIL", "numpy", check=Check.ORACLE, mode=Mode.ISOLATED)
    first = view.first_divergence(record(wrong, isolated))
    assert first is not None
    assert (first.cell.implementation, first.isolated) == ("numpy", Verdict.FAIL)
    assert view.summary([wrong]).max_abs == 2.0


WORST_FIRST = ["ERROR", "TIMEOUT", "FAIL", "XPASS", "XFAIL", "PASS", "NOT_RUN", "UNSUPPORTED"]


@pytest.mark.parametrize("place", range(7))
def test_one_word_for_many_cells_is_the_worst(cell: MakeCell, place: int) -> None:
    rest = [cell("Q", verdict) for verdict in WORST_FIRST[place:]]
    for cells in (rest, rest[::-1]):
        summary = view.summary(cells)
        assert summary.verdict == WORST_FIRST[place]
        assert [str(verdict) for verdict, _ in summary.ranked] == WORST_FIRST[place:]
    assert view.summary(rest).total == 8 - place


@pytest.mark.parametrize(
    ("verdict", "fails"),
    [
        ("ERROR", True),
        ("TIMEOUT", True),
        ("FAIL", True),
        ("XPASS", True),
        ("XFAIL", False),
        ("PASS", False),
        ("NOT_RUN", False),
        ("UNSUPPORTED", False),
    ],
)
def test_which_verdicts_make_a_run_fail(
    cell: MakeCell, record: MakeRecord, verdict: str, fails: bool
) -> None:
    assert bool(view.failing(record(cell("Q", verdict)))) is fails


def test_figures_of_nothing() -> None:
    assert view.figures(None) == {"max_abs": None, "max_rel": None, "max_ulp": None}
    stats = ErrorStats(count=1, max_abs=0.5, max_rel=0.25, max_ulp=3.0)
    assert view.figures(stats) == {"max_abs": 0.5, "max_rel": 0.25, "max_ulp": 3.0}


def test_a_summary_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no cells to sum up"):
        view.summary([])


@pytest.mark.parametrize("check", ["repeat", "identity", "published"])
def test_the_largest_errors_are_of_truth_and_reference_alone(cell: MakeCell, check: str) -> None:
    small, large = (ErrorStats(count=1, max_abs=size, max_ulp=size, used=size) for size in (0.5, 8.0))
    cells = [cell("Q", "PASS", stats=small), cell("Q", "PASS", stats=large, check=Check(check))]
    summary = view.summary(cells)
    assert (summary.max_abs, summary.max_ulp, summary.used) == (0.5, 0.5, 0.5)
    truth = cell("Q", "PASS", stats=large, check=Check.ORACLE)
    assert view.summary([*cells, truth]).max_abs == 8.0


def known(**more: Any) -> KnownDivergence:
    base: dict[str, Any] = {"cause": "c", "evidence": "e", "ends_when": "w", "stage": "Q"}
    sizes: dict[str, Any] = {"id": "quirk", "measure": "norm", "at_least": 0.12345, "at_most": 1e-20}
    return KnownDivergence(**base | sizes | more)


def test_how_large_a_known_divergence_is_said_to_be(record: MakeRecord) -> None:
    assert known_range(known()) == "norm 0.123 to 1e-20"
    for name in ("measure", "at_least", "at_most"):
        assert known_range(known(**{name: None})) == ""
    case = Case(
        name="a",
        title="t",
        origin="o",
        fixture="f",
        inputs=(),
        stages=(),
        known_divergences=(known(), known(id="other", measure="absolute"), known(id="old", measure=None)),
    )
    assert ranges(record(cases=(case,))) == {
        "quirk": "norm 0.123 to 1e-20",
        "other": "absolute 0.123 to 1e-20",
    }


def test_what_two_come_to(pair: MakePair) -> None:
    agrees, differs = pair("a", "b", True, 0.5), pair("a", "b", False, 2.0)
    broken = msgspec.structs.replace(pair("a", "b", False), broken="a gave no value", stats=None)
    assert view.pair_matrix([agrees])["a", "b"].word == "agree"
    assert view.pair_matrix([agrees, differs, broken])["a", "b"].word == "differ"
    entry = view.pair_matrix([agrees, broken])["b", "a"]
    assert (entry.word, entry.agree, entry.broken, entry.total, entry.max_abs) == ("error", 1, 1, 2, 0.5)


def test_summaries_by_runtime(cell: MakeCell, record: MakeRecord) -> None:
    run = record(
        cell("Q", "PASS"), cell("Q", "FAIL", "torch.second", reason="why"), cell("Q", "PASS", "torch")
    )
    summaries = totals.summaries_by_runtime(run)
    assert {
        name: (summary.verdict, summary.total, summary.reason) for name, summary in summaries.items()
    } == {
        "torch": ("FAIL", 2, "why"),
        "r": ("PASS", 1, ""),
    }


def test_coarse_cells_have_no_part_in_the_share_of_a_limit(cell: MakeCell) -> None:
    stats = ErrorStats(count=1, max_abs=4.0, max_ulp=2.0, used=0.5)
    coarse = cell("Q", "PASS", stats=stats, basis=Basis.COARSE)
    summary = view.summary([coarse, coarse, cell("Q", "NOT_RUN", basis=Basis.COARSE)])
    assert (summary.coarse, summary.used, summary.max_abs, summary.max_ulp) == (2, None, 4.0, 2.0)


def test_one_fault_of_several_stages_is_told_once(cell: MakeCell) -> None:
    cells = (
        cell("Q", "ERROR", reason="no such file"),
        cell("K", "ERROR", reason="no such file"),
        cell("V", "ERROR", reason="no such file"),
        cell("W", "ERROR", reason="another"),
        cell("X", "FAIL", reason="no such file"),
        cell("Q", "ERROR", "torch", reason="no such file"),
    )
    told = [(each.stage, each.implementation, each.reason) for each in view.told_once(cells)]
    assert told == [
        ("Q", "r", "no such file; the same in 2 more stages"),
        ("W", "r", "another"),
        ("X", "r", "no such file"),
        ("Q", "torch", "no such file"),
    ]
