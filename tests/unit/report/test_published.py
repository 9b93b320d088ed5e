"""What the articles' own code computed: one more column, in every report."""

import csv
import io
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest
from markdown_it import MarkdownIt
from rich.console import Console

from harness.model import Cell, Check, ErrorStats, Mode, Precision, Record, Source
from harness.model.article import Examined
from harness.report import badge, commands, junit, markdown, published, sentence, table, terminal

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]

HALF = ErrorStats(count=4, max_abs=0.5, used=0.25)


@pytest.fixture
def theirs(published: MakeCell) -> MakeCell:
    return published


def shown(record: Record, width: int = 160) -> str:
    stream = io.StringIO()
    terminal.render(record, Console(file=stream, width=width, no_color=True, highlight=False))
    return stream.getvalue()


def test_columns_put_what_is_published_last_and_together(
    cell: MakeCell, theirs: MakeCell, record: MakeRecord
) -> None:
    run = record(theirs("Q"), theirs("Q", language="Python"), cell("Q", "PASS"), cell("Q", "PASS", "zig"))
    *live, last = published.columns(run)
    assert [(column.title, dict(column.labels), column.published) for column in live] == [
        ("r", {"r": ""}, False),
        ("zig", {"zig": ""}, False),
    ]
    assert last.published
    assert (last.title, dict(last.labels)) == (
        "as published",
        {"published.python": "Python", "published.r": "R"},
    )
    assert published.columns(record(cell("Q", "PASS")))[-1].title == "r"


def test_provisos_are_told_once_with_where_they_hold(
    cell: MakeCell, theirs: MakeCell, record: MakeRecord
) -> None:
    both = "off by 2; patched: margin: a known fault; torch: stand-in with another one's interface"
    provisos = published.provisos(
        record(
            theirs("Q", detail=both),
            theirs("K", detail=both),
            theirs("K", detail="patched: margin: a known fault", precision=Precision.FLOAT32),
            theirs("V", "ERROR", detail="Traceback\n  line"),
            cell("Q", "PASS", detail="patched: not an article's"),
        )
    )
    here, there = (("four_word", precision, "published.r") for precision in ("float64", "float32"))
    assert [(proviso.text, proviso.entries) for proviso in provisos] == [
        ("patched: margin: a known fault", (here, there)),
        ("torch: stand-in with another one's interface", (here,)),
    ]
    assert published.kinds(provisos) == {here: ("patched", "stand-in"), there: ("patched",)}


def test_why_it_was_patched_is_told_where_the_document_does(
    theirs: MakeCell, record: MakeRecord, document: Callable[..., Examined]
) -> None:
    (proviso,) = published.provisos(
        record(theirs("Q", detail="patched: margin"), documents=(document("a.md"),))
    )
    assert proviso.text == "patched: margin: a known fault"


def test_the_terminal_shows_every_language_of_an_article(
    cell: MakeCell, theirs: MakeCell, record: MakeRecord
) -> None:
    run = record(
        cell("Q", "PASS", "numpy"),
        cell("Q", "PASS", "numpy", case="other"),
        cell("Q", "NOT_RUN", "julia", case="other"),
        theirs("Q", stats=HALF, detail="patched: margin"),
        theirs("Q", "FAIL", "Python"),
    )
    text = shown(run)
    lines = text.split("Runtimes")[0].splitlines()
    (head,) = (line for line in lines if "as published" in line and "numpy" in line)
    column = [part.strip() for part in head.split("┃")].index("as published")
    entries = [line.split("│")[column].strip() for line in lines if line.startswith("│")]
    assert entries[:5] == ["Python 1 FAIL", "R 1 PASS", "0.25 of limit", "patched", ""]
    assert "four_word, as published: patched: margin" in text
    assert "(live 4, replayed 0, not run 1)" in text


def test_markdown_shows_every_language_of_an_article(
    cell: MakeCell, theirs: MakeCell, record: MakeRecord
) -> None:
    run = record(
        cell("Q", "PASS", "numpy"),
        cell("Q", "PASS", "numpy", case="other"),
        theirs("Q", stats=HALF, detail="stand-in: torch <b>"),
        theirs("Q", language="Python"),
    )
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown.render(run))
    assert "<th>as published</th>" in html
    assert "<td>Python ✓ 1 PASS; R ✓ 1 PASS, 0.5, stand-in</td>" in html
    assert "<td></td>" in html
    assert "<li>four_word, as published: stand-in: torch &lt;b&gt;</li>" in html


def test_junit_and_csv_have_it_as_implementations(
    cell: MakeCell, theirs: MakeCell, record: MakeRecord
) -> None:
    run = record(cell("Q", "PASS"), theirs("Q", "FAIL", reason="off", detail="patched: margin"))
    (case,) = (
        element
        for element in ET.fromstring(junit.render(run)).iter("testcase")
        if "published" in element.get("name", "")
    )
    assert (case.get("name"), case.get("classname")) == ("Q [published.r]", "four_word.published.r")
    assert "patched: margin" in (case.findtext("failure") or "")
    rows = list(csv.DictReader(io.StringIO(table.write_csv(run), newline="")))
    assert [(row["implementation"], row["language"], row["detail"]) for row in rows] == [
        ("r", "R", ""),
        ("published.r", "R", "patched: margin"),
    ]


def test_the_sentence_tells_the_articles_apart(cell: MakeCell, theirs: MakeCell, record: MakeRecord) -> None:
    ours = [cell("Q", "PASS", "numpy"), cell("Q", "PASS"), cell("Q", "PASS", case="other")]
    text = sentence.verdict(record(*ours, theirs("Q"))).text
    assert text.startswith("Numpy and R compute the same thing in all 2 cases: 4 comparisons")
    assert text.endswith(
        "So does the code of the published articles, where it gets that far: in one of them."
    )
    known = theirs("K", "XFAIL", divergence="quirk")
    assert "but for what is known and explained in 1 (quirk)." in sentence.verdict(record(*ours, known)).text
    off = sentence.verdict(record(*ours, theirs("Q", "FAIL", check=Check.ORACLE))).text
    assert off.startswith("R as published does not compute what is expected in 1 of 2 cases.")
    alone = sentence.verdict(record(theirs("Q"))).text
    assert alone.startswith("The code of the articles computes what is expected in the one case: 1 ")


def test_live_cells_of_articles_are_counted(cell: MakeCell, theirs: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "PASS"), theirs("Q"), cell("K", "PASS", source=Source.REPLAYED))
    assert sentence.sources(run) == (
        "3 comparisons: 2 live (computed in this run, 1 of them by the articles' own code),"
        " 1 replayed (from snapshots), 0 not run."
    )


def test_the_badge_counts_implementations_without_articles(
    cell: MakeCell, theirs: MakeCell, record: MakeRecord
) -> None:
    assert badge.message(record(cell("Q", "PASS"), theirs("Q"))).startswith("1 implementations")


@pytest.mark.parametrize(
    ("suite", "option"),
    [("reference_impls", ""), ("", ""), ("my/suite", " --suite my/suite"), ("a b", " --suite 'a b'")],
)
def test_commands_name_the_suite_where_it_is_not_the_usual_one(
    cell: MakeCell, theirs: MakeCell, record: MakeRecord, suite: str, option: str
) -> None:
    failed = cell("Q", "FAIL", precision=Precision.FLOAT32, worst_sample="s 1")
    run = record(failed, suite=suite)
    place = "--mode chained --precision float32 --sample 's 1'"
    assert commands.show(run, failed) == f"harness show four_word Q{option} {place}"
    due = f"harness reproduce four_word Q r{option} {place} --check reference"
    assert commands.reproduce(run, failed) == due
    assert commands.reproduce(run, theirs("Q", "FAIL")) == ""
    assert f"next: harness show four_word Q{option}" in shown(run)


@pytest.mark.parametrize(
    ("check", "against", "words"),
    [
        (Check.REFERENCE, "numpy", "--check reference"),
        (Check.IDENTITY, "K", "--check identity --against K"),
        (Check.PUBLISHED, "table 1", "--check published --against 'table 1'"),
    ],
)
def test_commands_name_what_a_cell_is_held_against(
    cell: MakeCell, record: MakeRecord, check: Check, against: str, words: str
) -> None:
    failed = cell("Q", "FAIL", check=check, against=against, mode=Mode.ISOLATED)
    due = f"harness reproduce four_word Q r --mode isolated {words}"
    assert commands.reproduce(record(failed), failed) == due
