"""What pages say before output, in words, in comments and in other languages than English."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from harness.documents.comment_output import read_comments
from harness.documents.model import Document
from harness.documents.output_words import leads_to_output
from harness.documents.parse import parse_document

PY = "```python\nprint(len(x))\n```\n\n"


def parsed(tmp_path: Path, text: str, name: str = "a.md") -> Document:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return parse_document(path)


def outputs(document: Document) -> list[tuple[int, str]]:
    return [(block.line, block.text) for chunk in document.chunks for block in chunk.output]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("print(len(x))  # Result: 2\n", ["2"]),
        ("print(len(x))  # will print 2\n", ["2"]),
        ("print(len(x))  # this displays 2\n", ["2"]),
        ("print(len(x))  # Outputs: 2\n", ["2"]),
        ("print(len(x))  # Salida: 2\n", ["2"]),
        ("print(len(x))  # Saída: 2\n", ["2"]),
        ("print(len(x))  # 输出：2\n", ["2"]),
        ("print(len(x))  # 结果为 2\n", ["2"]),
        ("len(x)  # == 2\n", ["2"]),
        ("print(x)  # ['a']，一个列表\n", ["['a']"]),
        ("print(x is y)  # True，同一个对象\n", ["True"]),
        ("print(x is y)  #returns True because both are one\n", ["True"]),
        ("f(x)\n# >>>  array([1, 2])\n", ["array([1, 2])"]),
        ("print(x)\n\n# Output:\n# 1\n# 2\n", ["1\n2"]),
        ("print(x)\n\n# Output: 1\n# 2\n", ["1\n2"]),
        ("print(x)\n\n# Output: 1\n", ["1"]),
        ("a = 2\n\n# Output: 5\nprint(a + 3)\n", ["5"]),
        ("print(a)\n\n# Output: 5\nprint(b)\n\n# Output: 6\n", ["6"]),  # of which the first is, is open
        ("print(x)\n# Output: 1\n# change x\ny = 2\n", ["1"]),
        ("x = f()  # prints 'a'\n", []),  # what is printed meanwhile is not what is set
        ("print(x)  # about 2\n", []),
        ("print(x)  # the result of 2\n", []),
        ("x = 3  # result: 3\n", []),
        ("text.find('p')  # Finds the lowest index -> 2\n", ["2"]),
        ("print(row)  # ['.', '#']\n", ["['.', '#']"]),
        ("f(x)  # int -> str\n", []),
        ("x = 3  # 2 -> 3\n", []),
    ],
)
def test_words_before_a_value_in_a_comment(code: str, expected: list[str]) -> None:
    assert [block.text for block in read_comments(code, "python", 1, values=True).blocks] == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('println("hello")  # hello\n', ["hello"]),
        ('x = 3\nprintln("x is $x")  # x is 3\n', ["x is 3"]),
        ('println("hello")\n# hello\n', ["hello"]),
        ("typeof(x)  # Int64\n", ["Int64"]),
        ("eltype(x)\n# Vector{Int64}\n", ["Vector{Int64}"]),
        ("x = y  # Float64\n", []),
        ("f(x)  # Float64\n", []),
        ("[1, 2]\n# 2-element Vector{Int64}:\n#  1\n#  2\n", ["2-element Vector{Int64}:\n 1\n 2"]),
        ("v = [1, 2]\n# 2-element Vector{Int64}:\nw = v\n", []),
    ],
)
def test_what_julia_shows_in_a_comment(code: str, expected: list[str]) -> None:
    assert [block.text for block in read_comments(code, "julia", 1, values=True).blocks] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{PY}**Saída:**\n\n```\n2\n```\n", [(8, "2")]),
        (f"{PY}実行結果\n\n```\n2\n```\n", [(8, "2")]),
        (f"{PY}La salida\n\n```\n2\n```\n", [(8, "2")]),
        (f"{PY}Without a doubt\n\n```\n2\n```\n", []),
        (f"{PY}**Output**: `2`\n", [(5, "2")]),
        (f"{PY}Python returns: `2`\n", [(5, "2")]),
        (f"{PY}Output: 2\n", [(5, "2")]),
        (f"{PY}Output:\n2\n3\n", [(5, "2\n3")]),
        (f"{PY}Output: the length\n", []),
        (f"{PY}Out[1]: 2\n", [(5, "2")]),
        (f"{PY}> 2\n", []),  # it may be one of several answers
        (f"{PY}Output\n\n```bash\nmypy --strict a.py\n```\n", []),
        (f"{PY}Output\n\n```bash\n2\n```\n", [(8, "2")]),
        (f"{PY}```bash\n\n```\n", []),
        (f"{PY}Output\n\n```js\n2\n```\n", [(8, "2")]),
        ("```r\nx <- 1\n```\n\nResult\n\n```r\nmean(x)\n```\n", []),
        ("```bash\nls\n```\n\nOutput\n\n```bash\na b\n```\n", []),
        (f"{PY}Go on\n\n2\n", []),
        (f"{PY}{{{{< hint >}}}}\n", []),
        (f"{PY}[a](b)\n", []),
    ],
)
def test_words_before_output_outside_of_code(
    tmp_path: Path, text: str, expected: list[tuple[int, str]]
) -> None:
    assert outputs(parsed(tmp_path, text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```python\nprint(x)\n\nOutput:\n[1, 2]\n```\n", [(5, "[1, 2]")]),
        ("```python\nprint(x)\n\nOutput:\nprint(y)\n```\n", []),
        (f"{PY}```python\n2\n```\n", [(6, "2")]),
        ("```python\nx = 1\n```\n\n```python\n[1, 2]\n```\n", []),
        ("```python\n[1, 2]\n```\n\n```python\n(1, 2)\n```\n", []),
        (f"{PY}```sh\n2\n```\n\n```python\n2\n```\n", [(6, "2")]),
        ("```jldoctest\nx = 1\nx + 1\n\n# output\n\n2\n```\n", [(7, "2")]),
        ("```julia\nx = 1\n\n# output\n\n2\n```\n", []),
        ("```text\njulia> 1 + 1\n2\n```\n", [(3, "2")]),
        ("```julia\njulia>1 + 1\n2\n```\n", [(3, "2")]),
        ("```julia\nIn [1]: 1 + 1\nOut[1]: 2\n```\n", [(3, "2")]),
        (
            "```julia\njulia> [1]\n         1-element Vector{Int64}:\n          1\n```\n",
            [
                (3, "         1-element Vector{Int64}:\n          1"),
            ],
        ),
        ("```julia\njulia> ?sum\nsearch: sum\n\njulia> 1\n1\n```\n", [(6, "1")]),
        (
            "```julia\n[1, 2]\n2-element Vector{Int64}:\n 1\n 2\nx = 3\n```\n",
            [
                (3, "#> 2-element Vector{Int64}:\n#>  1\n#>  2"),
            ],
        ),
        ("```r\nhead(x)\n  a b\n1 4 2\n2 4 9\ny <- 2\n```\n", [(3, "#>   a b\n#> 1 4 2\n#> 2 4 9")]),
        ("```r\nf(x,\n  a, b)\n```\n", []),
        ("```python\nx = 1\n```\n\n```console\npip install x\n```\n", []),
    ],
)
def test_output_in_listings_that_are_called_code(
    tmp_path: Path, text: str, expected: list[tuple[int, str]]
) -> None:
    assert outputs(parsed(tmp_path, text)) == expected


NOTES = (
    "1.1 Sets\n\n    A set has no order:\n    >>> len({1, 2})\n    2\n    >>> 3\n    3\n\n    It goes on.\n"
)


def test_sessions_in_notes_that_are_set_in_as_a_whole(tmp_path: Path) -> None:
    assert outputs(parsed(tmp_path, NOTES)) == [(5, "2"), (7, "3")]
    with_code = f"{NOTES}\n```python\nhelp(f)\n```\n"
    assert not outputs(parsed(tmp_path, with_code))  # it may be what help prints
    said = NOTES.replace("    3\n", "    3\n    This is what such a number shows\n")
    (first, second) = parsed(tmp_path, said).chunks
    assert (first.output[0].text, second.code, second.output) == ("2", "3\n", ())


def test_sessions_of_julia_in_restructured_text(tmp_path: Path) -> None:
    text = "Title\n=====\n\nSum:\n\n  julia> 1 + 1\n  2\n\nMore.\n"
    assert outputs(parsed(tmp_path, text, "a.rst")) == [(7, "2")]
    uneven = ".. sourcecode:: pycon\n\n   julia> 1 + 1\n   2\n\n .. topic:: Exercise\n\n     Do it.\n"
    assert outputs(parsed(tmp_path, uneven, "a.rst")) == [(4, "2")]


def test_a_long_row_of_brackets_leads_nowhere_at_once() -> None:
    begun = time.process_time()
    assert not leads_to_output("x" + "(" * 100_000 + "x")
    assert time.process_time() - begun < 1
