"""Documents as chunks, outputs, data and notes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.documents.model import Document
from harness.documents.parse import parse_document
from harness.documents.source import MAX_BYTES
from harness.errors import DocumentError
from tests.unit.documents.written import Write, notes

ARTICLES = Path(__file__).parents[4] / "shared" / "articles"


def test_plain_listings_and_their_output(write: Write) -> None:
    path = write(
        "a.md", "# T\n\n```python\nx = 1\nprint(x)\n```\n\nGives:\n\n```text\n1\n```\n\n~~~ r\n  y\n~~~\n"
    )
    document = parse_document(path)
    first, second = document.chunks
    assert (document.title, document.kind) == ("T", "markdown")
    assert (first.language, first.line, first.code_line, first.end_line) == ("python", 3, 4, 6)
    assert first.code == "x = 1\nprint(x)\n"
    assert [(o.line, o.text, o.info) for o in first.output] == [(11, "1", "text")]
    assert (second.language, second.code, second.line, second.output) == ("r", "  y\n", 14, ())
    assert first.evaluated
    assert not first.executable
    assert first.fragment is None


def test_a_fence_holds_indented_code_fences_and_colons(write: Write) -> None:
    code = "    # a part\n\n~~~\n::: panel-tabset\n# no heading\n"
    path = write("a.md", f"````julia\n{code}````\n")
    assert [chunk.code for chunk in parse_document(path).chunks] == [code]


def test_lists_and_quotes_lose_their_indentation(write: Write) -> None:
    path = write(
        "a.md", "1. one\n   - two\n\n     ```python\n     if x:\n         y\n     ```\n\n> ```r\n> z\n> ```\n"
    )
    assert [(c.code, c.line) for c in parse_document(path).chunks] == [("if x:\n    y\n", 4), ("z\n", 9)]


@pytest.mark.parametrize(
    ("between", "info", "taken"),
    [
        ("", "text", True),
        ("Some words.\n\n- a list\n\n", "output", True),
        ("This gives:\n\n", "", True),
        ("", "", True),
        ("Save this in a file.\n\n", "", False),
        ("## Next\n\n", "text", False),
        ("```csv\na\n```\n\n", "text", False),
    ],
)
def test_what_may_stand_between_a_chunk_and_its_output(
    write: Write, between: str, info: str, taken: bool
) -> None:
    document = parse_document(write("a.md", f"```r\n1\n```\n\n{between}```{info}\n[1] 1\n```\n"))
    assert len(document.chunks) == 1
    assert bool(document.chunks[0].output) is taken
    assert bool(document.notes or document.unread) is not taken


def test_output_behind_comment_marks(write: Write) -> None:
    path = write("a.md", "```r\n1\n#> [1] 1\n2\n#> [1] 2\n#> x\n```\n\n```r\n3\n```\n\n```\n## [1] 3\n```\n")
    first, second = parse_document(path).chunks
    assert [(o.line, o.text) for o in first.output] == [(3, "#> [1] 1"), (5, "#> [1] 2\n#> x")]
    assert [(o.line, o.text) for o in second.output] == [(14, "## [1] 3")]


def test_a_listing_of_comments_is_code(write: Write) -> None:
    path = write("a.md", "```python\n## one\n## two\n```\n")
    assert [chunk.code for chunk in parse_document(path).chunks] == ["## one\n## two\n"]


def test_data_blocks_keep_their_bytes_and_learn_their_file(write: Write) -> None:
    document = parse_document(write("a.md", "This is “s.csv”:\n\n```csv\na,b \n1,2\n```\n"))
    assert not document.chunks
    assert [(d.line, d.text, d.info, d.file) for d in document.data] == [(4, "a,b \n1,2\n", "csv", "s.csv")]


def test_what_stands_above_and_cannot_be_read_may_set_any_of_its_words(write: Write) -> None:
    text = "```py\nx = (1, 2\n```\n\n```py\n    print(x)\n```\n"
    assert parse_document(write("a.md", text)).chunks[1].code == "print(x)\n"


def test_outputs_of_a_cell_without_code_are_counted(write: Write) -> None:
    outputs: list[dict[str, object]] = [
        {"output_type": "stream", "name": "stdout", "text": ["3\n"]},
        {"output_type": "display_data", "metadata": {}, "data": {"image/png": "", "text/plain": "<Figure>"}},
    ]
    cell = {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": "", "outputs": outputs}
    notebook = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [cell]}
    document = parse_document(write("a.ipynb", json.dumps(notebook)))
    assert (document.read, document.shown, document.pictures) == (0, 1, 1)
    assert [(output.text, output.why.split(",")[0]) for output in document.unread] == [
        ("3", "the cell holds no code")
    ]


def test_knitr_header(write: Write) -> None:
    path = write(
        "a.Rmd",
        '```{r my-label, eval=FALSE, fig.cap = "a, b", fig.width = 7L, warning=NA, x = c(1, 2), '
        "error = TRUE}\n1\n```\n",
    )
    document = parse_document(path)
    (chunk,) = document.chunks
    assert (chunk.label, chunk.evaluated, chunk.error, chunk.echo) == ("my-label", False, True, True)
    assert chunk.options == {
        "eval": False,
        "fig.cap": "a, b",
        "fig.width": 7,
        "warning": None,
        "x": "c(1, 2)",
        "error": True,
    }
    assert notes(document) == "1: the option x is an R expression, kept as text: c(1, 2)"


def test_an_expression_for_eval_is_not_decided(write: Write) -> None:
    document = parse_document(write("a.Rmd", "```{r, eval = interactive()}\n1\n```\n"))
    assert document.chunks[0].evaluated
    assert "eval is an R expression" in notes(document)


def test_engine_option_and_chunk_without_label(write: Write) -> None:
    chunks = parse_document(write("a.Rmd", "```{r, engine='python'}\n1\n```\n\n```{R}\n2\n```\n")).chunks
    assert [(c.language, c.label) for c in chunks] == [("python", ""), ("r", "")]


def test_quarto_options_and_document_defaults(write: Write) -> None:
    text = (
        "---\ntitle: T\nengine: knitr\nexecute:\n  echo: false\n  error: true\n---\n\n"
        "```{python}\n#| eval: false \n#| fig-cap: |\n#|   two\n#|   lines\nx\n```\n\n"
        "```{r}\n#| echo: fenced\n#| eval: !expr a > b\ny\n```\n"
    )
    document = parse_document(write("a.qmd", text))
    first, second = document.chunks
    assert (document.title, document.engine) == ("T", "knitr")
    assert (first.evaluated, first.echo, first.error, first.code, first.code_line) == (
        False,
        False,
        True,
        "x\n",
        14,
    )
    assert first.options["fig.cap"] == "two\nlines"
    assert (second.echo, second.options["eval"]) == (True, "a > b")
    assert "18: the option eval is an R expression" in notes(document)


def test_knitr_style_comment_options(write: Write) -> None:
    (chunk,) = parse_document(write("a.Rmd", "```{r}\n#| lab, eval=FALSE\nx\n```\n")).chunks
    assert (chunk.label, chunk.evaluated) == ("lab", False)


def test_display_only_chunks_are_not_evaluated(write: Write) -> None:
    text = (
        "```r\n1\n```\n\n```{{python}}\n2\n```\n\n```{.julia .numberLines}\n3\n```\n\n```{=html}\n<b>\n```\n"
    )
    chunks = parse_document(write("a.qmd", text)).chunks
    assert [(c.language, c.evaluated, c.executable) for c in chunks] == [
        ("r", False, False),
        ("python", False, False),
        ("julia", False, False),
    ]


def test_knitr_finds_chunks_where_markdown_sees_none(write: Write) -> None:
    text = "<div>\n```{r}\n1\n```\n</div>\n\n        ```{r}\n        2\n        ```\n"
    assert [c.code for c in parse_document(write("a.Rmd", text)).chunks] == ["1\n", "2\n"]
    assert parse_document(write("b.md", text)).chunks == ()


def test_tabs_are_tracks(write: Write) -> None:
    text = (
        ':::: {.panel-tabset group="l"}\n## Python {#py}\n```{python}\n1\n```\n::: callout-note\nwords\n:::\n'
        "### deeper\n\n```text\nno output\n```\n## R\n```{r}\n2\n```\n::::\n\n"
        "```text\n[1] 2\n```\n\n```{r}\n3\n```\n"
    )
    document = parse_document(write("a.qmd", text))
    assert document.tracks == ("Python", "R")
    assert [(c.track, c.language, c.output) for c in document.chunks] == [
        ("Python", "python", ()),
        ("R", "r", ()),
        ("", "r", ()),
    ]


def test_output_stays_in_its_tab(write: Write) -> None:
    text = "::: panel-tabset\n\n## A\n\n```{r}\n1\n```\n\n```text\n1\n```\n\n## B\n\n```text\n2\n```\n:::\n"
    document = parse_document(write("a.qmd", text))
    assert [o.text for o in document.chunks[0].output] == ["1"]
    assert "15: the text block follows no chunk" in notes(document)


@pytest.mark.parametrize("lead", ["", "Output\n"])
def test_what_r_prints_is_no_chunk_of_a_shell(write: Write, lead: str) -> None:
    text = "# T\n\n```R\nx <- 1:3 + 4\nx\n```\n%s```{bash}\n%s\n```\n"
    (chunk,) = parse_document(write("a.md", text % (lead, "[1] 5 6 7"))).chunks
    assert [block.text for block in chunk.output] == ["[1] 5 6 7"]
    assert len(parse_document(write("a.md", text % (lead, "ls -l"))).chunks) == 2
    assert len(parse_document(write("a.md", text % ("So far.\n\n", "[1] 5 6 7"))).chunks) == 2


def test_unknown_engines_are_kept_and_named(write: Write) -> None:
    document = parse_document(write("a.qmd", "```{ojs}\nx\n```\n\n```{stan, output.var='m'}\ny\n```\n"))
    assert [(c.language, c.supported) for c in document.chunks] == [("ojs", False), ("stan", False)]
    assert "1: no engine runs ojs" in notes(document)
    assert "5: no engine runs stan" in notes(document)


def test_mixed_line_ends(write: Write) -> None:
    document = parse_document(write("a.md", "a\r\n```r\rx\n```\r\n"))
    assert [(c.code, c.line) for c in document.chunks] == [("x\n", 2)]
    assert "mixed line ends (2 CRLF, 1 CR, 1 LF)" in notes(document)
    assert not parse_document(write("b.md", "a\r\n```r\r\nx\r\n```\r\n")).notes


@pytest.mark.parametrize(
    ("name", "text", "line", "message"),
    [
        ("a.Rmd", "x\n\n```r\ny\n", 3, "never closed"),
        ("a.qmd", "- ```r\n  y\nz\n", 1, "never closed"),
        ("a.Rmd", "````r\n```\n", 1, "never closed"),
        ("a.Rmd", "~~~\n", 1, "never closed"),
        (
            "a.Rmd",
            "```{r a}\n1\n```\n\n```{r a}\n2\n```\n",
            5,
            "two chunks have the label 'a': lines 1 and 5",
        ),
        ("a.Rmd", "```{r a}\n```\n\n```{r}\n#| label: a\n2\n```\n", 4, "lines 1 and 4"),
        ("a.Rmd", "\n```{r, echo=1)}\n1\n```\n", 2, "closes nothing"),
        ("a.Rmd", "\n```{r, echo=c(1\n1\n```\n", 2, "left open"),
        ("a.Rmd", '```{r, a="x}\n1\n```\n', 1, "quote is left open"),
        ("a.Rmd", "```{r a, b}\n1\n```\n", 1, "has no name: b"),
        ("a.Rmd", "```{, echo = FALSE}\n1\n```\n", 1, "names no engine"),
        ("a.qmd", "```{r}\n#| eval: [\n#| echo: x\n1\n```\n", 3, "as YAML"),
        ("a.qmd", "```{r}\n#| label: a\n#|   eval: b: c\n1\n```\n", 3, "as YAML"),
        ("a.qmd", "```{r}\n#| just words\n1\n```\n", 2, "as YAML"),
        ("a.qmd", f"```{{r}}\n#| a: {'[' * 3000}\n1\n```\n", 2, "as YAML"),
        ("a.qmd", "---\ntitle: [\n---\n", 2, "the front matter cannot be read as YAML"),
        ("a.md", "x\n\0", 2, "byte 2 is zero"),
        ("a.docx", "", None, "no kind of document"),
    ],
)
def test_bad_documents(write: Write, name: str, text: str, line: int | None, message: str) -> None:
    path = write(name, text)
    with pytest.raises(DocumentError) as caught:
        parse_document(path)
    assert message in str(caught.value)
    assert (caught.value.path, caught.value.line) == (path, line)


def test_tabs_behind_what_stands_in_the_front_matter_are_passed_over(write: Write) -> None:
    path = write("a.Rmd", "---\ntitle:\tx\noutput:\n  html_document:\n    toc: no\t\n---\n```{r}\n1\n```\n")
    assert len(parse_document(path).chunks) == 1


def test_not_utf8_says_where(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"caf\xc3\xa9\ncaf\xe9\n")
    with pytest.raises(DocumentError, match="byte 0xe9 at offset 9") as caught:
        parse_document(path)
    assert caught.value.line == 2


def test_a_large_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    with path.open("wb") as file:
        file.truncate(100 * 10**6)  # sparse: reading it would find zero bytes, and say so
    with pytest.raises(
        DocumentError, match=rf"has 100 MB; the limit for one document is {MAX_BYTES / 1e6:.0f}"
    ):
        parse_document(path)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="does not exist"):
        parse_document(tmp_path / "a.md")
    (tmp_path / "b.md").mkdir()
    with pytest.raises(DocumentError, match="is not a file"):
        parse_document(tmp_path / "b.md")


PIECES = [
    "```",
    "~~~",
    "```{r}",
    "```{r a, x=1}",
    "```python",
    "```text",
    "#| eval: false",
    "#| [",
    "::: panel-tabset",
]
PIECES += [":::", "## H", "- ", "> ", "    ", "---", "x", "", "julia> 1", "{", "}", "#> 1", "<!--", "|a|"]


def test_what_looks_like_the_head_of_a_chunk_may_be_a_line_of_a_block(tmp_path: Path) -> None:
    path = tmp_path / "a.qmd"
    path.write_text("~~~{r}\n```{r, fig.cap='`x`'}\n~~~\n", encoding="utf-8")
    assert [chunk.code for chunk in parse_document(path).chunks] == ["```{r, fig.cap='`x`'}\n"]


@given(
    st.lists(st.lists(st.sampled_from(PIECES), max_size=3).map("".join), max_size=12),
    st.sampled_from([".md", ".qmd"]),
)
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_read_or_refused_with_its_path(tmp_path: Path, lines: list[str], suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_text("\n".join(lines), encoding="utf-8", newline="")
    try:
        document = parse_document(path)
    except DocumentError as problem:
        where = (problem.path, 1 <= (problem.line or 0) <= len(lines) + 1)
    else:
        where = (path, True)
        check_places(document, lines)
    assert where == (path, True)


def check_places(document: Document, lines: list[str]) -> None:
    assert [chunk.index for chunk in document.chunks] == list(range(len(document.chunks)))
    for chunk in document.chunks:
        shown = chunk.code.split("\n")[0].strip()
        assert shown in (lines[chunk.code_line - 1] if chunk.code_line <= len(lines) else "")
        assert 1 <= chunk.line <= chunk.end_line <= len(lines)


needs_articles = pytest.mark.skipif(not ARTICLES.is_dir(), reason="the articles are not beside this checkout")


@needs_articles
@pytest.mark.parametrize(
    ("name", "chunks", "outputs", "data"),
    [
        ("attention-in-r.md", {"r": 12}, [87, 102, 143], 0),
        ("complete-attention.Rmd", {"r": 12}, [], 0),
        ("lets-talk-attention.qmd", {"python": 14, "r": 15}, [194, 433], 0),
        ("attention-from-scratch-julia.md", {"julia": 37}, [37, 66], 1),
        ("simple-attention-pytorch.md", {"python": 20}, [], 0),
    ],
)
def test_the_five_articles(name: str, chunks: dict[str, int], outputs: list[int], data: int) -> None:
    document = parse_document(ARTICLES / name)
    languages = [chunk.language for chunk in document.chunks]
    assert {language: languages.count(language) for language in languages} == chunks
    assert [output.line for chunk in document.chunks for output in chunk.output] == outputs
    assert len(document.data) == data
    assert document.notes == ()


@needs_articles
def test_the_julia_articles_data_is_its_file() -> None:
    (data,) = parse_document(ARTICLES / "attention-from-scratch-julia.md").data
    assert data.file == "small.csv"
    assert data.text == (ARTICLES / data.file).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("listing", "unread"),
    [
        ("words of it", 1),
        ("pip install numpy\npip install scipy", 0),
        ("sudo apt-get install graphviz", 0),
        ("df <- head(iris) %>%\n  rev()\n\nn <- 2", 0),
        ("f <- function(x) {\n  x\n}", 0),
    ],
)
def test_what_is_no_output_is_not_counted_as_unread(write: Write, listing: str, unread: int) -> None:
    for between in ("Then some more follows here.", "With the following function:"):
        text = f"```r\n1\n```\n\n{between}\n\n```\n{listing}\n```\n"
        document = parse_document(write("a.md", text))
        shown = len(document.unread) + sum(len(chunk.output) for chunk in document.chunks)
        assert shown == (unread or (between.endswith(":") and "install" in listing))


def test_a_document_that_runs_nothing_is_read_as_a_page_is(write: Write) -> None:
    listing = "```r\n> 1 + 1\n[1] 2\n```\n"
    assert [chunk.evaluated for chunk in parse_document(write("a.Rmd", listing)).chunks] == [True]
    runs = parse_document(write("b.Rmd", f"{listing}\n```{{r}}\n1\n```\n"))
    assert [chunk.evaluated for chunk in runs.chunks] == [False, True]


@pytest.mark.parametrize(
    ("between", "listing", "taken"),
    [
        ("Then it is released:", "lock.release()", False),
        ("Both of them:", "x = [1]\n    lock.release()", False),
        ("This prints:", "x = [1]", True),
        ("", "x = [1]", True),
        ("Then it is:", "1", True),
    ],
)
def test_code_that_a_text_quotes_is_no_output(write: Write, between: str, listing: str, taken: bool) -> None:
    text = f"```python\nx = [1]\n1\nlock.release()\n```\n\n{between}\n\n```\n{listing}\n```\n"
    (chunk,) = parse_document(write("a.md", text)).chunks
    assert bool(chunk.output) is taken
