"""What the page says of the published articles, as a parser sees it."""

import math
from collections.abc import Callable
from typing import Any

from harness.model import Cell, Record
from harness.model.article import ChunkLine, Count, Examined, Finding, Kind
from harness.report import html
from harness.report.page import document as stand_alone

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]
MakeDocument = Callable[..., Examined]
MakeFinding = Callable[..., Finding]
Parse = Callable[[str], Any]

EVIL = "</script><script>alert(1)</script><!-- \u202e\x00\x1b[31m\"'&<b>"


def cells_of(page: Any) -> list[str]:
    """The addresses that the matrix links to."""
    return [link for link in page.links() if link.startswith("#cells=")]


def test_what_is_published_is_one_column(
    parse: Parse, cell: MakeCell, published: MakeCell, record: MakeRecord, document: MakeDocument
) -> None:
    run = record(
        cell("Q", "PASS", "numpy"),
        cell("Q", "PASS"),
        published("Q", detail="patched: margin: a known fault"),
        published("Q", "FAIL", "Python", detail="stand-in: torch"),
        cell("Q", "PASS", "numpy", case="other"),
    )
    page = parse(html.render(run))
    heads = [column.title for column in html.context(run)["columns"]]
    assert heads == ["numpy", "r", "as published"]
    links = cells_of(page)
    for who in ("published.r", "published.python"):
        assert f"#cells=case=four_word&implementation={who}&precision=float64" in links
    assert "#provisos" in page.links()
    assert "provisos" in page.ids()
    assert "patched: margin: a known fault" in page.text
    assert "stand-in: torch" in page.text
    assert "harness reproduce" not in page.text
    # No article has the other case: its entry is empty, and is no NOT_RUN.
    row = page.text.partition("other")[2].partition("within its limit")[0]
    assert "NOT_RUN" not in row
    assert "harness reproduce" in parse(html.render(record(cell("Q", "FAIL")))).text


def test_without_articles_there_is_no_column_for_them(
    parse: Parse, cell: MakeCell, record: MakeRecord
) -> None:
    page = parse(html.render(record(cell("Q", "PASS"))))
    assert "as published" not in page.text
    assert "articles" not in page.ids()


def test_a_document_has_a_section(
    parse: Parse, cell: MakeCell, record: MakeRecord, document: MakeDocument, finding: MakeFinding
) -> None:
    findings = (finding("note", 9), finding("wrong", 5, kind=Kind.DIVERGES), finding("fragile", 1))
    examined = document("a.md", "reproduced", "differs", findings=findings)
    alone = parse(stand_alone(examined)).text
    beside = parse(html.render(record(cell("Q", "PASS"), documents=(examined,)))).text
    for text in (alone, beside):
        places = [text.index(f"what was measured in line {line}") for line in (5, 1, 9)]
        assert places == sorted(places)
        expected = (
            "line 5, r: training diverges",
            "what comes of it",
            "x = 1",
            "1 of 2 printed outputs reproduced",
            "line 2 of the output: 0.5 is published, and the code prints 0.25",
            "R 4.2.2",
            "torch: an interface over another one",
            "margin: a known fault",
            "purrr: is not installed",
            "in a box",
            "would have drawn: a plot",
            "gradients: no session",
            "a chunk without a language",
        )
        assert [part for part in expected if part not in text] == []
    assert "Of" not in beside.partition("The article a.md")[0][-40:]
    assert "The article a.md prints something else than its code gives; 1 thing is wrong." in beside


def test_a_document_that_could_not_be_run_says_why(
    parse: Parse, record: MakeRecord, document: MakeDocument
) -> None:
    for why in ({"problem": "a.md:3: never closed"}, {"failure": "the disk is full"}):
        examined = document("a.md", **why)
        for text in (
            parse(stand_alone(examined)).text,
            parse(html.render(record(documents=(examined,)))).text,
        ):
            assert next(iter(why.values())) in text
        assert "could not be run" in html.context(record(documents=(examined,)))["sentence"].articles


def test_documents_of_hostile_names_stay_text(
    parse: Parse, record: MakeRecord, document: MakeDocument, finding: MakeFinding
) -> None:
    name = EVIL + "x" * 10_000
    examined = document(
        name,
        "differs",
        findings=(finding(language=name, evidence=f"{name} {math.nan}", consequence=name, smallest=name),),
        title=name,
        chunks=(ChunkLine(line=1, language=name, track=name, outcome=name, seconds=math.nan, plots=(name,)),),
        counts=(Count(language=name, total=1, run=1, sound=1),),
        runtimes={name: name},
        stand_ins={name: name},
        patches={name: name},
        missing={name: name},
        unchecked=(name,),
        notes=(name,),
        sandbox=name,
        run_seconds=math.inf,
        code_seconds=math.nan,
    )
    for text, scripts in ((stand_alone(examined), 0), (html.render(record(documents=(examined,) * 3)), 2)):
        page = parse(text)
        assert sum(tag == "script" for tag, _ in page.elements) == scripts
        assert not any(tag == "b" for tag, _ in page.elements)
        assert not set("\u202e\x00\x1b") & set(text)
        assert "\\u202e" in page.text
        assert len(page.ids()) == len(set(page.ids()))
        assert [attributes for _, attributes in page.elements if {"src", "action"} & set(attributes)] == []


def test_what_a_page_leaves_out_is_counted(
    parse: Parse, record: MakeRecord, document: MakeDocument, finding: MakeFinding
) -> None:
    many = tuple(finding("note", line) for line in range(70))
    page = parse(html.render(record(documents=tuple(document(f"{n}.md", findings=many) for n in range(41)))))
    assert "And 10 more." in page.text
    assert "And 1 more." in page.text
    assert "what was measured in line 69" in parse(stand_alone(document("a.md", findings=many))).text
