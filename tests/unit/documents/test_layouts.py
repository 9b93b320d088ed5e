"""The layouts in which documents show what their code prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.model import Document
from harness.documents.parse import parse_document

CODE = "```r\nmean(x)\n```\n\n"


def parsed(tmp_path: Path, text: str, name: str = "a.md") -> Document:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return parse_document(path)


def outputs(document: Document) -> list[tuple[int, str, str]]:
    """Line, kind and text of every output."""
    return [(block.line, block.kind, block.text) for chunk in document.chunks for block in chunk.output]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{CODE}    ## [1] 2\n", [(5, "printed", "## [1] 2")]),
        (f"{CODE}    [1] 2\n\n    [1] 3\n", [(5, "printed", "[1] 2\n\n[1] 3")]),
        (f"{CODE}```\n## [1] 2\n```\n", [(6, "printed", "## [1] 2")]),
        (f"{CODE}```\n[1] 2\n```\n\n```\n[1] 3\n```\n", [(6, "printed", "[1] 2"), (10, "printed", "[1] 3")]),
        (f"{CODE}The mean that this prints is small.\n\n```\n[1] 2\n```\n", [(8, "printed", "[1] 2")]),
        (f"{CODE}``` qmdresults\n[1] 2\n```\n", [(6, "printed", "[1] 2")]),
        (f"{CODE}```console\n[1] 2\n```\n", [(6, "printed", "[1] 2")]),
        (f"{CODE}```warning\nWarning in f(): old\n```\n", [(6, "message", "Warning in f(): old")]),
        (f"{CODE}```\n## Warning: old\n```\n", [(6, "message", "## Warning: old")]),
        ("```py\nprint(2)\n```\n\n```sh\n2\n```\n", [(6, "printed", "2")]),
        ("```py\nprint(2)\n```\n\n```sh\n# output\n2\n```\n", [(7, "printed", "2")]),
        (f"{CODE}~~~\n[1] 2\n~~~\n{{: .output}}\n", [(6, "printed", "[1] 2")]),
        (
            "::: {.cell}\n``` {.r .cell-code}\nx\n```\n\n::: {.cell-output .cell-output-stdout}\n"
            "```\n[1] 2\n```\n:::\n\n::: {.cell-output .cell-output-stderr}\n```\nslow\n```\n:::\n:::\n",
            [(8, "printed", "[1] 2"), (14, "message", "slow")],
        ),
        (
            "::: cell\n``` {.r .cell-code}\nx\n```\n\n::: {.cell-output}\n    [1] 2\n:::\n:::\n",
            [(7, "printed", "[1] 2")],
        ),
        (
            "{% highlight r %}\nx\n{% endhighlight %}\n\n"
            "{% highlight text %}\n## [1] 2\n{% endhighlight %}\n",
            [(6, "printed", "## [1] 2")],
        ),
        (
            '{{< highlight python "linenos=table" >}}\nprint(2)\n{{< /highlight >}}\n\n'
            "{{< highlight text >}}\n2\n{{< / highlight >}}\n",
            [(6, "printed", "2")],
        ),
        (
            "<pre class='chroma'><code class='language-r' data-lang='r'><span>x</span> &lt;- 2\nx\n"
            "#&gt; [1] 2</code></pre>\n",
            [(3, "printed", "#> [1] 2")],
        ),
        (
            "```r\nknitr::kable(d)\n```\n\n|  a|\n|--:|\n|  2|\n",
            [(5, "table", "|  a|\n|--:|\n|  2|")],
        ),
        ("```python\nx\n```\n\n执行结果如下所示。\n\n```\n3\n```\n", [(8, "printed", "3")]),
    ],
)
def test_output_below_a_chunk(tmp_path: Path, text: str, expected: list[tuple[int, str, str]]) -> None:
    document = parsed(tmp_path, text)
    assert len(document.chunks) == 1
    assert outputs(document) == expected
    assert document.unread == ()


@pytest.mark.parametrize(
    "text",
    [
        f"{CODE}|  a|\n|--:|\n|  2|\n",  # a table that no code made
        f"{CODE}## Next\n\n    [1] 2\n",
        f"{CODE}```\n$ ls\n```\n",
        "{% highlight r %}\nx\n",
        "```py\nprint(2)\n```\n\n```sh\npip install x\n```\n",
        "```py\nprint(2)\n```\n\n```sh\n$ ls\n```\n",
        "```py\nprint(2)\n```\n\nThen:\n\n```sh\n2\n```\n",
        "```py\nf()\n```\n\n```sh\n2\n```\n",
        "```sh\nprint(2)\n```\n\n```sh\n2\n```\n",
        "Text.\n\n    [1] 2\n",
    ],
)
def test_what_is_no_output(tmp_path: Path, text: str) -> None:
    assert outputs(parsed(tmp_path, text)) == []


@pytest.mark.parametrize(
    ("prose", "shown"),
    [
        ("output: `2 3`", ["2 3"]),
        ("**Output:** `2`", ["2"]),
        ("The mean is `2`", []),
        ("It goes on.\n\noutput: `2`", []),
        ("output: `2` or `3`", []),
    ],
)
def test_a_paragraph_that_only_says_what_is_printed(tmp_path: Path, prose: str, shown: list[str]) -> None:
    (chunk,) = parsed(tmp_path, f"{CODE}{prose}\n").chunks
    assert [(block.text, block.info, block.certain) for block in chunk.output] == [
        (text, "value", False) for text in shown
    ]


def test_inline_code_of_r_markdown_is_not_what_is_printed(tmp_path: Path) -> None:
    (chunk,) = parsed(tmp_path, f"{CODE}output: `r x`\n", "a.Rmd").chunks
    assert not chunk.output


def test_what_cannot_be_told_is_counted(tmp_path: Path) -> None:
    prose = "Here is a long way round. " * 12
    document = parsed(tmp_path, f"{CODE}{prose}\n\n```\n[1] 2\n```\n\n# H\n\n```output\n3\n```\n")
    assert (document.shown, document.read) == (2, 0)
    assert [(output.line, output.text) for output in document.unread] == [(7, "[1] 2"), (13, "3")]


def test_a_listing_that_may_be_something_else_is_not_certain(tmp_path: Path) -> None:
    document = parsed(
        tmp_path, f"{CODE}Put this in a file:\n\n```\n[1] 2\n```\n\n```r\ny\n```\n\n```output\n3\n```\n"
    )
    assert [[block.certain for block in chunk.output] for chunk in document.chunks] == [[False], [True]]


@pytest.mark.parametrize(
    ("language", "text", "ename", "evalue"),
    [
        ("python", "Traceback (most recent call last):\n  File ...\nKeyError: 'a'", "KeyError", "'a'"),
        ("python", "numpy.linalg.LinAlgError: Singular matrix", "LinAlgError", "Singular matrix"),
        ("python", "------\nValueError     Traceback\nValueError: bad: worse", "ValueError", "bad: worse"),
        ("r", "## Error in f(1): no\n## way", "", "no\nway"),
        ("r", "Error: object 'x' not found", "", "object 'x' not found"),
        ("r", "Error in `f()`:\n! no way", "", "no way"),
        (
            "julia",
            "ERROR: UndefVarError: x not defined\nStacktrace:\n [1] top",
            "UndefVarError",
            "x not defined",
        ),
        ("julia", "ERROR: DomainError with -1:\nno", "", "DomainError with -1:\nno"),
    ],
)
def test_errors_have_a_kind_and_a_message(
    tmp_path: Path, language: str, text: str, ename: str, evalue: str
) -> None:
    document = parsed(tmp_path, f"```{language}\nf(1)\n```\n\n```output\n{text}\n```\n")
    (block,) = document.chunks[0].output
    assert (block.kind, block.ename, block.evalue) == ("error", ename, evalue)


@pytest.mark.parametrize(
    ("info", "text", "codes", "shown"),
    [
        ("", ">>> 1 + 1\n2\n", ["1 + 1\n"], ["2"]),
        ("", "julia> 1 + 1\n2\n", ["1 + 1\n"], ["2"]),
        ("", "> 1 + 1\n[1] 2\n", ["1 + 1\n"], ["[1] 2"]),
        ("r", "R> 1 + 1\n[1] 2\n", ["1 + 1\n"], ["[1] 2"]),
        ("", "julia> x = 1\n1\n julia> x\n1\n", ["x = 1\n", "x\n"], ["1", "1"]),
        ("python", "# first\n>>> x\n2\n", ["x\n"], ["2"]),
        (
            "",
            "In [1]: f(\n   ...: 1)\nOut[1]: 2\n\nIn [2]: print(3)\n3\n",
            ["f(\n1)\n", "print(3)\n"],
            ["2", "3"],
        ),
        ("python", ">>> print('a\\n\\nb')\na\n<BLANKLINE>\nb\n", ["print('a\\n\\nb')\n"], ["a\n\nb"]),
        (
            "julia",
            "> function f(x)\n      x\n  end\nf (generic function with 1 method)\n\n> f(2)\n2\n",
            ["function f(x)\nx\nend\n", "f(2)\n"],
            ["f (generic function with 1 method)", "2"],
        ),
    ],
)
def test_transcripts_are_known_by_their_prompts(
    tmp_path: Path, info: str, text: str, codes: list[str], shown: list[str]
) -> None:
    document = parsed(tmp_path, f"```{info}\n{text}```\n")
    assert [chunk.code for chunk in document.chunks] == codes
    assert [text for _, _, text in outputs(document)] == shown


def test_a_quotation_is_no_transcript(tmp_path: Path) -> None:
    assert parsed(tmp_path, "```\n> cat file\nwords\n```\n").chunks == ()


def test_a_text_block_behind_a_transcript_is_not_its_output(tmp_path: Path) -> None:
    text = "```python\n>>> 1 + 1\n2\n```\n\n```text\na table\n```\n\n```output\n3\n```\n"
    assert [text for _, _, text in outputs(parsed(tmp_path, text))] == ["2", "3"]


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        (f"{CODE}```output\n3\n```\n", True),
        (f"{CODE}So it goes.\n\n```output\n3\n```\n", True),
        (f"{CODE}Which slice of x prints this?\n\n```output\n3\n```\n", False),
        (f"::: challenge\n{CODE}```output\n3\n```\n:::\n", False),
        (f"{CODE}A table of it all.\n\n```text\n3\n```\n", False),
        (f"{CODE}It prints this.\n\n```text\n3\n```\n", True),
    ],
)
def test_the_output_of_an_exercise_is_not_certain(tmp_path: Path, text: str, certain: bool) -> None:
    (block,) = parsed(tmp_path, text).chunks[0].output
    assert block.certain is certain


def test_code_cells_of_myst_are_run_and_code_blocks_are_shown(tmp_path: Path) -> None:
    text = (
        "---\nkernelspec:\n  name: julia-1.9\n---\n\n```{code-cell}\n:tags: [raises-exception]\n1\n```\n\n"
        "```{code-cell} ipython3\n2\n```\n\n```{code-block} python\n3\n```\n"
    )
    document = parsed(tmp_path, text)
    rows = [(c.language, c.code, c.code_line, c.executable, c.error) for c in document.chunks]
    assert rows == [
        ("julia", "1\n", 8, True, True),
        ("python", "2\n", 12, True, False),
        ("python", "3\n", 16, False, False),
    ]


def test_the_setup_of_julias_doctests_is_code(tmp_path: Path) -> None:
    quoted = "```@meta\nDocTestSetup = quote\n    using Printf\n    x = 2\nend\n```\n"
    chunks = parsed(tmp_path, f"{quoted}\n```@meta\nDocTestSetup = :(y = 3)\n```\n").chunks
    assert [(c.language, c.code, c.supported) for c in chunks] == [
        ("julia", "using Printf\nx = 2\n", True),
        ("julia", "y = 3\n", True),
    ]


def test_a_fence_in_a_footnote(tmp_path: Path) -> None:
    text = f"{CODE}Text.[^a]\n\n[^a]: Made so.\n\n    ```r\n    y\n    #> [1] 2\n    ```\n"
    document = parsed(tmp_path, text)
    assert [(c.code, c.code_line) for c in document.chunks] == [("mean(x)\n", 2), ("y\n#> [1] 2\n", 10)]
    assert outputs(document) == [(11, "printed", "#> [1] 2")]


def test_doctests_of_sphinx_are_transcripts_and_their_outputs(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(
        "```{doctest}\n>>> def f():\n...     return 1\n>>> f()\n1\n```\n\n"
        "```{testcode} named\nprint(2)\n```\n\n```{testoutput}\n2\n```\n",
        encoding="utf-8",
    )
    chunks = parse_document(path).chunks
    assert [chunk.code.strip() for chunk in chunks] == ["def f():\n    return 1", "f()", "print(2)"]
    assert [[block.text for block in chunk.output] for chunk in chunks] == [[], ["1"], ["2"]]


@pytest.mark.parametrize(
    "info", ["{output:result}", "{output:stdout}", "{.output}", "{output}", "{output .x}"]
)
def test_outputs_in_braces_are_no_chunks(tmp_path: Path, info: str) -> None:
    text = f"{CODE}```{info}\n3\n```\n\n{CODE}```{info}\n4\n```\n"
    document = parsed(tmp_path, text)
    assert [text for _, _, text in outputs(document)] == ["3", "4"]
    assert len(document.chunks) == 2


def test_an_output_in_braces_may_be_a_message(tmp_path: Path) -> None:
    (shown,) = outputs(parsed(tmp_path, f"{CODE}```{{output:stderr}}\nW\n```\n"))
    assert shown[1] == "message"


def test_a_remark_above_the_next_prompt_is_no_output(tmp_path: Path) -> None:
    text = "```python\n>>> f()\n2\n\n# Next\n>>> x = 1\n\n# Then\n# y\n>>> f()\n# 2\n\n>>> g()\n3\n```\n"
    assert [text for *_, text in outputs(parsed(tmp_path, text))] == ["2", "# 2", "3"]


@pytest.mark.parametrize("opened", ["~~~~exercism/note", "~~~~{tip}"])
def test_what_stands_in_an_admonition_is_read(tmp_path: Path, opened: str) -> None:
    document = parsed(tmp_path, f"{opened}\n\nSo:\n\n```python\n>>> 1 + 1\n2\n```\n\n~~~~\n\nText.\n")
    assert outputs(document) == [(7, "printed", "2")]


@pytest.mark.parametrize(
    ("name", "listing", "expected"),
    [
        ("ruby", ">>> x = 1\n>>> x\n1", [(6, "printed", "1")]),
        ("ruby", "# first\n>>> x = 1\n>>> x\n1", [(7, "printed", "1")]),
        ("bash", "$ python3 -q\nPython 3.9 (main)\n>>> 1 + 1\n2", [(7, "printed", "2")]),
        ("pycon", "julia> 1 + 1\n2", [(5, "printed", "2")]),
        ("text", "julia> 1 + 1\n2", [(5, "printed", "2")]),
        ("haskell", ">>> map (+1) [1]\n[2]", []),
        ("ruby", "puts 1\n>>> x\n1", []),
    ],
)
def test_prompts_are_read_whatever_the_fence_is_called(
    tmp_path: Path, name: str, listing: str, expected: list[tuple[int, str, str]]
) -> None:
    assert outputs(parsed(tmp_path, f"A text.\n\n```{name}\n{listing}\n```\n"))[:1] == expected


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (">>> x = 1\n# a remark\n>>> x\n1\n# another\n>>> 2\n2\n# the last", ["1", "2"]),
        (">>> x = 1\n>>> x\n# 1\n>>> 'a'\n# 'a'", ["# 1", "# 'a'"]),
        (">>> print('# 1')\n# 1\n>>> 2\n2", ["# 1", "2"]),
        (
            ">>> f()\n# Traceback (most recent call last):\n# KeyError: 3\n>>> 2\n2",
            ["# Traceback (most recent call last):\n# KeyError: 3", "2"],
        ),
        (">>> x = 1\n>>>f(x)\n1", ["1"]),
    ],
)
def test_remarks_among_prompts_are_no_outputs(tmp_path: Path, entry: str, expected: list[str]) -> None:
    document = parsed(tmp_path, f"```python\n{entry}\n```\n")
    assert [text for *_, text in outputs(document)] == expected


@pytest.mark.parametrize("below", ["", "```python\nf()\n```\n\n"])
def test_what_is_printed_above_a_traceback_is_an_output_of_its_own(tmp_path: Path, below: str) -> None:
    shown = 'end\nTraceback (most recent call last):\n  File "<stdin>", line 1\nStopIteration'
    text = f"{below}```\n{shown}\n```\n" if below else f"```python\n>>> f()\n{shown}\n```\n"
    kinds = [(kind, words.split("\n")[0]) for _, kind, words in outputs(parsed(tmp_path, text))]
    assert kinds == [("printed", "end"), ("error", "Traceback (most recent call last):")]


@pytest.mark.parametrize(
    ("remark", "left_open"),
    [
        ("##### add your solution here", True),
        ("# TODO", True),
        ("# your code here", True),
        ("# Fill in the missing line", True),
        ("# Fill in missing values with the mean", False),
        ("# adds one", False),
        ("# can write your own, and import them", False),
        ("# write your own, and import it", True),
    ],
)
def test_what_the_reader_is_to_complete_is_left_open(tmp_path: Path, remark: str, left_open: bool) -> None:
    text = f"```python\n>>> f()  {remark}\n2\n>>> g()\n3\n```\n"
    first, second = parsed(tmp_path, text).chunks
    assert bool(first.doubtful) is left_open
    assert not second.doubtful


@pytest.mark.parametrize(
    ("lead", "name", "text", "read"),
    [
        ("Output:", "python", "[{'a': 1}]", 1),
        ("This outputs the following:", "python", "[1,\n 2]", 1),
        ("**Output:**", "json", '{"a": 1}', 1),
        ("Outputs:", "python", "import a\nprint(2)", 0),
        ("The output is a list, which we sort next:", "python", "x.sort()", 0),
        ("It is written so:", "python", "[1, 2]", 0),
    ],
)
def test_an_output_that_is_coloured_as_code(
    tmp_path: Path, lead: str, name: str, text: str, read: int
) -> None:
    document = parsed(tmp_path, f"```python\nprint(x)\n```\n{lead}\n```{name}\n{text}\n```\n")
    assert [shown for *_, shown in outputs(document)] == [text] * read


def test_data_that_the_text_calls_an_output_is_counted(tmp_path: Path) -> None:
    code = "```python\nx = 1\n```\n"
    counted = parsed(tmp_path, f"{code}What `print(dump(x))` outputs looks like this:\n```yaml\na: 1\n```\n")
    assert [unread.line for unread in counted.unread] == [5]
    data = parsed(tmp_path, f"{code}The file looks like this:\n```yaml\na: 1\n```\n")
    assert not data.unread


def test_output_of_r_that_is_set_in_and_stands_before_more_code(tmp_path: Path) -> None:
    shown = [
        "##  [1] 61 62 7a 30",
        "##      [,1] [,2]\n## [1,]    1    2",
        "##      from to\n## [1,]    1  2",
        "## [1] 6",
    ]
    code = "\n".join(f"f({n})\n{text}" for n, text in enumerate(shown))
    assert [text for *_, text in outputs(parsed(tmp_path, f"```r\n{code}\n```\n"))] == shown
    remark = "```r\nf(1)\n##  a remark on what follows\ng(2)\n```\n"
    assert outputs(parsed(tmp_path, remark)) == []


def test_listings_that_are_labelled(tmp_path: Path) -> None:
    text = "```python\nIn: a = [1, 2]\n    # both\n    a\n```\n\n```\nOut:[1, 2]\n```\n"
    document = parsed(tmp_path, text)
    assert [chunk.code for chunk in document.chunks] == ["a = [1, 2]\n# both\na\n"]
    assert outputs(document) == [(8, "printed", "[1, 2]")]


FRAME = "|   | a |\n|---|---|\n| 0 | 1 |\n| 1 | 2 |\n"


@pytest.mark.parametrize("between", ["", "\n"])
def test_a_data_frame_as_a_table_of_markdown(tmp_path: Path, between: str) -> None:
    document = parsed(tmp_path, f"```python\nimport pandas as pd\ndf.head()\n```\n{between}{FRAME}")
    assert outputs(document) == [(5 + len(between), "printed", "  a\n0  1\n1  2")]
    assert not document.chunks[0].output[0].certain


@pytest.mark.parametrize(
    "text",
    [
        f"```python\ndf.head()\n```\n\nWhat the columns mean:\n\n{FRAME}",
        f"```python\nprint(df)\n```\n{FRAME}",
        f"```python\ndf = f()\n```\n{FRAME}",
        "```python\ndf\n```\n| name | what |\n|---|---|\n| a | 1 |\n",
        "```python\ndf\n```\n|   | a |\n|---|---|\n| 0 | 1 | 2 |\n",
    ],
)
def test_a_table_that_may_be_prose_is_no_output(tmp_path: Path, text: str) -> None:
    assert outputs(parsed(tmp_path, text)) == []


def test_code_in_a_chunks_caption_ends_no_fence(tmp_path: Path) -> None:
    text = '```{r, fig.cap = "Of `x`"}\nplot(x)\n```\n\nAs seen.\n\n```{r}\nx\n```\n'
    document = parsed(tmp_path, text, "a.Rmd")
    assert [chunk.code for chunk in document.chunks] == ["plot(x)\n", "x\n"]
    assert document.shown == 0


@pytest.mark.parametrize(
    "text",
    [
        "```r\n#' @import rlang\n```\n\n```\nimport(rlang)\n```\n",
        f"{CODE}````\n```{{r, digits = 4}}\n```\n````\n",
    ],
)
def test_what_remarks_and_chunks_that_are_shown_do_not_print_is_no_output(text: str, tmp_path: Path) -> None:
    assert outputs(parsed(tmp_path, text)) == []


@pytest.mark.parametrize("listing", ["$ make all\ndone", "def f(x):\n    return x", "    import math\n"])
def test_what_is_typed_or_defined_below_prose_is_no_output_that_is_missed(
    tmp_path: Path, listing: str
) -> None:
    document = parsed(tmp_path, f"```python\nx = 1\n```\n\nSome more words.\n\n```\n{listing}\n```\n")
    assert document.shown == 0
