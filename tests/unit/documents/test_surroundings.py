"""What an error says is missing here."""

from __future__ import annotations

import pytest

from harness.documents.surroundings import missing_here
from harness.sessions.session import CodeError


def said(message: str, code: str, language: str, kind: str = "raised") -> str:
    lack = missing_here(CodeError(kind=kind, message=message), code, language)
    return lack.said if lack is not None else ""


@pytest.mark.parametrize(
    ("message", "code", "name"),
    [
        ("ErrorException: could not open file /document/src/a.jl", 'include("src/a.jl")', "src/a.jl"),
        ("ArgumentError: Cannot open 'data/a.csv': not a file", 'readdlm("data/a.csv")', "data/a.csv"),
        ('SystemError: opening file "/document/a.csv": No such file', 'open("a.csv")', "a.csv"),
    ],
)
def test_a_file_that_julia_does_not_find(message: str, code: str, name: str) -> None:
    assert said(message, code, "julia") == f"{name} is not beside the document"


@pytest.mark.parametrize("code", ["cat a.csv", "x = 1\npip install numpy", "ls data"])
def test_commands_that_a_notebook_takes_without_a_mark(code: str) -> None:
    typed = code.split("\n")[-1]
    expected = f"IPython takes `{typed}` for a command, which was not run here"
    assert said("SyntaxError: invalid syntax", code, "python", "syntax") == expected


@pytest.mark.parametrize("code", ["cat = f(", "head in x)", "tail == 3 y", "man [1"])
def test_code_that_cannot_be_read_is_no_command(code: str) -> None:
    assert not said("SyntaxError: invalid syntax", code, "python", "syntax")


@pytest.mark.parametrize(
    ("message", "language", "name"),
    [
        ("there is no package called \u2018data.table\u2019", "r", "data.table"),
        ("there is no package called 'R.utils'.", "r", "R.utils"),
    ],
)
def test_a_dot_is_a_part_of_the_names_of_r(message: str, language: str, name: str) -> None:
    assert said(message, "", language) == f"{name} is not installed"


@pytest.mark.parametrize("what", ["device PNG", "data viewer", "data editor"])
def test_a_window_that_cannot_be_opened_is_the_machines(what: str) -> None:
    assert said(f"unable to start {what}", "View(x)", "r").startswith("this machine or the sandbox")
