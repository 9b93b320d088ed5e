"""Two shards at once against one run: `python -m tests.bench.bench_shards [CASES [ROUNDS]]`.

A suite of CASES (200) small cases is generated, each in two implementations of NumPy. ROUNDS (3) times it is
run by `harness run`, then by two processes, `--shard 1/2` and `--shard 2/2`, which `harness merge` joins.
Medians, each command's start and reports included; the two have no more than this machine's processors.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness.store.record import read_record
from tests.integration.dask_cluster import write_suite

HARNESS = [sys.executable, "-m", "harness"]


def together(*commands: list[str]) -> float:
    """Run commands at the same time; the seconds until the last has ended."""
    begun = time.perf_counter()
    started = [subprocess.Popen([*HARNESS, *command], stdout=subprocess.DEVNULL) for command in commands]
    codes = [process.wait() for process in started]
    assert not any(codes), codes
    return time.perf_counter() - begun


def main(count: int = 200, rounds: int = 3) -> None:
    """Measure, and print."""
    whole, parts, merges = [], [], []
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        os.environ["HARNESS_CACHE"] = str(folder / "cache")
        suite = write_suite(folder, count)
        outs = [folder / name for name in ("whole", "one", "two", "merged")]
        run = ["run", "--suite", str(suite), "--out"]
        # The first run asks the oracle for true values that later ones have in the cache.
        together([*run, str(outs[0])])
        for _ in range(rounds):
            for out in outs:
                shutil.rmtree(out, ignore_errors=True)
            whole.append(together([*run, str(outs[0])]))
            parts.append(
                together(
                    [*run, str(outs[1]), "--shard", "1/2"],
                    [*run, str(outs[2]), "--shard", "2/2"],
                )
            )
            merges.append(together(["merge", str(outs[1]), str(outs[2]), "--out", str(outs[3])]))
        counts = [read_record(out / "results.jsonl").footer for out in (outs[0], outs[3])]
        assert counts[0] is not None
        assert counts[1] is not None
        assert counts[0].counts == counts[1].counts
    one, two, merge = (statistics.median(seconds) for seconds in (whole, parts, merges))
    print(f"{count} cases, medians of {rounds}, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(f"one process              {one:6.1f} s")
    print(f"two shards at once       {two:6.1f} s  {one / two:.2f} times as fast")
    print(f"harness merge            {merge:6.1f} s  {one / (two + merge):.2f} times as fast with it")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
