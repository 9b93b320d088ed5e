"""Markdown for a CI's summary."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from harness.model import Basis, Cell, ErrorStats, Precision, Record, Source
from harness.model.article import Examined, Finding
from harness.report import diff, markdown, text

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]


def tables(written: str) -> list[list[list[str]]]:
    """Every table, as rows of the text that a reader sees."""
    result: list[list[list[str]]] = []
    tokens = MarkdownIt("commonmark").enable("table").parse(written)
    for place, token in enumerate(tokens):
        if token.type == "table_open":
            result.append([])
        elif token.type == "tr_open":
            result[-1].append([])
        elif token.type in {"th_open", "td_open"}:
            inner = tokens[place + 1].children or []
            result[-1][-1].append("".join(inline.content for inline in inner if inline.type == "text"))
    return result


def test_matrix_has_a_row_for_each_case(cell: MakeCell, record: MakeRecord) -> None:
    stats = ErrorStats(count=1, max_abs=0.5)
    run = record(cell("Q", "PASS", "numpy"), cell("Q", "PASS", stats=stats), cell("K", "NOT_RUN", "julia"))
    (matrix,) = tables(markdown.render(run))
    assert matrix[0] == ["case", "numpy", "r", "julia"]
    assert matrix[1] == ["four_word", "✓ 1 PASS", "✓ 1 PASS, 0.5", "– 1 NOT_RUN"]


def test_first_divergences_follow(cell: MakeCell, record: MakeRecord) -> None:
    run = record(cell("Q", "FAIL", reason="off | by one\nline", stats=ErrorStats(count=1, max_abs=2.0)))
    written = markdown.render(run)
    assert written.startswith("## ❌ DIVERGENCE")
    _, divergences = tables(written)
    assert divergences[1][:5] == ["four_word", "Q", "r", "chained, float64, reference", "✗ FAIL"]
    assert divergences[1][5].startswith("off | by one line; max abs 2")


@pytest.mark.parametrize(
    ("verdict", "head"),
    [
        ("PASS", "## ✅ AGREEMENT"),
        ("FAIL", "## ❌ DIVERGENCE"),
        ("ERROR", "## ⚠️ FAULT"),
        ("NOT_RUN", "## ⚠️ INCOMPLETE"),
    ],
)
def test_the_outcome_is_the_title(cell: MakeCell, record: MakeRecord, verdict: str, head: str) -> None:
    assert markdown.render(record(cell("Q", verdict))).splitlines()[0] == head


def test_what_was_not_judged_or_coarse_is_told(cell: MakeCell, record: MakeRecord) -> None:
    stats = ErrorStats(count=1, max_abs=2.0, max_rel=1.0, max_ulp=4)
    coarse = {"basis": Basis.COARSE, "weaker_because": "no limit (line 12 of lsq.py)", "stats": stats}
    run = record(cell("Q", "NOT_RUN", reason="why"), cell("K", "FAIL", limit=0.5, **coarse))
    written = markdown.render(run)
    assert "- 1 cell not judged: why four\\_word: Q (r)" in written
    assert "- 1 stage was compared coarsely only: no limit (line 12 of lsq.py). four\\_word: K (r)" in written
    matrix, divergences = tables(written)
    assert matrix[1] == ["four_word", "✗ 1 FAIL, 1 NOT_RUN, 1 coarse, 2"]
    assert divergences[1][4:] == ["✗ FAIL, coarse", "max abs 2, max rel 1, 4 ULP; limit 0.5 (coarse)"]


def test_changes_since_a_base_record(cell: MakeCell, record: MakeRecord) -> None:
    base, now = record(cell("Q", "PASS")), record(cell("Q", "FAIL"), python="3.12.0")
    written = markdown.render(now, base)
    assert "Worse: 1 verdict" in written
    assert tables(written)[-2][1] == ["four_word Q r chained float64 reference numpy", "PASS", "FAIL"]
    assert tables(written)[-1][1] == ["Python", "3.11.2", "3.12.0"]
    assert "No verdict changed" in markdown.render(base, base)


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="@#"), max_size=40))
def test_any_name_stays_one_entry_of_the_table(name: str) -> None:
    (rows,) = tables("\n".join(markdown._table(("a", "b"), [(name, "x")])))
    assert len(rows[1]) == 2
    assert rows[1][0].split() == text.visible(name).split()


@pytest.mark.parametrize(
    ("plain", "written"),
    [
        ("see @someone, #12 and @ #", "see @<!-- -->someone, #<!-- -->12 and @ #"),
        ("a|b\nc", r"a\|b c"),
        (r"\`*_[]<>~&", r"\\\`\*\_\[\]\<\>\~\&"),
        (":smile: a: b", r"\:smile: a: b"),
        ("x" * 2000, "x" * 2000),
        ("x" * 2001, "x" * 1999 + "…"),
    ],
)
def test_what_is_written_for_a_text(plain: str, written: str) -> None:
    assert markdown.escaped(plain) == written


@pytest.mark.parametrize(
    "name", ["@someone", "#12", "<b>x</b>", ":smile:", "[a](http://b)", "`code`", "**x**"]
)
def test_nothing_is_called_linked_or_formatted(name: str) -> None:
    written = MarkdownIt("commonmark", {"html": True}).render(markdown.escaped(name))
    assert "<a" not in written
    assert "<b>" not in written
    assert "<strong>" not in written
    assert "<code>" not in written
    assert "@someone" not in written
    assert "#12" not in written


def test_a_whole_report(cell: MakeCell, record: MakeRecord) -> None:
    stats = ErrorStats(count=4, max_abs=2.0, max_rel=0.5, max_ulp=3.0, beyond=1, max_abs_index=(0, 3))
    run = record(
        cell("Q", "PASS", "numpy"),
        cell("Q", "PASS", source=Source.REPLAYED),
        cell("K", "FAIL", reason="1 of 4 elements beyond the limit", stats=stats, limit=0.25),
        cell("V", "PASS", precision=Precision.FLOAT32),
        cell("V", "XPASS", "torch", divergence="quirk", reason="known divergence 'quirk' no longer shows"),
    )
    assert markdown.render(run).splitlines() == [
        "## ❌ DIVERGENCE",
        "",
        "R does not compute what is expected in four\\_word. Look first at the stage K of four\\_word in R:"
        " it is too far from what numpy computes. A known divergence no longer shows: quirk. Remove it from"
        " case.toml, or find out what changed. R was replayed from snapshots, not run.",
        "",
        "5 comparisons: 4 live (computed in this run), 1 replayed (from snapshots), 0 not run.",
        "",
        "- r: K of four\\_word in float64 differs: 1 of 4 elements beyond the limit",
        "- torch: V of four\\_word in float64 agrees now: known divergence 'quirk' no longer shows",
        "- Julia was not run live: no julia here.",
        "",
        "How many comparisons have each verdict, the worst first, and the largest difference:",
        "",
        "| case | numpy | torch | r |",
        "| --- | --- | --- | --- |",
        "| four\\_word | ✓ 1 PASS | ✗ 1 XPASS | ✗ 1 FAIL, 1 PASS, 1 replayed, 2 |",
        "| four\\_word float32 |  |  | ✓ 1 PASS |",
        "",
        "### First divergences",
        "",
        "| case | stage | implementation | how | verdict | why |",
        "| --- | --- | --- | --- | --- | --- |",
        "| four\\_word | K | r | chained, float64, reference | ✗ FAIL | 1 of 4 elements beyond the limit; max"
        " abs 2 at \\[0, 3\\], max rel 0.5, 3 ULP; limit 0.25 |",
        "",
        "### Known divergences that no longer show",
        "",
        "| case | stage | implementation | how | verdict | why |",
        "| --- | --- | --- | --- | --- | --- |",
        "| four\\_word | V | torch | chained, float64, reference | ✗ XPASS | known divergence 'quirk' no"
        " longer shows |",
    ]


def test_twenty_divergences_are_shown_and_the_rest_is_counted(cell: MakeCell, record: MakeRecord) -> None:
    def written(n: int) -> str:
        return markdown.render(record(*(cell("Q", "FAIL", case=f"c{place:02}") for place in range(n))))

    assert len(tables(written(20))[1]) == 21
    assert not written(20).endswith(" more\n")
    assert len(tables(written(22))[1]) == 21
    assert written(22).endswith("\nand 2 more\n")


def test_twenty_changes_are_shown_and_the_rest_is_counted(cell: MakeCell, record: MakeRecord) -> None:
    def written(before: str, now: str, n: int) -> list[str]:
        base, new = (
            record(*(cell(f"s{place:02}", verdict) for place in range(n))) for verdict in (before, now)
        )
        return markdown.changes(diff.compare(base, new))

    worse = written("PASS", "FAIL", 22)
    assert worse[:5] == [
        "### Since the base record",
        "",
        "**Worse: 22 verdicts**",
        "",
        "| what | before | now |",
    ]
    assert worse[-2:] == ["and 2 more", ""]
    assert written("FAIL", "PASS", 1)[2] == "**Better: 1 verdict**"
    assert len(written("FAIL", "PASS", 20)) == 4 + 2 + 20 + 1


def test_other_verdicts_and_versions_since_a_base_record(cell: MakeCell, record: MakeRecord) -> None:
    base = record(cell("K", "FAIL"))
    now = record(cell("Q", "PASS"), cell("K", "PASS"), python="3.12.0")
    assert markdown.changes(diff.compare(base, now)) == [
        "### Since the base record",
        "",
        "**Better: 1 verdict**",
        "",
        "| what | before | now |",
        "| --- | --- | --- |",
        "| four\\_word K r chained float64 reference numpy | FAIL | PASS |",
        "",
        "**Other verdicts: 1 verdict**",
        "",
        "| what | before | now |",
        "| --- | --- | --- |",
        "| four\\_word Q r chained float64 reference numpy | absent | PASS |",
        "",
        "**Versions that moved**",
        "",
        "| what | before | now |",
        "| --- | --- | --- |",
        "| Python | 3.11.2 | 3.12.0 |",
    ]


def test_twenty_that_grew_or_were_found_are_shown(
    cell: MakeCell,
    record: MakeRecord,
    document: Callable[..., Examined],
    finding: Callable[..., Finding],
) -> None:
    def written(n: int) -> list[str]:
        present = tuple(finding(line=10 + place) for place in range(n))
        base, now = (record(documents=(document("a.md", findings=findings),)) for findings in ((), present))
        return markdown.changes(diff.compare(base, now))

    assert written(22)[:3] == ["### Since the base record", "", "**Findings that came or went: 22**"]
    assert written(22)[-2:] == ["and 2 more", ""]
    assert len(written(22)) == 4 + 2 + 20 + 2
    assert len(written(20)) == 4 + 2 + 20 + 1


def test_what_grew_and_what_was_found_since_a_base_record(
    cell: MakeCell,
    record: MakeRecord,
    document: Callable[..., Examined],
    finding: Callable[..., Finding],
) -> None:
    def run(error: float, *findings: Finding) -> Record:
        stats = ErrorStats(count=1, max_abs=error)
        return record(cell("Q", "PASS", stats=stats), documents=(document("a.md", findings=findings),))

    assert markdown.render(run(2.0, finding()), run(0.5)).split("### Since")[1].splitlines() == [
        " the base record",
        "",
        "**Errors that grew: 1 cell**",
        "",
        "| cell | before | now |",
        "| --- | --- | --- |",
        "| four\\_word Q r chained float64 reference numpy | 0.5 | 2 |",
        "",
        "**Findings that came or went: 1**",
        "",
        "| finding | before | now |",
        "| --- | --- | --- |",
        "| a.md line 3 r: chunk fails | absent | wrong |",
    ]


def test_articles_and_what_was_not_judged(
    cell: MakeCell,
    record: MakeRecord,
    document: Callable[..., Examined],
    finding: Callable[..., Finding],
) -> None:
    run = record(
        cell("Q", "NOT_RUN", reason="why"),
        documents=(document("a.md", "differs", findings=(finding(), finding(line=4))), document("b.md")),
    )
    assert markdown.render(run).split("### Not")[1].splitlines() == [
        " judged, or only coarsely",
        "",
        "- 1 cell not judged: why four\\_word: Q (r)",
        "",
        "### Articles",
        "",
        "| article | chunks run | sound | outputs reproduced | wrong | fragile | note |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        "| a.md | 3/3 | 2 | 0/1 | 2 | 0 | 0 |",
        "| b.md | 3/3 | 2 | 0/0 | 0 | 0 | 0 |",
        "",
        "**2 things are wrong**",
        "",
        "| where | what | measured |",
        "| --- | --- | --- |",
        "| a.md, line 3 | chunk fails | what was measured in line 3 |",
        "| a.md, line 4 | chunk fails | what was measured in line 4 |",
    ]


def test_twenty_articles_and_findings_are_shown_and_the_rest_is_counted(
    record: MakeRecord, document: Callable[..., Examined], finding: Callable[..., Finding]
) -> None:
    def written(n: int) -> str:
        return markdown.render(record(documents=tuple(document(f"{place}.md") for place in range(n))))

    assert " more" not in written(20)
    assert written(22).endswith("|\n\nand 2 more\n")
    many = tuple(finding(line=line) for line in range(1, 23))
    assert markdown.render(record(documents=(document(findings=many),))).endswith("|\n\nand 2 more\n")
    alone = markdown.render(record(documents=(document(findings=many[:1]),)))
    assert "**1 thing is wrong**" in alone


def test_six_cases_are_named_and_the_rest_is_counted(published: MakeCell, record: MakeRecord) -> None:
    def written(n: int) -> str:
        cells = (published("Q", case=f"c{place}", detail="patched: margin") for place in range(n))
        return markdown.render(record(*cells))

    assert "\n- c0, c1, c2, c3, c4, c5, as published: patched: margin\n" in written(6)
    assert "\n- c0, c1, c2, c3, c4, c5 and 2 more, as published: patched: margin\n" in written(8)


def test_twenty_provisos_are_shown_and_the_rest_is_counted(published: MakeCell, record: MakeRecord) -> None:
    def written(n: int) -> list[str]:
        cells = (published(f"s{place:02}", detail=f"patched: p{place}") for place in range(n))
        lines = markdown.render(record(*cells)).splitlines()
        return [line for line in lines if line.startswith(("- four", "- and"))]

    assert (len(written(20)), written(20)[-1]) == (20, "- four\\_word, as published: patched: p19")
    assert written(22)[-2:] == ["- four\\_word, as published: patched: p19", "- and 2 more"]


def test_twenty_reasons_are_shown_and_the_rest_is_counted(cell: MakeCell, record: MakeRecord) -> None:
    def written(n: int) -> list[str]:
        cells = (cell(f"s{place:02}", "NOT_RUN", reason=f"why {place}") for place in range(n))
        text = markdown.render(record(*cells)).partition("### Not judged, or only coarsely")[2]
        return [line for line in text.splitlines() if line.startswith("- ")]

    assert len(written(20)) == 20
    assert written(20)[-1] == "- 1 cell not judged: why 19 four\\_word: s19 (r)"
    assert len(written(22)) == 21
    assert written(22)[-1] == "- and 2 more"


@pytest.mark.parametrize(("given", "shown"), [("x" * 300, "x" * 300), ("x" * 301, "x" * 299 + "…")])
def test_a_long_reason_is_cut_after_300_characters(
    cell: MakeCell,
    record: MakeRecord,
    document: Callable[..., Examined],
    finding: Callable[..., Finding],
    given: str,
    shown: str,
) -> None:
    assert tables(markdown.render(record(cell("Q", "FAIL", reason=given))))[1][1][5] == shown
    run = record(documents=(document("a.md", findings=(finding(evidence=given),)),))
    assert tables(markdown.render(run))[-1][1][2] == shown


def test_an_entry_says_all_that_was_not_as_published(published: MakeCell, record: MakeRecord) -> None:
    run = record(published("Q", detail="patched: margin; torch: stand-in with another interface"))
    assert tables(markdown.render(run))[0][1] == ["four_word", "R ✓ 1 PASS, patched, stand-in"]
