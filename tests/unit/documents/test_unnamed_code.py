"""Code of R in listings without a language, as Pandoc's plain Markdown has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.parse import parse_document
from tests.unit.documents.test_layouts import outputs, parsed

KNITTED = """# Means

Some numbers:

    library(stats)
    x <- c(1, 2, 6)
    mean(x)

    ## [1] 3

    ## in a new order
    rev(x)

    ## [1] 6 2 1
"""


def test_indented_code_above_marked_lines_is_a_chunk(tmp_path: Path) -> None:
    document = parsed(tmp_path, KNITTED)
    assert [(chunk.language, chunk.code_line) for chunk in document.chunks] == [("r", 5), ("r", 11)]
    assert outputs(document) == [(9, "printed", "## [1] 3"), (14, "printed", "## [1] 6 2 1")]
    assert document.chunks[1].code == "## in a new order\nrev(x)\n"


def test_without_marked_output_nothing_says_that_it_is_code_of_r(tmp_path: Path) -> None:
    for text in ("    x <- 1\n    mean(x)\n", "    x = 1\n\n    ## Heading\n", "    ## [1] 3\n"):
        assert not parsed(tmp_path, text).chunks


def test_a_source_says_what_is_code(tmp_path: Path) -> None:
    (tmp_path / "a.Rmd").write_text("```{r}\nsum(1, 2)\n```\n\n```{r}\nplot(1)\nmax(3, 4)\n```\n")
    (tmp_path / "a.md").write_text(
        "    sum(1,2)\n\n    ## 3 in all\n\nA picture.\n\n    plot(1)\n    max(3, 4)\n\n    ## [1] 4\n"
    )
    document = parse_document(tmp_path / "a.Rmd")
    assert [[block.text for block in chunk.output] for chunk in document.chunks] == [
        ["## 3 in all"],
        ["## [1] 4"],
    ]


def test_chunks_that_print_nothing_stand_in_one_listing_with_the_next(tmp_path: Path) -> None:
    (tmp_path / "a.Rmd").write_text("```{r}\nx <- c(1, 2)\n```\n\n```{r}\n## both\nsum(x)\nrev(x)\n```\n")
    (tmp_path / "a.md").write_text(
        "    x <- c(1, 2)\n\n    ## both\n    sum(x)\n\n    ## [1] 3\n\n    rev(x)\n\n    ## [1] 2 1\n"
    )
    document = parse_document(tmp_path / "a.Rmd")
    assert not document.unread
    assert [[(block.after, block.text) for block in chunk.output] for chunk in document.chunks] == [
        [],
        [(2, "## [1] 3"), (3, "## [1] 2 1")],
    ]


CONSOLE = """# Vectors

```
x <- c(1, 2)
```

Nothing is shown. What is this?

```
3 + 5 * 2
```

```
x
[1] 1 2

x * c(1, 2, 3)
Warning: longer object length
[1] 1 4 3
list(a = 1)
$a
[1] 1

x[3]
```

## Files

```
a.csv  b.csv
```
"""


def test_a_page_that_shows_a_console_of_r_without_prompts_or_names(tmp_path: Path) -> None:
    document = parsed(tmp_path, CONSOLE)
    assert [(chunk.language, chunk.code_line) for chunk in document.chunks] == [
        ("r", 4),
        ("r", 10),
        ("r", 14),
    ]
    assert outputs(document) == [
        (15, "printed", "#> [1] 1 2"),
        (18, "message", "#> Warning: longer object length"),
        (19, "printed", "#> [1] 1 4 3"),
        (21, "printed", "#> $a\n#> [1] 1"),
    ]


def test_a_listing_that_names_a_language_says_that_the_others_are_no_code(tmp_path: Path) -> None:
    assert len(parsed(tmp_path, f"```r\n1\n```\n\n{CONSOLE}").chunks) == 1
    prompts = CONSOLE.replace("x\n[1]", "> x\n[1]").replace("x * c", "> x * c").replace("list(", "> list(")
    code = [chunk.code for chunk in parsed(tmp_path, prompts).chunks if not chunk.prompts]
    assert code == ["x <- c(1, 2)\n"]  # what only sets names stands between sessions


_OF_PYTHON = """# Words

    import re

    words = re.split("-", "a-b")
    print(words)  # => ['a', 'b']

Some text.

    def twice(x):
        return 2 * x

And this:

    print(twice(4))  # => 8
"""


def test_a_page_of_python_that_names_no_language_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(_OF_PYTHON, encoding="utf-8")
    document = parse_document(path)
    assert [chunk.language for chunk in document.chunks] == ["python"] * 3
    assert [block.text for chunk in document.chunks for block in chunk.output] == ["['a', 'b']", "8"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("And this:\n", "```console\n$ ls\n```\n"),
        ("Some text.\n", "Some text:\n\n    pip install words\n\nAnd more.\n"),
        ("    def twice(x):\n        return 2 * x\n", "    twice = 2\n"),
    ],
)
def test_a_page_that_names_one_or_shows_less_is_not(tmp_path: Path, before: str, after: str) -> None:
    path = tmp_path / "a.md"
    path.write_text(_OF_PYTHON.replace(before, after), encoding="utf-8")
    assert not any(chunk.language == "python" for chunk in parse_document(path).chunks)


_WITH_OUTPUT = """```
#!/usr/bin/env python
import math
print(math.floor(2.5))
```
输出
```
2 or so
```

```
def twice(x):
    return 2 * x
print(twice("a"), "b")
```

The text goes on.

```
$ python3 twice.py
aa b
```

```
for x in (1, 2):
    print(x, "times")
print("an end")
```
Output:
```
1 times
2 times
an end
```
"""


def test_what_a_page_of_python_prints_is_not_counted_against_it(tmp_path: Path) -> None:
    document = parsed(tmp_path, _WITH_OUTPUT)
    assert [chunk.language for chunk in document.chunks] == ["python"] * 3
    assert [text.strip() for _, _, text in outputs(document)] == [
        "2 or so",
        "aa b",
        "1 times\n2 times\nan end",
    ]
    said = _WITH_OUTPUT.replace("输出", "Not so:").replace("Output:", "Not so:")
    assert not parsed(tmp_path, f"{said}\n```\npip install it\n```\n").chunks


def test_listings_called_text_are_called_nothing_where_no_other_name_is_used(tmp_path: Path) -> None:
    of_r = "```text\nx <- c(1, 2)\nmean(x)\n[1] 1.5\n```\n\n```text\nmax(x)\n[1] 2\n```\n"
    assert [text for _, _, text in outputs(parsed(tmp_path, of_r))] == ["#> [1] 1.5", "#> [1] 2"]
    assert not outputs(parsed(tmp_path, f"{of_r}\n```sql\nselect 1\n```\n\n```r\ny\n```\n"))[1:]
    python = _WITH_OUTPUT.replace("```\n#!", "```text\n#!").replace("```\ndef", "```text\ndef")
    assert len(parsed(tmp_path, python.replace("```\nfor", "```text\nfor")).chunks) == 3


def test_marked_output_in_a_page_of_a_console_is_no_code_and_code_no_output(tmp_path: Path) -> None:
    page = """\
    library(stats)
    head(d)

    ## -- Summary --
    ##   rows 2

It was:

    skim(d)

    # A tibble: 2 x 2
    # Groups:   a [2]
      a         b
      <chr> <dbl>
    1 x         1
    2 y         2

And now:

    e <- d
    e

    ## -- Summary --

And:

    mean(1)
    [1] 1
"""
    document = parsed(tmp_path, page)
    assert [chunk.code.split("\n")[0] for chunk in document.chunks] == [
        "library(stats)",
        "skim(d)",
        "e <- d",
        "mean(1)",
    ]
    assert [(line, text.count("\n")) for line, _, text in outputs(document)] == [
        (4, 1),
        (11, 5),
        (23, 0),
        (28, 0),
    ]


def test_what_r_assigns_is_no_comparison_of_python(tmp_path: Path) -> None:
    """`x <- mean(y)` can be parsed as Python, and `print(x)` is both."""
    blocks = (f"    x{n} <- c(1, {n})\n    print(x{n})\n\n    ## [1] 1 {n}\n" for n in range(4))
    path = tmp_path / "a.md"
    path.write_text("Words.\n\n" + "\nMore words.\n\n".join(blocks), encoding="utf-8")
    chunks = parse_document(path).chunks
    assert {chunk.language for chunk in chunks} == {"r"}
    assert [block.text for chunk in chunks for block in chunk.output] == [f"## [1] 1 {n}" for n in range(4)]
