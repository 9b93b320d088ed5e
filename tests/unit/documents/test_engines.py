"""Engines of knitr that hold text: files that they write, and what is said of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.engines import handed_to, through_knitr, written_by
from harness.documents.options import Options
from harness.documents.parse import parse_document
from harness.findings.names import names_in


def test_a_file_that_a_chunk_writes(tmp_path: Path) -> None:
    path = tmp_path / "a.Rmd"
    path.write_text(
        '```{cat, engine.opts = list(file = "a.txt")}\nsome "text"\n\nü\n```\n\n'
        "```{r}\nreadLines('a.txt')\n```\n",
        encoding="utf-8",
    )
    first, second = parse_document(path).chunks
    assert (first.language, first.supported, second.language) == ("r", True, "r")
    assert first.code == 'cat(c("some \\"text\\"",\n"",\n"ü"), file = "a.txt", sep = "\\n")\n'


@pytest.mark.parametrize(
    ("engine", "options"),
    [
        ("bash", 'list(file = "a.txt")'),
        ("cat", "list(file = name)"),
        ("cat", None),
        ("cat", 'list(lang = "r")'),
    ],
)
def test_no_file_is_written_where_none_is_named(engine: str, options: str | None) -> None:
    assert written_by(engine, options, "text\n") is None


def test_what_is_said_of_chunks_that_are_not_run(tmp_path: Path) -> None:
    path = tmp_path / "a.Rmd"
    path.write_text("```{asis, echo=TRUE}\ntext\n```\n\n```{stan}\nselect 1\n```\n", encoding="utf-8")
    notes = [(note.line, note.text) for note in parse_document(path).notes]
    assert notes == [
        (1, "asis holds text: there is nothing to run"),
        (5, "no engine runs stan: the chunk is kept, and not run"),
    ]


SHELL = """```{bash}
echo "it's" > a.txt
printf 'ü\\n'
```

```
## ü
```

```{r}
readLines("a.txt")
x <- 1
```

```{r}
x
```
"""


def test_a_program_that_a_chunk_is_handed_to(tmp_path: Path) -> None:
    path = tmp_path / "a.Rmd"
    path.write_text(SHELL, encoding="utf-8")
    document = parse_document(path)
    shell, reads, other = document.chunks
    assert (shell.language, shell.supported, shell.output[0].text) == ("r", True, "## ü")
    assert shell.code.count("\n") == 2
    assert "bash" in shell.doubtful
    # A later chunk that may read its files accuses nobody; one that does not is a chunk like others.
    assert "line 1" in reads.doubtful
    assert not other.doubtful


@pytest.mark.parametrize(("front", "run"), [("", False), ("engine: knitr", True), ("```{r}\n1\n```\n", True)])
def test_quarto_hands_a_chunk_to_a_program_where_it_uses_knitr(tmp_path: Path, front: str, run: bool) -> None:
    path = tmp_path / "a.qmd"
    text = f"---\n{front}\n---\n\n" if front.startswith("engine") else f"{front}\n"
    path.write_text(f"{text}```{{bash}}\necho 1\n```\n", encoding="utf-8")
    assert parse_document(path).chunks[-1].supported == run


def test_a_program_with_arguments_of_its_own_is_not_run() -> None:
    assert handed_to("bash", {"engine.opts": "-l"}, "echo 1") is None
    assert handed_to("stan", {}, "x") is None


SQL = """```{sql, connection=con, output.var="kept", max.print=3}
select "a"
from t
```

| a |
|--:|
| 1 |

```{Rcpp}
// [[Rcpp::export]]
double twice(double x) { return 2 * x; }
```
"""


def test_engines_of_knitr_run_by_knitr(tmp_path: Path) -> None:
    path = tmp_path / "a.Rmd"
    path.write_text(SQL, encoding="utf-8")
    sql, compiled = parse_document(path).chunks
    assert (sql.language, sql.supported, sql.own) == ("r", True, 'select "a"\nfrom t\n')
    assert sql.code.count("\n") == 2
    for part in (
        "connection = con,",
        'output.var = "kept"',
        "max.print = 3",
        'c("select \\"a\\"",\n"from t")',
    ):
        assert part in sql.code
    assert [output.kind for output in sql.output] == ["table"]
    assert "laid out by knitr" in sql.doubtful
    assert names_in(sql.code, "r").sets >= {"kept"}
    assert names_in(compiled.code, "r").sets >= {"twice"}
    assert through_knitr("stan", Options(), "x") is None


def test_outputs_of_a_rendered_document_are_those_of_a_program_too(tmp_path: Path) -> None:
    (tmp_path / "a.Rmd").write_text("```{bash}\necho 1\n```\n\n```{r}\n2\n```\n", encoding="utf-8")
    shown = "```bash\necho 1\n```\n\n```\n## 1\n```\n\n```r\n2\n```\n\n```\n## [1] 2\n```\n"
    (tmp_path / "a.md").write_text(shown, encoding="utf-8")
    document = parse_document(tmp_path / "a.Rmd")
    assert [[output.text for output in chunk.output] for chunk in document.chunks] == [["## 1"], ["## [1] 2"]]
