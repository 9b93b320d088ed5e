"""Sessions that a document shows: prompts, what was entered behind them, and what was printed."""

from __future__ import annotations

import pytest

from harness.documents.parse import parse_document
from tests.unit.documents.written import Write, notes


def test_julia_transcript(write: Write) -> None:
    text = (
        "```julia-repl\njulia> f(x) = begin\n           x\n       end\nf (generic function)\n\n"
        "(v1.5) pkg> add X\n  done\n\njulia> f.([1,2])\n2-element Vector{Int64}:\n 1\n 2\n\n"
        "julia> y = 1;\n```\n"
    )
    document = parse_document(write("a.md", text))
    assert [c.code for c in document.chunks] == ["f(x) = begin\n    x\nend\n", "f.([1,2])\n", "y = 1;\n"]
    assert [c.line for c in document.chunks] == [2, 10, 15]
    assert [[(o.line, o.text) for o in c.output] for c in document.chunks] == [
        [(5, "f (generic function)")],
        [(11, "2-element Vector{Int64}:\n 1\n 2")],
        [],
    ]
    assert all(chunk.prompts for chunk in document.chunks)
    assert "pkg" in notes(document)


@pytest.mark.parametrize(
    ("language", "text", "codes", "outputs"),
    [
        (
            "python",
            ">>> for i in x:\n...     i\n...\n1\n>>> y\n2\n",
            ["for i in x:\n    i\n", "y\n"],
            ["1", "2"],
        ),
        ("r", "> f(\n+ 1)\n[1] 1\n> x\n", ["f(\n1)\n", "x\n"], ["[1] 1"]),
        ("julia", ">>>x = 2\n2\n\n>>> x^2\n4\n", ["x = 2\n", "x^2\n"], ["2", "4"]),
        ("julia", "x = 2\n\n>>>x^2\n4\n", ["x = 2\n\n", "x^2\n"], ["4"]),
    ],
)
def test_other_transcripts(
    write: Write, language: str, text: str, codes: list[str], outputs: list[str]
) -> None:
    chunks = parse_document(write("a.md", f"```{language}\n{text}```\n")).chunks
    assert [chunk.code for chunk in chunks] == codes
    assert [output.text for chunk in chunks for output in chunk.output] == outputs


@pytest.mark.parametrize("blanks", ["\t", "    "])
def test_a_transcript_that_is_indented(write: Write, blanks: str) -> None:
    lines = ["julia> x = 1 + 1", "2", "", "julia> f(y) = begin", "           y", "       end"]
    listing = "\n".join(blanks + line if line else "" for line in lines)
    document = parse_document(write("a.md", f"```julia\n{listing}\n```\n"))
    assert [chunk.code for chunk in document.chunks] == ["x = 1 + 1\n", "f(y) = begin\n    y\nend\n"]
    assert [block.text for chunk in document.chunks for block in chunk.output] == ["2"]


@pytest.mark.parametrize(
    ("piece", "stays"),
    [
        ("import math\nx = 1\nprint(math.sqrt(x))", False),
        ("print(above + len('a'))", False),
        ("from math import *\nprint(sqrt(4))", False),
        ("total += x", True),
        ("return above", True),
        ("def area(self):\n    return 2", True),
        ("self.x = 1", True),
        ("x = (1,", True),
    ],
)
def test_a_listing_that_is_set_in_loses_its_blanks_where_it_runs_by_itself(
    write: Write, piece: str, stays: bool
) -> None:
    set_in = "".join(f"    {line}\n" for line in piece.split("\n"))
    document = parse_document(write("b.md", f"```py\nabove = 1\n```\n\n```py\n{set_in}```\n"))
    assert document.chunks[1].code == (set_in if stays else f"{piece}\n")


@pytest.mark.parametrize(
    ("info", "listing", "codes"),
    [
        ("python", "> a\n3\n> b\n4", ["a\n", "b\n"]),
        ("console", "> from math import sqrt\n> sqrt(4)\n2.0", ["from math import sqrt\n", "sqrt(4)\n"]),
        ("console", ">>> 1 + 2\n3", ["1 + 2\n"]),
        ("console", "> cargo build\nFinished", []),
        ("julia", "f(x) = 2x\n\njulia> f(2)\n4", ["f(x) = 2x\n\n", "f(2)\n"]),
        ("python", "import a\n>>> a.f()\n4", ["import a\n", "a.f()\n"]),
        ("python", 'def f():\n    """\n>>> f()\n4\n"""', ['def f():\n    """\n>>> f()\n4\n"""\n']),
    ],
)
def test_prompts_of_other_listings(write: Write, info: str, listing: str, codes: list[str]) -> None:
    document = parse_document(write("a.md", f"```{info}\n{listing}\n```\n"))
    assert [chunk.code for chunk in document.chunks if chunk.supported] == codes
    for chunk in document.chunks:
        line = chunk.code.split("\n")[0]
        assert f"```{info}\n{listing}".split("\n")[chunk.code_line - 1].endswith(line)


def test_an_entry_of_julia_goes_on_until_it_is_closed(write: Write) -> None:
    entries = "julia> function f()\n           x = 0\n \n           x\n       end\nf (generic function)\n"
    entries += 'julia> """\n         a\n\n       b"""\n"a"\njulia> g(1\n2\n'
    codes = ["function f()\n    x = 0\n\n    x\nend\n", '"""\n  a\n\nb"""\n', "g(1\n"]
    chunks = parse_document(write("a.md", f"```julia\n{entries}```\n")).chunks
    assert [chunk.code for chunk in chunks] == codes
    assert [block.text for chunk in chunks for block in chunk.output] == ["f (generic function)", '"a"', "2"]


def test_a_definition_and_remarks_below_a_prompt_of_julia_are_no_output(write: Write) -> None:
    session = "julia> a = Dict(1 => 2)\nfor d in a\n    println(d)\nend\n# and then\n\n"
    session += "julia> methods(f)\n# 1 method\n"
    first, second = parse_document(write("a.md", f"```julia\n{session}```\n")).chunks
    assert (first.code, first.output) == ("a = Dict(1 => 2)\nfor d in a\n    println(d)\nend\n", ())
    assert [block.text for block in second.output] == ["# 1 method"]


def test_a_session_of_r_in_a_document_that_names_no_language(write: Write) -> None:
    text = (
        '    > d <- head(cars)\n    > class(d)\n    [1] "data.frame"\n\nA function:\n\n'
        "    ## rows of it\n    rows <- function(d) {\n        nrow(d)\n    }\n\nExamples:\n\n"
        "\t  > rows(d)\n\t\t n\n\t  a  6\n\nIt prints:\n\n    > tail(d)\n      speed dist\n    6     9   10\n"
    )
    chunks = parse_document(write("a.md", text)).chunks
    assert [chunk.language for chunk in chunks] == ["r"] * 5
    assert [chunk.prompts for chunk in chunks] == [True, True, False, True, True]
    assert [block.text for block in chunks[3].output + chunks[4].output] == [
        "   n\na  6",
        "  speed dist\n6     9   10",
    ]


@pytest.mark.parametrize(
    ("above", "codes"),
    [("class A:\n    pass\n\n", 2), ("Typing A() shows:\n\n", 0)],
)
def test_code_above_a_prompt_in_a_fence_without_a_language(write: Write, above: str, codes: int) -> None:
    document = parse_document(write("a.md", f"```\n{above}>>> type(A())\n<class '__main__.A'>\n```\n"))
    assert len(document.chunks) == codes
