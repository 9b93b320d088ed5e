"""Documents of a record, in every report but the page."""

import io
import json
import math
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt
from rich.console import Console

from harness.cli import main
from harness.model import Cell, Record
from harness.model.article import Examined, Finding
from harness.report import (
    article_sections,
    as_json,
    badge,
    diff,
    files,
    history,
    junit,
    markdown,
    sentence,
    terminal,
)
from harness.store.record import RecordWriter, read_record

MakeCell = Callable[..., Cell]
MakeRecord = Callable[..., Record]
MakeDocument = Callable[..., Examined]
MakeFinding = Callable[..., Finding]

EVIL = "<script>alert(1)</script>\u202e\x1b[31m\"'&|`[b](c)" + "x" * 10_000


def shown(record: Record, width: int = 160) -> str:
    stream = io.StringIO()
    terminal.render(record, Console(file=stream, width=width, no_color=True, highlight=False))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        ([["reproduced"]], "The article 0.md prints what its code gives; nothing in what was run is wrong."),
        ([["not reproducible", "unchecked"]], "The article 0.md prints nothing that could be checked; "),
        (
            [
                ["reproduced", "reproduced up to formatting"],
                ["reproduced", "differs"],
                [],
                ["reproduced"],
                [],
            ],
            "Of five articles, two print what their code gives, one prints something else than its code gives"
            " and two print nothing that could be checked; nothing in what was run is wrong.",
        ),
        ([["differs"]] * 11, "Of 11 articles, 11 print something else than their code gives; "),
    ],
)
def test_documents_in_a_sentence(document: MakeDocument, kinds: list[list[str]], said: str) -> None:
    examineds = [document(f"{place}.md", *block_kinds) for place, block_kinds in enumerate(kinds)]
    assert article_sections.sentence(examineds).startswith(said)
    assert article_sections.sentence([]) == ""


def test_what_is_wrong_is_counted(document: MakeDocument, finding: MakeFinding) -> None:
    examineds = [
        document("a.md", findings=(finding("wrong"), finding("fragile"))),
        document("b.md", findings=(finding("wrong"), finding("wrong"))),
        document("c.md", findings=(finding("note"),)),
    ]
    assert article_sections.sentence(examineds).endswith("; 3 things are wrong in two of them.")
    assert article_sections.sentence(examineds[:1]).endswith("; 1 thing is wrong.")
    assert "could not be run" in article_sections.sentence([document("a.md", problem="no")])


def test_every_report_has_a_line_for_each_document(
    cell: MakeCell, record: MakeRecord, document: MakeDocument, finding: MakeFinding
) -> None:
    examined = document("a.md", "reproduced", "differs", findings=(finding("wrong"), finding("note")))
    run = record(cell("Q", "PASS"), documents=(examined, document("b.md", failure="no disk")))
    said = "Of two articles, one prints something else than its code gives and one could not be run"
    text = shown(run)
    assert said in text
    (row,) = (line for line in text.splitlines() if "│ a.md" in line)
    figures = ["3/3", "2", "1/2", "1", "0", "1"]
    assert [part.strip() for part in row.split("│")[1:-1]] == ["a.md", *figures]
    assert any("b.md" in line and "failed" in line for line in text.splitlines())
    html = MarkdownIt("commonmark").enable("table").render(markdown.render(run))
    assert said in html
    assert "".join(f"<td>{part}</td>\n" for part in ("a.md", *figures)) in html
    assert "<td>a.md, line 3</td>\n<td>chunk fails</td>\n<td>what was measured in line 3</td>" in html
    assert sentence.verdict(run).articles.startswith(said)
    documents = json.loads(as_json.dumps(as_json.record_object(run)))["documents"]
    assert [entry["document"] for entry in documents] == ["a.md", "b.md"]
    assert documents[0]["blocks"][1]["verdict"]["first"]["units"] == "Infinity"


def test_a_record_of_documents_alone_is_not_empty(
    record: MakeRecord, document: MakeDocument, finding: MakeFinding
) -> None:
    sound, off = (
        record(documents=(document("a.md", "reproduced", findings=some),))
        for some in ((), (finding("wrong"),))
    )
    assert (sentence.verdict(sound).outcome, sentence.verdict(off).outcome) == ("AGREEMENT", "DIVERGENCE")
    assert badge.message(off) == "1 article, 1 wrong"
    for run in (sound, off):
        assert ET.fromstring(junit.render(run)).get("errors") == "0"
        assert "Nothing was compared" not in markdown.render(run)


def test_hostile_documents_stay_text(
    record: MakeRecord, document: MakeDocument, finding: MakeFinding
) -> None:
    examined = document(EVIL, "differs", title=EVIL, findings=(finding(evidence=EVIL, language=EVIL),))
    run = record(documents=(examined,))
    text = shown(run, 80)
    written = markdown.render(run, record())
    for output in (text, written):
        assert not set("\u202e\x1b") & set(output)
        assert "\\u202e" in output.replace("\\\\", "\\").replace("\n", "")
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(written)
    assert "<script" not in html
    assert "<a " not in html
    assert len(max(text.splitlines(), key=len)) <= 80
    assert json.loads(as_json.dumps(as_json.record_object(run)))["documents"][0]["document"] == EVIL


def test_a_finding_that_came_or_went_is_told(
    cell: MakeCell, record: MakeRecord, document: MakeDocument, finding: MakeFinding
) -> None:
    old = record(cell("Q", "PASS"), documents=(document("a.md", findings=(finding("note", 9),)),))
    new = record(cell("Q", "PASS"), documents=(document("a.md", findings=(finding("wrong", 5),)),))
    cell_change = diff.compare(old, new)
    assert {(changed.name, changed.before, changed.now) for changed in cell_change.findings} == {
        ("a.md line 5 r: chunk fails", diff.ABSENT, "wrong"),
        ("a.md line 9 r: chunk fails", "note", diff.ABSENT),
    }
    assert cell_change.regressed
    assert not diff.compare(new, old).regressed
    assert diff.compare(old, old).same
    assert "a.md line 5 r: chunk fails" in "\n".join(markdown.changes(cell_change))


def test_lines_that_moved_are_no_change(
    record: MakeRecord, document: MakeDocument, finding: MakeFinding
) -> None:
    def at(line: int, sha256: str) -> Record:
        findings = (finding("wrong", line), finding("fragile", line + 1))
        return record(
            documents=(document("a.md", "differs", "reproduced", findings=findings, sha256=sha256),)
        )

    assert diff.compare(at(3, "00"), at(8, "11")).same
    assert len(diff.compare(at(3, "00"), at(8, "00")).findings) == 4


@pytest.mark.parametrize(
    ("before", "now", "where"),
    [
        ("reproduced", "differs", "worse"),
        ("differs", "reproduced up to formatting", "better"),
        ("reproduced", "reproduced up to formatting", "other"),
        ("not reproducible", "differs", "worse"),
    ],
)
def test_printed_output_that_changed(
    record: MakeRecord, document: MakeDocument, before: str, now: str, where: str
) -> None:
    cell_change = diff.compare(
        record(documents=(document("a.md", "reproduced", before),)),
        record(documents=(document("a.md", "reproduced", now),)),
    )
    moved = {name: getattr(cell_change, name) for name in ("worse", "better", "other")}
    assert {name for name, changed in moved.items() if changed} == {where}
    ((change,),) = filter(None, moved.values())
    assert (change.name, change.before, change.now) == ("a.md line 11 printed output", before, now)


def test_documents_that_only_one_record_has_are_not_compared(
    record: MakeRecord, document: MakeDocument, finding: MakeFinding
) -> None:
    examined = document("a.md", "differs", findings=(finding("wrong"),))
    assert diff.compare(record(), record(documents=(examined,))).same
    assert diff.compare(
        record(documents=(document("a.md", failure="no"),)), record(documents=(examined,))
    ).same


def test_history_counts_what_is_wrong(
    cell: MakeCell, record: MakeRecord, document: MakeDocument, finding: MakeFinding
) -> None:
    runs = [
        record(
            cell("Q", "PASS"),
            documents=(document("a.md", findings=tuple(finding("wrong", line) for line in range(n))),),
            started=f"2026-01-0{n}",
        )
        for n in (2, 1)
    ]
    assert history.summarize(runs[0]).wrong == {"a.md": 2.0}
    (trend,) = (trend for trend in history.trends(runs) if "wrong" in trend.title)
    assert dict(trend.rows) == {"a.md": (1.0, 2.0)}


def written(folder: Path, record: Record) -> Path:
    folder.mkdir()
    with RecordWriter(folder / "results.jsonl") as writer:
        writer.header(record.header)
        for line in (*record.cells, *record.documents):
            writer.write(line)
        assert record.footer is not None
        writer.footer(record.footer)
    return folder


def test_reports_come_from_the_file_alone(
    tmp_path: Path, cell: MakeCell, record: MakeRecord, document: MakeDocument, finding: MakeFinding
) -> None:
    odd = document(
        EVIL,
        "differs",
        findings=(finding(evidence=f"{EVIL} \udc80"),),
        seconds=math.nan,
        run_seconds=math.inf,
    )
    folder = written(tmp_path / "run", record(cell("Q", "PASS"), documents=(odd, document("a.md"))))
    reread = read_record(folder / "results.jsonl")
    assert math.isnan(reread.documents[0].seconds)
    assert reread.documents[0].blocks[0].verdict.first == odd.blocks[0].verdict.first
    kinds = [kind for kind in files.KINDS if kind != "parquet"]
    rendered = files.rendered(files.Request(record=reread, base=reread, earlier=[reread]), kinds)
    assert all(content.decode() for content in rendered.values())
    ET.fromstring(rendered["junit.xml"])


def test_the_commands_know_of_documents(
    tmp_path: Path, cell: MakeCell, record: MakeRecord, document: MakeDocument, finding: MakeFinding
) -> None:
    old, new = (
        written(
            tmp_path / name,
            record(cell("Q", "PASS"), documents=(document("a.md", kind, findings=some),), started=name),
        )
        for name, kind, some in (
            ("2025", "reproduced", (finding("note", 9),)),
            ("2026", "differs", (finding("note", 9), finding("wrong", 3))),
        )
    )
    run = CliRunner().invoke
    worse = run(main, ["diff", str(old), str(new)])
    assert worse.exit_code == 1
    assert "a.md line 7 printed output" in worse.stdout
    assert "a.md line 3 r: chunk fails" in worse.stdout
    assert "1 verdict got worse, 0 better; 0 errors grew; 1 finding changed" in worse.stdout
    assert run(main, ["diff", str(new), str(old)]).exit_code == 0
    changes = json.loads(run(main, ["diff", str(old), str(new), "--json"]).stdout)
    assert changes["findings"] == [{"name": "a.md line 3 r: chunk fails", "before": "absent", "now": "wrong"}]
    assert "a.md 1 wrong" in run(main, ["history", str(new), str(old)]).stdout
    assert run(main, ["report", str(new), "--base", str(old), "--history", str(old)]).exit_code == 0
    assert "Findings that came or went: 1" in (new / "summary.md").read_text(encoding="utf-8")
    assert "findings, run by run" in (new / "report.html").read_text(encoding="utf-8")
