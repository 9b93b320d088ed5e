"""The README and the guides, done as they say from an empty folder: files written, outputs compared."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from harness.cli import main
from harness.runtimes.provision.interpreters import Interpreter, find_interpreter
from harness.sessions.sandbox import find_sandbox

ROOT = Path(__file__).parents[2]
GUIDES = ROOT / "docs" / "guides"
_BLOCK = re.compile(
    r"^(?P<fence>`{3,})(?P<kind>\w*) ?(?P<about>[^\n]*)\n(?P<text>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL
)
_EXIT_CODE = re.compile(r"# exit code (\d+)$")


class Block(NamedTuple):
    kind: str
    about: str
    text: str


def blocks(guide: str) -> Iterator[Block]:
    path = ROOT / guide if guide == "README.md" else GUIDES / guide
    for match in _BLOCK.finditer(path.read_text(encoding="utf-8")):
        yield Block(match["kind"], match["about"], match["text"])


def follow(guide: str, folder: Path) -> int:
    """Do what a guide says; returns how many commands it had."""
    output, commands = "", 0
    for block in blocks(guide):
        if block.kind == "text" and not block.about:
            compare(block.text, output)
        elif block.kind == "sh" and not block.about:
            output = ""
            for command in block.text.splitlines():
                if not command.startswith("python3 -m pip install "):
                    output += run(command, folder)
                    commands += 1
        elif "." in block.about:
            path = folder / block.about
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
    return commands


def run(command: str, folder: Path) -> str:
    due = _EXIT_CODE.search(command)
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == (int(due[1]) if due else 0), f"{command}\n{done.stdout}"
    return done.stdout


def environment(folder: Path) -> dict[str, str]:
    """What installing gives: ``harness`` and ``pytest`` of this Python, and itself, first on PATH."""
    programs = folder.parent / "bin"
    programs.mkdir(exist_ok=True)
    for name, module in (("harness", " -m harness"), ("pytest", " -m pytest"), ("python3", "")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}"{module} "$@"\n', encoding="utf-8")
        program.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COLUMNS"))}
    return {**kept, "PATH": os.pathsep.join([str(programs), os.environ["PATH"]]), "HARNESS": str(ROOT)}


def compare(shown: str, output: str) -> None:
    """Every line that a guide tells stands in the output, in this order; ``...`` is anything."""
    lines = iter([plain(line) for line in output.splitlines()])
    for line in filter(None, map(plain, shown.splitlines())):
        pattern = "*" + re.sub(r"([\[?*])", r"[\1]", line).replace("...", "*") + "*"
        assert any(fnmatchcase(printed, pattern) for printed in lines), (
            f"no line {line!r} in its place in\n{output}"
        )


def plain(line: str) -> str:
    return " ".join(re.sub(r"[│┃╭╮╰╯─]", " ", line).split())


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


def test_all_guides_are_followed() -> None:
    here = Path(__file__).read_text(encoding="utf-8")
    guides = [path.name for path in GUIDES.glob("*.md")]
    assert guides
    assert [name for name in guides if f'follow("{name}", ' not in here] == []


@pytest.mark.r
@pytest.mark.slow
def test_bring_your_own(empty: Path) -> None:
    """Eight commands, of which most run the suite in Python and in R; the README's are a fast test."""
    from harness.runtimes.provision.r import find_r

    if not find_r().available:
        pytest.skip("there is no R")
    pytest.importorskip("flint")
    assert follow("bring-your-own.md", empty) == 8
    assert "attention_weights" in (empty / "results" / "report.html").read_text(encoding="utf-8")


@pytest.mark.node
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node on PATH")
def test_add_a_language(empty: Path) -> None:
    """Seven commands; the worker of Node.js has fast tests of its own."""
    pytest.importorskip("flint")
    assert follow("add-a-language.md", empty) == 7


@pytest.mark.compiled
def test_compiled(empty: Path) -> None:
    from harness.runtimes.provision.compilers import find_compiler

    if not find_compiler("c").available:
        pytest.skip("there is no C compiler")
    pytest.importorskip("flint")
    assert follow("compiled.md", empty) == 5


@pytest.mark.node
def test_javascript(empty: Path) -> None:
    _needs_interpreter("node")
    assert follow("javascript.md", empty) == 2


@pytest.mark.jax
@pytest.mark.onnx
def test_jax_and_onnx(empty: Path) -> None:
    pytest.importorskip("jax")
    pytest.importorskip("onnxruntime")
    pytest.importorskip("flint")
    assert follow("jax-and-onnx.md", empty) == 4


@pytest.mark.octave
def test_octave(empty: Path) -> None:
    _needs_interpreter("octave")
    assert follow("octave.md", empty) == 2


def _needs_interpreter(which: Interpreter) -> None:
    provision = find_interpreter(which)
    if not provision.available:
        pytest.skip(provision.reason)
    pytest.importorskip("flint")


@pytest.mark.slow
def test_run_your_own_article(empty: Path) -> None:
    """A document with faults, each of which is proved in sessions of its own; `test_documents` is fast."""
    pytest.importorskip("markdown_it")
    sandbox = find_sandbox(unsandboxed=True)
    if not sandbox.confines:
        pytest.skip(f"needs a sandbox: {sandbox.statement}")
    assert follow("run-your-own-article.md", empty) == 2


@pytest.mark.r
@pytest.mark.slow
def test_fuzzing(empty: Path) -> None:
    """Six commands, of which five start R and draw inputs; `test_fuzz.py` is fast."""
    from harness.runtimes.provision.r import find_r

    if not find_r().available:
        pytest.skip("there is no R")
    pytest.importorskip("flint")
    pytest.importorskip("hypothesis")
    assert follow("fuzzing.md", empty) == 6


@pytest.mark.r
def test_two_programs(empty: Path) -> None:
    from harness.runtimes.provision.r import find_r

    if not find_r().available:
        pytest.skip("there is no R")
    pytest.importorskip("scipy")
    assert follow("two-programs.md", empty) == 4


@pytest.mark.r
def test_readme(empty: Path) -> None:
    from harness.runtimes.provision.r import find_r

    if not find_r().available:
        pytest.skip("there is no R")
    pytest.importorskip("flint")
    pytest.importorskip("scipy")
    assert follow("README.md", empty) == 4


def test_every_other_block_of_the_readme_has_a_test_of_its_own() -> None:
    others = [block for block in blocks("README.md") if block.kind != "sh" and "." not in block.about]
    assert [(block.kind, block.about) for block in others] == [
        ("", "commands"),
        ("text", ""),
        ("text", ""),
        ("text", "matrix"),
        ("text", "outcome"),
        ("", "path"),
        ("", "commands"),
        ("yaml", "step"),
    ]


def test_the_readmes_commands_are_those_that_ci_runs() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    listed = [line.split("#")[0].strip() for line in text_of("commands").splitlines()]
    assert listed == [
        "python3 bootstrap.py conform",
        "python3 bootstrap.py tests",
        "python3 bootstrap.py conform -- --case four_word --impl 'julia*'",
    ]
    for command in listed[:2]:
        assert command in ci


def test_the_readmes_path_is_taken_for_a_second_implementation(empty: Path) -> None:
    (path,) = text_of("path").splitlines()
    suite = empty / "reference_impls"
    shutil.copytree(ROOT / "reference_impls" / "four_word", suite / "four_word")
    shutil.copytree(ROOT / "fixtures" / "four_word", empty / "fixtures" / "four_word")
    shutil.copy(suite / "four_word" / "four_word.jl", empty / path)
    assert "julia.mine" in run("harness list --suite reference_impls", empty)


@pytest.mark.slow
def test_the_readmes_matrix_has_the_verdicts_of_a_run(empty: Path) -> None:
    """Of the snapshots: the articles, and shares of a limit, are of the run that is shown.

    It judges every case in every language; ``conform`` does too.
    """
    pytest.importorskip("flint")
    rows = [re.split("[│┃]", line)[1:6] for line in text_of("matrix").splitlines() if line.startswith("│")]
    cases = [name for row in rows if (name := row[0].strip()) and not name.startswith("float")]
    assert len(set(cases)) > 2
    chosen = " ".join(f"--case {name}" for name in dict.fromkeys(cases))
    # The snapshots are of the made-up vectors.
    shown = " ".join(f"--impl {name}" for name in ("numpy", "torch", "r", "julia"))
    command = (
        f"env -u HARNESS_GLOVE harness run --suite '{ROOT}/reference_impls' --replay always {chosen} {shown}"
    )
    printed = run(command, empty)
    compare("\n".join(" ".join(row) for row in rows if "PASS" in row[1]), printed)


def test_the_readmes_step_has_inputs_of_the_action() -> None:
    yaml = pytest.importorskip("yaml")
    (step,) = yaml.safe_load(text_of("step"))
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert step["uses"] == "OWNER/harness@COMMIT"
    assert set(step["with"]) <= set(action["inputs"])


def test_the_readmes_table_of_commands_is_that_of_the_program() -> None:
    rows = re.findall(
        r"^\| (`harness .*?) \| (.*) \|$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE
    )
    listed: dict[str, set[str]] = {}
    for commands, about in rows:
        for command in re.findall(r"`harness ([\w-]+)([^`]*)`", commands):
            options = re.findall(r"--[\w-]+", command[1] + (about if command[0] == "run" else ""))
            listed.setdefault(command[0], set()).update(options)
    assert set(listed) == {name for name, command in main.commands.items() if not command.hidden}
    for name, wanted in listed.items():
        shown = CliRunner().invoke(main, [name, "--help"], env={"COLUMNS": "200"}).output
        assert [option for option in wanted if option not in shown] == [], name


def text_of(about: str) -> str:
    return "".join(block.text for block in blocks("README.md") if block.about == about)


def test_a_guide_that_tells_something_else_is_found_out(empty: Path) -> None:
    compare("a ... c\nd", "│ a b c │\nx\nd e")
    for wrong in ("d\na", "a ... d", "[a]"):
        with pytest.raises(AssertionError, match="no line"):
            compare(wrong, "a b c\nd")
    with pytest.raises(AssertionError, match="false"):
        run("false", empty)
    with pytest.raises(AssertionError, match="true"):
        run("true  # exit code 1", empty)
    run("exit 3  # exit code 3", empty)
