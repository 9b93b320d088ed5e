"""What lies beside a document: children, includes, its project's defaults, and what was rendered from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.model import Document
from harness.documents.parse import parse_document


def put(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def codes(document: Document) -> list[tuple[str, str, int]]:
    return [(chunk.source, chunk.code.strip(), chunk.code_line) for chunk in document.chunks]


def test_children_are_followed_in_place(tmp_path: Path) -> None:
    put(tmp_path, a_DOT_Rmd="```{r}\n1\n```\n\n```{r, child = 'sub/b.Rmd'}\nno\n```\n\n```{r}\n3\n```\n")
    put(tmp_path, sub__b_DOT_Rmd="---\ntitle: B\n---\n\n```{r}\n2\n```\n")
    document = parse_document(tmp_path / "a.Rmd")
    assert codes(document) == [("", "1", 2), ("sub/b.Rmd", "2", 6), ("", "3", 10)]
    assert document.title == "a"


def test_includes_of_quarto_are_followed(tmp_path: Path) -> None:
    put(
        tmp_path,
        a_DOT_qmd="{{< include _b.qmd >}}\n\n```{r}\n2\n```\n",
        _b_DOT_qmd="```{r}\n1\n```\n",
    )
    assert [code for _, code, _ in codes(parse_document(tmp_path / "a.qmd"))] == ["1", "2"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("gone.qmd", "gone.qmd is not there"),
        ("../out.qmd", "../out.qmd lies outside of the document's folder, and is not followed"),
        ("link.qmd", "link.qmd lies outside of the document's folder, and is not followed"),
        ("a.qmd", "a.qmd is not followed: it includes itself, or files are nested too deeply"),
    ],
)
def test_what_is_not_followed_is_said(tmp_path: Path, name: str, why: str) -> None:
    folder = tmp_path / "docs"
    put(folder, a_DOT_qmd=f"Text.\n\n{{{{< include {name} >}}}}\n")
    put(tmp_path, out_DOT_qmd="```{r}\n1\n```\n")
    (folder / "link.qmd").symlink_to(tmp_path / "out.qmd")
    document = parse_document(folder / "a.qmd")
    assert document.chunks == ()
    assert why in [note.text for note in document.notes]


def test_a_projects_defaults_hold_unless_the_document_or_chunk_says_otherwise(tmp_path: Path) -> None:
    put(tmp_path, _quarto_DOT_yml="execute:\n  echo: false\n  error: true\nengine: knitr\n")
    put(tmp_path, docs___metadata_DOT_yml="execute:\n  eval: false\n")
    put(
        tmp_path,
        docs__a_DOT_qmd="---\nexecute:\n  echo: true\n---\n\n```{r, eval = TRUE}\n1\n```\n\n```{r}\n2\n```\n",
    )
    document = parse_document(tmp_path / "docs" / "a.qmd")
    assert [(c.echo, c.error, c.evaluated) for c in document.chunks] == [
        (True, True, True),
        (True, True, False),
    ]
    assert document.engine == "knitr"


def test_a_project_that_cannot_be_read_is_a_note(tmp_path: Path) -> None:
    put(tmp_path, _quarto_DOT_yml="execute: [\n", a_DOT_qmd="```{r}\n1\n```\n")
    document = parse_document(tmp_path / "a.qmd")
    assert [note.text.split(":")[0] for note in document.notes] == ["_quarto.yml is not followed"]


def test_an_empty_chunk_takes_the_code_of_its_label(tmp_path: Path) -> None:
    put(
        tmp_path,
        a_DOT_Rmd="```{r a}\n1\n```\n\n```{r a}\n```\n\n```{r, ref.label = 'a'}\n```\n",
    )
    assert codes(parse_document(tmp_path / "a.Rmd")) == [("", "1", 2)] * 3


SOURCE = "```{r}\nx <- 2\nx\n\n.5 + x\n```\n\nThe mean is `r x`, and the sum `r x + 1`.\n\n```{r}\ny\n```\n"
RENDERED = (
    "``` r\nx <- 2\nx\n```\n\n```\n## [1] 2\n```\n\n``` r\n0.5 + x\n```\n\n```\n## [1] 2.5\n```\n\n"
    "The mean is 2, and\nthe sum 3.\n\n``` r\nz\n```\n\n```\n## [1] 4\n```\n"
)


def test_outputs_of_the_rendered_document_belong_to_the_sources_statements(tmp_path: Path) -> None:
    put(tmp_path, a_DOT_Rmd=SOURCE, a_DOT_md=RENDERED)
    document = parse_document(tmp_path / "a.Rmd")
    first, second = document.chunks
    assert [(b.line, b.file, b.after, b.text) for b in first.output] == [
        (7, "a.md", 2, "## [1] 2"),
        (15, "a.md", 4, "## [1] 2.5"),
    ]
    assert second.output == ()
    assert [(output.line, output.text) for output in document.unread] == [(26, "## [1] 4")]


@pytest.mark.parametrize("mark", ["#", "##"])
def test_remarks_in_the_code_of_a_rendered_document(tmp_path: Path, mark: str) -> None:
    code = f"{mark} a copy\nx <- 1:3\nx\n{mark} sum it\nsum(x)\n"
    rendered = code.replace("x\n#", "x\n#> [1] 1 2 3\n#", 1) + "#> [1] 7\n"
    put(tmp_path, a_DOT_Rmd=f"```{{r}}\n{code}```\n", a_DOT_md=f"```r\n{rendered}```\n")
    document = parse_document(tmp_path / "a.Rmd")
    assert [(b.text, b.after) for b in document.chunks[0].output] == [("#> [1] 1 2 3", 3), ("#> [1] 7", 5)]
    assert document.unread == ()


def test_a_listing_that_the_source_only_shows_is_counted_once(tmp_path: Path) -> None:
    shown = "```r\nf(1)\n## [1] 2\n```\n"
    put(tmp_path, a_DOT_Rmd=f"{SOURCE}\n{shown}", a_DOT_md=f"{RENDERED}\n{shown}")
    document = parse_document(tmp_path / "a.Rmd")
    assert [block.text for block in document.chunks[-1].output] == ["## [1] 2"]
    assert len(document.unread) == 1  # what stands below z


def test_inline_code_and_what_stands_in_its_place(tmp_path: Path) -> None:
    put(tmp_path, a_DOT_Rmd=SOURCE, a_DOT_md=RENDERED)
    inline = parse_document(tmp_path / "a.Rmd").inline
    assert [(i.line, i.code, i.after, i.published, i.rendered_line) for i in inline] == [
        (8, "x", 0, "2", 18),
        (8, "x + 1", 0, "3", 18),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("`{python} f(x)` and `{r} y`", [("python", "f(x)"), ("r", "y")]),
        ("`` `r x` `` and ``a `{r} x` b``", []),
        ("`rx` and `r`", []),
        ("`{ojs} x`", []),
    ],
)
def test_inline_code_is_found(tmp_path: Path, text: str, found: list[tuple[str, str]]) -> None:
    put(tmp_path, a_DOT_qmd=f"{text}\n")
    assert [(i.language, i.code) for i in parse_document(tmp_path / "a.qmd").inline] == found


def test_a_broken_document_beside_it_is_a_note(tmp_path: Path) -> None:
    put(tmp_path, a_DOT_Rmd=SOURCE, a_DOT_md="```{r, echo=1)}\n1\n```\n")
    document = parse_document(tmp_path / "a.Rmd")
    assert len(document.chunks) == 2
    assert "a.md beside it cannot be read" in document.notes[0].text


def test_a_document_of_the_same_name_that_is_another_gives_nothing(tmp_path: Path) -> None:
    put(tmp_path, a_DOT_Rmd=SOURCE, a_DOT_md="```r\nother()\n```\n\n```\n[1] 1\n```\n")
    document = parse_document(tmp_path / "a.Rmd")
    assert (document.shown, [i.published for i in document.inline]) == (0, [None, None])


def test_what_code_sets_for_later_chunks(tmp_path: Path) -> None:
    given = "echo = FALSE, # (not shown\n  eval = FALSE, fig.cap = f(1)\n"
    setup = f"```{{r}}\nknitr::opts_chunk$set(\n  {given})\n```\n\n"
    engine = "```{r, eval = TRUE}\nopts_chunk$set(engine = 'python')\n```\n\n"
    rest = f"```{{r}}\n1\n```\n\n```{{r, eval = TRUE}}\n2\n```\n\n{engine}"
    put(tmp_path, a_DOT_Rmd=f"{setup}{rest}```{{r}}\n3\n```\n")
    chunks = parse_document(tmp_path / "a.Rmd").chunks
    assert [(c.language, c.echo, c.evaluated) for c in chunks] == [
        ("r", True, True),
        ("r", False, False),
        ("r", False, True),
        ("r", False, True),
        ("python", False, False),
    ]
    assert "fig.cap" not in chunks[1].options


@pytest.mark.parametrize("code", ["opts_chunk$set(", "opts_chunk$set(a)", "# opts_chunk$set(eval = FALSE)"])
def test_code_that_sets_nothing(tmp_path: Path, code: str) -> None:
    put(tmp_path, a_DOT_Rmd=f"```{{r}}\n{code}\n```\n\n```{{r}}\n1\n```\n")
    assert parse_document(tmp_path / "a.Rmd").chunks[1].evaluated


HIDES = "```{r echo=-1}\nset.seed(1)\nx <- 3\nx\n\nx + 1\n```\n"
HIDDEN = "``` r\nx <- 3\nx\n```\n\n```\n## [1] 3\n```\n\n``` r\nx + 1\n```\n\n```\n## [1] 4\n```\n"


@pytest.mark.parametrize("echo", ["-1", "2:4", "c(2, 3, 4)", "-c(1)"])
def test_statements_that_knitr_leaves_out(tmp_path: Path, echo: str) -> None:
    put(tmp_path, a_DOT_Rmd=HIDES.replace("-1", echo), a_DOT_md=HIDDEN)
    document = parse_document(tmp_path / "a.Rmd")
    assert [(b.text, b.after) for b in document.chunks[0].output] == [("## [1] 3", 3), ("## [1] 4", 5)]
    assert document.unread == ()


@pytest.mark.parametrize("echo", ["-2", "1:2", "c(1, -2)", "x"])
def test_code_that_knitr_would_not_show_is_another(tmp_path: Path, echo: str) -> None:
    put(tmp_path, a_DOT_Rmd=f"```{{r}}\n9\n```\n\n{HIDES.replace('-1', echo)}")
    put(tmp_path, a_DOT_md=f"``` r\n9\n```\n\n{HIDDEN}")
    document = parse_document(tmp_path / "a.Rmd")
    assert document.chunks[1].output == ()
    assert len(document.unread) == 2


UNSEEN = "```{r}\nx <- 3\nx\n```\n\n# A fit\n\nHere is what I get:\n\n```{r, echo=FALSE}\nx + 1\nx + 2\n```\n"
SEEN = (
    "``` r\nx <- 3\nx\n```\n\n```\n## [1] 3\n```\n\n# A fit\n\nHere is what I get:\n\n"
    "```\n## [1] 4\n```\n\n```\n## [1] 5\n```\n"
)


def test_output_of_code_that_is_not_shown(tmp_path: Path) -> None:
    put(tmp_path, a_DOT_Rmd=UNSEEN, a_DOT_md=SEEN)
    first, second = parse_document(tmp_path / "a.Rmd").chunks
    assert [b.text for b in first.output] == ["## [1] 3"]
    assert [(b.text, b.line, b.file) for b in second.output] == [("## [1] 4\n## [1] 5", 15, "a.md")]


@pytest.mark.parametrize(("comment", "mark"), [("'#>'", "#> "), ("NA", "")])
def test_output_of_code_that_is_not_shown_behind_another_mark(
    tmp_path: Path, comment: str, mark: str
) -> None:
    source = UNSEEN.replace("echo=FALSE", f"echo=FALSE, comment={comment}")
    put(
        tmp_path,
        a_DOT_Rmd=source,
        a_DOT_md=SEEN.replace("## [1] 4", f"{mark}[1] 4").replace("## [1] 5", f"{mark}[1] 5"),
    )
    second = parse_document(tmp_path / "a.Rmd").chunks[1]
    assert [b.text for b in second.output] == [f"{mark}[1] 4\n{mark}[1] 5"]


@pytest.mark.parametrize(
    ("source", "rendered"),
    [
        (UNSEEN, SEEN.replace("## ", "")),
        (UNSEEN.replace("echo", "include"), SEEN),
        (UNSEEN.replace("echo=FALSE", "echo=FALSE, results='hide'"), SEEN),
        (UNSEEN.replace("I get", "you get"), SEEN),
        (UNSEEN, SEEN + "\nHere is what I get:\n\n```\n## [1] 6\n```\n"),
        (UNSEEN, SEEN.replace("## [1] 4", "## Error in x: no")),
    ],
)
def test_output_that_may_be_of_other_code_is_not_that_of_hidden_code(
    tmp_path: Path, source: str, rendered: str
) -> None:
    put(tmp_path, a_DOT_Rmd=source, a_DOT_md=rendered)
    assert parse_document(tmp_path / "a.Rmd").chunks[1].output == ()


def test_a_listing_of_the_source_is_no_output_in_the_rendered_document(tmp_path: Path) -> None:
    listing = "```\n# This code does not run\n1+3\n```\n"
    put(tmp_path, a_DOT_Rmd=f"```{{r}}\n1+3\n```\n\n{listing}")
    put(tmp_path, a_DOT_md=f"```r\n1+3\n```\n\n```\n## [1] 4\n```\n\n{listing}")
    (chunk,) = parse_document(tmp_path / "a.Rmd").chunks
    assert [block.text for block in chunk.output] == ["## [1] 4"]


@pytest.mark.parametrize(("shown", "error"), [("## Error in f(): no", True), ("## [1] 2", False)])
def test_knitr_went_on_behind_an_error_that_it_shows(tmp_path: Path, shown: str, error: bool) -> None:
    put(tmp_path, a_DOT_Rmd="```{r}\nf()\n3\n```\n")
    put(tmp_path, a_DOT_md=f"```r\nf()\n```\n\n```\n{shown}\n```\n\n```r\n3\n```\n\n```\n## [1] 3\n```\n")
    (chunk,) = parse_document(tmp_path / "a.Rmd").chunks
    assert chunk.error is error
    assert [block.after for block in chunk.output] == [1, 2]
