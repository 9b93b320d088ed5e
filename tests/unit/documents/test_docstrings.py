"""Doctests in the docstrings of Julia's source files."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.docstrings import doctests_in
from tests.unit.documents.test_layouts import outputs, parsed

TEST = "```jldoctest\njulia> 1 + 1\n2\n```\n"
CODE = "f(x) = x  # => 1\n"


def test_only_the_doctests_of_docstrings_are_read(tmp_path: Path) -> None:
    first = f'"""    f(x)\n\nText.\n\n{TEST}"""\n{CODE}'
    text = f'module A\n{CODE}\n{first}\n"""One."""\n"""\n```julia\nf(2)\n```\n"""\n{CODE}end\n'
    document = parsed(tmp_path, text, "A.jl")
    (chunk,) = document.chunks
    assert (chunk.code, chunk.line, outputs(document)) == ("1 + 1\n", 9, [(10, "printed", "2")])
    assert chunk.doubtful == "its doctests are of a package's source, of which another version is here"
    assert not document.unread


def test_a_file_without_doctests_is_a_script(tmp_path: Path) -> None:
    text = f'"""\nText.\n"""\n{CODE}\n# {TEST}'.replace("\n```", "\n# ```")
    document = parsed(tmp_path, text, "a.jl")
    assert "f(x) = x" in document.chunks[0].code
    assert not any(chunk.doubtful for chunk in document.chunks)


def test_a_setup_runs_before_its_block(tmp_path: Path) -> None:
    test = "```jldoctest name; setup = :(using A; x = f(1))\njulia> x\n1\n```\n"
    document = parsed(tmp_path, f'"""\n{test}"""\nf\n', "A.jl")
    assert [chunk.code.strip() for chunk in document.chunks] == ["using A; x = f(1)", "x"]


@pytest.mark.parametrize(
    ("opens", "shown", "text"),
    [
        ('"""', r"println(\"a\\n\$b\")", r'println("a\n$b")'),
        ('raw"""', r'println("a\n$b")', r'println("a\n$b")'),
        ('@doc raw"""', r"$b", "$b"),
        ('  """', "1", "1"),
    ],
)
def test_what_a_docstring_holds_is_what_it_means(opens: str, shown: str, text: str) -> None:
    indent = " " * (len(opens) - len(opens.lstrip()))
    lines = [opens, *(f"{indent}{line}" for line in ("```jldoctest", shown, "```", '"""')), "f"]
    (block,) = doctests_in("\n".join(lines))
    assert (block.kind, block.info, block.text) == ("fence", "jldoctest", f"{text}\n")
    assert (block.line, block.end_line) == (2, 4)


def test_a_docstring_that_is_filled_is_unread(tmp_path: Path) -> None:
    document = parsed(tmp_path, '"""\n```jldoctest\njulia> $(name)\n2\n```\n"""\nf\n', "A.jl")
    assert not document.chunks
    assert [unread.why for unread in document.unread] == ["the docstring is filled when the file is read"]


@pytest.mark.parametrize("text", [f'"""\n{TEST}', '"""\n```jldoctest\njulia> 1\n1\n"""\nf\n', TEST])
def test_what_is_never_closed_and_what_is_no_docstring_holds_none(text: str) -> None:
    assert doctests_in(text) == ()
