"""Commands side by side that use the same files: each sees them whole, or ends with a sentence."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from harness.model import Outcome, Source, outcome_of
from harness.store.fixture_writer import write_fixture
from harness.store.record import read_record

ROOT = Path(__file__).parents[2]
CASE = """
[case]
name = "toy"
title = "Twice"
origin = "made up"
fixture = "x"
reference = "numpy"
timeout = 60

[inputs]
x = ["n"]

[[stage]]
name = "twice"
inputs = ["x"]
shape = ["n"]
tolerance = { rule = "exact" }
"""
ROUNDS = 2


def command(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "harness", *map(str, words)]


def start(folder: Path, words: Sequence[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        words,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "HARNESS_CACHE": str(folder / "cache")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )


def side_by_side(folder: Path, *commands: Sequence[str]) -> list[tuple[int, str]]:
    """Exit codes, and what was printed, of commands that are started together."""
    processes = [start(folder, words) for words in commands]
    printed = [process.communicate(timeout=240)[0] for process in processes]
    for text in printed:
        assert "Traceback" not in text
    return [(process.returncode, text) for process, text in zip(processes, printed, strict=True)]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    case = tmp_path / "suite" / "toy"
    case.mkdir(parents=True)
    (case / "case.toml").write_text(CASE, encoding="utf-8")
    for name in ("toy.py", "toy.same.py"):
        (case / name).write_text(f"# {name}\ndef twice(x):\n    return 2 * x\n", encoding="utf-8")
    return tmp_path / "suite"


def put_x(suite: Path, seed: int) -> Path:
    """A fixture of what a generator gives; to write it takes a while."""
    folder = suite / "fixtures" / "x"
    write_fixture(
        folder,
        version=1,
        title="t",
        origin="o",
        licence="MIT",
        generator=[
            {"kind": "numpy", "seed": seed, "draws": [{"name": "x", "call": "randn", "args": [200_000]}]}
        ],
        arrays={"x": np.random.RandomState(seed).randn(200_000)},
        origins={"x": "o"},
    )
    return folder


@pytest.mark.slow
def test_snapshots_are_taken_while_runs_replay_them(suite: Path, tmp_path: Path) -> None:
    put_x(suite, 1)
    take = command("snapshot", "--suite", suite)
    ((code, printed),) = side_by_side(tmp_path, take)
    assert code == 0, printed
    for number in range(ROUNDS):
        out = tmp_path / f"out{number}"
        replay = command("run", "--suite", suite, "--replay", "always", "--out", out)
        taken, again, replayed = side_by_side(tmp_path, take, take, replay)
        assert taken[0] == again[0] == 0, taken[1] + again[1]
        assert "2 snapshots" in taken[1]
        assert replayed[0] == 0, replayed[1]
        record = read_record(out / "results.jsonl")
        assert outcome_of(record).outcome is Outcome.AGREEMENT
        assert {cell.source for cell in record.cells} == {Source.REPLAYED}
    ((code, printed),) = side_by_side(tmp_path, [*take, "--check"])
    assert (code, "2 snapshots have every bit" in printed) == (0, True), printed
    assert not list(suite.rglob("*.tmp"))


@pytest.mark.slow
def test_a_fixture_is_regenerated_while_runs_read_it(suite: Path, tmp_path: Path) -> None:
    folder = put_x(suite, 1)
    checksums = []
    for seed in range(2, 2 + ROUNDS):
        toml = folder / "fixture.toml"
        text = toml.read_text(encoding="utf-8")
        assert text.count(f"seed = {seed - 1}") == 1
        toml.write_text(text.replace(f"seed = {seed - 1}", f"seed = {seed}"), encoding="utf-8")
        outs = [tmp_path / f"out{seed}{name}" for name in "ab"]
        runs = [command("run", "--suite", suite, "--out", out) for out in outs]
        regenerate = command("regenerate", "--suite", suite, "--accept")
        ended, made, *more = side_by_side(tmp_path, runs[0], regenerate, regenerate, runs[1])
        again, other = more
        assert made[0] == again[0] == 0, made[1] + again[1]
        for (code, printed), out in ((ended, outs[0]), (other, outs[1])):
            if code == 2:
                # It was read between the two files that were replaced.
                assert "arrays.safetensors has the sha256 " in printed
                continue
            assert code == 0, printed
            assert outcome_of(read_record(out / "results.jsonl")).outcome is Outcome.AGREEMENT
        ((code, printed),) = side_by_side(tmp_path, command("regenerate", "--suite", suite, "--check"))
        assert code == 0, printed
        checksums.append(toml.read_text(encoding="utf-8").split('sha256 = "')[1].split('"')[0])
    assert len(set(checksums)) == ROUNDS
    assert not list(suite.rglob("*.tmp"))


def test_a_fixture_of_which_one_file_was_replaced_is_refused(suite: Path, tmp_path: Path) -> None:
    folder = put_x(suite, 1)
    kept = (folder / "fixture.toml").read_bytes()
    shutil.rmtree(folder)
    put_x(suite, 2)
    (folder / "fixture.toml").write_bytes(kept)
    ((code, printed),) = side_by_side(tmp_path, command("run", "--suite", suite, "--out", tmp_path / "out"))
    assert code == 2, printed
    assert "arrays.safetensors has the sha256 " in printed
    assert "harness regenerate x --accept; else restore the file" in printed
    assert not (tmp_path / "out" / "results.jsonl").exists()


DOCUMENT = """# Sums

```python
import os, time, uuid
mine = globals().get("mine") or uuid.uuid4().hex
open(mine, "w").close()
time.sleep(1)
print(sorted({*os.listdir()} - {mine}))
```
"""


@pytest.mark.slow
def test_two_runs_of_one_document(tmp_path: Path) -> None:
    document = tmp_path / "document" / "sums.md"
    document.parent.mkdir()
    document.write_text(DOCUMENT, encoding="utf-8")
    words = command("documents", document, "--trust", "--unsandboxed", "--json")
    ((code, alone),) = side_by_side(tmp_path, words)
    assert (code, "sums.md" in alone) == (0, True), alone
    for code, printed in side_by_side(tmp_path, words, words):
        assert code == 0, printed
        assert untimed(printed) == untimed(alone)
    # Neither wrote beside the document, where the other one reads.
    assert [path.name for path in document.parent.iterdir()] == ["sums.md"]


def untimed(printed: str) -> str:
    return re.sub(r'seconds": ?[0-9.e-]+', "", printed)


@pytest.mark.slow
def test_two_runs_of_one_document_into_one_folder(tmp_path: Path) -> None:
    document = tmp_path / "sums.md"
    document.write_text(DOCUMENT, encoding="utf-8")
    words = command("documents", document, "--trust", "--unsandboxed", "--out", tmp_path / "out")
    one, other = sorted(side_by_side(tmp_path, words, words), key=lambda ran: "another run" in ran[1])
    assert one[0] == 0, one[1]
    assert other[0] == 2, other[1]
    assert "another run is writing here" in other[1]
    record = read_record(tmp_path / "out" / "results.jsonl")
    assert [examined.document for examined in record.documents] == ["sums.md"]
    assert not list((tmp_path / "out").glob(".*"))
