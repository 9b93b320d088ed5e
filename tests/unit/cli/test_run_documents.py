"""``harness run --documents``: what an article computes is a column of the matrix."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from harness.model import Cell, Check, Mode, Record, Source, Verdict
from harness.model.article import Kind
from harness.store.record import read_record

Harness = Callable[..., Result]

ARTICLE = """# Twice the number

```python
x = [1.0, 2.5, -3.0]
twice = [2 * one for one in x]
more = [one + {more} for one in twice]
```

```python
print(more)
```

```text
[3.0, 6.0, -5.0]
```
"""
SHORT = """# A number

```python
print(1)
```
"""
DOCUMENT = """file = "article.md"

[[capture]]
id = "toy"
language = "python"
values = { twice = "__import__('numpy').array(twice)", more = "__import__('numpy').array(more)" }
"""


@pytest.fixture
def article(tmp_path: Path, suite: Path) -> Path:
    (suite / "toy" / "document.toml").write_text(DOCUMENT, encoding="utf-8")
    path = tmp_path / "articles" / "article.md"
    path.parent.mkdir()
    path.write_text(ARTICLE.format(more=1), encoding="utf-8")
    return path


def run(harness: Harness, suite: Path, *more: str | Path) -> tuple[Result, Record]:
    result = harness(
        "run", "--suite", suite, "--impl", "numpy", "--trust", "--unsandboxed", "--out", "out", *more
    )
    return result, read_record(Path("out/results.jsonl"))


def published(record: Record) -> list[Cell]:
    return [cell for cell in record.cells if cell.implementation == "published.python"]


def test_an_article_that_agrees_is_a_column(harness: Harness, suite: Path, article: Path) -> None:
    result, record = run(harness, suite, "--documents", article.parent)
    assert result.exit_code == 0, result.output
    assert [(cell.stage, cell.mode, cell.check, cell.verdict) for cell in published(record)] == [
        ("twice", Mode.CHAINED, Check.REFERENCE, Verdict.PASS),
        ("more", Mode.CHAINED, Check.REFERENCE, Verdict.PASS),
    ]
    assert {cell.source for cell in published(record)} == {Source.LIVE}
    assert "harness documents --deep looks for them" in record.documents[0].unchecked[-1]
    (document,) = record.documents
    assert document.document == "article.md"
    assert len(document.sha256) == 64
    assert [str(block.verdict.kind) for block in document.blocks] == ["reproduced"]


def test_an_article_that_is_wrong_fails_the_run_at_its_stage(
    harness: Harness, suite: Path, article: Path
) -> None:
    article.write_text(ARTICLE.format(more=1.5), encoding="utf-8")
    result, record = run(harness, suite, "--documents", article)
    assert result.exit_code == 1, result.output
    assert {cell.stage: cell.verdict for cell in published(record)} == {
        "twice": Verdict.PASS,
        "more": Verdict.FAIL,
    }
    kinds = {finding.kind for finding in record.documents[0].findings}
    assert kinds >= {Kind.DEPARTS, Kind.OUTPUT_DIFFERS}
    assert record.footer is not None
    assert record.footer.counts["FAIL"] == 1


def test_findings_alone_do_not_fail_a_run(harness: Harness, suite: Path, article: Path) -> None:
    article.write_text(ARTICLE.format(more=1).replace("[3.0, 6.0", "[3.5, 6.0"), encoding="utf-8")
    result, record = run(harness, suite, "--documents", article)
    assert result.exit_code == 0, result.output
    assert [finding.kind for finding in record.documents[0].findings] == [Kind.OUTPUT_DIFFERS]


def test_cases_that_are_left_out_have_no_column(harness: Harness, suite: Path, article: Path) -> None:
    (suite / "other").mkdir()
    for name in ("case.toml", "toy.py"):
        text = (suite / "toy" / name).read_text(encoding="utf-8").replace('name = "toy"', 'name = "other"')
        (suite / "other" / name.replace("toy", "other")).write_text(text, encoding="utf-8")
    _, record = run(harness, suite, "--case", "other", "--documents", article)
    assert published(record) == []
    assert len(record.documents) == 1


def test_a_document_that_cannot_be_read_is_in_the_record(
    harness: Harness, suite: Path, article: Path
) -> None:
    (article.parent / "broken.Rmd").write_text("```python\nprint(1)\n", encoding="utf-8")
    _, record = run(harness, suite, "--documents", article.parent)
    assert [bool(document.problem) for document in record.documents] == [False, True]
    assert published(record)


def test_two_articles_of_one_name_cannot_share_a_column(harness: Harness, suite: Path, article: Path) -> None:
    again = article.parent / "again" / article.name
    again.parent.mkdir()
    again.write_text(article.read_text(encoding="utf-8") + "\nThe end.\n", encoding="utf-8")
    result = harness(
        "run",
        "--suite",
        suite,
        "--trust",
        "--unsandboxed",
        "--documents",
        article,
        "--documents",
        again,
        "--impl",
        "numpy",
    )
    assert result.exit_code == 2
    assert "article.md" in result.output


def test_nobody_vouched_for_it(harness: Harness, suite: Path, article: Path) -> None:
    result = harness("run", "--suite", suite, "--documents", article, "--unsandboxed")
    assert result.exit_code == 2
    assert "--trust" in result.output
    assert not Path("results/results.jsonl").exists()


def test_documents_alone_make_a_record_too(harness: Harness, suite: Path, article: Path) -> None:
    result = harness("documents", article, "--suite", suite, "--trust", "--unsandboxed", "--out", "out")
    assert result.exit_code == 0, result.output
    record = read_record(Path("out/results.jsonl"))
    assert [cell.verdict for cell in published(record)] == [Verdict.PASS, Verdict.PASS]
    assert [case.name for case in record.header.cases] == ["toy"]
    assert len(record.documents) == 1
    assert "harness documents --deep" in record.documents[0].unchecked[-1]
    assert harness("report", "out").exit_code == 0


def test_a_language_that_no_document_has_is_missing(harness: Harness, suite: Path, article: Path) -> None:
    # A short article: what is wrong with a long one is looked for twice.
    article.write_text(SHORT, encoding="utf-8")
    wanted = ("--require", "python,julia", "--json")
    result = harness("documents", article, "--suite", suite, "--trust", "--unsandboxed", *wanted)
    assert result.exit_code == 3
    assert json.loads(result.stdout)["exit_code"] == 3
    assert "missing: julia: no document has code in it" in result.output


def test_a_package_that_is_not_there_is_missing(harness: Harness, suite: Path, article: Path) -> None:
    code = "```python\nimport no_such_package_at_all\n```\n\n"
    article.write_text(code + SHORT, encoding="utf-8")
    assert harness("documents", article, "--suite", suite, "--trust", "--unsandboxed").exit_code == 0
    result = harness(
        "documents", article, "--suite", suite, "--trust", "--unsandboxed", "--require", "python"
    )
    assert result.exit_code == 3
    assert "no_such_package_at_all" in result.output


def test_an_unknown_language_is_refused(harness: Harness, article: Path) -> None:
    result = harness("documents", article, "--trust", "--unsandboxed", "--require", "cobol")
    assert result.exit_code == 2
    assert "cobol" in result.output
