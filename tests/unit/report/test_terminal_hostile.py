"""A record that somebody made to break a terminal."""

import io
from collections.abc import Callable

import msgspec
import pytest
from rich.console import Console

from harness.model import (
    Absent,
    Cell,
    Check,
    Consensus,
    ErrorStats,
    Footer,
    Pair,
    Precision,
    Record,
    RuntimeInfo,
)
from harness.report import terminal
from harness.report.terminal_accuracy import accuracy

MakeCell = Callable[..., Cell]
MakePair = Callable[..., Pair]
MakeRecord = Callable[..., Record]

EVIL = "[/bold][red]x\u202e\x1b]0;title\x07\x00\u200b" + "y" * 300
STATS = ErrorStats(count=1, max_abs=float("nan"), used=float("inf"))


@pytest.mark.parametrize("width", [40, 160])
def test_hostile_names_are_shown_as_they_are_written(
    cell: MakeCell, pair: MakePair, record: MakeRecord, width: int
) -> None:
    more = {"case": EVIL, "language": EVIL, "reason": EVIL, "worst_sample": EVIL, "against": EVIL}
    run = record(
        cell(EVIL, "FAIL", EVIL, stats=STATS, limit=1.0, detail=EVIL, **more),
        cell(EVIL, "PASS", f"{EVIL}2", stats=ErrorStats(count=1, used=1.0), limit=1.0, **more),
        cell(EVIL, "XFAIL", EVIL, divergence=EVIL, stats=STATS, check=Check.ORACLE, ulp_of_stage=1.0, **more),
        cell(EVIL, "PASS", f"published.{EVIL}", detail=f"patched: {EVIL}", **more),
        pairs=(pair(EVIL, f"{EVIL}2", agree=False),),
        footer=Footer(partial=True, reason=EVIL, complaints=(EVIL,)),
        runtimes={
            EVIL: RuntimeInfo(
                runtime=EVIL, language=EVIL, version=EVIL, hosting=EVIL, blas=EVIL, libraries={EVIL: EVIL}
            )
        },
        absent=(Absent(runtime=f"{EVIL}3", language=EVIL, reason=EVIL, advice=(EVIL,)),),
    )
    split = Consensus(
        case=EVIL,
        stage=EVIL,
        precision=Precision.FLOAT64,
        clusters=((EVIL,),),
        by_majority=(EVIL,),
        by_oracle=(EVIL,),
    )
    run = msgspec.structs.replace(run, consensus=(split,))
    stream = io.StringIO()
    console = Console(file=stream, width=width, no_color=True, highlight=False)
    terminal.render(run, console)
    console.print(accuracy(run))
    text = stream.getvalue()
    assert not set("\u202e\x1b\x07\x00\u200b") & set(text)
    assert "[red]x\\u202e\\u001b" in text
    assert len(max(text.splitlines(), key=len)) <= width
