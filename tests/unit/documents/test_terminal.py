"""Listings of a terminal in which the script above them is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.documents.tracks import is_script, sessions_of
from tests.unit.documents.test_layouts import outputs, parsed

SCRIPT = "```python\nprint(7)\n```\n\n* a remark\n\n"


@pytest.mark.parametrize("name", ["", "bash", "console", "text"])
@pytest.mark.parametrize("command", ["$ ./seven.py ", "$ python3 seven.py", "~/code$ python seven.py"])
def test_what_a_script_prints_in_a_terminal(tmp_path: Path, name: str, command: str) -> None:
    document = parsed(tmp_path, f"{SCRIPT}```{name}\n{command}\n7\n```\n")
    assert outputs(document) == [(9, "printed", "7")]
    assert not document.unread


@pytest.mark.parametrize(
    ("listing", "why"),
    [
        ("$ ./seven.py 3\n7", "it is run with arguments ($ ./seven.py 3)"),
        ("$ ./seven.py\n7\n$ ls\nseven.py", "several commands are run in the terminal"),
        (
            "$ Rscript seven.R\n7",
            "the script is not the code above it, and seven.R is not beside the document",
        ),
    ],
)
def test_a_script_of_which_it_cannot_be_told_is_counted(tmp_path: Path, listing: str, why: str) -> None:
    document = parsed(tmp_path, f"{SCRIPT}```\n{listing}\n```\n")
    assert outputs(document) == []
    (unread,) = document.unread
    assert unread.why == f"a script is run in a terminal: {why.replace('$ ./', './')}"


def test_a_second_run_of_the_same_code_is_counted(tmp_path: Path) -> None:
    run = "```\n$ ./seven.py\n7\n```\n\n"
    document = parsed(tmp_path, SCRIPT + run + run)
    assert len(outputs(document)) == len(document.unread) == 1


def test_commands_that_run_no_script_are_no_output(tmp_path: Path) -> None:
    for listing in ("$ ls\nseven.py", "$ python3 seven.py", "$ cat seven.py\nprint(7)"):
        document = parsed(tmp_path, f"{SCRIPT}```bash\n{listing}\n```\n")
        assert outputs(document) == []
        assert not document.unread


def test_an_error_in_a_terminal_is_an_error(tmp_path: Path) -> None:
    shown = 'Traceback (most recent call last):\n  File "a.py", line 1\nNameError: name'
    document = parsed(tmp_path, f"{SCRIPT}```\n$ ./a.py\n{shown}\n```\n")
    assert [kind for _, kind, _ in outputs(document)] == ["error"]


@pytest.mark.parametrize("command", ["python seven.py", "python.exe ./seven.py", "./seven.py"])
def test_a_shells_listing_without_a_prompt(tmp_path: Path, command: str) -> None:
    document = parsed(tmp_path, f"{SCRIPT}``` bash\n{command}\n7\n```\n")
    assert outputs(document) == [(9, "printed", "7")]


@pytest.mark.parametrize("name", ["", "bash"])
def test_commands_without_a_prompt_print_nothing(tmp_path: Path, name: str) -> None:
    listing = "python seven.py\npython eight.py" if name else "python seven.py\n7"
    document = parsed(tmp_path, f"{SCRIPT}```{name}\n{listing}\n```\n")
    assert all(block.text != "7" for chunk in document.chunks for block in chunk.output)


def test_a_script_that_stands_beside_the_document_is_the_code(tmp_path: Path) -> None:
    (tmp_path / "six.py").write_text('"""Six."""\nprint(6)  # 5\n', encoding="utf-8")
    run = ".. code-block:: none\n\n\t$ python3 six.py\n\t\n\t6\n\n"
    document = parsed(tmp_path, f"Text\n\n{run}And again.\n\n{run}", "a.rst")
    first, second = document.chunks
    assert outputs(document) == [(6, "printed", "\n6"), (14, "printed", "\n6")]
    assert (first.code, first.source, first.code_line, first.line) == (
        '"""Six."""\nprint(6)  # 5\n',
        "six.py",
        1,
        4,
    )
    assert all(block.file == "a.rst" for block in first.output)
    assert not document.unread
    assert not first.doubtful
    assert [mine for _, _, mine in sessions_of(document)] == [[first], [second]]


def test_code_around_a_script_has_a_session_without_it(tmp_path: Path) -> None:
    (tmp_path / "six.py").write_text("print(6)\n", encoding="utf-8")
    code = "```python\nx = 1\n```\n\n"
    document = parsed(tmp_path, f"{code}```\n$ python3 six.py\n6\n```\n\n{code}```\n7\n```\n")
    above, script, below = document.chunks
    assert is_script(script)
    assert [mine for _, _, mine in sessions_of(document)] == [[above, below], [script]]
    assert [block.text for block in below.output] == ["7"]


def test_what_stands_below_a_script_is_none_of_its_output(tmp_path: Path) -> None:
    (tmp_path / "six.py").write_text("print(6)\n", encoding="utf-8")
    document = parsed(tmp_path, "```\n$ python3 six.py\n6\n```\n\n```text\n7\n```\n")
    assert outputs(document) == [(3, "printed", "6")]


def test_a_script_whose_code_the_document_shows_is_that_code(tmp_path: Path) -> None:
    (tmp_path / "seven.py").write_text("# My script\nprint(7)\n", encoding="utf-8")
    document = parsed(tmp_path, f"{SCRIPT}```\n$ python3 seven.py\n7\n```\n")
    assert [(chunk.source, len(chunk.output)) for chunk in document.chunks] == [("", 1)]


@pytest.mark.parametrize(
    "command",
    ["python -O six.py", "python2.7 six.py", "python3 six.py 1", "python3 ../six.py", "python3 five.py"],
)
def test_a_script_that_may_print_something_else_is_counted(tmp_path: Path, command: str) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for place in (tmp_path, folder):
        (place / "six.py").write_text("print(6)\n", encoding="utf-8")
    document = parsed(folder, f"```\n$ {command}\n6\n```\n")
    assert not document.chunks
    assert len(document.unread) == 1


@pytest.mark.parametrize(
    ("name", "code", "why"),
    [
        ("six.py", "import sys\nprint(sys.argv)\n", "the script may take something of who runs it (argv)"),
        ("six.R", "x <- commandArgs()\n", "the script may take something of who runs it (commandArgs)"),
        (
            "six.py",
            "import logging\n",
            "the terminal shows what the script writes to standard error too (logging)",
        ),
    ],
)
def test_a_script_that_is_given_more_accuses_nobody(tmp_path: Path, name: str, code: str, why: str) -> None:
    (tmp_path / name).write_text(code, encoding="utf-8")
    program = "Rscript" if name.endswith("R") else "python3"
    (chunk,) = parsed(tmp_path, f"```\n$ {program} {name}\n6\n```\n").chunks
    assert chunk.doubtful == why
