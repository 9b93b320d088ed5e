"""Output that stands unmarked in a listing called code, and output without its code."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.raw_output import is_printed, looks_printed, with_labelled_output, with_marks
from tests.unit.documents.test_layouts import CODE, outputs, parsed


def test_lines_that_r_printed_below_whole_statements_are_output(tmp_path: Path) -> None:
    text = "```r\nx <- sum(1,\n  2)\nx\n[1] 3\n\nrev(1:20)\n [1] 20 19\n[18]  3  2\n```\n"
    document = parsed(tmp_path, text)
    assert outputs(document) == [(5, "printed", "#> [1] 3"), (8, "printed", "#>  [1] 20 19\n#> [18]  3  2")]
    assert [block.after for block in document.chunks[0].output] == [3, 6]


@pytest.mark.parametrize("code", ["x[\n [1] ]\n", "x <- c(1,\n[1] 2\n", '"\n[1] 3\n"\n', "x[1]\n"])
def test_code_stays_code(code: str) -> None:
    assert with_marks(code) == code


def test_a_listing_called_code_that_is_nothing_but_output(tmp_path: Path) -> None:
    assert outputs(parsed(tmp_path, f"{CODE}```r\n[1] 2\n```\n")) == [(6, "printed", "[1] 2")]
    text = "```julia\nrand(2)\n```\n\n```julia\n2-element Vector{Int64}:\n 1\n 2\n```\n"
    document = parsed(tmp_path, text)
    assert len(document.chunks) == len(document.chunks[0].output) == 1
    assert not is_printed("x[1]\n", "r")
    assert not is_printed("[1] 2\n", "python")


@pytest.mark.parametrize(
    ("below", "shown"),
    [
        ("```{r}\n# [1] 2\n```\n", "# [1] 2"),
        ("```r\n# [1] 2\n# [3] 4\n```\n", "# [1] 2\n# [3] 4"),
        ("So it is.\n\n```{r}\n# [1] 2\n```\n", ""),
        ("```{r}\n# [1] 2\nmean(y)\n```\n", ""),
        ("```{r}\n# the next step\n```\n", ""),
    ],
)
def test_code_of_comments_alone_may_be_the_output_of_the_code_above(
    tmp_path: Path, below: str, shown: str
) -> None:
    document = parsed(tmp_path, f"```{{r}}\nmean(x)\n```\n\n{below}")
    assert [block.text for block in document.chunks[0].output] == ([shown] if shown else [])
    assert len(document.chunks) == (1 if shown else 2)


@pytest.mark.parametrize(
    "text",
    [
        "## [1] 2\n",
        "##   name size\n## 1    a   10\n## 2    b   20\n",
        "  name size\n3    a   10\n4    b   20\n",
        "# A tibble: 2 × 2\n",
        "\nCall:\nlm(formula = y ~ x)\n",
    ],
)
def test_output_in_a_section_without_code_is_counted(tmp_path: Path, text: str) -> None:
    document = parsed(tmp_path, f"{CODE}## Next\n\nSo it is:\n\n```\n{text}```\n")
    assert [output.why for output in document.unread] == ["the code that printed it is not shown above it"]
    # Where nothing runs, only what has the mark of knitr is an output: its code is hidden.
    assert len(parsed(tmp_path, f"Nothing runs here.\n\n```\n{text}```\n").unread) == text.startswith("##")


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("#> coord\n#> a 1\n", True),
        ("## \n##   76 1\n", True),
        ("##      a b\n## x   1 2\n", True),
        ("## install it\n## run it\n", False),
        ("## Title\n\nwords\n", False),
        ("##  one\n", False),
    ],
)
def test_output_whose_code_is_hidden_has_knitr_s_mark(tmp_path: Path, text: str, is_one: bool) -> None:
    assert len(parsed(tmp_path, f"As we see:\n\n```\n{text}```\n").unread) == is_one


@pytest.mark.parametrize("html", ["<pre><code>{}</code></pre>", "<pre>\n{}</pre>"])
def test_lines_of_a_session_in_html(tmp_path: Path, html: str) -> None:
    """One that only sets a vector is R's too."""
    above = html.format("> x = c(3, 4)")
    text = f"{above}\n\n{html.format('> x' + chr(10) + '[1] 3 4')}\n"
    document = parsed(tmp_path, text)
    assert [chunk.code.strip() for chunk in document.chunks] == ["x = c(3, 4)", "x"]
    lines = text.split("\n")
    assert [lines[chunk.line - 1][-1] for chunk in document.chunks] == [above.split("\n")[-1][-1], "x"]
    ((line, _, shown),) = outputs(document)
    assert lines[line - 1].startswith(shown)


@pytest.mark.parametrize(
    "text", ["## Heading\n\nWords.\n", "1. one thing\n2. another thing\n", "a.txt\nb.txt\n"]
)
def test_what_is_no_output_is_not_counted(text: str) -> None:
    assert not looks_printed(text)


def test_pictures_between_code_and_output_say_nothing(tmp_path: Path) -> None:
    text = f"{CODE}![](a.png){{width=50%}}\n\n```\n[1] 2\n```\n"
    assert outputs(parsed(tmp_path, text)) == [(8, "printed", "[1] 2")]


def test_a_printed_number_that_is_explained(tmp_path: Path) -> None:
    text = "```python\nx = 3.5\nprint(f'{x:.2f}') # prints 3.50, the sum\nprint(x) # prints 2 lines\n```\n"
    assert outputs(parsed(tmp_path, text)) == [(3, "printed", "3.50")]


def test_output_below_a_prompt_of_knitr_stands_in_a_listing_of_its_own(tmp_path: Path) -> None:
    text = "```r\n> # both\n> x <- c(1, 2)\n> x\n```\n\n```\n[1] 1 2\n```\n"
    assert outputs(parsed(tmp_path, text)) == [(8, "printed", "[1] 1 2")]
    answered = "```r\n> x\n[1] 1\n```\n\n```\n[1] 1 2\n```\n"
    assert outputs(parsed(tmp_path, answered)) == [(3, "printed", "[1] 1")]


def test_plain_markdown_shows_chunks_of_one_name_twice(tmp_path: Path) -> None:
    assert len(parsed(tmp_path, "```{r a}\n1\n```\n\n```{r a}\n2\n```\n").chunks) == 2


def test_a_number_below_its_statement_that_is_explained(tmp_path: Path) -> None:
    text = "```python\nx = [5, 7]\nprint(x.index(7))\n# 1   (where it stands)\n```\n"
    assert outputs(parsed(tmp_path, text)) == [(4, "printed", "1")]
    assert not outputs(parsed(tmp_path, text.replace("\n```\n", "\ny = 3\n```\n")))


@pytest.mark.parametrize(
    ("shown", "read"),
    [
        ("    array([[1, 2],\n           [3, 4]])", True),
        ("    matrix([[1., 2.]])", True),
        ("    0.0189", False),
        ("python run.py", False),
        ("words of a log", False),
    ],
)
def test_a_value_in_a_listing_called_a_shell_below_code_that_does_not_print(
    tmp_path: Path, shown: str, read: bool
) -> None:
    document = parsed(tmp_path, f"```py\nx\n```\n\n```sh\n{shown}\n```\n")
    assert bool(outputs(document)) is read


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("print('Sum: ', x) # Sum:  (1, [2, 3])", "Sum:  (1, [2, 3])"),
        ("print(f'Sum is {x}') # Sum is 3 of them", "Sum is 3 of them"),
        ("print('Sum: ', x) # Sums go here", ""),
        ("x = f('Sum: ', 2) # Sum: of both", ""),
    ],
)
def test_a_remark_that_begins_as_its_call_of_print_does(tmp_path: Path, line: str, read: str) -> None:
    document = parsed(tmp_path, f"```python\n{line}\n```\n")
    assert [text for _, _, text in outputs(document)] == [read] * bool(read)


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("print(user) # name='Ann' id=1", "name='Ann' id=1"),
        ("print(m) # number=[4, 16]", "number=[4, 16]"),
        ("print(user) # name=the first one", ""),
        ("print(user.name) # >>> Ann", "Ann"),
        ("print(user.name) # >>> f(2) = 3", ""),
    ],
)
def test_what_a_call_of_print_shows_in_other_words(tmp_path: Path, line: str, read: str) -> None:
    document = parsed(tmp_path, f"```python\n{line}\n```\n")
    assert [text for _, _, text in outputs(document)] == [read] * bool(read)


@pytest.mark.parametrize(
    ("below", "is_output"),
    [
        ("41", True),
        ("['a', 'b',\n 'c']\n\nprint(2)", True),
        ("Hello, World", True),
        ("print(3)", False),
        ("y = 3", False),
        ("# 41", False),
    ],
)
def test_what_stands_below_a_label_in_python_is_output_where_it_computes_nothing(
    below: str, is_output: bool
) -> None:
    code = f"print(x)\n# Output:\n{below}\n"
    marked = with_labelled_output(code)
    assert (marked != code) is is_output
    assert not is_output or marked.startswith(f"print(x)\n# Output:\n#> {below[:2]}")
