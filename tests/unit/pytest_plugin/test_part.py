"""What one test of pytest looks at."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.model import Cell, Check, ErrorStats, Mode, Precision, SampleVerdict, Source, Verdict
from harness.pytest_plugin.part import fails_in_a_sample, of_sample
from harness.report.explain_stage import verdict_of

STATS = ErrorStats(count=4, max_abs=0.5)


def cell(verdict: str, *samples: tuple[str, str, str], **more: Any) -> Cell:
    return Cell(
        case="toy",
        stage="more",
        implementation="r",
        language="R",
        mode=Mode.CHAINED,
        precision=Precision.FLOAT64,
        check=Check.REFERENCE,
        against="numpy",
        source=Source.LIVE,
        verdict=Verdict(verdict),
        reason="the worst reason",
        stats=STATS,
        worst_sample="b",
        by_sample=tuple(
            SampleVerdict(sample=name, verdict=Verdict(kind), reason=why) for name, kind, why in samples
        ),
        **more,
    )


@pytest.mark.parametrize(
    ("sample", "verdict", "reason", "stats"),
    [("a", "PASS", "", None), ("b", "FAIL", "3 of 4 beyond", STATS), ("c", "FAIL", "the worst reason", None)],
)
def test_a_sample_has_its_own_verdict(
    sample: str, verdict: str, reason: str, stats: ErrorStats | None
) -> None:
    samples = (("a", "PASS", ""), ("b", "FAIL", "3 of 4 beyond"), ("c", "FAIL", ""))
    part = of_sample(cell("FAIL", *samples), sample)
    assert part is not None
    assert (part.verdict, part.reason, part.stats, part.worst_sample) == (verdict, reason, stats, sample)


def test_a_cell_says_nothing_of_a_sample_that_it_does_not_cover() -> None:
    assert of_sample(cell("ERROR", ("b", "ERROR", "it raised")), "a") is None
    assert of_sample(cell("PASS", ("a", "PASS", "")), "z") is None


def test_a_cell_without_samples_is_the_same_in_all() -> None:
    part = of_sample(cell("TIMEOUT"), "a")
    assert part is not None
    assert part.verdict is Verdict.TIMEOUT


@pytest.mark.parametrize("verdict", ["FAIL", "XPASS", "ERROR", "TIMEOUT"])
def test_what_no_sample_says_is_left_to_the_test_of_the_case(verdict: str) -> None:
    assert not fails_in_a_sample([cell(verdict, ("a", "PASS", ""))])
    assert fails_in_a_sample([cell("PASS", ("a", "PASS", "")), cell(verdict, ("b", verdict, ""))])
    assert fails_in_a_sample([cell(verdict)])


WORST_FIRST = ["ERROR", "TIMEOUT", "FAIL", "XPASS", "XFAIL", "NOT_RUN", "UNSUPPORTED", "PASS"]
A_CELL = st.tuples(
    st.sampled_from(WORST_FIRST),
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from(WORST_FIRST), max_size=4),
    st.sampled_from([Check.ORACLE, Check.REFERENCE]),
    st.sampled_from(list(Mode)),
)


@given(st.lists(A_CELL, max_size=5))
def test_the_outcome_of_a_sample_is_the_worst_of_its_own_verdicts(
    made: list[tuple[str, dict[str, str], Check, Mode]],
) -> None:
    cells = [
        msgspec.structs.replace(
            cell(whole, *((name, kind, "") for name, kind in samples.items())), check=check, mode=mode
        )
        for whole, samples, check, mode in made
    ]
    for sample in "abcd":
        theirs = [
            samples[sample] if samples else whole
            for whole, samples, *_ in made
            if not samples or sample in samples
        ]
        parts = [part for item in cells if (part := of_sample(item, sample)) is not None]
        assert [str(part.verdict) for part in parts] == theirs
        if not theirs:
            continue
        outcome = verdict_of(parts).verdict
        worst = min(theirs, key=WORST_FIRST.index)
        alike = {"NOT_RUN", "UNSUPPORTED"}
        assert str(outcome) == worst or {str(outcome), worst} == alike
