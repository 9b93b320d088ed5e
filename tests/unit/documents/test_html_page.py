"""Pages of HTML: what knitr, Quarto, nbconvert, Sphinx, Jekyll, Hugo, Documenter and Org render is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.model import Document
from harness.documents.parse import is_rendered, parse_document
from harness.findings.articles import find_documents


def read(folder: Path, body: str, name: str = "page.html") -> Document:
    path = folder / name
    path.write_text(f"<html><head><title>x &lt; 1</title></head>\n<body>{body}</body></html>", "utf-8")
    return parse_document(path)


def shown(document: Document) -> list[tuple[str, str, list[str]]]:
    return [(c.language, c.code.strip(), [o.text for o in c.output]) for c in document.chunks]


OF_R = [("r", "x <- 1:3\nsum(x)", ["[1] 6"])]
OF_PYTHON = [("python", "x = [1, 2]\nsum(x)", ["3"])]
PAGES = {
    "rmarkdown": (
        '<pre class="r"><code>x &lt;- 1:3\nsum(x)</code></pre>\n<pre><code>## [1] 6</code></pre>',
        [("r", "x <- 1:3\nsum(x)", ["## [1] 6"])],
    ),
    "pandoc": (
        '<div class="sourceCode" id="cb1"><pre class="sourceCode r"><code class="sourceCode r">'
        '<span id="cb1-1"><a href="#cb1-1"></a>x <span class="ot">&lt;-</span> 1:3</span>\n'
        "<span>sum(x)</span></code></pre></div><pre><code>[1] 6</code></pre>",
        OF_R,
    ),
    "pkgdown": (
        '<pre class="downlit sourceCode r">\n<code class="sourceCode R"><span>x '
        '<span class="op">&lt;-</span> 1:3'
        '</span>\n<span>sum(x)</span>\n<span><span class="co">#&gt; [1] 6</span></span></code></pre>',
        [("r", "x <- 1:3\nsum(x)\n#> [1] 6", ["#> [1] 6"])],
    ),
    "pkgdown's reference": (
        "<pre class='examples'><div class='input'>sum(<span class='fl'>1</span>)</div>"
        "<div class='output co'>#&gt; [1] 1</div></pre>",
        [("r", "sum(1)\n#> [1] 1", ["#> [1] 1"])],
    ),
    "knitr": (
        '<div class="chunk"><div class="rcode"><div class="source">'
        '<pre class="knitr r">x &lt;- 1:3\nsum(x)</pre>'
        '</div><div class="output"><pre class="knitr r">[1] 6</pre></div></div></div>',
        OF_R,
    ),
    "Quarto": (
        '<div class="cell"><div class="sourceCode cell-code"><pre class="sourceCode python">'
        "<code>x = [1, 2]\nsum(x)"
        '</code></pre></div><div class="cell-output cell-output-display"><pre><code>3</code>'
        "</pre></div></div>",
        OF_PYTHON,
    ),
    "nbconvert": (
        '<div class="jp-InputPrompt">In&nbsp;[1]:</div><div class="highlight hl-ipython3"><pre><span></span>'
        '<span class="n">x</span> = [1, 2]\nsum(x)\n</pre></div>'
        '<div class="jp-RenderedText jp-OutputArea-output"'
        ' data-mime-type="text/plain"><pre>3</pre></div>',
        OF_PYTHON,
    ),
    "Jekyll": (
        '<div class="language-python highlighter-rouge"><div class="highlight"><table><tr>'
        '<td class="rouge-gutter">'
        '<pre class="lineno">1\n2</pre></td><td><pre class="highlight">'
        "<code>x = [1, 2]\nsum(x)\n</code></pre></td>"
        '</tr></table></div></div><div class="highlighter-rouge"><pre><code>3\n</code></pre></div>',
        OF_PYTHON,
    ),
    "Hugo": (
        '<div class="highlight"><pre tabindex="0" class="chroma">'
        '<code data-lang="python">x = [1, 2]\nsum(x)\n'
        '</code></pre></div><p>Output:</p><div class="highlight"><pre class="chroma">'
        '<code data-lang="text">3\n'
        "</code></pre></div>",
        OF_PYTHON,
    ),
    "Sphinx": (
        '<div class="highlight-python notranslate"><div class="highlight"><pre><span>'
        "</span>x = [1, 2]\nsum(x)\n"
        '</pre></div></div><div class="output text_plain highlight-myst-ansi">'
        '<div class="highlight"><pre>3\n</pre>'
        "</div></div>",
        OF_PYTHON,
    ),
    "Documenter": (
        '<pre><code class="language-julia-repl hljs">julia&gt; sum([1, 2])</code>'
        '<code class="nohighlight hljs ansi" style="display:block;">3</code></pre>',
        [("julia", "sum([1, 2])", ["3"])],
    ),
    "Org": (
        '<div class="org-src-container"><pre class="src src-python">x = [1, 2]\nsum(x)\n</pre></div>'
        '<pre class="example">\n3\n</pre>',
        OF_PYTHON,
    ),
}


@pytest.mark.parametrize("maker", PAGES)
def test_code_and_output_of(maker: str, tmp_path: Path) -> None:
    body, expected = PAGES[maker]
    document = read(tmp_path, body)
    assert shown(document) == expected
    assert document.unread == ()


def test_lines_are_those_of_the_file(tmp_path: Path) -> None:
    document = read(
        tmp_path, '<h1>Sums</h1>\n<p>Now</p>\n<pre class="r">\nx &lt;- 1\n</pre>\n<pre>## 1</pre>'
    )
    assert document.title == "Sums"
    assert [(c.code_line, [o.line for o in c.output]) for c in document.chunks] == [(5, [7])]


def test_what_jupyter_calls_its_outputs(tmp_path: Path) -> None:
    cell = '<div class="highlight hl-python"><pre>f()</pre></div>'
    body = "".join(
        f'{cell}<div class="output_subarea output_{name}"><pre>{text}</pre></div>'
        for name, text in (("stderr", "slow"), ("error", "ValueError: no"))
    )
    kinds = [output.kind for chunk in read(tmp_path, body).chunks for output in chunk.output]
    assert kinds == ["message", "error"]


def test_tables(tmp_path: Path) -> None:
    table = (
        '<table border="1" class="dataframe"><tr><th></th><th>a</th></tr><tr><th>0</th><td>1'
        "</td></tr></table>"
    )
    kable = "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>"
    document = read(
        tmp_path,
        f'<pre class="python">frame</pre><div>{table}</div><pre class="r">knitr::kable(d)</pre>{kable}'
        '<pre class="r">d</pre><script data-pagedtable-source type="application/json">{"data": []}</script>',
    )
    assert [[o.text for o in c.output] for c in document.chunks] == [
        ["  a\n0  1"],
        ["| a |\n| --- |\n| 1 |"],
        [],
    ]
    assert [output.why for output in document.unread] == ["a table that a script draws from JSON"]


def test_what_a_page_does_not_show_is_no_text(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        '<nav><p>Output:</p></nav><pre class="python">print(1)</pre><style>p {}</style>'
        "<script>1 &lt; 2</script>"
        "<p>Thus <code>x</code> is\n  one.</p><aside>No</aside>",
    )
    assert [paragraph.text for paragraph in document.prose] == ["Thus `x` is\none."]


def test_a_page_beside_its_source_has_its_outputs(tmp_path: Path) -> None:
    (tmp_path / "a.Rmd").write_text("Text\n\n```{r}\nx <- 1:3\nsum(x)\n```\n", "utf-8")
    read(tmp_path, PAGES["rmarkdown"][0], "a.html")
    (chunk,) = parse_document(tmp_path / "a.Rmd").chunks
    assert [(o.file, o.text, o.after) for o in chunk.output] == [("a.html", "## [1] 6", 2)]
    read(tmp_path, "", "b.html")
    assert is_rendered(tmp_path / "a.html")
    assert find_documents([tmp_path]) == (tmp_path / "a.Rmd", tmp_path / "b.html")


def test_markdown_is_read_before_a_page(tmp_path: Path) -> None:
    (tmp_path / "a.Rmd").write_text("```{r}\nsum(1)\n```\n", "utf-8")
    (tmp_path / "a.md").write_text("```r\nsum(1)\n```\n\n```\n## [1] 1\n```\n", "utf-8")
    read(tmp_path, '<pre class="r">sum(1)</pre><pre>## [1] 2</pre>', "a.nb.html")
    assert [o.file for o in parse_document(tmp_path / "a.Rmd").chunks[0].output] == ["a.md"]
    (tmp_path / "a.md").unlink()
    assert [o.file for o in parse_document(tmp_path / "a.Rmd").chunks[0].output] == ["a.nb.html"]


def test_what_was_made_of_a_notebook_shows_the_last_value(tmp_path: Path) -> None:
    assert read(tmp_path, PAGES["nbconvert"][0]).engine == "jupyter"
    assert read(tmp_path, PAGES["Sphinx"][0]).engine == ""
