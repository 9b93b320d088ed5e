"""What one test of pytest looks at."""

from typing import Any

import pytest

from harness.model import Cell, Check, ErrorStats, Mode, Precision, SampleVerdict, Source, Verdict
from harness.pytest_plugin.part import of_sample

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
            SampleVerdict(sample=name, verdict=Verdict(one), reason=why) for name, one, why in samples
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
    found = of_sample(cell("FAIL", *samples), sample)
    assert (found.verdict, found.reason, found.stats, found.worst_sample) == (verdict, reason, stats, sample)


def test_what_no_sample_says_alone_is_said_of_all() -> None:
    gone = cell("XPASS", ("a", "PASS", ""), ("b", "PASS", ""))
    assert of_sample(gone, "a").verdict is Verdict.XPASS
    assert of_sample(cell("TIMEOUT"), "a").verdict is Verdict.TIMEOUT
    assert of_sample(cell("PASS", ("a", "PASS", "")), "z").worst_sample == "b"
