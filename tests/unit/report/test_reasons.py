"""Why cells were not judged, or only coarsely."""

from collections.abc import Callable
from typing import Any

import pytest

from harness.model import Basis, Cell, Check, ErrorStats, Mode, Record, SampleVerdict, Verdict
from harness.report import badge, reasons, sentence, text

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]
LSTSQ = "no limit can be derived for numpy.linalg.lstsq (line 12 of lsq.py)"
STATS = ErrorStats(count=9, max_abs=0.5, max_rel=0.25, max_ulp=3)


def coarse(cell: MakeCell, stage: str, verdict: str = "PASS", name: str = "r", **more: Any) -> Cell:
    base = {"basis": Basis.COARSE, "weaker_because": LSTSQ, "stats": STATS, "limit": 1e-8}
    return cell(stage, verdict, name, **base | more)


def test_cells_that_were_not_judged_are_grouped_by_reason(cell: MakeCell, record: MakeRecord) -> None:
    run = record(
        cell("Q", "NOT_RUN", reason="no julia here"),
        *(cell(stage, "NOT_RUN", "torch", mode=mode, reason=LSTSQ) for stage in "QK" for mode in Mode),
        cell("V", "UNSUPPORTED", reason="r has no float32", precision="float32"),
        cell("Q", "ERROR", "julia", reason="it went wrong"),
        cell("Q", "PASS", "numpy"),
        cell("V", "NOT_RUN", "numpy"),
    )
    assert reasons.lines(run) == (
        (f"4 cells not judged: {LSTSQ}", "four_word: Q, K (torch)"),
        ("1 cell not judged: no julia here", "four_word: Q (r)"),
        ("1 cell not judged: no reason is given", "four_word: V (numpy)"),
        ("1 cell not judged: r has no float32", "four_word float32: V (r)"),
    )


def test_many_places_are_cut(cell: MakeCell, record: MakeRecord) -> None:
    run = record(*(cell(f"s{n}", "NOT_RUN", reason="why") for n in range(8)))
    assert reasons.lines(run) == (
        ("8 cells not judged: why", "four_word: s0, s1, s2, s3, s4, s5 and 2 more (r)"),
    )
    other = cell("Q", "NOT_RUN", "torch", reason="why", case="other")
    assert reasons.lines(record(*run.cells, other)) == (
        ("9 cells not judged: why", "8 stages of four_word, 1 stage of other (r, torch)"),
    )


def test_stages_that_were_compared_coarsely_only(cell: MakeCell, record: MakeRecord) -> None:
    run = record(
        coarse(cell, "solve"),
        coarse(cell, "solve", mode=Mode.ISOLATED),
        coarse(cell, "solve", name="torch"),
        coarse(cell, "rank"),
        cell("rank", "PASS", check=Check.ORACLE, basis=Basis.DERIVED, stats=STATS),
        coarse(cell, "fit", verdict="FAIL"),
        coarse(cell, "gone", verdict="NOT_RUN"),
        coarse(cell, "lacking", verdict="FAIL", stats=None, reason="there is no function lacking"),
    )
    (group,) = reasons.coarse(run)
    assert reasons.coarse_sentence([group]) == f"2 stages were compared coarsely only: {LSTSQ}."
    assert reasons.where(group) == "four_word: solve, fit (torch, r)"
    assert reasons.coarse_sentence([]) == ""


def test_stages_that_were_compared_coarsely_in_part(cell: MakeCell, record: MakeRecord) -> None:
    beyond = "a number beyond 1.79769e+308, the largest float64, in line 6"
    in_part = f"1 of 3 elements has no limit: {beyond}"
    oracle: dict[str, Any] = {"check": Check.ORACLE, "basis": Basis.DERIVED, "stats": STATS}
    run = record(
        cell("sigmoid", "PASS", "numpy", undecided=1, elements=3, weaker_because=beyond, **oracle),
        cell("sigmoid", "PASS", **oracle),
        coarse(cell, "sigmoid", weaker_because=in_part, against="numpy"),
        coarse(cell, "sigmoid", weaker_because=in_part, against="numpy", mode=Mode.ISOLATED),
        cell("alone", "PASS", "numpy", undecided=2, elements=3, weaker_because=beyond, **oracle),
    )
    assert reasons.coarse(run) == ()
    (group,) = reasons.coarse_in_part(run)
    assert len(group.cells) == 2
    said = f"1 stage was compared coarsely in part: {in_part}."
    assert reasons.coarse_sentence([group], "in part") == said
    # What others were compared with coarsely is not undecided any more; what nobody else has still is.
    assert reasons.undecided_elements(run) == 2
    assert reasons.undecided_sentence(run).startswith(
        "2 of 3 elements of four_word alone could not be judged"
    )
    assert [line for line, _ in reasons.lines(run)] == [said, "four_word alone: 3 elements, 2 undecidable"]
    verdict = sentence.verdict(run)
    assert said in verdict.text
    assert badge.message(run) == "2 implementations, 1 cases, 1 coarse in part, 2 undecided"
    # Where it could not be compared, it is undecided as before.
    (*others, first) = (derived for derived in reversed(run.cells) if derived.basis is not Basis.COARSE)
    assert reasons.undecided_elements(record(first, *others)) == 3


def test_several_reasons_stand_in_one_sentence(cell: MakeCell, record: MakeRecord) -> None:
    other = coarse(cell, "c", weaker_because="python-flint is missing")
    run = record(coarse(cell, "a"), coarse(cell, "b"), other)
    assert reasons.coarse_sentence(reasons.coarse(run)) == (
        f"3 stages were compared coarsely only: 2 because {LSTSQ} and 1 because python-flint is missing."
    )


def test_elements_that_nobody_can_be_judged_by(cell: MakeCell, record: MakeRecord) -> None:
    tie = SampleVerdict(sample="s", verdict=Verdict.PASS, undecided=3, reason="a tie in line 12")
    run = record(
        cell("argmax", "PASS", stats=STATS, undecided=3, by_sample=(tie,)),
        cell("argmax", "PASS", "torch", stats=STATS, undecided=3, by_sample=(tie,)),
        cell("order", "PASS", stats=STATS, undecided=1, reason="a tie in line 14"),
        cell("Q", "PASS", stats=STATS),
    )
    assert [line for line, _ in reasons.lines(run)] == [
        "four_word argmax: 9 elements, 3 undecidable: a tie in line 12",
        "four_word order: 9 elements, 1 undecidable: a tie in line 14",
    ]


@pytest.mark.parametrize(
    ("basis", "limit", "said"),
    [
        (Basis.DERIVED, 3e-16, "limit 3e-16 (derived)"),
        (Basis.STATED, 1e-3, "limit 0.001 (stated)"),
        (Basis.MEASURED, 2.5, "limit 2.5 (measured)"),
        (Basis.COARSE, 1e-8, "limit 1e-08 (coarse)"),
        (None, 1e-8, "limit 1e-08"),
        (None, None, ""),
    ],
)
def test_a_limit_says_where_it_comes_from(
    cell: MakeCell, basis: Basis | None, limit: float | None, said: str
) -> None:
    judged = cell("Q", "PASS", stats=STATS, basis=basis, limit=limit)
    assert text.limit(judged) == said
    assert text.figures(judged) == f"max abs 0.5, max rel 0.25, 3 ULP; {said}".removesuffix("; ")


def test_undecidable_elements_stand_with_the_figures(cell: MakeCell) -> None:
    judged = cell("Q", "PASS", stats=STATS, undecided=3, worst_sample="s7")
    assert text.figures(judged) == "max abs 0.5, max rel 0.25, 3 ULP; 9 elements, 3 undecidable; sample s7"


@pytest.mark.parametrize(
    ("isolated", "basis", "said"),
    [
        ("FAIL", Basis.DERIVED, "FAIL: the error is made in this stage"),
        ("XFAIL", None, "XFAIL: the error is made in this stage"),
        ("FAIL", Basis.COARSE, "FAIL: it differs there too"),
        ("PASS", None, "PASS: it is off only with its own implementation's inputs"),
        ("NOT_RUN", None, "NOT_RUN: whether the stage is off by itself was not observed"),
        ("ERROR", None, "ERROR: whether the stage is off by itself was not observed"),
    ],
)
def test_only_what_was_observed_is_said_of_a_stage_s_own_error(
    cell: MakeCell, isolated: str, basis: Basis | None, said: str
) -> None:
    off = cell("Q", "FAIL", basis=basis)
    words = text.on_the_reference_s_inputs(off, Verdict(isolated))
    assert words == f"on the reference's inputs it is {said}"
    assert text.on_the_reference_s_inputs(off, None) == ""
    apart = cell("Q", "FAIL", mode=Mode.ISOLATED)
    assert text.on_the_reference_s_inputs(apart, Verdict(isolated)) == ""


def test_how_much_nobody_is_judged_by(cell: MakeCell, record: MakeRecord) -> None:
    def of(stage: str, undecided: int, why: str = "", **more: Any) -> Cell:
        base: dict[str, Any] = {"check": Check.ORACLE, "name": "r"} | more
        return cell(stage, "PASS", base.pop("name"), undecided=undecided, weaker_because=why, **base)

    assert reasons.undecided_sentence(record(of("Q", 0))) == ""
    single, double = of("order", 1), of("order", 2)
    assert reasons.undecided_sentence(record(single)) == ("1 element of four_word order could not be judged.")
    assert reasons.undecided_sentence(record(double)) == (
        "2 elements of four_word order could not be judged."
    )
    run = record(
        of("argmax", 2, "a tie", elements=1000, name="torch"),
        of("argmax", 1234, "a tie in line 12", elements=5000),
        # Neither on the reference's inputs, nor against the reference.
        of("argmax", 2000, "isolated", elements=5000, mode=Mode.ISOLATED),
        of("argmax", 2001, "against it", elements=5000, check=Check.REFERENCE),
        of("order", 3, "another", elements=1),
        of("order", 3, "the same", elements=1, case="b"),
        of("sign", 1, elements=1, case="b"),
    )
    assert reasons.undecided_elements(run) == 1241
    assert reasons.undecided_sentence(run) == (
        "1,241 of 5,003 elements of b order, b sign, four_word argmax, four_word order could not be judged:"
        " the same, a tie in line 12, another."
    )
    assert reasons.undecided_sentence(record(of("sign", 1, "x" * 401))).endswith(f": {'x' * 399}….")


def test_undecided_elements_of_what_is_compared_coarsely_are_counted(
    cell: MakeCell, record: MakeRecord
) -> None:
    by_zero = "a division by what rounding may make zero in line 3"
    run = record(coarse(cell, "inverse", undecided=2, elements=13, weaker_because=by_zero, against="numpy"))
    assert reasons.undecided_elements(run) == 2
    assert reasons.undecided_sentence(run) == (
        f"2 of 13 elements of four_word inverse could not be judged: {by_zero}."
    )
    assert badge.message(run).endswith("2 undecided")


def test_six_reasons_are_named_and_the_rest_is_counted(cell: MakeCell, record: MakeRecord) -> None:
    cells = [coarse(cell, f"s{n}", weaker_because=f"reason {n}") for n in range(8)]
    assert reasons.coarse_sentence(reasons.coarse(record(cells[0]))) == (
        "1 stage was compared coarsely only: reason 0."
    )
    named = [f"1 because reason {n}" for n in range(6)]
    assert reasons.coarse_sentence(reasons.coarse(record(*cells[:6]))) == (
        f"6 stages were compared coarsely only: {', '.join(named[:5])} and {named[5]}."
    )
    assert reasons.coarse_sentence(reasons.coarse(record(*cells))) == (
        f"8 stages were compared coarsely only: {', '.join(named)} and 2 for other reasons."
    )
    bare = coarse(cell, "Q", weaker_because="")
    assert reasons.coarse_sentence(reasons.coarse(record(bare))) == (
        "1 stage was compared coarsely only: no limit is known."
    )
