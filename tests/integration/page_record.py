"""A record with all that a page can show, hostile text included."""

from __future__ import annotations

from typing import Any

import msgspec

from harness.model import (
    Absent,
    Basis,
    Case,
    Cell,
    Check,
    ErrorStats,
    Exhibit,
    Footer,
    Header,
    KnownDivergence,
    Mode,
    Pair,
    Precision,
    Record,
    RuntimeInfo,
    SampleVerdict,
    Source,
    Stage,
    Value,
    Verdict,
)
from harness.model.article import (
    Block,
    BlockDifference,
    BlockKind,
    BlockVerdict,
    ChunkLine,
    Count,
    Examined,
    Finding,
    Kind,
    Severity,
)

STAGES = ("Q", "scores", "weights")


EVIL = "<script>alert(1)</script>\u202e\"'&" + "long" * 2500


def case() -> Case:
    stages = tuple(
        Stage(
            name=name,
            inputs=(STAGES[place - 1],) if place else ("x",),
            outputs=(Value(name=name, shape=("n", "n")),),
        )
        for place, name in enumerate(STAGES)
    )
    known = KnownDivergence(
        id="a quirk", cause="why", evidence="how large", ends_when="when", stage="weights", implementation="r"
    )
    return Case(
        name="four_word",
        title="Four words",
        origin="a test",
        fixture="four_word",
        inputs=(Value(name="x", shape=("n",)),),
        stages=stages,
        known_divergences=(known,),
    )


def cell(stage: str, who: str, verdict: Verdict, mode: Mode, **more: Any) -> Cell:
    used = {Verdict.PASS: 0.3, Verdict.FAIL: 1e7, Verdict.XFAIL: 30.0}.get(verdict)
    stats = None if used is None else ErrorStats(count=4, max_abs=used * 1e-16, max_ulp=used, used=used)
    base: dict[str, Any] = {
        "case": "four_word",
        "language": who.title(),
        "precision": Precision.FLOAT64,
        "check": Check.REFERENCE,
        "against": "numpy",
        "source": Source.NONE if stats is None else Source.LIVE,
        "stats": stats,
        "limit": 1e-16,
        "seconds": 1e-5,
    }
    return Cell(stage=stage, implementation=who, verdict=verdict, mode=mode, **base | more)


def published(who: str, verdict: Verdict, detail: str = "") -> Cell:
    """What an article's own code computed."""
    made = cell("weights", f"published.{who}", verdict, Mode.CHAINED, detail=detail)
    return msgspec.structs.replace(made, language={"r": "R", "python": "Python"}[who])


def document(name: str = "attention.md") -> Examined:
    def finding(line: int, severity: Severity, kind: Kind, evidence: str) -> Finding:
        return Finding(
            document=name,
            line=line,
            language="r",
            chunk=1,
            kind=kind,
            severity=severity,
            evidence=evidence,
            consequence="who runs the code gets other numbers than who reads the text",
            smallest="x = matrix(1:4, 2)",
        )

    def block(line: int, kind: BlockKind, **more: Any) -> Block:
        return Block(line=line, chunk=1, language="r", verdict=BlockVerdict(kind=kind, **more))

    off = BlockDifference(
        kind="number", published="0.9852", produced="nan", published_line=2, units=float("nan")
    )
    return Examined(
        document=name,
        title=f"How {name} says that attention works",
        counts=(Count(language="r", total=3, run=3, sound=2),),
        chunks=(
            ChunkLine(line=5, language="r", outcome="sound", seconds=0.01, plots=("a heat map",)),
            ChunkLine(line=12, language="r", outcome="fails", patched=("apply_margin",)),
        ),
        blocks=(block(9, BlockKind.REPRODUCED), block(17, BlockKind.DIFFERS, first=off)),
        findings=(
            finding(30, Severity.NOTE, Kind.DEAD_CODE, "nothing uses it"),
            finding(12, Severity.WRONG, Kind.CHUNK_FAILS, 'argument "FUN" is missing, with no default'),
            finding(20, Severity.FRAGILE, Kind.HARD_CODED_SIZE, "with 5 words: non-conformable arguments"),
        ),
        runtimes={"r": "R 4.2.2"},
        stand_ins={"torch": "R torch's interface over PyTorch"},
        patches={"apply_margin": "apply() names its argument MARGIN"},
        missing={"purrr": "is not installed"},
        unchecked=("gradients: there are none",),
        sandbox="in a sandbox: no network, a scratch folder",
        run_seconds=1.5,
        code_seconds=0.25,
    )


def record() -> Record:
    cells = [cell("Q", "numpy", Verdict.PASS, Mode.ISOLATED, check=Check.ORACLE, ulp_of_stage=0.3)]
    verdicts = {
        "torch": (Verdict.PASS, Verdict.FAIL, Verdict.FAIL),
        "r": (Verdict.PASS, Verdict.PASS, Verdict.XFAIL),
        "julia": (Verdict.NOT_RUN, Verdict.ERROR, Verdict.UNSUPPORTED),
    }
    for who, of_stages in verdicts.items():
        for stage, verdict in zip(STAGES, of_stages, strict=True):
            for mode in Mode:
                detail = "Traceback\n  line" if verdict is Verdict.ERROR else ""
                known = "a quirk" if verdict is Verdict.XFAIL else ""
                cells.append(
                    cell(stage, who, verdict, mode, detail=detail, divergence=known, reason=f"why {verdict}")
                )
    samples = (
        SampleVerdict(sample="short", verdict=Verdict.PASS, used=0.5),
        SampleVerdict(
            sample="long", verdict=Verdict.FAIL, used=9.0, max_abs=1e-15, beyond=2, reason="2 of 4 beyond"
        ),
    )
    cells = [
        msgspec.structs.replace(original, by_sample=samples)
        if (original.stage, original.implementation) == ("scores", "torch")
        else original
        for original in cells
    ]
    coarse = {"basis": Basis.COARSE, "weaker_because": "no limit can be derived for numpy.linalg.pinv"}
    undecided = {"basis": Basis.DERIVED, "undecided": 3, "elements": 9, "weaker_because": "a tie in line 12"}
    weaker: dict[tuple[str, str], dict[str, Any]] = {("Q", "torch"): coarse, ("scores", "r"): undecided}
    cells = [msgspec.structs.replace(c, **weaker.get((c.stage, c.implementation), {})) for c in cells]
    cells.append(
        cell(EVIL, "r", Verdict.FAIL, Mode.CHAINED, case=EVIL, reason=EVIL, worst_sample=EVIL, against=EVIL)
    )
    cells.append(published("r", Verdict.XFAIL, "patched: apply_margin: apply() names its argument MARGIN"))
    cells.append(published("python", Verdict.PASS, "stand-in: torch"))
    maps = [
        Exhibit(
            case="four_word",
            stage="weights",
            sample="default",
            implementation=who,
            precision=Precision.FLOAT64,
            show="heatmap",
            shape=(2, 2),
            values=(0.25, 0.75, float("nan"), 0.5 + place * 1e-16),
            labels=("one", "two"),
        )
        for place, who in enumerate(("numpy", "torch", "r"))
    ]
    lines = [
        Exhibit(
            case="four_word",
            stage="Q",
            sample="default",
            implementation=who,
            precision=Precision.FLOAT64,
            show="curve",
            shape=(4,),
            values=(1.0, 0.5, float("inf"), 0.25 + place / 1e9),
        )
        for place, who in enumerate(("numpy", "torch"))
    ]
    runtimes = {
        name: RuntimeInfo(
            runtime=name, language=name.title(), version="1", libraries={name: "1"}, dtypes=("float64",)
        )
        for name in ("numpy", "torch", "r")
    }
    header = Header(
        schema=1,
        harness="0.1.0",
        protocol=1,
        started="2026-01-01T00:00:00+00:00",
        suite="reference_impls",
        python="3.11.2",
        platform="Linux",
        cpu="a CPU",
        cores=2,
        locale="C",
        runtimes=runtimes,
        absent=(Absent(runtime="julia", language="Julia", reason="no julia", advice=("get it",)),),
        fixtures={"four_word": "00"},
        cases=(case(),),
    )
    pair = Pair(
        case="four_word", stage="Q", precision=Precision.FLOAT64, left="torch", right="r", agree=False
    )
    footer = Footer(partial=False, seconds=2.0, busy={"r": 1.0}, start_up={"r": 0.5})
    return Record(
        header=header,
        cells=tuple(cells),
        pairs=(pair,),
        footer=footer,
        exhibits=(*maps, *lines),
        documents=(
            document(),
            msgspec.structs.replace(document(EVIL), sha256="1"),
            Examined(document="broken.ipynb", problem="it is no JSON"),
        ),
    )
