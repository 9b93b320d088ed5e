"""Dask over TCP against one process: `python -m tests.bench.bench_dask [CASES [ROUNDS]]`.

A suite of CASES (500) small cases is generated, each in two implementations of NumPy. ROUNDS (3) times it is
run by `harness run --dask` with one Dask worker, with two, each bound to a processor of its own, and by one
process (`harness run`). The workers stay; a first run, which sends the suite and starts the languages, is not
counted. Medians of the record's seconds; the efficiency of two workers, and the memory of the command while
it runs.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

import psutil

from harness.store.record import read_record
from tests.integration.dask_cluster import Cluster, write_suite

HARNESS = [sys.executable, "-m", "harness", "run"]


class Memory(threading.Thread):
    """The resident memory of a process, twice a second, with what it had written of its record by then."""

    def __init__(self, process: psutil.Process, partial: Path) -> None:
        super().__init__(daemon=True)
        self.process, self.partial = process, partial
        self.seen: list[tuple[int, float]] = []

    def run(self) -> None:
        while True:
            try:
                mebibytes = self.process.memory_info().rss / 2**20
                if self.partial.exists():
                    self.seen.append((self.partial.stat().st_size, mebibytes))
            except (psutil.Error, OSError):
                return
            time.sleep(0.5)

    def said(self) -> str:
        """The memory after a tenth of the record, half of it, and all."""
        if not self.seen:
            return "-"
        last = self.seen[-1][0]
        at = (next(memory for size, memory in self.seen if size >= part * last) for part in (0.1, 0.5, 1.0))
        return " / ".join(f"{memory:.0f}" for memory in at) + " MiB after 10 / 50 / 100 % of the record"


def busy(processes: list[psutil.Process]) -> float:
    """Seconds of a processor that processes, and all that they started and that still run, have taken."""
    total = 0.0
    for process in processes:
        for each in (process, *process.children(recursive=True)):
            times = each.cpu_times()
            total += times.user + times.system
    return total


class Timed(NamedTuple):
    """Seconds of a run by its record; of a processor, in the command and on Dask's side; its memory."""

    seconds: float
    command: float
    there: float
    memory: str


def timed(suite: Path, out: Path, there: list[psutil.Process], *options: str) -> Timed:
    """Run the suite once."""
    shutil.rmtree(out, ignore_errors=True)
    before = busy(there)
    process = psutil.Popen(
        [*HARNESS, "--suite", str(suite), "--out", str(out), *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    memory = Memory(process, out / "results.jsonl.partial")
    memory.start()
    _, _, usage = os.wait4(process.pid, 0)
    memory.join()
    footer = read_record(out / "results.jsonl").footer
    assert footer is not None
    assert not {"ERROR", "TIMEOUT"} & footer.counts.keys(), footer.counts
    return Timed(footer.seconds, usage.ru_utime + usage.ru_stime, busy(there) - before, memory.said())


def main(count: int = 500, rounds: int = 3) -> None:
    """Measure, and print."""
    processors = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        os.environ["HARNESS_CACHE"] = str(folder / "cache")
        suite = write_suite(folder, count)
        (folder / "dask").mkdir()
        cluster = Cluster(folder / "dask")
        there = [psutil.Process(cluster.scheduler.pid)]
        runs: list[list[Timed]] = []
        try:
            for processor in (processors * 2)[:2]:
                there.append(psutil.Process(cluster.worker().pid))
                there[-1].cpu_affinity([processor])
                options = ("--dask", cluster.address)
                runs.append([timed(suite, folder / "there", there, *options) for _ in range(rounds + 1)][1:])
            runs.append([timed(suite, folder / "here", []) for _ in range(rounds)])
        finally:
            cluster.close()

    def middle(place: int, name: str) -> float:
        return statistics.median(getattr(run, name) for run in runs[place])

    one, two, here = (middle(place, "seconds") for place in range(3))
    print(
        f"{count} cases, medians of {rounds}, load {os.getloadavg()[1]:.1f} on {len(processors)} processors"
    )
    print(f"one process        {here:7.1f} s")
    print(f"Dask, one worker   {one:7.1f} s  {here / one:.2f} times as fast as one process")
    print(f"Dask, two workers  {two:7.1f} s  {here / two:.2f} times; efficiency {one / two / 2:.2f}")
    print("milliseconds of a processor for each case:")
    print(f"  one process, its languages and its oracle      {1000 * middle(2, 'command') / count:6.1f}")
    for place, workers in ((0, "one worker "), (1, "two workers")):
        there_each, command = (1000 * middle(place, name) / count for name in ("there", "command"))
        print(f"  scheduler and {workers} with the same         {there_each:6.1f}")
        print(f"  the command that has {workers}                {command:6.1f}")
    print(f"memory of the command: {runs[1][-1].memory}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
