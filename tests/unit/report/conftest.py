"""Records made by hand."""

import json
import math
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import msgspec
import pytest

from harness.model import (
    Absent,
    Cell,
    Check,
    ErrorStats,
    Footer,
    Header,
    Mode,
    Pair,
    Precision,
    Record,
    RuntimeInfo,
    Source,
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

NOWHERE = {Verdict.NOT_RUN, Verdict.UNSUPPORTED}


@pytest.fixture
def cell() -> Callable[..., Cell]:
    def make(stage: str, verdict: str, implementation: str = "r", **more: Any) -> Cell:
        source = Source.NONE if Verdict(verdict) in NOWHERE else Source.LIVE
        defaults: dict[str, Any] = {
            "case": "four_word",
            "language": implementation.partition(".")[0].title(),
            "mode": Mode.CHAINED,
            "precision": Precision.FLOAT64,
            "check": Check.REFERENCE,
            "against": "numpy",
            "source": source,
        }
        return Cell(stage=stage, implementation=implementation, verdict=Verdict(verdict), **defaults | more)

    return make


@pytest.fixture
def pair() -> Callable[..., Pair]:
    def make(left: str, right: str, agree: bool, max_abs: float = 0.0) -> Pair:
        stats = ErrorStats(count=4, max_abs=max_abs)
        return Pair(
            case="four_word",
            stage="Q",
            precision=Precision.FLOAT64,
            left=left,
            right=right,
            agree=agree,
            stats=stats,
        )

    return make


@pytest.fixture
def record() -> Callable[..., Record]:
    def make(
        *cells: Cell,
        pairs: tuple[Pair, ...] = (),
        footer: Footer | None = None,
        documents: tuple[Examined, ...] = (),
        **more: Any,
    ) -> Record:
        runtimes = {
            name: RuntimeInfo(runtime=name, language=name.title(), version="1.2.3", hosting=f"by {name}")
            for name in ("numpy", "torch", "r")
        }
        header: dict[str, Any] = {
            "schema": 1,
            "harness": "0.1.0",
            "protocol": 1,
            "started": "2026-01-01T00:00:00+00:00",
            "suite": "reference_impls",
            "python": "3.11.2",
            "platform": "Linux",
            "cpu": "a CPU",
            "cores": 2,
            "locale": "C",
            "runtimes": runtimes,
            "absent": (
                Absent(runtime="julia", language="Julia", reason="no julia here", advice=("get it",)),
            ),
        }
        footer = Footer(partial=False, seconds=1.5) if footer is None else footer
        return Record(
            header=Header(**header | more), cells=cells, pairs=pairs, footer=footer, documents=documents
        )

    return make


def block(kind: str, line: int = 7, **more: Any) -> Block:
    differs = BlockDifference(
        kind="number", published="0.5", produced="0.25", published_line=2, units=math.inf
    )
    verdict = BlockVerdict(kind=BlockKind(kind), first=differs if kind == "differs" else None)
    return Block(line=line, chunk=0, language="r", verdict=verdict, **more)


@pytest.fixture
def finding() -> Callable[..., Finding]:
    def make(severity: str = "wrong", line: int = 3, **more: Any) -> Finding:
        base: dict[str, Any] = {
            "document": "a.md",
            "language": "r",
            "chunk": 0,
            "kind": Kind.CHUNK_FAILS,
            "evidence": f"what was measured in line {line}",
            "consequence": "what comes of it",
            "smallest": "x = 1",
        }
        return Finding(line=line, severity=Severity(severity), **base | more)

    return make


@pytest.fixture
def document() -> Callable[..., Examined]:
    """A document of three chunks of R, by name, with what its printed output is worth and what was found."""

    def make(name: str = "a.md", *kinds: str, findings: tuple[Finding, ...] = (), **more: Any) -> Examined:
        base: dict[str, Any] = {
            "title": f"The title of {name}",
            "sha256": "00",
            "counts": (Count(language="r", total=3, run=3, sound=2),),
            "chunks": (
                ChunkLine(line=5, language="r", outcome="sound", seconds=0.25, plots=("a plot",)),
                ChunkLine(line=9, language="r", outcome="fails", patched=("margin",), stand_ins=("torch",)),
            ),
            "blocks": tuple(block(kind, 7 + 4 * place) for place, kind in enumerate(kinds)),
            "runtimes": {"r": "R 4.2.2"},
            "stand_ins": {"torch": "an interface over another one"},
            "patches": {"margin": "a known fault"},
            "missing": {"purrr": "is not installed"},
            "unchecked": ("gradients: no session",),
            "notes": ("a chunk without a language",),
            "sandbox": "in a box",
            "run_seconds": 2.0,
            "code_seconds": 0.5,
            "seconds": 9.0,
        }
        in_document = tuple(msgspec.structs.replace(finding, document=name) for finding in findings)
        return Examined(document=name, findings=in_document, **base | more)

    return make


@pytest.fixture
def published(cell: Callable[..., Cell]) -> Callable[..., Cell]:
    """A cell of what an article's own code computed."""

    def make(stage: str, verdict: str = "PASS", language: str = "R", **more: Any) -> Cell:
        return cell(stage, verdict, f"published.{language.lower()}", **{"language": language, **more})

    return make


VOID = {"meta", "input", "br", "hr"}


class Page(HTMLParser):
    """Every element, text outside scripts, and the data; an element that is closed out of turn is refused."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.scripts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "script" in self.open:
            self.scripts[-1] += data
        elif "style" not in self.open:
            self.text += data

    def ids(self) -> list[str]:
        return [attributes["id"] for _, attributes in self.elements if "id" in attributes]

    def links(self) -> list[str]:
        return [attributes["href"] for tag, attributes in self.elements if tag == "a"]

    def data(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self.scripts[0])
        return content


@pytest.fixture
def parse() -> Callable[[str], Page]:
    """A page as a parser sees it."""
    return Page
