"""``harness documents``: what is refused, what goes on, and with which exit code."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from harness.store.record import read_record

Harness = Callable[..., Result]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    return folder


def test_nothing_runs_that_nobody_vouched_for(harness: Harness, folder: Path) -> None:
    (folder / "a.md").write_text("```python\nprint(1)\n```\n", encoding="utf-8")
    result = harness("documents", folder, "--unsandboxed")
    assert result.exit_code == 2
    assert "--trust" in result.output


@pytest.mark.parametrize("command", [("documents",), ("run", "--documents")])
def test_nothing_runs_that_nothing_confines(
    harness: Harness, suite: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    (folder / "a.md").write_text("```python\nprint(1)\n```\n", encoding="utf-8")
    monkeypatch.setenv("PATH", "/nowhere")
    result = harness(*command, folder / "a.md", "--suite", suite, "--trust")
    assert result.exit_code == 2
    assert "not run: nothing here would keep a document's code from this user's files" in result.output
    assert "there is no bwrap" in result.output
    assert "--unsandboxed" in result.output


@pytest.mark.parametrize(("name", "said"), [("none.md", "no such document"), (".", "no document in this")])
def test_paths_that_hold_no_document(harness: Harness, folder: Path, name: str, said: str) -> None:
    (folder / "README.md").write_text("# About\n", encoding="utf-8")
    result = harness("documents", folder / name, "--trust", "--unsandboxed")
    assert result.exit_code == 2
    assert said in result.output


def test_others_go_on_when_one_cannot_be_read(harness: Harness, folder: Path) -> None:
    (folder / "a.Rmd").write_text("```python\nprint(1)\n", encoding="utf-8")
    (folder / "b.md").write_text("# Only words\n", encoding="utf-8")
    (folder / "c.md").write_bytes(b"\x00\x01\x02")
    result = harness("documents", folder, "--trust", "--unsandboxed", "--json", "--out", folder / "out")
    printed = json.loads(result.stdout)
    assert result.exit_code == printed["exit_code"] == 2
    assert printed["schema"] == "harness.documents/1"
    assert [bool(summary["problem"]) for summary in printed["documents"]] == [True, False, True]
    assert "a.Rmd:1: " in printed["documents"][0]["problem"]
    assert len(list((folder / "out").glob("*.findings.*"))) == 6
    assert len(read_record(folder / "out" / "results.jsonl").documents) == 3


def test_a_document_without_code_has_no_findings(harness: Harness, folder: Path) -> None:
    (folder / "b.md").write_text("# Only words\n", encoding="utf-8")
    result = harness("documents", folder / "b.md", "--trust", "--unsandboxed")
    assert result.exit_code == 0
    assert "Findings: none" in result.output


def test_probes_that_cannot_be_used_are_the_users_mistake(
    harness: Harness, folder: Path, suite: Path
) -> None:
    (folder / "b.md").write_text("# Only words\n", encoding="utf-8")
    (suite / "toy" / "probes.toml").write_text('file = "b.md"\nstate = 3\n', encoding="utf-8")
    result = harness("documents", folder, "--trust", "--unsandboxed", "--suite", suite)
    assert result.exit_code == 2
    assert "state" in result.output


def test_a_document_is_run_and_held_to_what_it_prints(harness: Harness, folder: Path) -> None:
    code = "```python\nprint(1 + 1)\n```\n\n```text\n{}\n```\n"
    (folder / "a.md").write_text(code.format(3), encoding="utf-8")
    result = harness("documents", folder, "--trust", "--unsandboxed")
    assert result.exit_code == 1
    assert "3 is published, and the code prints 2" in result.output
    assert "a.md:2: printed output not produced by the printed code" in result.output


def test_what_a_document_lacks_is_installed_and_the_document_checked(
    harness: Harness, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = tmp_path / "registry"
    registry.mkdir()
    with zipfile.ZipFile(registry / "seventimes-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("seventimes.py", "def of(x):\n    return 7 * x\n")
        info = "seventimes-1.0.dist-info"
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: seventimes\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(registry))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    code = "```python\nimport seventimes\nprint(seventimes.of(6))\n```\n\n```text\n42\n```\n"
    (folder / "a.md").write_text(code, encoding="utf-8")
    without = harness("documents", folder, "--trust", "--unsandboxed")
    assert without.exit_code == 5
    assert "seventimes is not installed: 1 output" in without.output
    assert "0 of 1 output could be checked" in without.output
    fixed = harness("documents", folder, "--trust", "--unsandboxed", "--fix")
    assert fixed.exit_code == 0, fixed.output
    assert "1 of 1 output could be checked: 1 reproduced" in fixed.output
