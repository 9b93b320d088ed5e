"""Listings of a terminal in which the script above them is run."""

from __future__ import annotations

from pathlib import Path

import pytest

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
        ("$ Rscript seven.R\n7", "the script is not the code above it"),
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
