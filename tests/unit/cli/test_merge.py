"""``harness run --shard`` and ``harness merge``."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from harness.store.record import read_record

Harness = Callable[..., Result]


def test_shards_become_the_record_of_the_run(harness: Harness, suite: Path) -> None:
    chosen = ("--suite", suite, "--impl", "numpy", "--impl", "numpy.wrong")
    assert harness("run", *chosen, "--shard", "1/1", "--out", "one").exit_code == 1
    result = harness("merge", "one", "--out", "whole")
    assert result.exit_code == 1
    assert "DIVERGENCE" in result.stdout
    assert Path("whole/report.html").is_file()
    merged, whole = (read_record(Path(folder) / "results.jsonl") for folder in ("whole", "one"))
    assert merged.cells == whole.cells
    assert merged.header.shard is None


def test_a_folder_that_is_named_twice_counts_once_and_its_copy_is_refused(
    harness: Harness, suite: Path
) -> None:
    harness("run", "--suite", suite, "--impl", "numpy", "--shard", "1/1", "--out", "one")
    result = harness("merge", "one", "one", "--out", "whole")
    # Nothing but the reference was compared.
    assert result.exit_code == 5, result.output
    assert read_record(Path("whole/results.jsonl")).cells == read_record(Path("one/results.jsonl")).cells
    shutil.copytree("one", "copy")
    result = harness("merge", "one", "copy", "--out", "both")
    assert (result.exit_code, "copy" in result.stderr) == (2, True), result.output
    assert not Path("both").exists()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--shard", "2/1"], "--shard: '2/1' is no shard"),
        (["--shard", "2/2"], "a shard has one case at least, and there are 1 here"),
        (["--shard", "1/1", "--documents", "."], "--documents runs with no --shard"),
        (["--times", "."], "there is no --shard"),
    ],
)
def test_what_cannot_be_divided_is_refused(
    harness: Harness, suite: Path, args: list[str], message: str
) -> None:
    result = harness("run", "--suite", suite, *args)
    assert (result.exit_code, message in result.stderr) == (2, True), result.output
    assert not Path("results/results.jsonl").exists()


def test_a_whole_run_is_no_shard(harness: Harness, suite: Path) -> None:
    harness("run", "--suite", suite, "--impl", "numpy")
    result = harness("merge", "results", "--out", "merged")
    assert result.exit_code == 2
    assert "is the record of a whole run" in result.stderr
    assert not Path("merged").exists()
